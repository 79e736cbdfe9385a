"""Items come in: from JSONL files, from examples of a task, with facts that a machine shortlists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import select

from whence.collection import tables
from whence.collection.answers import require_storable
from whence.collection.configuration import Source
from whence.collection.routing import add_artifact, send
from whence.collection.shortlists import shortlists
from whence.collection.templates import fill
from whence.collection.transaction import ADMINISTRATOR, Transaction
from whence.errors import DataError, UsageError, quoted
from whence.files import Json, read_jsonl
from whence.structures.facts import Question
from whence.structures.results import Example
from whence.tasks import task_named
from whence.tasks.loading import load

Item = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Added:
    """What came of items that were to be added."""

    new: int
    known: int
    """Those that were there already, word by word."""


def add_configured_items(tx: Transaction) -> None:
    """The items that stand in the configuration itself."""
    for source in tx.configuration.sources:
        add_items(tx, source, source.items)


def add_items(tx: Transaction, source: Source, items: Iterable[Item]) -> Added:
    """Adds items, each of which enters the source's stages. One that is there already is not added again."""
    new = known = 0
    artifacts = tables.artifacts.c
    there = {
        row.name: row.payload
        for row in tx.all(
            select(artifacts.name, artifacts.payload).where(
                artifacts.origin == "import", artifacts.source == source.name
            )
        )
    }
    for item in items:
        name = _checked(item, source)
        if name in there:
            if there[name] != dict(item):
                raise UsageError(f"{source.name}: the item {quoted(name)} is there already, and differs")
            known += 1
            continue
        added = add_artifact(tx, kind=source.kind, name=name, payload=item, origin="import", source=source.name)
        there[name] = dict(item)
        for stage in source.enters:
            send(tx, added, stage, source.name)
        new += 1
    if new:
        tx.log("items added", ADMINISTRATOR, {"source": source.name, "count": new})
    return Added(new, known)


def _checked(item: Item, source: Source) -> str:
    require_storable(item)
    name = item.get("id")
    if not isinstance(name, str) or not name:
        raise DataError(expected="an item with the text 'id'", found=quoted(str(dict(item))))
    for part in source.needs:
        if item.get(part) in (None, "", []):
            raise DataError(expected=f"the part '{part}' of {name}", found=quoted(", ".join(item)))
    return name


def read_items(
    source: Source, where: str, folder: Callable[[], Path], rankings: Sequence[Path] = ()
) -> list[Item]:
    """The items of a file: objects with the parts themselves, or examples of the source's task."""
    path = Path(where)
    rows = list(read_jsonl(path)) if path.is_file() and path.suffix == ".jsonl" else []
    if rows and all(isinstance(rows[0][1].get(part), str) for part in ("id", *_texts(source))):
        return _own_items(source, path, rows, folder, rankings)
    if not source.task:
        raise UsageError(
            f"{where}: {source.name} takes a JSONL file of items with 'id', {', '.join(map(repr, source.needs))}"
        )
    dataset = load(task_named(source.task), where, folder)
    lists = shortlists(source, dataset.examples, dataset.facts, folder, rankings) if source.shortlist else {}
    return [_of_example(source, example, lists.get(example.id, [])) for example in dataset.examples]


def _texts(source: Source) -> tuple[str, ...]:
    """What tells an item of our own from a row of a published file: its first part, and no mark of our form."""
    return source.needs[:1]


def _own_items(
    source: Source,
    path: Path,
    rows: Sequence[tuple[int, Item]],
    folder: Callable[[], Path],
    rankings: Sequence[Path],
) -> list[Item]:
    if source.shortlist:
        asked: list[Example[Any, Any]] = [
            Example(str(row["id"]), Question(str(row.get("question", "")), str(row.get("answer", ""))))
            for _, row in rows
        ]
        lists = shortlists(source, asked, {}, folder, rankings)
        rows = [
            (line, {**row, **fill(source.parts, _scope(str(row["id"]), row, lists[str(row["id"])]))})
            for line, row in rows
        ]
    for line, row in rows:
        try:
            _checked(row, source)
        except DataError as error:
            raise error.at(path, line) from None
    return [row for _, row in rows]


def _of_example(source: Source, example: Example[Any, Any], shortlist: Sequence[Json]) -> Item:
    task = task_named(source.task)
    inputs, golds = TypeAdapter(task.inputs), TypeAdapter(task.explanation)
    scope = {
        **_scope(example.id, inputs.dump_python(example.inputs, mode="json"), shortlist),
        "golds": [golds.dump_python(gold, mode="json") for gold in example.golds],
        "meta": dict(example.meta),
    }
    return {"id": example.id, **(fill(source.parts, scope) if source.parts else scope["inputs"])}


def _scope(name: str, inputs: Json, shortlist: Sequence[Json]) -> dict[str, Json]:
    pool = [{"id": f"sent{number}", "text": fact["text"]} for number, fact in enumerate(shortlist, 1)]
    return {"id": name, "inputs": inputs, "shortlist": list(shortlist), "pool": pool}
