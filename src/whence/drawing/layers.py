"""The first step of the layout: cut into parts, break cycles, and give every node a layer."""

from __future__ import annotations

from collections.abc import Sequence

Arc = tuple[int, int]
"""From an upper to a lower node, by number."""

_MAX_EXCHANGES = 2000


def components(count: int, arcs: Sequence[Arc]) -> list[list[int]]:
    """The nodes of every connected part; parts and nodes in ascending order."""
    near: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in arcs:
        near[upper].append(lower)
        near[lower].append(upper)
    part = [-1] * count
    for start in range(count):
        waiting = [start] if part[start] < 0 else []
        while waiting:
            node = waiting.pop()
            if part[node] < 0:
                part[node] = start
                waiting += near[node]
    return [[node for node in range(count) if part[node] == start] for start in sorted(set(part))]


def closing_arcs(count: int, arcs: Sequence[Arc]) -> set[int]:
    """The numbers of the arcs that close a cycle in a depth-first walk: turn them round and none is left."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    for number, (upper, _) in enumerate(arcs):
        leaving[upper].append(number)
    entered = {lower for _, lower in arcs}
    closing: set[int] = set()
    unseen, open_, done = 0, 1, 2
    state = [unseen] * count
    for start in sorted(range(count), key=lambda node: node in entered):
        path = [(start, iter(leaving[start]))] if state[start] == unseen else []
        while path:
            node, rest = path[-1]
            state[node] = open_
            following = next(rest, None)
            if following is None:
                state[node] = done
                path.pop()
            elif state[lower := arcs[following][1]] == open_:
                closing.add(following)
            elif state[lower] == unseen:
                path.append((lower, iter(leaving[lower])))
    return closing


def layering(count: int, arcs: Sequence[Arc]) -> list[int]:
    """A layer for every node of a connected acyclic graph: all arcs go down, their total length is least.

    Network simplex (Gansner et al. 1993, sec. 2). The cut value of a tree arc is the number of arcs that leave
    the side of its tail less those that enter it, which is the sum of (out - in) degrees over that side.
    """
    layer = _longest_paths(count, arcs)
    tree = _tight_tree(count, arcs, layer)
    surplus = [0] * count
    for upper, lower in arcs:
        surplus[upper] += 1
        surplus[lower] -= 1
    for _ in range(_MAX_EXCHANGES):
        side = _improvable_side(count, arcs, tree, surplus)
        if side is None:
            break
        leaving, upper_side = side
        entering = min(
            (number for number, (u, v) in enumerate(arcs) if u not in upper_side and v in upper_side),
            key=lambda number: _slack(arcs[number], layer),
        )
        shift = _slack(arcs[entering], layer)
        for node in upper_side:
            layer[node] -= shift
        tree = (tree - {leaving}) | {entering}
    top = min(layer, default=0)
    return [value - top for value in layer]


def _slack(arc: Arc, layer: list[int]) -> int:
    return layer[arc[1]] - layer[arc[0]] - 1


def _longest_paths(count: int, arcs: Sequence[Arc]) -> list[int]:
    """For every node the length of the longest path to it."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for upper, lower in arcs:
        leaving[upper].append(lower)
        missing[lower] += 1
    layer = [0] * count
    ready = [node for node in range(count) if not missing[node]]
    for node in ready:
        for lower in leaving[node]:
            layer[lower] = max(layer[lower], layer[node] + 1)
            missing[lower] -= 1
            if not missing[lower]:
                ready.append(lower)
    return layer


def _tight_tree(count: int, arcs: Sequence[Arc], layer: list[int]) -> set[int]:
    """A spanning tree of arcs of length 1; `layer` is changed so that there is one."""
    tree: set[int] = set()
    inside = {0}
    while len(inside) < count:
        border = [number for number, (u, v) in enumerate(arcs) if (u in inside) != (v in inside)]
        number = min(border, key=lambda number: _slack(arcs[number], layer))
        upper, lower = arcs[number]
        shift = _slack(arcs[number], layer)
        for node in inside:
            layer[node] += shift if upper in inside else -shift
        tree.add(number)
        inside |= {upper, lower}
    return tree


def _improvable_side(
    count: int, arcs: Sequence[Arc], tree: set[int], surplus: list[int]
) -> tuple[int, set[int]] | None:
    """The tree arc with the most negative cut value and the nodes on its tail's side; None when all is best."""
    near: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number in sorted(tree):
        upper, lower = arcs[number]
        near[upper].append((lower, number))
        near[lower].append((upper, number))
    parent: dict[int, tuple[int, int]] = {0: (0, -1)}
    walk = [0]
    for node in walk:
        for other, number in near[node]:
            if other not in parent:
                parent[other] = (node, number)
                walk.append(other)
    total = list(surplus)
    for node in reversed(walk[1:]):
        total[parent[node][0]] += total[node]
    cuts = [(total[n] if arcs[parent[n][1]][0] == n else -total[n], n) for n in walk[1:]]
    cut, child = min(cuts, default=(0, 0))
    if cut >= 0:
        return None
    below = {child}
    for node in walk:
        if parent[node][0] in below:
            below.add(node)
    number = parent[child][1]
    return number, below if arcs[number][0] == child else set(range(count)) - below
