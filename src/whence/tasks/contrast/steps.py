"""Contrasts from steps and trees that people wrote: one change each, kept only where a rule is sure of the label.

That a conclusion is unknown once a premise is gone is decided by words: it has a content word that only the
missing premise had. What cannot be decided so is left out.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whence.structures.verdict import CONTRADICTS, FOLLOWS, UNKNOWN
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.english import negate

_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "to",
        "into",
        "and",
        "or",
        "as",
        "its",
        "their",
        "this",
        "these",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "can",
        "will",
        "may",
        "must",
        "do",
        "does",
        "not",
        "that",
        "which",
        "who",
        "it",
        "they",
        "if",
        "then",
        "when",
        "so",
        "than",
        "more",
        "less",
        "kind",
        "type",
        "example",
        "one",
        "other",
        "there",
        "has",
        "have",
        "used",
    ]
)
_KIND = re.compile(r"^(?:an? |the )?(.+?) (?:is|are) (?:a|an) (?:kind|type|example) of (.+)$")
_OPPOSITES = dict(
    pair.split("/")
    for pair in [
        "increases/decreases",
        "decreases/increases",
        "increase/decrease",
        "decrease/increase",
        "increased/decreased",
        "more/less",
        "less/more",
        "higher/lower",
        "lower/higher",
        "larger/smaller",
        "smaller/larger",
        "hot/cold",
        "cold/hot",
        "warmer/colder",
        "positive/negative",
        "negative/positive",
        "faster/slower",
        "slower/faster",
        "north/south",
        "south/north",
        "northern/southern",
        "southern/northern",
        "summer/winter",
        "winter/summer",
        "before/after",
        "heavier/lighter",
        "longer/shorter",
        "closer/farther",
        "high/low",
        "low/high",
        "renewable/nonrenewable",
        "attract/repel",
        "repel/attract",
        "absorbs/reflects",
        "gains/loses",
        "loses/gains",
        "liquid/solid",
        "harmful/harmless",
        "living/nonliving",
        "heating/cooling",
        "largest/smallest",
        "highest/lowest",
    ]
)


@dataclass(frozen=True, slots=True)
class GivenStep:
    """What follows from premises, as people wrote it."""

    premises: tuple[str, ...]
    conclusion: str


@dataclass(frozen=True, slots=True)
class GivenTree:
    """A hypothesis with the facts that entail it, and facts like them that do not."""

    facts: tuple[str, ...]
    hypothesis: str
    distractors: tuple[str, ...] = ()


def content_words(text: str) -> frozenset[str]:
    """Words that carry meaning, without their endings."""
    return frozenset(_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in _STOP)


def _stem(word: str) -> str:
    for ending in ("ings", "ing", "ies", "ied", "es", "ed", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def overlap(premises: Sequence[str], conclusion: str) -> float:
    """The share of the conclusion's content words that the premises have: the floor a verifier must beat."""
    words = content_words(conclusion)
    return len(words & content_words(" ".join(premises))) / max(1, len(words))


class Stock:
    """Conclusions and premises of all steps, by their words, to exchange for others."""

    def __init__(self, steps: Sequence[GivenStep]) -> None:
        self.conclusions = sorted({step.conclusion for step in steps})
        self.premises = sorted({premise for step in steps for premise in step.premises})
        self.siblings = _siblings(self.premises)
        self._by_word: dict[str, dict[str, list[str]]] = {
            "conclusions": _by_word(self.conclusions),
            "premises": _by_word(self.premises),
        }

    def similar(self, text: str, part: str, chance: random.Random) -> str | None:
        """A text that shares a word of middling rarity, other than this one."""
        index = self._by_word[part]
        words = [word for word in sorted(content_words(text)) if 1 < len(index.get(word, ())) < 200]
        if not words:
            return None
        candidates = [other for other in index[chance.choice(words)] if other != text]
        return chance.choice(candidates) if candidates else None


def _by_word(texts: Sequence[str]) -> dict[str, list[str]]:
    index = defaultdict(list)
    for text in texts:
        for word in sorted(content_words(text)):
            index[word].append(text)
    return index


def _siblings(premises: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """For a thing: others of the same kind."""
    members = defaultdict(set)
    for premise in premises:
        if match := _KIND.match(premise):
            members[match[2]].add(match[1])
    return {
        name: tuple(sorted(names - {name}))
        for names in members.values()
        if len(names) > 1
        for name in sorted(names)
    }


def _is_unsupported(premises: Sequence[str], conclusion: str, least: int = 1) -> bool:
    return len(content_words(conclusion) - content_words(" ".join(premises))) >= least


def step_contrasts(step: GivenStep, stock: Stock, chance: random.Random) -> Iterator[Contrast]:
    """All contrasts that rules can make from one step."""
    given, conclusion = step.premises, step.conclusion
    yield Contrast(given, conclusion, FOLLOWS, "step")
    denied = negate(conclusion, chance)
    if denied:
        yield Contrast(given, denied, CONTRADICTS, "step negated")
        extra = stock.similar(conclusion, "premises", chance)
        around = tuple(text for text in (extra,) if text and text not in given)
        if chance.random() < 0.4:
            yield Contrast((denied, *around), conclusion, CONTRADICTS, "premise denied")
        if chance.random() < 0.3:
            yield Contrast((denied, *around), denied, FOLLOWS, "repeated")
    turned = _opposite(conclusion)
    if turned and not set(re.findall(r"\w+", turned)) <= set(re.findall(r"\w+", " ".join(given))):
        yield Contrast(given, turned, CONTRADICTS, "step with an opposite")
    yield from _with_less(given, conclusion, stock, chance, "step")
    for _ in range(2):
        other = stock.similar(conclusion, "conclusions", chance)
        if other and _is_unsupported(given, other, 2 if len(content_words(other)) > 5 else 1):
            claim = other if chance.random() < 0.7 else negate(other, chance)
            if claim:
                yield Contrast(given, claim, UNKNOWN, "similar conclusion")
                break
    stranger = chance.choice(stock.conclusions)
    if _is_unsupported(given, stranger, 2):
        claim = stranger if chance.random() < 0.7 else negate(stranger, chance)
        if claim:
            yield Contrast(given, claim, UNKNOWN, "other conclusion")
    if sibling := _sibling_claim(step, stock, chance):
        yield Contrast(given, sibling, UNKNOWN, "other entity")
    premise = chance.choice(given)
    if match := _KIND.match(premise):
        turned = f"{match[2]} is a kind of {match[1]}"
        yield Contrast(given, turned, UNKNOWN, "kind reversed")
    if chance.random() < 0.3:
        yield Contrast(given, premise, FOLLOWS, "repeated")
    if chance.random() < 0.4 and (no := negate(premise, chance)):
        yield Contrast(given, no, CONTRADICTS, "premise negated")
    yield from _with_denied_premise(step, chance)


def _with_less(
    given: tuple[str, ...], conclusion: str, stock: Stock, chance: random.Random, name: str
) -> Iterator[Contrast]:
    for index in chance.sample(range(len(given)), len(given)):
        rest = given[:index] + given[index + 1 :]
        if rest and _is_unsupported(rest, conclusion):
            claim = conclusion if chance.random() < 0.8 else negate(conclusion, chance)
            if claim and chance.random() < 0.5:
                yield Contrast(rest, claim, UNKNOWN, f"{name}, premise dropped")
            elif claim:
                other = stock.similar(given[index], "premises", chance)
                if other and other not in given and _is_unsupported((*rest, other), conclusion):
                    yield Contrast((*rest, other), claim, UNKNOWN, f"{name}, premise replaced")
            return


def _with_denied_premise(step: GivenStep, chance: random.Random) -> Iterator[Contrast]:
    """`a robin is a bird` and `birds do not lay eggs`: that robins lay eggs is denied. No bird: unknown."""
    if len(step.premises) != 2:
        return
    for kind, other in (step.premises, step.premises[::-1]):
        match = _KIND.match(kind)
        if not match or _KIND.match(other) or not content_words(match[1]) & content_words(step.conclusion):
            continue
        if not content_words(match[2]) <= content_words(other):
            continue
        if chance.random() < 0.5:
            if denied := negate(other, chance):
                yield Contrast((kind, denied), step.conclusion, CONTRADICTS, "premise denied")
        elif denied := negate(kind, chance):
            yield Contrast((denied, other), step.conclusion, UNKNOWN, "kind denied")
        return


def _opposite(sentence: str) -> str | None:
    words = sentence.split()
    at = [index for index, word in enumerate(words) if word in _OPPOSITES]
    if len(at) != 1 or {"not", "no", "cannot"} & set(words):
        return None
    return " ".join((*words[: at[0]], _OPPOSITES[words[at[0]]], *words[at[0] + 1 :]))


def _sibling_claim(step: GivenStep, stock: Stock, chance: random.Random) -> str | None:
    for name, others in stock.siblings.items():
        if len(name) > 3 and re.search(rf"\b{re.escape(name)}\b", step.conclusion):
            other = chance.choice(others)
            claim = re.sub(rf"\b{re.escape(name)}\b", other, step.conclusion)
            if name not in other and _is_unsupported(step.premises, claim):
                return claim
    return None


def tree_contrasts(tree: GivenTree, stock: Stock, chance: random.Random) -> Iterator[Contrast]:
    """Contrasts from a whole tree: all its facts to its hypothesis."""
    facts, hypothesis = tree.facts, tree.hypothesis
    extra = tuple(chance.sample(tree.distractors, min(len(tree.distractors), chance.randint(1, 4))))
    yield Contrast(facts, hypothesis, FOLLOWS, "tree")
    denied = negate(hypothesis, chance)
    if denied:
        yield Contrast(facts, denied, CONTRADICTS, "tree negated")
    if chance.random() < 0.5 and extra:
        yield Contrast((*facts, *extra), hypothesis, FOLLOWS, "tree with distractors")
        if denied:
            yield Contrast((*facts, *extra), denied, CONTRADICTS, "tree with distractors, negated")
    if (turned := _opposite(hypothesis)) and chance.random() < 0.5:
        yield Contrast(facts, turned, CONTRADICTS, "tree with an opposite")
    if len(tree.distractors) > 2:
        few = tuple(chance.sample(tree.distractors, min(len(tree.distractors), chance.randint(2, 6))))
        if _is_unsupported(few, hypothesis):
            claim = hypothesis if chance.random() < 0.7 else denied
            if claim:
                yield Contrast(few, claim, UNKNOWN, "distractors alone")
    if len(facts) > 2:
        kept = tuple(chance.sample(facts, len(facts) - chance.randint(1, len(facts) // 2)))
        if _is_unsupported(kept, hypothesis):
            claim = hypothesis if chance.random() < 0.75 else denied
            if claim:
                more = extra if chance.random() < 0.5 and _is_unsupported((*kept, *extra), hypothesis) else ()
                yield Contrast((*kept, *more), claim, UNKNOWN, "tree, facts dropped")
    other = stock.similar(hypothesis, "conclusions", chance)
    if other and _is_unsupported(facts, other, 2):
        claim = other if chance.random() < 0.7 else negate(other, chance)
        if claim:
            yield Contrast(facts, claim, UNKNOWN, "tree, similar conclusion")
