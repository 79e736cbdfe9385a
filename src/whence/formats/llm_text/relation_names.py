"""Names of relations in all the ways in which they are written: `is a`, `IsA`, `is_a`, `isn't capable of`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from whence.formats.llm_text.clean import plain_quotes, without_emphasis

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN = re.compile(r"[\s_\-–/]+")
_AROUND = " \t\"'`*_:;.,()[]{}<>|-=–—"
_CONTRACTED = re.compile(r"\b(is|are|was|were|does|do|did|has|have|can)n't\b")
_AUXILIARIES = frozenset({"is", "are", "was", "were", "be", "being", "been", "does", "do", "did"})
_ARTICLES = frozenset({"a", "an", "the"})
_IS_A = ("is a",)
_LONGEST = 7
"""Words of a relation as it may be written."""

Key = tuple[bool, tuple[str, ...]]
"""Whether it is negated, and its words without auxiliaries, articles and endings."""


def relation_key(text: str) -> Key | None:
    """What all ways to write a relation have in common; None if there is no word that says anything."""
    words = _words(text)
    negated = "not" in words
    content = [_stem(word) for word in words if word != "not" and word not in _AUXILIARIES | _ARTICLES]
    if content:
        if content[0] in ("incapable", "unable"):
            negated, content[0] = not negated, "capable"
        return negated, tuple(content)
    has_verb, has_article = not _AUXILIARIES.isdisjoint(words), not _ARTICLES.isdisjoint(words)
    return (negated, _IS_A) if (has_verb and has_article) or words == ["isa"] else None


def _words(text: str) -> list[str]:
    plain = without_emphasis(plain_quotes(text)).strip(_AROUND)
    plain = _CONTRACTED.sub(r"\1 not", _CAMEL.sub(" ", plain).casefold()).replace("cannot", "can not")
    words = [word for word in _BETWEEN.split(plain) if word]
    return ["is", "a"] if words == ["isa"] else words


def _stem(word: str) -> str:
    if word in ("has", "have", "having"):
        return "have"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith("ss") else word


class RelationNames:
    """The relations of a task, which know themselves however they are written."""

    def __init__(self, names: Iterable[str], aliases: Mapping[str, str] | None = None) -> None:
        self.names = tuple(names)
        self._aliases = dict(aliases or {})

    @cached_property
    def _by_key(self) -> dict[Key, str]:
        given = [(name, name) for name in self.names] + list(self._aliases.items())
        keyed = ((relation_key(written), name) for written, name in given)
        return {key: name for key, name in reversed(list(keyed)) if key is not None}

    def named(self, text: str) -> str | None:
        """The relation that a text writes; None if it is none of them."""
        if len(text) > 80:
            return None
        key = relation_key(text)
        return None if key is None else self._by_key.get(key)

    def within(self, words: list[str]) -> list[tuple[int, int, str]]:
        """Where relations stand among words: first and last index and name; those within a "
        "longer one are left out."""
        matches = [
            (start, end, name)
            for start in range(1, len(words) - 1)
            for end in range(start + 1, min(start + _LONGEST, len(words) - 1) + 1)
            if (name := self._within(words[start:end])) is not None
        ]
        return [
            one
            for one in matches
            if not any(
                other is not one and other[0] <= one[0] and one[1] <= other[1] and other[:2] != one[:2]
                for other in matches
            )
        ]

    def _within(self, words: list[str]) -> str | None:
        """The relation of words of a sentence; articles at their edges belong to what is related."""
        name = self.named(" ".join(words))
        if name is None or words[0].casefold() in _ARTICLES:
            return None
        loose = words[-1].casefold() in _ARTICLES | _AUXILIARIES and self.named(" ".join(words[:-1])) == name
        return None if loose else name
