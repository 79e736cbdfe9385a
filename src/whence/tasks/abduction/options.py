"""What may be chosen between, by label, where a task asks for a choice."""

from __future__ import annotations

from whence.structures.hypothesis import HypothesisPair
from whence.tasks.abduction.data import CHOICES


def hypotheses(inputs: HypothesisPair) -> dict[str, str]:
    """The two hypotheses."""
    return dict(zip(CHOICES, (inputs.hyp1, inputs.hyp2), strict=True))


OPTIONS = {"anli": hypotheses}
