"""Observations and hypotheses as users type them."""

from __future__ import annotations

from collections.abc import Sequence

from whence.structures.hypothesis import HypothesisPair, Observations
from whence.tasks.typed import Text, Typed

_OBSERVED = (Text("first", "what was observed first"), Text("second", "what was observed later"))
_HYPOTHESES = Text("hypothesis", "what may have happened (give two)", least=2, most=2)


def _pair(first: str, second: str, hypothesis: Sequence[str]) -> HypothesisPair:
    return HypothesisPair(first, second, *hypothesis)


TYPED: dict[str, Typed] = {
    "anli": Typed((*_OBSERVED, _HYPOTHESES), _pair),
    "anlg": Typed(_OBSERVED, Observations),
}
