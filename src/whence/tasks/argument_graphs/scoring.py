"""ExplaGraphs' scores (sec. 6): an answer passes the gate of its stance, then of its structure, then is measured.

Protocols. `official` equals the released evaluator to the last digit. `paper` also fails graphs of more than 8
edges (sec. 3), which the evaluator lets through. `whence` equals `official`.

Where the released evaluator stops or prints NaN there is nothing to equal, and a note counts the items: edges
whose similarities to gold ones sum up to 0, or to less with a similarity that may be negative, make G-BS 0; a
distance over the largest one foreseen makes GED 1. An answer that is missing or not in its format is wrong. An
example without gold is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from whence.checks.graph import (
    ACYCLIC,
    CONNECTED,
    PAIR_ONCE,
    GraphRule,
    concept_length,
    concepts_from_texts,
    relation_known,
)
from whence.errors import DataError, UsageError
from whence.formats.graphs import parse_graph
from whence.metrics import graph as measures
from whence.metrics.metric import Metric, Scores, scores, unmeasured
from whence.metrics.similarity import Classifier, Pair, Similarity, classify_once
from whence.structures.graph import Argument, Edge, Graph, StanceGraph, depth, external_concepts, is_linear
from whence.structures.results import UNREAD, Example, Prediction
from whence.tasks.argument_graphs.data.files import RELATIONS, STANCES
from whence.tasks.argument_graphs.heads.texts import lowered, semantic_pair, stance_pairs
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import SCORING_PROTOCOLS, Answers, Scoring, ScoringOptions, Slice

NO_ANSWER = "no answer"
WRONG_STANCE = "stance wrong"
TOO_FEW_EDGES = "fewer than 3 edges"
TOO_MANY_EDGES = "more than 8 edges"
MALFORMED_EDGE = "malformed edge"
_STANCE_CAUSES = (NO_ANSWER, UNREAD, WRONG_STANCE)

STRUCTURE: dict[str, GraphRule] = {
    "concept empty or over 3 words": concept_length(3),
    "unknown relation": relation_known(RELATIONS),
    "too few concepts of the belief or the argument": concepts_from_texts(2),
    "disconnected": CONNECTED,
    "cyclic": ACYCLIC,
}
_PAPER_STRUCTURE = {**STRUCTURE, "two concepts joined twice": PAIR_ONCE}
"""What a graph that could be read must keep, by what is said of it if it does not; in the evaluator's order."""

GRAPH_LABELS = (*STANCES, "incorrect")
"""What a graph says of a belief; of equally probable labels the first one counts."""

NO_GRAPH = Graph(())

_LEAST_EDGES = 3
_MOST_EDGES = {"paper": 8}


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer after both gates."""

    example: Example[Argument, StanceGraph]
    cause: str
    """Why it does not pass; empty if it does."""
    text: str = ""
    """Its linearised graph in lower case."""
    graph: Graph = NO_GRAPH
    """The graph that was read from the text, if it passes."""

    @property
    def stance(self) -> str:
        """The gold stance; of several golds, the first one's."""
        return self.example.golds[0].stance

    @property
    def gold_graphs(self) -> list[Graph]:
        """The gold graphs in lower case."""
        return [lowered(gold.graph) for gold in self.example.golds]


class Row(NamedTuple):
    """What an answer is worth, one by one: its values are unknown where nothing was handed in to measure them."""

    cause: str
    """Why it does not pass, and then its values mean nothing; empty if it does."""
    bleu: float = 0.0
    rouge: float = 0.0
    least: float = 1.0
    """The least that its distance may be."""
    distance: float = 1.0
    seca: float | None = None
    bertscore: float | None = None
    total: float | None = None
    """The sum of the similarities of matched edges."""
    ea: float | None = None


Rows = Sequence[Row | None]
"""One for each example; None where there is no gold."""


def judge(
    example: Example[Argument, StanceGraph], answer: Prediction[StanceGraph] | None, protocol: str
) -> Judged | None:
    """The answer after both gates; None if the example has no gold to compare with."""
    if not example.golds:
        return None
    if answer is None:
        return Judged(example, NO_ANSWER)
    if is_unread(answer):
        return Judged(example, UNREAD)
    stance, text = written(answer)
    if stance != example.golds[0].stance:
        return Judged(example, WRONG_STANCE)
    return _judge_structure(example, text.lower(), protocol)


def is_unread(answer: Prediction[StanceGraph]) -> bool:
    """Whether there is nothing to judge: neither an explanation nor a published row of stance and graph."""
    marked = any(problem.rule == UNREAD for problem in answer.problems)
    return answer.explanation is None and (marked or "\t" not in answer.raw)


def written(answer: Prediction[StanceGraph]) -> tuple[str, str]:
    """Stance and linearised graph of an answer: as its line says, or as the line would be if it has none."""
    stance, tab, text = answer.raw.partition("\t")
    found = answer.explanation
    if found is None or (tab and stance == found.stance and _says(text, found.graph)):
        return stance, text
    return found.stance, measures.linearised(found.graph)


def _says(text: str, graph: Graph) -> bool:
    try:
        return parse_graph(text) == graph
    except DataError:
        return False


def _judge_structure(example: Example[Argument, StanceGraph], text: str, protocol: str) -> Judged:
    most_edges = _MOST_EDGES.get(protocol)
    structure = _PAPER_STRUCTURE if protocol == "paper" else STRUCTURE
    entries = [entry.split("; ") for entry in measures.edge_entries(text)]
    if len(entries) < _LEAST_EDGES:
        return Judged(example, TOO_FEW_EDGES)
    if most_edges is not None and len(entries) > most_edges:
        return Judged(example, TOO_MANY_EDGES)
    if any(len(parts) != 3 for parts in entries):
        return Judged(example, MALFORMED_EDGE)
    found = StanceGraph(example.golds[0].stance, Graph(tuple(Edge(*parts) for parts in entries)))
    broken = (cause for cause, rule in structure.items() for _ in rule.find(example.inputs, found))
    cause = next(iter(broken), "")
    return Judged(example, cause, text, found.graph)


Pairs = Sequence[tuple[Example[Argument, StanceGraph], Prediction[StanceGraph] | None]]
"""Examples with the answers to them."""


def _judge_all(options: ScoringOptions, pairs: Pairs) -> list[Judged | None]:
    return [judge(example, answer, options.protocol) for example, answer in pairs]


def _causes(options: ScoringOptions, pairs: Pairs) -> list[str]:
    return [item.cause if item else "" for item in _judge_all(options, pairs)]


def _pairs(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> Pairs:
    if options.protocol not in SCORING_PROTOCOLS:
        raise UsageError(f"there is no protocol '{options.protocol}'; there are {', '.join(SCORING_PROTOCOLS)}")
    return list(zip(dataset.examples, answers, strict=True))


def failure_causes(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> Counter[str]:
    """How many answers fail StCA, by the first cause in the evaluator's order."""
    return Counter(cause for cause in options.measured(_causes, _pairs(dataset, answers, options)) if cause)


def score(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> list[Scores]:
    """SA, StCA, SeCA, G-BS, G-BLEU, G-ROUGE, GED, EA; those without their scorer are unmeasured."""
    found = options.measured(_measure, _pairs(dataset, answers, options))
    rows = [None if row is None else Row(*row) for row in found]
    return [
        _scores(measures.STANCE_ACCURACY, rows, lambda row: row.cause not in _STANCE_CAUSES),
        _scores(measures.STRUCTURE_ACCURACY, rows, lambda row: not row.cause),
        _semantic_accuracy(rows, options.graph_classifier),
        _bertscore(rows, options.similarity),
        _scores(measures.G_BLEU, rows, lambda row: row.bleu),
        _scores(measures.G_ROUGE, rows, lambda row: row.rouge),
        _distance(rows, options.time_limit),
        _edge_importance(rows, options.stance_classifier),
    ]


def _measure(options: ScoringOptions, pairs: Pairs) -> list[Row | None]:
    """The row of each answer; scorers that were handed in are called once for all."""
    items = _judge_all(options, pairs)
    passing = [item for item in items if item and not item.cause]
    texts = [_edge_texts(item) for item in passing]
    columns: list[Iterable[float | None]] = [
        (each.f1 for each in _matches(texts, similarity))
        for similarity in (measures.EDGE_BLEU, measures.EDGE_ROUGE)
    ]
    distances = [measures.nearest_distance(item.graph, item.gold_graphs, options.time_limit) for item in passing]
    columns += [[each.lower for each in distances], [each.upper for each in distances]]
    unknown = [None] * len(passing)
    columns.append(unknown if options.graph_classifier is None else _semantics(passing, options.graph_classifier))
    matches = [] if options.similarity is None else _matches(texts, options.similarity)
    columns += [[each.f1 for each in matches] or unknown, [each.total for each in matches] or unknown]
    columns.append(
        unknown if options.stance_classifier is None else _importances(passing, options.stance_classifier)
    )
    following = zip(*columns, strict=True)
    return [None if item is None else Row(item.cause, *(() if item.cause else next(following))) for item in items]


def _scores(
    metric: Metric,
    rows: Rows,
    value: Callable[[Row], float],
    parameters: Mapping[str, str] | None = None,
    notes: Iterable[str] = (),
) -> Scores:
    """Scores of all items; those without gold are unknown."""
    values = [None if row is None else [value(row)] for row in rows]
    without = f"without gold: {values.count(None)}" if None in values else ""
    return scores(metric, values, parameters, "; ".join(filter(None, (*notes, without))))


def edge_matches(passing: Sequence[Judged], similarity: Similarity) -> list[measures.EdgeMatch]:
    """The matching of each item that passes with the gold graph that it matches best; all in one call."""
    return _matches([_edge_texts(item) for item in passing], similarity)


_EdgeTexts = tuple[list[str], list[list[str]]]
"""The edges of an answer as sentences, and those of each gold graph."""


def _edge_texts(item: Judged) -> _EdgeTexts:
    return measures.edge_sentences(item.text), [_sentences(gold) for gold in item.example.golds]


def _matches(texts: Sequence[_EdgeTexts], similarity: Similarity) -> list[measures.EdgeMatch]:
    pairs = list(
        dict.fromkeys(
            (candidate, reference)
            for candidates, golds in texts
            for references in golds
            for candidate in candidates
            for reference in references
        )
    )
    found = dict(zip(pairs, similarity.score(pairs) if pairs else (), strict=True))

    def match(candidates: list[str], references: list[str]) -> measures.EdgeMatch:
        rows = [[found[candidate, reference] for reference in references] for candidate in candidates]
        return measures.best_match(np.array(rows, dtype=np.float64))

    return [
        max((match(candidates, references) for references in golds), key=lambda each: each.f1)
        for candidates, golds in texts
    ]


def _sentences(gold: StanceGraph) -> list[str]:
    return measures.edge_sentences(measures.linearised(gold.graph))


def _bertscore(rows: Rows, similarity: Similarity | None) -> Scores:
    if similarity is None:
        return unmeasured(measures.G_BERTSCORE, len(rows), note="needs a similarity: --similarity MODEL")
    alien = sum(row is not None and row.total is not None and row.total <= 0 for row in rows)
    return _scores(
        measures.G_BERTSCORE,
        rows,
        lambda row: max(row.bertscore or 0.0, 0.0),
        parameters={"similarity": similarity.name},
        notes=[f"no edge is similar to a gold one, so 0: {alien}" if alien else ""],
    )


def _distance(rows: Rows, time_limit: float | None) -> Scores:
    stopped = sum(row is not None and row.least < row.distance for row in rows)
    larger = sum(row is not None and row.distance > 1 for row in rows)
    notes = (
        f"stopped at the time limit, so an upper bound: {stopped}" if stopped else "",
        f"further than the largest distance, so 1: {larger}" if larger else "",
    )
    return _scores(
        measures.GRAPH_EDIT_DISTANCE,
        rows,
        lambda row: min(row.distance, 1.0),
        parameters={"time_limit": f"{time_limit:g}"} if stopped else {},
        notes=notes,
    )


def _semantic_accuracy(rows: Rows, classifier: Classifier | None) -> Scores:
    if classifier is None:
        return unmeasured(measures.SEMANTIC_ACCURACY, len(rows), note="needs a graph classifier: --seca MODEL")
    parameters = {"graph_classifier": classifier.name}
    return _scores(measures.SEMANTIC_ACCURACY, rows, lambda row: row.seca or 0.0, parameters)


def _edge_importance(rows: Rows, classifier: Classifier | None) -> Scores:
    if classifier is None:
        return unmeasured(measures.EDGE_IMPORTANCE, len(rows), note="needs a stance classifier: --ea MODEL")
    parameters = {"stance_classifier": classifier.name}
    return _scores(measures.EDGE_IMPORTANCE, rows, lambda row: row.ea or 0.0, parameters)


def _semantics(passing: Sequence[Judged], classifier: Classifier) -> list[float]:
    pairs = [semantic_pair(item.example.inputs, item.graph) for item in passing]
    found = _classified(classifier, pairs, GRAPH_LABELS)
    return [
        float(max(GRAPH_LABELS, key=probabilities.__getitem__) == item.stance)
        for item, probabilities in zip(passing, found, strict=True)
    ]


def _importances(passing: Sequence[Judged], classifier: Classifier) -> list[float]:
    asked = [stance_pairs(item.example.inputs, item.graph) for item in passing]
    found = iter(_classified(classifier, [pair for pairs in asked for pair in pairs], STANCES))
    values = []
    for item, pairs in zip(passing, asked, strict=True):
        full, *without = [next(found)[item.stance] for _ in pairs]
        values.append(sum(full > less for less in without) / len(without))
    return values


def _classified(classifier: Classifier, pairs: Sequence[Pair], labels: Sequence[str]) -> list[Mapping[str, float]]:
    found = classify_once(classifier, pairs) if pairs else []
    for label in labels:
        if any(label not in probabilities for probabilities in found):
            raise UsageError(f"the classifier {classifier.name} has no label '{label}'")
    return found


def _slice_by_gold(name: Callable[[Argument, StanceGraph], Iterable[str]]) -> Slice:
    """Groups by the gold graph, the first of several; an example without one is in no group."""

    def groups(example: Example[Any, Any]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(group for gold in example.golds[:1] for group in name(example.inputs, gold)))

    return groups


def _depths(_: Argument, gold: StanceGraph) -> Iterator[str]:
    """Table 8's groups; a cyclic graph has no depth."""
    found = depth(gold.graph)
    if found is not None:
        yield "low (1-3)" if found <= 3 else "medium (4-5)" if found <= 5 else "high (6-8)"


_SLICES: dict[str, Slice] = {
    "depth": _slice_by_gold(_depths),
    "linear": _slice_by_gold(lambda _, gold: ["linear" if is_linear(gold.graph) else "non-linear"]),
    "stance": _slice_by_gold(lambda _, gold: [gold.stance]),
    "edges": _slice_by_gold(lambda _, gold: [str(len(gold.graph.edges))]),
    "relation": _slice_by_gold(lambda _, gold: [edge.relation for edge in gold.graph.edges]),
    "external": _slice_by_gold(
        lambda inputs, gold: ["with external" if external_concepts(gold.graph, inputs) else "without external"]
    ),
}
"""Groups of examples by name: the breakdowns of Tables 8 and 9, and by what else a gold graph shows."""

SCORING = Scoring(
    score,
    failure_causes,
    _SLICES,
    ("similarity", "graph_classifier", "stance_classifier"),
    # An answer that fails StCA has 0, 0 and the distance 1.
    (measures.G_BLEU.name, measures.G_ROUGE.name, measures.GRAPH_EDIT_DISTANCE.name),
)
