"""Questions as a data set of Hugging Face's `datasets`, for trainers."""

from __future__ import annotations

from typing import Any

from whence.integrations.questions import rows
from whence.tasks.loading import SAMPLES


def to_dataset(task: str, where: str = SAMPLES) -> Any:
    """A `datasets.Dataset` with the columns `prompt` (a chat), `record`, `answer` and more."""
    from datasets import Dataset

    return Dataset.from_list(rows(task, where))
