"""Which pieces of a belief and an argument may be concepts of their graph, and how probable that is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from whence.models.items import Verdict
from whence.structures.graph import Argument
from whence.tasks.argument_graphs.heads.concept_tags import CONCEPT_TAGS, treebank_words

LONGEST = 3
"""Words of a concept (sec. 3)."""
LEAST_OF_TEXT = 2
"""Concepts that a graph has of the belief, and of the argument (sec. 3)."""
_BEGINS, _CONTINUES = CONCEPT_TAGS.index("B-N"), CONCEPT_TAGS.index("I-N")
_WRITABLE = re.compile(r"[^\s;()]+(?: [^\s;()]+){0,2}")
"""One to three words with single blanks, without what ends a concept in a linearised graph."""
MARKS = ".,:!?\"'"
"""What a piece of a text neither begins nor ends with."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece of the texts, in lower case, and how probably it is a concept."""

    text: str
    probability: float
    words: frozenset[tuple[int, int]] = frozenset()
    """Where it stands: texts and words, by their numbers. None: in neither text."""

    def overlaps(self, other: Candidate) -> bool:
        """Whether they share words somewhere."""
        return not self.words.isdisjoint(other.words)


def is_writable(concept: str) -> bool:
    """Whether it can stand in a graph: one to three words, without what divides the parts of one."""
    return _WRITABLE.fullmatch(concept) is not None and any(letter.isalnum() for letter in concept)


def candidates(inputs: Argument, verdict: Verdict) -> list[Candidate]:
    """Every piece that could be a concept, the most probable first."""
    by_text: dict[str, Candidate] = {}
    start = 0
    for number, text in enumerate((inputs.belief.lower(), inputs.argument.lower())):
        count = len(treebank_words(text))
        tags = _tag_probabilities(verdict, start, count)
        start += count
        for concept, first, behind in pieces(text):
            known = by_text.get(concept, Candidate(concept, 0.0))
            either = 1 - (1 - known.probability) * (1 - _probability(tags, first, behind))
            own = frozenset((number, word) for word in range(first, behind))
            by_text[concept] = Candidate(concept, either, known.words | own)
    return sorted(by_text.values(), key=lambda one: -one.probability)


def choose_concepts(ranked: Sequence[Candidate], inputs: Argument, most: int) -> list[Candidate] | None:
    """Take the most probable candidates that do not overlap, then what each text still needs.

    None if a text has too few.
    """
    taken: list[Candidate] = []
    for one in ranked:
        if len(taken) < most and not any(one.overlaps(other) for other in taken):
            taken.append(one)
    for text in (inputs.belief.lower(), inputs.argument.lower()):
        for may_overlap in (False, True):
            for one in ranked:
                if sum(other.text in text for other in taken) >= LEAST_OF_TEXT:
                    break
                apart = may_overlap or not any(one.overlaps(other) for other in taken)
                if one not in taken and one.text in text and apart:
                    taken.append(one)
        if sum(other.text in text for other in taken) < LEAST_OF_TEXT:
            return None
    return taken


def pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """Runs of one to three whole words of a lower-case text that can be concepts: the first word, the one behind.

    `can't` is two words for taggers; neither is a piece, both together are.
    """
    offsets = word_offsets(text)
    for first in range(len(offsets)):
        for behind in range(first + 1, min(first + LONGEST, len(offsets)) + 1):
            start, end = offsets[first][0], offsets[behind - 1][1]
            piece = text[start:end]
            around = text[max(start - 1, 0) : start] + text[end : end + 1]
            if is_writable(piece) and piece == piece.strip(MARKS) and not any(map(str.isalnum, around)):
                yield piece, first, behind


def word_offsets(text: str) -> list[tuple[int, int]]:
    """Where each word, as taggers see them, begins and ends in a text of lower case."""
    offsets, end = [], 0
    for word in treebank_words(text):
        start = text.index(word, end)
        end = start + len(word)
        offsets.append((start, end))
    return offsets


def _tag_probabilities(verdict: Verdict, start: int, count: int) -> Sequence[Sequence[float]]:
    """The probability of each tag for each word; a model that gives none is sure of its tags."""
    if verdict.chances:
        return verdict.chances[start : start + count]
    tags = verdict.tags[start : start + count]
    return [[float(tag == own) for own in range(len(CONCEPT_TAGS))] for tag in tags]


def _probability(probabilities: Sequence[Sequence[float]], first: int, behind: int) -> float:
    """That the first word begins a concept, and that the others and no more continue it."""
    inside = prod(probabilities[word][_CONTINUES] for word in range(first + 1, behind))
    ends = 1 - probabilities[behind][_CONTINUES] if behind < len(probabilities) else 1.0
    return probabilities[first][_BEGINS] * inside * ends
