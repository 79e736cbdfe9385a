"""Questions by what they say, so that the same one is recognised in two data sets.

Two questions are the same if their letters and digits are; case, punctuation and spaces do not count.
"""

from __future__ import annotations

import re
from dataclasses import replace

from whence.tasks.dataset import AnyDataset
from whence.tasks.task import AnyTask

_WORDS = re.compile(r"[^\W_]+")


def question_key(text: str) -> str:
    """A question by its letters and digits; empty where it has none."""
    return " ".join(_WORDS.findall(text.casefold()))


def question_keys(task: AnyTask, dataset: AnyDataset) -> list[str]:
    """The question of each example; empty where it has none."""
    if task.questions is None:
        return [""] * len(dataset.examples)
    texts = [task.questions.text(example.inputs) for example in dataset.examples]
    keys = {text: question_key(text) for text in dict.fromkeys(texts)}  # a dialogue has fifty claims
    return [keys[text] for text in texts]


def without_questions(task: AnyTask, dataset: AnyDataset, keys: frozenset[str]) -> AnyDataset:
    """The examples that ask none of these questions."""
    rows = zip(question_keys(task, dataset), dataset.examples, dataset.lines, strict=True)
    kept = [(example, line) for key, example, line in rows if key not in keys]
    return replace(dataset, examples=tuple(example for example, _ in kept), lines=tuple(line for _, line in kept))
