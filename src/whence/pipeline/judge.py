"""Judges one answer: what a scorer of a harness or a reward of a trainer asks for.

Figures are those of `whence score` for the answer alone, as shares. There are no intervals, no agreement, and no
models but those that are handed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from types import UnionType
from typing import Any

from whence.checks.rule import check
from whence.errors import DataError, UsageError, quoted
from whence.files import dump_json, parse_json_object
from whence.formats import records
from whence.formats.llm_text import Unread
from whence.metrics.metric import Scores
from whence.pipeline.item_scores import item_scores
from whence.structures.facts import Fact
from whence.structures.results import Example, Prediction, Problem
from whence.tasks.dataset import AnyDataset, Dataset
from whence.tasks.loading import rules_of
from whence.tasks.logged import explanation_in, prediction_in
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask

NO_FACTS: Mapping[str, Fact] = {}
OFFICIAL = ScoringOptions()
OF_ALL = "only all answers together have it"


@dataclass(frozen=True, slots=True)
class Judged:
    """What one answer is worth."""

    value: float | None
    """From 0 to 1, higher is better: the mean of the task's main metrics. 0 where the answer was not read or
    breaks a rule that gold keeps; None where there is no gold to compare with."""
    figures: Mapping[str, float | None]
    """Each metric from 0 to 1, in its own direction (GED is a distance); None where it is unknown."""
    problems: tuple[Problem, ...]
    """The rules that the answer breaks."""
    read: bool
    reason: str = ""
    """Why the answer was not read."""
    explanation: Any = None
    """What was read."""
    unknown: Mapping[str, str] = field(default_factory=dict)
    """Why figures are None."""


def judge(
    task: AnyTask,
    inputs: Any,
    text: str,
    gold: Any = None,
    metrics: Sequence[str] | None = None,
    *,
    facts: Mapping[str, Fact] = NO_FACTS,
    options: ScoringOptions = OFFICIAL,
) -> Judged:
    """Judge a model's text as an answer to the inputs; with `metrics`, by these alone."""
    if not isinstance(text, str):
        raise UsageError(f"an answer is a text, not {type(text).__name__}")
    example = example_of(task, inputs, gold, facts)
    dataset: AnyDataset = Dataset((example,), (1,), facts=facts)
    answer = prediction_in(task, text, example, dataset)
    read = answer.explanation is not None
    problems = _problems(task, dataset, answer.explanation, options) if read else ()
    scores = _measured(task, dataset, answer, options)
    names = _asked(task, scores, metrics)
    figures = {name: _share(scores[name]) for name in scores if metrics is None or name in names}
    unknown = {name: _why(scores[name]) for name, figure in figures.items() if figure is None}
    for name in set(task.scoring().together).intersection(figures):
        figures[name], unknown[name] = None, OF_ALL
    return Judged(
        0.0 if not read or _is_invalid(task, dataset, problems, options) else _value(scores, figures, names),
        figures,
        problems,
        read,
        "" if read else "; ".join(problem.message for problem in answer.problems),
        answer.explanation,
        unknown,
    )


def example_of(
    task: AnyTask, inputs: Any, gold: Any = None, facts: Mapping[str, Fact] = NO_FACTS
) -> Example[Any, Any]:
    """An example from its inputs and gold, in any of the forms in which people have them.

    Inputs: an example, inputs of the task, a record or row of our own form, or a mapping that has their fields.
    Gold: an explanation, a mapping of its fields, its published string, JSON; a list of these are several golds.
    """
    example = _given(task, inputs)
    if gold is None:
        return example
    given = gold if isinstance(gold, list | tuple) else (gold,)
    return Example(
        example.id, example.inputs, tuple(_gold(task, example, one, facts) for one in given), example.meta
    )


def _given(task: AnyTask, inputs: Any) -> Example[Any, Any]:
    if isinstance(inputs, Example):
        _require(inputs.inputs, task.inputs, f"an example of '{task.name}'")
        return inputs
    if not isinstance(inputs, Mapping):
        _require(inputs, task.inputs, f"inputs of '{task.name}', an example, or a mapping of their fields")
        return Example("", inputs)
    if not isinstance(inputs.get("inputs"), Mapping):
        return Example(str(inputs.get("id", "")), records.parse_inputs(inputs, task.form))
    golds = tuple(records.parse_explanation(one, task.form) for one in inputs.get("golds") or ())
    return Example(str(inputs.get("id", "")), records.parse_inputs(inputs["inputs"], task.form), golds)


def _gold(task: AnyTask, example: Example[Any, Any], gold: Any, facts: Mapping[str, Fact]) -> Any:
    if isinstance(gold, str):
        return _gold_text(task, example, gold, facts)
    if not isinstance(gold, Mapping):
        _require(gold, task.explanation, f"an explanation of '{task.name}', its fields, or its text")
        return gold
    try:
        return records.parse_explanation(gold, task.form)
    except DataError as error:
        answer = _read(task, example, dump_json(gold), facts)  # as the prompt asks for it
        if isinstance(answer, Unread):
            raise error from None
        return answer


def _require(value: Any, kind: Any, expected: str) -> None:
    if isinstance(kind, type | UnionType) and not isinstance(value, kind):
        raise DataError(expected=expected, found=type(value).__name__)


def _gold_text(task: AnyTask, example: Example[Any, Any], gold: str, facts: Mapping[str, Fact]) -> Any:
    if gold.lstrip()[:1] == "{":
        return _gold(task, example, parse_json_object(gold), facts)
    text_field = _only_text(task.explanation)
    known = task.options(example.inputs) if task.options is not None else None
    if text_field and (gold in known if known is not None else gold.strip()):
        return task.explanation(**{text_field: gold})
    answer = _read(task, example, gold, facts)
    if isinstance(answer, Unread):
        raise DataError(expected=f"a gold explanation of '{task.name}'", found=f"{quoted(gold)}: {answer.reason}")
    return answer


def _read(task: AnyTask, example: Example[Any, Any], text: str, facts: Mapping[str, Fact]) -> Any:
    return explanation_in(task, text, example.inputs, Dataset((example,), (1,), facts=facts))


def _only_text(kind: Any) -> str:
    """The field that alone makes a label, a span or a hypothesis; empty if there is no such."""
    if not is_dataclass(kind):
        return ""
    needed = [one for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
    return needed[0].name if len(needed) == 1 and needed[0].type in ("str", str) else ""


def _measured(
    task: AnyTask, dataset: AnyDataset, answer: Prediction[Any], options: ScoringOptions
) -> dict[str, Scores]:
    """Metrics by name; none without gold, but for what a classifier of steps says."""
    if not dataset.examples[0].golds and options.step_classifier is None:
        return {}
    return {one.metric.name: one for one in item_scores(task, dataset, [answer], options)}


def _asked(task: AnyTask, scores: Mapping[str, Scores], metrics: Sequence[str] | None) -> tuple[str, ...]:
    """The metrics whose mean is the value."""
    if metrics is None:
        return task.scoring().main or tuple(scores)[:1]
    if isinstance(metrics, str):
        raise UsageError("metrics is a list of names, such as ['f1']")
    for name in metrics:
        if scores and name not in scores:
            raise UsageError(f"{task.name} has no metric {quoted(name)}; it has {', '.join(scores)}")
    return tuple(metrics)


def _share(found: Scores) -> float | None:
    """The figure of the only item, from 0 to 1; the little that a similarity may be below 0 is 0."""
    figure = found.by_item()[0]
    return None if figure is None else min(max(figure / found.metric.bounds[1], 0.0), 1.0)


def _why(found: Scores) -> str:
    return found.note or "it has no value for this answer"


def _value(
    scores: Mapping[str, Scores], figures: Mapping[str, float | None], names: Sequence[str]
) -> float | None:
    known = [(figure, scores[name].metric) for name in names if (figure := figures.get(name)) is not None]
    if not known:
        return None
    return sum(figure if metric.better == "higher" else 1 - figure for figure, metric in known) / len(known)


def _problems(
    task: AnyTask, dataset: AnyDataset, explanation: Any, options: ScoringOptions
) -> tuple[Problem, ...]:
    protocol = "paper" if options.protocol == "paper" else "official"
    return check(dataset.examples[0].inputs, explanation, rules_of(task, protocol, dataset))


def _is_invalid(task: AnyTask, dataset: AnyDataset, problems: Sequence[Problem], options: ScoringOptions) -> bool:
    """Whether the answer breaks a rule that gold keeps: some published gold breaks one itself."""
    broken = {problem.rule for problem in problems}
    if not broken:
        return False
    golds = dataset.examples[0].golds
    return not any(broken <= {one.rule for one in _problems(task, dataset, gold, options)} for gold in golds)
