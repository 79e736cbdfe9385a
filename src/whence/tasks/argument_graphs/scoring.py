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
from typing import Any

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
from whence.errors import UsageError
from whence.metrics import graph as measures
from whence.metrics.metric import Metric, Scores, scores, unmeasured
from whence.metrics.similarity import Classifier, Pair, Similarity, classify_once, score_once
from whence.structures.graph import Argument, Edge, Graph, StanceGraph, depth, external_concepts, is_linear
from whence.structures.results import Example, Prediction
from whence.tasks.argument_graphs.data import RELATIONS, STANCES
from whence.tasks.argument_graphs.readings import lowered, semantic_pair, stance_pairs
from whence.tasks.scoring import SCORING_PROTOCOLS, Answers, Failures, Score, ScoringOptions, Slice
from whence.tasks.task import AnyDataset

NO_ANSWER = "no answer"
WRONG_STANCE = "stance wrong"
TOO_FEW_EDGES = "fewer than 3 edges"
TOO_MANY_EDGES = "more than 8 edges"
MALFORMED_EDGE = "malformed edge"

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
    def stance_is_right(self) -> bool:
        """Whether it passes the first gate."""
        return self.cause not in (NO_ANSWER, WRONG_STANCE)

    @property
    def stance(self) -> str:
        """The gold stance; of several golds, the first one's."""
        return self.example.golds[0].stance

    @property
    def gold_graphs(self) -> list[Graph]:
        """The gold graphs in lower case."""
        return [lowered(gold.graph) for gold in self.example.golds]


Items = Sequence[Judged | None]
"""One for each example; None where there is no gold."""

"""The names of the groups that an example falls in."""


def judge(
    example: Example[Argument, StanceGraph], answer: Prediction[StanceGraph] | None, protocol: str
) -> Judged | None:
    """The answer after both gates; None if the example has no gold to compare with."""
    if not example.golds:
        return None
    if answer is None or (answer.explanation is None and not answer.raw.strip()):
        return Judged(example, NO_ANSWER)
    stance, text = written(answer)
    if stance != example.golds[0].stance:
        return Judged(example, WRONG_STANCE)
    return _judge_structure(example, text.lower(), protocol)


def written(answer: Prediction[StanceGraph]) -> tuple[str, str]:
    """Stance and linearised graph of an answer: as its line says, or as the line would be if it has none."""
    stance, tab, text = answer.raw.partition("\t")
    found = answer.explanation
    if found is None or (tab and stance == found.stance):
        return stance, text
    return found.stance, measures.linearised(found.graph)


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


def _judge_all(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> list[Judged | None]:
    if options.protocol not in SCORING_PROTOCOLS:
        raise UsageError(f"there is no protocol '{options.protocol}'; there are {', '.join(SCORING_PROTOCOLS)}")
    return [
        judge(example, answer, options.protocol) for example, answer in zip(dataset.examples, answers, strict=True)
    ]


def failure_causes(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> Counter[str]:
    """How many answers fail StCA, by the first cause in the evaluator's order."""
    return Counter(item.cause for item in _judge_all(dataset, answers, options) if item and item.cause)


def score(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> list[Scores]:
    """SA, StCA, SeCA, G-BS, G-BLEU, G-ROUGE, GED, EA; those without their scorer are unmeasured."""
    items = _judge_all(dataset, answers, options)
    return [
        _measured(measures.STANCE_ACCURACY, items, lambda item: item.stance_is_right),
        _measured(measures.STRUCTURE_ACCURACY, items, lambda item: not item.cause),
        _semantic_accuracy(items, options.graph_classifier),
        _bertscore(items, options.similarity),
        _edge_f1(measures.G_BLEU, items, measures.EDGE_BLEU),
        _edge_f1(measures.G_ROUGE, items, measures.EDGE_ROUGE),
        _distance(items, options.time_limit),
        _edge_importance(items, options.stance_classifier),
    ]


def _passing(items: Items) -> list[Judged]:
    return [item for item in items if item and not item.cause]


def _measured(
    metric: Metric,
    items: Items,
    measure: Callable[[Judged], float],
    parameters: Mapping[str, str] | None = None,
    notes: Iterable[str] = (),
) -> Scores:
    """Scores of all items; those without gold are unknown."""
    rows = [None if item is None else [measure(item)] for item in items]
    without = f"without gold: {rows.count(None)}" if None in rows else ""
    return scores(metric, rows, parameters, "; ".join(filter(None, (*notes, without))))


def _gated(
    metric: Metric,
    items: Items,
    values: Iterable[float],
    failed: float = 0.0,
    parameters: Mapping[str, str] | None = None,
    notes: Iterable[str] = (),
) -> Scores:
    """Scores from the values of the items that pass, in their order; the others have failed."""
    following = iter(values)
    return _measured(metric, items, lambda item: failed if item.cause else next(following), parameters, notes)


def edge_matches(items: Items, similarity: Similarity) -> list[measures.EdgeMatch]:
    """The matching of each item that passes with the gold graph that it matches best; all in one call."""
    predicted = [measures.edge_sentences(item.text) for item in _passing(items)]
    golds = [[_sentences(gold) for gold in item.example.golds] for item in _passing(items)]
    pairs = [
        (candidate, reference)
        for candidates, options in zip(predicted, golds, strict=True)
        for references in options
        for candidate in candidates
        for reference in references
    ]
    found = dict(zip(pairs, score_once(similarity, pairs) if pairs else (), strict=True))

    def match(candidates: list[str], references: list[str]) -> measures.EdgeMatch:
        rows = [[found[candidate, reference] for reference in references] for candidate in candidates]
        return measures.best_match(np.array(rows, dtype=np.float64))

    return [
        max((match(candidates, references) for references in options), key=lambda each: each.f1)
        for candidates, options in zip(predicted, golds, strict=True)
    ]


def _sentences(gold: StanceGraph) -> list[str]:
    return measures.edge_sentences(measures.linearised(gold.graph))


def _edge_f1(metric: Metric, items: Items, similarity: Similarity) -> Scores:
    return _gated(metric, items, (each.f1 for each in edge_matches(items, similarity)))


def _bertscore(items: Items, similarity: Similarity | None) -> Scores:
    if similarity is None:
        return unmeasured(measures.G_BERTSCORE, len(items), note="needs a similarity: --similarity embedded")
    found = edge_matches(items, similarity)
    alien = sum(each.total <= 0 for each in found)
    return _gated(
        measures.G_BERTSCORE,
        items,
        (max(each.f1, 0.0) for each in found),
        parameters={"similarity": similarity.name},
        notes=[f"no edge is similar to a gold one, so 0: {alien}" if alien else ""],
    )


def _distance(items: Items, time_limit: float | None) -> Scores:
    found = [measures.nearest_distance(item.graph, item.gold_graphs, time_limit) for item in _passing(items)]
    stopped = sum(each.lower < each.upper for each in found)
    larger = sum(each.upper > 1 for each in found)
    notes = (
        f"stopped at the time limit, so an upper bound: {stopped}" if stopped else "",
        f"further than the largest distance, so 1: {larger}" if larger else "",
    )
    return _gated(
        measures.GRAPH_EDIT_DISTANCE,
        items,
        (min(each.upper, 1.0) for each in found),
        failed=1.0,
        parameters={"time_limit": f"{time_limit:g}"} if stopped else {},
        notes=notes,
    )


def _semantic_accuracy(items: Items, classifier: Classifier | None) -> Scores:
    if classifier is None:
        return unmeasured(measures.SEMANTIC_ACCURACY, len(items), note="needs a graph classifier: --seca embedded")
    passing = _passing(items)
    pairs = [semantic_pair(item.example.inputs, item.graph) for item in passing]
    found = _classified(classifier, pairs, GRAPH_LABELS)
    values = (
        float(max(GRAPH_LABELS, key=probabilities.__getitem__) == item.stance)
        for item, probabilities in zip(passing, found, strict=True)
    )
    return _gated(measures.SEMANTIC_ACCURACY, items, values, parameters={"graph_classifier": classifier.name})


def _edge_importance(items: Items, classifier: Classifier | None) -> Scores:
    if classifier is None:
        return unmeasured(measures.EDGE_IMPORTANCE, len(items), note="needs a stance classifier: --ea embedded")
    passing = _passing(items)
    asked = [stance_pairs(item.example.inputs, item.graph) for item in passing]
    found = iter(_classified(classifier, [pair for pairs in asked for pair in pairs], STANCES))
    values = []
    for item, pairs in zip(passing, asked, strict=True):
        full, *without = [next(found)[item.stance] for _ in pairs]
        values.append(sum(full > less for less in without) / len(without))
    return _gated(measures.EDGE_IMPORTANCE, items, values, parameters={"stance_classifier": classifier.name})


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


SCORERS: dict[str, Score] = {"explagraphs": score}

FAILURES: dict[str, Failures] = {"explagraphs": failure_causes}

SLICES: dict[str, dict[str, Slice]] = {
    "explagraphs": {
        "depth": _slice_by_gold(_depths),
        "linear": _slice_by_gold(lambda _, gold: ["linear" if is_linear(gold.graph) else "non-linear"]),
        "stance": _slice_by_gold(lambda _, gold: [gold.stance]),
        "edges": _slice_by_gold(lambda _, gold: [str(len(gold.graph.edges))]),
        "relation": _slice_by_gold(lambda _, gold: [edge.relation for edge in gold.graph.edges]),
        "external": _slice_by_gold(
            lambda inputs, gold: ["with external" if external_concepts(gold.graph, inputs) else "without external"]
        ),
    }
}
"""Groups of examples by name: the breakdowns of Tables 8 and 9, and by what else a gold graph shows."""
