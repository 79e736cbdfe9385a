"""Abduction: two observations and the hypotheses that may explain how one led to the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Observations:
    """What was observed first and later. The input of `anlg`."""

    obs1: str
    obs2: str


@dataclass(frozen=True, slots=True)
class HypothesisPair:
    """Two observations and two hypotheses to choose from. The input of `anli`."""

    obs1: str
    obs2: str
    hyp1: str
    hyp2: str


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A written explanation of the observations; `edit_of` is the sentence it was made from, if any."""

    text: str
    edit_of: str | None = None


@dataclass(frozen=True, slots=True)
class HypothesisPools:
    """All hypotheses that people wrote for two observations: what adversarial filtering chooses from."""

    obs1: str
    obs2: str
    plausible: tuple[str, ...]
    implausible: tuple[str, ...]


def words_added_and_removed(before: str, after: str) -> tuple[int, int]:
    """How many words an edit added and how many it removed, as bags of words separated by white space."""
    old, new = Counter(before.split()), Counter(after.split())
    return (new - old).total(), (old - new).total()
