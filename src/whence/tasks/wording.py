"""What a text says, however it is written."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """The words of a text alone, case aside: what two texts have in common that read the same."""
    return " ".join(_WORD.findall(text.casefold()))
