"""How wide a text is when drawn, and where to break it. Estimates: the reader's font is not known here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

# Widths of Helvetica in thousandths of the font size, from the space to the tilde; Arial's are the same.
_HELVETICA = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_WIDTHS = {chr(code): width / 1000 for code, width in enumerate(_HELVETICA, start=ord(" "))}
_WIDE, _OTHER = 1.0, 0.72
_SAFETY = 1.08  # the usual system fonts are up to this much wider; the rest is the padding's
_BOLD = 1.1

_WHITE = re.compile(r"\s+")
# What XML forbids, what steers a terminal, and what turns the direction of the text around it.
_UNDRAWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
    + "".join(chr(plane << 16 | low) for plane in range(1, 17) for low in (0xFFFE, 0xFFFF))
    + "]"
)


def clean(text: str) -> str:
    """The text with single spaces, and U+FFFD for every character that cannot be drawn safely."""
    return _UNDRAWABLE.sub("\N{REPLACEMENT CHARACTER}", _WHITE.sub(" ", text).strip())


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of one line, in the units of the font size."""
    return sum(map(_character_width, text)) * size * _SAFETY * (_BOLD if bold else 1)


@lru_cache(maxsize=4096)
def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    base = unicodedata.normalize("NFD", character)[0]
    wide = unicodedata.east_asian_width(base) in "WF"
    return _WIDTHS.get(base, _WIDE if wide else _OTHER)


def wrap(text: str, width: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """The lines of a text, none wider than `width`, as few as can be and then as even as can be.

    Words are broken only where one alone is too wide. An empty text has no lines.
    """

    def measure(part: str) -> float:
        return text_width(part, size, bold=bold)

    words = _words(text, width, measure)
    widths, space = [measure(word) for word in words], measure(" ")
    narrow, wide = max(widths, default=0.0), width
    count = len(_line_ends(widths, space, wide))
    while wide - narrow > 1:
        middle = (narrow + wide) / 2
        fits = len(_line_ends(widths, space, middle)) == count
        narrow, wide = (narrow, middle) if fits else (middle, wide)
    return _lines(words, _line_ends(widths, space, wide))


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def wrap_columns(text: str, width: int) -> tuple[str, ...]:
    """The lines of a text on a terminal, each as full as can be."""
    words = _words(text, width, columns)
    return _lines(words, _line_ends([columns(word) for word in words], 1, width))


def _lines(words: list[str], ends: list[int]) -> tuple[str, ...]:
    return tuple(" ".join(words[start:end]) for start, end in zip([0, *ends], ends, strict=False))


def _line_ends(widths: Sequence[float], space: float, width: float) -> list[int]:
    """After which word each line ends, when every line takes as many words as it can."""
    ends: list[int] = []
    used = 0.0
    for index, word in enumerate(widths):
        if index and used + space + word > width:
            ends.append(index)
            used = word
        else:
            used += word + (space if index else 0)
    return [*ends, len(widths)] if widths else []


def _words(text: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """The words of a text, those that are too wide cut into parts."""
    words: list[str] = []
    for word in clean(text).split():
        if measure(word) <= width:
            words.append(word)
            continue
        words.append("")
        for character in word:
            if words[-1] and measure(words[-1] + character) > width:
                words.append("")
            words[-1] += character
    return words
