"""Branch and bound over assignments: depth first, one row at a time, most promising column first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from whence.solvers.assignment import best_assignment
from whence.solvers.edit_bounds import Bound, DualBound, LocalBound, State
from whence.solvers.edit_problem import EditProblem

_QUICK_VISITS = 400
"""Bounds that are computed before the linear relaxation is worth its time: both take some 30 ms."""
_LARGEST_RELAXATION = 250_000
"""Pairs of edges beyond which the relaxation would take minutes and gigabytes."""


@dataclass(frozen=True, slots=True)
class _Begun:
    """An assignment of the first rows, and what it can save at most."""

    bound: int
    columns: tuple[int, ...]
    free: NDArray[np.intp]
    before: tuple[State, ...]
    """The state of each bound before the last row was assigned: those who wait share it, which saves memory."""
    saved: tuple[float, ...]
    """What the assigned rows save, by each bound and in its units."""


class EditSearch:
    """The best assignment so far, and what no assignment can exceed."""

    def __init__(self, problem: EditProblem, enough: int = -1, deadline: float | None = None) -> None:
        """Assignments that save no more than `enough` are not looked for. The deadline is on `perf_counter`."""
        self.best: tuple[int, ...] = ()
        self.saved = -1
        self.limit = problem.most
        """No assignment saves more than this."""
        self._problem = problem
        self._enough = enough
        self._deadline = deadline
        self._visits = 0
        self._promise = np.zeros((len(problem.rows), problem.columns))
        """Of columns that are bounded alike, the one of more promise is tried first."""

    def run(self) -> None:
        """Search until the best is proved or time is up."""
        local = LocalBound(self._problem)
        self._search((local,), _QUICK_VISITS)
        if self._is_done() or self._is_late():
            return
        dual = self._relaxed()
        self._search((dual, local) if dual else (local,), None)

    def _relaxed(self) -> DualBound | None:
        """The bound from the linear relaxation, whose solution also suggests an assignment."""
        if len(self._problem.row_edges) * len(self._problem.column_edges) > _LARGEST_RELAXATION:
            return None
        from whence.solvers import edit_prices  # imports scipy, and few searches come here

        left = None if self._deadline is None else self._deadline - perf_counter()
        prices = edit_prices.edge_prices(self._problem, DualBound.scale, left)
        if prices is None:
            return None
        self._promise = prices.assigned
        self._consider(best_assignment(prices.assigned)[1])
        return DualBound(self._problem, prices)

    def _is_done(self) -> bool:
        return self.limit <= self._needed()

    def _is_late(self) -> bool:
        return self._deadline is not None and perf_counter() > self._deadline

    def _needed(self) -> int:
        """An assignment that saves no more than this is of no use."""
        return max(self.saved, self._enough)

    def _search(self, bounds: Sequence[Bound], visits: int | None) -> None:
        last_visit = None if visits is None else self._visits + visits
        columns = np.arange(self._problem.columns)
        starts = tuple(bound.start() for bound in bounds)
        nothing = (0.0,) * len(bounds)
        limit, _ = self._visit((), columns, zip(bounds, starts, nothing, strict=True), self.limit)
        open_ends = [_Begun(limit, (), columns, starts, nothing)]
        while open_ends and not self._is_late() and (last_visit is None or self._visits < last_visit):
            begun = open_ends.pop()
            if begun.bound > self._needed():
                open_ends.extend(self._continued(begun, bounds))
        self.limit = min(self.limit, max((self._needed(), *(begun.bound for begun in open_ends))))

    def _continued(self, begun: _Begun, bounds: Sequence[Bound]) -> list[_Begun]:
        """Assignments of one more row that may exceed the best, most promising last; itself if time is up."""
        row = len(begun.columns)
        before = begun.before
        if begun.columns:
            last = begun.columns[-1]
            before = tuple(bound.after(state, row - 1, last) for bound, state in zip(bounds, before, strict=True))
        found: list[_Begun] = []
        tried: set[int] = set()
        for place, column in enumerate(begun.free.tolist()):
            if self._problem.twins[column] in tried:
                continue
            if self._is_late():
                return [begun]
            tried.add(self._problem.twins[column])
            columns, free = (*begun.columns, column), np.delete(begun.free, place)
            states = (
                (bound, bound.after(state, row, column), saved + float(state[0][row, column]))
                for bound, state, saved in zip(bounds, before, begun.saved, strict=True)
            )
            limit, saved = self._visit(columns, free, states, begun.bound)
            if limit > self._needed():
                found.append(_Begun(limit, columns, free, before, saved))
        return sorted(found, key=lambda longer: (longer.bound, self._promise[row, longer.columns[-1]]))

    def _visit(
        self,
        columns: tuple[int, ...],
        free: NDArray[np.intp],
        states: Iterable[tuple[Bound, State, float]],
        limit: int,
    ) -> tuple[int, tuple[float, ...]]:
        """What an assignment can save at most, and what it saves by each bound; completed as the bounds suggest.

        Bounds that follow are not asked once the assignment cannot exceed the best.
        """
        self._visits += 1
        all_saved: list[float] = []
        for bound, state, saved in states:
            estimates = bound.estimates(state, len(columns), free)
            rows, chosen = best_assignment(estimates)
            limit = min(limit, int(saved + estimates[rows, chosen].sum()) // bound.scale)
            self._consider((*columns, *free[chosen].tolist()))
            all_saved.append(saved)
            if limit <= self._needed():
                break
        return limit, tuple(all_saved)

    def _consider(self, assignment: Sequence[int]) -> None:
        saved = self._problem.saved(assignment)
        if saved > self.saved:
            self.saved, self.best = saved, tuple(assignment)
