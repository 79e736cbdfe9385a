"""Reading the examples and answers of a task: its samples, a published split, or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from whence.checks.rule import Rule
from whence.errors import DataError, MissingDataError, UsageError
from whence.files import dump_json, read_lines
from whence.formats import parquet, records
from whence.structures.results import Problem
from whence.tasks.dataset import AnyDataset, Dataset, Predictions, Split
from whence.tasks.task import PROTOCOLS, AnyTask

Record = TypeVar("Record")

SAMPLES = "samples"
"""Names the examples that ship with a task."""


def rules_of(task: AnyTask, protocol: str, dataset: AnyDataset) -> Sequence[Rule[Any, Any]]:
    """The rules of a protocol."""
    if protocol not in PROTOCOLS:
        raise UsageError(f"there is no protocol '{protocol}'; there are {', '.join(PROTOCOLS)}")
    return task.rules(protocol, dataset)


def read_dataset(task: AnyTask, path: Path) -> AnyDataset:
    """The examples of a file, in our own form or in a published one, with the facts that go with them."""
    dataset = _read_own(task, path) if _is_own(path) else task.data.read(path)
    return replace(dataset, facts=task.data.facts(path))


def read_answers(task: AnyTask, path: Path, gold: AnyDataset) -> Predictions[Any]:
    """A system's answers to the examples, in our own form or in a published one."""
    if not _is_own(path):
        return task.data.read_predictions(path, gold)
    found = tuple(_own_lines(path, lambda line: records.parse_prediction(line, task.form)))
    return Predictions(tuple(prediction for _, prediction in found), tuple(number for number, _ in found))


def require_read(dataset: AnyDataset, path: Path) -> AnyDataset:
    """The data set, if every explanation in it could be read."""
    for fault in dataset.faults:
        raise fault.error.at(path, fault.line)
    return dataset


def samples(task: AnyTask) -> AnyDataset:
    """The task's bundled samples, which we wrote."""
    return read_dataset(task, task.data.samples)


def locate(task: AnyTask, where: str, folder: Callable[[], Path]) -> tuple[Path, Split | None]:
    """The file that a user means: a path, `samples`, or the name of a split in the data folder."""
    path = Path(where)
    if where and path.exists() and not (path.is_dir() and where in (SAMPLES, *task.data.splits)):
        return path, None
    if where == SAMPLES:
        return task.data.samples, None
    if where not in task.data.splits:
        names = ", ".join((SAMPLES, *task.data.splits))
        raise UsageError(f"'{where}' is neither a file nor a split of {task.name} ({names})")
    split = task.data.splits[where]
    path = split.file(folder())
    if not path.exists():
        source = split.source or task.source
        advice = f"Get it with: whence data get {source}" if source else "Put the file there"
        raise MissingDataError(f"{task.name} {where} is not here: {path} does not exist. {advice}")
    return path, split


def load(task: AnyTask, where: str, folder: Callable[[], Path]) -> AnyDataset:
    """The examples of a file, of a split in the data folder, or the samples."""
    path, split = locate(task, where, folder)
    dataset = split.read(path) if split is not None and split.read is not None else read_dataset(task, path)
    if not dataset.lines:
        raise DataError(path, expected=f"examples of {task.name}", found="none")
    if split is None or not split.ids:
        return dataset
    wanted = {line.strip() for _, line in read_lines(folder() / split.ids) if line.strip()}
    kept = [
        (example, line)
        for example, line in zip(dataset.examples, dataset.lines, strict=True)
        if split.listed(example.id) in wanted
    ]
    return replace(dataset, examples=tuple(example for example, _ in kept), lines=tuple(line for _, line in kept))


def unread(rule: str, error: DataError) -> Problem:
    """The problem of an answer that could not be read."""
    return Problem(rule, "", f"expected {error.expected}, found {error.found}")


def _read_own(task: AnyTask, path: Path) -> AnyDataset:
    found = tuple(_own_lines(path, lambda line: records.parse_example(line, task.form)))
    return Dataset(tuple(example for _, example in found), tuple(number for number, _ in found))


def _is_own(path: Path) -> bool:
    if path.suffix == parquet.SUFFIX:
        return True
    return path.suffix == ".jsonl" and records.is_record(next((line for _, line in read_lines(path)), ""))


def _own_lines(path: Path, parse: Callable[[str], Record]) -> Iterator[tuple[int, Record]]:
    for number, text in _own_texts(path):
        try:
            yield number, parse(text)
        except DataError as error:
            raise error.at(path, number) from None


def _own_texts(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered records of a file, each as a JSON text."""
    if path.suffix != parquet.SUFFIX:
        yield from ((number, line) for number, line in read_lines(path) if line.strip())
        return
    for number, row in parquet.read_parquet(path):
        try:
            yield number, dump_json(row)
        except DataError as error:
            raise error.at(path, number) from None
