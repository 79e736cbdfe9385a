"""Text of a cell into tokens, in the manner of the Penn Treebank."""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset({"st.", "dr.", "mr.", "mrs.", "ft.", "etc.", "vs.", "e.g.", "i.e."})
_TOKEN = re.compile(
    r"""
      (?:[A-Za-z]\.){2,}               # U.S.
    | [-+]?(?:\d[\d,]*)?\.?\d+(?=%)    # the number of 50%
    | [-+]?\.\d+
    | '(?:s|S|re|ve|ll|d|m)\b
    | [^\W_](?:[^\s;,:!?()\[\]{}"“”'%]|'(?!s\b|S\b|\s|$)|(?<=\d),(?=\d))*
    | [-+]\d[\w.,/-]*
    | \S
    """,
    re.VERBOSE,
)
_ENDS = frozenset(".!?")


def tokens(text: str) -> list[str]:
    """The tokens of a text: punctuation and `'s` are tokens of their own, `cannot` is two words.

    Numbers, units and hyphenated words are one token each: `-2`, `.036`, `m/s`, `32F`, `20-20000`.
    """
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if token.lower() == "cannot":
            found += [token[:3], token[3:]]
        elif len(token) > 1 and token.endswith(".") and not _is_abbreviation(token):
            found += [token.rstrip("."), "."]
        else:
            found.append(token)
    return found


def first_sentence(found: list[str]) -> list[str]:
    """The tokens up to the first end of a sentence."""
    return next((found[: place + 1] for place, token in enumerate(found) if token in _ENDS), found)


def _is_abbreviation(token: str) -> bool:
    return token.lower() in _ABBREVIATIONS or token.count(".") > 1
