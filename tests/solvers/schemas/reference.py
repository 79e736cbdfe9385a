"""A solver of schemas that does what the rules say, one combination of rows after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from whence.solvers.schemas.matching import tilings
from whence.structures.schema import Schema, TableSource, Variable, always_fits
from whence.structures.words import WordRow, WordStore

Value = tuple[frozenset[str], ...]
Reading = tuple[list[tuple[str, Value, bool]], int]


def solve(schema: Schema, store: WordStore, official: bool) -> list[tuple[str, ...]]:
    """The ids of all solutions, sorted; no limit, no constraints, no includes."""
    slots = [_candidates(row, store) for row in schema.rows]
    kept: list[tuple[tuple[int, ...], dict[str, Value], tuple[int, int, int]]] = []
    for choice, states in _combinations(slots, official):
        for variables, gaps in states:
            if not any(rows == choice and _same(variables, other) for rows, other, _ in kept):
                chosen = [slot[place][0] for slot, place in zip(slots, choice, strict=True)]
                omitted = sum(row is None for row in chosen)
                free = sum(
                    gap for gap, row in zip(gaps, schema.rows, strict=True) if isinstance(row.source, TableSource)
                )
                kept.append((choice, variables, (omitted, free, sum(gaps))))
    kept.sort(key=lambda solution: solution[2])
    rows = [[slot[place][0] for slot, place in zip(slots, choice, strict=True)] for choice, *_ in kept]
    return [tuple(row.id if row else "" for row in found) for found in rows]


def _candidates(row: Any, store: WordStore) -> list[tuple[WordRow | None, list[list[Reading]]]]:
    """Rows that fit, each with its readings by choice of options; the empty choice last for an optional row."""
    if isinstance(row.source, TableSource):
        table = store.by_name[row.source.table.lower()]
        rows = list(table.rows)
    else:
        table, only = store.by_id[row.source.uid]
        rows = [only]
    cells = () if always_fits(row) else row.cells
    found: list[tuple[WordRow | None, list[list[Reading]]]] = []
    for candidate in rows:
        by_cell = []
        for cell in cells:
            words = candidate.cells.get(table.columns[cell.column.lower()], ((),))
            options = [
                [r for words_ in words for r in _cell_readings(option, words_)] for option in cell.alternatives
            ]
            by_cell.append([option for option in options if option])
        if all(by_cell):
            found.append((candidate, [_joined(choice) for choice in product(*by_cell)]))
    if row.optional:
        found.append((None, [[([], 0)]]))
    return found


def _cell_readings(option: Any, words: Any) -> list[Reading]:
    found: list[Reading] = []
    for tiling in tilings(option, words):
        values = [
            (term.name, tuple(frozenset({w.written, w.lemma}) for w in words[slice(*span)]), term.relaxable)
            for term, span in zip(option.terms, tiling.spans, strict=True)
            if isinstance(term, Variable) and span
        ]
        found.append((values, tiling.gaps))
    return found


def _joined(choice: tuple[list[Reading], ...]) -> list[Reading]:
    return [
        ([value for values, _ in cells for value in values], sum(gaps for _, gaps in cells))
        for cells in product(*choice)
    ]


def _combinations(slots: Any, official: bool) -> Iterator[tuple[tuple[int, ...], list[Any]]]:
    if not all(slots):
        return
    place = [0] * len(slots)
    while True:
        chosen = [slot[number] for slot, number in zip(slots, place, strict=True)]
        found, failed = [], []
        for options in product(*(readings for _, readings in chosen)):
            states, last = _consistent(options)
            found += states
            failed += [last] if not states else []
        if found:
            yield tuple(place), found
        turn = max(failed) if failed and (official or not found) else len(slots) - 1
        place[turn + 1 :] = [0] * (len(slots) - turn - 1)
        while turn >= 0 and place[turn] + 1 == len(slots[turn]):
            place[turn] = 0
            turn -= 1
        if turn < 0:
            return
        place[turn] += 1


def _consistent(options: tuple[list[Reading], ...]) -> tuple[list[Any], int]:
    states: list[tuple[dict[str, Value], list[int]]] = [({}, [])]
    for slot, readings in enumerate(options):
        after = []
        for variables, gaps in states:
            for values, gap in readings:
                bound = _bound(variables, values)
                if bound is not None:
                    after.append((bound, [*gaps, gap]))
        if not after:
            return [], slot
        states = after
    return states, -1


def _bound(variables: dict[str, Value], values: Any) -> dict[str, Value] | None:
    bound = dict(variables)
    for name, value, relaxable in values:
        if name not in bound:
            bound[name] = value
        elif relaxable:
            shared = [a & b for a, b in zip(bound[name], value, strict=False)]
            if len(bound[name]) == len(value) and any(shared):
                bound[name] = tuple(filter(None, shared))
        elif not _overlap(bound[name], value):
            return None
    return bound


def _overlap(left: Value, right: Value) -> bool:
    return len(left) == len(right) and all(a & b for a, b in zip(left, right, strict=True))


def _same(left: dict[str, Value], right: dict[str, Value]) -> bool:
    return left.keys() == right.keys() and all(_overlap(left[name], right[name]) for name in left)
