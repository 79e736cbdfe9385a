"""Words and tokens in context as vectors: for tags and spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from whence.errors import UsageError
from whence.models.encoder import normalised
from whence.models.items import AnyItem, FoundSpan, SpanItem, Verdict, WordItem
from whence.models.learners.logistic_network import Questions, Reading
from whence.models.training.numpy_trainer import Floats, Ints
from whence.models.vector_cache import CachedEncoder, Offsets
from whence.progress import Report

SPANS = 5
"""How many spans of a context are told."""
LONGEST = 30
"""The most tokens of a span. In CIDER the longest has 21 words, and 99 of 100 have ten at most."""

_AROUND = (2, 5, 12)  # tokens to both sides


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: where they are, and where their vectors begin among those of all texts."""

    offsets: Offsets
    start: int


def read_words(items: Sequence[AnyItem], encoder: CachedEncoder, report: Report) -> Reading:
    """One question a word: its first token's vector in context, beside those of the words around it."""
    asked = [item for item in items if isinstance(item, WordItem)]
    _require_all(items, asked, "words to be tagged")
    texts = [" ".join(item.words) for item in asked]
    vectors, tokens = token_vectors(texts, encoder, report)
    here: list[int] = []
    before: list[int] = []
    behind: list[int] = []
    for item, text in zip(asked, texts, strict=True):
        own = _first_tokens(item.words, tokens[text])
        here += own
        before += [-1, *own[:-1]]
        behind += [*own[1:], -1]
    around = [np.array(numbers, dtype=np.int64) for numbers in (here, before, behind)]

    def rows(chosen: Ints) -> tuple[Floats, Floats]:
        own, left, right = (vectors[numbers[chosen]] for numbers in around)
        return own, np.hstack([left, right])

    def verdicts(scores: Floats) -> Iterator[Verdict]:
        chances = questions.probabilities(scores).tolist() if len(scores) else []
        best = scores.argmax(axis=1).tolist()
        end = 0
        for item in asked:
            own = slice(end, end + len(item.words))
            end = own.stop
            yield Verdict(item.id, tags=tuple(best[own]), chances=tuple(map(tuple, chances[own])))

    gold = [tag for item in asked for tag in (item.gold or (0,) * len(item.words))]
    one = np.ones(len(here), dtype=np.int64)
    questions = Questions(one, one, np.array(gold, dtype=np.int64), classes=True)
    return Reading(rows, questions, verdicts)


def read_spans(items: Sequence[AnyItem], encoder: CachedEncoder, report: Report) -> Reading:
    """One option a token of the context: its vector, its neighbours' and how near words of the question are,
    beside the vector of the question.

    The two columns of scores are for the token where the answer starts and for the one where it ends.
    """
    asked = [item for item in items if isinstance(item, SpanItem)]
    _require_all(items, asked, "questions of a context")
    vectors, tokens = token_vectors([item.context for item in asked], encoder, report)
    questions = encoder.sentences([item.question for item in asked], report)
    likeness = _likeness(asked, vectors, tokens, encoder, report)
    sizes = np.array([len(tokens[item.context].offsets) for item in asked], dtype=np.int64)
    starts = np.array([tokens[item.context].start for item in asked], dtype=np.int64)
    owner = np.repeat(np.arange(len(asked)), sizes)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)

    def rows(chosen: Ints) -> tuple[Floats, Floats]:
        item, place = owner[chosen], within[chosen]
        here = starts[item] + place
        left = np.where(place > 0, here - 1, -1)
        right = np.where(place < sizes[item] - 1, here + 1, -1)
        return np.hstack([vectors[left], vectors[here], vectors[right], likeness[chosen]]), questions[item]

    gold = [_gold_tokens(item, tokens[item.context].offsets) for item in asked if tokens[item.context].offsets]
    structure = Questions(
        rows=np.ones(len(owner), dtype=np.int64),
        options=sizes[sizes > 0],
        gold=np.array(gold, dtype=np.int64).reshape(-1, 2),
        classes=False,
    )

    def verdicts(scores: Floats) -> Iterator[Verdict]:
        found = structure.probabilities(scores) if len(structure) else scores
        end = 0
        for item, size in zip(asked, sizes.tolist(), strict=True):
            end += size
            offsets = tokens[item.context].offsets
            yield Verdict(item.id, spans=best_spans(item.context, offsets, found[end - size : end]))

    return Reading(rows, structure, verdicts)


def _likeness(
    asked: Sequence[SpanItem],
    vectors: Floats,
    tokens: dict[str, Tokens],
    encoder: CachedEncoder,
    report: Report,
) -> Floats:
    """How like each token of the context is to the most similar one of the question; then the same around it."""
    theirs, places = token_vectors([item.question for item in asked], encoder, report)
    ours, theirs = normalised(vectors), normalised(theirs)
    found = [np.zeros((0, 1 + 2 * len(_AROUND)), dtype=np.float32)]
    for item in asked:
        here, there = tokens[item.context], places[item.question]
        own = ours[here.start : here.start + len(here.offsets)]
        other = theirs[there.start : there.start + len(there.offsets)]
        if len(own):
            closest = (own @ other.T).max(axis=1) if len(other) else np.zeros(len(own), dtype=np.float32)
            found.append(np.stack([closest, *_around(closest)], axis=1))
    return np.concatenate(found)


def _around(values: Floats) -> Iterator[Floats]:
    """The mean and the highest of the values so many places to both sides."""
    for reach in _AROUND:
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, reach), 2 * reach + 1)
        yield windows.mean(axis=1)
        yield windows.max(axis=1)


def best_spans(context: str, offsets: Offsets, probabilities: Floats) -> tuple[FoundSpan, ...]:
    """The most probable spans that break no word; start and end are taken to be independent."""
    if not offsets:
        return ()
    starts, ends = (np.array(edge, dtype=bool) for edge in _edges(context, offsets))
    products = np.outer(probabilities[:, 0] * starts, probabilities[:, 1] * ends)
    products = np.triu(products) - np.triu(products, LONGEST)
    order = np.argsort(-products, axis=None, kind="stable")[:SPANS]
    found: list[FoundSpan] = []
    for place in order.tolist():
        first, last = divmod(place, len(offsets))
        if products[first, last] > 0:
            start, end = offsets[first][0], offsets[last][1]
            found.append(FoundSpan(start, end, context[start:end], float(products[first, last])))
    return tuple(found)


def token_vectors(
    texts: Sequence[str], encoder: CachedEncoder, report: Report
) -> tuple[Floats, dict[str, Tokens]]:
    """All vectors of all texts, with a row of zeros at the end, and where each text's tokens are.

    A text that is too long for the encoder is read in pieces, cut between words.
    """
    different = list(dict.fromkeys(texts))
    whole = zip(different, encoder.offsets(different), strict=True)
    pieces = {text: _pieces(text, offsets, encoder) for text, offsets in whole}
    flat = [text[start:end] for text, spans in pieces.items() for start, end in spans]
    matrices = iter(zip(encoder.tokens(flat, report), encoder.offsets(flat), strict=True))
    parts: list[Floats] = []
    found: dict[str, Tokens] = {}
    total = 0
    for text, spans in pieces.items():
        offsets: Offsets = []
        for start, _ in spans:
            matrix, local = next(matrices)
            local = local[: len(matrix) - 2]
            parts.append(matrix[1 : 1 + len(local)])
            offsets += [(start + first, start + last) for first, last in local]
        found[text] = Tokens(offsets, total)
        total += len(offsets)
    parts.append(np.zeros((1, encoder.width), dtype=np.float32))
    return np.concatenate(parts), found


def _pieces(text: str, offsets: Offsets, encoder: CachedEncoder) -> list[tuple[int, int]]:
    """Where to cut a text so that the encoder sees all of it."""
    room = len(encoder.encoder.ids([text])[0]) - 2  # without the frame
    if len(offsets) <= room:
        return [(0, len(text))]
    found: list[tuple[int, int]] = []
    first = 0
    while len(offsets) - first > room:
        cut = first + room
        while cut > first + 1 and offsets[cut][0] == offsets[cut - 1][1]:
            cut -= 1
        if cut == first + 1:  # no gap anywhere
            cut = first + room
        found.append((offsets[first][0], offsets[cut - 1][1]))
        first = cut
    return [*found, (offsets[first][0], len(text))]


def _first_tokens(words: Sequence[str], tokens: Tokens) -> list[int]:
    """The row of each word's first token; -1, the row of zeros, for a word that has none."""
    begins = [start for start, _ in tokens.offsets]
    found: list[int] = []
    place = 0
    for word in words:
        token = bisect_left(begins, place)
        here = token < len(begins) and begins[token] < place + len(word)
        found.append(tokens.start + token if here else -1)
        place += len(word) + 1
    return found


def _gold_tokens(item: SpanItem, offsets: Offsets) -> tuple[int, int]:
    """The tokens in which the answer starts and ends."""
    start, end = item.gold or (0, 0)
    first = max(bisect_right([begin for begin, _ in offsets], start) - 1, 0)
    last = min(bisect_left([behind for _, behind in offsets], end), len(offsets) - 1)
    return first, max(first, last)


def _edges(context: str, offsets: Offsets) -> tuple[list[bool], list[bool]]:
    """Which tokens may start a span and which may end one: not those in the middle of a word."""
    joined = [
        behind == begin and behind > 0 and context[behind - 1].isalnum() and context[begin : begin + 1].isalnum()
        for (_, behind), (begin, _) in pairwise(offsets)
    ]
    return [True, *(not one for one in joined)], [*(not one for one in joined), True]


def _require_all(items: Sequence[AnyItem], found: Sequence[AnyItem], what: str) -> None:
    if len(found) < len(items):
        raise UsageError(f"{len(items) - len(found)} of {len(items)} items are not {what}")
