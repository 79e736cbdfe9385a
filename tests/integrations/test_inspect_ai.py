"""inspect_ai's own run of our tasks, with its mock model, and its logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.integrations.answers import TASK, answers, scored

inspect_ai = pytest.importorskip("inspect_ai", reason="needs inspect_ai: make integrations")

import whence  # noqa: E402
from whence.formats import eval_logs  # noqa: E402
from whence.integrations.questions import measured_metrics, prompted_tasks  # noqa: E402


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The log of a run over the samples, by the name that the command line takes."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    # With usage given, the mock model counts no tokens, for which it would ask the network.
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in answers()]
    for one in outputs:
        one.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    folder = tmp_path_factory.mktemp("logs")
    (found,) = inspect_ai.eval(
        f"whence/{TASK}",
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=str(folder),
        display="none",
        max_connections=1,
    )
    assert found.status == "success", found.error
    return found


def test_figures_are_those_of_score(log: Any) -> None:
    found = {one.name: one.metrics["mean"].value for one in log.results.scores}
    expected = scored()
    assert set(found) == {"value", *(one.name for one in measured_metrics(TASK))}
    for name in found.keys() - {"value"}:
        assert found[name] == pytest.approx(expected[name], abs=1e-9)


def test_the_log_is_scored_by_both_readers(log: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path, dataset = Path(log.location.removeprefix("file://")), whence.load(TASK)
    theirs = eval_logs.read_log(path)
    monkeypatch.setattr(eval_logs, "_inspect_samples", lambda _: None)
    ours = eval_logs.read_log(path)
    assert theirs == ours and theirs is not None and len(theirs) == len(dataset.examples)
    report = whence.score(TASK, dataset, whence.answers(TASK, path, dataset))
    assert {one.metric.name: one.figure() for one in report.scores} == scored()


def test_every_task_with_a_prompt_is_registered() -> None:
    from inspect_ai._util.registry import registry_lookup

    for name in prompted_tasks():
        assert registry_lookup("task", f"whence/{name}") is not None, name


def test_samples_without_a_reading_say_why(log: Any) -> None:
    from inspect_ai.log import read_eval_log

    first = read_eval_log(log.location).samples[0]
    score = first.scores["whence"]
    assert score.metadata == {"read": False} and score.explanation
    assert json.loads(first.metadata["record"])["task"] == TASK
