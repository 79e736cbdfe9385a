"""All combinations of rows that fit together, in the order of the slots: joins over blocks of beginnings.

A beginning is a choice of rows and readings for the first slots. Blocks of beginnings are extended slot by slot,
through the index of that variable which leaves the fewest readings, and beginnings whose variables can never fit a
later slot are dropped at once. A block that would grow too large is split, and its parts are followed to the
end one after the other: solutions come in order, long before all are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from whence.solvers.schemas.readings import Occurrence, Readings, expanded
from whence.solvers.schemas.values import Agreement, Booleans, Integers, Values

LARGEST_BLOCK = 30_000
"""Beginnings in one block: enough that joins are worth their calls, few enough that first solutions come soon."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a row in a solution: the readings it may have. If optional, to stay empty is its last choice."""

    readings: Readings
    occurrences: tuple[Occurrence, ...]
    row_count: int
    """How many rows there are to choose from: readings have smaller row numbers."""
    optional: bool = False
    any_row: bool = True
    """Whether the slot takes any row of a table; else it takes one given row."""


@dataclass(frozen=True, slots=True)
class Block:
    """Beginnings, one an entry, ordered by their rows. `group` is equal where all rows are equal.

    `rows` has a column for each slot, -1 where the slot stays empty. `values` has a column for each variable:
    places in its `Agreement`. `failed` is the last slot at which some choice of options failed for these rows,
    or -1.
    """

    rows: Integers
    values: Integers
    group: Integers
    gaps: Integers
    times: Integers
    options: Integers
    failed: Integers

    def __len__(self) -> int:
        return len(self.group)

    def take(self, which: Integers | Booleans | slice) -> Block:
        """Some of the beginnings."""
        return Block(*(getattr(self, name)[which] for name in Block.__slots__))


class Search:
    """The combinations of rows and readings of some slots that agree in their variables."""

    def __init__(self, slots: Sequence[Slot], values: Values, *, every_option: bool = False) -> None:
        """`every_option`: keep account of options that fail, as the quirk of the released solver needs."""
        self.slots = slots
        names = dict.fromkeys(occurrence.name for slot in slots for occurrence in slot.occurrences)
        self.variables = {name: column for column, name in enumerate(names)}
        self._values = values
        self._every_option = every_option and any(slot.readings.option_count > 1 for slot in slots)
        self.agreements = [_agreement(name, slots, values) for name in names]
        self._steps = [_Step(slot, self.variables, self.agreements) for slot in slots]
        self._hopeful = [self._hopes(number) for number in range(len(slots))]

    def solutions(self) -> Iterator[Block]:
        """Blocks of solutions in the order of their rows, the last slot changing fastest."""
        if all(slot.optional or len(slot.readings) for slot in self.slots):
            zero = np.zeros(1, dtype=np.int64)
            rows, values = (
                np.zeros((1, width), dtype=np.int64) for width in (len(self.slots), len(self.variables))
            )
            yield from self._extended(
                Block(rows, values, zero, np.zeros((1, 2), np.int64), zero + 1, zero, zero - 1), 0
            )

    def _extended(self, block: Block, number: int) -> Iterator[Block]:
        if number == len(self.slots):
            yield block
            return
        for part in self._parts(block, self._steps[number]):
            extended = self._extend(part, number)
            if len(extended):
                yield from self._extended(extended, number + 1)

    def _parts(self, block: Block, step: _Step) -> Iterator[Block]:
        """Pieces of a block that stay small when extended. Beginnings with the same rows stay together."""
        sizes = np.cumsum(step.cheapest(block.values)[1] + 1)
        begin = 0
        while begin < len(block):
            limit = (sizes[begin - 1] if begin else 0) + LARGEST_BLOCK
            end = max(int(np.searchsorted(sizes, limit, side="right")), begin + 1)
            if end < len(block):
                first = int(np.searchsorted(block.group, block.group[end]))
                end = (
                    first if first > begin else int(np.searchsorted(block.group, block.group[begin], side="right"))
                )
            yield block.take(slice(begin, end))
            begin = end

    def _extend(self, block: Block, number: int) -> Block:
        """Every beginning with every reading of the slot that agrees with it."""
        slot, step = self.slots[number], self._steps[number]
        parents, readings = step.candidates(block.values)
        values = block.values[parents]
        keep = self._bind(values, step, readings)
        parents, readings, values = parents[keep], readings[keep], values[keep]
        if slot.optional:
            parents = np.append(parents, np.arange(len(block)))
            readings = np.append(readings, np.full(len(block), len(slot.readings)))
            values = np.vstack([values, block.values])
        rows = np.append(slot.readings.rows, slot.row_count)[readings]
        keys = block.group[parents] * (slot.row_count + 1) + rows
        if (np.diff(keys) < 0).any():
            order = np.argsort(keys, kind="stable")
            parents, readings, values, rows, keys = (
                array[order] for array in (parents, readings, values, rows, keys)
            )
        extended = block.take(parents)
        extended.rows[:, number] = np.where(rows == slot.row_count, -1, rows)
        gaps = np.append(slot.readings.gaps, 0)[readings]
        extended.gaps[:, 0] += gaps * slot.any_row
        extended.gaps[:, 1] += gaps
        extended = replace(
            extended,
            values=values,
            group=np.append(0, np.cumsum(np.diff(keys) != 0))[: len(keys)],
            times=extended.times * np.append(slot.readings.times, 1)[readings],
        )
        if self._every_option:
            extended = _with_options(block, parents, extended, slot.readings, readings, number)
        return self._hopeful_part(extended, number)

    def _bind(self, values: Integers, step: _Step, readings: Integers) -> Booleans:
        """Gives unset variables their values, in place; says which beginnings agree with their readings."""
        keep = np.ones(len(values), dtype=np.bool_)
        for column, places, relaxable in step.columns:
            given, current = places[readings], values[:, column]
            agreement = self.agreements[column]
            later = (given > 0) & (current > 0)
            if relaxable:
                values[later, column] = self._meet(agreement, current[later], given[later])
            elif later.any():
                keep[later] &= agreement.agree(current[later], given[later])
            values[:, column] = np.where(current > 0, values[:, column], given)
        return keep

    def _meet(self, agreement: Agreement, left: Integers, right: Integers) -> Integers:
        pairs, inverse = np.unique(np.column_stack([left, right]), axis=0, return_inverse=True)
        met = [self._values.meet(*(int(agreement.numbers[place - 1]) for place in pair)) for pair in pairs]
        return agreement.places(np.array(met, dtype=np.int64))[inverse.ravel()]

    def _hopes(self, number: int) -> list[tuple[int, Booleans]]:
        """For the variables of a slot: which values each later slot that must be filled can agree with."""
        found = []
        for column in {column for column, *_ in self._steps[number].columns}:
            hope = np.ones(self.agreements[column].size, dtype=np.bool_)
            if not self._changes(column):
                for slot, step in zip(self.slots[number + 1 :], self._steps[number + 1 :], strict=True):
                    if not slot.optional:
                        for support in step.supports:
                            if support.column == column:
                                hope &= support.counts > 0
            if not hope.all():
                found.append((column, hope))
        return found

    def _changes(self, column: int) -> bool:
        return any(c == column and relaxable for step in self._steps for c, _, relaxable in step.columns)

    def _hopeful_part(self, block: Block, number: int) -> Block:
        hopeful = np.ones(len(block), dtype=np.bool_)
        for column, hope in self._hopeful[number]:
            hopeful &= hope[block.values[:, column]]
        if self._every_option:  # what fails must fail at its slot: only rows without any hope are dropped
            hopeful = np.bincount(block.group, weights=hopeful)[block.group] > 0 if len(block) else hopeful
        return block if hopeful.all() else block.take(hopeful)


@dataclass(frozen=True, slots=True)
class _Support:
    """For each value of a variable the readings of a slot that agree with it; for no value all readings."""

    column: int
    begins: Integers
    counts: Integers
    readings: Integers


class _Step:
    """How beginnings are extended by one slot."""

    def __init__(self, slot: Slot, variables: dict[str, int], agreements: Sequence[Agreement]) -> None:
        self.columns = []
        self.supports = []
        changed: set[int] = set()  # by this slot itself: what beginnings have is not yet what must agree
        for place, occurrence in enumerate(slot.occurrences):
            column = variables[occurrence.name]
            places = agreements[column].places(slot.readings.values[:, place])
            self.columns.append((column, places, occurrence.relaxable))
            if occurrence.relaxable:
                changed.add(column)
            elif column not in changed:
                self.supports.append(_support(column, places, agreements[column]))
        self._count = len(slot.readings)

    def cheapest(self, values: Integers) -> tuple[Integers, Integers, Integers | None]:
        """For each beginning where its readings begin, how many they are, and the list in which they stand."""
        none: Integers | None = None
        best = np.zeros(len(values), dtype=np.int64), np.full(len(values), self._count), none
        for support in self.supports:
            bound = values[:, support.column]
            if (counts := support.counts[bound]).sum() < best[1].sum():
                best = support.begins[bound], counts, support.readings
        return best

    def candidates(self, values: Integers) -> tuple[Integers, Integers]:
        """Pairs of a beginning and a reading that may agree, by the variable that leaves the fewest."""
        begins, counts, listed = self.cheapest(values)
        parents, places = expanded(begins, counts)
        return parents, places if listed is None else listed[places]


def _support(column: int, places: Integers, agreement: Agreement) -> _Support:
    count = len(places)
    order = np.argsort(places, kind="stable")
    sorted_places = places[order]
    pairs = agreement.pairs
    begin, end = (np.searchsorted(sorted_places, pairs.indices, side=side) for side in ("left", "right"))
    entries, which = expanded(begin, end - begin)
    holders = np.repeat(np.arange(agreement.size), np.diff(pairs.indptr))[entries]
    absent = np.flatnonzero(places == 0)
    bound = np.arange(1, agreement.size)
    values = np.concatenate([np.zeros(count, np.int64), holders, np.repeat(bound, len(absent))])
    readings = np.concatenate([np.arange(count), order[which], np.tile(absent, len(bound))])
    by_value = np.lexsort((readings, values))
    counts = np.bincount(values, minlength=agreement.size)
    return _Support(column, np.cumsum(counts) - counts, counts, readings[by_value])


def _agreement(name: str, slots: Sequence[Slot], values: Values) -> Agreement:
    """Agreement of all values that a variable may take, those that arise from relaxable occurrences among them."""
    seen: set[int] = set()
    narrowing: set[int] = set()
    for slot in slots:
        for place, occurrence in enumerate(slot.occurrences):
            if occurrence.name == name:
                numbers = set(slot.readings.values[:, place].tolist()) - {-1}
                seen |= numbers
                narrowing |= numbers if occurrence.relaxable else set()
    new = seen
    while new := {values.meet(first, second) for first in new for second in narrowing} - seen:
        seen |= new
    return Agreement(values, np.array(sorted(seen), dtype=np.int64))


def _with_options(
    before: Block, parents: Integers, block: Block, slot: Readings, readings: Integers, number: int
) -> Block:
    """The block with the options of the slot, and with the slot as failed where a choice of options now fails.

    Only the options count that the row fits on its own: they fail by the values of variables.
    """
    if not len(block):
        return block
    options = block.options * slot.option_count + np.append(slot.options, 0)[readings]
    fitting = np.append(_choices(slot.rows, slot.options)[slot.rows], 1)[readings]
    due = _choices(before.group, before.options)[before.group[parents]] * fitting
    failed = np.where(_choices(block.group, options)[block.group] < due, number, block.failed)
    return replace(block, options=options, failed=failed)


def _choices(group: Integers, options: Integers) -> Integers:
    """How many different choices of options each group has."""
    return np.bincount(np.unique(np.column_stack([group, options]), axis=0)[:, 0])
