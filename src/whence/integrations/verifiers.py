"""A taskset for verifiers, whose reward is `whence.judge`.

`vf-eval` takes tasksets from modules of the top level: a module of yours that says
`from whence.integrations.verifiers import WhenceTaskset` and `__all__ = ["WhenceTaskset"]` is one.
"""

from __future__ import annotations

from collections.abc import Iterator

import verifiers.v1 as vf

from whence.integrations.questions import VALUE, figures_of, judge_record, questions
from whence.tasks.loading import SAMPLES

__all__ = ["WhenceTaskset"]


class WhenceData(vf.TaskData):
    """A question with the record that answers are judged by."""

    task: str
    answer: str
    record: str


class WhenceTask(vf.Task[WhenceData]):
    """One question; its reward is `Judged.value`, its metrics are the figures."""

    @vf.reward
    async def whence_value(self, task: WhenceData, trace: vf.Trace) -> float:
        """From 0 to 1."""
        value = judge_record(task.record, trace.last_reply).value
        return 0.0 if value is None else value

    @vf.metric
    async def whence_figures(self, task: WhenceData, trace: vf.Trace) -> dict[str, float]:
        """Every figure that is known and needs no model."""
        figures = figures_of(judge_record(task.record, trace.last_reply), task.task)
        return {name: figure for name, figure in figures.items() if name != VALUE and figure == figure}


class WhenceTasksetConfig(vf.TasksetConfig):
    """Which task of whence, and which of its examples."""

    name_of_task: str = "explagraphs"
    examples: str = SAMPLES


class WhenceTaskset(vf.Taskset[WhenceTask, WhenceTasksetConfig]):
    """The questions of a task."""

    def load(self) -> Iterator[WhenceTask]:
        """One task for each example."""
        for one in questions(self.config.name_of_task, self.config.examples):
            data = WhenceData(
                id=one.id,
                prompt=one.question,
                system_prompt=one.instruction,
                task=one.task,
                answer=one.answer,
                record=one.record,
            )
            yield WhenceTask(data, self.config.task)
