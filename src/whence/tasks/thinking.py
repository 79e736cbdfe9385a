"""What a language model thinks aloud, as explanations: free text to sentences, and how well they go together.

A task says what it makes of the sentences (`thoughts.py` in its folder). The texts come from a model that is asked
to think step by step, or from a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from whence.errors import DataError, UsageError
from whence.files import digest_of, read_jsonl, read_text
from whence.models.encoder import embedded_encoder
from whence.models.generators import Generator, Message, Request, Usage, untold, usage_of
from whence.models.generators.choice import GeneratorSettings, generator
from whence.models.retrieval.words import query_words
from whence.progress import Report, unreported
from whence.structures.results import Example, Problem
from whence.tasks.method import Explained, Method, Setup

Floats = NDArray[np.float64]

_TAG = re.compile(r"</?think>")
_MARK = re.compile(
    r"^\s*(?:[-*•]+\s+|#+\s*)?(?:(?:step|fact|premise|thought)\s*)?(?:\(?(\d+)[.):]\s*|:\s*)?", re.I
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”']?\s+(?=[\"“'(]?[A-Z0-9])")
_CONNECTIVE = re.compile(
    r"^(?:(?:and|so|but|also|then|now|next|first|second|third|finally|thus|hence|therefore|consequently|moreover|"
    r"furthermore|in conclusion|as a result|in other words|this means|it follows|this implies|we (?:also )?know|"
    r"we can (?:conclude|infer|say)|we conclude|given)\b(?:\s+that\b)?[,:]?\s*)+",
    re.I,
)
_CONCLUDING = re.compile(
    r"^(?:and |so,? |then,? )?(?:so|therefore|thus|hence|consequently|as a result|in conclusion|this means|"
    r"it follows|this implies|finally|we can (?:conclude|infer|say)|we conclude)\b",
    re.I,
)
_REFERENCE = re.compile(r"\b(?:(sent|int)(\d+)|(?:step|thought|sentence|fact|premise|line)s?\s*#?(\d+))\b", re.I)
_BRACKETED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")
_EMPHASIS = re.compile(r"\*\*|__|`")


@dataclass(frozen=True, slots=True)
class Thought:
    """One sentence of a text, without what only joins it to others."""

    text: str
    number: int | None = None
    """Under which the text lists it."""
    named: tuple[str, ...] = ()
    """What it says it rests on: `sent3`, `int1`, or `#2` for the sentence that the text lists as 2."""
    concludes: bool = False
    """Whether it says that it follows: it begins with *therefore* or the like."""


def thoughts_of(text: str) -> tuple[Thought, ...]:
    """The sentences of a text in order: of its lines, their marks and numbers taken off."""
    found = []
    for line in _TAG.sub("\n", text).splitlines():
        mark = _MARK.match(line)
        rest = _EMPHASIS.sub("", line[mark.end() :] if mark else line)
        number = int(mark[1]) if mark and mark[1] else None
        for place, sentence in enumerate(_SENTENCE_END.split(rest)):
            named = tuple(_name(match) for match in _REFERENCE.finditer(sentence))
            # A reference in brackets is no part of what is said.
            plain = " ".join(_BRACKETED.sub(_without_references, sentence).split())
            said = _CONNECTIVE.sub("", plain).strip(" ,;:").removesuffix(".").rstrip()
            if query_words(said):
                concludes = _CONCLUDING.match(plain) is not None
                found.append(Thought(said, number if not place else None, named, concludes))
    return tuple(found)


def _name(match: re.Match[str]) -> str:
    return f"{match[1].lower()}{match[2]}" if match[1] else f"#{match[3]}"


def _without_references(match: re.Match[str]) -> str:
    return " " if _REFERENCE.search(match[0]) else match[0]


class Linker(Protocol):
    """Says how alike texts are."""

    @property
    def name(self) -> str:
        """With a fingerprint."""

    def alike(self, first: Sequence[str], second: Sequence[str]) -> Floats:
        """From 0 to 1, for each of the first with each of the second."""


class WordLinker:
    """By the words that two texts share, forms and small words aside."""

    name = "words"

    def alike(self, first: Sequence[str], second: Sequence[str]) -> Floats:
        """The harmonic mean of the shares of their words that are shared."""
        rows, columns = ([frozenset(query_words(text)) for text in texts] for texts in (first, second))
        found = [[2 * len(a & b) / max(1, len(a) + len(b)) for b in columns] for a in rows]
        return np.array(found, dtype=np.float64).reshape(len(rows), len(columns))


class EncoderLinker:
    """By the vectors of the embedded encoder and by words, in equal parts."""

    def __init__(self) -> None:
        self._encoder, self._words = embedded_encoder(), WordLinker()
        self.name = self._encoder.name

    def alike(self, first: Sequence[str], second: Sequence[str]) -> Floats:
        """The mean of the cosine and of what words say."""
        if not first or not second:
            return np.zeros((len(first), len(second)))
        rows, columns = (self._unit(texts) for texts in (first, second))
        found: Floats = (np.clip(rows @ columns.T, 0.0, 1.0) + self._words.alike(first, second)) / 2
        return found

    def _unit(self, texts: Sequence[str]) -> Floats:
        vectors: Floats = self._encoder.sentences(texts).astype(np.float64)
        found: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-12)
        return found


@dataclass(frozen=True, slots=True)
class ThoughtSettings(GeneratorSettings):
    """What a user may set: whose thoughts, and how they are joined."""

    texts: str = ""
    """A file of texts instead of a model: JSONL with `id` and `text`, or one plain text for one example."""
    links: Literal["embedded", "words"] = "embedded"
    """How sentences are joined: by the embedded encoder and heads, or by words alone."""


Structure = Callable[[Any, Sequence[Thought]], Explained]
"""What a task makes of inputs and the sentences of a text about them."""


class ThoughtExplainer:
    """Texts, made into explanations."""

    def __init__(self, name: str, texts: Texts, structure: Structure) -> None:
        self.name, self._texts, self._structure = name, texts, structure

    def explain(self, examples: Sequence[Example[Any, Any]], report: Report = unreported) -> list[Explained]:
        """What the text about each example says."""
        found = []
        for example, said in zip(examples, self._texts(examples, report), strict=True):
            if isinstance(said, Explained):
                found.append(said)
                continue
            text, usage = said
            made = self._structure(example.inputs, thoughts_of(text))
            raw = text if made.explanation is None else ""
            found.append(replace(made, raw=raw, unanswered="", usage=usage))
            report("explaining", len(found), len(examples))
        return found


Texts = Callable[[Sequence[Example[Any, Any]], Report], Sequence[tuple[str, Usage | None] | Explained]]
"""The text about each example and what it took; or why there is none."""


def thoughts_method(instruction: str, ask: Callable[[Any], str], structure: Callable[[str], Structure]) -> Method:
    """The method `thoughts` of a task; `structure` is told how sentences are joined."""

    def make(settings: ThoughtSettings, _: Setup) -> ThoughtExplainer:
        if settings.texts:
            path = Path(settings.texts).expanduser()
            texts = _from_file(path)
            name = f"{path.name}@{digest_of(path)[:8]}"
        else:
            asked = generator(settings)
            name, texts = asked.name, _from_model(asked, settings, instruction, ask)
        linked = "words" if settings.links == "words" else EncoderLinker().name
        return ThoughtExplainer(f"thoughts of {name}, joined by {linked}", texts, structure(settings.links))

    return Method("thoughts", "a chain of thought, made into a structure", ThoughtSettings, make)


def linker(links: str) -> Linker:
    """The linker that a setting means."""
    return WordLinker() if links == "words" else EncoderLinker()


def failure(problem: str) -> Explained:
    """No explanation, and why."""
    return Explained(None, problems=(Problem("thoughts", "", problem),))


def _from_file(path: Path) -> Texts:
    if path.suffix != ".jsonl":
        text = read_text(path)
        return lambda examples, _: [(text, None) for _example in _only(examples, path)]
    known: dict[str, str] = {}
    for number, row in read_jsonl(path):
        if not isinstance(row.get("id"), str) or not isinstance(row.get("text"), str):
            raise DataError(path, number, expected="the texts 'id' and 'text'", found=", ".join(row) or "nothing")
        known[row["id"]] = row["text"]
    return lambda examples, _: [_known(known, example, path) for example in examples]


def _known(texts: Mapping[str, str], example: Example[Any, Any], path: Path) -> tuple[str, None] | Explained:
    if example.id not in texts:
        return failure(f"{path.name} has no text for it")
    return texts[example.id], None


def _only(examples: Sequence[Example[Any, Any]], path: Path) -> Sequence[Example[Any, Any]]:
    if len(examples) != 1:
        raise UsageError(f"{path}: one text for {len(examples)} examples; give JSONL with 'id' and 'text'")
    return examples


def _from_model(asked: Generator, settings: ThoughtSettings, instruction: str, ask: Callable[[Any], str]) -> Texts:
    def texts(examples: Sequence[Example[Any, Any]], _: Report) -> Sequence[tuple[str, Usage | None] | Explained]:
        requests = [
            Request(
                (Message("system", instruction), Message("user", ask(example.inputs))),
                tokens=settings.tokens,
                temperature=settings.temperature,
                seed=settings.seed,
            )
            for example in examples
        ]
        return [
            Explained(None, unanswered=reply.failure, usage=usage_of(reply))
            if reply.failure
            else (reply.text, usage_of(reply))
            for reply in asked.replies(requests, untold)
        ]

    return texts
