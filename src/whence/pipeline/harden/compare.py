"""Whether questions became harder: a model trained from scratch on them, before and after."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from whence.engine import SERIAL, Do, Engine
from whence.files import Json, dump_json, read_json, write_text
from whence.metrics.classification import accuracy
from whence.metrics.metric import Scores
from whence.metrics.significance import PairedResult, interval, paired, resamples
from whence.models.items import Item, Verdict
from whence.pipeline.harden.loop import Adversary, Place, halves
from whence.progress import Report, unreported
from whence.structures.results import Measurement

BEFORE, AFTER = "before", "after"
_SAMPLES = 1000
"""Bootstrap resamples."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A model's accuracy on questions that it has not learnt from, before and after, and how the two differ."""

    model: str
    form: str
    before: Measurement
    after: Measurement
    change: PairedResult


def compare(
    adversary: Adversary,
    model: str,
    form: str,
    questions: tuple[Sequence[Item], Sequence[Item]],
    work: Path,
    seed: int,
    report: Report = unreported,
    engine: Engine = SERIAL,
) -> Compared:
    """The same questions with other options: each is judged once, by a model that learnt from the other half."""
    found: list[Scores] = []
    for when, items in zip((BEFORE, AFTER), questions, strict=True):
        cache = work / f"compared-{model}-{form}-{when}.json"
        digest = _digest(adversary, items)
        right = _known(cache, digest)
        if right is None:
            right = _judged(adversary, items, Place(work / f"compared-{model}-{when}", seed, report, engine))
            write_text(cache, dump_json({"items": digest, "right": right}) + "\n")
        found.append(_scores(right))
        report(f"trying {model}", len(found), 2)
    before, after = found
    weights = resamples(len(before.known), _SAMPLES, seed)
    shown = [
        Measurement(f"accuracy {when}", scores.figure(), len(scores.known), 0, *interval(scores, weights))
        for when, scores in zip((BEFORE, AFTER), found, strict=True)
    ]
    return Compared(model, form, shown[0], shown[1], paired(before, after, weights))


def _judged(adversary: Adversary, items: Sequence[Item], place: Place) -> list[bool]:
    """Whether each item is chosen right by a model that has not learnt from it."""
    right = [False] * len(items)
    parts = halves(items, 0.5, f"{place.seed}:compare")
    turns = (parts, parts[::-1])
    asked = [([items[at] for at in learnt], [items[at] for at in held]) for learnt, held in turns]
    given = enumerate(asked)
    make = partial(_trying, adversary, place.folder.absolute(), place.seed)
    for (_, held), verdicts in zip(turns, place.engine.map(make, given, place.report), strict=True):
        for at, verdict in zip(held, verdicts, strict=True):
            right[at] = _chose(verdict, items[at])
    shutil.rmtree(place.folder, ignore_errors=True)
    return right


_Turn = tuple[int, tuple[Sequence[Item], Sequence[Item]]]
"""A number, what is learnt from and what is asked."""


def _trying(adversary: Adversary, folder: Path, seed: int) -> Do[_Turn, list[Verdict]]:
    return lambda turn, report: adversary(*turn[1], Place(folder / str(turn[0]), seed, report))


def _chose(verdict: Verdict, item: Item) -> bool:
    return verdict.best == item.gold


def _scores(right: Sequence[bool]) -> Scores:
    return accuracy(["right"] * len(right), ["right" if one else "wrong" for one in right])


def _known(cache: Path, digest: str) -> list[bool] | None:
    """What an earlier run found of exactly these items with exactly this model."""
    if not cache.exists():
        return None
    found = read_json(cache)
    if not isinstance(found, dict) or found.get("items") != digest:
        return None
    return [bool(one) for one in found["right"]]


def _digest(adversary: Adversary, items: Sequence[Item]) -> str:
    whole = f"{adversary!r}\n{list(items)!r}"
    return hashlib.sha256(whole.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def as_json(compared: Compared) -> dict[str, Json]:
    """For the record of a run."""
    change = compared.change
    return {
        "model": compared.model,
        "form": compared.form,
        **{
            when: {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
            for when, found in ((BEFORE, compared.before), (AFTER, compared.after))
        },
        "change": {"value": change.difference, "low": change.low, "high": change.high, "p": change.p},
    }
