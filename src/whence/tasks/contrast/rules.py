"""When a verdict on a conclusion is well-formed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whence.checks.rule import Finding, Rule
from whence.errors import quoted
from whence.models.verifier.entailment import Inference
from whence.structures.results import Label
from whence.structures.verdict import LABELS


def _find_unknown_label(_: Inference, label: Label) -> Iterator[Finding]:
    if label.name not in LABELS:
        yield "/name", f"{quoted(label.name)} is none of {', '.join(LABELS)}"


_RULES = (Rule("label", "the label is follows, contradicts or unknown", _find_unknown_label),)


def rules(_protocol: str, _dataset: object) -> Sequence[Rule[Inference, Label]]:
    """The same under every protocol."""
    return _RULES
