"""Hypotheses whose worth is known: what another person wrote, the same made wrong by rule, random words.

The first reference of a story is the answer, the others are what it is compared with. Stories with only one are
left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from whence.structures.hypothesis import Hypothesis, Observations
from whence.structures.results import Example, Prediction
from whence.tasks.controls import GOLD, PERTURBED, RANDOM, Control, Controls, another, negated, shuffled
from whence.tasks.dataset import AnyDataset

StoryExample = Example[Observations, Hypothesis]


def hypothesis_controls(dataset: AnyDataset, chance: random.Random) -> Sequence[Control]:
    """Right and wrong hypotheses, to be compared with those that other people wrote."""
    examples: Sequence[StoryExample] = [
        example for example in dataset.examples if len({gold.text for gold in example.golds}) > 1
    ]
    known = [gold.text for example in examples for gold in example.golds]
    words = [word for text in known for word in text.split()]

    def other(example: StoryExample) -> str:
        return another(known, [gold.text for gold in example.golds], chance)

    def anything(example: StoryExample) -> str:
        return " ".join(chance.choice(words) for _ in example.golds[0].text.split())

    kinds: tuple[tuple[str, str, Callable[[StoryExample], str]], ...] = (
        (GOLD, "what another person wrote", lambda example: example.golds[0].text),
        (PERTURBED, "a hypothesis of another story", other),
        (PERTURBED, "the hypothesis negated", lambda example: negated(example.golds[0].text, chance)),
        (PERTURBED, "its words in another order", lambda example: shuffled(example.golds[0].text, chance)),
        (RANDOM, "random words", anything),
    )
    rest = replace(
        dataset, examples=tuple(map(_without_first, examples)), lines=tuple(range(1, len(examples) + 1))
    )
    return [
        Control(kind, name, rest, [Prediction(example.id, Hypothesis(text(example))) for example in examples])
        for kind, name, text in kinds
    ]


def _without_first(example: StoryExample) -> StoryExample:
    first = example.golds[0].text
    return replace(example, golds=tuple(gold for gold in example.golds if gold.text != first))


CONTROLS = (Controls("similarity", ("bertscore",), hypothesis_controls),)
