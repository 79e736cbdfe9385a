"""The part of a dialogue that is about given spans: dialogues are long, and models pay for every word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

_SENTENCE = re.compile(r"\S.*?(?:[.?!]+['\"’”)]*(?=\s|$)|$)", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")
_STEM = 4
"""Letters by which words are held to be forms of one word: `changing` and `change`, but not `kept` and `keep`."""
_SHORTEST = 3
"""Words with fewer letters do not tell where a span is."""

Piece = tuple[int, int]
"""Where a part of the context starts, and the first character behind it."""


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces of a context in their order, with a blank between two."""

    context: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """What is read."""
        return " ".join(self.context[start:end] for start, end in self.pieces)

    def outside(self, place: int) -> int | None:
        """Where a character of the text stands in the context; None for the blank between two pieces."""
        for start, end in self.pieces:
            if place < end - start:
                return start + place
            place -= end - start
            if place == 0:
                return None
            place -= 1
        return None

    def inside(self, start: int, end: int) -> Piece | None:
        """Where a part of the context stands in the text; None unless one piece has the whole of it."""
        offset = 0
        for first, last in self.pieces:
            if first <= start <= end <= last:
                return start - first + offset, end - first + offset
            offset += last - first + 1
        return None


def whole(context: str) -> Window:
    """All of it."""
    return Window(context, ((0, len(context)),))


def around(context: str, spans: Sequence[str], words: int, *, with_end: bool = False) -> Window:
    """The sentences that hold the spans and those nearest to them, up to so many words.

    Of several places of a span those nearest to the other spans count. A span that does not stand there verbatim
    is where most of its words are. The sentences of the spans are there even if they have more words. `with_end`
    adds what follows the last sentence: there the files of the span task put the spans that nobody said.
    """
    sentences = _sentences(context)
    if not sentences:
        return whole(context)
    end = {len(sentences) - 1} if with_end and context[sentences[-1][1] - 1] not in ".?!'\"’”)" else set()
    candidates = [found for span in spans if (found := _places(context, sentences, span, frozenset(end)))]
    centre = _nearest(candidates) if candidates else {0}
    kept = centre | end
    left = words - sum(_words(context, sentences[number]) for number in kept)
    # What follows a span is nearer to it than what precedes it: answers come after what they answer.
    rest = [number for number in range(len(sentences)) if number not in kept]
    for number in sorted(rest, key=lambda n: (min(abs(n - c) for c in centre), n < min(centre), n)):
        left -= _words(context, sentences[number])
        if left < 0:
            break
        kept.add(number)
    return Window(context, _joined([sentences[number] for number in sorted(kept)], context))


@lru_cache(maxsize=1024)
def _sentences(context: str) -> tuple[Piece, ...]:
    return tuple(match.span() for match in _SENTENCE.finditer(context))


def _places(context: str, sentences: Sequence[Piece], span: str, end: frozenset[int]) -> list[int]:
    """The sentences that a span is in, or those that share most words with it."""
    folded, wanted = context.lower(), span.strip().lower()
    # Lower case may have another length (İ); then positions would be wrong, and words decide.
    if wanted and len(folded) == len(context):
        found = {
            number
            for place in _occurrences(folded, wanted)
            for number, (start, last) in enumerate(sentences)
            if start < place + len(wanted) and place < last
        }
        if found - end:
            return sorted(found - end)
    stems = _stems(span)
    shared = [len(stems & _stems(context[start:last])) for start, last in sentences]
    most = max((count for number, count in enumerate(shared) if number not in end), default=0)
    return [number for number, count in enumerate(shared) if most and count == most and number not in end]


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    """Where whole words stand: no letter or figure before them or behind them."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            yield start
        start = text.find(wanted, start + 1)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()) if len(word) >= _SHORTEST)


def _nearest(candidates: Sequence[Sequence[int]]) -> set[int]:
    """One sentence for each span, those that lie closest together; of equally close ones the first."""
    choices: list[tuple[int, ...]] = list(product(*candidates))
    return set(min(choices, key=lambda numbers: (max(numbers) - min(numbers), numbers)))


def _words(context: str, piece: Piece) -> int:
    return len(context[slice(*piece)].split())


def _joined(pieces: Sequence[Piece], context: str) -> tuple[Piece, ...]:
    """Neighbouring sentences as one piece, so that what stands between them stays."""
    joined: list[Piece] = []
    for start, end in pieces:
        if joined and not context[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)
