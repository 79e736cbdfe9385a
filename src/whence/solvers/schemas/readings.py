"""The readings of a row pattern: which rows fit it, and what its variables may be in each.

A reading is one choice of option, alternative and tiling for every cell of the pattern. Literals choose rows
through an index of forms, so that only rows that may fit are looked at. What was found for a cell is kept: other
patterns ask for the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from whence.solvers.schemas.matching import literal_forms, literal_words, tilings
from whence.solvers.schemas.values import Integers, Values
from whence.structures.schema import CellPattern, Concatenation, Literal, Variable
from whence.structures.words import Alternative, WordRow


@dataclass(frozen=True, slots=True)
class Readings:
    """Readings of some rows, in the order of the rows. All arrays have one entry a reading.

    `values` has one column for each place where a variable stands, -1 where the option has no such place.
    `options` numbers the choice of options, of which there are `option_count`; `times` says how many readings that
    differ in nothing else are meant.
    """

    rows: Integers
    options: Integers
    values: Integers
    gaps: Integers
    times: Integers
    option_count: int = 1

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place in a row pattern where a variable stands."""

    name: str
    relaxable: bool = False


def occurrences(cells: Iterable[CellPattern]) -> tuple[Occurrence, ...]:
    """Where variables stand, in file order: the columns of `Readings.values`."""
    return tuple(
        Occurrence(term.name, term.relaxable)
        for cell in cells
        for option in cell.alternatives
        for term in option.terms
        if isinstance(term, Variable)
    )


class RowIndex:
    """Rows of a table that can be asked which of them fit."""

    def __init__(self, rows: Sequence[WordRow], values: Values) -> None:
        self._rows = rows
        self._values = values
        self._forms: dict[str, dict[str, set[int]]] = {}
        self._cells: dict[tuple[object, ...], Readings] = {}
        self.ids = [row.id for row in rows]

    def __len__(self) -> int:
        return len(self._rows)

    def readings(self, cells: Sequence[tuple[str, CellPattern]]) -> Readings:
        """The readings of the rows in which every cell fits; each cell with the name of its column."""
        found = _free(len(self._rows))
        for column, cell in cells:
            found = _joined(found, self._cell_readings(column, cell))
        return _counted(found)

    def _cell_readings(self, column: str, cell: CellPattern) -> Readings:
        # The names of variables do not matter here, so `<x>` is matched once for all patterns.
        shape = tuple(
            tuple((type(term), getattr(term, "text", ""), term.optional, term.relaxable) for term in option.terms)
            for option in cell.alternatives
        )
        if (column, shape) not in self._cells:
            self._cells[column, shape] = self._find(column, cell)
        return self._cells[column, shape]

    def _find(self, column: str, cell: CellPattern) -> Readings:
        width = len(occurrences([cell]))
        found: list[tuple[int, int, list[int], int]] = []
        before = 0
        for number, option in enumerate(cell.alternatives):
            variables = [place for place, term in enumerate(option.terms) if isinstance(term, Variable)]
            for row in self._candidates(column, option):
                for alternative in self._rows[row].cells.get(column, ((),)):
                    for tiling in tilings(option, alternative):
                        values = [-1] * width
                        for place, term in enumerate(variables, start=before):
                            if span := tiling.spans[term]:
                                values[place] = self._values.number(alternative[slice(*span)])
                        found.append((row, number, values, tiling.gaps))
            before += len(variables)
        found.sort(key=lambda reading: reading[:2])
        return Readings(
            np.array([row for row, *_ in found], dtype=np.int64),
            np.array([option for _, option, *_ in found], dtype=np.int64),
            np.array([values for *_, values, _ in found], dtype=np.int64).reshape(len(found), width),
            np.array([gaps for *_, gaps in found], dtype=np.int64),
            np.ones(len(found), dtype=np.int64),
            len(cell.alternatives),
        )

    def _candidates(self, column: str, option: Concatenation) -> Iterable[int]:
        """The rows whose cell has all words that the option asks for; every row where it asks for nothing."""
        if all(term.optional for term in option.terms):
            return range(len(self._rows))
        forms = self._forms_of(column)
        asked = [
            forms.get(word, set())
            for term in option.terms
            if isinstance(term, Literal) and not term.optional
            for word in literal_words(term.text)
        ]
        return sorted(set.intersection(*asked) if asked else forms[""])

    def _forms_of(self, column: str) -> dict[str, set[int]]:
        """Form -> the rows whose cell has a word known by it; "" -> all rows whose cell has words."""
        if column not in self._forms:
            found: dict[str, set[int]] = defaultdict(set, {"": set()})
            for number, row in enumerate(self._rows):
                if column in row.cells:
                    found[""].add(number)
                    for form in _forms(row.cells[column]):
                        found[form].add(number)
            self._forms[column] = dict(found)
        return self._forms[column]


def _forms(cell: tuple[Alternative, ...]) -> set[str]:
    return {form for alternative in cell for word in alternative for form in literal_forms(word)} - {""}


def _free(count: int) -> Readings:
    """One reading a row that asks for nothing."""
    zeros = np.zeros(count, dtype=np.int64)
    return Readings(np.arange(count), zeros, np.zeros((count, 0), dtype=np.int64), zeros, zeros + 1)


def _joined(left: Readings, right: Readings) -> Readings:
    """Every reading of one with every reading of the other that has the same row."""
    begin, end = (np.searchsorted(right.rows, left.rows, side=side) for side in ("left", "right"))
    first, second = expanded(begin, end - begin)
    return Readings(
        left.rows[first],
        left.options[first] * right.option_count + right.options[second],
        np.hstack([left.values[first], right.values[second]]),
        left.gaps[first] + right.gaps[second],
        left.times[first] * right.times[second],
        left.option_count * right.option_count,
    )


def expanded(begin: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """For each item its number, as often as it counts, and beside it the numbers from its beginning on."""
    items = np.repeat(np.arange(len(counts)), counts)
    ends = np.cumsum(counts)
    return items, np.arange(len(items)) - np.repeat(ends - counts, counts) + np.repeat(begin, counts)


def _counted(found: Readings) -> Readings:
    """Readings that are the same in everything become one that counts for all, at the place of the first."""
    keys = np.column_stack([found.rows, found.options, found.gaps, found.values])
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    times = np.bincount(inverse.ravel(), weights=found.times, minlength=len(first)).astype(np.int64)
    order = np.argsort(first)
    kept = first[order]
    return replace(
        found,
        rows=found.rows[kept],
        options=found.options[kept],
        values=found.values[kept],
        gaps=found.gaps[kept],
        times=times[order],
    )
