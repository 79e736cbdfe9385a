"""Exact graph edit distance: the fewest insertions, deletions and substitutions that make one graph the other.

Inserting or deleting a node or an edge costs 1, and a node takes its edges along at 1 each. A substitution costs
0 if the labels are equal, else 1. This is what the released ExplaGraphs evaluator asks of networkx.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from whence.errors import UsageError
from whence.solvers.edit_problem import edit_problem
from whence.solvers.edit_search import EditSearch
from whence.solvers.labelled_graph import LabelledGraph, from_graph

__all__ = [
    "EditDistance",
    "LabelledGraph",
    "NodePairs",
    "edit_cost",
    "from_graph",
    "graph_edit_distance",
    "smallest_distance",
]

NodePairs = tuple[tuple[int | None, int | None], ...]
"""What becomes of each node: (first, second) is substituted, (first, None) deleted, (None, second) inserted."""


@dataclass(frozen=True, slots=True)
class EditDistance:
    """A distance, or what could be proved about it in the time there was."""

    lower: float
    """No edit path costs less."""
    upper: float
    """What `mapping` costs."""
    seconds: float
    mapping: NodePairs
    """An edit path of the cost `upper`; what becomes of the edges follows from the nodes."""
    gold: int = 0
    """Of several gold graphs, the one that `mapping` leads to."""

    @property
    def is_optimal(self) -> bool:
        """Whether `upper` is proved to be the distance."""
        return self.lower == self.upper


def graph_edit_distance(
    first: LabelledGraph, second: LabelledGraph, *, time_limit: float | None = None
) -> EditDistance:
    """The distance, proved; or bounds of it once the time limit, in seconds, has passed."""
    return smallest_distance(first, (second,), time_limit=time_limit)


def smallest_distance(
    found: LabelledGraph, golds: Sequence[LabelledGraph], *, time_limit: float | None = None
) -> EditDistance:
    """The distance to the nearest gold. What is known of one gold ends the search for the next one early."""
    if not golds:
        raise UsageError("a distance needs at least one gold graph")
    if time_limit is not None and not time_limit >= 0:
        raise UsageError(f"a time limit is a number of seconds, not {time_limit}")
    if time_limit is not None:
        import whence.solvers.edit_prices  # noqa: F401  slow to import, so before the clock starts

    started = perf_counter()
    deadline = None if time_limit is None else started + time_limit
    nearest = _distance(found, golds[0], None, deadline)
    for number, gold in enumerate(golds[1:], 1):
        other = _distance(found, gold, int(nearest.upper), deadline)
        lower = min(nearest.lower, other.lower)
        nearest = replace(other, gold=number) if other.upper < nearest.upper else nearest
        nearest = replace(nearest, lower=min(lower, nearest.upper))
    return replace(nearest, seconds=perf_counter() - started)


def edit_cost(
    first: LabelledGraph, second: LabelledGraph, mapping: Iterable[tuple[int | None, int | None]]
) -> int:
    """What an edit path costs, counted from the definition."""
    pairs = tuple(mapping)
    target = {old: new for old, new in pairs if old is not None and new is not None}
    relabelled = sum(first.nodes[old] != second.nodes[new] for old, new in target.items())
    kept = {
        (start, end): (target[start], target[end])
        for start, end in first.edges
        if start in target and end in target and (target[start], target[end]) in second.edges
    }
    changed = sum(first.edges[old] != second.edges[new] for old, new in kept.items())
    nodes = len(first.nodes) + len(second.nodes) - 2 * len(target)
    edges = len(first.edges) + len(second.edges) - 2 * len(kept)
    return nodes + relabelled + edges + changed


def _distance(
    first: LabelledGraph, second: LabelledGraph, enough: int | None, deadline: float | None
) -> EditDistance:
    """The distance if it is less than `enough`; else `lower` may stop there."""
    started = perf_counter()
    exchanged = len(first.nodes) > len(second.nodes)
    smaller, larger = (second, first) if exchanged else (first, second)
    columns: dict[int, int] = {}
    lower = upper = len(larger.nodes) + len(larger.edges) + len(smaller.edges)
    if smaller.nodes:
        problem = edit_problem(smaller, larger)
        search = EditSearch(problem, -1 if enough is None else problem.most - enough, deadline)
        search.run()
        columns = dict(zip(problem.rows, search.best, strict=True))
        lower, upper = problem.most - search.limit, problem.most - search.saved
    pairs = _pairs(columns, len(smaller.nodes), len(larger.nodes))
    mapping = tuple((new, old) for old, new in pairs) if exchanged else pairs
    return EditDistance(float(lower), float(upper), perf_counter() - started, mapping)


def _pairs(columns: dict[int, int], rows: int, column_count: int) -> NodePairs:
    used = set(columns.values())
    return (
        *((row, columns.get(row)) for row in range(rows)),
        *((None, column) for column in range(column_count) if column not in used),
    )
