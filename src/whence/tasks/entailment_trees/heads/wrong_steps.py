"""Steps that do not hold, made from steps of gold trees: what a judge of steps learns to refuse.

EntailmentBank has true steps only. A wrong one is a true one with a single change, of a kind in `KINDS`. It
is never a true step of any tree in the same file, nor one with premises added. That it does not hold all the same
is likely, not certain: a premise may have been superfluous.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from whence.errors import DataError, quoted
from whence.structures.tree import Claim, Step, Tree, conclusions, leaves, texts
from whence.tasks.likeness import WordIndex, index_words, nearest, singular_words

Value = TypeVar("Value")

ALIKE = 10
"""A text is exchanged for one of so many that share most words with it, as task 2's distractors do."""


@dataclass(frozen=True, slots=True)
class WordedStep:
    """A step in words, and what its tree has to offer in exchange."""

    premises: tuple[str, ...]
    conclusion: str
    inner: tuple[bool, ...] = ()
    """Which premises are themselves conclusions."""
    sentences: tuple[str, ...] = ()
    """Leaves of the tree that are no premises here."""
    elsewhere: tuple[str, ...] = ()
    """Conclusions of the tree that neither are this one nor lead to it: those the premises may well entail."""


def premises_text(premises: Sequence[str]) -> str:
    """The premises one after the other, each a sentence."""
    return " ".join(f"{premise.strip().removesuffix('.').rstrip()}." for premise in premises)


def worded_steps(tree: Tree, claim: Claim) -> list[WordedStep]:
    """The steps of a tree in words, in order."""
    said = texts(tree, claim)
    concluded = set(conclusions(tree))
    for step in tree.steps:
        for name in (*step.premises, step.conclusion):
            if not said.get(name):
                raise DataError(expected="a text for every id of the proof", found=f"none for {quoted(name)}")
    return [
        WordedStep(
            tuple(said[name] for name in step.premises),
            said[step.conclusion],
            tuple(name in concluded for name in step.premises),
            tuple(said[name] for name in leaves(tree) if name not in step.premises),
            tuple(said[name] for name in conclusions(tree) if name not in _beneath(step, tree)),
        )
        for step in tree.steps
    ]


def _beneath(step: Step, tree: Tree) -> set[str]:
    """The conclusion of a step and all that it rests on."""
    found, waiting = set[str](), [step.conclusion]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [premise for other in tree.steps if other.conclusion == name for premise in other.premises]
    return found


@dataclass(frozen=True, slots=True)
class Stock:
    """All that the trees of a file say: what is true, and texts to exchange for others."""

    sentences: WordIndex
    conclusions: WordIndex
    true: Mapping[str, tuple[frozenset[str], ...]]
    """For each conclusion the premises that entail it, step by step."""


def stock_of(steps: Iterable[WordedStep]) -> Stock:
    """What the steps say."""
    sentences, concluded = dict[str, None](), dict[str, None]()
    true: dict[str, tuple[frozenset[str], ...]] = {}
    for step in steps:
        key = _plain(step.conclusion)
        true[key] = (*true.get(key, ()), frozenset(map(_plain, step.premises)))
        concluded[step.conclusion] = None
        for premise, inner in zip(step.premises, step.inner, strict=True):
            (concluded if inner else sentences)[premise] = None
    return Stock(index_words(list(sentences)), index_words(list(concluded)), true)


def is_true(step: WordedStep, stock: Stock) -> bool:
    """Whether the step, or one with fewer premises, is among the true ones, or repeats a premise."""
    premises, conclusion = frozenset(map(_plain, step.premises)), _plain(step.conclusion)
    return conclusion in premises or any(known <= premises for known in stock.true.get(conclusion, ()))


def _plain(text: str) -> str:
    return " ".join(text.lower().replace(".", " ").split())


def _sentence_of_the_tree(step: WordedStep, _: Stock, drawn: random.Random) -> Iterator[WordedStep]:
    for place in _shuffled([place for place, inner in enumerate(step.inner) if not inner], drawn):
        for other in _shuffled(step.sentences, drawn):
            yield _with_premise(step, place, other)


def _sentence_alike(step: WordedStep, stock: Stock, drawn: random.Random) -> Iterator[WordedStep]:
    for place in _shuffled(range(len(step.premises)), drawn):
        known = stock.conclusions if step.inner[place] else stock.sentences
        for other in _alike(step.premises[place], known, drawn):
            yield _with_premise(step, place, other)


def _premise_missing(step: WordedStep, _: Stock, drawn: random.Random) -> Iterator[WordedStep]:
    for place in _shuffled(range(len(step.premises)), drawn):
        if len(step.premises) > 1:
            yield replace(step, premises=(*step.premises[:place], *step.premises[place + 1 :]))


def _conclusion_of_the_tree(step: WordedStep, _: Stock, drawn: random.Random) -> Iterator[WordedStep]:
    for other in _shuffled(step.elsewhere, drawn):
        yield replace(step, conclusion=other)


def _conclusion_alike(step: WordedStep, stock: Stock, drawn: random.Random) -> Iterator[WordedStep]:
    for other in _alike(step.conclusion, stock.conclusions, drawn):
        yield replace(step, conclusion=other)


KINDS: dict[str, Callable[[WordedStep, Stock, random.Random], Iterator[WordedStep]]] = {
    "sentence-of-the-tree": _sentence_of_the_tree,
    "sentence-alike": _sentence_alike,
    "premise-missing": _premise_missing,
    "conclusion-of-the-tree": _conclusion_of_the_tree,
    "conclusion-alike": _conclusion_alike,
}
"""What can be wrong: a premise is exchanged for another leaf of the tree, or for a text of another tree that
shares words with it; a premise is left out; the conclusion is exchanged for one of the tree, or for one alike."""


@dataclass(frozen=True, slots=True)
class WrongStep:
    """A step that does not hold, and of what kind it is."""

    kind: str
    step: WordedStep


def wrong_step(step: WordedStep, stock: Stock, made: Mapping[str, int], drawn: random.Random) -> WrongStep | None:
    """A wrong step from a true one, of the kind that was made least so far among those that can be made."""
    kinds = list(KINDS)
    for kind in sorted(kinds, key=lambda kind: (made.get(kind, 0), kinds.index(kind))):
        changed = KINDS[kind](step, stock, drawn)
        found = next((candidate for candidate in changed if not is_true(candidate, stock)), None)
        if found is not None:
            return WrongStep(kind, found)
    return None


def _with_premise(step: WordedStep, place: int, other: str) -> WordedStep:
    return replace(step, premises=(*step.premises[:place], other, *step.premises[place + 1 :]))


def _alike(text: str, index: WordIndex, drawn: random.Random) -> Iterator[str]:
    """Texts that share words. One whose words hold all of the other's may say the same: it is passed over."""
    words = singular_words(text)
    others = [index.texts[place] for place in nearest(index, text, ALIKE + 1)]
    for other in _shuffled(others, drawn):
        found = singular_words(other)
        if not (words <= found or found <= words):
            yield other


def _shuffled(values: Sequence[Value], drawn: random.Random) -> list[Value]:
    return drawn.sample(values, len(values))
