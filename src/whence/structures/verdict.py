"""Verdicts: does a part of an explanation follow, does it contradict what it rests on, or is that unknown?

Rules say whether an explanation is well-formed; a verdict says whether to believe it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FOLLOWS, CONTRADICTS, UNKNOWN = "follows", "contradicts", "unknown"
LABELS = (FOLLOWS, CONTRADICTS, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of a part, or of a whole explanation."""

    label: str
    """One of `LABELS`."""
    probability: float
    """The calibrated probability of the label."""
    judge: str
    """The model that judged, with a fingerprint."""

    def __post_init__(self) -> None:
        """Refuse other labels, and what is no probability."""
        if self.label not in LABELS:
            raise ValueError(f"a verdict is one of {', '.join(LABELS)}, not '{self.label}'")
        if not 0 <= self.probability <= 1:
            raise ValueError(f"a probability is from 0 to 1, not {self.probability}")

    @property
    def is_supported(self) -> bool:
        """Whether it follows."""
        return self.label == FOLLOWS

    @property
    def support(self) -> float:
        """A number to rank explanations by: the higher, the surer that it follows."""
        return self.probability if self.is_supported else 1 - self.probability


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """A verdict on one part of an explanation."""

    part: str
    """A pointer such as `/steps/1`, as in `Problem.where`."""
    text: str
    """The part in words."""
    verdict: Verdict


def verdict_on_all(parts: Sequence[PartVerdict]) -> Verdict | None:
    """Combine verdicts on parts: a whole is no surer than its least sure part; None without parts.

    It contradicts what it rests on where its last part, the one that concludes, does; otherwise a part that does
    not follow leaves the whole unknown.
    """
    if not parts:
        return None
    unsupported = [part.verdict for part in parts if not part.verdict.is_supported]
    if not unsupported:
        return min((part.verdict for part in parts), key=lambda verdict: verdict.probability)
    last = parts[-1].verdict
    if last.label == CONTRADICTS:
        return last
    weakest = min(unsupported, key=lambda verdict: verdict.support)
    return Verdict(UNKNOWN, 1 - weakest.support, weakest.judge)
