"""Observations and hypotheses as users type them."""

from __future__ import annotations

from collections.abc import Sequence

from whence.structures.hypothesis import HypothesisPair, Observations
from whence.tasks.form_inputs import FormField, FormInputs, Text

_OBSERVED = (Text("first", "what was observed first"), Text("second", "what was observed later"))
_HYPOTHESES = Text("hypothesis", "what may have happened (give two)", least=2, most=2)
_FIELDS = {
    "obs1": FormField("Observed first"),
    "obs2": FormField("Observed later"),
    "hyp1": FormField("Hypothesis 1"),
    "hyp2": FormField("Hypothesis 2"),
}


def _pair(first: str, second: str, hypothesis: Sequence[str]) -> HypothesisPair:
    return HypothesisPair(first, second, *hypothesis)


FORM_INPUTS: dict[str, FormInputs] = {
    "anli": FormInputs((*_OBSERVED, _HYPOTHESES), _pair, _FIELDS),
    "anlg": FormInputs(_OBSERVED, Observations, _FIELDS),
}
