"""Rankers of facts by words, without training in the usual sense: BM25, TF-IDF, and explanatory power.

The parameters were chosen by cross-validation over the training questions (docs/design/011-retrieval.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whence.errors import UsageError, quoted
from whence.models.learners import Report, unreported
from whence.models.retrieval.explained import Case, ExplainedTexts, Reason, Settings
from whence.models.retrieval.index import build_index
from whence.models.retrieval.search import Query
from whence.models.retrieval.storage import indexed
from whence.models.retrieval.weighting import BM25_COSINE, TFIDF_COSINE, Weighting
from whence.models.retrieval.words import query_words, written_words
from whence.structures.facts import Fact, FactSet, Question, Ranking
from whence.structures.results import Example
from whence.tasks.task import AnyDataset

ANSWER = 1.25
"""What a word of the answer counts in a query, beside 1 for one of the question alone."""

RANKERS: Mapping[str, Settings] = {
    "bm25": Settings(BM25_COSINE),
    "tfidf": Settings(TFIDF_COSINE),
    "power": Settings(Weighting(k1=1.0, cosine=True), power=0.6, similar=300, sharpness=1.8),
}
"""What each ranker counts; `power` alone looks at training questions."""


@dataclass(frozen=True)
class FactRanker:
    """Ranks all facts of a base for any question, and can say why."""

    name: str
    texts: ExplainedTexts

    def rank(self, questions: Sequence[Question], report: Report = unreported) -> list[Ranking]:
        """One ranking a question, of all facts."""
        queries = [question_words(question) for question in questions]
        return [Ranking(tuple(ids)) for ids in self.texts.rankings(queries, report)]

    def reason(self, question: Question, fact: str) -> Reason:
        """Why a fact stands where it does: words of the question that it has, training questions that used it."""
        found = self.texts.reason(question_words(question), fact)
        written = written_words(f"{question.question} {question.answer}")
        return replace(found, words=tuple(replace(match, word=written[match.word]) for match in found.words))


def question_words(question: Question) -> Query:
    """What is looked for: each word of question (without options) and answer once, those of the answer more."""
    answer = query_words(question.answer) if question.answer else {}
    every = query_words(question.question, question.answer)
    return {word: ANSWER if word in answer else 1.0 for word in every}


def fact_ranker(
    name: str,
    facts: Iterable[Fact],
    training: Sequence[Example[Question, FactSet | Ranking]] = (),
    folder: Path | None = None,
    report: Report = unreported,
) -> FactRanker:
    """The ranker of that name over these facts; `power` learns from the explanations of training questions.

    With a folder, the index of the facts is kept there and brought up to date where facts changed.
    """
    if name not in RANKERS:
        raise UsageError(f"there is no ranker {quoted(name)}; there are {', '.join(RANKERS)}")
    settings = RANKERS[name]
    texts = {fact.id: fact.text for fact in facts}
    index = build_index(texts, report) if folder is None else indexed(folder, texts, report)
    cases = explained_questions(training, texts) if settings.power else []
    if settings.power and not cases:
        raise UsageError(f"the ranker {name} needs training questions with explanations")
    return FactRanker(name, ExplainedTexts(index, cases, settings))


def explained_questions(
    examples: Sequence[Example[Question, FactSet | Ranking]], facts: Iterable[str]
) -> list[Case]:
    """Questions with the facts of their gold explanations; questions without explanation teach nothing."""
    known = {name.lower(): name for name in facts}
    found = []
    for example in examples:
        uses = [use for gold in example.golds if isinstance(gold, FactSet) for use in gold.facts if use.gold]
        used = tuple(known.get(use.id.lower(), use.id) for use in uses)
        if used:
            found.append(Case(example.id, question_words(example.inputs), used))
    return found


def ranker_for(name: str, dataset: AnyDataset, training: AnyDataset, folder: Path | None = None) -> FactRanker:
    """The ranker over the facts that go with a data set."""
    return fact_ranker(name, dataset.facts.values(), training.examples, folder)
