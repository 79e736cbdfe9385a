"""The layout of a proof: conclusions above what they rest on, the premises of one step joined.

Subtrees are packed side by side as near as their boxes allow, every conclusion centred over its premises
(Reingold and Tilford 1981, for boxes of any height).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from whence.drawing.diagram import Diagram, Link
from whence.drawing.forest import Branch, children, forest
from whence.drawing.placed import Box, Layout, PlacedLink, PlacedNode, Point, box_around
from whence.drawing.sizes import Size, label_size, node_size

_BESIDE, _ABOVE = 22.0, 14.0
_ARROW_ROOM, _BELOW_TURN = 22.0, 14.0
_LABEL_SPACE = 6.0
_INDENT, _STACKED = 18.0, 10.0
_NEAR = 16.0


@dataclass(frozen=True, slots=True)
class _Step:
    """A branch, its size and that of its label, and its premises: branches by number.

    Premises are `stacked` in a column or side by side. Then their tops are at `drop` below that of the branch,
    and their lines are joined at `turn`: below the boxes beside the branch, so that these need not make way.
    """

    branch: Branch
    size: Size
    label: Size | None
    premises: tuple[int, ...] = ()
    stacked: bool = False
    turn: float = 0.0
    drop: float = 0.0


def proof_parts(diagram: Diagram, width: float, *, compact: bool) -> list[Layout]:
    """Every tree of a proof, its texts at most `width` wide.

    A node on which several conclusions rest is drawn at each of them: lines across the picture would hide its
    shape. In a compact layout premises that are all leaves form a column, and others need not keep their order.
    """
    steps = _steps(diagram, width, compact=compact)
    steps = _zigzag(steps) if compact else steps
    offsets = _offsets(steps)
    boxes: list[Box] = []
    parts: list[list[int]] = []
    for number, step in enumerate(steps):
        above = step.branch.parent
        if above is None:
            parts.append([])
        x, y = (boxes[above].x, boxes[above].y) if above is not None else (0.0, 0.0)
        boxes.append(Box(x, y, step.size.width, step.size.height).moved(*offsets[number]))
        parts[-1].append(number)
    return [_part(steps, boxes, members) for members in parts]


def _steps(diagram: Diagram, width: float, *, compact: bool) -> list[_Step]:
    branches = forest(diagram)
    shown = Counter(branch.node.id for branch in branches)
    steps = []
    for branch in branches:
        times = shown[branch.node.id]
        note = f"{branch.node.note} (shown {times} times)".strip() if times > 1 else branch.node.note
        size = node_size(replace(branch.node, note=note), width)
        steps.append(_Step(branch, size, label_size(branch.link) if branch.link else None))
    below = children(branches)
    for number, premises in enumerate(below):
        labels = [label.height for label in (steps[premise].label for premise in premises) if label]
        leaves = len(premises) > 1 and not labels and not any(below[premise] for premise in premises)
        room = max(labels) + 2 * _LABEL_SPACE if labels else 0.0
        above = branches[number].parent
        beside = below[above] if above is not None else [number]
        turn = max(steps[other].size.height for other in beside) + _ARROW_ROOM
        steps[number] = replace(
            steps[number],
            premises=tuple(premises),
            stacked=compact and leaves,
            turn=turn,
            drop=turn + room + _BELOW_TURN,
        )
    return steps


def _zigzag(steps: list[_Step]) -> list[_Step]:
    """Premises in another order: the deepest of a step leads back to the middle, so that long proofs do not drift.

    It is the middle one of three or more, and the right one of two where the step is itself on the left.
    """
    depth = [0] * len(steps)
    for number in reversed(range(len(steps))):
        depth[number] = 1 + max((depth[premise] for premise in steps[number].premises), default=0)
    result = list(steps)
    on_left: set[int] = set()
    for number, step in enumerate(steps):
        if step.premises and not step.stacked:
            deepest = max(step.premises, key=depth.__getitem__)
            others = [premise for premise in step.premises if premise != deepest]
            place = len(step.premises) // 2 if len(step.premises) > 2 or number in on_left else 0
            order = [*others[:place], deepest, *others[place:]]
            on_left |= set(order[: len(order) // 2])
            result[number] = replace(step, premises=tuple(order))
    return result


# Places -------------------------------------------------------------------------------------------


def _offsets(steps: list[_Step]) -> list[Point]:
    """Where the upper left corner of every branch is, seen from that of its parent."""
    shapes: list[list[Box]] = [[] for _ in steps]  # what a subtree covers, seen from its upper left corner
    offsets = [(0.0, 0.0)] * len(steps)
    for number in reversed(range(len(steps))):
        step = steps[number]
        shape = [Box(0, 0, step.size.width, step.size.height)]
        if step.label:
            shape.append(_label_box(shape[0], step.label))
        places = _column(steps, step) if step.stacked else _row(steps, step, shapes)
        for premise, place in zip(step.premises, places, strict=True):
            offsets[premise] = place
            shape += [box.moved(*place) for box in shapes[premise]]
            shapes[premise] = []
        shapes[number] = shape + _lines_shape(steps, step, places)
    return offsets


def _label_box(box: Box, label: Size) -> Box:
    """The place of the label of a link, above the premise where it begins."""
    return box_around((box.centre[0], box.y - _LABEL_SPACE - label.height / 2), label.width, label.height)


def _lines_shape(steps: list[_Step], step: _Step, places: list[Point]) -> list[Box]:
    """What the lines between a conclusion and its premises cover."""
    if not places:
        return []
    if step.stacked:
        return [Box(_INDENT, step.size.height, _INDENT, places[-1][1] - step.size.height)]
    first, last = (places[end][0] + steps[step.premises[end]].size.width / 2 for end in (0, -1))
    upright = Box(step.size.width / 2, step.size.height, 0, step.turn - step.size.height)
    return [upright, Box(first, step.turn, last - first, step.drop - step.turn)]


def _column(steps: list[_Step], step: _Step) -> list[Point]:
    tops = [step.size.height + _ARROW_ROOM]
    for premise in step.premises:
        tops.append(tops[-1] + steps[premise].size.height + _STACKED)
    return [(2 * _INDENT, top) for top in tops[:-1]]


def _row(steps: list[_Step], step: _Step, shapes: list[list[Box]]) -> list[Point]:
    """Side by side: the mean of packing to the left and packing to the right.

    Each packing keeps all distances, hence so does their mean; a small subtree between big ones is then central.
    """
    if not step.premises:
        return []
    family = [shapes[premise] for premise in step.premises]
    count = len(family)
    apart = {(a, b): _distance(family[a], family[b]) for b in range(count) for a in range(b)}
    left = [0.0] * count
    for b in range(1, count):
        left[b] = max(left[a] + apart[a, b] for a in range(b))
    right = list(left)
    for a in reversed(range(count - 1)):
        right[a] = min(right[b] - apart[a, b] for b in range(a + 1, count))
    places = [(a + b) / 2 for a, b in zip(left, right, strict=True)]
    centres = [place + steps[n].size.width / 2 for place, n in zip(places, step.premises, strict=True)]
    middle = (centres[0] + centres[-1]) / 2
    nearest = min(centres, key=lambda centre: abs(centre - middle))
    # A straight line beats a perfect middle.
    shift = step.size.width / 2 - (nearest if abs(nearest - middle) < _NEAR else middle)
    return [(place + shift, step.drop) for place in places]


def _distance(left: list[Box], right: list[Box]) -> float:
    """How far to the right of one subtree another must be so that none of their boxes are near each other."""
    return max(
        a.right + _BESIDE - b.x for a in left for b in right if a.y < b.bottom + _ABOVE and b.y < a.bottom + _ABOVE
    )


# Lines --------------------------------------------------------------------------------------------


def _part(steps: list[_Step], boxes: list[Box], members: list[int]) -> Layout:
    nodes = [PlacedNode(steps[n].branch.node, boxes[n], steps[n].size.lines, steps[n].size.note) for n in members]
    links = []
    for number in members:
        link, parent = steps[number].branch.link, steps[number].branch.parent
        if link is not None and parent is not None:
            links.append(_placed_link(link, steps[number], boxes[number], steps[parent], boxes[parent]))
    covered = [*(node.box for node in nodes), *(link.label for link in links if link.label)]
    left = min(box.x for box in covered)
    width, height = max(box.right for box in covered) - left, max(box.bottom for box in covered)
    return Layout(width, height, tuple(nodes), tuple(links)).moved(-left, 0)


def _placed_link(link: Link, step: _Step, box: Box, above: _Step, above_box: Box) -> PlacedLink:
    """From a premise up to its conclusion: by the left side of a column, or by the line that joins a row."""
    if above.stacked:
        side, middle = above_box.x + _INDENT, box.centre[1]
        return PlacedLink(link, (((box.x, middle), (side, middle), (side, above_box.bottom)),), None, (), True)
    start, end = box.centre[0], above_box.centre[0]
    turn = above_box.y + above.turn
    rest = [(start, turn), (end, turn)] if abs(start - end) > 0.5 else []
    if step.label is None:
        return PlacedLink(link, (((start, box.y), *rest, (end, above_box.bottom)),), None, (), True)
    label = _label_box(box, step.label)
    strokes = ((start, box.y), (start, label.bottom)), ((start, label.y), *rest, (end, above_box.bottom))
    return PlacedLink(link, strokes, label, step.label.lines, True)
