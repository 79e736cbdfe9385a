"""An explanation by facts as a picture: each fact hangs on what it shares most words with."""

from __future__ import annotations

from collections.abc import Mapping

from whence.drawing import Diagram, Link, Node
from whence.structures.facts import Fact, FactSet, FactUse, Question, Ranking
from whence.tasks.likeness import singular

_SHOWN = 8
# fmt: off
_COMMON = frozenset({
    "a", "an", "the", "is", "are", "was", "be", "been", "of", "to", "in", "on", "at", "by", "for", "from",
    "with", "as", "and", "or", "that", "this", "which", "what", "it", "its", "can", "will", "may", "does",
    "do", "did", "not", "no", "has", "have", "had", "if", "then", "than", "when", "where", "how", "why",
    "who", "kind", "something", "some", "usually", "means", "one",
})
# fmt: on
"""Words that say nothing about what a fact is about."""


def diagram(inputs: Question, explanation: FactSet | Ranking | None, facts: Mapping[str, Fact]) -> Diagram:
    """The question and answer on top; gold facts, or the first few of a ranking, below."""
    caption = (("question", inputs.question), ("answer", inputs.answer))
    if explanation is None:
        return Diagram((), (), caption=caption, direction="up")
    uses = _shown(explanation)
    texts = {use.id: facts[use.id].text if use.id in facts else use.id for use in uses}
    root = Node("answer", inputs.answer, "root", note="answer")
    nodes = tuple(Node(use.id, texts[use.id], "leaf", note=_note(use)) for use in uses)
    return Diagram(
        (root, *nodes), _joined(f"{inputs.question} {inputs.answer}", texts), caption=caption, direction="up"
    )


def _shown(explanation: FactSet | Ranking) -> list[FactUse]:
    if isinstance(explanation, Ranking):
        shown = dict.fromkeys(explanation.ids[:_SHOWN])
        return [FactUse(fact, f"rank {explanation.ids.index(fact) + 1}") for fact in shown]
    return list({use.id: use for use in reversed(explanation.facts) if use.gold}.values())[::-1]


def _note(use: FactUse) -> str:
    rating = "" if use.rating is None else f"rated {use.rating}"
    return ", ".join(part for part in (use.role.lower(), rating) if part)


def _joined(root: str, texts: Mapping[str, str]) -> tuple[Link, ...]:
    """Links from each fact to the part of the growing tree that it shares most words with, by these words."""
    words = {name: _content(text) for name, text in texts.items()}
    placed = {"answer": _content(root)}
    links = []
    while waiting := [name for name in words if name not in placed]:
        pairs = [(len(words[name] & placed[target]), name, target) for name in waiting for target in placed]
        best = max(pairs, key=lambda pair: pair[0])
        shared = ", ".join(sorted(words[best[1]] & placed[best[2]], key=lambda word: (-len(word), word))[:2])
        links.append(Link(best[1], best[2], shared))
        placed[best[1]] = words[best[1]]
    return tuple(links)


def _content(text: str) -> frozenset[str]:
    """Words that carry meaning, plural endings off."""
    words = ("".join(filter(str.isalnum, word)).lower() for word in text.split())
    return frozenset(singular(word) for word in words if word and word not in _COMMON)
