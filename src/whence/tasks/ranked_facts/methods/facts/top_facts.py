"""Ways to explain an answer by facts of a table store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whence.errors import UsageError, quoted
from whence.models.items import RankItem, Verdict
from whence.models.learners import Judge
from whence.models.learners.sparse import Reasoned
from whence.models.retrieval.words import written_words
from whence.progress import Report, unreported
from whence.structures.facts import Fact, FactSet, FactUse, Question
from whence.structures.results import Example
from whence.tasks.method import EMBEDDED, Explained, Method, Reason, Setup
from whence.tasks.ranked_facts.data.stores import role_of
from whence.tasks.ranked_facts.heads.heads import fact_query
from whence.tasks.ranked_facts.methods.ranker import chosen_ranker

_SHOWN_CASES = 2
_SHOWN_WORDS = 5
_QUOTED = 60  # letters of a similar question


@dataclass(frozen=True, slots=True)
class FactSettings:
    """What a user may set."""

    ranker: str = EMBEDDED
    """A model folder that ranks facts; `embedded` ranks by words and, where WorldTree's training questions are at
    hand, by what explained similar ones."""
    count: int = 6
    """How many facts make an explanation."""
    store: str = ""
    """The folder of a table store; else that of the examples, the data folder's, or the bundled one."""


class TopFacts:
    """The facts that a ranker puts first."""

    def __init__(self, judge: Judge, count: int, facts: Mapping[str, Fact], questions: Mapping[str, str]) -> None:
        self._judge, self._count, self._facts, self._questions = judge, count, facts, questions
        self.name = f"top {count} of {judge.name}"

    def explain(self, examples: Sequence[Example[Question, Any]], report: Report = unreported) -> list[Explained]:
        """As many facts as wanted, the best first, with roles."""
        asked = [fact_query(example) for example in examples]
        verdicts = self._judge.judge(asked, report)
        strange = {name for verdict in verdicts for name in verdict.ranking} - self._facts.keys()
        if strange:
            raise UsageError(
                f"the ranker knows facts that the store does not have, such as {quoted(min(strange))}: "
                "name the store that it ranks with --set store=FOLDER"
            )
        return [self._explained(item, verdict) for item, verdict in zip(asked, verdicts, strict=True)]

    def _explained(self, item: RankItem, verdict: Verdict) -> Explained:
        scored = list(zip(verdict.ranking, verdict.scores, strict=True))
        taken, rest = scored[: self._count], scored[self._count : self._count + 3]
        uses = tuple(FactUse(name, role_of(self._facts[name])) for name, _ in taken)
        return Explained(
            FactSet(uses),
            tuple(self._reason(item, name, score) for name, score in taken),
            tuple(self._reason(item, name, score) for name, score in rest),
            {name: self._facts[name] for name, _ in taken},
        )

    def _reason(self, item: RankItem, name: str, score: float) -> Reason:
        told: list[str] = []
        if isinstance(self._judge, Reasoned):
            found = self._judge.reason(item, name)
            written = written_words(item.text)
            if found.words:
                told.append("shares " + ", ".join(written[match.word] for match in found.words[:_SHOWN_WORDS]))
            similar = [self._questions.get(case.id, case.id) for case in found.cases[:_SHOWN_CASES]]
            if similar:
                more = f" and {len(found.cases) - len(similar)} more" if len(found.cases) > len(similar) else ""
                told.append("explained " + " / ".join(f"“{_short(text)}”" for text in similar) + more)
            if found.closeness is not None:
                told.append(f"{100 * found.closeness:.0f}% close in meaning")
        return Reason(f"{self._facts[name].text} ({role_of(self._facts[name])})", score, tuple(told))


def _short(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def _top_facts(settings: FactSettings, setup: Setup) -> TopFacts:
    judge, facts, questions = chosen_ranker(settings.ranker, settings.store, setup)
    return TopFacts(judge, settings.count, facts, questions)


METHOD = Method("facts", "the facts that a ranker puts first", FactSettings, _top_facts)
