"""Scores a system's answers: figures with intervals, slices, failure causes, comparison, human correction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from whence.errors import UsageError
from whence.metrics.metric import Scores
from whence.metrics.significance import (
    Weights,
    holm,
    intervals,
    paired,
    resamples,
)
from whence.pipeline.check import check_predictions
from whence.pipeline.correct import Correction
from whence.pipeline.coverage import (
    Supported,
    coverage_scores,
    has_verdicts,
    risk_curve,
    supported_items,
)
from whence.pipeline.floors import add_bounds, bounds_of
from whence.pipeline.item_scores import item_scores
from whence.pipeline.licences import with_remarks, without_refused
from whence.pipeline.mending import before_mending, mended_count, mended_notes
from whence.pipeline.people import people_of
from whence.pipeline.signature import Signature, signature
from whence.structures.facts import Fact
from whence.structures.results import Example, Judgement, Measurement, Prediction
from whence.tasks import task_named
from whence.tasks.dataset import REREAD, AnyDataset, Dataset, Note, Predictions
from whence.tasks.scoring import SCORING_PROTOCOLS, Answers, ScoringOptions
from whence.tasks.scoring import Slice as SliceOf
from whence.tasks.task import AnyTask

SAMPLES = 1000
"""How many resamples an interval is made of, unless told otherwise."""

SCORER_PARAMETERS = ("similarity", "graph_classifier", "stance_classifier", "step_classifier", "synonyms")
"""Parameters that name what measured a figure: they stand beside it, so that no figure passes for another's."""


Floors = Literal["none", "without models", "with models"]
"""Whether floors and ceilings stand beside figures: those of metrics that need a model take as long again."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How a metric differs between two systems on the same items: second minus first."""

    name: str
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    """Two-sided, of the test that is named."""
    test: str
    p_corrected: float | None
    """The same after Holm's correction for the number of metrics."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The figures of the examples that fall into one group."""

    group: str
    n: int
    measurements: tuple[Measurement, ...]


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """Everything there is to say about one run; `scores` keeps a value for every item."""

    task: AnyTask
    dataset: AnyDataset
    answers: Answers
    protocol: str
    signature: Signature
    scores: tuple[Scores, ...]
    measurements: tuple[Measurement, ...]
    problems: Counter[str]
    causes: Counter[str]
    notes: tuple[Note, ...]
    slices: Mapping[str, tuple[Slice, ...]] = field(default_factory=dict)
    comparison: tuple[Difference, ...] = ()
    people: Mapping[str, tuple[Measurement, ...]] = field(default_factory=dict)
    """How good people are and how far they agree, where the data or judgements say."""
    before: tuple[Measurement, ...] = ()
    """The figures of the answers as they were before some of them were mended."""
    supported: Supported | None = None
    """The figures of the answers that follow; None where no answer has a verdict."""

    @property
    def unread(self) -> tuple[Prediction[Any], ...]:
        """Answers that are there and could not be read."""
        return tuple(answer for answer in self.answers if answer is not None and answer.explanation is None)

    @property
    def reading(self) -> dict[str, int]:
        """How many answers were read, could not be, are missing; and how many of those read were mended."""
        missing = sum(answer is None for answer in self.answers)
        unread = len(self.unread)
        return {
            "read": len(self.answers) - unread - missing,
            "unread": unread,
            "missing": missing,
            "mended": mended_count(self.answers),
        }


def why_unread(answer: Prediction[Any]) -> str:
    """The reason why an answer could not be read."""
    return "; ".join(problem.message for problem in answer.problems) or "there is no explanation"


def align(
    dataset: AnyDataset, predictions: Predictions[Any], *, lenient: bool = False
) -> tuple[Answers, tuple[Note, ...]]:
    """One answer for each example, found by id; among examples of one id, in order.

    An example without an answer and an id with more answers than examples would change figures by a guess: they
    are refused. Lenient, the first is wrong, and of the second the first answers count; both are counted.
    """
    waiting: dict[str, list[Prediction[Any]]] = {}
    for prediction in predictions.predictions:
        waiting.setdefault(prediction.id, []).append(prediction)
    answers = [found.pop(0) if (found := waiting.get(example.id)) else None for example in dataset.examples]
    known = {example.id for example in dataset.examples}
    missing = sum(answer is None for answer in answers)
    repeated = sum(len(left) for name, left in waiting.items() if name in known)
    unknown = sum(len(left) for name, left in waiting.items() if name not in known)
    if predictions.predictions and missing == len(answers):
        raise UsageError("no prediction is for an example of the gold file: is it the right one?")
    if not lenient and missing:
        names = [example.id for example, answer in zip(dataset.examples, answers, strict=True) if answer is None]
        raise UsageError(f"examples without a prediction: {_some(names)}. Add --lenient to count them as wrong.")
    if not lenient and repeated:
        names = [name for name, left in waiting.items() if left and name in known]
        raise UsageError(
            f"ids with more than one prediction: {_some(names)}. Add --lenient to keep the first of each."
        )
    counts = (
        ("missing", missing, "examples without a prediction, counted as wrong"),
        ("repeated", repeated, "predictions that repeat an id, left out"),
        ("unknown", unknown, "predictions for examples that are not in the gold file, left out"),
    )
    return answers, tuple(Note(name, count, text) for name, count, text in counts if count)


def _some(names: Sequence[str], shown: int = 3) -> str:
    """How many, and which the first are."""
    more = ", ..." if len(names) > shown else ""
    return f"{len(names):,} ({', '.join(names[:shown])}{more})"


def score(
    task: AnyTask,
    dataset: AnyDataset,
    predictions: Predictions[Any],
    options: ScoringOptions,
    *,
    lenient: bool = False,
    by: Sequence[str] = (),
    against: Predictions[Any] | None = None,
    judgements: Sequence[Judgement] = (),
    samples: int = SAMPLES,
    seed: int = 0,
    floors: Floors = "none",
) -> ScoreReport:
    """Scores the predictions for a data set; `against` are another system's, for the same examples.

    `floors`: whether trivial and gold answers are measured beside them, and by models too if any are handed in.
    """
    if options.protocol not in SCORING_PROTOCOLS:
        raise UsageError(f"there is no protocol '{options.protocol}'; there are {', '.join(SCORING_PROTOCOLS)}")
    options = without_refused(task, options)
    # What judges the steps of trees needs no gold.
    if options.step_classifier is None and not all(example.golds for example in dataset.examples):
        refused = options.licences.get((task.family, "step_classifier"))
        if refused is not None and not refused.granted:
            raise UsageError(f"there is no gold to score against, and --step has {refused.remark}")
        hidden = sum(not example.golds for example in dataset.examples)
        raise UsageError(f"{hidden} of {len(dataset.examples)} examples have no gold explanation to score against")
    answers, notes = align(dataset, predictions, lenient=lenient)
    scores = item_scores(task, dataset, answers, options)
    weights = resamples(len(answers), samples, seed)
    mended = mended_count(answers)
    unmended = item_scores(task, dataset, before_mending(answers), options) if mended else ()
    before = measure_all(unmended, weights)
    comparison: tuple[Difference, ...] = ()
    if against is not None:
        others, more = align(dataset, against, lenient=lenient)
        notes += more
        comparison = compare(item_scores(task, dataset, others, options), scores, weights)
    measured = measure_all(scores, weights)
    if floors != "none":
        bounds = bounds_of(task, dataset, options, with_models=floors == "with models")
        measured = add_bounds(measured, scores, bounds, weights)
    return ScoreReport(
        task,
        dataset,
        answers,
        options.protocol,
        signature(task, dataset, options, scores, _changed(predictions, mended)),
        scores,
        measured,
        _problems(task, dataset, answers, options),
        task.scoring().failures(dataset, answers, options),
        dataset.notes + predictions.notes + notes + mended_notes(mended, before) + _same_judge(answers, options),
        {name: slices(task, dataset, scores, weights, name) for name in by},
        comparison,
        people_of(task, dataset, judgements),
        before,
        supported_figures(task, answers, scores, weights, options),
    )


def measure(found: Scores, weights: Weights) -> Measurement:
    """The figure of a metric with its interval, in the scale in which the released evaluator prints it."""
    return measure_all([found], weights)[0]


def measure_all(scores: Sequence[Scores], weights: Weights) -> tuple[Measurement, ...]:
    """Figures of metrics with their intervals, in the scale in which the released evaluator prints them."""
    return tuple(
        _measurement(found, between) for found, between in zip(scores, intervals(scores, weights), strict=True)
    )


def _measurement(found: Scores, between: tuple[float | None, float | None]) -> Measurement:
    (low, high), value, scale = between, found.figure(), found.metric.scale
    count = int(found.known.sum())
    return Measurement(
        found.metric.name,
        _scaled(value, scale),
        count,
        len(found.known) - count,
        _scaled(low, scale),
        _scaled(high, scale),
        note=_note(found),
    )


def _note(found: Scores) -> str:
    """What the figure was measured with, and what else there is to know."""
    named = (found.parameters.get(name, "none") for name in SCORER_PARAMETERS)
    means = [name for name in named if name != "none"]
    return "; ".join([*(f"with {name}" for name in means), *([found.note] if found.note else [])])


def _scaled(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale


def slices(
    task: AnyTask, dataset: AnyDataset, scores: Sequence[Scores], weights: Weights, name: str
) -> tuple[Slice, ...]:
    """Figures of the groups that a breakdown puts the examples into; an example may be in several."""
    known = slice_names(task)
    if name not in known:
        raise UsageError(
            f"{task.name} cannot be broken down by '{name}'; it can by {', '.join(known) or 'nothing'}"
        )
    groups = [known[name](example) for example in dataset.examples]
    found = []
    for group in sorted({group for some in groups for group in some}, key=_natural):
        mask = np.array([group in some for some in groups], dtype=np.bool_)
        parts = [replace(one, known=one.known & mask) for one in scores]
        found.append(Slice(group, int(mask.sum()), measure_all(parts, weights)))
    return tuple(found)


def supported_figures(
    task: AnyTask, answers: Answers, scores: Sequence[Scores], weights: Weights, options: ScoringOptions
) -> Supported | None:
    """The figures of the answers that follow alone, and the curve of risk; None where no answer has a verdict."""
    if not has_verdicts(answers):
        return None
    mask = supported_items(answers)
    count = int(mask.sum())
    # Notes of a metric are about all items; what its licence says, and why it was not measured, stays true.
    parts = [replace(one, known=one.known & mask, note="" if one.known.any() else one.note) for one in scores]
    parts = with_remarks(task, options, parts)
    return Supported(
        count,
        measure(coverage_scores(answers), weights),
        tuple(replace(one, missing=count - (one.n or 0)) for one in measure_all(parts, weights)),
        risk_curve(scores, answers, task.scoring().main),
    )


def _same_judge(answers: Answers, options: ScoringOptions) -> tuple[Note, ...]:
    """Says where the judge of steps judged the answers before, for then they may be those that it likes."""
    if options.step_classifier is None:
        return ()
    verdicts = [None if answer is None else answer.verdict for answer in answers]
    count = sum(one is not None and one.judge == options.step_classifier.name for one in verdicts)
    said = "answers have verdicts of the model behind --step; if it chose them, steps.valid is too high"
    return (Note("same judge", count, said),) if count else ()


def _natural(text: str) -> tuple[int, str]:
    digits = "".join(character for character in text.split("-")[0] if character.isdigit())
    return (int(digits) if digits else 10**9, text)


def slice_names(task: AnyTask) -> Mapping[str, SliceOf]:
    """The breakdowns that a task has."""
    return task.scoring().slices


def compare(first: Sequence[Scores], second: Sequence[Scores], weights: Weights) -> tuple[Difference, ...]:
    """How each metric differs from the first system to the second, tested on the same items."""
    found = []
    for one, two in zip(first, second, strict=True):
        scale, name = two.metric.scale, two.metric.name
        result = paired(one, two, weights)
        known = result.difference is not None
        found.append(
            Difference(
                name,
                _scaled(one.figure(), scale) if known else None,
                _scaled(two.figure(), scale) if known else None,
                _scaled(result.difference, scale),
                _scaled(result.low, scale),
                _scaled(result.high, scale),
                result.p,
                result.test,
                None,
            )
        )
    return _corrected(found)


def _corrected(found: Sequence[Difference]) -> tuple[Difference, ...]:
    tested = [difference.p for difference in found if difference.p is not None]
    corrected = iter(holm(tested))
    return tuple(
        replace(difference, p_corrected=next(corrected)) if difference.p is not None else difference
        for difference in found
    )


def _changed(predictions: Predictions[Any], mended: int) -> dict[str, str]:
    """How many answers are not as the system wrote them: restated by a model, or mended."""
    restated = {note.name: str(note.count) for note in predictions.notes if note.name == REREAD}
    return restated | ({"mended": str(mended)} if mended else {})


def with_contexts(dataset: AnyDataset, other: AnyDataset) -> AnyDataset:
    """The examples with the inputs that another file gives them; both must have the same ids in the same order."""
    if [example.id for example in dataset.examples] != [example.id for example in other.examples]:
        raise UsageError("the file of contexts does not have the ids of the gold file in the same order")
    examples = tuple(
        replace(example, inputs=given.inputs)
        for example, given in zip(dataset.examples, other.examples, strict=True)
    )
    return replace(dataset, examples=examples)


def as_json(report: ScoreReport, corrections: Sequence[Correction] = ()) -> dict[str, Any]:
    """The report for machines."""
    found: dict[str, Any] = {
        "task": report.task.name,
        "n": len(report.answers),
        **report.reading,
        "protocol": report.protocol,
        "signature": str(report.signature),
        "scores": _figures(report.measurements),
        "problems": dict(report.problems.most_common()),
        "causes": dict(report.causes.most_common()),
        "notes": [{"name": note.name, "count": note.count, "text": note.text} for note in report.notes],
    }
    if report.before:
        found["before_mending"] = _figures(report.before)
    if report.supported is not None:
        found["supported"] = _supported_json(report.supported)
    if report.slices:
        found["slices"] = {
            name: {part.group: {"n": part.n, "scores": _figures(part.measurements)} for part in parts}
            for name, parts in report.slices.items()
        }
    if report.comparison:
        found["comparison"] = {difference.name: asdict(difference) for difference in report.comparison}
    if report.people:
        found["people"] = {title: _figures(measured) for title, measured in report.people.items()}
    if corrections:
        found["corrections"] = {correction.name: asdict(correction) for correction in corrections}
    return found


def _figures(measurements: Sequence[Measurement]) -> dict[str, Any]:
    return {
        found.name: {
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "missing": found.missing,
            "floor": found.floor,
            "ceiling": found.ceiling,
            **_company(found),
            **({"note": found.note} if found.note else {}),
        }
        for found in measurements
    }


def _supported_json(supported: Supported) -> dict[str, Any]:
    coverage, curve = supported.coverage, supported.curve
    return {
        "coverage": coverage.value,
        "low": coverage.low,
        "high": coverage.high,
        "n": supported.n,
        "scores": _figures(supported.measurements),
        "curve": None if curve is None else asdict(curve),
    }


def _company(found: Measurement) -> dict[str, Any]:
    """Whose answers floor and ceiling are, and whether the figure is above its floor; as far as they are known."""
    known = {"floor_by": found.floor_by, "ceiling_by": found.ceiling_by, "above_floor": found.above_floor}
    return {name: value for name, value in known.items() if value not in ("", None)}


def _problems(task: AnyTask, dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> Counter[str]:
    rules = "paper" if options.protocol == "paper" else "official"
    asked = [pair for pair in zip(dataset.examples, answers, strict=True) if pair[1] is not None]
    measure = partial(_broken_rules, task.name, rules, dataset.facts)
    return Counter(rule for broken in options.measured(measure, asked) for rule in broken)


def _broken_rules(
    task: str,
    protocol: str,
    facts: Mapping[str, Fact],
    _: ScoringOptions,
    asked: Sequence[tuple[Example[Any, Any], Prediction[Any]]],
) -> list[list[str]]:
    """The rules that each answer breaks."""
    lines = tuple(range(1, len(asked) + 1))
    gold = Dataset(tuple(example for example, _ in asked), lines, facts=facts)
    given = Predictions(tuple(answer for _, answer in asked), lines)
    report = check_predictions(task_named(task), given, gold, protocol)
    return [[problem.rule for problem in item.problems] for item in report.items]
