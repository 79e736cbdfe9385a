"""Floors beside figures: which one, by how much, kept where, and what a damaged cache does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from whence.errors import UsageError
from whence.metrics.metric import Metric, Scores, scores
from whence.metrics.significance import resamples
from whence.metrics.similarity import SIMILARITIES, PairwiseSimilarity
from whence.pipeline import floors as module
from whence.pipeline.floors import ONE_VOTER, Bounds, add_bounds, bounds_of
from whence.pipeline.score import as_json, measure_all, score
from whence.structures.graph import StanceGraph
from whence.structures.results import Measurement, Prediction
from whence.tasks import TASKS
from whence.tasks.argument_graphs.floors import random_chain
from whence.tasks.dataset import AnyDataset, Predictions
from whence.tasks.floors import Floor, WordOverlap, content_words, most_frequent
from whence.tasks.loading import samples
from whence.tasks.scoring import ScoringOptions

GRAPHS = TASKS["explagraphs"]
RIGHT = Metric("right", "higher", (0, 1), "", "")
FAR = Metric("far", "lower", (0, 1), "", "", scale=100)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "added_metrics", lambda _: {})  # what plug-ins measure is never kept
    return tmp_path / "cache" / "floors"


def _floor(name: str, **more: Any) -> Floor:
    return Floor(name, name, lambda _, __: [], **more)


def _kept(*found: Scores) -> Any:
    return {one.metric.name: (one.statistics, one.known) for one in found}


def _bounded(found: list[Scores], bounds: Bounds) -> tuple[Measurement, ...]:
    weights = resamples(len(found[0].known), 200)
    return add_bounds(measure_all(found, weights), found, bounds, weights)


def test_the_best_trivial_answer_is_the_floor_and_lower_may_be_better() -> None:
    system = [scores(RIGHT, [1.0] * 30 + [0.0] * 10), scores(FAR, [0.2] * 20 + [0.4] * 20)]
    low = _kept(scores(RIGHT, [0.0] * 40), scores(FAR, [0.9, 0.8] * 20))
    high = _kept(scores(RIGHT, [1.0] * 30 + [0.0] * 10), scores(FAR, [0.5, 0.7] * 20))
    right, far = _bounded(system, Bounds(((_floor("low"), low), (_floor("high"), high))))
    assert (right.floor, right.floor_by, right.above_floor) == (0.75, "high", False)  # the same answers
    assert (far.floor, far.floor_by, far.above_floor) == (pytest.approx(60), "high", True)  # by hand: 100 * .6


def test_better_by_chance_is_not_above() -> None:
    system = scores(RIGHT, [1.0] * 11 + [0.0] * 9)
    trivial = scores(RIGHT, [0.0] + [1.0] * 10 + [0.0] * 9)  # one item differs: McNemar's mid-p is .5
    (found,) = _bounded([system], Bounds(((_floor("trivial"), _kept(trivial)),)))
    assert found.value is not None and found.floor is not None and found.value > found.floor
    assert found.above_floor is False


def test_a_floor_may_be_of_some_metrics_only() -> None:
    system = [scores(RIGHT, [1.0] * 4), scores(FAR, [0.2] * 4)]
    bounds = Bounds(((_floor("graphs", metrics=("far",)), _kept(*system)),))
    assert [one.floor_by for one in _bounded(system, bounds)] == ["", "graphs"]


def test_a_floor_is_given_no_more_than_the_system_knows() -> None:
    system = [scores(RIGHT, [1.0, 1.0, 0.0, 0.0]), scores(FAR, [0.3, 0.3, 1.0, 1.0])]
    noise, wrong = _kept(scores(FAR, [0.4] * 4)), _kept(scores(FAR, [1.0] * 4))
    own = Bounds(((_floor("own", metrics=("far",), given="right"), noise),), wrong)
    assert _bounded(system, own)[1].floor == pytest.approx(70)  # by hand: (.4 + .4 + 1 + 1) / 4
    assert _bounded(system[1:], own)[0].floor is None  # without the metric that says what it knows


def test_graphs_are_compared_with_noise_under_the_same_stances() -> None:
    dataset = samples(GRAPHS)
    other = {"support": "counter", "counter": "support"}
    stances = [
        other[example.golds[0].stance] if index % 4 == 0 else example.golds[0].stance
        for index, example in enumerate(dataset.examples)
    ]
    noise = [
        Prediction(example.id, StanceGraph(stance, random_chain(example, 0)))
        for example, stance in zip(dataset.examples, stances, strict=True)
    ]
    report = score(
        GRAPHS, dataset, Predictions(tuple(noise), ()), ScoringOptions(), samples=100, floors="without models"
    )
    found = {one.name: one for one in report.measurements}
    assert found["GED"].floor == pytest.approx(found["GED"].value)
    assert found["GED"].floor_by == "own stance, random chain"
    assert found["SA"].floor_by == found["StCA"].floor_by == "majority stance, random chain"


def test_what_is_measured_is_kept_and_read_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset, options = samples(GRAPHS), ScoringOptions()
    first = bounds_of(GRAPHS, dataset, options)
    (kept,) = cache.iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(module, "_measure", lambda *_, **__: pytest.fail("measured again"))
        second = bounds_of(GRAPHS, dataset, options)
    for (_, one), (_, two) in zip(first.floors, second.floors, strict=True):
        assert one.keys() == two.keys()
        assert all(np.array_equal(one[name][0], two[name][0]) for name in one)
    whole = kept.read_bytes()
    for damaged in (b"", b"nothing", whole[: len(whole) // 2]):
        kept.write_bytes(damaged)
        assert bounds_of(GRAPHS, dataset, options).floors[0][1].keys() == first.floors[0][1].keys()
    assert len(list(cache.iterdir())) == 1


def _shorter(dataset: AnyDataset) -> AnyDataset:
    return replace(dataset, examples=dataset.examples[1:], lines=dataset.lines[1:])


@pytest.mark.parametrize(
    "change",
    [
        lambda task, dataset: (task, _shorter(dataset), "official"),
        lambda task, dataset: (task, dataset, "paper"),
        lambda task, dataset: (replace(task, floors=lambda: task.floors()[:1]), dataset, "official"),
    ],
    ids=["data", "protocol", "answers"],
)
def test_something_else_is_kept_elsewhere(change: Any, cache: Path) -> None:
    bounds_of(GRAPHS, samples(GRAPHS), ScoringOptions())
    task, dataset, protocol = change(GRAPHS, samples(GRAPHS))
    bounds_of(task, dataset, ScoringOptions(protocol))
    assert len(list(cache.iterdir())) == 2


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "file"))
    assert bounds_of(GRAPHS, samples(GRAPHS), ScoringOptions()).floors


def test_models_are_asked_only_where_that_is_wanted() -> None:
    class Counted:
        name, asked = "counted", 0

        def score(self, pairs: Any) -> list[float]:
            self.asked += len(pairs)
            return [0.5] * len(pairs)

    dataset, model = samples(GRAPHS), Counted()
    options = ScoringOptions(similarity=model)
    assert "G-BS" not in bounds_of(GRAPHS, dataset, options).floors[0][1]
    assert model.asked == 0
    assert "G-BS" in bounds_of(GRAPHS, dataset, options, with_models=True).floors[0][1]
    assert model.asked > 0
    # A similarity that is a plain function takes no time.
    plain = ScoringOptions(similarity=SIMILARITIES["tokf1"])
    assert isinstance(plain.similarity, PairwiseSimilarity)
    assert "G-BS" in bounds_of(GRAPHS, dataset, plain).floors[0][1]


def test_equal_answers_of_two_floors_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    measure = module.item_scores

    def counted(task: Any, dataset: Any, answers: Any, options: Any) -> Any:
        asked.append(sum(answer is not None for answer in answers))
        return measure(task, dataset, answers, options)

    monkeypatch.setattr(module, "item_scores", counted)
    found = bounds_of(replace(GRAPHS, floors=lambda: GRAPHS.floors()[1:] * 2), samples(GRAPHS), ScoringOptions())
    assert asked[:2] == [20, 0]
    (_, one), (_, two) = found.floors
    assert all(np.array_equal(one[name][0], two[name][0]) for name in one)


def test_people_are_the_ceiling_where_they_voted() -> None:
    task = TASKS["anli"]
    dataset = samples(task)
    votes = [{"votes": {example.golds[0].name: 3, "other": 1}} for example in dataset.examples]
    examples = tuple(replace(one, meta=meta) for one, meta in zip(dataset.examples, votes, strict=True))
    voted = replace(dataset, examples=examples)
    answers = Predictions(tuple(Prediction(example.id, example.golds[0]) for example in dataset.examples), ())
    report = score(task, voted, answers, ScoringOptions(), samples=100, floors="without models")
    assert (report.measurements[0].ceiling, report.measurements[0].ceiling_by) == (0.75, ONE_VOTER)


def test_a_floor_of_another_package_must_answer_all() -> None:
    lazy = replace(GRAPHS, floors=lambda: (_floor("lazy"),))
    with pytest.raises(UsageError, match="the floor 'lazy' does not answer the examples one by one"):
        bounds_of(lazy, samples(GRAPHS), ScoringOptions())


def test_without_floors_there_are_none() -> None:
    dataset = samples(GRAPHS)
    answers = Predictions(tuple(Prediction(example.id, example.golds[0]) for example in dataset.examples), ())
    found = as_json(score(GRAPHS, dataset, answers, ScoringOptions(), samples=100))
    assert found["scores"]["SA"]["floor"] is None and "floor_by" not in found["scores"]["SA"]


@pytest.mark.parametrize(
    "values, expected",
    [(["b", "a", "b"], "b"), (["b", "a"], "a"), ([], "")],  # the first by name; nothing of nothing
)
def test_most_frequent(values: list[str], expected: str) -> None:
    assert most_frequent(values) == expected


def test_common_words() -> None:
    assert content_words("The cat is on the mat.") == {"cat", "mat"}
    assert content_words("It is.") == {"it", "is"}  # nothing else is there
    near = WordOverlap({"1": "a cat", "2": "the cat and the dog", "3": "a house"})
    assert near.nearest("Is the cat a dog?", 9) == ["2", "1"]
    assert near.nearest("cats", 9) == []
