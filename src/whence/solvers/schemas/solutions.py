"""Solutions of many schemas as numbers: small on disk, and scored all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from whence.structures.schema import SchemaSolutions

Facts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class PatternSolutions:
    """The solutions of a schema: `facts` has a row for each, a column for each slot: a fact's number, or -1."""

    pattern: str
    slots: tuple[str, ...]
    facts: Facts
    file: str = ""
    complete: bool = True
    """False where a limit ended the search."""

    def __len__(self) -> int:
        return len(self.facts)

    @cached_property
    def distinct(self) -> Facts:
        """The facts of each solution once, in no order; -1 for the others."""
        ordered = np.sort(self.facts, axis=1)
        ordered[:, 1:][ordered[:, 1:] == ordered[:, :-1]] = -1
        return ordered


@dataclass(frozen=True)
class SolutionTable:
    """The solutions of schemas over one store, with the ids and sentences of the facts they use."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    patterns: tuple[PatternSolutions, ...]

    def solutions(self, pattern: PatternSolutions) -> SchemaSolutions:
        """One schema's solutions as they are published: without slots where there are none."""
        names = np.array([*self.ids, ""], dtype=np.object_)
        found = tuple(map(tuple, names[pattern.facts].tolist()))
        return SchemaSolutions(pattern.pattern, pattern.slots if found else (), found)


def solution_table(solved: Iterable[tuple[SchemaSolutions, str, bool]], texts: Mapping[str, str]) -> SolutionTable:
    """A table of solutions, each with its file and whether it is complete; `texts` has the facts' sentences."""
    numbers: dict[str, int] = {}
    patterns = []
    for found, file, complete in solved:
        coded = [
            [numbers.setdefault(name, len(numbers)) if name else -1 for name in row] for row in found.solutions
        ]
        facts = np.array(coded, dtype=np.int32).reshape(len(coded), len(found.slots))
        patterns.append(PatternSolutions(found.pattern, found.slots, facts, file, complete))
    return SolutionTable(tuple(numbers), tuple(texts.get(name, "") for name in numbers), tuple(patterns))
