"""How items become rows of tokens.

A language model sees only what stands before a token, so the options of a choice can share the text that comes
first: it is read once, and each option follows it in the same row, blind to the other options. What the model
makes of an option is what it would make of it alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from whence.models.items import AnyItem, Item, Pair, SpanItem, WordItem
from whence.models.transformer.backbone import Backbone


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens that are read at once."""

    ids: tuple[int, ...]
    types: tuple[int, ...] = ()
    """Which of two texts a token is of, for models that are told."""
    shared: int = 0
    """How many tokens at the start all options share."""
    ends: tuple[int, ...] = ()
    """Behind the last token of each option; of a row without options, its length."""


@dataclass(frozen=True, slots=True)
class Read:
    """An item as rows, and where its answer is."""

    place: int
    """Of the item among those that are read."""
    rows: tuple[Row, ...]
    pairs: tuple[int, ...] = ()
    """For each option of each row: which pair of its option it is."""
    gold: int | None = None
    words: tuple[int, ...] = ()
    """The first token of each word; -1 for words behind the longest input."""
    tags: tuple[int, ...] = ()
    offsets: tuple[tuple[int, int], ...] = ()
    """Of an asked context: the characters of each token; (0, 0) for tokens that are not of the context."""
    span: tuple[int, int] | None = None
    """The first and the last token of the answer."""

    @property
    def length(self) -> int:
        """How many tokens there are."""
        return sum(len(row.ids) for row in self.rows)


class Reader:
    """Turns items into tokens of one backbone."""

    def __init__(self, backbone: Backbone, tokens: int) -> None:
        self._tokenizer = backbone.tokenizer
        self._causal = backbone.is_causal
        self._most = min(tokens, backbone.most_tokens)

    def read(self, items: Sequence[AnyItem]) -> list[Read]:
        """The items in order."""
        return [_READERS[type(item)](self, place, item) for place, item in enumerate(items)]

    def text(self, text: str) -> Row:
        """A text by itself."""
        return self._pair(text, "")

    def _texts(self, place: int, item: AnyItem) -> Read:
        item = cast(Item, item)
        pairs = tuple(number for option in item.options for number in range(len(option)))
        if self._causal:
            return Read(place, self._after_prefix(item), pairs, item.gold)
        rows = tuple(self._pair(*pair) for option in item.options for pair in option)
        return Read(place, rows, pairs, item.gold)

    def _pair(self, first: str, second: str) -> Row:
        texts = (first, second) if first and second else (first or second,)
        found = self._tokenizer(*texts, truncation="longest_first", max_length=self._most)
        ids = tuple(found["input_ids"])
        return Row(ids, tuple(found.get("token_type_ids", ())), 0, (len(ids),))

    def _after_prefix(self, item: Item) -> tuple[Row, ...]:
        pairs = [pair for option in item.options for pair in option]
        if len({first for first, _ in pairs}) == 1 and len(pairs) > 1:
            return (self._shared(pairs),)
        return tuple(self._shared([pair]) for pair in pairs)

    def _shared(self, pairs: Sequence[Pair]) -> Row:
        end = self._tokenizer.eos_token_id
        seconds = [[*self._plain(second), end] for _, second in pairs]
        seconds = [[*ids[: self._most - 1], end] if len(ids) > self._most else ids for ids in seconds]
        first = self._plain(f"{pairs[0][0]}\n") if pairs[0][0] else []
        # The end of what comes first is nearest to the question; the limit is for what an option sees.
        first = first[max(0, len(first) + max(map(len, seconds)) - self._most) :]
        ids, ends = list(first), []
        for second in seconds:
            ids += second
            ends.append(len(ids))
        return Row(tuple(ids), (), len(first), tuple(ends))

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _words(self, place: int, item: AnyItem) -> Read:
        item = cast(WordItem, item)
        found = self._tokenizer(list(item.words), is_split_into_words=True, truncation=True, max_length=self._most)
        first: dict[int, int] = {}
        for token, word in enumerate(found.word_ids()):
            if word is not None:
                first.setdefault(word, token)
        words = tuple(first.get(number, -1) for number in range(len(item.words)))
        return Read(place, (_row(found),), words=words, tags=item.gold or ())

    def _question(self, place: int, item: AnyItem) -> Read:
        item = cast(SpanItem, item)
        question = f"{item.question}\n" if self._causal else item.question
        found = self._tokenizer(
            question, item.context, truncation="only_second", max_length=self._most, return_offsets_mapping=True
        )
        offsets = tuple(
            (int(start), int(end)) if text == 1 else (0, 0)
            for (start, end), text in zip(found["offset_mapping"], found.sequence_ids(), strict=True)
        )
        return Read(place, (_row(found),), offsets=offsets, span=_tokens_of(offsets, item.gold))


def _row(found: Any) -> Row:
    ids = tuple(found["input_ids"])
    return Row(ids, tuple(found.get("token_type_ids", ())), 0, (len(ids),))


def _tokens_of(offsets: Sequence[tuple[int, int]], span: tuple[int, int] | None) -> tuple[int, int] | None:
    """The first and last token with a character of the span; None if it was cut off."""
    if span is None:
        return None
    inside = [place for place, (start, end) in enumerate(offsets) if start < span[1] and end > span[0] and end]
    if not inside or offsets[inside[-1]][1] < span[1]:
        return None
    return inside[0], inside[-1]


_READERS = {Item: Reader._texts, WordItem: Reader._words, SpanItem: Reader._question}
