"""Solutions kept by constraints, and combined with those of included patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from whence.solvers.schemas.conditions import Lookup, Texts, holds, references
from whence.solvers.schemas.values import Booleans, Integers
from whence.structures.schema import Constraint, Reference, Schema, SchemaSolutions

_LARGEST_PRODUCT = 1_000_000  # pairs of solutions that are looked at in one go


@dataclass(frozen=True, slots=True)
class Solved:
    """Solutions of a schema: `ids` has a column for each slot, `texts` the lemmas of each variable."""

    pattern: str
    slots: tuple[str, ...]
    ids: Texts
    texts: Mapping[str, Texts]
    complete: bool = True
    """Whether these are all: False where a limit ended the search."""

    def __len__(self) -> int:
        return len(self.ids)

    def solutions(self) -> SchemaSolutions:
        """As they are published: without slots where there are no solutions."""
        found = tuple(tuple(row) for row in self.ids.tolist())
        return SchemaSolutions(self.pattern, self.slots if found else (), found)


def combined(own: Solved, schema: Schema, included: Mapping[str, Solved], limit: int | None = None) -> Solved:
    """The solutions of the rows of a schema, with those of each pattern it includes, that keep its constraints.

    Own solutions change slowest. The limit is that of combinations.
    """
    known = {""}
    found = _constrained(own, _due(schema, known, ""))
    for include in schema.includes:
        known.add(include.reference)
        due = _due(schema, known, include.reference)
        found = _product(found, included[include.reference], include.reference, due, limit)
    return found


def _due(schema: Schema, known: set[str], newest: str) -> list[Constraint]:
    """The constraints that can be judged since the newest reference is known."""
    asked = [{""} | {found.include for found in references(rule.condition)} for rule in schema.constraints]
    return [rule for rule, used in zip(schema.constraints, asked, strict=True) if newest in used and used <= known]


def _constrained(found: Solved, constraints: Sequence[Constraint]) -> Solved:
    kept = np.broadcast_to(_kept(constraints, lambda reference: _texts(found, reference)), len(found))
    return _taken(found, np.flatnonzero(kept))


def _product(
    outer: Solved, inner: Solved, reference: str, constraints: Sequence[Constraint], limit: int | None
) -> Solved:
    """Each solution of one pattern with each of the other, as far as the constraints hold."""
    step = max(1, _LARGEST_PRODUCT // max(1, len(inner)))
    left, right = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for begin in range(0, len(outer), step):
        piece = _taken(outer, np.arange(begin, min(begin + step, len(outer))))
        first, second = np.nonzero(
            np.broadcast_to(_kept(constraints, _lookup(piece, inner, reference)), (len(piece), len(inner)))
        )
        left, right = np.append(left, first + begin), np.append(right, second)
        if limit is not None and len(left) > limit:
            break
    complete = outer.complete and inner.complete and (limit is None or len(left) <= limit)
    left, right = left[:limit], right[:limit]
    texts = {name: text[left] for name, text in outer.texts.items()}
    texts |= {f"{reference}.{name}": text[right] for name, text in inner.texts.items()}
    slots = (*outer.slots, *(f"{reference}.{name}" for name in inner.slots))
    return Solved(outer.pattern, slots, np.hstack([outer.ids[left], inner.ids[right]]), texts, complete)


def _lookup(outer: Solved, inner: Solved, reference: str) -> Lookup:
    def find(asked: Reference) -> Texts:
        if asked.include == reference:
            return _texts(inner, Reference(asked.name))[None, :]
        return _texts(outer, asked)[:, None]

    return find


def _kept(constraints: Sequence[Constraint], lookup: Lookup) -> Booleans:
    kept: Booleans = np.ones((), dtype=np.bool_)
    for constraint in constraints:
        kept = kept & holds(constraint.condition, lookup)
    return kept


def _texts(found: Solved, asked: Reference) -> Texts:
    """The ids of a slot, or the lemmas of a variable. Of slots with the same name the first counts."""
    name = f"{asked.include}.{asked.name}" if asked.include else asked.name
    return found.ids[:, found.slots.index(name)] if name in found.slots else found.texts[name]


def _taken(found: Solved, which: Integers) -> Solved:
    return replace(found, ids=found.ids[which], texts={name: text[which] for name, text in found.texts.items()})
