"""Steps of a tree as an answer writes them, and the tree that they make."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from whence.errors import quoted
from whence.formats.llm_text.clean import normal, one_line
from whence.formats.llm_text.references import References
from whence.formats.llm_text.unread import UnreadError
from whence.structures.tree import HYPOTHESIS, Sentence, Step, Tree

NESTED = "nested:"
"""Begins the name of a conclusion that an answer gives none; its words follow."""
WORDS = "words:"
"""Begins a premise that an answer gives by the words of an earlier conclusion."""

_OTHER_SLOT = re.compile(r"\s*;?\s*\$\w+\$\s*=?.*$", re.DOTALL)
NAMED = re.compile(
    r"^[\[(\"'`*]*(?P<name>int(?:ermediate)?(?:[ _-]?(?:conclusion|node))?[ _#.-]{0,2}\d{1,4}|"
    r"(?:the )?hypot(?:hesis)?|"
    r"h|(?:final )?conclusion|goal)[\])\"'`*]*\s*(?:\((?P<bracket>[^()]*)\)\s*)?(?:[:=–—]|\s-\s|"
    r"\bis\b|,|\bthat\b|(?<=[\])])\s|$)\s*"
    r"(?P<text>.*)$",
    re.IGNORECASE,
)
_NAME_LAST = re.compile(
    r"^(?P<text>.+?)[\s.]*[\[(]\s*(?:=\s*|call (?:it|"
    r"this)\s+)?(?P<name>int(?:ermediate)?(?:[ _-]?conclusion)?[ _#.-]{0,2}"
    r"\d{1,4}|(?:the )?hypothesis|hypot|h)\s*[\])]\s*\.?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A step as it was written: premises that may be steps by number, a conclusion that may have no name."""

    premises: tuple[str, ...]
    name: str
    """Empty if the answer gives the conclusion none."""
    text: str
    worded: bool = False
    """Whether a sentence says it, which may speak of a step without being one."""


def conclusion_in(text: str, references: References) -> tuple[str, str]:
    """The name of a conclusion, empty if it has none, and its words."""
    said = re.sub(r"^(?:therefore|thus|hence|so|that|then)[,:]?\s+", "", text.strip(), flags=re.IGNORECASE)
    said = one_line(_OTHER_SLOT.sub("", said)).strip(" ;")
    match = NAMED.match(said)
    if match:
        words = one_line(match["text"] or match["bracket"] or "").strip(" ;")
        return conclusion_name(match["name"], references), words
    match = _NAME_LAST.match(said)
    if match:
        return conclusion_name(match["name"], references), one_line(match["text"]).strip(" ;.,")
    if references.is_hypothesis(said):
        return HYPOTHESIS, ""
    return "", said.strip(" .")


def conclusion_name(text: str, references: References) -> str:
    """The id of a conclusion by its name."""
    if references.is_hypothesis(text):
        return HYPOTHESIS
    number = re.search(r"\d+", text)
    return f"int{int(number[0])}" if number else HYPOTHESIS


def assembled(
    drafts: Sequence[Draft], own: Mapping[str, str], words: Mapping[str, str], references: References
) -> Tree:
    """The tree of steps: conclusions named, premises resolved.

    `own` are sentences that the answer words itself, `words` those of its conclusions that stand elsewhere.
    """
    drafts = list(dict.fromkeys(replace(draft, text=draft.text or words.get(draft.name, "")) for draft in drafts))
    names = _names(drafts, references)
    renamed = dict(zip((draft.name for draft in drafts), names, strict=True))
    by_text = {normal(draft.text): name for draft, name in zip(drafts, names, strict=True) if draft.text}
    steps = []
    for draft, name in zip(drafts, names, strict=True):
        premises = (_premise(one, names, renamed, by_text) for one in draft.premises)
        steps.append(Step(tuple(dict.fromkeys(premises)), name, "" if name == HYPOTHESIS else draft.text))
    _refuse_repeated(steps)
    used = {premise for step in steps for premise in step.premises}
    return Tree(tuple(steps), tuple(Sentence(name, text) for name, text in own.items() if name in used))


def _names(drafts: Sequence[Draft], references: References) -> list[str]:
    """The name of each conclusion: its own, `hypothesis` if it says that, else by the number of its step."""
    taken = {draft.name for draft in drafts if draft.name} | {one for draft in drafts for one in draft.premises}
    unnamed = not any(draft.name and draft.name != HYPOTHESIS for draft in drafts)
    free = (f"int{number}" for number in range(1, 10**6) if f"int{number}" not in taken)
    names = []
    for number, draft in enumerate(drafts, 1):
        if draft.name.startswith("int") and references.is_hypothesis(draft.text):
            names.append(HYPOTHESIS)
        elif draft.name and not draft.name.startswith(NESTED):
            names.append(draft.name)
        elif unnamed and not any(one.name.startswith(NESTED) for one in drafts):
            names.append(f"int{number}")
        else:
            names.append(next(free))
    if unnamed and HYPOTHESIS not in names and len(set(names)) == len(names):
        if any(draft.worded for draft in drafts) and not _leads_to_last(drafts, names):
            raise UnreadError("it does not say which step concludes the hypothesis")
        names[-1] = HYPOTHESIS  # as the last step of a proof whose steps have no names
    return names


def _leads_to_last(drafts: Sequence[Draft], names: Sequence[str]) -> bool:
    """Whether the last step has several premises, and every other conclusion is a premise."""
    used = {one.replace("#", "int") for draft in drafts for one in draft.premises}
    return len(drafts[-1].premises) > 1 and used >= set(names[:-1])


def _premise(name: str, names: Sequence[str], renamed: Mapping[str, str], by_text: Mapping[str, str]) -> str:
    if name.startswith(WORDS):
        said = name.removeprefix(WORDS)
        if said not in by_text:
            raise UnreadError(f"a step refers to {quoted(said, 40)}, which is not given")
        return by_text[said]
    if name.startswith("#"):
        number = int(name[1:])
        if not 0 < number <= len(names):
            raise UnreadError(f"a step refers to step {number}, which there is not")
        return names[number - 1]
    if name.startswith(NESTED):
        return renamed[name]
    target = renamed.get(name, name)
    if target.startswith("int") and target not in names:
        raise UnreadError(f"a step refers to {name}, which no step concludes")
    return target


def _refuse_repeated(steps: Sequence[Step]) -> None:
    concluded: dict[str, Step] = {}
    for step in steps:
        earlier = concluded.setdefault(step.conclusion, step)
        if earlier is not step:
            name = "the hypothesis" if step.conclusion == HYPOTHESIS else step.conclusion
            raise UnreadError(f"{name} is concluded twice, by different steps")
