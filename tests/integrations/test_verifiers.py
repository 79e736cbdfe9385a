"""A taskset of verifiers: its tasks are asked and scored as verifiers does it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.integrations.answers import TASK, answers, asked, scored

vf = pytest.importorskip("verifiers.v1", reason="needs verifiers: make integrations")

from whence.integrations.questions import measured_metrics  # noqa: E402
from whence.integrations.verifiers import WhenceTaskset, WhenceTasksetConfig  # noqa: E402


def test_rewards_and_metrics_are_those_of_score() -> None:
    tasks = list(WhenceTaskset(WhenceTasksetConfig(name_of_task=TASK)))
    traces = []
    for task, text in zip(tasks, answers(), strict=True):
        trace = _trace(task, text)
        asyncio.run(task.score(trace))
        traces.append(trace)
    expected = scored()
    for one in measured_metrics(TASK):
        values = [trace.metrics[one.name] for trace in traces]
        assert sum(values) / len(values) == pytest.approx(expected[one.name], abs=1e-9)
    assert traces[0].reward == 0 and traces[2].reward == 1


def _trace(task: Any, text: str) -> Any:
    agent = vf.AgentInfo(config=vf.AgentConfig())
    trace = vf.Trace(task=vf.TraceTask(type="WhenceTask", data=task.data), agent=agent)
    trace.root_reply = text
    return trace


def test_tasks_ask_our_questions() -> None:
    task = next(iter(WhenceTaskset(WhenceTasksetConfig(name_of_task=TASK)).take(1)))
    assert (task.data.system_prompt, task.data.prompt) == (asked()[0].instruction, asked()[0].question)
