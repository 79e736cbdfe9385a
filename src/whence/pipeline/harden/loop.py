"""Adversarial filtering: a model learns from part of the questions, and the others are made harder for it.

The loop is that of ART (Algorithm 1) and of SWAG, which CIDER follows (Appendix A). What differs between the two
is a `Filtering`: the candidates, which of them replace which, and how many questions are changed an iteration.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from whence.engine import SERIAL, Engine
from whence.errors import UsageError
from whence.files import Json, dump_json, read_json, write_text
from whence.models.items import Item, Verdict
from whence.progress import Report, unreported
from whence.tasks.hardening import Chosen, Filtering, Form, Pool, Weighed

_LEAST = 1e-300
"""For the logarithm of a probability that is 0."""
STATE = "state.json"


@dataclass(frozen=True, slots=True)
class Place:
    """Where and how an adversary is trained."""

    folder: Path
    seed: int
    report: Report = unreported
    engine: Engine = SERIAL


Adversary = Callable[[Sequence[Item], Sequence[Item], Place], list[Verdict]]
"""Learns from the first items and judges the others, in order. It begins afresh every time.

It weighs every option by itself: which of two it likes better does not depend on what else there is.
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, and with which chances."""

    iterations: int
    learnt: float = 0.5
    """The share of the questions that the adversary learns from."""
    patience: int = 0
    """Iterations without a fall of its accuracy on the others after which there is no more; 0: it goes on."""
    floor: float | None = None
    """Accuracy at which there is no more; None: it goes on."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """One iteration: how well the adversary did on the held questions before they were changed."""

    number: int
    accuracy: float
    loss: float
    """Cross-entropy, in nats."""
    held: int
    changed: int
    temperature: float
    seconds: float


@dataclass(frozen=True, slots=True)
class State:
    """How far the loop is: what lies in its file after every iteration."""

    chosen: tuple[Chosen, ...]
    rounds: tuple[Round, ...] = ()


def start(pools: Sequence[Pool], filtering: Filtering, seed: int) -> tuple[Chosen, ...]:
    """Options by chance for every question."""
    found = []
    for pool in pools:
        chance = random.Random(f"{seed}:start:{pool.id}")
        wrong = chance.sample(range(len(pool.wrong)), filtering.wrong)
        found.append(Chosen(chance.randrange(len(pool.right)), tuple(wrong)))
    return tuple(found)


def harden(
    pools: Sequence[Pool],
    filtering: Filtering,
    form: Form,
    adversary: Adversary,
    plan: Plan,
    work: Path,
    *,
    signature: str = "",
    report: Report = unreported,
    engine: Engine = SERIAL,
) -> State:
    """Iterates until the plan says that it is enough.

    After every iteration its state is written into the folder `work`; a run that was stopped goes on from there,
    to the same end. A state with another signature is refused.
    """
    state = _resumed(work / STATE, signature, len(pools)) or State(start(pools, filtering, plan.seed))
    report("hardening", len(state.rounds), plan.iterations)
    while not stopped(state.rounds, plan):
        state = _iterate(state, pools, filtering, form, adversary, plan, work, report, engine)
        _save(work / STATE, state, signature)
        report("hardening", len(state.rounds), plan.iterations)
    return state


def stopped(rounds: Sequence[Round], plan: Plan) -> str:
    """Why there are no more iterations; empty if there are."""
    found = [done.accuracy for done in rounds]
    if plan.floor is not None and found and found[-1] <= plan.floor:
        return f"the adversary's accuracy is at {plan.floor:.3g} or below"
    if (
        plan.patience
        and len(found) > plan.patience
        and min(found[-plan.patience :]) >= min(found[: -plan.patience])
    ):
        return f"the adversary's accuracy has not fallen for {plan.patience} iterations"
    return f"the limit of {plan.iterations} iterations was reached" if len(rounds) >= plan.iterations else ""


def _iterate(
    state: State,
    pools: Sequence[Pool],
    filtering: Filtering,
    form: Form,
    adversary: Adversary,
    plan: Plan,
    work: Path,
    report: Report,
    engine: Engine,
) -> State:
    began, number = perf_counter(), len(state.rounds)
    learnt, held = halves(pools, plan.learnt, f"{plan.seed}:{number}")
    lesson = [question(pools[place], state.chosen[place], form, plan.seed) for place in learnt]
    asked = [everything(pools[place], form) for place in held]
    where = Place(work / f"adversary-{number}", plan.seed + number, report, engine)
    verdicts = adversary(lesson, asked, where)
    temperature = filtering.temperature(number, plan.iterations)
    chosen, right, loss = list(state.chosen), 0, 0.0
    for place, verdict in zip(held, verdicts, strict=True):
        pool, before = pools[place], chosen[place]
        seen = weighed(pool, verdict)
        right += is_right(seen, before)
        loss += _surprise(seen, before)
        chance = random.Random(f"{plan.seed}:{number}:{pool.id}")
        if chance.random() <= temperature:
            chosen[place] = filtering.replace(pool, before, seen, chance)
    changed = sum(new != old for new, old in zip(chosen, state.chosen, strict=True))
    count = len(held)
    seconds = perf_counter() - began
    done = Round(number, right / count, loss / count, count, changed, temperature, seconds)
    return State(tuple(chosen), (*state.rounds, done))


Grouped = TypeVar("Grouped", Pool, Item)


def halves(items: Sequence[Grouped], share: float, seed: str) -> tuple[list[int], list[int]]:
    """The places of two parts by chance, the first with about that share; groups are not torn apart."""
    groups = sorted({item.group or item.id for item in items})
    random.Random(seed).shuffle(groups)
    cut = min(max(round(len(groups) * share), 1), len(groups) - 1)
    if cut < 1:
        raise UsageError(
            f"{len(groups)} group cannot be both learnt from and held out; there are {len(items)} questions"
        )
    first = set(groups[:cut])
    parts: tuple[list[int], list[int]] = ([], [])
    for place, item in enumerate(items):
        parts[(item.group or item.id) not in first].append(place)
    return parts


def question(pool: Pool, chosen: Chosen, form: Form, seed: int) -> Item:
    """A question with its options of now, in an order by chance that stays the same."""
    texts = [pool.right[chosen.right], *(pool.wrong[place] for place in chosen.wrong)]
    order = list(range(len(texts)))
    random.Random(f"{seed}:order:{pool.id}").shuffle(order)
    options = tuple(form(pool, texts[place]) for place in order)
    return Item(pool.id, options, order.index(0), pool.group)


def everything(pool: Pool, form: Form) -> Item:
    """A question with all its candidates as options, the right ones first."""
    return Item(pool.id, tuple(form(pool, text) for text in pool.right + pool.wrong), None, pool.group)


def weighed(pool: Pool, verdict: Verdict) -> Weighed:
    """What a verdict on all candidates says of each."""
    logarithms = tuple(math.log(max(probability, _LEAST)) for probability in verdict.probabilities)
    return Weighed(logarithms[: len(pool.right)], logarithms[len(pool.right) :])


def is_right(seen: Weighed, chosen: Chosen) -> bool:
    """Whether the right option is liked better than every other."""
    right, wrong = seen.options(chosen)
    return right > max(wrong)


def _surprise(seen: Weighed, chosen: Chosen) -> float:
    """The cross-entropy of one question: how improbable the right option is among the options."""
    right, wrong = seen.options(chosen)
    most = max(right, *wrong)
    return most + math.log(sum(math.exp(value - most) for value in (right, *wrong))) - right


def _save(path: Path, state: State, signature: str) -> None:
    written: dict[str, Json] = {
        "signature": signature,
        "rounds": [asdict(done) for done in state.rounds],
        "chosen": [[chosen.right, *chosen.wrong] for chosen in state.chosen],
    }
    write_text(path, dump_json(written) + "\n")


def _resumed(path: Path, signature: str, pools: int) -> State | None:
    if not path.exists():
        return None
    written = read_json(path)
    if not isinstance(written, dict) or written.get("signature") != signature or len(written["chosen"]) != pools:
        raise UsageError(
            f"{path.parent} holds a run with other questions or settings: repeat those, or choose another folder"
        )
    chosen = tuple(Chosen(right, tuple(wrong)) for right, *wrong in written["chosen"])
    return State(chosen, tuple(Round(**done) for done in written["rounds"]))
