"""A rule: a named question about an explanation whose answers are problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from whence.structures.results import Problem

Inputs = TypeVar("Inputs")
Explanation = TypeVar("Explanation")

Finding = tuple[str, str]
"""Where, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Rule(Generic[Inputs, Explanation]):
    """What must hold, in words with its source, and the function that finds where it does not."""

    name: str
    statement: str
    find: Callable[[Inputs, Explanation], Iterable[Finding]]


def check(
    inputs: Inputs, explanation: Explanation, rules: Sequence[Rule[Inputs, Explanation]]
) -> tuple[Problem, ...]:
    """All problems of an explanation, in the order of the rules."""
    return tuple(
        Problem(rule.name, where, message) for rule in rules for where, message in rule.find(inputs, explanation)
    )
