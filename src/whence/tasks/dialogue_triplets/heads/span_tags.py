"""Which words of a dialogue people mark as spans of triplets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whence.models.items import WordItem
from whence.models.measures import chunks
from whence.structures.dialogue import Dialogue, Span, Triplets
from whence.structures.results import Example
from whence.tasks.head import Source

TAGS = ("O", "B", "I")
"""Outside, begins, goes on."""
OUTSIDE, BEGINS, GOES_ON = range(3)
_WORD = re.compile(r"\S+")
Annotated = Example[Dialogue, Triplets]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a turn: where it starts, and the first character behind it."""

    start: int
    end: int


def whitespace_words(text: str) -> tuple[Word, ...]:
    """The words of a turn, with the signs that stand at them."""
    return tuple(Word(*match.span()) for match in _WORD.finditer(text))


def marked_items(source: Source) -> Sequence[WordItem]:
    """One item a turn: which of its words are in a span of some triplet. Turns without words are left out."""
    return [item for example in source.dataset().examples for item in turn_items(example)]


def turn_items(example: Annotated) -> Iterator[WordItem]:
    """The turns of a dialogue; tags are known where triplets are."""
    spans = [span for gold in example.golds[:1] for t in gold.triplets for span in (t.head, t.tail)]
    for number, turn in enumerate(example.inputs.utterances):
        words = whitespace_words(turn.text)
        if words:
            marked = [span for span in spans if span.turn == number]
            tags = _tags(words, marked) if example.golds else None
            texts = tuple(turn.text[word.start : word.end] for word in words)
            yield WordItem(f"{example.id}#{number}", texts, tags, example.id)


def _tags(words: Sequence[Word], spans: Sequence[Span]) -> tuple[int, ...]:
    """Of spans that overlap the longer one counts."""
    tags = [OUTSIDE] * len(words)
    for span in sorted(spans, key=lambda one: -len(one.text)):
        start = span.start or 0
        inside = [n for n, word in enumerate(words) if word.start < start + len(span.text) and start < word.end]
        if inside and not any(tags[n] for n in inside):
            tags[inside[0]] = BEGINS
            for n in inside[1:]:
                tags[n] = GOES_ON
    return tuple(tags)


def marked_spans(example: Annotated, tags: Sequence[Sequence[int]]) -> Iterator[Span]:
    """The spans that tags amount to, turn by turn, without the signs at their ends."""
    numbers = [number for number, turn in enumerate(example.inputs.utterances) if whitespace_words(turn.text)]
    for number, own in zip(numbers, tags, strict=True):
        text = example.inputs.utterances[number].text
        words = whitespace_words(text)
        for first, behind in sorted(chunks(own, TAGS)):
            yield from trimmed(text, number, words[first].start, words[behind - 1].end)


def trimmed(text: str, turn: int, start: int, end: int) -> Iterator[Span]:
    """The span without signs at its ends; none where nothing is left."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    if start < end:
        yield Span(text[start:end], turn, start)
