"""ExplaGraphs' files: examples with their graphs, refinement rounds, predictions, concept tags, ConceptNet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whence.errors import DataError, quoted
from whence.files import read_lines
from whence.formats.graphs import format_graph, parse_graph
from whence.structures.graph import Argument, Edge, StanceGraph
from whence.structures.results import Example, Prediction
from whence.tasks.dataset import Dataset, Fault, Notes, Predictions, Split
from whence.tasks.loading import unread

STANCES = ("support", "counter")

RELATIONS = (
    "antonym of",
    "synonym of",
    "at location",
    "not at location",
    "capable of",
    "not capable of",
    "causes",
    "not causes",
    "created by",
    "not created by",
    "is a",
    "is not a",
    "desires",
    "not desires",
    "has subevent",
    "not has subevent",
    "part of",
    "not part of",
    "has context",
    "not has context",
    "has property",
    "not has property",
    "made of",
    "not made of",
    "receives action",
    "not receives action",
    "used for",
    "not used for",
)

SPLITS = {
    "train": Split("explagraphs/train.tsv"),
    "dev": Split("explagraphs/dev.tsv"),
    "test": Split("explagraphs/test_no_labels.tsv"),
    "refinement": Split("explagraphs/refinement_graphs_train.tsv"),
}


def is_negated(relation: str) -> bool:
    """Whether the relation denies something: 13 of the 28 hold the word `not`."""
    return "not" in relation.split()


def read(path: Path) -> Dataset[Argument, StanceGraph]:
    """Rows of belief, argument, stance and graph; without the last two, or with the graph of every round.

    Of several graphs the last is gold, the ones before were refined; they are kept in `meta`.
    """
    examples, lines, faults = [], [], []
    notes = Notes()
    for number, line in read_lines(path):
        fields = line.split("\t")
        if len(fields) not in (2, 4, 5, 6) or (len(fields) == 2 and fields[0] in STANCES):
            raise DataError(
                path,
                number,
                expected="2 fields (belief, argument) or 4 (and stance, graph), with tabs between",
                found=f"{len(fields)}: {quoted(line)}",
                advice="If these are predictions, name the examples they are for with --gold.",
            )
        inputs = Argument(fields[0], fields[1])
        name = f"{path.stem}-{number}"
        golds: tuple[StanceGraph, ...] = ()
        if len(fields) > 2:
            try:
                golds = (StanceGraph(fields[2], parse_graph(fields[-1])),)
            except DataError as error:
                faults.append(Fault(number, name, error))
            notes.add("refined", "graphs that a later one of the same row refines", len(fields) - 4)
            notes.add("repeated round", "rows with the same graph twice", len({*fields[3:]}) < len(fields) - 3)
        meta = {"earlier_graphs": fields[3:-1]} if len(fields) > 4 else {}
        examples.append(Example(name, inputs, golds, meta))
        lines.append(number)
    notes.add("no gold", "examples whose gold is hidden", sum(not e.golds for e in examples) - len(faults))
    return Dataset(tuple(examples), tuple(lines), notes.all(), tuple(faults))


def write(dataset: Dataset[Argument, StanceGraph]) -> Iterator[str]:
    """The rows again; of several golds, the first."""
    for example in dataset.examples:
        fields = [example.inputs.belief, example.inputs.argument]
        for gold in example.golds[:1]:
            earlier = example.meta.get("earlier_graphs", [])
            fields += [gold.stance, *earlier, format_graph(gold.graph)]
        yield "\t".join(fields)


def read_predictions(path: Path, gold: Dataset[Argument, StanceGraph]) -> Predictions[StanceGraph]:
    """Rows of stance and graph, one for each example, in their order."""
    predictions: list[Prediction[StanceGraph]] = []
    lines = []
    rows = list(read_lines(path))
    for number, line in rows:
        stance, tab, graph = line.partition("\t")
        if not tab and not any("\t" in other for _, other in rows):
            raise DataError(path, number, expected="stance and graph with a tab between", found=quoted(line))
        if len(predictions) < len(gold.examples):
            predictions.append(_prediction(gold.examples[len(predictions)].id, stance, graph, line))
        lines.append(number)
    if len(lines) != len(gold.examples):
        raise DataError(
            path,
            expected=f"{len(gold.examples)} predictions, one for each example",
            found=str(len(lines)),
            advice="Rows are matched by their number, so none may be missing.",
        )
    return Predictions(tuple(predictions), tuple(lines))


def _prediction(name: str, stance: str, graph: str, line: str) -> Prediction[StanceGraph]:
    try:
        return Prediction(name, StanceGraph(stance, parse_graph(graph)), line)
    except DataError as error:
        return Prediction(name, None, line, (unread("format", error),))


def read_conceptnet(path: Path) -> Iterator[tuple[Edge, str]]:
    """ConceptNet triples of the 100k release: the edge, and its confidence or label (empty in one file)."""
    for number, line in read_lines(path):
        fields = line.split("\t")
        if len(fields) not in (3, 4):
            raise DataError(
                path, number, expected="relation, head, tail and a weight, with tabs", found=quoted(line)
            )
        yield Edge(fields[1], fields[0], fields[2]), (fields[3] if len(fields) == 4 else "")
