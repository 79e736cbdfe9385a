"""Argument graphs from edge scores: our exact search, and the released integer programme by HiGHS.

    python benchmarks/graph_decoding.py

The released programme (appendix C.3) asks for connectivity alone, by a flow from one concept to all others. It is
written here as there, and solved by HiGHS through scipy. Ours also keeps graphs acyclic, within 3 to 8 edges, with
two concepts of each text, and may leave concepts out.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import lil_array

from whence.solvers.graph_decoding import EdgeScores, GraphLimits, decode, decode_connected

_PROBLEMS = 100
_RELATIONS = 28


def run() -> list[tuple[str, ...]]:
    """For each number of concepts: the programme's time, ours, and their ratio."""
    return [row for count in (5, 8) for row in _compared(count)]


def _compared(count: int) -> list[tuple[str, ...]]:
    problems = _problems(count)
    limits = GraphLimits(texts=(frozenset(range(count // 2 + 1)), frozenset(range(count // 2 - 1, count))))
    programme_seconds, expected = _timed(_programme, problems)
    connected_seconds, connected = _timed(lambda scores: decode_connected(scores).score, problems)
    ours_seconds, _ = _timed(lambda scores: decode(scores, limits), problems)
    equal = sum(abs(one - other) < 1e-6 for one, other in zip(expected, connected, strict=True))
    return [
        _row(f"connected graph of {count} concepts, {_PROBLEMS} problems ({equal} of equal worth)",
             programme_seconds, connected_seconds),
        _row(f"graph within all rules of {count} concepts, {_PROBLEMS} problems (reference: connected only)",
             programme_seconds, ours_seconds),
    ]  # fmt: skip


def _row(what: str, reference: float, ours: float) -> tuple[str, ...]:
    each = 1000 / _PROBLEMS
    return (
        what,
        f"HiGHS, {reference * each:.1f} ms each",
        f"{ours * each:.2f} ms each",
        f"{reference / ours:.0f}×" if reference > 10 * ours else f"{reference / ours:.1f}×",
    )


def _problems(count: int) -> list[EdgeScores]:
    """Probabilities of 28 relations and none, as a classifier that is seldom sure gives them."""
    random = np.random.default_rng(0)
    drawn = random.dirichlet([*[0.1] * _RELATIONS, 0.5], size=(_PROBLEMS, count, count))
    return [EdgeScores(one[..., :-1], one[..., -1]) for one in drawn]


def _programme(scores: EdgeScores) -> float:
    """The worth of the best connected graph: an edge or none for each ordered pair, and a flow along the edges."""
    count, gains = scores.concepts, scores.gains
    pairs = [(head, tail) for head in range(count) for tail in range(count) if head != tail]
    place = {pair: number for number, pair in enumerate(pairs)}
    edges = len(pairs)
    matrix, low, high = lil_array((edges + count, 2 * edges)), [], []
    for pair, number in place.items():  # the flow uses an edge in either direction
        matrix[number, edges + number] = 1
        matrix[number, number] = matrix[number, place[pair[::-1]]] = -count
        low.append(-np.inf)
        high.append(0.0)
    for node in range(count):  # every concept keeps one unit; the first one has them all
        for other in range(count):
            if other != node:
                matrix[edges + node, edges + place[other, node]] = 1
                matrix[edges + node, edges + place[node, other]] = -1
        low.append(1.0 - count if node == 0 else 1.0)
        high.append(low[-1])
    solved = milp(
        np.r_[[-gains[pair] for pair in pairs], np.zeros(edges)],
        constraints=LinearConstraint(matrix.tocsr(), low, high),
        integrality=np.r_[np.ones(edges), np.zeros(edges)],
        bounds=Bounds(0, np.r_[np.ones(edges), np.full(edges, count)]),
    )
    if not solved.success:
        raise RuntimeError(solved.message)
    return float(-solved.fun + sum(scores.none[pair] for pair in pairs))


def _timed(solve: Callable[[EdgeScores], object], problems: list[EdgeScores]) -> tuple[float, list[object]]:
    """Seconds of this process, whatever else the machine does, and the answers."""
    started = process_time()
    found = [solve(problem) for problem in problems]
    return process_time() - started, found


if __name__ == "__main__":
    for line in run():
        print(" | ".join(line))
