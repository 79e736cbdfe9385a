"""Verdicts in what language models write."""

from __future__ import annotations

import re

from whence.formats.llm_text import Unread
from whence.formats.llm_text.choice import Options, read_choice
from whence.models.verifier.entailment import Inference
from whence.structures.results import Label
from whence.structures.verdict import CONTRADICTS, FOLLOWS, LABELS, UNKNOWN
from whence.tasks.dataset import AnyDataset

_WORDS = {
    **dict.fromkeys(
        ("follows", "it follows", "follow", "entailment", "entailed", "entails", "true", "yes", "supported"),
        FOLLOWS,
    ),
    **dict.fromkeys(
        ("contradicts", "it contradicts", "contradiction", "contradicted", "contradictory", "false", "refuted"),
        CONTRADICTS,
    ),
    **dict.fromkeys(
        (
            "unknown",
            "it is unknown",
            "neutral",
            "undetermined",
            "cannot be determined",
            "not enough information",
            "not enough info",
            "insufficient information",
            "uncertain",
        ),
        UNKNOWN,
    ),
}
_UNDECIDED = re.compile(
    r"\b(?:cannot|can't|can not) be (?:determined|known|decided|inferred|concluded)\b|"
    r"\b(?:premises|facts) (?:do not|don't) (?:say|tell|state|specify)\b|"
    r"\b(?:not enough|insufficient) information\b",
    re.IGNORECASE,
)
_REFUTED = re.compile(
    r"\b(?:conclusion|claim|statement|it|this) (?:therefore |thus |clearly |directly )?contradicts\b|"
    r"\b(?:conclusion|claim|statement) is (?:therefore |thus |clearly )?(?:contradicted|false)\b",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\b(?:conclusion|claim|statement|it|this) (?:therefore |thus |indeed |clearly |logically )?follows\b|"
    r"\b(?:conclusion|claim|statement) is (?:therefore |thus |clearly )?(?:entailed|true)\b",
    re.IGNORECASE,
)


def read_verdict_text(text: str, _: Inference, __: AnyDataset) -> Label | Unread:
    """Which of the three an answer says."""
    options = Options(
        {name: name for name in LABELS},
        nouns=("verdict", "label", "answer", "judgement", "judgment", "classification", "relation"),
        named=_named,
        stated=((_UNDECIDED, UNKNOWN), (_REFUTED, CONTRADICTS), (_STATED, FOLLOWS)),
    )
    label = read_choice(text, options)
    return label if isinstance(label, Unread) else Label(label)


def _named(words: str) -> str | None:
    return _WORDS.get(" ".join(re.split(r"[\s_-]+", words.casefold())))
