"""Stages that machines do: they take what is finished, and make artifacts that go on to people."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from whence.collection import tables
from whence.collection.collection import Collection
from whence.collection.configuration import Stage
from whence.collection.eligibility import Past
from whence.collection.exporting import finished
from whence.collection.routing import add_artifact, send
from whence.collection.templates import fill
from whence.collection.transaction import ENGINE, AnyRow, Transaction, past
from whence.errors import UsageError
from whence.files import Json, write_lines
from whence.pipeline.harden import Order, run
from whence.pipeline.harden.adversaries import adversary_named
from whence.pipeline.harden.compare import AFTER
from whence.pipeline.harden.loop import Plan
from whence.progress import Report, unreported
from whence.structures.results import Example
from whence.tasks import task_named
from whence.tasks.hardening import CollectedPools, Filtering, Wanted


@dataclass(frozen=True, slots=True)
class Settings:
    """How a machine works."""

    adversary: str = "logistic"
    """The kind of model that data are hardened against."""
    iterations: int = 50
    seed: int = 0
    report: Report = unreported


USUAL = Settings()


@dataclass(frozen=True, slots=True)
class Made:
    """What a machine made of an item: its answer, and all that it was made from."""

    root: AnyRow
    answer: Mapping[str, Json]
    parts: tuple[AnyRow, ...]


Machine = Callable[[Transaction, Settings], list[Made]]


def run_machine(collection: Collection, stage: str, settings: Settings = USUAL) -> int:
    """Runs the machine of a stage on what is finished and was not taken before. Returns for how many items."""
    wanted = collection.configuration.stage(stage)
    if wanted.machine not in MACHINES:
        raise UsageError(
            f"{stage} is done by people; machines do {', '.join(_by_machine(collection)) or 'nothing'}"
        )
    with collection.reading() as tx:
        made = MACHINES[wanted.machine](tx, settings)
    collection.write(lambda tx: _keep(tx, wanted, made))
    return len(made)


def _by_machine(collection: Collection) -> list[str]:
    return [stage.name for stage in collection.configuration.stages if stage.machine]


def _keep(tx: Transaction, stage: Stage, made: Sequence[Made]) -> None:
    taken = _taken(tx, stage.name)
    for one in made:
        if one.root.root in taken:
            raise UsageError(f"{stage.name} ran meanwhile, elsewhere")
        history = list(dict.fromkeys(entry for row in one.parts for entry in past(row.history)))
        scope = {"item": one.root.payload, "answer": one.answer, "name": one.root.name}
        for template in stage.makes:
            added = add_artifact(
                tx,
                kind=template.kind,
                name=one.root.name,
                payload={**one.root.payload, **fill(template.payload, scope)},
                origin="machine",
                source=stage.name,
                parent=one.root,
                history=[Past(*entry) for entry in history],
            )
            send(tx, added, template.to, stage.name)
    tx.log("machine ran", ENGINE, {"stage": stage.name, "made": len(made)})


def _taken(tx: Transaction, stage: str) -> set[str]:
    """Roots that the machine has dealt with."""
    artifacts = tables.artifacts.c
    query = select(artifacts.root).where(artifacts.origin == "machine", artifacts.source == stage)
    return {row.root for row in tx.all(query)}


def harden(tx: Transaction, settings: Settings) -> list[Made]:
    """Make of each item the question that a model finds hardest, from right and wrong answers of people."""
    stage = next(stage for stage in tx.configuration.stages if stage.machine == "harden")
    filtering, collected = _hardening(tx)
    right, wrong = _by_root(finished(tx, collected.right)), _by_root(finished(tx, collected.wrong))
    done = _taken(tx, stage.name)
    names = [name for name in right if name in wrong and name not in done]
    if not names:
        raise UsageError("there are no items with finished answers of both kinds that were not taken before")
    payloads = [([row.payload for row in right[name]], [row.payload for row in wrong[name]]) for name in names]
    examples = _hardened(filtering, collected.write(payloads), settings)
    made = []
    for number, name in enumerate(names, 1):
        example = examples.get(f"{_POOLS}-{number}")
        if example is not None:
            made.append(Made(_root(tx, name), collected.answer(example), (*right[name], *wrong[name])))
    return made


_POOLS = "pools"


def _hardening(tx: Transaction) -> tuple[Filtering, CollectedPools]:
    """How the examples that the collection exports are hardened."""
    for export in tx.configuration.exports:
        hardening = task_named(export.task).hardening if export.task else None
        filtering = hardening() if hardening is not None else None
        if filtering is not None and filtering.collected is not None:
            return filtering, filtering.collected
    raise UsageError("no export of this collection is of a task whose questions can be hardened")


def _hardened(filtering: Filtering, pools: Iterable[str], settings: Settings) -> dict[str, Example[Any, Any]]:
    plan = Plan(settings.iterations, filtering.learnt, filtering.patience, None, settings.seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{_POOLS}.jsonl"
        write_lines(file, pools)
        order = Order(filtering, Wanted(str(file), Path), adversary_named(settings.adversary, {}), plan)
        run(order, Path(folder) / "hardened", settings.report)
        dataset = task_named(filtering.task).data.read(Path(folder) / "hardened" / f"{AFTER}{filtering.suffix}")
    return {example.id: example for example in dataset.examples}


def _by_root(rows: Sequence[AnyRow]) -> dict[str, list[AnyRow]]:
    found: dict[str, list[AnyRow]] = {}
    for row in rows:
        found.setdefault(row.root, []).append(row)
    return found


def _root(tx: Transaction, root: str) -> AnyRow:
    """The item itself."""
    artifacts = tables.artifacts.c
    return tx.all(select(tables.artifacts).where(artifacts.root == root, artifacts.origin == "import"))[0]


MACHINES: Mapping[str, Machine] = {"harden": harden}
