"""What follows from premises, in a sentence that may be shown: proposed by rules and writers, then judged.

A conclusion is kept only if the verifier says that it follows and it reads as a sentence of its own: no bare "A
and B", no premise said again, about as long as people write. Where none is left there is no conclusion, and the
tree joins the premises directly.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from whence.models.overlap_features import content_words
from whence.models.verifier.entailment import Inference, Verifier
from whence.structures.verdict import Verdict
from whence.tasks.entailment_trees.methods.one_step.drill_down import says_the_same
from whence.tasks.entailment_trees.methods.search.rule_conclusions import Composed, proposals

LONGEST = 25
"""Words of a conclusion at most; people's have 11 on the average."""
_LOOSE = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "is",
        "are",
        "of",
        "on",
        "or",
        "that",
        "the",
        "then",
        "to",
        "with",
        "which",
    ]
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|may|will|does|do|must|cannot|\w+s|\w+ed|become|cause|make|help|need|live|"
    r"eat|move|grow|use|give|take|keep|produce|require|contain)\b"
)


class Writer(Protocol):
    """Proposes conclusions."""

    @property
    def name(self) -> str:
        """Which model it is, with a fingerprint."""

    def write(self, premises: Sequence[str]) -> list[str]:
        """Sentences that may follow from the premises, the best first."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A sentence that follows, how it was made, and how sure that is."""

    text: str
    rule: str
    verdict: Verdict


class Conclusions:
    """Concludes from premises. What was judged once is kept."""

    def __init__(self, verifier: Verifier, writer: Writer | None = None, bound: float = 0.5) -> None:
        self._verifier, self._writer, self._bound = verifier, writer, bound
        self._kept: dict[tuple[tuple[str, ...], frozenset[str]], Conclusion | None] = {}

    def conclude(self, premises: Sequence[str], wanted: frozenset[str]) -> Conclusion | None:
        """The best sentence that follows from the premises; None where none may be shown.

        `wanted` are the words, as `content_words` gives them, that later steps need.
        """
        key = tuple(premises), wanted
        if key not in self._kept:
            self._kept[key] = self._conclude(premises, wanted)
        return self._kept[key]

    def _conclude(self, premises: Sequence[str], wanted: frozenset[str]) -> Conclusion | None:
        written = [Composed(text, "a writer") for text in self._writer.write(premises)] if self._writer else []
        proposed = [*written, *proposals(premises, wanted)]
        readable = [one for one in proposed if is_sentence(one.text) and not is_repetition(one.text, premises)]
        judged = self._verifier.judge([Inference(tuple(premises), one.text) for one in readable])
        conclusions = [
            Conclusion(one.text, one.rule, entailment.verdict(self._verifier.name, self._bound))
            for one, entailment in zip(readable, judged, strict=True)
        ]
        supported = [one for one in conclusions if one.verdict.is_supported]
        return max(supported, key=lambda one: _worth(one, wanted), default=None)


def _worth(conclusion: Conclusion, wanted: frozenset[str]) -> float:
    """How sure it is, and how much of what it says is wanted."""
    said = content_words(conclusion.text)
    return conclusion.verdict.probability + 0.5 * len(said & wanted) / max(1, len(said))


def is_sentence(text: str) -> bool:
    """Whether a conclusion reads as a sentence of usual length: a verb, no loose ends, no word twice in a row."""
    words = re.findall(r"[\w'-]+", text.lower())
    if not 3 <= len(words) <= LONGEST or words[-1] in _LOOSE or words[0] in ("and", "or", "of", "to"):
        return False
    if words[0] in ("if", "when") and "," not in text and "then" not in words:
        return False
    if any(one == two for one, two in itertools.pairwise(words)):
        return False
    return _VERB.search(" ".join(words[1:])) is not None


def is_repetition(text: str, premises: Sequence[str]) -> bool:
    """Whether a conclusion only says premises again: one of them, or several joined by *and*."""
    said = " ".join(re.findall(r"\w+", text.lower()))
    plain = [" ".join(re.findall(r"\w+", premise.lower())) for premise in premises]
    if any(says_the_same(text, premise) for premise in premises) or said in plain:
        return True
    rest = said
    for premise in sorted(plain, key=len, reverse=True):
        rest = rest.replace(premise, "")
    return not set(rest.split()) - {"and", "then", "so", "also"}
