"""Commonsense that a graph may add: general concepts that fit a belief and an argument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, log
from pathlib import Path

import numpy as np

from whence.files import read_lines
from whence.models.encoder import normalised
from whence.models.vector_cache import CachedEncoder, cached_encoder
from whence.progress import Report, unreported
from whence.structures.graph import Argument, external_concepts
from whence.tasks.argument_graphs.concepts import Candidate, is_writable
from whence.tasks.argument_graphs.heads.concept_roles import ADDED, role
from whence.tasks.argument_graphs.heads.texts import ArgumentExample, lowered

_GENERAL = Path(__file__).parent / "external_concepts.txt"
_PROPOSED = 5
_SEEN = 2  # a concept of one graph alone belongs to its topic
_FAMILIAR = 0.02  # what a doubling of a concept's uses counts for, beside cosines, times log 2
_SHARPNESS = 10.0
_SHORT = 4  # letters of words that mean little by themselves


def general_concepts() -> dict[str, int]:
    """Our own list of concepts that arguments turn on, each with one use."""
    return {concept: 1 for _, concept in read_lines(_GENERAL) if concept}


def added_concepts(examples: Sequence[ArgumentExample]) -> dict[str, int]:
    """The concepts that several gold graphs add, with how many do."""
    found = Counter(
        concept
        for example in examples
        for gold in example.golds[:1]
        for concept in external_concepts(lowered(gold.graph), example.inputs)
    )
    return {concept: count for concept, count in found.items() if count >= _SEEN and is_writable(concept)}


class SimilarConcepts:
    """Proposes the concepts of a list that are most like belief and argument together, familiar ones rather."""

    def __init__(self, concepts: Mapping[str, int], encoder: CachedEncoder | None = None) -> None:
        self._encoder = encoder or cached_encoder()
        self._concepts = tuple(concepts)
        self._familiar = np.array([_FAMILIAR * log(uses) for uses in concepts.values()])
        self.name = f"{len(concepts)} concepts by {self._encoder.name}"

    def propose(self, inputs: Sequence[Argument], report: Report = unreported) -> list[list[Candidate]]:
        """Concepts of neither text that share no longer word with them, the most like first."""
        texts = [f"{one.belief} {one.argument}".lower() for one in inputs]
        theirs = normalised(self._encoder.sentences(texts, report))
        ours = normalised(self._encoder.sentences(list(self._concepts), report))
        found = theirs @ ours.T + self._familiar
        return [self._best(one, text, row) for one, text, row in zip(inputs, texts, found, strict=True)]

    def _best(self, inputs: Argument, text: str, likeness: np.ndarray) -> list[Candidate]:
        known = {word for word in text.replace(".", " ").split() if len(word) >= _SHORT}
        best: list[Candidate] = []
        for place in np.argsort(-likeness, kind="stable").tolist():
            concept = self._concepts[place]
            if role(inputs, concept) == ADDED and known.isdisjoint(concept.split()):
                best.append(Candidate(concept, exp(_SHARPNESS * (float(likeness[place]) - 1))))
            if len(best) == _PROPOSED:
                break
        return best
