"""The questions of a task as harnesses and trainers take them: plain texts, and a record to judge answers by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from whence.errors import DataError, UsageError
from whence.files import Json, dump_json, parse_json_object
from whence.formats.records import format_record
from whence.metrics.metric import Better
from whence.pipeline.item_scores import item_scores
from whence.pipeline.judge import Judged, example_of, judge
from whence.structures.results import Prediction
from whence.tasks import TASKS, task_named
from whence.tasks.dataset import AnyDataset
from whence.tasks.loading import SAMPLES, load, locate, require_read, samples
from whence.tasks.prompting import Prompt
from whence.tasks.scoring import ScoringOptions
from whence.tasks.sources import data_folder

VALUE = "value"
"""The name of `Judged.value` among the figures."""


@dataclass(frozen=True, slots=True)
class Question:
    """One example, as a model is asked about it."""

    task: str
    id: str
    instruction: str
    """What is wanted, for the system message."""
    question: str
    answer: str
    """Gold as the model is to write it; empty where it says more than the question shows."""
    record: str
    """The example with its gold, a line of our own JSONL."""

    @property
    def messages(self) -> list[dict[str, str]]:
        """Instruction and question as a chat."""
        return [{"role": "system", "content": self.instruction}, {"role": "user", "content": self.question}]


def questions(task: str, where: str = SAMPLES) -> list[Question]:
    """The examples of a split, a file or the samples, all of which must have gold."""
    chosen = task_named(task)
    path, _ = locate(chosen, where, data_folder)
    return _questions(prompt_of(task), require_read(load(chosen, where, data_folder), path))


def sample_questions(task: str) -> list[Question]:
    """Questions about the bundled samples that have an answer to show: shots."""
    prompt = prompt_of(task)
    return [one for one in _questions(prompt, samples(prompt.task)) if one.answer]


def prompt_of(task: str) -> Prompt[Any, Any]:
    """The prompt of a task."""
    prompt = task_named(task).prompt()
    if prompt is None:
        raise UsageError(f"{task} has no prompt of its own; these have one: {', '.join(prompted_tasks())}")
    return prompt


def prompted_tasks() -> list[str]:
    """The tasks that a model can be asked about by their inputs alone."""
    return [name for name, task in TASKS.items() if task.prompt() is not None]


def _questions(prompt: Prompt[Any, Any], dataset: AnyDataset) -> list[Question]:
    hidden = sum(not example.golds for example in dataset.examples)
    if hidden:
        raise UsageError(f"{hidden} of {len(dataset.examples)} examples have no gold explanation to score against")
    return [
        Question(
            prompt.task.name,
            example.id,
            prompt.instruction,
            prompt.ask(example.inputs),
            _answer(prompt, example.inputs, example.golds[0]),
            format_record(example, prompt.task.form),
        )
        for example in dataset.examples
    ]


def _answer(prompt: Prompt[Any, Any], inputs: Any, gold: Any) -> str:
    try:
        return dump_json(prompt.show(inputs, gold))
    except DataError:
        return ""


def rows(task: str, where: str = SAMPLES) -> list[dict[str, Json]]:
    """The questions as rows of a table: `prompt` is a chat, the other columns are texts."""
    return [{**asdict(one), "prompt": one.messages} for one in questions(task, where)]


def judge_record(record: str, text: str, metrics: Sequence[str] | None = None) -> Judged:
    """Judge a model's text by the record of its question."""
    given = parse_json_object(record)
    task = task_named(str(given.get("task")))
    return judge(task, example_of(task, given), text, metrics=metrics)


@dataclass(frozen=True, slots=True)
class MeasuredMetric:
    """A metric that `whence.judge` measures without models."""

    name: str
    better: Better
    always: bool
    """Whether every sample has a value: precision has none where nothing was predicted."""


@cache
def measured_metrics(task: str) -> tuple[MeasuredMetric, ...]:
    """The metrics that need no models."""
    chosen = task_named(task)
    dataset = samples(chosen)
    answers = [Prediction(example.id, example.golds[0]) for example in dataset.examples]
    scores = item_scores(chosen, dataset, answers, ScoringOptions())
    together = chosen.scoring().together
    return tuple(
        MeasuredMetric(one.metric.name, one.metric.better, None not in one.by_item())
        for one in scores
        if one.known.any() and one.metric.name not in together
    )


def figures_of(judged: Judged, task: str) -> dict[str, float]:
    """The value and the measured figures of an answer, as harnesses average them: what is unknown is NaN."""
    known = {VALUE: judged.value, **{one.name: judged.figures.get(one.name) for one in measured_metrics(task)}}
    return {name: float("nan") if figure is None else figure for name, figure in known.items()}


def text_of(completion: Any) -> str:
    """The text of a completion: a text, or the last message of a chat."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and completion and isinstance(completion[-1], Mapping):
        content = completion[-1].get("content") or ""
        if isinstance(content, str):
            return content
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    raise UsageError(f"a completion is a text or a list of messages, not {type(completion).__name__}")
