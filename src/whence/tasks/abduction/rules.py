"""When a choice or a written hypothesis is well-formed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whence.checks.hypothesis import NO_COPY, NOT_EMPTY, HypothesisRule, edit_budget, word_count
from whence.checks.rule import Finding, Rule
from whence.errors import quoted
from whence.structures.hypothesis import HypothesisPair
from whence.structures.results import Label
from whence.tasks.abduction.data.files import CHOICES

ChoiceRule = Rule[HypothesisPair, Label]


def _find_no_choice(_: HypothesisPair, label: Label) -> Iterator[Finding]:
    if label.name not in CHOICES:
        yield "/name", f"{quoted(label.name)} is neither 1 nor 2"


def _find_equal(inputs: HypothesisPair, _: Label) -> Iterator[Finding]:
    if inputs.hyp1.strip() == inputs.hyp2.strip():
        yield "", "the two hypotheses are the same"


_ANLI_RULES = (
    Rule("label", "the label is 1 or 2", _find_no_choice),
    Rule("different", "the two hypotheses differ", _find_equal),
)

_ANLG_RULES: dict[str, tuple[HypothesisRule, ...]] = {
    # The released collection templates enforced none of the limits that the paper names.
    "official": (NOT_EMPTY, NO_COPY),
    "paper": (NOT_EMPTY, NO_COPY, word_count(10), edit_budget(4)),  # A.1; section 4 says 5 words
}


def anli_rules(_protocol: str, _dataset: object) -> Sequence[ChoiceRule]:
    """The rules of `anli`."""
    return _ANLI_RULES


def anlg_rules(protocol: str, _dataset: object) -> Sequence[HypothesisRule]:
    """The rules of `anlg`."""
    return _ANLG_RULES[protocol]
