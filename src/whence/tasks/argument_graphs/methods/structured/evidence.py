"""Argument graphs put together from judged parts: concepts, commonsense to add, edges; then the best graph.

The paper's structured model (appendix C.3), with two differences: concepts may be left out of the graph, so
concepts and edges are choose_concepts together; and what is decoded keeps every rule, not connectivity alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import log
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from whence.models.items import Item, Verdict, WordItem
from whence.models.learners import Judge
from whence.progress import Report, unreported
from whence.solvers.graph_decoding import EdgeScores
from whence.structures.graph import Argument
from whence.tasks.argument_graphs.concepts import Candidate, candidates, choose_concepts, is_writable
from whence.tasks.argument_graphs.heads.concept_roles import ADDED, place_questions, role
from whence.tasks.argument_graphs.heads.concept_tags import words_to_tag
from whence.tasks.argument_graphs.heads.edge_questions import EDGE_LABELS, NO_RELATION, all_edge_questions

_NONE = EDGE_LABELS.index(NO_RELATION)
_SMALLEST = 1e-4  # probabilities are kept off 0 and 1
Floats = NDArray[np.float64]


class Proposer(Protocol):
    """Finds commonsense that a graph may add."""

    @property
    def name(self) -> str:
        """What it is, with the fingerprints of its models."""

    def propose(self, inputs: Sequence[Argument], report: Report = unreported) -> list[list[Candidate]]:
        """For each belief and argument concepts that stand in neither, the most probable first."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What judges the parts of a graph."""

    concepts: Judge
    edges: Judge
    edge_form: str
    places: Judge
    proposer: Proposer

    @property
    def name(self) -> str:
        """What they all are."""
        return ", ".join(one.name for one in (self.concepts, self.edges, self.places, self.proposer))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the parts say of a belief and an argument."""

    concepts: tuple[Candidate, ...]
    """Those of the texts, then those that may be added."""
    words: Floats
    """By head, tail and label: the probability of each relation, and of none, by what the concepts say."""
    places: Floats
    """The same by where they stand."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts. The values did best on topics of train that the parts had not learnt from."""

    concept: float = 1.0
    """The odds that a piece of text is a concept."""
    added: float = 0.25
    """What the best concept of neither text is worth; others by how much less probable they are."""
    words: float = 0.4
    """What the concepts say about whether there is an edge, beside where they stand."""
    relation: float = 1.0
    """How sure the relation is, beside whether there is an edge."""
    places: float = 1.0
    """What the concepts' places say about the relation, beside the concepts."""
    size: float = -0.2
    """What an edge is worth by itself."""


def gather_evidence(
    parts: Parts,
    inputs: Sequence[Argument],
    stances: Sequence[str],
    most: int,
    added: int,
    report: Report = unreported,
) -> list[Evidence | None]:
    """Ask the parts about each belief and argument; None where a text has no two concepts.

    An empty stance is not known yet.
    """
    tagged = parts.concepts.judge([WordItem(str(n), words_to_tag(one)) for n, one in enumerate(inputs)], report)
    proposed = parts.proposer.propose(inputs, report)
    concepts = [
        _concepts(one, verdict, more, most, added)
        for one, verdict, more in zip(inputs, tagged, proposed, strict=True)
    ]
    texts = [tuple(one.text for one in own) for own in concepts]
    named = list(zip(map(str, range(len(texts))), inputs, texts, strict=True))
    words = [all_edge_questions(*one, parts.edge_form) for one in named]
    places = [place_questions(*one, stance) for one, stance in zip(named, stances, strict=True)]
    by_words = _ask_pairs(parts.edges, words, [len(own) for own in texts], report)
    by_places = _ask_pairs(parts.places, places, [len(own) for own in texts], unreported)
    return [
        Evidence(own, *tables) if own else None for own, *tables in zip(concepts, by_words, by_places, strict=True)
    ]


def _concepts(
    inputs: Argument, verdict: Verdict, proposed: Sequence[Candidate], most: int, added: int
) -> tuple[Candidate, ...]:
    own = choose_concepts(candidates(inputs, verdict), inputs, most)
    outside = [one for one in proposed if role(inputs, one.text) == ADDED and is_writable(one.text)]
    return () if own is None else (*own, *outside[:added])


def _ask_pairs(
    judge: Judge, questions: Sequence[Sequence[Item]], sizes: Sequence[int], report: Report
) -> list[Floats]:
    """The probabilities of labels by head and tail, for the questions of each graph."""
    verdicts = iter(judge.judge([item for items in questions for item in items], report))
    tables = []
    for size in sizes:
        table = np.full((size, size, len(EDGE_LABELS)), 1 / len(EDGE_LABELS))
        for pair in permutations(range(size), 2):
            table[pair] = next(verdicts).probabilities
        tables.append(table)
    return tables


def weigh_edges(evidence: Evidence, weights: Weights) -> tuple[EdgeScores, list[float]]:
    """Score every edge and every concept."""
    by_words, by_places = (_factor(table) for table in (evidence.words, evidence.places))
    exists = by_places.odds + weights.words * by_words.odds + weights.size
    sure = np.log(relation_probabilities(evidence, weights))
    likely = max((one.probability for one in evidence.concepts if not one.words), default=1.0)
    worth = [
        float(
            weights.concept * _logit(one.probability)
            if one.words
            else weights.added + log(one.probability / likely)
        )
        for one in evidence.concepts
    ]
    return EdgeScores(exists[:, :, None] + weights.relation * sure, np.zeros_like(exists)), worth


def relation_probabilities(evidence: Evidence, weights: Weights) -> Floats:
    """By head and tail the probability of each relation, if there is an edge."""
    by_words, by_places = (_factor(table).relations for table in (evidence.words, evidence.places))
    raised = np.exp(by_words + weights.places * by_places)
    return np.asarray(raised / raised.sum(axis=2, keepdims=True))


def edge_probabilities(evidence: Evidence, pair: tuple[int, int]) -> tuple[float, float]:
    """The probability of an edge by where concepts stand, and by their words."""
    return float(1 - evidence.places[pair][_NONE]), float(1 - evidence.words[pair][_NONE])


@dataclass(frozen=True, slots=True)
class _Factored:
    """The odds of an edge, and the logarithms of its relations' probabilities if there is one."""

    odds: Floats
    relations: Floats


def _factor(table: Floats) -> _Factored:
    relations = np.log(np.clip(table[:, :, :_NONE], 1e-6, 1))
    whole = np.log(np.exp(relations).sum(axis=2, keepdims=True))
    return _Factored(_logit(1 - table[:, :, _NONE]), relations - whole)


def _logit(probability: Any) -> Any:
    kept = np.clip(probability, _SMALLEST, 1 - _SMALLEST)
    return np.log(kept / (1 - kept))
