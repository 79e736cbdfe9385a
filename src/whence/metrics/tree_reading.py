"""A proof as a scorer reads it: from its text, as the released scorers do, or from a tree.

Task 3 compares trees over different sentences, so there a leaf is its text; elsewhere a leaf is its id. Readers
are given the texts by id (`sentences`) in the first case and None in the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whence.structures.tree import HYPOTHESIS, Step, Tree, conclusions
from whence.structures.tree import leaves as tree_leaves

NO_MATCH = "NO_MATCH"
NULL = "NULL"

_MARK = re.compile(r"\$(\w*?)\$")
_VALUE = re.compile(r"(?:\s*=\s*)?(.*?)(?:\s*;\s*)?$")
_AGAIN = " ~AND~ "
_STEP = "[STEP] "

Head = tuple[tuple[str, ...], str]
"""Ids of premises and of the conclusion."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion of one step, by id, and the leaves it rests on."""

    name: str
    leaves: frozenset[str]


@dataclass(frozen=True, slots=True)
class Proof:
    """What scoring needs of a proof."""

    conclusions: tuple[Conclusion, ...]
    """One a step, in order; an id may come again."""
    words: Mapping[str, str]
    """What each conclusion says; empty where the proof does not word it."""
    leaves: frozenset[str]
    heads: tuple[Head, ...]
    """Steps by id."""
    texts: Mapping[str, str] | None = None
    """What each id says, of leaves and of conclusions, where leaves are texts."""


def proof_slot(line: str) -> str | None:
    """The proof in a line such as `$proof$ = ... ; $answer$ = ...`; None if the line has no such slot.

    The character before and after a slot's mark is cut off with it. A slot that comes again adds to the first.
    """
    line = line.strip()
    marks = list(_MARK.finditer(line))
    found = []
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        if mark[1] == "proof":
            value = line[mark.end() + 1 : following.start() - 1 if following else None]
            inner = _VALUE.match(value)
            found.append((inner[1] if inner else value).strip())
    return _AGAIN.join(found) if found else None


def normalised(sentence: str) -> str:
    """A conclusion as the scorer of tasks 1 and 2 compares it."""
    for old, new in (("  ", " "), (".", ""), ("\n", ""), ("( ", ""), (" )", "")):
        sentence = sentence.replace(old, new)
    return sentence.lower().strip()


def read_text(text: str, hypothesis: str, sentences: Mapping[str, str] | None = None) -> Proof:
    """A proof as the released scorers read it.

    They read it twice: for leaves and conclusions they cut at every `;`, and for steps at `; ` only. Whatever is
    not `premises -> conclusion: words` is passed over. An id with "sent" in it is a leaf; another rests on what
    steps before said of it. Words with a `:` in them are lost.
    """
    texts = None if sentences is None else dict(sentences)
    rests_on: dict[str, frozenset[str]] = {}
    words: dict[str, str] = {}
    found: list[Conclusion] = []
    leaves: set[str] = set()
    for piece in _pieces(text, ";"):
        head, *said = piece.split(":")
        parts = head.split(" -> ")
        if len(parts) != 2:
            continue
        name = parts[1] if texts is None else parts[1].strip()
        premises = [premise.strip() for premise in parts[0].split("&" if "&" in parts[0] else ",")]
        given = {
            premise if texts is None else texts.get(premise, NULL) for premise in premises if "sent" in premise
        }
        leaves |= given
        inherited = (rests_on.get(premise, frozenset()) for premise in premises if "sent" not in premise)
        rests_on[name] = frozenset(given).union(*inherited)
        wording = hypothesis if name == HYPOTHESIS else said[0].strip() if len(said) == 1 else ""
        words[name] = normalised(wording) if texts is None else wording
        if texts is not None:
            texts[name] = wording
        found.append(Conclusion(name, rests_on[name]))
    return Proof(tuple(found), words, frozenset(leaves), tuple(_heads(text, texts is not None)), texts)


def _pieces(text: str, mark: str) -> Iterator[str]:
    pieces = text.split(_STEP if "[STEP]" in text else mark)
    return (piece.strip() for piece in pieces)


def _heads(text: str, by_text: bool) -> Iterator[Head]:
    """Steps as the second reading finds them: ids keep their blanks in tasks 1 and 2."""
    for piece in _pieces(text, "; "):
        parts = piece.split(":")[0].split(" -> ")
        if len(parts) == 2:
            premises = parts[0].split(" & " if " & " in parts[0] else ", ")
            yield tuple(premise.strip() if by_text else premise for premise in premises), parts[1]


def read_tree(tree: Tree, hypothesis: str, sentences: Mapping[str, str] | None = None) -> Proof:
    """A proof as it is meant: steps in an order in which they follow, words whole, leaves what none concludes."""
    concluded = set(conclusions(tree))
    known = sentences or {}
    rests_on: dict[str, frozenset[str]] = {}
    words: dict[str, str] = {}
    found: list[Conclusion] = []
    for step in in_order(tree.steps):
        given = {known.get(premise, premise) for premise in step.premises if premise not in concluded}
        inherited = (rests_on.get(premise, frozenset()) for premise in step.premises if premise in concluded)
        rests_on[step.conclusion] = frozenset(given).union(*inherited)
        words[step.conclusion] = normalised(hypothesis if step.conclusion == HYPOTHESIS else step.text)
        found.append(Conclusion(step.conclusion, rests_on[step.conclusion]))
    leaves = frozenset(known.get(leaf, leaf) for leaf in tree_leaves(tree))
    heads = tuple((step.premises, step.conclusion) for step in tree.steps)
    return Proof(tuple(found), words, leaves, heads, None if sentences is None else {**sentences, **words})


def in_order(steps: Sequence[Step]) -> list[Step]:
    """Steps, each after those that conclude its premises as far as that can be; otherwise in the order given."""
    waiting, placed = list(steps), list[Step]()
    while waiting:
        open_ids = {step.conclusion for step in waiting}
        ready = [step for step in waiting if open_ids.isdisjoint(step.premises)] or waiting
        placed += ready
        waiting = [step for step in waiting if step not in ready]
    return placed
