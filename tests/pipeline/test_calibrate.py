"""Calibrations and licences: a metric is printed where it tells gold from what a person would call wrong."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from whence.errors import DataError, UsageError
from whence.metrics.similarity import SIMILARITIES, Pair
from whence.models.adapters import read_adapter
from whence.models.calibration import (
    FILE,
    LEAST_AUC,
    Calibration,
    ControlFigure,
    calibration_files,
    fault_of,
    find_calibration,
    read_calibrations,
    save_calibration,
)
from whence.models.trained import BUNDLED
from whence.models.verifier.choice import ADAPTER
from whence.pipeline.calibrate import auc, calibrate, controls_for
from whence.pipeline.licences import licensed
from whence.pipeline.score import score
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.controls import GOLD, PERTURBED, RANDOM
from whence.tasks.dataset import Predictions
from whence.tasks.loading import samples
from whence.tasks.scoring import ScoringOptions

MADE = Calibration(
    "argument_graphs",
    "SeCA",
    "judge@1",
    "explagraphs",
    "dev",
    "0123456789ab",
    20,
    0,
    "2026-11-18",
    "0.1.0",
    (
        ControlFigure(GOLD, "gold graphs", 0.9),
        ControlFigure(PERTURBED, "every relation negated", 0.2, 0.85),
        ControlFigure(RANDOM, "random words", 0.1, 0.9),
    ),
)
WITH_CONTROLS = [(name, controls) for name, task in TASKS.items() for controls in task.controls()]


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        ([1.0, 1.0], [0.0, 0.0], 1.0),
        ([0.5, 0.5], [0.5, 0.5], 0.5),  # ties count half
        ([1.0, 0.0], [0.5, None], 0.5),  # unknown values do not count
        ([3.0, 1.0], [2.0, 0.0], 0.75),  # by hand: three of four pairs
    ],
)
def test_auc(right: Sequence[float], wrong: Sequence[float | None], expected: float) -> None:
    assert auc(right, wrong) == expected
    assert auc(right, wrong, "lower") == pytest.approx(1 - expected)


@pytest.mark.parametrize(
    ("task", "controls"), WITH_CONTROLS, ids=lambda value: str(getattr(value, "scorer", value))
)
def test_controls_keep_their_contract(task: str, controls: object) -> None:
    """Gold first, then perturbed and random answers that differ from it, one for each example; by a seed alone."""
    chosen = next(one for one in TASKS[task].controls() if one == controls)
    made, again = (chosen.make(samples(TASKS[task]), random.Random(3)) for _ in range(2))
    assert made[0].kind == GOLD
    assert {PERTURBED, RANDOM} <= {control.kind for control in made}
    assert made == again
    gold = made[0]
    for control in made:
        assert len(control.answers) == len(control.dataset.examples) > 5
        changed = [one != other for one, other in zip(control.answers, gold.answers, strict=True)]
        assert control is gold or sum(changed) > 0.9 * len(changed), control.name
    assert set(chosen.metrics) <= {one.metric.name for one in _scores(task)}
    assert chosen.scorer in TASKS[task].scoring().uses


def _scores(task: str) -> Sequence[object]:
    dataset = samples(TASKS[task])
    answers = [Prediction(example.id, example.golds[0]) for example in dataset.examples]
    return TASKS[task].scoring().score(dataset, answers, ScoringOptions())  # type: ignore[return-value]


def test_every_scorer_that_a_built_in_task_uses_can_be_calibrated() -> None:
    for task in TASKS.values():
        if task.family in ("argument_graphs", "entailment_trees", "abduction"):
            wanted = set(task.scoring().uses) - {"synonyms"}
            assert {controls.scorer for controls in task.controls()} == wanted, task.name


def test_wrong_graphs_pass_the_gate() -> None:
    """What fails StCA gets 0 from any model, which would show nothing about this one."""
    task, dataset = TASKS["explagraphs"], samples(TASKS["explagraphs"])
    for control in controls_for(task, "SeCA").make(dataset, random.Random(0)):
        found = {one.metric.name: one for one in task.scoring().score(dataset, control.answers, ScoringOptions())}
        assert found["StCA"].figure() == 1, control.name


class Oracle:
    """Knows the gold graphs, and calls everything else incorrect."""

    name = "oracle@1"

    def __init__(self, answers: Mapping[Pair, str]) -> None:
        self._answers = answers

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        rows = []
        for pair in pairs:
            said = self._answers.get(pair, "incorrect")
            rows.append({label: float(label == said) for label in ("support", "counter", "incorrect")})
        return rows


def test_a_model_that_knows_gold_is_licensed(monkeypatch: pytest.MonkeyPatch) -> None:
    from whence.tasks.argument_graphs.heads.texts import semantic_pair

    task, dataset = TASKS["explagraphs"], samples(TASKS["explagraphs"])
    known = {semantic_pair(e.inputs, e.golds[0].graph): e.golds[0].stance for e in dataset.examples}
    monkeypatch.setattr("whence.pipeline.calibrate.classifier_named", lambda *_: Oracle(known))
    found = calibrate(task, "SeCA", "oracle", dataset, "samples")
    assert found.gold_figure == 1 and found.hardest.auc == 1 and found.n == 20
    assert fault_of(found, controls_for(task, "SeCA").least_gold) == ""


def test_equal_texts_alone_are_no_similarity() -> None:
    """Gold is compared with gold in other words: one that knows only equal texts tells nothing."""
    task = TASKS["explagraphs"]
    found = calibrate(task, "G-BS", "exact", samples(task), "samples")
    assert found.gold_figure == 0
    assert found.hardest.auc == 0.5


def test_a_licence_is_refused_by_the_least_of_its_figures() -> None:
    assert fault_of(MADE, 0.75) == ""
    low = replace(MADE, figures=(replace(MADE.figures[0], figure=0.3), *MADE.figures[1:]))
    assert "gold gets SeCA 0.300, and should get 0.75 (perturbed 0.200, random 0.100)" in fault_of(low, 0.75)
    assert fault_of(low, None) == ""
    figures = (*MADE.figures[:2], replace(MADE.figures[2], auc=LEAST_AUC - 0.01))
    assert "random (random words) 0.100: AUC 0.79" in fault_of(replace(MADE, figures=figures), 0.75)


def test_a_calibration_comes_back_and_is_of_one_model(tmp_path: Path) -> None:
    path = tmp_path / "new" / FILE
    save_calibration(path, MADE)
    other = replace(MADE, metric="EA")
    save_calibration(path, other)
    save_calibration(path, replace(MADE, n=21))  # in the place of the first
    assert {(one.metric, one.n) for one in read_calibrations(path)} == {("SeCA", 21), ("EA", 20)}
    assert find_calibration([tmp_path / "none", path], "argument_graphs", "EA", "judge@1") == other
    assert find_calibration([path], "argument_graphs", "EA", "judge@2") is None  # it was trained again


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 2}', '{"version": 1, "calibrations": [{"n": "many"}]}'])
def test_a_broken_file_is_one_clear_error(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=FILE):
        read_calibrations(tmp_path / FILE)


def test_no_metric_no_calibration() -> None:
    with pytest.raises(UsageError, match="it has SeCA, EA, G-BS"):
        controls_for(TASKS["explagraphs"], "SA")
    with pytest.raises(UsageError, match="it has none"):
        controls_for(TASKS["worldtree"], "NDCG")


def test_what_ships_is_calibrated_and_says_nothing_of_others() -> None:
    shipped = {path.parent.name: read_calibrations(path) for path in BUNDLED.glob(f"*/{FILE}")}
    assert {"explagraphs.seca", "explagraphs.ea", "entailmentbank-1.step"} <= set(shipped)
    assert {f"similarity.{name}" for name in ("exact", "tokf1", "embedded", "embedded-cosine")} <= set(shipped)
    for rows in shipped.values():
        for one in rows:
            assert (one.gold, one.whence != "", len(one.data)) == ("dev", True, 12)
    (seca,) = shipped["explagraphs.seca"]
    assert "should get 0.75" in fault_of(seca, controls_for(TASKS["explagraphs"], "SeCA").least_gold)


def test_the_verifier_that_ships_has_a_licence_of_its_own_fingerprint() -> None:
    """Where this fails, the adapter was exchanged: calibrate it again, and write the file beside it."""
    (found,) = read_calibrations(ADAPTER / FILE)
    assert found.model.endswith(f"+{ADAPTER.name}@{read_adapter(ADAPTER).digest[:8]}")
    assert (found.family, found.metric, found.gold) == ("entailment_trees", "steps.valid", "dev")
    assert fault_of(found, None) == ""
    assert calibration_files("reader", "entailmentbank-1/step")[-1] == ADAPTER / FILE


def _report(options: ScoringOptions):  # type: ignore[no-untyped-def]
    task = TASKS["explagraphs"]
    dataset = samples(task)
    answers = tuple(Prediction(example.id, example.golds[0]) for example in dataset.examples)
    return score(task, dataset, Predictions(answers, ()), options, samples=100)


def test_scorers_without_a_licence_measure_nothing() -> None:
    task, given = TASKS["explagraphs"], ScoringOptions(similarity=SIMILARITIES["tokf1"])
    refused = _report(licensed(task, given, {"similarity": "tokf1"}))
    figure = {one.name: one for one in refused.measurements}["G-BS"]
    assert figure.value is None
    assert figure.note.startswith("no licence: gold gets G-BS 0.642") and "--uncalibrated" in figure.note
    assert "similarity" not in str(refused.signature)
    warned = _report(licensed(task, given, {"similarity": "tokf1"}, uncalibrated=True))
    figure = {one.name: one for one in warned.measurements}["G-BS"]
    assert figure.value == 1
    assert "with tokf1; WARNING, no licence: gold gets G-BS 0.642" in figure.note
    assert "similarity:tokf1|similarity_licence:none" in str(warned.signature)
    plain = _report(given)  # from Python, what is handed in is used
    assert {one.name: one for one in plain.measurements}["G-BS"].note == "with tokf1"
