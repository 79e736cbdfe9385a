"""Answers that were changed after a system gave them: how many, and as they were before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from whence.structures.results import Prediction
from whence.tasks.scoring import Answers


def is_mended(answer: Prediction[Any] | None) -> bool:
    """Whether the explanation is not what the system answered."""
    return answer is not None and (answer.mended or answer.before is not None)


def mended_count(answers: Answers) -> int:
    """How many answers were mended."""
    return sum(map(is_mended, answers))


def before_mending(answers: Answers) -> Sequence[Prediction[Any] | None]:
    """The answers as they were given; a mended one whose first form is not known counts as unread."""
    return [
        replace(answer, explanation=answer.before, mended=False, before=None)
        if answer is not None and is_mended(answer)
        else answer
        for answer in answers
    ]
