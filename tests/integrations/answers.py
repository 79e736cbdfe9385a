"""Answers to the samples of a task, as a model might write them, and what `whence score` says of them."""

from __future__ import annotations

from whence import load, score
from whence.integrations.questions import Question, questions
from whence.tasks import TASKS
from whence.tasks.dataset import Predictions
from whence.tasks.logged import prediction_in

TASK = "explagraphs"


def asked(task: str = TASK) -> list[Question]:
    return questions(task)


def answers(task: str = TASK) -> list[str]:
    """A refusal, a neighbour's answer, then gold."""
    texts = [one.answer for one in asked(task)]
    return ["I cannot say.", f"Here you are:\n```json\n{texts[2]}\n```", *texts[2:]]


def scored(task: str = TASK) -> dict[str, float | None]:
    """Figures by name, as shares."""
    dataset = load(task)
    given = tuple(
        prediction_in(TASKS[task], text, example, dataset)
        for text, example in zip(answers(task), dataset.examples, strict=True)
    )
    report = score(task, dataset, Predictions(given, tuple(range(len(given)))))
    return {one.metric.name: one.figure() for one in report.scores}
