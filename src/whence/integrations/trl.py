"""Reward functions for trl's trainers (`GRPOTrainer(reward_funcs=...)`). This module needs no trl."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whence.errors import UsageError
from whence.integrations.questions import judge_record, text_of
from whence.pipeline.judge import judge
from whence.tasks import task_named

RewardFunction = Callable[..., list[float | None]]


def reward_function(task: str, metrics: Sequence[str] | None = None) -> RewardFunction:
    """The reward of completions: `Judged.value` of each, None (no reward) where there is no gold.

    The columns of the data set say what each completion answers: `record`, as
    `whence.integrations.datasets.to_dataset` has it; or the fields of the task's inputs, and `gold`.
    """
    chosen = task_named(task)

    def reward(completions: Sequence[Any], **columns: Any) -> list[float | None]:
        count = len(completions)
        lists = {
            name: values
            for name, values in columns.items()
            if isinstance(values, Sequence) and not isinstance(values, str) and len(values) == count
        }
        if "record" in lists:
            judged = [
                judge_record(record, text_of(one), metrics)
                for record, one in zip(lists["record"], completions, strict=True)
            ]
        else:
            examples = [{name: values[index] for name, values in lists.items()} for index in range(count)]
            if not any("gold" in one or "golds" in one for one in examples):
                raise UsageError("the data set needs the column `record`, or the task's inputs and `gold`")
            judged = [
                judge(chosen, one, text_of(text), one.get("gold"), metrics)
                for one, text in zip(examples, completions, strict=True)
            ]
        return [one.value for one in judged]

    reward.__name__ = f"whence_{task.replace('-', '_')}"
    return reward
