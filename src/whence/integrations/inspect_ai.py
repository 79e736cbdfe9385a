"""The tasks for inspect_ai: `inspect eval whence/explagraphs -T examples=dev --model ...`, and their scorer.

inspect_ai finds this module by the entry point `inspect_ai`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

from whence.integrations.questions import Question, figures_of, judge_record, prompted_tasks, questions
from whence.tasks.loading import SAMPLES


@scorer(metrics={"*": [mean(), stderr()]}, name="whence")
def whence_scorer(metrics: Sequence[str] | None = None) -> Scorer:
    """Scores of a sample whose metadata has a `record`: `value`, and every figure that needs no model.

    With `metrics`, `value` is their mean.
    """

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        judged = judge_record(state.metadata["record"], text, metrics)
        problems = [f"{one.rule}: {one.message}" for one in judged.problems]
        return Score(
            value=figures_of(judged, state.metadata["task"]),
            answer=text,
            explanation=judged.reason or "; ".join(problems) or None,
            metadata={"read": judged.read},
        )

    return score


def sample_of(question: Question, name: str) -> Sample:
    """A question as a sample."""
    return Sample(
        id=name,
        input=[ChatMessageSystem(content=question.instruction), ChatMessageUser(content=question.question)],
        target=question.answer,
        metadata={"task": question.task, "id": question.id, "record": question.record},
    )


def inspect_task(name: str, examples: str = SAMPLES) -> Task:
    """A task over the samples, a published split or a file."""
    seen: Counter[str] = Counter()
    found = []
    for question in questions(name, examples):
        seen[question.id] += 1
        times = seen[question.id]
        found.append(sample_of(question, question.id if times == 1 else f"{question.id}~{times}"))
    return Task(dataset=MemoryDataset(found, name=name), solver=generate(), scorer=whence_scorer())


def _registered(name: str) -> Callable[..., Any]:
    def make(examples: str = SAMPLES) -> Task:
        return inspect_task(name, examples)

    make.__name__ = make.__qualname__ = name.replace("-", "_")
    make.__doc__ = f"The task {name} of whence."
    registered: Callable[..., Any] = task(name=name)(make)
    return registered


TASKS = {name: _registered(name) for name in prompted_tasks()}
