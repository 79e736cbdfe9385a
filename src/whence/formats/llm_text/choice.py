"""Choices: one of a few options, by name, number, letter or its own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from whence.errors import quoted
from whence.files import Json
from whence.formats.llm_text.blocks import label_of, lines_of, names
from whence.formats.llm_text.candidates import Kind, read
from whence.formats.llm_text.clean import normal, one_line, without_emphasis, without_latex
from whence.formats.llm_text.json_values import members
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError

_KEYS = frozenset(
    [
        "answer",
        "label",
        "choice",
        "prediction",
        "option",
        "selected",
        "selection",
        "selected_option",
        "chosen",
        "verdict",
        "result",
        "output",
        "decision",
        "name",
        "correct",
        "correct_answer",
        "final_answer",
        "final",
        "best",
        "response",
        "conclusion",
        "classification",
        "predicted_label",
    ]
)
_PREFERRED = names(
    "better best chosen selected correct right plausible more_plausible most_plausible likely "
    "more_likely most_likely predicted preferred final my your the"
)
_LABELS = frozenset(
    {"answer", "choice", "label", "option", "prediction", "verdict", "selected option", "my choice"}
)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_DECIDED = re.compile(
    r"\b(?!explanation\s*[:=])(?:answer|choice|option|hypothesis|label|verdict|relation(?:ship)?|one|selection|explanation)"
    r"(?: (?:here|in this case|between them))?(?: that \w+(?: \w+){0,5})?"
    r"(?: (?:from|between) (?:\"[^\"\n]*\"|[^\"\n]){1,200}?)?"
    r"(?: (?:is|would be|must be|should be)(?: therefore| thus| clearly| most likely)?:?|"
    r"\s*[:=])\s+(?=(?P<said>[^\n]{1,300}))",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:i|we)(?:'d|'ll| would| will)? (?:therefore |thus |also )?(?:choose|chose|pick|picked|"
    r"select|selected|go with|went with|"
    r"answer|say|opt for|conclude)(?: that)?:?\s+(?=(?P<said>[^\n]{1,300}))",
    re.IGNORECASE,
)
_IS_BEST = (
    r"\s*(?:\"[^\"]*\"\s*|\([^()]*\)\s*)?,?\s*(?:is|seems|appears|offers|provides|gives|makes|"
    r"best explains|better explains|explains)"
    r"\s+(?:clearly |far |much |by far |to be |therefore |thus )*(?:the |a )?(?:more|most|better|"
    r"best|correct|right|only)\b"
)
_QUOTED_BEST = re.compile(rf"(?<!\w)[\"']([^\"\n]{{1,200}}?)[\"']{_IS_BEST}", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:not|n't|no|cannot|neither|nor|never|less|least|worse|weaker|wrong|incorrect|implausible|"
    r"unlikely|fails?|rather than|"
    r"instead of|contradicts?|false|anything but|except|other than|"
    r"rule[sd]? out|eliminate[sd]?|unless|if)\b|n't\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:either|while|although|though|could be|whether|if|perhaps|maybe|might|"
    r"unclear|unsure|uncertain|not (?:sure|certain|clear)|hard to (?:say|tell)|or not)\b",
    re.IGNORECASE,
)
_CLAUSE_START = re.compile(
    r"[,;:]|\b(?:so|therefore|thus|hence|and|but|because|since|as|which means)\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_AROUND = " \t\n.,:;!?\"'`*()[]{}<>"
_NUMBERS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4}
_SHORT = 14
"""Words of a line that may name an option and nothing else."""


@dataclass(frozen=True, slots=True)
class Options:
    """What may be chosen, and how answers call it."""

    texts: Mapping[str, str]
    """What each label stands for, in the order in which the options are shown."""
    nouns: tuple[str, ...] = ("option", "choice", "answer")
    lettered: bool = False
    """Whether A, B, ... stand for the options in their order."""
    named: Callable[[str], str | None] = field(default=lambda _: None)
    """The label that other words name, such as a relation as it is written in a sentence."""
    stated: tuple[tuple[re.Pattern[str], str], ...] = ()
    """Sentences that state a label."""
    flag: str = ""
    """The label that a JSON member of this name means where it is true, and the last label where it is false."""


def read_choice(text: str, options: Options) -> str | Unread:
    """The label of the one option that a text chooses."""
    reader = _ChoiceReader(options)
    labels = _LABELS | {noun.casefold() for noun in options.nouns}
    return read(text, Kind("answer", labels, reader.from_json, reader.from_text, str))


class _ChoiceReader:
    def __init__(self, options: Options) -> None:
        self._options = options
        self._labels = list(options.texts)
        self._texts: dict[str, list[str]] = {}
        for label, text in options.texts.items():
            self._texts.setdefault(normal(text), []).append(label)
        nouns = "|".join(map(re.escape, options.nouns))
        letters = "|" + "|".join("abcdefgh"[: len(self._labels)]) if options.lettered else ""
        digits = "|".join(re.escape(label) for label in self._labels if label.isdecimal())
        self._mark = f"(?:{digits or '(?!)'}{letters})"
        ordinals = "|".join(list(_NUMBERS)[: len(self._labels)]) if options.lettered else "(?!)"
        self._name = re.compile(
            rf"(?:the )?(?:(?P<ordinal>{ordinals})(?: (?:{nouns}))?|(?:(?:{nouns})[ _]?(?:number |no\. ?|#)?)?"
            rf"[\[(]?(?P<mark>{self._mark}|\d{{1,3}})[\])]?)",
            re.IGNORECASE,
        )
        self._mention = re.compile(
            rf"\b(?:(?:{nouns})[ _]?(?:number |#)?[\[(\"']?(?P<mark>{self._mark})\b|"
            rf"the (?P<ordinal>{ordinals}) (?:{nouns}))",
            re.IGNORECASE,
        )
        self._denied = re.compile(
            rf"[,;(]?\s*\b(?:not|rather than|instead of) {self._name.pattern}[\])\"']*"
            rf"(?=\s*(?:[).,;!?]|$|but\b))\)?(?:,? (?:but|rather)\b)?",
            re.IGNORECASE,
        )
        self._best = re.compile(rf"{self._mention.pattern}[\])\"']?{_IS_BEST}", re.IGNORECASE)

    # What a few words name.

    def label(self, said: str) -> str | None:
        """The label that a few words name; None if they name none. An `UnreadError` if they name two."""
        plain = one_line(without_latex(said)).strip()
        label = self._exact(plain)
        if label is not None:
            return label
        # `B) words`, `2: words`, `Hypothesis 2 - words`, `words (B)`.
        match = re.match(
            rf"^(?P<name>{self._name.pattern})(?!\.\d)\s*[).:\]–—-]+\s*(?P<rest>.+)$", plain, re.IGNORECASE
        )
        if match and match["name"].casefold() not in _NUMBERS and match["rest"].strip(_AROUND):
            label, other = self._exact(match["name"]), self._by_text(match["rest"])
            if label is not None:
                return self._agreed(label, other)
        match = re.match(rf"^(?P<rest>.+?)\s*[\[(](?P<name>{self._name.pattern})[\])]\W*$", plain, re.IGNORECASE)
        if match:
            label, other = self._exact(match["name"]), self._by_text(match["rest"])
            if label is not None and other is not None:
                return self._agreed(label, other)
        return None

    def _agreed(self, label: str, other: str | None) -> str:
        if other is None or other == label:
            return label
        if (
            self._labels.index(label) == self._labels.index(other) + 1
            and label.isdecimal()
            and self._labels[0] == "0"
        ):
            return other  # the words count; its number counts the options from one
        raise UnreadError(f"it names option {label} with the words of option {other}")

    def _exact(self, said: str) -> str | None:
        name = said.strip(_AROUND)
        for label in self._labels:
            if name.casefold() == label.casefold():
                return label
        match = self._name.fullmatch(name)
        if match and match["ordinal"]:
            return self._labels[_NUMBERS[match["ordinal"].casefold()]]
        if match and match["mark"]:
            return self._marked(match["mark"])
        return self._by_text(said) or self._options.named(name)

    def _marked(self, mark: str) -> str | None:
        if mark in self._labels:
            return mark
        if self._options.lettered and mark.isalpha():
            return self._labels[ord(mark.casefold()) - ord("a")]
        if self._labels[0].isdecimal():
            raise UnreadError(f"it names option {mark}, which there is not")
        return None

    def _by_text(self, said: str) -> str | None:
        labels = self._texts.get(normal(said), [])
        if len(labels) > 1:
            raise UnreadError(f"{quoted(one_line(said), 40)} is the text of several options")
        return labels[0] if labels else None

    # JSON.

    def from_json(self, value: Json, _: str) -> str:
        """The label of an object's member, or of a list of one."""
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, str | int) and not isinstance(value, bool):
            return self._value(value)
        named = members(value)
        nouns = {noun.replace(" ", "_") for noun in self._options.nouns}
        labels = []
        for key, inner in named.items():
            if isinstance(inner, bool):
                if key in (self._options.flag, "answer", "label", "prediction") and self._options.flag:
                    labels.append(self._labels[0 if inner else -1])
            elif isinstance(inner, str | int) and (
                key in _KEYS | nouns or key in {f"{one}_{noun}" for one in _PREFERRED for noun in nouns}
            ):
                labels.append(self._value(inner))
            elif isinstance(inner, dict) and key in _KEYS | nouns and (inside := _inner(inner)) is not None:
                labels.append(self._value(inside))
        if not labels:
            raise OtherKindError("it has no answer")
        return _only(labels)

    def _value(self, value: str | int) -> str:
        said = str(value)
        if not said.strip():
            raise UnreadError("its answer is empty")
        label = self.label(said)
        if label is None and len(said.split()) > 3:
            return self.from_text(said)
        if label is None:
            raise UnreadError(f"{quoted(one_line(said), 40)} is none of the options")
        return label

    # Text.

    def from_text(self, text: str) -> str:
        """The label that a text chooses, by the plainest way in which it says so."""
        said = without_emphasis(text.replace("’", "'").replace("“", '"').replace("”", '"'))
        boxed = [match[1] for match in _BOXED.finditer(said)]
        if boxed:
            labels = [label for one in boxed if (label := self.label(one)) is not None]
            if not labels:
                raise UnreadError(f"{quoted(one_line(boxed[-1]), 40)} is none of the options")
            return _only(labels)
        said = self._denied.sub("", said)
        label = self.label(said) if "\n" not in said.strip() and len(said) < 600 else None
        if label is not None:
            return label
        pieces = [piece for piece in re.split(r"[./,;|]|\bor\b", said) if piece.strip(_AROUND)]
        if 1 < len(pieces) < _SHORT and all(map(self._exact, pieces)):
            return _only([label for piece in pieces if (label := self._exact(piece))])
        for way in (self._decided, self._lines, self._stated, self._best_one, self._mentioned):
            labels = list(way(said))
            if labels:
                return _only(labels)
        short = one_line(said)
        if len(short.split()) <= 4:
            raise UnreadError(f"{quoted(short, 40)} is none of the options")
        raise UnreadError("it does not say which option it chooses")

    def _decided(self, text: str) -> Iterator[str]:
        """`The answer is (B).`, `I would choose Hypothesis 2 because ...`."""
        for pattern in (_DECIDED, _CHOSEN):
            for match in pattern.finditer(text):
                before = _before(text, match.start())
                if _NEGATION.search(before) or _NEGATION.search(match[0]):
                    continue
                label = self._leading(match["said"])
                if label is not None:
                    yield label

    def _leading(self, said: str) -> str | None:
        """The label that a text begins with: all of it, its first sentence, or what stands before a reason."""
        pieces = [said, re.split(r"(?<=[.!?;])\s+", said)[0]]
        pieces += [re.split(r",|\s[–—-]\s|\b(?:because|since|as it|for|which|that|is|would|from|to)\b", said)[0]]
        quotation = re.match(r"\W*\"([^\"]+)\"", said)
        if quotation:
            pieces.append(quotation[1])
        for piece in pieces:
            label = self.label(piece) if piece.strip(_AROUND) else None
            if label is not None:
                return None if _is_denied(said[len(piece) :]) else label
        match = re.match(rf"\W*(?P<name>{self._name.pattern})(?!\w)", said, re.IGNORECASE)
        if not match or match["name"].casefold() == "a":
            return None
        return self._exact(match["name"]) if not _NEGATION.search(said[: match.end() + 20]) else None

    def _lines(self, text: str) -> Iterator[str]:
        """A line that is an option and nothing else, or the first one that begins with it."""
        labels = []
        lines = lines_of(text)
        for line in lines:
            said = line.text
            if line.number is not None and not line.text:
                said = str(line.number)
            label = self.label(said) if len(said.split()) <= _SHORT * 3 else None
            after = label_of(line)
            if label is None and after and after[0] in _LABELS | set(self._options.nouns):
                label = self._leading(after[1]) if after[1] else None
            if label is not None:
                labels.append(label)
        if (
            len(set(labels)) > 1
            and sorted(set(labels)) == sorted(self._labels)
            and len(labels) == len(self._labels)
        ):
            return  # the options, told again
        if not labels and lines:
            match = re.match(
                rf"(?P<name>{self._mention.pattern})[\])]?\s*(?:[.:,–—-]|because\b|since\b)", lines[0].text, re.I
            )
            if match and not _NEGATION.search(_SENTENCE_END.split(lines[0].text)[0]):
                labels = [self._of_mention(match)]
            sentences = [one for line in lines for one in _SENTENCE_END.split(line.text) if not one.endswith("?")]
            labels = labels or [label for one in sentences if (label := self._exact(one)) is not None]
        yield from labels

    def _stated(self, text: str) -> Iterator[str]:
        for sentence in _SENTENCE_END.split(text):
            if _HEDGE.search(sentence):
                continue
            for pattern, label in self._options.stated:
                match = pattern.search(sentence)
                if match:
                    around = (sentence[: match.start()], -1), (sentence[match.end() :], 0)
                    if not any(_NEGATION.search(_CLAUSE_START.split(part)[index]) for part, index in around):
                        yield label
                    break

    def _best_one(self, text: str) -> Iterator[str]:
        """`Hypothesis 2 is the more plausible one.`"""
        for match in _QUOTED_BEST.finditer(text):
            label = self._by_text(match[1])
            if label is not None and not _NEGATION.search(
                _SENTENCE_END.split(text[match.start() : match.start() + 300])[0]
            ):
                yield label
        for match in self._best.finditer(text):
            if _HEDGE.search(_before(text, match.start())):
                continue
            follows = (
                _SENTENCE_END.split(text[match.end() : match.end() + 300])[0].split(",")[0].split(" than ")[0]
            )
            if not _NEGATION.search(match[0]) and not _NEGATION.search(follows):
                yield self._of_mention(match)

    def _mentioned(self, text: str) -> Iterator[str]:
        """The only option that a text mentions, where it denies nothing."""
        if _NEGATION.search(text):
            return
        yield from {self._of_mention(match) for match in self._mention.finditer(text)}

    def _of_mention(self, match: re.Match[str]) -> str:
        if match["ordinal"]:
            return self._labels[_NUMBERS[match["ordinal"].casefold()]]
        label = self._marked(match["mark"])
        return label if label is not None else self._labels[0]


def _before(text: str, index: int) -> str:
    """The beginning of the sentence that goes on at an index."""
    return _SENTENCE_END.split(text[max(0, index - 300) : index])[-1]


def _is_denied(rest: str) -> bool:
    """Whether what follows the name of an option says that it is not the one."""
    predicate = re.match(r"\W*(?:is|was|would|does|do|can|could|seems|fails?)(?:\b|n't|not)", rest, re.IGNORECASE)
    return predicate is not None and _NEGATION.search(_CLAUSE_START.split(rest)[0]) is not None


def _inner(value: Json) -> str | int | None:
    named = members(value)
    return next((named[key] for key in ("label", "id", "name", "number", "option", "text") if key in named), None)


def _only(labels: Sequence[str]) -> str:
    if len(set(labels)) > 1:
        raise UnreadError(f"it chooses more than one option: {', '.join(dict.fromkeys(labels))}")
    return labels[-1]
