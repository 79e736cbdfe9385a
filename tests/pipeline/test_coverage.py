"""Figures of supported answers, and the curve of risk over coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.pipeline.test_report import Page

from whence.metrics.metric import Metric, scores, unmeasured
from whence.pipeline.coverage import PARTS, coverage_scores, risk_curve
from whence.pipeline.report import report_page
from whence.pipeline.score import ScoreReport, as_json, score
from whence.structures.results import Prediction
from whence.structures.verdict import Verdict
from whence.tasks import TASKS
from whence.tasks.dataset import Predictions
from whence.tasks.loading import samples
from whence.tasks.scoring import ScoringOptions

RIGHT = Metric("right", "higher", (0, 1), "", "", scale=100)
FAR = Metric("far", "lower", (0, 1), "", "")
FOLLOWS, UNKNOWN = "follows", "unknown"


def answered(*verdicts: tuple[str, float] | None) -> list[Prediction[Any] | None]:
    return [
        Prediction(str(index), "", verdict=None if one is None else Verdict(*one, "judge@1"))
        for index, one in enumerate(verdicts)
    ]


@pytest.mark.parametrize(
    ("verdicts", "half", "tenth"),
    [
        # the two right answers are trusted most
        ([(FOLLOWS, 0.9), (FOLLOWS, 0.8), (UNKNOWN, 0.6), (UNKNOWN, 0.9)], 1.0, 1.0),
        # and least; a judge that is sure that an answer does not follow supports it least
        ([(UNKNOWN, 0.9), (UNKNOWN, 0.8), (FOLLOWS, 0.6), (FOLLOWS, 0.9)], 0.0, 0.0),
        # no verdict at all is less than any
        ([None, None, (UNKNOWN, 1.0), (UNKNOWN, 1.0)], 0.0, 0.0),
        # all alike: in random order the curve is flat
        ([(FOLLOWS, 0.7)] * 4, 0.5, 0.5),
        # the first alone, then a third of each of the others that are alike: (1 + 1/3) / 2
        ([(FOLLOWS, 0.9), (FOLLOWS, 0.7), (FOLLOWS, 0.7), (FOLLOWS, 0.7)], 2 / 3, 1.0),
    ],
)
def test_the_most_trusted_come_first(
    verdicts: Sequence[tuple[str, float] | None], half: float, tenth: float
) -> None:
    values, answers = (1.0, 1.0, 0.0, 0.0), answered(*verdicts)
    curve = risk_curve([scores(RIGHT, values)], answers, ("right",))
    assert curve is not None
    assert (curve.at(0.5), curve.at(0.1)) == (pytest.approx(half), pytest.approx(tenth))
    assert (curve.at(1.0), curve.floor, len(curve.points)) == (0.5, 0.5, PARTS)
    turned = risk_curve([scores(RIGHT, values[::-1])], answers[::-1], ("right",))
    assert turned is not None  # the order of the file changes nothing
    assert [one.value for one in turned.points] == pytest.approx([one.value for one in curve.points])


def test_several_main_metrics_are_averaged_in_their_direction() -> None:
    answers = answered((FOLLOWS, 0.9), (FOLLOWS, 0.8))
    found = [scores(RIGHT, (1.0, 0.0)), scores(FAR, (0.2, 0.6)), unmeasured(replace(FAR, name="none"), 2, "")]
    both = risk_curve(found, answers, ("right", "far", "none"))
    assert both is not None
    assert both.metrics == ("right", "far")
    assert both.at(0.5) == pytest.approx((1 + 0.8) / 2)
    first = risk_curve(found, answers, ())
    assert first is not None and first.metrics == ("right",)
    assert risk_curve(found, answers, ("none",)) is None


def test_shares_of_which_nothing_is_known_have_no_point() -> None:
    curve = risk_curve([scores(RIGHT, (None, 1.0))], answered((FOLLOWS, 0.9), (FOLLOWS, 0.8)), ())
    assert curve is not None
    assert (curve.at(0.5), curve.at(0.55)) == (None, 1.0)


def test_coverage_counts_what_follows_among_all() -> None:
    answers = [*answered((FOLLOWS, 0.6), (UNKNOWN, 0.9), None), None]
    assert coverage_scores(answers).figure() == 0.25


def report(supported: int = 6) -> ScoreReport:
    """Gold trees with verdicts, the last ones without steps and without support."""
    task = TASKS["entailmentbank-1"]
    dataset = samples(task)
    answers = []
    for index, example in enumerate(dataset.examples):
        gold = example.golds[0]
        follows = index < supported
        tree = gold if follows else replace(gold, steps=gold.steps[-1:])
        verdict = Verdict(FOLLOWS if follows else UNKNOWN, 0.9, "judge@1")
        answers.append(Prediction(example.id, tree, verdict=verdict if supported >= 0 else None))
    return score(task, dataset, Predictions(tuple(answers), ()), ScoringOptions(), samples=100)


def test_supported_figures_stand_beside_those_of_all() -> None:
    found = as_json(report())
    supported = found["supported"]
    assert (supported["coverage"], supported["n"]) == (0.6, 6)
    assert supported["low"] < 0.6 < supported["high"]
    figure = supported["scores"]["steps.f1"]
    assert (figure["value"], figure["n"], figure["missing"]) == (100, 6, 0)
    assert figure["low"] < 100
    assert found["scores"]["steps.f1"]["n"] == 10
    assert found["scores"]["steps.f1"]["value"] < 100
    assert supported["curve"]["metrics"] == ("leaves.f1", "steps.f1")


def test_nothing_changes_without_verdicts() -> None:
    """The official figures are those of all items, whoever judged them."""
    judged, plain = as_json(report()), as_json(report_without_verdicts())
    assert "supported" not in plain
    del judged["supported"]
    assert judged == plain
    assert "Supported answers" not in report_page(report_without_verdicts(), title="x")
    assert "erdict" not in Page(report_page(report_without_verdicts(), title="x")).words


def report_without_verdicts() -> ScoreReport:
    given = report()
    answers = tuple(replace(one, verdict=None) for one in given.answers if one is not None)
    return score(given.task, given.dataset, Predictions(answers, ()), ScoringOptions(), samples=100)


def test_none_that_follows_has_no_figures() -> None:
    found = as_json(report(0))["supported"]
    assert (found["coverage"], found["n"], found["scores"]["steps.f1"]["value"]) == (0, 0, None)
    assert "Figures of the supported answers alone" not in report_page(report(0), title="x")


def test_the_page_draws_the_curve_and_says_it_in_a_table() -> None:
    page = Page(report_page(report(), title="x"))
    assert "supported" in [one["id"] for one in page.named("section")]
    label = "Risk over coverage: the mean of leaves.f1 and steps.f1 of the most trusted answers"
    assert page.named("svg", role="img")[0]["aria-label"] == label
    assert "6 of 10 answers follow" in page.words
    assert "in random order 20% 1.0000" in page.words
    for share in ("20%", "40%", "60%", "80%", "100%"):
        assert share in page.words
    assert page.words.count("Verdict: \N{CHECK MARK} follows (0.90), judged by judge@1.") == 6
    assert page.words.count("Verdict: ? unknown (0.90)") == 4
