"""When a rationale is well-formed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whence.checks.rule import Finding, Rule
from whence_rationales.data import LABELS, Rationale, Statement


def _find_unknown_label(_: Statement, rationale: Rationale) -> Iterator[Finding]:
    if rationale.label not in LABELS:
        yield "/label", f"'{rationale.label}' is neither {' nor '.join(LABELS)}"


def _find_no_sentence(statement: Statement, rationale: Rationale) -> Iterator[Finding]:
    if rationale.text not in statement.sentences:
        yield "/text", "this is no sentence of the passage"


_RULES = (
    Rule("label", "the label is supported or refuted", _find_unknown_label),
    Rule("sentence", "the rationale is a sentence of the passage", _find_no_sentence),
)


def rules(_protocol: str, _dataset: object) -> Sequence[Rule[Statement, Rationale]]:
    """The same under every protocol."""
    return _RULES
