"""What every metric keeps, whichever task it is of."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from whence.errors import UsageError
from whence.metrics.metric import Scores
from whence.metrics.similarity import SIMILARITIES
from whence.pipeline.score import align, as_json, score, slice_names
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.dataset import AnyDataset, Predictions
from whence.tasks.loading import samples
from whence.tasks.scoring import SCORING_PROTOCOLS, ScoringOptions
from whence.tasks.task import AnyTask

ALL = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
PROTOCOL = pytest.mark.parametrize("protocol", SCORING_PROTOCOLS)

NOT_PERFECT_ON_GOLD = {
    "cider",  # CIDEr-D depends on how rare the words are
    "NDCG",  # a set of facts is no ranking
    "relevance", "f1", "f1_b",  # a gold fact may be rated irrelevant
    "meteor",  # its penalty for chunks is never 0
    "bertscore",  # a mean over references that differ
    "pm",  # an exact match is no partial one
}  # fmt: skip

NOT_WORST_ON_NOTHING = {
    "NDCG",  # the released one puts missing facts a million ranks away, which is not quite nothing
    "bertscore",  # nothing is like nothing, 0; unlike can be less
}


def _options(protocol: str = "official") -> ScoringOptions:
    return ScoringOptions(protocol, similarity=SIMILARITIES["tokf1"])


def _gold(dataset: AnyDataset) -> Predictions[Any]:
    answers = tuple(Prediction(example.id, example.golds[0]) for example in dataset.examples)
    return Predictions(answers, tuple(range(1, len(answers) + 1)))


def _scores(task: AnyTask, answers: Predictions[Any], protocol: str = "official") -> tuple[Scores, ...]:
    return score(task, samples(task), answers, _options(protocol), lenient=True, samples=100).scores


@ALL
@PROTOCOL
def test_gold_is_as_good_as_can_be(task: AnyTask, protocol: str) -> None:
    found = _scores(task, _gold(samples(task)), protocol)
    assert len({scores.metric.name for scores in found}) == len(found)
    measured = [scores for scores in found if scores.figure() is not None]
    assert measured
    for scores in measured:
        if scores.metric.name not in NOT_PERFECT_ON_GOLD:
            best = scores.metric.bounds[1] if scores.metric.better == "higher" else scores.metric.bounds[0]
            assert scores.figure() == pytest.approx(best), scores.metric.name


@ALL
@PROTOCOL
def test_no_answers_are_as_bad_as_can_be_and_never_a_crash(task: AnyTask, protocol: str) -> None:
    for scores in _scores(task, Predictions((), ()), protocol):
        value = scores.figure()
        if value is not None and scores.metric.name not in NOT_WORST_ON_NOTHING:
            worst = scores.metric.bounds[0] if scores.metric.better == "higher" else scores.metric.bounds[1]
            assert value == pytest.approx(worst), scores.metric.name
        assert value is not None or scores.note


@ALL
def test_unreadable_answers_never_crash(task: AnyTask) -> None:
    dataset = samples(task)
    for raw in ("", "nonsense", "\t", "$proof$ = ", "support\t()"):
        answers = tuple(Prediction(example.id, None, raw) for example in dataset.examples)
        for scores in _scores(task, Predictions(answers, tuple(range(1, len(answers) + 1)))):
            assert len(scores.known) == len(dataset.examples)


@ALL
def test_values_are_within_bounds(task: AnyTask) -> None:
    dataset = samples(task)
    shifted = (*dataset.examples[1:], dataset.examples[0])
    answers = tuple(
        Prediction(example.id, other.golds[0]) for example, other in zip(dataset.examples, shifted, strict=True)
    )
    for scores in _scores(task, Predictions(answers, tuple(range(1, len(answers) + 1)))):
        low, high = scores.metric.bounds
        assert all(low - 1e-9 <= value <= high + 1e-9 for value in scores.by_item() if value is not None)
        figure = scores.figure()
        assert figure is None or low - 1e-9 <= figure <= high + 1e-9


@ALL
@PROTOCOL
def test_figures_lie_in_their_intervals_and_these_in_the_bounds(task: AnyTask, protocol: str) -> None:
    """Answers of other examples, gold ones and none, drawn at random: rare classes, few items, equal ones."""
    dataset = samples(task)
    generator = np.random.default_rng(0)
    for share in (0.0, 0.3, 0.9, 1.0):
        answers = tuple(
            Prediction(example.id, example.golds[0] if generator.random() < share else other.golds[0])
            for example, other in zip(
                dataset.examples, generator.permutation(np.array(dataset.examples, dtype=object)), strict=True
            )
            if generator.random() < 0.9
        )
        given = Predictions(answers, tuple(range(1, len(answers) + 1)))
        report = score(task, dataset, given, _options(protocol), lenient=True, samples=100, against=_gold(dataset))
        for scores, found in zip(report.scores, report.measurements, strict=True):
            assert (found.value is None) == (found.low is None) == (found.high is None)
            if found.value is None or found.low is None or found.high is None:
                continue
            low, high = (bound * scores.metric.scale for bound in scores.metric.bounds)
            assert low - 1e-9 <= found.low <= found.value <= found.high <= high + 1e-9, found
            assert found.low < found.high, found
        for change in report.comparison:
            if change.difference is not None:
                assert change.low is not None and change.high is not None and change.p is not None
                assert change.low <= change.difference <= change.high
                assert 0 <= change.p <= 1 and change.test


@ALL
def test_order_of_predictions_does_not_matter(task: AnyTask) -> None:
    dataset = samples(task)
    forward = _gold(dataset)
    backward = replace(forward, predictions=forward.predictions[::-1])
    for one, two in zip(_scores(task, forward), _scores(task, backward), strict=True):
        assert np.array_equal(one.statistics, two.statistics)


@ALL
def test_report_is_reproducible_and_complete(task: AnyTask) -> None:
    dataset = samples(task)
    names = list(slice_names(task))
    first, second = (
        score(task, dataset, _gold(dataset), _options(), by=names, against=_gold(dataset), samples=200)
        for _ in range(2)
    )
    assert as_json(first) == as_json(second)
    found = as_json(first)
    assert found["n"] == len(dataset.examples)
    assert set(found["slices"] if names else {}) == set(names)
    for name, figure in found["scores"].items():
        assert set(figure) >= {"value", "low", "high", "n", "missing"}
        assert figure["n"] + figure["missing"] == found["n"], name
    assert all(d["difference"] in (0, None) for d in found["comparison"].values())
    assert f"task:{task.name}|" in found["signature"]


def test_missing_and_repeated_answers_are_refused_unless_lenient() -> None:
    task = TASKS["explagraphs"]
    dataset = samples(task)
    gold = _gold(dataset)
    few = Predictions(gold.predictions[1:], gold.lines[1:])
    with pytest.raises(UsageError, match=r"examples without a prediction: 1 \(sample-graph-01\)"):
        align(dataset, few)
    twice = Predictions((*gold.predictions, gold.predictions[0]), (*gold.lines, 21))
    with pytest.raises(UsageError, match=r"more than one prediction: 1 \(sample-graph-01\)"):
        align(dataset, twice)
    answers, notes = align(dataset, few, lenient=True)
    assert answers[0] is None
    assert [(note.name, note.count) for note in notes] == [("missing", 1)]


def test_examples_without_gold_are_refused() -> None:
    task = TASKS["explagraphs"]
    dataset = samples(task)
    hidden = replace(dataset, examples=tuple(replace(example, golds=()) for example in dataset.examples))
    with pytest.raises(UsageError, match="no gold"):
        score(task, hidden, _gold(dataset), _options())


def test_unknown_protocol_and_breakdown_are_refused() -> None:
    task = TASKS["explagraphs"]
    dataset = samples(task)
    with pytest.raises(UsageError, match="no protocol 'mine'"):
        score(task, dataset, _gold(dataset), _options("mine"))
    with pytest.raises(UsageError, match="cannot be broken down by 'colour'"):
        score(task, dataset, _gold(dataset), _options(), by=["colour"])


@ALL
def test_what_is_said_to_be_used_can_be_handed_in_and_is_used(task: AnyTask) -> None:
    assert set(task.scoring().uses) <= {field.name for field in fields(ScoringOptions)}
    figures = {found.metric.name: found.figure() for found in _scores(task, _gold(samples(task)))}
    without = score(task, samples(task), _gold(samples(task)), ScoringOptions(), lenient=True, samples=100).scores
    changed = figures != {found.metric.name: found.figure() for found in without}
    assert changed == ("similarity" in task.scoring().uses)
