"""Solutions of schemas over tables of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from whence.solvers.schemas.combine import Solved, combined
from whence.solvers.schemas.conditions import Texts
from whence.solvers.schemas.readings import RowIndex, occurrences
from whence.solvers.schemas.resolve import column_of, table_of
from whence.solvers.schemas.search import Block, Search, Slot
from whence.solvers.schemas.values import Agreement, Booleans, Integers, Values
from whence.structures.schema import RowPattern, Schema, TableSource, always_fits
from whence.structures.words import WordStore

SolverProtocol = Literal["official", "whence"]
LIMIT = 10_000
"""The released solver's limit of solutions a pattern."""


class Solver:
    """Solves schemas over one store. What it learns of a table for one schema serves the next."""

    def __init__(self, store: WordStore, protocol: SolverProtocol = "official", limit: int | None = LIMIT) -> None:
        """`official` is the released solver's search, which loses solutions of cells with options.

        The limit is on the solutions of a pattern; None is no limit. By the official rule solutions that repeat
        others count too, and the search ends after the combination of rows that exceeds the limit.
        """
        self._store, self._official, self._limit = store, protocol == "official", limit
        self._values = Values()
        self._indexes: dict[str, RowIndex] = {}

    def solve(self, schema: Schema, included: Mapping[str, Solved] | None = None) -> Solved:
        """The solutions of a schema; `included` has those of the patterns that it includes, by their references.

        First those with the fewest optional rows left out, then those with the fewest gaps forgiven.
        `DataError` with its line for a table, column or row that the store does not have.
        """
        indexes = [self._index(row) for row in schema.rows]
        search = self._search(schema, indexes)
        found, complete = self._collected(search)
        found = found.take(_best_first(found, schema.rows))
        ids = [_ids(index, found.rows[:, place]) for place, index in enumerate(indexes)]
        texts = {
            name: _value_texts(search.agreements[column], self._values, found.values[:, column])
            for name, column in search.variables.items()
        }
        names = tuple(row.name for row in schema.rows)
        stacked = np.stack(ids, axis=1) if ids else np.empty((len(found), 0), dtype=np.object_)
        own = Solved(schema.name, names, stacked, texts, complete)
        return combined(own, schema, included or {}, self._limit)

    def _search(self, schema: Schema, indexes: Sequence[RowIndex]) -> Search:
        slots = [self._slot(row, index) for row, index in zip(schema.rows, indexes, strict=True)]
        return Search(slots, self._values, every_option=self._official)

    def _index(self, row: RowPattern) -> RowIndex:
        table = table_of(row, self._store)
        if not isinstance(row.source, TableSource):
            return RowIndex([self._store.by_id[row.source.uid][1]], self._values)
        if table.name not in self._indexes:
            self._indexes[table.name] = RowIndex(table.rows, self._values)
        return self._indexes[table.name]

    def _slot(self, row: RowPattern, index: RowIndex) -> Slot:
        table = table_of(row, self._store)
        columns = [column_of(cell, table) for cell in row.cells]
        cells = () if always_fits(row) else row.cells
        readings = index.readings(list(zip(columns, cells, strict=False)))
        return Slot(readings, occurrences(cells), len(index), row.optional, isinstance(row.source, TableSource))

    def _blocks(self, search: Search) -> Iterable[Block]:
        return _without_lost(search.solutions()) if self._official else search.solutions()

    def _collected(self, search: Search) -> tuple[Block, bool]:
        """The distinct solutions up to the limit, and whether these are all."""
        kept = [_no_solutions(search)]
        count = 0
        for block in self._blocks(search):
            distinct = _distinct(block, search.agreements)
            counted = np.cumsum(block.times if self._official else distinct) + count
            count = int(counted[-1])
            if self._limit is not None and count > self._limit:
                last = int(np.searchsorted(counted, self._limit, side="right"))
                end = np.searchsorted(block.group, block.group[last], side="right") if self._official else last
                distinct[int(end) :] = False
                return _stacked([*kept, block.take(distinct)]), False
            kept.append(block.take(distinct))
        return _stacked(kept), True


def _without_lost(blocks: Iterable[Block]) -> Iterator[Block]:
    """The solutions that the released solver finds of those there are.

    It tries all choices of options of a combination of rows. If some choice fails, it goes on as if all had: it
    takes the next row at the last slot at which one failed, and what shares the rows up to that slot is lost.
    """
    passed: tuple[int, ...] | None = None
    for block in blocks:
        if passed is None and (block.failed < 0).all():
            yield block
            continue
        firsts = np.unique(block.group, return_index=True)[1]
        kept = []
        for rows, failed in zip(block.rows[firsts].tolist(), block.failed[firsts].tolist(), strict=True):
            lost = passed is not None and tuple(rows[: len(passed)]) == passed
            kept.append(not lost)
            if not lost:
                passed = tuple(rows[: failed + 1]) if failed >= 0 else None
        sizes = np.diff(np.append(firsts, len(block)))
        if any(kept):
            yield block.take(np.repeat(np.array(kept), sizes))


def _distinct(block: Block, agreements: Sequence[Agreement]) -> Booleans:
    """Which solutions do not repeat an earlier one: the same rows, and values that agree."""
    distinct = np.ones(len(block), dtype=np.bool_)
    if (np.diff(block.group) > 0).all():
        return distinct
    firsts = np.append(np.unique(block.group, return_index=True)[1], len(block))
    for begin, end in pairwise(firsts.tolist()):
        for later in range(begin + 1, end):
            earlier = begin + np.flatnonzero(distinct[begin:later])
            same = np.ones(len(earlier), dtype=np.bool_)
            for column, agreement in enumerate(agreements):
                same &= agreement.agree(block.values[earlier, column], block.values[[later], column])
            distinct[later] = not same.any()
    return distinct


def _best_first(found: Block, rows: Sequence[RowPattern]) -> Integers:
    optional = np.array([row.optional for row in rows], dtype=np.bool_)
    omitted = (found.rows[:, optional] < 0).sum(axis=1)
    return np.lexsort((found.gaps[:, 1], found.gaps[:, 0], omitted))


def _ids(index: RowIndex, rows: Integers) -> Texts:
    return np.array([*index.ids, ""], dtype=np.object_)[rows]


def _value_texts(agreement: Agreement, values: Values, places: Integers) -> Texts:
    known = {
        place: values.text(int(agreement.numbers[place - 1])) for place in np.unique(places).tolist() if place
    }
    return np.array([known.get(place, "") for place in places.tolist()], dtype=np.object_)


def _no_solutions(search: Search) -> Block:
    none = np.zeros(0, dtype=np.int64)
    rows, values, gaps = (np.zeros((0, n), dtype=np.int64) for n in (len(search.slots), len(search.variables), 2))
    return Block(rows, values, none, gaps, none, none, none)


def _stacked(blocks: Sequence[Block]) -> Block:
    return Block(*(np.concatenate([getattr(block, name) for block in blocks]) for name in Block.__slots__))
