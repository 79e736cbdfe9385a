"""Which words of a belief and an argument are concepts of their graph: the tags of appendix C.3."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.structures.graph import Argument, Graph, concepts_within

CONCEPT_TAGS = ("B-N", "I-N", "O")
_BEGINS, _CONTINUES, _OUTSIDE = range(3)

_LONGEST = 3
"""Words of a concept (sec. 3). Longer ones are never tagged."""

_APART = (
    (re.compile(r'([;?!"()\[\]{}<>%$&#@]|[,:](?!\d)|--)'), r" \1 "),
    (re.compile(r"(n't|'(?:s|re|ve|ll|d|m))(?![\w'])"), r" \1 "),
    (re.compile(r"(?<!\S)can(?=not(?!\S))"), "can "),
    # A full stop stays with a word that holds others, u.s. or hmm.. , unless it is the last of the text.
    (re.compile(r"(?<!\S)([^\s.]+)\.(?=['\s]|$)"), r"\1 . "),
    (re.compile(r"(?<=[^.\s])\.\s*$"), " ."),
)
"""What stands apart, in order: the rules of the Penn Treebank as far as the texts need them."""


def treebank_words(text: str) -> tuple[str, ...]:
    """The words and marks of a text, in lower case: `should n't`, `people 's`, `can not`, `wars .`"""
    text = text.lower()
    for pattern, apart in _APART:
        text = pattern.sub(apart, text)
    return tuple(text.split())


def words_to_tag(inputs: Argument) -> tuple[str, ...]:
    """The words of the belief, then those of the argument."""
    return (*treebank_words(inputs.belief), *treebank_words(inputs.argument))


def concept_tags(inputs: Argument, graph: Graph) -> tuple[int, ...]:
    """The tag of each word, by its place in `CONCEPT_TAGS`.

    A concept is tagged wherever all of its words stand in a row in the one text or in the other, longer concepts
    first; of concepts of equal length the one that the graph names first. Words are tagged once.
    """
    texts = inputs.belief, inputs.argument
    internal = {node for text in texts for node in concepts_within(graph.nodes, text)}
    found = dict.fromkeys(treebank_words(node) for node in graph.nodes if node in internal)
    concepts = sorted(found, key=len, reverse=True)
    return tuple(tag for text in texts for tag in _tagged(treebank_words(text), concepts))


def _tagged(words: Sequence[str], concepts: Sequence[tuple[str, ...]]) -> list[int]:
    tags = [_OUTSIDE] * len(words)
    for concept in concepts:
        size = len(concept)
        if not 0 < size <= _LONGEST:
            continue
        for start in range(len(words) - size + 1):
            place = slice(start, start + size)
            if tuple(words[place]) == concept and set(tags[place]) == {_OUTSIDE}:
                tags[place] = [_BEGINS, *[_CONTINUES] * (size - 1)]
    return tags
