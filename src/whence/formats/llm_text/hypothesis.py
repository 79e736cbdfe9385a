"""Hypotheses: a sentence that a model writes, without what it says around it."""

from __future__ import annotations

import re

from whence.files import Json
from whence.formats.llm_text.blocks import Line, fenced, label_of, lines_of
from whence.formats.llm_text.candidates import REFUSED, Kind, is_refusal, read
from whence.formats.llm_text.clean import normal, one_line, without_latex
from whence.formats.llm_text.json_values import members
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError
from whence.structures.hypothesis import Hypothesis

_KEYS = [
    "hypothesis",
    "explanation",
    "answer",
    "text",
    "sentence",
    "hypothesis_text",
    "output",
    "prediction",
    "result",
    "response",
    "final_hypothesis",
    "plausible_hypothesis",
    "generated_hypothesis",
]
_NOUNS = frozenset(
    {
        "hypothesis",
        "explanation",
        "answer",
        "sentence",
        "the hypothesis",
        "my hypothesis",
        "plausible hypothesis",
        "possible explanation",
        "plausible explanation",
        "final hypothesis",
        "what happened",
        "what happened in between",
        "in between",
        "most plausible hypothesis",
        "likely explanation",
        "output",
        "response",
        "final answer",
        "one plausible hypothesis",
        "one plausible explanation",
        "most plausible explanation",
    }
)
_REMARK = re.compile(
    r"^(?:this (?:hypothesis|sentence|explanation|explains|would|is|accounts|connects|links|"
    r"bridges)|that would|it (?:explains|"
    r"accounts|connects|bridges)|the hypothesis|explanation|reasoning|rationale|why|note|"
    r"let me know|i hope|hope (?:this|that)|"
    r"feel free|here (?:is|'s)|because this|in other words|word count|"
    r"\(?\d+ words|confidence|justification|is there anything)",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"^(?:sure|certainly|of course|okay|ok|here(?:'s| is)|great|absolutely|to explain|given|"
    r"based on|a (?:plausible|possible|likely)|"
    r"one (?:plausible|possible)|my |the (?:most )?(?:plausible|likely))",
    re.IGNORECASE,
)
_NUMBERED_LABEL = re.compile(r"^(?:hypothesis|option|explanation|alternative)\s*(?:#|no\.?)?\s*(\d)$")
_OBSERVED = re.compile(r"^(?:first|later|obs(?:ervation)?[ _]?\d|o\d|observation one|observation two)$")
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
SEVERAL = "it gives several hypotheses, and none is marked as final"


def read_hypothesis(text: str) -> Hypothesis | Unread:
    """The one hypothesis that a text gives."""
    return read(text, Kind("hypothese", _NOUNS, _from_json, _from_text, lambda found: normal(found.text)))


def _from_json(value: Json, _: str) -> Hypothesis:
    if isinstance(value, list):
        if len(value) > 1 and all(isinstance(one, str | dict) for one in value):
            raise UnreadError(SEVERAL)
        value = value[0] if len(value) == 1 else value
    if isinstance(value, str):
        return _hypothesis(value)
    named = members(value)
    for key in _KEYS:
        given = named.get(key)
        if isinstance(given, str):
            return _hypothesis(given)
        if isinstance(given, list) and len(given) > 1:
            raise UnreadError(SEVERAL)
    if "hypotheses" in named:
        return _from_json(named["hypotheses"], "")
    if sum(bool(re.fullmatch(r"hyp(?:othesis)?_?\d", key)) for key in named) > 1:
        raise UnreadError(SEVERAL)
    raise OtherKindError("it has no hypothesis")


def _hypothesis(said: str) -> Hypothesis:
    words = one_line(without_latex(said)).strip()
    if not words.strip(" .\"'-"):
        raise UnreadError("its hypothesis is empty")
    return Hypothesis(words)


def _from_text(text: str) -> Hypothesis:
    boxed = [match[1] for match in _BOXED.finditer(text)]
    if boxed:
        return _hypothesis(boxed[-1]) if len({*map(normal, boxed)}) == 1 else _refuse(SEVERAL)
    if is_refusal(text):
        raise UnreadError(REFUSED)
    inside = fenced(text)
    lines = [line for line in lines_of(inside[0] if len(inside) == 1 else text) if not _is_observed(line)]
    if sum(bool(label and _NUMBERED_LABEL.match(label[0])) for label in map(label_of, lines)) > 1:
        raise UnreadError(SEVERAL)
    labelled = _labelled(lines)
    if labelled:
        return _hypothesis(labelled[-1]) if len({*map(normal, labelled)}) == 1 else _refuse(SEVERAL)
    kept = [line for line in lines if not _is_remark(line)]
    if not kept:
        raise UnreadError("it has no hypothesis")
    if len(kept) > 1:
        raise UnreadError(
            SEVERAL
            if all(line.is_item for line in kept)
            else "it says more than one sentence, and none is marked as the hypothesis"
        )
    said = kept[0].text
    quotations = re.findall(r"\"([^\"]{8,})\"", said)
    lead = re.match(r"^[^\".]{0,80}:\s*(.+)$", said)
    if len(quotations) == 1 and not said.startswith('"') and _PREAMBLE.match(said):
        return _hypothesis(quotations[0])
    if lead and _PREAMBLE.match(said):
        return _hypothesis(lead[1])
    return _hypothesis(said)


def _labelled(lines: list[Line]) -> list[str]:
    """What stands behind labels such as `Hypothesis:`, on the same line or the next."""
    given: list[str] = []
    waiting = False
    for line in lines:
        label = label_of(line)
        if label and (label[0] in _NOUNS or _NUMBERED_LABEL.match(label[0])):
            if label[1]:
                # `Explanation:` after a hypothesis is a remark on it.
                if not given or label[0] not in ("explanation", "answer"):
                    given.append(label[1])
                waiting = False
            else:
                waiting = not given
        elif waiting:
            given.append(line.text)
            waiting = False
    return given


def _is_observed(line: Line) -> bool:
    label = label_of(line)
    return label is not None and _OBSERVED.match(label[0]) is not None


def _is_remark(line: Line) -> bool:
    said = line.text.replace("’", "'")
    return (
        bool(_REMARK.match(said) and '"' not in said)
        or said.endswith(":")
        or (
            line.mark == "heading"
            or (_PREAMBLE.match(said) is not None and said.endswith(("!", ":")) and '"' not in said)
        )
    )


def _refuse(reason: str) -> Hypothesis:
    raise UnreadError(reason)
