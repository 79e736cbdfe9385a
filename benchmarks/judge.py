"""One answer judged by `whence.judge`, against `whence.score` of a data set of that one example."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import whence
from whence.structures.results import Example
from whence.tasks import TASKS
from whence.tasks.dataset import Dataset, Predictions
from whence.tasks.logged import prediction_in

Rows = list[tuple[str, str, str, str]]
PARTS = {
    "explagraphs": ("dev", "a graph"),
    "entailmentbank-1": ("dev", "a tree"),
    "entailmentbank-2": ("dev", "a tree of 25 sentences"),
    "anli": ("dev", "a choice"),
    "cider-span": ("fold1-test", "a span"),
}
COUNT, SCORED, ROUNDS = 50, 10, 20


def run() -> Rows:
    if not os.environ.get("WHENCE_DATA"):
        return [("one answer judged", "-", "-", "not run: WHENCE_DATA names no data")]
    return [_compared(task, split, what) for task, (split, what) in PARTS.items()]


def _compared(task: str, split: str, what: str) -> tuple[str, str, str, str]:
    examples = [one for one in whence.load(task, split).examples if one.golds][:COUNT]
    texts = [_text(task, one) for one in examples]
    asked = list(zip(examples, texts, strict=True))
    judging, scoring = _seconds(
        lambda: [whence.judge(task, example, text) for example, text in asked],
        lambda: [_score(task, example, text) for example, text in asked[:SCORED]],
    )
    judging, scoring = judging / len(asked), scoring / SCORED
    for example, text in asked[:SCORED]:
        alone = {one.metric.name: one.by_item()[0] for one in _score(task, example, text).scores}
        if whence.judge(task, example, text).figures != alone:
            raise AssertionError(f"{task} {example.id}: figures differ")
    return (
        f"`whence.judge` of {what}, the text read and checked, {len(asked)} of {task} {split}",
        f"`whence.score` of one item, {1000 * scoring:.1f} ms",
        f"{1000 * judging:.2f} ms",
        f"{scoring / judging:.1f}×",
    )


def _text(task: str, example: Example[Any, Any]) -> str:
    """Gold as the prompt asks for it, which takes longest: everything in it is compared."""
    prompt = TASKS[task].prompt()
    if prompt is None:
        raise AssertionError(f"{task} has no prompt")
    return json.dumps(prompt.show(example.inputs, example.golds[0]))


def _score(task: str, example: Example[Any, Any], text: str) -> Any:
    dataset: Dataset[Any, Any] = Dataset((example,), (1,))
    return whence.score(task, dataset, Predictions((prediction_in(TASKS[task], text, example, dataset),), (1,)))


def _seconds(*works: Callable[[], object]) -> list[float]:
    """The median round of each, after a first one, in time of the processor. Rounds take turns, so that what else
    the machine does falls on all alike."""
    spent: list[list[float]] = [[] for _ in works]
    for number in range(ROUNDS + 1):
        for times, work in zip(spent, works, strict=True):
            started = time.process_time()
            work()
            if number:
                times.append(time.process_time() - started)
    return [median(times) for times in spent]


if __name__ == "__main__":
    print(*run(), sep="\n")
