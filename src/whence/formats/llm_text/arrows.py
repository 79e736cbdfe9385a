"""Arrows between concepts, and the drawings that are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whence.formats.llm_text.blocks import lines_of

ARROW = re.compile(r"[-=~–—]{1,4}>{1,2}|[→⟶⇒⟹➔➜➝➡⟼↦▶►]️?|\\(?:right|Right|long[Rr]ight)arrow|\\to\b|\\implies")
_LABELLED_ARROW = re.compile(
    r"[-=–—]{1,4}\s*[\[({|<]\s*:?\s*(?:label\s*[:=]\s*)?[\"']?([^\[\](){}|<>\"']{1,60}?)[\"']?\s*[\])}|>]\s*"
    r"(?:[-=–—]{1,4}>+|[→⟶⇒⟹➔➜])"
)
_DASHED_ARROW = re.compile(
    r"(?:(?<=[\s\])\"'])|^)[-–—=]{1,4}\s*([^\W\d_][^-–—=>|;]{0,50}?)\s*(?:[-–—=]{1,4}>+|[→⟶⇒⟹➔➜])"
)
_BARRED_ARROW = re.compile(r"(?:[-=.]{1,4}>|[→⇒])\s*\|\s*[\"']?([^|\"']{1,60}?)[\"']?\s*\|")
_MERMAID = re.compile(r"^(?:graph|flowchart)\b\s*(?:TD|TB|BT|LR|RL)?\b", re.IGNORECASE)
_NODE = re.compile(r"^(\w+)\s*(?:[\[({>]+\s*\"?(.*?)\"?\s*[\])}]+)?(?:::+\w+)?;?$")


def plain_arrows(text: str) -> str:
    """The text with `a -> r -> b` for arrows that carry their relation, such as `a --[r]--> b`."""
    for labelled in (_BARRED_ARROW, _LABELLED_ARROW, _DASHED_ARROW):
        text = labelled.sub(r" -> \1 -> ", text)
    return text


def diagram_edges(text: str) -> Iterator[tuple[str, str, str]]:
    """Head, relation and tail of the edges of a Mermaid drawing, whose nodes may have short names."""
    lines = lines_of(text)
    if not any(_MERMAID.match(line.text) or line.tag == "mermaid" for line in lines):
        return
    nodes: dict[str, str] = {}
    edges: list[list[str]] = []
    for line in lines:
        parts = [one.strip() for one in ARROW.split(plain_arrows(line.marked))]
        for one in parts[::2]:
            node = _NODE.match(one)
            if node and node[2]:
                nodes[node[1]] = node[2].strip('[](){}" ')
        if len(parts) == 3:
            edges.append(parts)
    for head, relation, tail in edges:
        yield _node(head, nodes), relation, _node(tail, nodes)


def _node(text: str, nodes: dict[str, str]) -> str:
    match = _NODE.match(text)
    return nodes.get(match[1], match[1]) if match else text
