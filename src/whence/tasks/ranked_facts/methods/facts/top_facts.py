"""Ways to explain an answer by facts of a table store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from whence.errors import UsageError, quoted
from whence.models.items import RankItem, Verdict
from whence.models.learners.sparse import Reasoned
from whence.models.retrieval.words import written_words
from whence.progress import Report, unreported
from whence.structures.facts import Fact, FactSet, FactUse, Question
from whence.structures.results import Example, Problem
from whence.tasks.method import EMBEDDED, Explained, Method, Reason, Setup
from whence.tasks.ranked_facts.data.stores import role_of, with_role
from whence.tasks.ranked_facts.heads.heads import fact_query
from whence.tasks.ranked_facts.methods.ranker import Ranker, chosen_ranker

_NOT_TAKEN = 3
_SHOWN_CASES = 2
_SHOWN_WORDS = 5
_QUOTED = 60  # letters of a similar question


NOTHING = "no fact here bears on this"


@dataclass(frozen=True, slots=True)
class FactSettings:
    """What a user may set."""

    ranker: str = EMBEDDED
    """A model folder that ranks facts; `embedded` ranks by words and meaning or, where WorldTree's training
    questions are at hand, by words and by what explained similar ones."""
    count: int = 6
    """The most facts that make an explanation."""
    fill: bool = False
    """Fill the list up to `count`, whatever the evidence; else it ends where the evidence ends."""
    store: str = ""
    """The folder of a table store; else that of the examples, the data folder's, or the bundled one."""


class TopFacts:
    """The facts that a ranker puts first, as far as there is evidence for them."""

    def __init__(self, ranker: Ranker, count: int, fill: bool) -> None:
        self._ranker, self._judge, self._count = ranker, ranker.judge, count
        self._bound = None if fill else ranker.bound
        ending = f", from {self._bound.least:g} and {self._bound.share:g} of the best on" if self._bound else ""
        self.name = f"top {count} of {self._judge.name}{ending}"

    def explain(self, examples: Sequence[Example[Question, Any]], report: Report = unreported) -> list[Explained]:
        """The facts with evidence enough, the best first; no explanation where there is none."""
        asked = [fact_query(example) for example in examples]
        verdicts = self._judge.judge(asked, report)
        strange = {name for verdict in verdicts for name in verdict.ranking} - self._ranker.facts.keys()
        if strange:
            raise UsageError(
                f"the ranker knows facts that the store does not have, such as {quoted(min(strange))}: "
                "name the store that it ranks with --set store=FOLDER"
            )
        return [self._explained(item, verdict) for item, verdict in zip(asked, verdicts, strict=True)]

    def _explained(self, item: RankItem, verdict: Verdict) -> Explained:
        scored = [
            (self._ranker.facts[name], score) for name, score in zip(verdict.ranking, verdict.scores, strict=True)
        ]
        passing = self._bound.listed(scored, item.focus) if self._bound else scored
        taken = list(islice(passing, self._count))
        rest = [one for one in scored[: len(taken) + _NOT_TAKEN] if one not in taken][:_NOT_TAKEN]
        refused = tuple(self._reason(item, fact, score) for fact, score in rest)
        if not taken:
            problem = Problem("no-evidence", "", NOTHING)
            return Explained(None, refused=refused, problems=(problem,), missing=(NOTHING,))
        return Explained(
            FactSet(tuple(FactUse(fact.id, role_of(fact)) for fact, _ in taken)),
            tuple(self._reason(item, fact, score) for fact, score in taken),
            refused,
            {fact.id: fact for fact, _ in taken},
        )

    def _reason(self, item: RankItem, fact: Fact, score: float) -> Reason:
        told: list[str] = []
        if isinstance(self._judge, Reasoned):
            found = self._judge.reason(item, fact.id)
            written = written_words(item.text)
            if found.words:
                told.append("shares " + ", ".join(written[match.word] for match in found.words[:_SHOWN_WORDS]))
            similar = [self._ranker.questions.get(case.id, case.id) for case in found.cases[:_SHOWN_CASES]]
            if similar:
                more = f" and {len(found.cases) - len(similar)} more" if len(found.cases) > len(similar) else ""
                told.append("explained " + " / ".join(f"“{_short(text)}”" for text in similar) + more)
            if found.closeness is not None:
                told.append(f"{100 * found.closeness:.0f}% close in meaning")
        return Reason(with_role(fact), score, tuple(told))


def _short(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def _top_facts(settings: FactSettings, setup: Setup) -> TopFacts:
    if settings.count < 1:
        raise UsageError("count must be at least 1")
    return TopFacts(chosen_ranker(settings.ranker, settings.store, setup), settings.count, settings.fill)


METHOD = Method("facts", "the facts that a ranker puts first, while there is evidence", FactSettings, _top_facts)
