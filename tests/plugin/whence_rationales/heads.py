"""What a model can learn: the label of a claim. Its rationale is then the nearest sentence."""

from __future__ import annotations

from collections.abc import Sequence

from whence.models.items import Item, Verdict
from whence.structures.results import Example
from whence.tasks.head import Head, Source
from whence_rationales.data import LABELS, Rationale, Statement
from whence_rationales.overlap import nearest_sentence


def _items(source: Source) -> Sequence[Item]:
    """A question an example: two texts, read together. Claims about one passage are a group."""
    return [
        Item(
            example.id,
            options=(((example.inputs.passage, example.inputs.claim),),),
            gold=LABELS.index(example.golds[0].label) if example.golds else None,
            group=example.inputs.passage,
        )
        for example in source.dataset().examples
    ]


def _answer(example: Example[Statement, Rationale], verdict: Verdict) -> Rationale:
    sentence, _ = nearest_sentence(example.inputs)
    return Rationale(LABELS[verdict.best], sentence)


LABEL = Head(
    name="label",
    title="does the passage support the claim?",
    shape="label",
    items=_items,
    train="samples",
    test="samples",
    labels=LABELS,
    answer=_answer,
)
