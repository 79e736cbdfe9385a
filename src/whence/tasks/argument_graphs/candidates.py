"""Which pieces of a belief and an argument may be concepts of their graph, and how probable that is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from whence.models.items import Verdict
from whence.structures.graph import Argument
from whence.tasks.argument_graphs.concept_tags import CONCEPT_TAGS, words_of

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
    places: tuple[tuple[int, int, int], ...] = ()
    """Where it stands: the text, the first word, and the word behind the last."""

    def overlaps(self, other: Candidate) -> bool:
        """Whether they share words somewhere."""
        return any(
            text == own and start < behind and begin < end
            for text, start, end in self.places
            for own, begin, behind in other.places
        )


def is_writable(concept: str) -> bool:
    """Whether it can stand in a graph: one to three words, without what divides the parts of one."""
    return _WRITABLE.fullmatch(concept) is not None and any(letter.isalnum() for letter in concept)


def candidates(inputs: Argument, verdict: Verdict) -> list[Candidate]:
    """Every piece that could be a concept, the most probable first."""
    found: dict[str, Candidate] = {}
    start = 0
    for number, text in enumerate((inputs.belief.lower(), inputs.argument.lower())):
        offsets = word_offsets(text)
        chances = _chances(verdict, start, len(offsets))
        start += len(offsets)
        for first, behind, probability in _pieces(chances):
            concept = text[offsets[first][0] : offsets[behind - 1][1]]
            if is_writable(concept) and concept == concept.strip(MARKS):
                known = found.get(concept, Candidate(concept, 0.0))
                either = 1 - (1 - known.probability) * (1 - probability)
                found[concept] = Candidate(concept, either, (*known.places, (number, first, behind)))
    return sorted(found.values(), key=lambda one: -one.probability)


def chosen(found: Sequence[Candidate], inputs: Argument, most: int) -> list[Candidate] | None:
    """The most probable candidates that do not overlap, and what else each text needs; None: it has none."""
    taken: list[Candidate] = []
    for one in found:
        if len(taken) < most and not any(one.overlaps(other) for other in taken):
            taken.append(one)
    for text in (inputs.belief.lower(), inputs.argument.lower()):
        for may_overlap in (False, True):
            for one in found:
                if sum(other.text in text for other in taken) >= LEAST_OF_TEXT:
                    break
                apart = may_overlap or not any(one.overlaps(other) for other in taken)
                if one not in taken and one.text in text and apart:
                    taken.append(one)
        if sum(other.text in text for other in taken) < LEAST_OF_TEXT:
            return None
    return taken


def word_offsets(text: str) -> list[tuple[int, int]]:
    """Where each word, as taggers see them, begins and ends in a text of lower case."""
    found, place = [], 0
    for word in words_of(text):
        begin = text.index(word, place)
        place = begin + len(word)
        found.append((begin, place))
    return found


def _chances(verdict: Verdict, start: int, count: int) -> Sequence[Sequence[float]]:
    """Of each word the probability of each tag; where the model does not tell, its tag is sure."""
    if verdict.chances:
        return verdict.chances[start : start + count]
    tags = verdict.tags[start : start + count]
    return [[float(tag == own) for own in range(len(CONCEPT_TAGS))] for tag in tags]


def _pieces(chances: Sequence[Sequence[float]]) -> Iterator[tuple[int, int, float]]:
    """Runs of words, with the probability that the first begins a concept, the others and no more continue it."""
    for first in range(len(chances)):
        for behind in range(first + 1, min(first + LONGEST, len(chances)) + 1):
            inside = prod(chances[word][_CONTINUES] for word in range(first + 1, behind))
            ends = 1 - chances[behind][_CONTINUES] if behind < len(chances) else 1.0
            yield first, behind, chances[first][_BEGINS] * inside * ends
