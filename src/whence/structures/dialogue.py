"""Dialogues, and the triplets that explain what happens in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Utterance:
    """One turn of a speaker."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Turns in order."""

    utterances: tuple[Utterance, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of an utterance: which turn, and where in its text it starts. A latent span stands in none."""

    text: str
    turn: int | None = None
    start: int | None = None

    @property
    def is_latent(self) -> bool:
        """Whether the span was written by the annotator instead of being taken from the dialogue."""
        return self.turn is None


@dataclass(frozen=True, slots=True)
class Triplet:
    """Two spans and the relation between them."""

    head: Span
    relation: str
    tail: Span


@dataclass(frozen=True, slots=True)
class Triplets:
    """The triplets of a dialogue."""

    triplets: tuple[Triplet, ...]


@dataclass(frozen=True, slots=True)
class DialogueClaim:
    """Does the dialogue entail the triplet? The input of `cider-nli`."""

    context: str
    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class SpanQuestion:
    """A question whose answer is a span of the context. The input of `cider-span`."""

    context: str
    question: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A span of a context, and the character where it starts there, if that is known."""

    text: str
    start: int | None = None


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """A question with its options. The input of `cider-choice`."""

    context: str
    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpanPair:
    """Two spans whose relation is asked. The input of `cider-relation`."""

    context: str
    head: str
    tail: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of CIDER: its name, what kind of knowledge it is, and the question that asks for its tail."""

    name: str
    category: str
    question: str = ""
    symmetric: bool = False
    negated: bool = False
