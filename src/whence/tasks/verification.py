"""Judges explanations part by part: which inferences does an explanation make, and do they hold?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whence.drawing import Diagram
from whence.errors import MissingDataError
from whence.models.verifier.entailment import Inference, Verifier
from whence.progress import Report, unreported
from whence.structures.facts import Fact
from whence.structures.results import Example
from whence.structures.verdict import PartVerdict, Verdict, verdict_on_all
from whence.tasks.method import Explained, Explainer, Setup
from whence.tasks.task import AnyTask

SIGNS = {"follows": "\N{CHECK MARK}", "contradicts": "\N{BALLOT X}", "unknown": "?"}
"""The sign of each label: verdicts must be readable without colour."""


@dataclass(frozen=True, slots=True)
class InferencePart:
    """A part of an explanation as an inference."""

    part: str
    """A pointer such as `/steps/1`."""
    inference: Inference

    @property
    def text(self) -> str:
        """The inference in words."""
        return f"{' & '.join(self.inference.premises)} -> {self.inference.conclusion}"


@dataclass(frozen=True, slots=True)
class Verification:
    """How explanations of a task are judged."""

    parts: Callable[[Any, Any, Mapping[str, Fact]], Sequence[InferencePart]]
    """From inputs, explanation and facts: the inferences that it makes, the one that concludes last."""
    missing: Callable[[Any, Any, Mapping[str, Fact], Sequence[PartVerdict]], Sequence[str]]
    """Says what keeps an explanation from following, given the verdicts on its parts."""
    mark: Callable[[Diagram, Any, Sequence[PartVerdict]], Diagram]
    """Writes the verdicts on parts into the picture of an explanation."""


def verify(
    verification: Verification,
    examples: Sequence[Example[Any, Any]],
    explained: Sequence[Explained],
    verifier: Verifier,
) -> list[Explained]:
    """Add verdicts to explanations that have none; all their parts are judged in one batch."""
    waiting = [
        (index, verification.parts(example.inputs, one.explanation, one.facts))
        for index, (example, one) in enumerate(zip(examples, explained, strict=True))
        if one.explanation is not None and one.verdict is None
    ]
    judged = iter(verifier.judge([part.inference for _, parts in waiting for part in parts]))
    results = list(explained)
    for index, parts in waiting:
        verdicts = tuple(PartVerdict(part.part, part.text, next(judged).verdict(verifier.name)) for part in parts)
        results[index] = with_verdicts(verification, examples[index].inputs, explained[index], verdicts)
    return results


def with_verdicts(
    verification: Verification, inputs: Any, explained: Explained, verdicts: tuple[PartVerdict, ...]
) -> Explained:
    """Add verdicts on parts and on the whole, and what is missing where it does not follow."""
    whole = verdict_on_all(verdicts)
    missing: Sequence[str] = ()
    if whole is not None and not whole.is_supported:
        missing = verification.missing(inputs, explained.explanation, explained.facts, verdicts)
    return replace(explained, verdict=whole, parts=verdicts, missing=tuple(missing))


def show(verdict: Verdict) -> str:
    """A verdict in a few signs: its mark, its label, how sure."""
    return f"{SIGNS[verdict.label]} {verdict.label} ({verdict.probability:.2f})"


class VerifiedExplainer:
    """A method whose explanations are judged, where the task says how and the verifier's weights are here."""

    def __init__(self, task: AnyTask, maker: Explainer, setup: Setup) -> None:
        self._task, self.maker, self._setup = task, maker, setup
        self.name = maker.name
        self.unverified = ""
        """Why explanations have no verdict, where they have none."""

    def explain(self, examples: Sequence[Example[Any, Any]], report: Report = unreported) -> list[Explained]:
        """What the method makes of each example, with verdicts."""
        explained = self.maker.explain(examples, report)
        if self._task.verification is None:
            self.unverified = f"nothing judges explanations of {self._task.name} yet"
            return explained
        try:
            return verify(self._task.verification(), examples, explained, self._setup.verifier())
        except MissingDataError as error:
            self.unverified = str(error)
            return explained
