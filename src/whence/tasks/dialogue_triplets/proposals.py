"""Spans of a dialogue that triplets may join, and the triplets that may join them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from whence.models.items import Verdict
from whence.structures.dialogue import Dialogue, Span, Triplet, Triplets
from whence.structures.results import Example
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.dialogue_triplets.heads.span_tags import marked_spans, trimmed
from whence.tasks.dialogue_triplets.phrases import holds, phrases
from whence.tasks.wording import plain

FARTHEST = 3
"""Turns between the spans of a triplet, at most: 88 of 100 triplets of fold 1's train join no others."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A span, and whether a model marked it; else it is a clause."""

    span: Span
    marked: bool


def proposed_spans(example: Example[Dialogue, Triplets], marks: Sequence[Verdict]) -> list[Proposed]:
    """The spans that a model marks and the clauses of the turns; of those that read the same the first one."""
    found = [Proposed(span, True) for span in marked_spans(example, [verdict.tags for verdict in marks])]
    found += [Proposed(span, False) for span in clauses(example.inputs)]
    once: dict[str, Proposed] = {}
    for one in found:
        once.setdefault(plain(one.span.text), one)
    return sorted(once.values(), key=lambda one: (one.span.turn or 0, one.span.start or 0))


def clauses(dialogue: Dialogue) -> Iterator[Span]:
    """The clauses of the turns where they stand, without the signs at their ends."""
    for number, turn in enumerate(dialogue.utterances):
        end = 0
        for phrase in phrases(turn.text):
            words = r"\s+".join(map(re.escape, phrase.split()))
            match = re.compile(words).search(turn.text, end)
            if match:
                end = match.end()
                yield from trimmed(turn.text, number, match.start(), match.end())


def joinable(spans: Iterable[Proposed]) -> Iterator[tuple[Proposed, Proposed]]:
    """Pairs in either order of spans that lie near each other, neither of which has the words of the other."""
    for head, tail in permutations(spans, 2):
        one, two = plain(head.span.text), plain(tail.span.text)
        near = abs((head.span.turn or 0) - (tail.span.turn or 0)) <= FARTHEST
        if near and not holds(one, two) and not holds(two, one) and not _overlap(head.span, tail.span):
            yield head, tail


def _overlap(one: Span, two: Span) -> bool:
    if one.turn != two.turn or one.start is None or two.start is None:
        return False
    return one.start < two.start + len(two.text) and two.start < one.start + len(one.text)


def clash(triplet: Triplet, taken: Triplet) -> str:
    """Why a triplet is not taken beside another one; empty if it may be.

    Two spans have one relation between them, whichever way round, and triplets that differ only in how much of the
    text their spans take say the same.
    """
    same = _alike(triplet.head, taken.head) and _alike(triplet.tail, taken.tail)
    crossed = _alike(triplet.head, taken.tail) and _alike(triplet.tail, taken.head)
    if not same and not crossed:
        return ""
    said = f"“{taken.head.text}” {taken.relation} “{taken.tail.text}”"
    symmetric = RELATIONS[triplet.relation].symmetric
    if triplet.relation == taken.relation and (same or symmetric):
        return f"says again that {said}"
    return f"its spans are joined already: {said}"


def _alike(one: Span, two: Span) -> bool:
    first, second = plain(one.text), plain(two.text)
    return holds(first, second) or holds(second, first) or _overlap(one, two)
