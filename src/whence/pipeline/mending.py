"""Answers that were changed after a system gave them: how many, and as they were before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from whence.structures.results import Measurement, Prediction
from whence.tasks.dataset import Note
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


def mended_notes(count: int, before: Sequence[Measurement]) -> tuple[Note, ...]:
    """What is said of mended answers wherever the notes of a report are shown."""
    figures = ", ".join(f"{one.name} {one.value:.4f}" for one in before if one.value is not None)
    text = f"answers that were changed after the system gave them; before: {figures}"
    return (Note("mended", count, text),) if count else ()
