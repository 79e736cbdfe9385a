"""References to sentences and conclusions: `sent1`, `Sentence 1`, `[int2]`, `step 3`, a sentence's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from whence.errors import quoted
from whence.formats.llm_text.clean import normal, one_line
from whence.formats.llm_text.unread import UnreadError
from whence.structures.tree import HYPOTHESIS, Claim, Sentence

_GIVEN = r"sent(?:ence)?s?|facts?|premises?|statements?|s|f|p"
_CONCLUDED = r"int(?:ermediate)?(?:[ _-]?(?:conclusion|node|step|fact))?s?|ic|i|inference|lemma|conclusion|c"
_REFERENCE = rf"(?:(?:{_GIVEN}|{_CONCLUDED}|steps?)[ _#.-]{{0,2}}\d{{1,4}}|(?:the )?hypot(?:hesis)?)"
_GLOSS = r"(?:\s*\((?![^()]*\b(?:sent|int)[ _]?\d)[^()]{1,400}\)|\s*:?\s*\"[^\"]{1,400}\")?"
_ONE = rf"(?:the |both )?[\[(<\"'`*]{{0,3}}{_REFERENCE}[\])>\"'`*]{{0,3}}{_GLOSS}"
_AND = r"\s*(?:,?\s*(?:&|\+|∧|/|\band\b|\bplus\b|\btogether with\b|\bwith\b)|[,;])\s*"
LIST = rf"(?:{_ONE}(?:{_AND}{_ONE})*)"
"""The pattern of a list of references."""

_WHOLE_LIST = re.compile(LIST, re.IGNORECASE)
_EACH = re.compile(rf"\b{_REFERENCE}(?!\w)", re.IGNORECASE)
_GLOSSES = re.compile(_GLOSS[:-1], re.IGNORECASE)
_NUMBERED = re.compile(
    rf"(?:the )?(?:(?P<given>{_GIVEN})|(?P<concluded>{_CONCLUDED})|(?P<step>steps?))"
    rf"[ _#.-]{{0,2}}(?P<number>\d{{1,4}})",
    re.IGNORECASE,
)
_FINAL = frozenset(
    {
        "hypothesis",
        "hypot",
        "hypo",
        "h",
        "goal",
        "target",
        "claim",
        "final",
        "conclusion",
        "final conclusion",
        "final hypothesis",
        "final step",
        "root",
    }
)
_SPLIT = re.compile(r"\s*(?:&|\+|∧|;|\band\b)\s*")
_COMMAS = re.compile(r"\s*,\s*(?:and\b\s*)?")
_NUMBERED_ID = re.compile(r"[a-z]+(\d{1,4})")
_AROUND = " \t\"'`*[](){}<>.,:;"


@lru_cache(64)  # an answer is read in several ways, and an example has several answers
def _given(context: tuple[Sentence, ...]) -> tuple[dict[str, str], dict[str, str], dict[int, str]]:
    """The ids of given sentences by id without case, by words, and by number where all have one."""
    numbered = {int(match[1]): one.id for one in context if (match := _NUMBERED_ID.fullmatch(one.id))}
    return (
        {sentence.id.casefold(): sentence.id for sentence in context},
        {normal(sentence.text): sentence.id for sentence in reversed(context)},
        numbered if len(numbered) == len(context) else {},
    )


@dataclass(slots=True)
class References:
    """What the names in an answer may mean: given sentences, conclusions by name or words, steps by number."""

    claim: Claim
    _ids: dict[str, str] = field(init=False)
    _texts: dict[str, str] = field(init=False)
    _numbers: dict[int, str] = field(init=False)
    _repeated: dict[int, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        ids, self._texts, self._numbers = _given(self.claim.context)
        self._ids = dict(ids)

    def add(self, name: str) -> None:
        """Another given sentence, which an answer brings along."""
        self._ids.setdefault(name.casefold(), name)

    def repeat(self, number: int, text: str) -> None:
        """Notes which sentence an answer itself calls `Fact 1` or `Premise 1`."""
        name = self._texts.get(normal(text))
        if name is not None:
            self._repeated[number] = name

    def is_hypothesis(self, text: str) -> bool:
        """Whether a text names the hypothesis or says it."""
        name = one_line(text).casefold().strip(_AROUND).removeprefix("the ")
        return name in _FINAL or (bool(self.claim.hypothesis) and normal(text) == normal(self.claim.hypothesis))

    def named(self, text: str) -> str | None:
        """The id that a text refers to (`#2` for the conclusion of step 2); None if it is no reference.

        An `UnreadError` if it is one to a sentence that is not given.
        """
        name = one_line(text).strip(_AROUND)
        if name.casefold() in self._ids:
            return self._ids[name.casefold()]
        if self.is_hypothesis(text):
            return HYPOTHESIS
        match = _NUMBERED.fullmatch(name)
        if match is None:
            return self._texts.get(normal(text))
        number = int(match["number"])
        if match["step"]:
            return f"#{number}"
        if match["concluded"]:
            return f"int{number}"
        numbers = self._numbers
        if self._repeated and not match["given"].casefold().startswith("s"):
            numbers = self._repeated
        if number not in numbers:
            raise UnreadError(f"a step refers to {quoted(name, 40)}, which is not given")
        return numbers[number]

    def listed(self, text: str) -> tuple[str, ...] | None:
        """The ids that a list of references refers to; None if the text is no such list."""
        text = text.strip(" \t.:")
        if not text:
            return None
        if _WHOLE_LIST.fullmatch(text):
            bare = _GLOSSES.sub(" ", text)
            return self._all([match[0] for match in _EACH.finditer(bare)])
        for pieces in (_SPLIT.split(text), _COMMAS.split(text), re.split(r"\s*(?:[&+,∧;]|\band\b)\s*", text)):
            names = [self._within(piece) for piece in pieces if piece.strip(_AROUND)]
            if names and all(names):
                return tuple(dict.fromkeys(name for name in names if name))
            if any(names) and len(names) > 1 and any(map(_looks_like_reference, pieces)):
                missing = next(piece for piece, name in zip(pieces, names, strict=False) if not name)
                raise UnreadError(f"a step refers to {quoted(missing, 40)}, which is not given")
        return None

    def _within(self, piece: str) -> str | None:
        """The id of one piece of a list, which may say the words of a sentence behind its id."""
        name, mark, words = piece.partition(":")
        if mark and _NUMBERED.fullmatch(one_line(name).strip(_AROUND)) and words.strip():
            return self.named(name)
        return self.named(piece)

    def _all(self, pieces: Sequence[str]) -> tuple[str, ...]:
        names = [self.named(piece) for piece in pieces]
        return tuple(dict.fromkeys(name for name in names if name))


def _looks_like_reference(text: str) -> bool:
    return _NUMBERED.fullmatch(one_line(text).strip(_AROUND)) is not None
