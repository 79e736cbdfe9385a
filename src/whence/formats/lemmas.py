"""Words to their dictionary forms, without a tagger: one lemma a word."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=200_000)
def lemma(word: str) -> str:
    """The dictionary form of an English word, in lower case; a word that is not known stays as it is."""
    import simplemma

    return str(simplemma.lemmatize(word.lower(), lang="en")).lower() if word else ""
