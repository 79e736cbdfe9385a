"""A passage and a claim; a label and the sentence that decides it; and their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whence.errors import DataError, quoted
from whence.files import Json, dump_json, read_jsonl
from whence.structures.results import Example, Prediction, Problem
from whence.tasks.dataset import Dataset, Predictions

LABELS = ("supported", "refuted")


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim about a passage."""

    passage: str
    claim: str

    @property
    def sentences(self) -> list[str]:
        """The sentences of the passage."""
        return re.split(r"(?<=[.!?])\s+", self.passage.strip())


@dataclass(frozen=True, slots=True)
class Rationale:
    """Whether the passage bears the claim out, and the sentence that says so."""

    label: str
    text: str


def read(path: Path) -> Dataset[Statement, Rationale]:
    """A row an example: `id`, `passage`, `claim`, and, where they are known, `label` and `rationale`."""
    examples, lines = [], []
    for number, row in read_jsonl(path):
        name, passage, claim = (_text(row, key, path, number) for key in ("id", "passage", "claim"))
        gold = [_text(row, key, path, number) for key in ("label", "rationale") if "label" in row]
        examples.append(Example(name, Statement(passage, claim), (Rationale(*gold),) if gold else ()))
        lines.append(number)
    return Dataset(tuple(examples), tuple(lines))


def write(dataset: Dataset[Statement, Rationale]) -> Iterator[str]:
    """Write the same rows."""
    for example in dataset.examples:
        row = {"id": example.id, "passage": example.inputs.passage, "claim": example.inputs.claim}
        for gold in example.golds[:1]:
            row |= {"label": gold.label, "rationale": gold.text}
        yield dump_json(row)


def read_predictions(path: Path, _: Dataset[Statement, Rationale]) -> Predictions[Rationale]:
    """A row an answer: `id`, `label` and `rationale`. An answer that lacks one has a problem instead."""
    answers, lines = [], []
    for number, row in read_jsonl(path):
        label, text = row.get("label"), row.get("rationale")
        if isinstance(label, str) and isinstance(text, str):
            answer = Prediction(_text(row, "id", path, number), Rationale(label, text))
        else:
            missing = Problem("format", "", "expected the texts 'label' and 'rationale'")
            answer = Prediction(_text(row, "id", path, number), None, dump_json(row), (missing,))
        answers.append(answer)
        lines.append(number)
    return Predictions(tuple(answers), tuple(lines))


def _text(row: dict[str, Json], key: str, path: Path, number: int) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise DataError(path, number, expected=f"the text '{key}'", found=quoted(dump_json(row)))
    return value
