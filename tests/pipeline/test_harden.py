"""The loop of adversarial filtering, with adversaries whose every thought is known."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from whence.errors import UsageError
from whence.models.items import Item, Verdict
from whence.pipeline.harden import Order, filtering_of, run
from whence.pipeline.harden.adversaries import TrainedAdversary, adversary_named
from whence.pipeline.harden.compare import compare
from whence.pipeline.harden.loop import (
    STATE,
    Place,
    Plan,
    Round,
    State,
    halves,
    harden,
    question,
    start,
    stopped,
)
from whence.progress import unreported
from whence.tasks import task_named
from whence.tasks.hardening import Pool, Wanted
from whence.tasks.loading import read_dataset

ANLI = filtering_of("anli")
CIDER = filtering_of("cider-choice")
FORM = ANLI.forms["fully-connected"]


def _pools(count: int = 60) -> list[Pool]:
    """Right candidates have no mark or one, wrong ones one mark to four: most can be told by counting marks."""
    right, wrong = ("It was so.", "It was so!"), ("No!", "No!!", "No!!!", "No!!!!")
    return [Pool(f"pool-{number}", (f"First {number}.", "Then."), right, wrong) for number in range(count)]


def _marks(option: Sequence[tuple[str, str]]) -> int:
    return option[0][1].count("!")


def count_marks(learnt: Sequence[Item], asked: Sequence[Item], place: Place) -> list[Verdict]:
    """Learns whether right options have fewer marks or more; and judges by that."""
    lesson = 0
    for item in learnt:
        marks = [_marks(option) for option in item.options]
        assert item.gold is not None
        own = marks.pop(item.gold)
        lesson += sum((own < other) - (own > other) for other in marks)
    sign = (lesson > 0) - (lesson < 0)
    verdicts = []
    for item in asked:
        powers = [math.exp(-sign * _marks(option)) for option in item.options]
        verdicts.append(Verdict(item.id, tuple(power / sum(powers) for power in powers)))
    return verdicts


def _harden(work: Path, plan: Plan, pools: Sequence[Pool] = _pools(), **more: str) -> State:
    return harden(pools, ANLI, FORM, count_marks, plan, work, **more)


def test_hardening_takes_away_what_the_adversary_lives_on(tmp_path: Path) -> None:
    # At the start the right one has fewer marks in 7 of the 8 pairs and as many in one ("It was so!" and "No!").
    # In the end nearly all pairs are that one, which says nothing.
    state = _harden(tmp_path, Plan(30))
    assert state.rounds[0].accuracy > 0.7
    assert state.rounds[-1].accuracy == 0
    assert state.rounds[-1].loss == pytest.approx(math.log(2))
    assert sum((chosen.right, chosen.wrong) == (1, (0,)) for chosen in state.chosen) > 0.9 * len(state.chosen)
    assert [done.temperature for done in state.rounds] == [ANLI.temperature(n, 30) for n in range(30)]


def test_same_seed_same_result_and_another_seed_another(tmp_path: Path) -> None:
    first, second, third = (
        _harden(tmp_path / name, Plan(2, seed=seed)) for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    assert first.chosen == second.chosen
    assert first.chosen != third.chosen


def test_run_that_was_stopped_goes_on_to_the_same_end(tmp_path: Path) -> None:
    plan = Plan(5, seed=1)
    whole = _harden(tmp_path / "whole", plan)
    calls = 0

    def killed(learnt: Sequence[Item], asked: Sequence[Item], place: Place) -> list[Verdict]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return count_marks(learnt, asked, place)

    with pytest.raises(KeyboardInterrupt):
        harden(_pools(), ANLI, FORM, killed, plan, tmp_path / "parts")
    assert len(json.loads((tmp_path / "parts" / STATE).read_text())["rounds"]) == 2
    resumed = harden(_pools(), ANLI, FORM, killed, plan, tmp_path / "parts")
    assert calls == 3 + 3  # iterations 3 to 5: none of the finished ones is done again
    assert resumed.chosen == whole.chosen
    assert [done.accuracy for done in resumed.rounds] == [done.accuracy for done in whole.rounds]


def test_state_of_another_run_is_refused(tmp_path: Path) -> None:
    _harden(tmp_path, Plan(1), signature="one")
    with pytest.raises(UsageError, match="other questions or settings"):
        _harden(tmp_path, Plan(1), signature="two")


def _rounds(*accuracies: float) -> list[Round]:
    return [Round(number, value, 0.0, 10, 1, 1.0, 0.0) for number, value in enumerate(accuracies)]


@pytest.mark.parametrize(
    ("accuracies", "plan", "why"),
    [
        ((0.8, 0.7), Plan(3), ""),
        ((0.8, 0.7, 0.6), Plan(3), "3 iterations"),
        ((0.8, 0.5), Plan(9, floor=0.5), "at 0.5 or below"),
        ((0.8, 0.7, 0.75, 0.7), Plan(9, patience=2), "has not fallen for 2"),
        ((0.8, 0.7, 0.75, 0.69), Plan(9, patience=2), ""),
        ((0.8, 0.8), Plan(9, patience=2), ""),  # too early to tell
    ],
)
def test_reasons_to_stop(accuracies: tuple[float, ...], plan: Plan, why: str) -> None:
    found = stopped(_rounds(*accuracies), plan)
    assert why in found
    assert bool(found) == bool(why)


def test_groups_are_not_torn_apart() -> None:
    pools = [replace(pool, group=f"group {number // 3}") for number, pool in enumerate(_pools(30))]
    learnt, held = halves(pools, 0.7, "seed")
    assert sorted([*learnt, *held]) == list(range(30))
    assert len(learnt) == 21
    assert not {pools[place].group for place in learnt} & {pools[place].group for place in held}
    with pytest.raises(UsageError, match="1 group cannot be both"):
        halves([replace(pool, group="one") for pool in pools], 0.5, "seed")


def test_model_is_compared_on_questions_it_has_not_learnt_from(tmp_path: Path) -> None:
    pools = _pools(80)
    before = start(pools, ANLI, 0)
    after = _harden(tmp_path / "work", Plan(12), pools).chosen
    both = tuple(
        [question(pool, one, FORM, 0) for pool, one in zip(pools, some, strict=True)] for some in (before, after)
    )
    seen: list[tuple[set[str], set[str]]] = []

    def watched(learnt: Sequence[Item], asked: Sequence[Item], place: Place) -> list[Verdict]:
        seen.append(({item.id for item in learnt}, {item.id for item in asked}))
        return count_marks(learnt, asked, place)

    found = compare(watched, "marks", "fully-connected", (both[0], both[1]), tmp_path, 0)
    assert all(not learnt & asked and len(learnt | asked) == 80 for learnt, asked in seen)
    assert found.before.value is not None and found.before.value > 0.8
    # Equal options: the first place wins, and the right one is there by chance.
    assert found.after.value is not None and found.after.value < 0.7
    assert found.change.difference == pytest.approx(found.after.value - found.before.value)
    assert found.change.p is not None and found.change.p < 0.01
    again = compare(watched, "marks", "fully-connected", (both[0], both[1]), tmp_path, 0)
    assert again == found
    assert len(seen) == 4  # what is known is not computed again


@pytest.mark.parametrize(("task", "where"), [("anli", "samples"), ("cider-choice", "samples")])
def test_result_is_a_data_set_that_reloads(task: str, where: str, tmp_path: Path) -> None:
    filtering = filtering_of(task)
    order = Order(
        filtering,
        Wanted(where, Path),
        adversary_named("random", {}),
        Plan(3),
        others=(adversary_named("majority", {}),),
    )
    hardened = run(order, tmp_path)
    for when, chosen in (("before", hardened.before), ("after", hardened.after)):
        read = read_dataset(task_named(task), tmp_path / f"{when}{filtering.suffix}")
        assert not read.faults
        assert len(read.examples) == len(hardened.pools)
        for example, pool, one in zip(read.examples, hardened.pools, chosen, strict=True):
            assert example.id == pool.id
            assert pool.right[one.right] in repr(example.inputs)
    written = json.loads((tmp_path / "run.json").read_text())
    assert written["adversary"] == {"kind": "random", "settings": {}}
    assert [found["model"] for found in written["compared"]] == ["random", "majority"]
    assert len(written["rounds"]) == 3
    ElementTree.fromstring((tmp_path / "curve.svg").read_text())
    run(order, tmp_path)  # a finished run is not begun again
    assert json.loads((tmp_path / "run.json").read_text()) == written


def test_questions_are_drawn_and_the_others_counted(tmp_path: Path) -> None:
    order = Order(ANLI, Wanted("samples", Path), adversary_named("random", {}), Plan(1), at_most=5)
    hardened = run(order, tmp_path)
    assert len(hardened.pools) == 5
    assert {note.name: note.count for note in hardened.notes}["not drawn"] == 7


def test_form_that_is_none_is_refused(tmp_path: Path) -> None:
    order = Order(ANLI, Wanted("samples", Path), adversary_named("random", {}), Plan(1), form="upside-down")
    with pytest.raises(UsageError, match="there are fully-connected, linear-chain"):
        run(order, tmp_path)


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("nonsense", {}, "there is no kind of model 'nonsense'"),
        ("majority", {"epochs": "3"}, "majority models: no setting 'epochs'; there are none"),
        ("logistic", {"epochs": "many"}, "logistic models: the setting epochs cannot be 'many': .* integer"),
    ],
)
def test_adversary_that_cannot_be_is_refused(kind: str, given: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        adversary_named(kind, given)


def test_settings_are_read_as_what_they_are() -> None:
    found = adversary_named("logistic", {"epochs": "3", "rate": "1e-2"}).settings
    assert (found.epochs, found.rate) == (3, 0.01)


def test_adversary_of_a_kind_learns_in_its_folder_and_leaves_nothing(tmp_path: Path) -> None:
    pools = _pools(20)
    items = [question(pool, one, FORM, 0) for pool, one in zip(pools, start(pools, ANLI, 0), strict=True)]
    adversary = adversary_named("majority", {})
    assert isinstance(adversary, TrainedAdversary)
    verdicts = adversary(items[:12], items[12:], Place(tmp_path / "model", 0, unreported))
    assert [verdict.id for verdict in verdicts] == [item.id for item in items[12:]]
    assert not (tmp_path / "model").exists()


def test_an_adversary_learns_from_a_single_question_too(tmp_path: Path) -> None:
    items = [Item(f"q{n}", ((("a", "b"),), (("c", "d"),)), 1, group="same") for n in range(2)]
    verdicts = adversary_named("majority", {})(items[:1], items[1:], Place(tmp_path / "model", 0, unreported))
    assert [verdict.best for verdict in verdicts] == [1]  # nothing could be held out
