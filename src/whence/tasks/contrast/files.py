"""Contrasts in files: rows of premises, a conclusion, a label and a kind; and the sets that are published."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from whence.errors import DataError, quoted
from whence.files import Json, dump_json, read_json, read_jsonl
from whence.models.verifier.entailment import Inference
from whence.structures.results import Example, Label
from whence.structures.verdict import LABELS
from whence.tasks.answers import label_among, read_answers_by_id_or_line
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.dataset import AnyDataset, Dataset, Predictions, Split

FOLDER = Path(__file__).parent / "data"
STEPS, STEPS_SEED = 600, 2026
"""How many contrasts of EntailmentBank's steps a set has, and the seed that chooses them."""

Contrasts = Dataset[Inference, Label]


def read(path: Path) -> Contrasts:
    """A row an example: `premises`, `conclusion`; where they are known `label`, `kind`, `family` and `id`."""
    examples, lines = [], []
    for number, row in read_jsonl(path):
        inputs = Inference(_premises(row, path, number), _text(row, "conclusion", path, number))
        label = _text(row, "label", path, number) if "label" in row else ""
        if label and label not in LABELS:
            raise DataError(path, number, expected=f"one of {', '.join(LABELS)}", found=quoted(label))
        name = _text(row, "id", path, number) if "id" in row else f"{path.stem}-{number}"
        meta: dict[str, Json] = {key: row[key] for key in ("kind", "family") if key in row}
        examples.append(Example(name, inputs, (Label(label),) if label else (), meta))
        lines.append(number)
    return Dataset(tuple(examples), tuple(lines))


def write(dataset: Contrasts) -> Iterator[str]:
    """Write the same rows."""
    for example in dataset.examples:
        row: dict[str, Json] = {
            "id": example.id,
            "premises": list(example.inputs.premises),
            "conclusion": example.inputs.conclusion,
        }
        if example.golds:
            row["label"] = example.golds[0].name
        yield dump_json(row | {key: example.meta[key] for key in ("kind", "family") if key in example.meta})


def read_predictions(path: Path, gold: AnyDataset) -> Predictions[Label]:
    """Labels by id, or one a line."""
    return read_answers_by_id_or_line(path, gold, label_among(LABELS))


def read_families(path: Path) -> Contrasts:
    """The contrasts that templates make; the file says how many, and from which seed."""
    from whence.tasks.contrast.mixing import family_set

    settings = read_json(path)
    try:
        count, seed = int(settings["count"]), int(settings["seed"])
    except (KeyError, TypeError, ValueError):
        raise DataError(path, expected="the numbers 'count' and 'seed'", found=quoted(str(settings))) from None
    return dataset_of(family_set(count, seed), "families")


def read_steps(path: Path) -> Contrasts:
    """Contrasts of the steps of a file of EntailmentBank, a third of each label."""
    from whence.tasks.contrast.given import balance, change, given_steps

    contrasts, _ = change(given_steps(path), (), STEPS_SEED)
    chance = random.Random(STEPS_SEED)
    chosen = balance(contrasts, STEPS, chance)
    chance.shuffle(chosen)
    return dataset_of(chosen, f"steps-{path.stem}")


def dataset_of(contrasts: Sequence[Contrast], name: str) -> Contrasts:
    """Contrasts as examples, numbered under a name."""
    return Dataset(
        tuple(
            Example(
                f"{name}-{number}",
                Inference(one.premises, one.conclusion),
                (Label(one.label),),
                {"kind": one.kind, "family": one.family},
            )
            for number, one in enumerate(contrasts, 1)
        ),
        tuple(range(1, len(contrasts) + 1)),
    )


SPLITS = {
    "trial": Split(str(FOLDER / "claims.jsonl"), is_bundled=True),
    "development": Split(str(FOLDER / "development.jsonl"), is_bundled=True),
    "families": Split(str(FOLDER / "families.json"), read=read_families, is_bundled=True),
    **{
        f"steps-{part}": Split(f"entailmentbank/task_1/{part}.jsonl", read=read_steps, source="entailmentbank")
        for part in ("dev", "test")
    },
}
"""`trial` and `development` are written by hand, `families` are made by template, `steps` from gold steps."""


def _text(row: dict[str, Json], key: str, path: Path, number: int) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise DataError(path, number, expected=f"the text '{key}'", found=quoted(dump_json(row)))
    return value


def _premises(row: dict[str, Json], path: Path, number: int) -> tuple[str, ...]:
    texts = row.get("premises")
    if (
        not isinstance(texts, list)
        or not texts
        or not all(isinstance(text, str) and text.strip() for text in texts)
    ):
        raise DataError(path, number, expected="a list 'premises' of texts", found=quoted(dump_json(row)))
    return tuple(texts)
