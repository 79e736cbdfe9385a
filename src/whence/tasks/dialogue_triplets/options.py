"""What may be chosen between, by label, where a sub-task asks for a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whence.structures.dialogue import ChoiceQuestion
from whence.tasks.dialogue_triplets.data import ENTAILED, NOT_ENTAILED
from whence.tasks.dialogue_triplets.relations import RELATIONS


def endings(inputs: ChoiceQuestion) -> dict[str, str]:
    """The options by number."""
    return {str(number): text for number, text in enumerate(inputs.options)}


OPTIONS: dict[str, Callable[[Any], dict[str, str]]] = {
    "cider-nli": lambda _: {name: name for name in (ENTAILED, NOT_ENTAILED)},
    "cider-choice": endings,
    "cider-relation": lambda _: {name: name for name in RELATIONS},
}
