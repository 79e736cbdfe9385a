"""What a contrast set consists of: premises, a conclusion, and whether it follows, known by construction."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contrast:
    """Premises and a conclusion with its label; `kind` names what was changed, `family` what it is about."""

    premises: tuple[str, ...]
    conclusion: str
    label: str
    kind: str
    family: str = ""


Family = Callable[[random.Random], Iterator[Contrast]]
"""Makes the contrasts of one small world: the same premises with several conclusions, or the other way round."""
