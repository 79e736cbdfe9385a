"""A diagram as plain text, for a terminal or a message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from whence.drawing.diagram import SIGNS, STANCES, Diagram, Link, Node
from whence.drawing.forest import Branch, children, forest
from whence.drawing.text_size import clean, columns, wrap_columns

_LEAST_WIDTH = 24
_CONTINUED = "    "
_NOT_FROM_THE_TEXT = ("external", "latent")
_ASCII = str.maketrans("─╌│├└▶⟨⟩−▲▼…—“”‘’", "-.||`><>-^v.-\"\"''")


def to_text(
    diagram: Diagram, *, width: int = 100, style: Literal["tree", "graph"] | None = None, ascii_only: bool = False
) -> str:
    """The diagram and what stands above it, in lines that fit the width wherever words do.

    Without a style, proofs (direction "up") are written as trees and other diagrams as graphs. `ascii_only` is for
    terminals that cannot show other characters; in labels they become question marks.
    """
    style = style or ("tree" if diagram.direction == "up" else "graph")
    heading = _heading(diagram, width)
    body = (tree_lines if style == "tree" else graph_lines)(diagram, width=width)
    text = "\n".join([*heading, *([""] if heading and body else []), *body])
    return text.translate(_ASCII).encode("ascii", "replace").decode() if ascii_only else text


def _heading(diagram: Diagram, width: int) -> list[str]:
    lines = list(wrap_columns(diagram.title, width))
    names = [clean(name) for name, _ in diagram.caption]
    indent = max(map(columns, names), default=0) + 2
    for name, (_, text) in zip(names, diagram.caption, strict=True):
        sign = STANCES.get(text, "") if name == "stance" else ""
        lines += _folded(name + " " * (indent - columns(name)), " " * indent, f"{sign} {text}", width)
    return lines


def _folded(first: str, rest: str, text: str, width: int) -> list[str]:
    """A text in lines: what stands before the first of them and before the others is given."""
    room = max(_LEAST_WIDTH, width - max(columns(first), columns(rest)))
    begin, *others = wrap_columns(text, room) or ("",)
    return [first + begin, *(rest + line for line in others)]


def _signed(mark: str, text: str) -> str:
    return f"{SIGNS[mark]} {text}" if mark in SIGNS else text


def _named(node: Node) -> str:
    label = clean(node.label) or "(empty)"
    return f"⟨{label}⟩" if node.kind in _NOT_FROM_THE_TEXT else label


# Trees --------------------------------------------------------------------------------------------


def tree_lines(diagram: Diagram, *, width: int = 100) -> list[str]:
    """An indented tree from every root. What was shown in full is then referred to by its note, if it has one."""
    branches = forest(diagram)
    below = children(branches)
    last = {family[-1] for family in below if family}
    guides: list[str] = []
    lines: list[str] = []
    for number, branch in enumerate(branches):
        if branch.parent is None:
            first = guide = ""
        else:
            before = guides[branch.parent]
            first = f"{before}{'└' if number in last else '├'}{_tree_link(branch.link)} "
            guide = f"{before}{' ' if number in last else '│'}  "
        guides.append(guide)
        rest = f"{guide}{'│' if below[number] else ' '}  "
        lines += _folded(first, rest, _tree_text(branch), width)
    return lines


def _tree_link(link: Link | None) -> str:
    label = _signed(link.mark, clean(link.label)).strip() if link else ""
    dash = "╌" if link and link.kind == "negated" else "─"
    return f"{dash}{label}{dash}" if label else dash


def _tree_text(branch: Branch) -> str:
    node, note = branch.node, clean(branch.node.note)
    if branch.again:
        return f"{_signed(node.mark, note or _named(node))} (above)"
    return _signed(node.mark, f"{_named(node)} ({note})" if note else _named(node))


# Graphs -------------------------------------------------------------------------------------------


def graph_lines(diagram: Diagram, *, width: int = 100) -> list[str]:
    """The diagram along its arrows: chains on one line, branches below their node. `(above)`: has been shown.

    ⟨…⟩ is a concept that is not from the text; a broken arrow stands for a negated relation.
    """
    branches = forest(replace(diagram, direction="down"))
    below = children(branches)
    last = {family[-1] for family in below if family}
    guides = [""] * len(branches)  # what stands before the lines below a branch
    written: set[int] = set()
    lines: list[str] = []
    for start, branch in enumerate(branches):
        if start in written:
            continue
        chain = list(_chain(start, below))
        written |= set(chain)
        guide, corner, rest = "", "", ""
        if branch.parent is not None:
            guide, corner = guides[branch.parent], "└" if start in last else "├"
            rest = guide + ("│" if corner == "├" else " ")
        flow = _flow(chain, branches, below, width - columns(rest + _CONTINUED))
        for index, text in enumerate(flow):
            lines += _folded(rest + _CONTINUED if index else guide + corner, rest + _CONTINUED, text, width)
        name = columns(flow[-1]) - columns(_graph_name(branches[chain[-1]]))
        indent = name + (len(_CONTINUED) if len(flow) > 1 else 0)
        folded = columns(rest) + indent > width - _LEAST_WIDTH
        guides[chain[-1]] = rest + (_CONTINUED if folded else " " * indent)
    return lines


def _flow(chain: list[int], branches: Sequence[Branch], below: list[list[int]], room: int) -> list[str]:
    """A chain in lines. A node with branches is where these have room below it."""
    lines = [""]
    for number in chain:
        unit = _graph_unit(branches[number])
        name = columns(_graph_name(branches[number]))
        branching = max((columns(_graph_unit(branches[child])) for child in below[number]), default=0)
        needed = columns(unit) + max(0, branching + 1 - name if len(below[number]) > 1 else 0)
        if lines[-1] and columns(lines[-1]) + 1 + needed > room:
            lines.append(unit)
        else:
            lines[-1] = f"{lines[-1]} {unit}".strip()
    return lines


def _chain(start: int, below: list[list[int]]) -> Iterator[int]:
    """A branch, and those below it as long as each has only one."""
    yield start
    while len(below[start]) == 1:
        start = below[start][0]
        yield start


def _graph_unit(branch: Branch) -> str:
    return f"{_graph_link(branch.link)} {_graph_name(branch)}" if branch.link else _graph_name(branch)


def _graph_link(link: Link) -> str:
    dash = "╌╌" if link.kind == "negated" else "──"
    label = _signed(link.mark, clean(link.label)).strip()
    return f"{dash}{label}{dash}▶" if label else f"{dash}▶"


def _graph_name(branch: Branch) -> str:
    return _signed(branch.node.mark, _named(branch.node)) + (" (above)" if branch.again else "")
