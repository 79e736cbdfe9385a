"""Adversarial filtering of data sets: `whence harden`."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from whence import __version__
from whence.engine import SERIAL, Engine
from whence.errors import UsageError, quoted
from whence.files import Json, dump_json, write_lines, write_text
from whence.pipeline.harden.adversaries import TrainedAdversary
from whence.pipeline.harden.compare import AFTER, BEFORE, Compared, as_json, compare
from whence.pipeline.harden.loop import Plan, Round, harden, question, start, stopped
from whence.pipeline.report.curve import Curve, curve_svg
from whence.progress import Report, unreported
from whence.tasks import hardened_tasks, task_named
from whence.tasks.dataset import Dataset, Note
from whence.tasks.hardening import Chosen, Filtering, Form, Pool, Pools, Wanted

RUN, CURVE, WORK = "run.json", "curve.svg", "work"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done: which pools, by which adversary, on which plan, tried by which other models."""

    filtering: Filtering
    wanted: Wanted
    adversary: TrainedAdversary
    plan: Plan
    form: str = ""
    """In which the adversary reads; empty: as the task's paper has it."""
    others: tuple[TrainedAdversary, ...] = ()
    """Models that are trained from scratch before and after, beside the adversary's own kind."""
    at_most: int = 0
    """So many questions, drawn with the seed; 0: all."""


@dataclass(frozen=True, slots=True)
class Hardened:
    """What came of it."""

    order: Order
    pools: tuple[Pool, ...]
    notes: tuple[Note, ...]
    before: tuple[Chosen, ...]
    after: tuple[Chosen, ...]
    rounds: tuple[Round, ...]
    stopped: str
    compared: tuple[Compared, ...]


def filtering_of(task: str) -> Filtering:
    """How a task's questions are hardened."""
    known = hardened_tasks()
    hardening = task_named(task).hardening if task in known else None
    if hardening is None:
        raise UsageError(f"{quoted(task)} cannot be hardened; these can: {', '.join(known)}")
    return hardening()


def chance_of(filtering: Filtering) -> float:
    """The accuracy of guessing."""
    return 1 / (1 + filtering.wrong)


def run(order: Order, out: Path, report: Report = unreported, engine: Engine = SERIAL) -> Hardened:
    """Hardens and writes everything into the folder; what a run that was stopped left there is taken up again."""
    filtering, plan = order.filtering, order.plan
    found = _drawn(filtering.pools(order.wanted), order.at_most, plan.seed)
    pools = found.pools
    form = _form(filtering, order.form or next(iter(filtering.forms)))
    before = start(pools, filtering, plan.seed)
    state = harden(
        pools,
        filtering,
        form,
        order.adversary,
        plan,
        out / WORK,
        signature=_signature(order, pools),
        report=report,
        engine=engine,
    )
    compared = tuple(_compared(order, pools, (before, state.chosen), out / WORK, report, engine))
    hardened = Hardened(
        order, pools, found.notes, before, state.chosen, state.rounds, stopped(state.rounds, plan), compared
    )
    _write(hardened, out)
    return hardened


def _drawn(found: Pools, at_most: int, seed: int) -> Pools:
    if not 0 < at_most < len(found.pools):
        return found
    places = sorted(random.Random(f"{seed}:drawn").sample(range(len(found.pools)), at_most))
    left = Note("not drawn", len(found.pools) - at_most, "questions that were not drawn, left out")
    return replace(found, pools=tuple(found.pools[place] for place in places), notes=(*found.notes, left))


def _form(filtering: Filtering, name: str) -> Form:
    if name not in filtering.forms:
        raise UsageError(
            f"{filtering.task} is not read in the form {quoted(name)}; there are {', '.join(filtering.forms)}"
        )
    return filtering.forms[name]


def _compared(
    order: Order,
    pools: Sequence[Pool],
    chosen: tuple[Sequence[Chosen], Sequence[Chosen]],
    work: Path,
    report: Report,
    engine: Engine,
) -> list[Compared]:
    """The adversary's own kind as the adversary reads, the others as the task asks."""
    filtering, seed = order.filtering, order.plan.seed
    own = order.form or next(iter(filtering.forms))
    found = []
    for model, form in ((order.adversary, own), *((other, filtering.asked) for other in order.others)):
        before, after = (
            [question(pool, one, filtering.forms[form], seed) for pool, one in zip(pools, some, strict=True)]
            for some in chosen
        )
        found.append(compare(model, model.kind, form, (before, after), work, seed, report, engine))
    return found


def _parameters(order: Order) -> dict[str, Json]:
    wanted = order.wanted
    return {
        "task": order.filtering.task,
        "after": order.filtering.paper,
        "file": wanted.where,
        "spans": None if wanted.spans is None else wanted.spans.name,
        "elsewhere": wanted.elsewhere,
        "at_most": order.at_most,
        "adversary": order.adversary.described(),
        "form": order.form or next(iter(order.filtering.forms)),
        "plan": asdict(order.plan),
    }


def _signature(order: Order, pools: Sequence[Pool]) -> str:
    whole = dump_json({**_parameters(order), "pools": [asdict(pool) for pool in pools]})
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def dataset_of(hardened: Hardened, chosen: Sequence[Chosen]) -> Dataset[object, object]:
    """The questions with chosen options, as the task has them."""
    filtering, seed = hardened.order.filtering, hardened.order.plan.seed
    examples = tuple(
        filtering.example(pool, one, random.Random(f"{seed}:written:{pool.id}"))
        for pool, one in zip(hardened.pools, chosen, strict=True)
    )
    return Dataset(examples, tuple(range(1, len(examples) + 1)))


def _write(hardened: Hardened, out: Path) -> None:
    filtering = hardened.order.filtering
    task = task_named(filtering.task)
    for when, chosen in ((BEFORE, hardened.before), (AFTER, hardened.after)):
        write_lines(out / f"{when}{filtering.suffix}", task.data.write(dataset_of(hardened, chosen)))
    write_text(out / CURVE, curve_svg(curve_of(hardened.rounds, filtering)) + "\n")
    write_text(out / RUN, dump_json(record(hardened)) + "\n")


def curve_of(rounds: Sequence[Round], filtering: Filtering) -> Curve:
    """The adversary's accuracy on held questions by iteration, and that of guessing."""
    title = f"{filtering.task}: accuracy of the adversary on held questions"
    points = tuple((done.number + 1.0, done.accuracy) for done in rounds)
    return Curve(title, "iterations", points, chance_of(filtering))


def record(hardened: Hardened) -> dict[str, Json]:
    """All parameters and all figures of a run."""
    return {
        "whence": __version__,
        **_parameters(hardened.order),
        "questions": len(hardened.pools),
        "changed": sum(a != b for a, b in zip(hardened.before, hardened.after, strict=True)),
        "chance": chance_of(hardened.order.filtering),
        "stopped": hardened.stopped,
        "rounds": [asdict(done) for done in hardened.rounds],
        "compared": [as_json(found) for found in hardened.compared],
        "origins": {
            when: _origins(hardened.pools, chosen)
            for when, chosen in ((BEFORE, hardened.before), (AFTER, hardened.after))
        },
        "notes": [asdict(note) for note in hardened.notes],
    }


def _origins(pools: Sequence[Pool], chosen: Sequence[Chosen]) -> dict[str, int]:
    """How many of the wrong options come from where, where that is known."""
    return dict(
        Counter(
            pool.origins[place]
            for pool, one in zip(pools, chosen, strict=True)
            for place in one.wrong
            if pool.origins
        )
    )
