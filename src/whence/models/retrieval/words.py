"""The words of a text, as the index counts them: stems of lemmas.

The lemma alone keeps *rotation* from *rotate*; the stem alone keeps *mice* from *mouse*.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import version

from whence.formats.lemmas import lemma
from whence.metrics.text_stemmer import stem

_WORD = re.compile(r"[^\W_]+")

_STOP = (
    "a about above after again all also am among an and any are as at be because been before being below "
    "between both but by can could did do does doing during each either else for from further had has "
    "have having he her here hers him his how i if in into is it its itself just let may me might more "
    "most must my neither no nor not of off on once only or other our out over own per she should so some "
    "such than that the their them then there these they this those through thus to too under until up "
    "upon us very via was we were what when where which while who whom whose why will with within without "
    "would yet you your "
)
STOP_WORDS = frozenset(_STOP.split())
"""Words that say nothing about what a question is about. They are left out of queries, not of texts."""


def word_form() -> str:
    """How words are told apart. An index holds for one form: lemmas change with the package that has them."""
    return f"stems of lemmas, simplemma {version('simplemma')}"


def index_terms(text: str) -> tuple[str, ...]:
    """The words of a text in order, each in the form that the index counts."""
    return tuple(map(_form, _WORD.findall(text.lower())))


def query_words(*texts: str) -> Mapping[str, float]:
    """The words to look for, each with how often the texts have it; stop words only if there are no others."""
    written = [word for text in texts for word in _WORD.findall(text.lower())]
    telling = [word for word in written if word not in STOP_WORDS and lemma(word) not in STOP_WORDS]
    found: dict[str, float] = {}
    for word in telling or written:
        found[_form(word)] = found.get(_form(word), 0.0) + 1.0
    return found


def written_words(text: str) -> Mapping[str, str]:
    """The words that the index counts, each as the text writes it first."""
    found: dict[str, str] = {}
    for word in _WORD.findall(text):
        found.setdefault(_form(word.lower()), word)
    return found


@lru_cache(maxsize=200_000)
def _form(word: str) -> str:
    return stem(lemma(word))
