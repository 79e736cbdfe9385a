"""`judged` of `anli`: a model says which of two hypotheses is the more plausible.

two observations, two hypotheses
  -> a probability of each                             head `choice`
  -> the same without one of the observations          the reasons that are shown
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from whence.models.items import Verdict
from whence.structures.hypothesis import HypothesisPair
from whence.structures.results import Example
from whence.tasks.abduction.heads.heads import HEADS
from whence.tasks.abduction.task import ANLI
from whence.tasks.head_method import Asked, judged_method
from whence.tasks.method import Reason


def _tell_choice(
    asked: Asked, examples: Sequence[Example[Any, Any]], verdicts: Sequence[Verdict]
) -> list[tuple[Reason, ...]]:
    """Both hypotheses, and how probable each would be if one of the observations had not been made."""
    first, second = (
        asked.verdicts([_without(example, name) for example in examples]) for name in ("obs1", "obs2")
    )
    told = []
    for example, verdict, without_first, without_second in zip(examples, verdicts, first, second, strict=True):
        reasons = []
        for place, text in enumerate((example.inputs.hyp1, example.inputs.hyp2)):
            because = (
                f"without the first observation {without_first.probabilities[place]:.3f}",
                f"without the second {without_second.probabilities[place]:.3f}",
            )
            reasons.append(Reason(text, verdict.probabilities[place], because))
        told.append(tuple(sorted(reasons, key=lambda reason: -(reason.score or 0))))
    return told


def _without(example: Example[HypothesisPair, Any], name: str) -> Example[HypothesisPair, Any]:
    blank = replace(example.inputs, obs1="") if name == "obs1" else replace(example.inputs, obs2="")
    return replace(example, inputs=blank)


METHOD = judged_method(ANLI, HEADS["anli"][0], _tell_choice)
