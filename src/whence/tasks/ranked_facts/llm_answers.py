"""Facts in what language models write."""

from __future__ import annotations

from collections.abc import Mapping

from whence.formats.llm_text import Unread
from whence.formats.llm_text.facts import FactNames, read_facts
from whence.structures.facts import Fact, FactSet, Question, Ranking
from whence.tasks.dataset import Dataset
from whence.tasks.ranked_facts.data.files import ROLES

_names: list[tuple[Mapping[str, Fact], FactNames]] = []
"""The names of the facts that were asked for last: they are many, and the same for all answers of a file."""


def read_text(text: str, _: Question, dataset: Dataset[Question, FactSet | Ranking]) -> FactSet | Ranking | Unread:
    """The facts of an answer."""
    if not _names or _names[0][0] is not dataset.facts:
        _names[:] = [(dataset.facts, FactNames(dataset.facts, ROLES))]
    return read_facts(text, _names[0][1])
