"""Tasks for lm-evaluation-harness: a folder for `--include_path`, and the functions that its files name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whence.files import Json, dump_json, write_text
from whence.integrations.questions import (
    VALUE,
    MeasuredMetric,
    figures_of,
    judge_record,
    measured_metrics,
    prompted_tasks,
    questions,
    sample_questions,
)
from whence.tasks.loading import SAMPLES

UTILS = "whence_utils"
_UTILS_TEXT = '''"""Functions of the tasks in this folder; whence must be installed."""

from whence.integrations.lm_eval import load, process_results

__all__ = ["load", "process_results"]
'''


def write_tasks(folder: Path, tasks: Sequence[str] = (), where: str = SAMPLES) -> list[str]:
    """Writes a file for each task, `whence_TASK.yaml`, and the module that they name; gives the tasks' names."""
    names = list(tasks) or prompted_tasks()
    texts = {f"whence_{name.replace('-', '_')}": _yaml(name, where) for name in names}
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / f"{UTILS}.py", _UTILS_TEXT)
    for name, text in texts.items():
        write_text(folder / f"{name}.yaml", text)
    return list(texts)


def _yaml(task: str, where: str) -> str:
    questions(task, where)  # says now what is wrong with the examples
    metrics = [
        {
            "metric": one.name,
            "aggregation": "mean" if one.always else "nanmean",
            "higher_is_better": one.better == "higher",
        }
        for one in (MeasuredMetric(VALUE, "higher", always=True), *measured_metrics(task))
    ]
    settings: dict[str, Json] = {
        "task": f"whence_{task.replace('-', '_')}",
        "tag": "whence",
        "test_split": "test",
        "fewshot_split": "fewshot",
        "description": "{{instruction}}\n\n",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{answer}}",
        "target_delimiter": "\n",
        "output_type": "generate_until",
        "generation_kwargs": {"until": [], "do_sample": False, "max_gen_toks": 1024},
        "metric_list": metrics,
        "metadata": {"version": 1.0, "task": task, "where": where},
    }
    lines = [f"{name}: {dump_json(value)}" for name, value in settings.items()]  # JSON is YAML
    functions = [f"custom_dataset: !function {UTILS}.load", f"process_results: !function {UTILS}.process_results"]
    return "\n".join([*lines, *functions, ""])


def load(task: str, where: str = SAMPLES, **_: Any) -> Mapping[str, Any]:
    """The examples, and the samples for shots; `--metadata '{"where": "dev"}'` names others."""
    from datasets import Dataset

    parts = {"test": questions(task, where), "fewshot": sample_questions(task)}
    return {name: Dataset.from_list([asdict(one) for one in part]) for name, part in parts.items()}


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """The figures of one answer."""
    return figures_of(judge_record(doc["record"], results[0]), doc["task"])
