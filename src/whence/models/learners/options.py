"""Options as the kinds of model read them that know words, but no pairs: as their texts in order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from whence.errors import UsageError
from whence.models.items import AnyItem, Item, Pair


def texts_of(option: Sequence[Pair]) -> tuple[str, ...]:
    """The texts of an option in order. Where a pair begins with the text that the last one ended with, once.

    So the chain (first, middle), (middle, last) is the three texts of a story, and any other pair is two.
    """
    texts: list[str] = []
    for number, (first, second) in enumerate(option):
        if not (number and first == option[number - 1][1]):
            texts.append(first)
        texts.append(second)
    return tuple(texts)


def as_items(items: Sequence[AnyItem]) -> list[Item]:
    """The items, each of them texts to be labelled or options to choose from."""
    for item in items:
        if not isinstance(item, Item):
            raise UsageError(f"{item.id}: words or spans, where texts were expected")
    return [item for item in items if isinstance(item, Item)]


def texts_a_option(items: Sequence[Item]) -> int:
    """How many texts every option has."""
    counts = {len(texts_of(option)) for item in items for option in item.options}
    if len(counts) != 1:
        shown = " and ".join(str(count) for count in sorted(counts)) or "no"
        raise UsageError(f"there are options of {shown} texts; this kind of model needs equally many everywhere")
    return counts.pop()


def softmax(scores: Sequence[float]) -> tuple[float, ...]:
    """Scores as probabilities."""
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    return tuple(power / sum(powers) for power in powers)
