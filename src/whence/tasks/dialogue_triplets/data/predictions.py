"""Systems' answers on CIDER and its sub-tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whence.structures.dialogue import Answer, Dialogue, Triplets
from whence.structures.results import Label, Prediction
from whence.tasks.answers import label_among, read_answers_by_id_or_line
from whence.tasks.dataset import AnyDataset, Dataset, Note, Predictions
from whence.tasks.dialogue_triplets.data.files import ENTAILED, NOT_ENTAILED, read
from whence.tasks.dialogue_triplets.data.relations import BY_LABEL, RELATIONS


def read_triplets(path: Path, gold: Dataset[Dialogue, Triplets]) -> Predictions[Triplets]:
    """A file like `cider_main.json`, its dialogues found by id."""
    answers = read(path)
    known = {example.id for example in gold.examples}
    kept = [
        (Prediction(example.id, example.golds[0]), line)
        for example, line in zip(answers.examples, answers.lines, strict=True)
        if example.id in known
    ]
    unknown = len(answers.examples) - len(kept)
    note = (Note("unknown id", unknown, "answers to dialogues that are not in the gold file, left out"),)
    return Predictions(
        tuple(prediction for prediction, _ in kept),
        tuple(line for _, line in kept),
        answers.notes + (note if unknown else ()),
    )


def read_nli(path: Path, gold: AnyDataset) -> Predictions[Label]:
    """`entailed` or `not entailed`."""
    return read_answers_by_id_or_line(path, gold, label_among((ENTAILED, NOT_ENTAILED)))


def read_span(path: Path, gold: AnyDataset) -> Predictions[Answer]:
    """SQuAD's form: texts by id."""
    return read_answers_by_id_or_line(path, gold, Answer)


def read_choice(path: Path, gold: AnyDataset) -> Predictions[Label]:
    """The number of an ending, from 0."""
    most = max((len(example.inputs.options) for example in gold.examples), default=0)
    return read_answers_by_id_or_line(path, gold, label_among([str(number) for number in range(most)]))


def read_relation(path: Path, gold: AnyDataset) -> Predictions[Label]:
    """A relation, under the paper's name or the released label."""
    parse = label_among((*RELATIONS, *BY_LABEL))

    def under_name_of_paper(text: str) -> Label:
        label: Any = parse(text)
        return Label(BY_LABEL.get(label.name, label.name))

    return read_answers_by_id_or_line(path, gold, under_name_of_paper)
