"""The parts of a text that may be the answer, and the one answer that they agree on."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from whence.files import Json
from whence.formats.llm_text.blocks import fenced, label_of, lines_of
from whence.formats.llm_text.clean import cleaned, without_emphasis
from whence.formats.llm_text.json_values import JsonParts, json_parts, members
from whence.formats.llm_text.thinking import UNFINISHED, without_thinking
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError

Value = TypeVar("Value")

LONGEST = 100_000
"""Characters of an answer without its thoughts that are read at most."""

WRAPPERS = (
    "explanation",
    "prediction",
    "predicted",
    "final_answer",
    "answer",
    "output",
    "result",
    "response",
    "final",
    "data",
    "content",
)
"""Members of a JSON object that may hold the explanation."""

_ANSWER_TAG = re.compile(r"<(final_?answer|answer|output)\s*>(.*?)(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_ANSWER_LABEL = re.compile(
    r"^(?:(?:so|thus|therefore|hence|and),? )?(?:here (?:is|are) )?(?:(?:the|my|our|your) )?"
    r"(?P<final>(?:final|corrected|revised|complete final) )?(?:and final )?(?P<noun>[a-z ]+?)"
    r"(?: (?:is|are))?(?: (?:below|as follows))?$"
)
_FINAL_REMARK = re.compile(
    r"\bfinal (?:answer|version|output|result|response|solution|[a-z]+ (?:answer|version))\b"
)
_ANSWER_NOUNS = frozenset({"answer", "output", "response", "solution", "answer is", "final answer", "json output"})
_DRAFT = re.compile(r"^(?:draft|first attempt|initial|tentative|preliminary)\b")

EMPTY = "the answer is empty"
_NOTHING = frozenset({"", "null", "none", "nan", "n/a", "[]", "{}"})
_EXAMPLE = re.compile(
    r"^[^\w\n]{0,8}(?:for )?example(?: \d+| answer| output)?\W{0,4}:.*\n*(?:.*\S.*(?:\n|\Z))*",
    re.IGNORECASE | re.MULTILINE,
)
"""A paragraph that a line calls an example: it is told again from the prompt."""
REFUSED = "the model declined to answer"
_REFUSAL = re.compile(
    r"^(?:i(?:'m| am) (?:very |so |really )?sorry\b|sorry, (?:but )?i\b|i apologi[sz]e\b|as an ai\b|"
    r"i(?:'m| am) (?:unable|not able) to\b|i (?:can(?:no|')t|won't|will not|am not going to) "
    r"(?:assist|help|answer|provide|determine|comply|fulfil|fulfill|do that|generate|complete|"
    r"say|tell|make|produce)\b|"
    r"i (?:don't|do not) know\b|unfortunately,? i (?:can(?:no|')t|am unable))"
)


@dataclass(frozen=True, slots=True)
class Kind(Generic[Value]):
    """How one kind of explanation is read from a part of an answer. Both readers raise `UnreadError`."""

    noun: str
    """What it is called in reasons, such as `graph`."""
    labels: frozenset[str]
    """What a line may be labelled that begins one, such as `stance` and `graph`."""
    from_json: Callable[[Json, str], Value]
    """Reads a JSON value; the second argument is the text around it."""
    from_text: Callable[[str], Value]
    """Reads a text that has no JSON value of the kind."""
    same: Callable[[Value], Hashable]
    """What is equal for two values that say the same."""


def read(text: str, kind: Kind[Value]) -> Value | Unread:
    """The one explanation that a text gives, or why it gives none."""
    try:
        return _read(text, kind)
    except UnreadError as error:
        return Unread(error.reason)


def answer_text(text: str, labels: frozenset[str]) -> str:
    """The text of an answer, cleaned and without its thoughts."""
    said, open_thought = without_thinking(text)
    if len(said) > LONGEST:
        raise UnreadError(f"the answer is longer than {LONGEST:,} characters")
    said = cleaned(said)
    if open_thought:
        said = _after_open_thought(said, labels)
    if said.strip(" \n\t.`\"'").casefold() in _NOTHING:
        raise UnreadError(EMPTY)
    own = _EXAMPLE.sub("", said)
    if not own.strip():
        raise UnreadError("it only gives an example")
    return own


def is_refusal(text: str) -> bool:
    """Whether a text declines to answer."""
    return _REFUSAL.match(without_emphasis(text).strip().casefold().replace("’", "'")) is not None


def _read(text: str, kind: Kind[Value]) -> Value:
    said = answer_text(text, kind.labels)
    reasons: list[str] = []
    for group in _regions(said, kind.labels):
        values: list[Value] = []
        for region in group:
            try:
                values.append(_region_value(region, kind))
            except UnreadError as error:
                reasons.append(error.reason)
        if values:
            return the_same(values, kind.same, f"{kind.noun}s")
    # The last reason is that of the text as a whole.
    raise UnreadError(REFUSED if is_refusal(said) else reasons[-1])


def the_same(values: Sequence[Value], same: Callable[[Value], Hashable], nouns: str) -> Value:
    """The last of values that all say the same; an `UnreadError` if they do not."""
    if len({same(value) for value in values}) > 1:
        raise UnreadError(f"it gives different {nouns}, and none is marked as final")
    return values[-1]


def _regions(text: str, labels: frozenset[str]) -> Iterator[list[str]]:
    """Parts of a text that may be the answer: the one marked as final, those marked as answers, the whole."""
    tagged = [match[2] for match in _ANSWER_TAG.finditer(text) if match[2].strip()]
    if tagged:
        yield tagged
    starts = list(_answer_starts(text, labels))
    if starts and starts[-1][1]:
        yield [text[starts[-1][0] :]]
    elif starts:
        ends = [start for start, _ in starts[1:]]
        yield [text[start:end] for (start, _), end in zip(starts, [*ends, len(text)], strict=True)]
    yield [text]


def _answer_starts(text: str, labels: frozenset[str]) -> Iterator[tuple[int, bool]]:
    """Where answers begin that a line announces, and whether it calls them final."""
    start = 0
    for raw in text.split("\n"):
        end = start + len(raw)
        for line in lines_of(raw) if len(raw) < 400 else ():
            announced = _announced(label_of(line), labels)
            if announced is not None:
                behind = raw.find(":")
                yield (start + behind + 1 if behind >= 0 else end), announced
            elif not line.is_item and line.text.endswith(":") and _FINAL_REMARK.search(line.text.casefold()):
                yield end, True
        start = end + 1


def _announced(label: tuple[str, str] | None, labels: frozenset[str]) -> bool | None:
    """Whether a label announces the final answer; None if it announces no answer."""
    match = _ANSWER_LABEL.match(label[0].replace("*", "")) if label else None
    if match is None:
        return None
    noun = match["noun"].strip()
    if match["final"]:
        return True if noun in _ANSWER_NOUNS or noun in labels else None
    return False if noun in _ANSWER_NOUNS else None


def _after_open_thought(text: str, labels: frozenset[str]) -> str:
    """What a thought that was never closed ends with, if that is marked as the answer."""
    starts = [start for start, _ in _answer_starts(text, labels)]
    if starts:
        return text[starts[-1] :]
    parts = json_parts(text).parts
    if parts and not text[parts[-1].end :].strip(" \n\t`~."):
        return text[parts[-1].start :]
    begins = [index for index, line in _labelled(text) if line in labels]
    if begins:
        # A label is repeated where a graph has several; the answer begins with the first of the last block.
        paragraph = text.rfind("\n\n", 0, begins[-1])
        return text[max(paragraph, 0) if any(begin > paragraph for begin in begins) else begins[-1] :]
    if "\\boxed" in text:
        return text[text.rindex("\\boxed") :]
    raise UnreadError(UNFINISHED)


def _labelled(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for raw in text.split("\n"):
        for line in lines_of(raw) if len(raw) < 400 else ():
            label = label_of(line)
            if label:
                yield start, label[0]
        start += len(raw) + 1


def _region_value(text: str, kind: Kind[Value]) -> Value:
    parts = json_parts(text)
    rest = parts.rest(text)
    values, reasons = _json_readings(parts, rest, kind)
    if values:
        if parts.fault and parts.fault_start > parts.parts[-1].end:
            raise UnreadError(f"{parts.fault}, after an answer that is whole")
        return the_same(values, kind.same, f"{kind.noun}s")
    if parts.fault or reasons:
        raise UnreadError(parts.fault or reasons[-1])
    if any(isinstance(value, dict) for value in parts.values) and not rest.strip(" \n\t`~"):
        raise UnreadError(f"its JSON has no {kind.noun}")
    return _from_text(rest if any(isinstance(value, dict) for value in parts.values) else text, kind)


def _from_text(text: str, kind: Kind[Value]) -> Value:
    blocks = []
    for content in fenced(text):
        try:
            blocks.append(kind.from_text(content))
        except UnreadError:
            continue  # a part of the answer, or no answer at all: then the text as a whole says what it is
    return the_same(blocks, kind.same, f"{kind.noun}s") if blocks else kind.from_text(text)


def _json_readings(parts: JsonParts, rest: str, kind: Kind[Value]) -> tuple[list[Value], list[str]]:
    """What JSON values say, and why those say nothing that were meant to."""
    values: list[Value] = []
    reasons: list[str] = []
    for whole in parts.values:
        faults: list[str] = []
        for value in unwrapped(whole):
            try:
                values.append(kind.from_json(value, rest))
                break
            except OtherKindError:
                continue
            except UnreadError as error:
                faults.append(error.reason)
        else:
            reasons += faults[-1:]
            if not faults and members(whole).get("explanation", whole) is None:
                reasons.append("its explanation is null")
    if not values and len(parts.parts) > 1:  # one object a line
        try:
            return [kind.from_json(parts.values, rest)], []
        except OtherKindError:
            pass
        except UnreadError as error:
            reasons = [error.reason]
    return values, reasons


def unwrapped(value: Json, depth: int = 0) -> Iterator[Json]:
    """A JSON value and what it wraps: the outermost first."""
    if isinstance(value, str):
        for inner in json_parts(value).values if value.lstrip()[:1] in ("{", "[") and depth < 4 else ():
            yield from unwrapped(inner, depth + 1)
        return
    yield value
    if depth > 4:
        return
    named = members(value)
    for name in WRAPPERS:
        if named.get(name) is not None:
            yield from unwrapped(named[name], depth + 1)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        yield from unwrapped(value[0], depth + 1)
