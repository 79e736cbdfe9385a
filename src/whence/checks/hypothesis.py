"""Rules for written hypotheses (ART, sec. 4 and A.1)."""

from __future__ import annotations

from collections.abc import Iterator

from whence.checks.rule import Finding, Rule
from whence.structures.hypothesis import Hypothesis, Observations, words_added_and_removed

HypothesisRule = Rule[Observations, Hypothesis]


def _find_empty(_: Observations, hypothesis: Hypothesis) -> Iterator[Finding]:
    if not hypothesis.text.strip():
        yield "/text", "the hypothesis is empty"


def _find_copy(inputs: Observations, hypothesis: Hypothesis) -> Iterator[Finding]:
    for name, text in (("first", inputs.obs1), ("second", inputs.obs2)):
        if hypothesis.text.strip() and hypothesis.text.strip() == text.strip():
            yield "/text", f"the hypothesis only repeats the {name} observation"


def word_count(below: int) -> HypothesisRule:
    """The hypothesis is short: fewer words than this."""

    def find(_: Observations, hypothesis: Hypothesis) -> Iterator[Finding]:
        words = len(hypothesis.text.split())
        if words >= below:
            yield "/text", f"{words} words, fewer than {below} are asked for"

    return Rule("length", f"a hypothesis has fewer than {below} words", find)


def edit_budget(most: int) -> HypothesisRule:
    """An edit adds at most so many words and removes at most so many."""

    def find(_: Observations, hypothesis: Hypothesis) -> Iterator[Finding]:
        if hypothesis.edit_of is None:
            return
        added, removed = words_added_and_removed(hypothesis.edit_of, hypothesis.text)
        if added > most or removed > most:
            yield "/text", f"{added} words added and {removed} removed, at most {most} each are allowed"
        elif not added and not removed:
            yield "/text", "the edit changes no word"

    return Rule("edit-budget", f"an edit adds at most {most} words and removes at most {most}", find)


NOT_EMPTY: HypothesisRule = Rule("not-empty", "a hypothesis has words", _find_empty)
NO_COPY: HypothesisRule = Rule("no-copy", "a hypothesis is more than one of the observations", _find_copy)
