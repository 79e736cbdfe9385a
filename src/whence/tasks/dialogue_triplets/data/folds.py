"""The five folds of the span and the relation task.

Not every released file of theirs is to be had everywhere, but fold 1 of the span task holds all questions, and
the dialogues hold all triplets. What was left out of them on the way to the released files is known from there.
"""

from __future__ import annotations

import re
from pathlib import Path

from whence.formats.dialogues import context_of
from whence.structures.dialogue import Answer, SpanPair, SpanQuestion
from whence.structures.results import Example, Label
from whence.tasks.dataset import Dataset, Notes, Split
from whence.tasks.dialogue_triplets.data.files import fold_split, read, read_span, triplet_id
from whence.tasks.dialogue_triplets.data.relations import RELATIONS

PARTS = ("train", "test")


def test_of_fold(learnt: str) -> tuple[str, ...]:
    """What a model is evaluated on that learns from a part of a fold: the test part of it; else, of every fold."""
    number = re.match(r"fold([1-5])-", learnt)
    return tuple(f"fold{fold}-test" for fold in ([number[1]] if number else range(1, 6)))


def read_questions(path: Path) -> Dataset[SpanQuestion, Answer]:
    """The questions of both parts of a fold, train first: of its file and of the one beside it."""
    fold = path.name.partition("_")[0]
    both = [read_span(path.with_name(f"{fold}_{part}.json")) for part in PARTS]
    return Dataset(
        tuple(example for dataset in both for example in dataset.examples),
        tuple(line for dataset in both for line in dataset.lines),
        tuple(note for dataset in both for note in dataset.notes),
    )


def read_pairs(path: Path) -> Dataset[SpanPair, Label]:
    """The spans of every triplet as they stand in the dialogue, and their relation.

    As in the released files a triplet that a dialogue states twice is there once, and the triplets whose relation
    is none of the paper's are not there; both are counted.
    """
    dialogues, notes = read(path), Notes()
    examples: list[Example[SpanPair, Label]] = []
    lines: list[int] = []
    for dialogue, line in zip(dialogues.examples, dialogues.lines, strict=True):
        context, known = context_of(dialogue.inputs), set()
        for number, triplet in enumerate(dialogue.golds[0].triplets, 1):
            pair = SpanPair(context, triplet.head.text, triplet.tail.text)
            if triplet.relation not in RELATIONS:
                notes.add("left out", "triplets left out: their relation is none of the paper's")
            elif (pair, triplet.relation) in known:
                notes.add("left out", "triplets left out: the dialogue has stated them before")
            else:
                known.add((pair, triplet.relation))
                examples.append(Example(triplet_id(dialogue.id, number), pair, (Label(triplet.relation),)))
                lines.append(line)
    return Dataset(tuple(examples), tuple(lines), (*dialogues.notes, *notes.all()))


SPAN_SPLITS = {
    **{f"fold1-{part}": Split(f"cider/span/fold1_{part}.json") for part in PARTS},
    **{
        f"fold{fold}-{part}": fold_split(fold, part, "cider/span/fold1_train.json", read_questions)
        for fold in range(2, 6)
        for part in PARTS
    },
}
RELATION_SPLITS = {
    **{f"fold{fold}-{part}": fold_split(fold, part, read=read_pairs) for fold in range(1, 6) for part in PARTS},
    # The released file has lemmas for spans; what is learnt from spans should be asked with spans.
    "fold1-test-lemmas": Split("cider/relation/fold1_test_lemma.csv"),
}
