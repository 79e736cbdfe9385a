"""Signatures: printed and read back, compared, and unmoved by a field that is added to the data's types."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whence
from whence.errors import DataError
from whence.formats.records import RecordForm
from whence.pipeline.signature import Signature, data_version, signature
from whence.structures.results import Example, Label
from whence.tasks import TASKS
from whence.tasks.dataset import Dataset
from whence.tasks.scoring import ScoringOptions


@dataclass(frozen=True, slots=True)
class Remark:
    text: str


LATER = make_dataclass(
    "Remark",
    [("text", str), ("language", str, ""), ("marks", tuple[int, ...], field(default=()))],
    frozen=True,
    slots=True,
)


def _data(*inputs: Any, gold: str = "yes", meta: dict[str, Any] | None = None) -> Dataset[Any, Any]:
    examples = tuple(Example(str(number), one, (Label(gold),), meta or {}) for number, one in enumerate(inputs, 1))
    return Dataset(examples, tuple(range(1, len(examples) + 1)))


def _version(type_: Any, dataset: Dataset[Any, Any]) -> str:
    return data_version(RecordForm("remarks", type_, Label), dataset)


def test_an_optional_field_that_is_added_changes_no_signature() -> None:
    before = _version(Remark, _data(Remark("a"), Remark("b")))
    assert _version(LATER, _data(LATER("a"), LATER("b"))) == before
    assert _version(LATER, _data(LATER("a", "en"), LATER("b"))) != before


def test_the_digest_is_pinned() -> None:
    # sha256 of {"golds":[{"name":"yes"}],"id":"1","inputs":{"text":"a"}} and a line feed, with `sha256sum`.
    assert _version(Remark, _data(Remark("a"))) == "2-fff82733a6d5"


@pytest.mark.parametrize(
    "other, same",
    [
        (_data(Remark("a"), meta={"source": "elsewhere"}), True),  # what is kept beside is not what is scored
        (_data(Remark("b")), False),
        (_data(Remark("a"), gold="no"), False),
        (_data(Remark("a"), Remark("a")), False),
        (_data(Remark("a\ud800")), False),  # half a character, as broken files have it
    ],
)
def test_data_is_known_by_ids_inputs_and_golds(other: Dataset[Any, Any], same: bool) -> None:
    assert (_version(Remark, other) == _version(Remark, _data(Remark("a")))) is same


@pytest.mark.parametrize("name", list(TASKS))
def test_every_task_signs_its_samples(name: str) -> None:
    task, dataset = TASKS[name], whence.load(name)
    found = signature(task, dataset, ScoringOptions(), ())
    assert list(found) == ["whence", "task", "data", "n", "protocol"]
    assert found["data"].startswith("2-")
    shorter = replace(dataset, examples=dataset.examples[1:], lines=dataset.lines[1:])
    assert "data" in found.differences(signature(task, shorter, ScoringOptions(), ()))


@given(st.dictionaries(st.text(min_size=1), st.text(), min_size=1))
def test_printed_and_read_back(parts: dict[str, str]) -> None:
    found = Signature.of({f"p{name}": value for name, value in parts.items()})
    assert Signature.parse(f"{found}x") == Signature(
        (*found.parts[:-1], (found.parts[-1][0], found.parts[-1][1] + "x"))
    )


def test_the_printed_form() -> None:
    found = Signature.of({"whence": "0.1.0", "task": "anli", "similarity": "a|b: 100%"})
    assert str(found) == "whence:0.1.0|task:anli|similarity:a%7Cb: 100%25"
    assert Signature.parse(str(found)) == found


@pytest.mark.parametrize("text", ["", "no parts", "task:a|task:b", "task:a||n:2"])
def test_what_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="expected a signature"):
        Signature.parse(text)


def test_one_recipe_or_two() -> None:
    one = Signature.of({"whence": "0.1.0", "task": "anli", "data": "2-a", "similarity": "x"})
    assert one.same_recipe(Signature.of({"whence": "0.2.0", "similarity": "x", "task": "anli", "data": "2-a"}))
    assert one.differences(Signature.of({"task": "anli", "data": "2-b", "threshold": ">=0.28"})) == (
        "data",
        "similarity",
        "threshold",
    )
    assert str(one.only(("data", "task"))) == "task:anli|data:2-a"
