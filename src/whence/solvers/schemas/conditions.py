"""Conditions over many solutions at once: arrays of texts in, an array of truths out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from whence.solvers.schemas.values import Booleans
from whence.structures.schema import AllOf, Comparison, Condition, Operand, Reference

Texts = npt.NDArray[np.object_]
Lookup = Callable[[Reference], Texts]
"""What a reference stands for, in each solution."""


def holds(condition: Condition, lookup: Lookup) -> Booleans:
    """Whether the condition holds; its shape is what the looked-up arrays are broadcast to."""
    if isinstance(condition, Comparison):
        left, right = (_text(operand, lookup) for operand in (condition.left, condition.right))
        return np.asarray((left == right) == condition.equal, dtype=np.bool_)
    parts = [holds(part, lookup) for part in condition.parts]
    both = np.logical_and if isinstance(condition, AllOf) else np.logical_or
    return np.asarray(both.reduce(np.broadcast_arrays(*parts)))


def references(condition: Condition) -> list[Reference]:
    """The references in a condition, in file order."""
    if isinstance(condition, Comparison):
        return [operand for operand in (condition.left, condition.right) if isinstance(operand, Reference)]
    return [reference for part in condition.parts for reference in references(part)]


def _text(operand: Operand, lookup: Lookup) -> Texts:
    return lookup(operand) if isinstance(operand, Reference) else np.array(operand, dtype=np.object_)
