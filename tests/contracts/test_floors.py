"""What the trivial answers of every task keep, and those of gold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.built_in import BUILT_IN

from whence.formats import records
from whence.pipeline.floors import bounds_of
from whence.pipeline.score import score
from whence.structures.results import Measurement, Prediction
from whence.tasks.dataset import Predictions
from whence.tasks.loading import samples
from whence.tasks.scoring import SCORING_PROTOCOLS, ScoringOptions
from whence.tasks.task import AnyTask

ALL = pytest.mark.parametrize("task", BUILT_IN.values(), ids=list(BUILT_IN))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))


@ALL
def test_floors_answer_every_example_and_the_same_again(task: AnyTask) -> None:
    dataset = samples(task)
    assert task.floors()
    for floor in task.floors():
        answers = floor.answers(dataset, 0)
        assert [answer.id for answer in answers] == [example.id for example in dataset.examples]
        assert floor.answers(dataset, 0) == answers
        assert all(answer.explanation is not None for answer in answers)
        for answer in answers:  # of the task's own type
            assert records.parse_prediction(records.format_record(answer, task.form), task.form) == answer
        assert floor.description and not floor.description.endswith(".")


@ALL
def test_names_tell_floors_and_ceilings_apart(task: AnyTask) -> None:
    names = [floor.name for floor in task.floors()] + [ceiling.name for ceiling in task.ceilings()]
    assert len(set(names)) == len(names)


def _measured(task: AnyTask, answers: Any, protocol: str) -> tuple[Measurement, ...]:
    dataset = samples(task)
    given = Predictions(tuple(answers), ())
    options = ScoringOptions(protocol)
    return score(task, dataset, given, options, samples=100, floors="without models").measurements


@ALL
@pytest.mark.parametrize("protocol", SCORING_PROTOCOLS)
def test_every_figure_of_gold_has_company(task: AnyTask, protocol: str) -> None:
    golds = [Prediction(example.id, example.golds[0]) for example in samples(task).examples]
    measured = [one for one in _measured(task, golds, protocol) if one.value is not None]
    assert measured
    for one in measured:
        if all(floor.metrics and one.name not in floor.metrics for floor in task.floors()):
            continue  # no floor is meant for it
        assert one.floor is not None and one.floor_by in {floor.name for floor in task.floors()}
        assert one.above_floor is not None
        if task.name != "anlg":  # there it is one reference against the others
            assert one.ceiling == pytest.approx(one.value)


@ALL
def test_trivial_answers_are_not_above_their_floor(task: AnyTask) -> None:
    for floor in task.floors():
        for one in _measured(task, floor.answers(samples(task), 0), "official"):
            # An answer that is given a part from gold is good at that part.
            assert not one.above_floor or floor.given, (floor.name, one.name)


@ALL
def test_examples_without_gold_have_no_floors(task: AnyTask) -> None:
    dataset = samples(task)
    hidden = replace(dataset, examples=tuple(replace(example, golds=()) for example in dataset.examples))
    assert bounds_of(task, hidden, ScoringOptions()).floors == ()
    assert bounds_of(task, replace(dataset, examples=(), lines=()), ScoringOptions()).floors == ()
