"""What makes explanations: methods put together from models, rules and solvers.

A head judges one thing; a method uses heads, retrieval, solvers and generators to make what a task asks for. What
it makes is well-formed by construction, or is not made; whether it is also true, a verifier says (`verification`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from whence.models.generators import Usage
from whence.models.verifier.choice import reader_verifier
from whence.models.verifier.entailment import Verifier
from whence.progress import Report, unreported
from whence.structures.facts import Fact
from whence.structures.results import Example, Problem
from whence.structures.verdict import PartVerdict, Verdict

EMBEDDED = "embedded"
"""Names the model that ships with this package, wherever a setting asks for a model folder."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a part of an explanation is there; or, of a part that was refused, why it is not."""

    text: str
    """The part, in words."""
    score: float | None = None
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """What a method makes of an example: an explanation, or none and why."""

    explanation: Any
    reasons: tuple[Reason, ...] = ()
    """Of the explanation's parts, in their order."""
    refused: tuple[Reason, ...] = ()
    """What scored well and was not taken."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """The facts that the explanation refers to by id, where the task has such."""
    raw: str = ""
    """Where there is no explanation: the answer as it came, if there was one."""
    problems: tuple[Problem, ...] = ()
    """What was wrong with it."""
    unanswered: str = ""
    """Why nothing answered, where nothing did: it is worth asking again."""
    usage: Usage | None = None
    """What a generator was asked for, if one was."""
    verdict: Verdict | None = None
    """Whether the whole follows; None where nobody judged it."""
    parts: tuple[PartVerdict, ...] = ()
    """Verdicts on its parts."""
    missing: tuple[str, ...] = ()
    """What keeps it from following, or a method from making one: words that a reader can act on."""
    advice: str = ""
    """What a larger model would add, where the method would use one."""
    said: Any = None
    """What a model answered, where that breaks a rule. It is scored as the model's own, and never shown as an
    explanation; where there is an explanation, that is this mended."""


class Explainer(Protocol):
    """A method, ready to be used."""

    @property
    def name(self) -> str:
        """What it is, with the fingerprints of its models: it stands in the signature of figures."""

    def explain(self, examples: Sequence[Example[Any, Any]], report: Report = unreported) -> list[Explained]:
        """What it makes of each example, in order. It never looks at gold explanations."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Where a method finds what it needs."""

    data: Callable[[], Path]
    """The data folder, asked for where it is needed."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Those that came with the examples."""
    report: Report = unreported
    verifier: Callable[[], Verifier] = reader_verifier
    """What judges inferences, loaded where it is needed."""


@dataclass(frozen=True, slots=True)
class Method:
    """One way to make the explanations of a task."""

    name: str
    title: str
    settings: type
    """A frozen dataclass: what a user may set, with defaults."""
    make: Callable[[Any, Setup], Explainer]
    embedded: Mapping[str, str] = field(default_factory=dict)
    """The bundled model, such as `anli/choice`, that `embedded` means for a setting."""


@dataclass(frozen=True, slots=True)
class TaskMethod:
    """A method that another distribution adds to a task."""

    api: int
    """The version of the plug-in interface that it was made for."""
    task: str
    method: Method
