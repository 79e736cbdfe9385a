"""Facts that a machine offers for a question: the first ones of rankings, and gold ones that none of them has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from whence.collection.configuration import Source
from whence.errors import DataError, UsageError
from whence.files import Json
from whence.pipeline.explain import explainer
from whence.structures.facts import Fact, FactSet, Question, Ranking
from whence.structures.results import Example
from whence.tasks.explainers import Setup
from whence.tasks.ranked_facts.data import read_predictions
from whence.tasks.task import Dataset

Ranked = Mapping[str, Sequence[str]]
"""Facts by question, the best first."""


def shortlists(
    source: Source,
    examples: Sequence[Example[Any, Any]],
    facts: Mapping[str, Fact],
    folder: Callable[[], Path],
    rankings: Sequence[Path],
) -> dict[str, list[Json]]:
    """For each question the facts that people look at, with their texts (expert-ratings paper, sec. 4)."""
    questions: list[Example[Any, Any]] = [
        Example(example.id, Question(example.inputs.question, example.inputs.answer)) for example in examples
    ]
    if rankings:
        ranked, known = _from_files(rankings, questions, facts), facts
    else:
        ranked, known = _by_machine(source.shortlist, questions, facts, folder)
    found = {}
    for example in examples:
        golds = [use.id for gold in example.golds if isinstance(gold, FactSet) for use in gold.facts if use.gold]
        first = [fact for ranking in ranked for fact in ranking.get(example.id, ())[: source.shortlist]]
        ids = dict.fromkeys((*first, *golds))
        found[example.id] = [{"id": fact, "text": known[fact].text} for fact in ids if fact in known]
    return found


def _from_files(
    rankings: Sequence[Path], questions: Sequence[Example[Any, Any]], facts: Mapping[str, Fact]
) -> list[Ranked]:
    if not facts:
        raise UsageError("rankings name facts by id: the table store must lie beside the questions")
    asked = Dataset(tuple(questions), tuple(range(1, len(questions) + 1)))
    found: list[Ranked] = []
    for path in rankings:
        told = read_predictions(path, asked).predictions
        ranked = {one.id: one.explanation.ids for one in told if isinstance(one.explanation, Ranking)}
        if not any(ranked.values()):
            raise DataError(path, expected="rankings for these questions", found="none")
        found.append(ranked)
    return found


def _by_machine(
    count: int, questions: Sequence[Example[Any, Any]], facts: Mapping[str, Fact], folder: Callable[[], Path]
) -> tuple[list[Ranked], Mapping[str, Fact]]:
    """The ranking that `whence explain worldtree` shows the first facts of."""
    maker = explainer("worldtree", "facts", {"count": count}, Setup(folder, facts))
    explained = maker.explain(questions)
    known = {name: fact for one in explained for name, fact in one.facts.items()}
    ranked = {
        question.id: [use.id for use in one.explanation.facts]
        for question, one in zip(questions, explained, strict=True)
    }
    return [ranked], {**facts, **known}
