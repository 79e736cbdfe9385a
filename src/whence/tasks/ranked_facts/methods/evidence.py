"""Evidence that a fact bears on an answer: shared words, what explained similar questions, closeness in meaning.

All are cosines or sums of them. Words count less where the facts do not know the question's words: of a question
about painters, *paint* may be the only word that is known. Closeness is asked of question and answer together and
of each alone, so that a long question does not hide a short answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from whence.errors import MissingDataError
from whence.models.encoder import Floats, embedded_encoder
from whence.models.items import AnyItem, RankItem, Verdict
from whence.models.learners.sparse import ranked, weighted_words
from whence.models.retrieval.explained import ExplainedTexts, Reason, Scores
from whence.models.retrieval.words import query_words
from whence.models.vector_cache import CachedEncoder
from whence.progress import Report, unreported
from whence.structures.facts import Fact


@dataclass(frozen=True, slots=True)
class Bound:
    """How much evidence a fact needs to be listed."""

    least: float
    """Whatever the others have."""
    share: float
    """Of what the best fact has."""
    naming: float
    """Of what the best fact has, if the fact names a word of the answer that no fact before it names."""

    def listed(self, scored: Iterable[tuple[Fact, float]], answer: str) -> Iterator[tuple[Fact, float]]:
        """The facts that pass, of facts with their scores, the best first."""
        unnamed = set(query_words(answer))
        best = None
        for fact, score in scored:
            best = score if best is None else best
            if score < max(self.least, self.naming * best):
                return
            words = query_words(fact.text).keys()
            if score >= self.share * best or unnamed & words:
                yield fact, score
                unnamed -= words


# `tools/tune_facts.py` prints what led to them: figures on everyday-dev and, for the last one, on every second
# question of WorldTree's dev. Questions that no fact answers set `least`.
WORDS_AND_MEANING = Bound(least=0.33, share=0.75, naming=0.55)
WORDS_ALONE = Bound(least=0.26, share=0.55, naming=0.55)
WORDS_AND_CASES = Bound(least=0.39, share=0.5, naming=0.5)


@dataclass(frozen=True, eq=False)
class Meanings:
    """The vectors of all facts, in the order of their ids, and the encoder that made them."""

    encoder: CachedEncoder
    vectors: Floats

    def closeness(self, texts: Sequence[str]) -> Scores:
        """One row a text: the cosine with each fact."""
        return np.asarray(self.encoder.sentences(texts) @ self.vectors.T, dtype=np.float64)


def meanings(texts: Sequence[str], report: Report = unreported) -> Meanings | None:
    """The vectors of facts; None where the encoder is not on this machine."""
    try:
        encoder = CachedEncoder(embedded_encoder())
    except MissingDataError:
        return None
    return Meanings(encoder, encoder.sentences(texts, report))


class EvidenceJudge:
    """Ranks facts by evidence, and can say which."""

    def __init__(self, texts: ExplainedTexts, focus: float, facts: Meanings | None) -> None:
        self._texts, self._focus, self._meanings = texts, focus, facts
        self._words = frozenset(texts.index.words())
        meaning = f", meaning by {facts.encoder.name}" if facts else ""
        self.name = f"words@{texts.index.fingerprint[:8]}{meaning}"

    @property
    def bound(self) -> Bound:
        """From which evidence on a fact is listed."""
        if self._meanings:
            return WORDS_AND_MEANING
        return WORDS_AND_CASES if self._texts.cases else WORDS_ALONE

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """The facts of each question, the one with most evidence first."""
        asked = cast(Sequence[RankItem], items)
        scores = self._by_words(asked)
        if self._meanings:
            both = self._meanings.closeness([item.text for item in asked])
            questions = self._meanings.closeness([item.query for item in asked])
            answers = self._meanings.closeness([item.focus for item in asked])
            scores = (scores + both + (questions + answers) / 2) / 3
        report("ranking", len(asked), len(asked))
        return [ranked(item.id, row, self._texts.index.ids) for item, row in zip(asked, scores, strict=True)]

    def reason(self, item: RankItem, document: str) -> Reason:
        """The words that a fact shares with question and answer, similar questions, and closeness in meaning."""
        found = self._texts.reason(weighted_words(item, self._focus), document, item.id)
        if self._meanings is None:
            return found
        index = self._texts.index.ids.index(document)
        return replace(found, closeness=float(self._meanings.closeness([item.text])[0, index]))

    def _by_words(self, items: Sequence[RankItem]) -> Scores:
        queries = [weighted_words(item, self._focus) for item in items]
        known = [sum(word in self._words for word in query) / max(len(query), 1) for query in queries]
        scores: Scores = self._texts.scores(queries, [item.id for item in items]) * np.array(known)[:, None]
        return scores
