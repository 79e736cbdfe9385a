"""The ranker that a method uses: that of a model folder, or the embedded one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.files import cache_folder
from whence.models.learners import Judge
from whence.models.learners.sparse import SparseSettings, weighted_words
from whence.models.retrieval.explained import Case, ExplainedTexts
from whence.models.retrieval.storage import indexed
from whence.models.trained import load_model
from whence.progress import Report
from whence.structures.facts import Fact, Question
from whence.structures.results import Example
from whence.tasks.method import EMBEDDED, Setup
from whence.tasks.ranked_facts.data.files import SPLITS, read
from whence.tasks.ranked_facts.data.stores import fact_store
from whence.tasks.ranked_facts.heads.heads import fact_query
from whence.tasks.ranked_facts.methods.evidence import Bound, EvidenceJudge, meanings

POWER = 0.6
"""The weight of what explained similar questions, as in the recipe `small.facts`."""


@dataclass(frozen=True, slots=True)
class Ranker:
    """What ranks facts, and what it ranks."""

    judge: Judge
    facts: Mapping[str, Fact]
    questions: Mapping[str, str]
    """The training questions that it knows."""
    bound: Bound | None
    """From which score on a fact has evidence enough; None where the scores of a ranker have no such bound."""


def chosen_ranker(name: str, store: str, setup: Setup) -> Ranker:
    """A folder's ranker or the embedded one."""
    place, facts = fact_store(store, setup)
    training = _training(setup)
    questions = {example.id: example.inputs.question for example in training}
    if name != EMBEDDED:
        model = load_model(Path(name))
        return Ranker(model.judge(model.lesson("worldtree", "facts")), facts, questions, None)
    judge = _embedded(place, facts, training, setup.report)
    return Ranker(judge, facts, questions, judge.bound)


def _training(setup: Setup) -> Sequence[Example[Question, Any]]:
    """WorldTree's training questions, where they are at hand."""
    path = SPLITS["train"].file(setup.data())
    return read(path).examples if path.is_file() else ()


def _embedded(
    place: str, facts: Mapping[str, Fact], training: Sequence[Example[Question, Any]], report: Report
) -> EvidenceJudge:
    """A ranker by words and by what explained similar questions or, where none of those is explained by these
    facts, by words and meaning. Its index is kept in the user's cache, and follows the facts."""
    folder = cache_folder() / "indexes" / hashlib.sha256(place.encode()).hexdigest()[:16]
    index = indexed(folder, {name: fact.text for name, fact in facts.items()}, report)
    known = {name.lower(): name for name in facts}
    settings = SparseSettings(power=POWER)
    cases = []
    for example in training:
        uses = [use for gold in example.golds[:1] for use in gold.facts if use.gold]
        if used := tuple(known[use.id.lower()] for use in uses if use.id.lower() in known):
            cases.append(Case(example.id, weighted_words(fact_query(example), settings.focus), used))
    texts = ExplainedTexts(index, cases, settings.counted)
    vectors = None if cases else meanings([facts[name].text for name in texts.index.ids], report)
    return EvidenceJudge(texts, settings.focus, vectors)
