"""Spans: a few words that answer a question about a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whence.files import Json
from whence.formats.llm_text.blocks import lines_of
from whence.formats.llm_text.candidates import Kind, read
from whence.formats.llm_text.clean import normal, one_line, plain_quotes, without_emphasis, without_latex
from whence.formats.llm_text.json_values import members
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError
from whence.structures.dialogue import Answer, SpanQuestion

_KEYS = [
    "answer",
    "span",
    "answer_span",
    "text",
    "prediction",
    "final_answer",
    "output",
    "result",
    "response",
    "answer_text",
    "extracted_span",
]
_LABELS = frozenset({"answer", "span", "answer span", "final span", "extracted span", "the answer"})
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_QUOTED = re.compile(
    r"\"([^\"\n]{1,200})\"|(?<!\w)'([^\n]{1,200}?)'(?!\w)|`([^`\n]{1,200})`|\*\*([^*\n]{1,200})\*\*"
)
_IS = re.compile(
    r"\b(?:answer|span|phrase)(?: (?:here|in the dialogue|from the dialogue))?(?: is| would be|:)\s+(.+)",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"^(?:(?:the|this) (?:dialogue|conversation|text|context) (?:does not|doesn't)\b|"
    r"there is no (?:answer|such|span|mention)\b|not (?:mentioned|specified|stated|given)\b|unanswerable\b|"
    r"(?:it )?(?:cannot|can't) be (?:answered|determined)\b|none$|n/a$|unknown$|no answer\b)",
    re.IGNORECASE,
)
_LONGEST = 40
"""Words of a span that is not in the text."""


def read_span(text: str, question: SpanQuestion) -> Answer | Unread:
    """The span that a text gives as the answer."""
    reader = _SpanReader(question)
    return read(
        text, Kind("span", _LABELS, reader.from_json, reader.from_text, lambda answer: normal(answer.text))
    )


class _SpanReader:
    def __init__(self, question: SpanQuestion) -> None:
        self._context, self._question = question.context, normal(question.question)

    def from_json(self, value: Json, _: str) -> Answer:
        """The span of an object's member, or of a list of one."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, str):
            return self._answer(value)
        named = members(value)
        given = [
            named[key] for key in _KEYS if isinstance(named.get(key), str | int) and named.get(key) is not True
        ]
        if not given:
            raise OtherKindError("it has no answer")
        answer = self._answer(str(given[0]))
        start = named.get("start")
        if isinstance(start, int) and self._context[start : start + len(answer.text)] == answer.text:
            return Answer(answer.text, start)
        return answer

    def from_text(self, text: str) -> Answer:
        """The span that a text is, or that it marks by a label or quotation marks."""
        boxed = [one_line(without_latex(match[1])) for match in _BOXED.finditer(text)]
        if boxed:
            return self._only(boxed)
        lines = [line.text for line in lines_of(text)]
        if len(lines) == 1 and self._start(lines[0]) is not None:
            return self._answer(lines[0])
        stated = [one for line in lines for one in self._stated(line)]
        if stated:
            return self._only(stated)
        marked = list(dict.fromkeys(self._marked(text)))
        if marked:
            return self._only(marked)
        alone = [line for line in lines if self._start(line) is not None]
        if len(dict.fromkeys(map(normal, alone))) == 1:
            return self._answer(alone[0])
        if len(lines) == 1 and len(lines[0].split()) <= _LONGEST:
            return self._answer(lines[0])
        raise UnreadError("it does not say which words are the answer")

    def _stated(self, line: str) -> Iterator[str]:
        match = _IS.search(line)
        if not match:
            return
        said = match[1].strip()
        quotation = _QUOTED.match(plain_quotes(said))
        piece = next(one for one in quotation.groups() if one) if quotation else re.split(r"(?<=[.!?])\s", said)[0]
        if self._start(one_line(piece)) is not None or self._start(piece.rstrip(".")) is not None:
            yield piece

    def _marked(self, text: str) -> Iterator[str]:
        """Words of the text in quotation marks that are not the question's own."""
        for match in _QUOTED.finditer(plain_quotes(text)):
            words = next(one for one in match.groups() if one).strip(" .,")
            if self._start(words) is not None and normal(words) not in self._question:
                yield words

    def _only(self, spans: list[str]) -> Answer:
        if len(dict.fromkeys(map(normal, spans))) > 1:
            raise UnreadError("it marks several spans, and none as the answer")
        return self._answer(spans[-1])

    def _answer(self, said: str) -> Answer:
        words = one_line(without_emphasis(said)).strip()
        for tried in (words, words.strip(" .,;:"), words.strip(" .,;:\"'")):
            start = self._start(tried)
            if start is not None and tried:
                return Answer(self._context[start : start + len(tried)], start)
        if not words.strip(" .\"'"):
            raise UnreadError("its answer is empty")
        if _NO_ANSWER.match(words.strip(" .\"'")):
            raise UnreadError("it says that there is no answer")
        return Answer(words)

    def _start(self, words: str) -> int | None:
        """Where words stand in the text, case aside; None if they do not."""
        if not words:
            return None
        start = self._context.find(words)
        lowered = plain_quotes(self._context).lower()
        if start < 0 and len(lowered) == len(self._context):
            start = lowered.find(plain_quotes(words).lower())
        return start if start >= 0 else None
