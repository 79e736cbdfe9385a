"""Porter's stemmer (1980) with the changes that NLTK made to it, which METEOR's figures depend on.

Ours because the alternatives do not do: `snowballstemmer` has Porter's algorithm without NLTK's changes, and NLTK
brings a tool box with four dependencies for these hundred lines. It equals NLTK 3.4.5 and 3.9 on all of ART.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "innings": "inning", "outings": "outing",
    "cannings": "canning",
    **{word: word for word in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed")},
    "succeed": "succeed",
}  # fmt: skip

# In these tables the first suffix that the word has decides, whether or not what is left is long enough.
_PLURAL = {"sses": "ss", "ies": "i", "ss": "ss", "s": ""}
_DOUBLE_SUFFIX = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "fulli": "ful",
}  # fmt: skip
_SUFFIX = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_LAST_SUFFIX = dict.fromkeys(
    ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate",
     "iti", "ous", "ive", "ize"),
    "",
)  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_step_1a, _step_1b, _step_1c, _step_2, _step_3, _step_4, _step_5a, _step_5b):
        word = step(word)
    return word


def _shape(text: str) -> str:
    """`c` for each consonant and `v` for each vowel; `y` is a vowel behind a consonant."""
    shape = ""
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(text: str) -> int:
    """Porter's m: how often a consonant follows a vowel."""
    return _shape(text).count("vc")


def _ends_short(text: str) -> bool:
    """Porter's *o: consonant, vowel, consonant other than w, x, y; for NLTK also vowel and consonant alone."""
    shape = _shape(text)
    return shape == "vc" or (shape.endswith("cvc") and text[-1] not in "wxy")


def _ends_double(text: str) -> bool:
    return len(text) > 1 and text[-1] == text[-2] and _shape(text).endswith("c")


def _replaced(word: str, table: Mapping[str, str], allowed: Callable[[str], bool]) -> str:
    for suffix, replacement in table.items():
        if word.endswith(suffix):
            rest = word.removesuffix(suffix)
            return rest + replacement if allowed(rest) else word
    return word


def _step_1a(word: str) -> str:
    if len(word) == 4 and word.endswith("ies"):
        return word[:-1]  # NLTK: 'dies' -> 'die', but 'flies' -> 'fli'
    return _replaced(word, _PLURAL, lambda _: True)


def _step_1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]  # NLTK: 'died' -> 'die', but 'spied' -> 'spi'
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word.removesuffix(suffix)
        if rest != word and "v" in _shape(rest):
            return _mended(rest)
    return word


def _mended(rest: str) -> str:
    """What is left without -ed or -ing, as it was before these came: 'troubl' -> 'trouble', 'hopp' -> 'hop'."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _ends_double(rest):
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _ends_short(rest) else rest


def _step_1c(word: str) -> str:
    # NLTK: behind a consonant that is not the first letter, so 'enjoy' stays and 'fly' meets 'flies'.
    return _replaced(word, {"y": "i"}, lambda rest: len(rest) > 1 and _shape(rest).endswith("c"))


def _step_2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]  # NLTK: first, so that other suffixes may follow
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _DOUBLE_SUFFIX, lambda rest: _measure(rest) > 0)


def _step_3(word: str) -> str:
    return _replaced(word, _SUFFIX, lambda rest: _measure(rest) > 0)


def _step_4(word: str) -> str:
    needs = ("s", "t") if word.endswith("ion") else ""
    return _replaced(word, _LAST_SUFFIX, lambda rest: _measure(rest) > 1 and rest.endswith(needs))


def _step_5a(word: str) -> str:
    rest = word.removesuffix("e")
    measure = _measure(rest)
    return rest if measure > 1 or (measure == 1 and not _ends_short(rest)) else word


def _step_5b(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
