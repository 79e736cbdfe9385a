"""What a task is: inputs, explanations, the rules that make one well-formed, the files it is read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from whence.checks.rule import Rule
from whence.drawing import Diagram
from whence.errors import DataError, MissingDataError, UsageError
from whence.files import dump_json, read_lines
from whence.formats import parquet, records
from whence.structures.facts import Fact
from whence.structures.results import Example, Prediction, Problem

Inputs = TypeVar("Inputs")
Explanation = TypeVar("Explanation")
Record = TypeVar("Record")

PROTOCOLS = ("official", "paper")
"""`official` is what the released evaluator does, `paper` what the paper says. They differ here and there."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a file that its reader handled and that its user should know, with how often."""

    name: str
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A gold explanation that could not be read: where it stands and why."""

    line: int
    id: str
    error: DataError


@dataclass(frozen=True, slots=True)
class Dataset(Generic[Inputs, Explanation]):
    """Examples in the order of their file, and what there is to know about reading them."""

    examples: tuple[Example[Inputs, Explanation], ...]
    lines: tuple[int, ...]
    """The line of each example; its number where the file is one JSON document."""
    notes: tuple[Note, ...] = ()
    faults: tuple[Fault, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """The facts that explanations refer to by id, where the task has such."""


@dataclass(frozen=True, slots=True)
class Predictions(Generic[Explanation]):
    """A system's answers in the order of their file."""

    predictions: tuple[Prediction[Explanation], ...]
    lines: tuple[int, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A published part of a data set: its file, and a list of the ids it holds if the file holds more."""

    path: str
    ids: str = ""
    listed: Callable[[str], str] = str
    """From the id of an example to what the list has for it."""
    instead: str = ""
    """A smaller or older copy of the file that serves where the file itself is not."""
    read: Callable[[Path], Dataset[Any, Any]] | None = None
    """How the file is read for this part, where that is not how the task reads it."""
    source: str = ""
    """The data set it is of, where that is not the task's."""

    def file(self, folder: Path) -> Path:
        """The file in the data folder; the other one if only that is there."""
        path, instead = folder / self.path, folder / self.instead
        return instead if self.instead and instead.exists() and not path.exists() else path


@dataclass(frozen=True, slots=True)
class Task(Generic[Inputs, Explanation]):
    """One task. `whence.tasks.TASKS` has them all."""

    name: str
    title: str
    """Inputs and explanation in a few words."""
    paper: str
    source: str
    """The data set, as `whence data list` names it."""
    folder: Path
    """Where the task's samples are."""
    inputs: Any
    explanation: Any
    """The types of the two; the second may be a union."""
    rules: Callable[[str, Dataset[Inputs, Explanation]], Sequence[Rule[Inputs, Explanation]]]
    """The rules of a protocol, for explanations over a data set."""
    read: Callable[[Path], Dataset[Inputs, Explanation]]
    """Reads any published file of the task."""
    write: Callable[[Dataset[Inputs, Explanation]], Iterable[str]]
    """The lines of the published form of examples."""
    read_predictions: Callable[[Path, Dataset[Inputs, Explanation]], Predictions[Explanation]]
    """Reads a system's answers in the form in which they are published, for these examples."""
    diagram: Callable[[Inputs, Explanation | None, Mapping[str, Fact]], Diagram]
    """An example as a picture; without explanation, its inputs alone."""
    splits: Mapping[str, Split]
    """Published parts by name."""
    facts: Callable[[Path], Mapping[str, Fact]]
    """Finds the facts that the explanations of a file refer to."""

    @property
    def form(self) -> records.RecordForm:
        """Our own JSONL form of the task's records."""
        return records.RecordForm(self.name, self.inputs, self.explanation)


AnyTask = Task[Any, Any]
AnyDataset = Dataset[Any, Any]


class Notes:
    """Counts what a reader comes across, in order of first sight."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, name: str, text: str, count: int = 1) -> None:
        """One more of this kind."""
        if count:
            self._counts[name, text] += count

    def all(self) -> tuple[Note, ...]:
        """What was counted."""
        return tuple(Note(name, count, text) for (name, text), count in self._counts.items())


def rules_of(task: AnyTask, protocol: str, dataset: AnyDataset) -> Sequence[Rule[Any, Any]]:
    """The rules of a protocol."""
    if protocol not in PROTOCOLS:
        raise UsageError(f"there is no protocol '{protocol}'; there are {', '.join(PROTOCOLS)}")
    return task.rules(protocol, dataset)


def read_dataset(task: AnyTask, path: Path) -> AnyDataset:
    """The examples of a file, in our own form or in a published one, with the facts that go with them."""
    dataset = _read_own(task, path) if _is_own(path) else task.read(path)
    return replace(dataset, facts=task.facts(path))


def read_answers(task: AnyTask, path: Path, gold: AnyDataset) -> Predictions[Any]:
    """A system's answers to the examples, in our own form or in a published one."""
    if not _is_own(path):
        return task.read_predictions(path, gold)
    found = tuple(_own_lines(path, lambda line: records.parse_prediction(line, task.form)))
    return Predictions(tuple(prediction for _, prediction in found), tuple(number for number, _ in found))


def require_read(dataset: AnyDataset, path: Path) -> AnyDataset:
    """The data set, if every explanation in it could be read."""
    for fault in dataset.faults:
        raise fault.error.at(path, fault.line)
    return dataset


def samples(task: AnyTask) -> AnyDataset:
    """The task's bundled samples, which we wrote."""
    return read_dataset(task, sample_file(task))


def sample_file(task: AnyTask) -> Path:
    """Where the samples of a task are."""
    return task.folder / "samples" / f"{task.name}.jsonl"


def locate(task: AnyTask, where: str, folder: Callable[[], Path]) -> tuple[Path, Split | None]:
    """The file that a user means: a path, `samples`, or the name of a split in the data folder."""
    path = Path(where)
    if where and path.exists() and not (path.is_dir() and where in ("samples", *task.splits)):
        return path, None
    if where == "samples":
        return sample_file(task), None
    if where not in task.splits:
        names = ", ".join(("samples", *task.splits))
        raise UsageError(f"'{where}' is neither a file nor a split of {task.name} ({names})")
    split = task.splits[where]
    path = split.file(folder())
    if not path.exists():
        source = split.source or task.source
        raise MissingDataError(
            f"{task.name} {where} is not here: {path} does not exist. Get it with: whence data get {source}"
        )
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


def no_facts(_: Path) -> Mapping[str, Fact]:
    """For tasks whose explanations refer to no facts."""
    return {}


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
