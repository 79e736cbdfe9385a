"""lm-evaluation-harness runs our task files; and `datasets` loads what we write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.integrations.answers import TASK, answers, asked, scored

lm_eval = pytest.importorskip("lm_eval", reason="needs lm_eval: make integrations")
datasets = pytest.importorskip("datasets", reason="needs datasets: make integrations")

import whence  # noqa: E402
from whence.integrations.datasets import to_dataset  # noqa: E402
from whence.integrations.lm_eval import write_tasks  # noqa: E402
from whence.integrations.questions import measured_metrics  # noqa: E402


@pytest.fixture(autouse=True)
def _caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def _model(texts: list[str]) -> Any:
    """The harness's dummy model, with these answers."""
    from lm_eval.models.dummy import DummyLM

    class Given(DummyLM):
        asked: list[str]

        def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
            self.asked = [one.arguments[0] for one in requests]
            return texts[: len(requests)]

    return Given()


def _run(folder: Path, model: Any, **options: Any) -> dict[str, Any]:
    from lm_eval.tasks import TaskManager

    found = lm_eval.simple_evaluate(
        model=model,
        tasks=["whence_explagraphs"],
        task_manager=TaskManager(include_path=str(folder)),
        bootstrap_iters=0,
        **options,
    )
    results: dict[str, Any] = found
    return results


def test_figures_are_those_of_score(tmp_path: Path) -> None:
    write_tasks(tmp_path, [TASK])
    model = _model(answers())
    found = _run(tmp_path, model)["results"]["whence_explagraphs"]
    expected = scored()
    for one in measured_metrics(TASK):
        assert found[f"{one.name},none"] == pytest.approx(expected[one.name], abs=1e-9)
    first = asked()[0]
    assert model.asked[0] == f"{first.instruction}\n\n{first.question}"


def test_shots_are_other_samples_with_their_answers(tmp_path: Path) -> None:
    write_tasks(tmp_path, [TASK])
    model = _model(answers())
    _run(tmp_path, model, num_fewshot=1, limit=1)
    assert sum(one.answer in model.asked[0] for one in asked()) == 1


def test_the_dummy_model_is_worth_nothing(tmp_path: Path) -> None:
    write_tasks(tmp_path, [TASK])
    found = _run(tmp_path, "dummy")["results"]["whence_explagraphs"]
    assert (found["value,none"], found["GED,none"]) == (0, 1)


def test_its_log_is_scored_alike(tmp_path: Path) -> None:
    write_tasks(tmp_path, [TASK])
    samples = _run(tmp_path, _model(answers()), log_samples=True)["samples"]["whence_explagraphs"]
    log = tmp_path / "samples_whence_explagraphs.jsonl"
    log.write_text("\n".join(json.dumps(one, default=str) for one in samples))
    dataset = whence.load(TASK)
    report = whence.score(TASK, dataset, whence.answers(TASK, log, dataset))
    assert {one.metric.name: one.figure() for one in report.scores} == scored()


# datasets


@pytest.mark.parametrize("task", ["explagraphs", "entailmentbank-2", "worldtree", "cider", "anlg"])
def test_rows_that_we_write_are_loaded_and_judged(task: str, tmp_path: Path) -> None:
    dataset, path = whence.load(task), tmp_path / "rows.jsonl"
    whence.save(task, dataset, path, "rows")
    found = datasets.load_dataset("json", data_files=str(path), split="train")
    assert len(found) == len(dataset.examples)
    for row, example in zip(found, dataset.examples, strict=True):
        one, other = (whence.judge(task, given, "no idea", facts=dataset.facts) for given in (row, example))
        assert (one.value, one.figures) == (other.value, other.figures)


def test_questions_are_a_dataset() -> None:
    found = to_dataset(TASK)
    assert {"prompt", "record", "answer"} <= set(found.column_names)
    assert found[0]["prompt"][0]["role"] == "system"
