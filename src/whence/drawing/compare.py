"""Two diagrams as one, with what differs marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from whence.drawing.diagram import Diagram, Link, Node, describe_link


def compare(before: Diagram, after: Diagram) -> Diagram:
    """The union of both: what is in one only is marked added or removed, what has another label changed.

    Nodes are the same if their ids are. Links are the same if their ends and labels are; those left over between
    the same ends are paired in order, and a pair is one changed link with both labels. A changed node has a note
    of what it was.
    """
    nodes = [
        replace(node, mark=mark, note=f"{node.note} was: {was}".strip() if mark == "changed" else node.note)
        for node, mark, was in _nodes(before, after)
    ]
    links = [
        replace(link, mark=mark, label=_both(was, link.label) if mark == "changed" else link.label)
        for link, mark, was in _links(before, after)
    ]
    rows = [(name, text if was == text else _both(was, text)) for name, was, text in _rows(before, after)]
    return replace(after, nodes=tuple(nodes), links=tuple(links), caption=tuple(rows))


def differences(before: Diagram, after: Diagram) -> tuple[str, ...]:
    """What differs, one line each, in words; empty if nothing does."""
    lines = [f"{name}: {_became(was, text)}" for name, was, text in _rows(before, after) if was != text]
    for node, mark, was in _nodes(before, after):
        if mark:
            lines.append(f"{mark}: {_became(was, node.label) if mark == 'changed' else _shown(node.label)}")
    labels = {node.id: node.label or node.id for node in (*before.nodes, *after.nodes)}
    for link, mark, was in _links(before, after):
        if mark == "changed":
            lines.append(f"changed: {labels[link.tail]} → {labels[link.head]}: {_became(was, link.label)}")
        elif mark:
            lines.append(describe_link(replace(link, mark=mark), labels))
    return tuple(lines)


def _nodes(before: Diagram, after: Diagram) -> Iterator[tuple[Node, str, str]]:
    """Every node, its mark, and the label it had."""
    old, new = ({node.id: node for node in diagram.nodes} for diagram in (before, after))
    for id in dict.fromkeys([*old, *new]):
        if id not in new:
            yield old[id], "removed", ""
        elif id not in old:
            yield new[id], "added", ""
        else:
            yield new[id], "" if old[id].label == new[id].label else "changed", old[id].label


def _links(before: Diagram, after: Diagram) -> Iterator[tuple[Link, str, str]]:
    """Every link, its mark, and the label it had."""
    old, new = _by_ends(before.links), _by_ends(after.links)
    for ends in dict.fromkeys([*old, *new]):
        left, right = old.get(ends, []), new.get(ends, [])
        for link in list(right):
            same = next((other for other in left if other.label == link.label), None)
            if same is not None:
                left.remove(same)
                right.remove(link)
                yield link, "", same.label
        paired = min(len(left), len(right))
        yield from ((link, "changed", was.label) for was, link in zip(left, right, strict=False))
        yield from ((link, "removed", "") for link in left[paired:])
        yield from ((link, "added", "") for link in right[paired:])


def _by_ends(links: Iterable[Link]) -> dict[tuple[str, str], list[Link]]:
    result: dict[tuple[str, str], list[Link]] = {}
    for link in links:
        result.setdefault((link.tail, link.head), []).append(link)
    return result


def _rows(before: Diagram, after: Diagram) -> Iterator[tuple[str, str, str]]:
    """The rows of the caption: name, text before, text after. Rows of one name are paired in order."""
    old: dict[str, list[str]] = {}
    for name, text in before.caption:
        old.setdefault(name, []).append(text)
    for name, text in after.caption:
        yield name, old[name].pop(0) if old.get(name) else text, text


def _both(was: str, label: str) -> str:
    return f"{was or '(none)'} → {label or '(none)'}"


def _became(was: str, label: str) -> str:
    return f"{_shown(was)} became {_shown(label)}"


def _shown(label: str) -> str:
    return f"“{label}”" if label else "nothing"
