"""Explanations by schemas: the solutions whose facts a ranker finds most relevant (A.4.3)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.errors import MissingDataError
from whence.models.learners import Judge
from whence.progress import Report, unreported
from whence.solvers.schemas.choose import Chosen, best_solutions, explaining_facts
from whence.solvers.schemas.solutions import SolutionTable
from whence.structures.facts import Fact, FactSet, FactUse, Question
from whence.structures.results import Example
from whence.tasks.method import EMBEDDED, Explained, Method, Reason, Setup
from whence.tasks.ranked_facts.data.stores import role_of, with_role
from whence.tasks.ranked_facts.heads.heads import fact_query
from whence.tasks.ranked_facts.methods.ranker import chosen_ranker
from whence.tasks.ranked_facts.schemas.solving import Order, solved

_REFUSED = 3


@dataclass(frozen=True, slots=True)
class SchemaSettings:
    """What a user may set."""

    schemas: int = 3
    """How many schemas make an explanation; the paper takes one, two or three."""
    shortlist: int = 20
    """Facts count by how much more a ranker gives them than the fact at this rank; those below count nothing, and
    are left out. (The paper's scores are so made that zero parts the relevant facts from the others.)"""
    ranker: str = EMBEDDED
    """A model folder that ranks facts; `embedded` ranks by words and by what explained similar questions."""
    patterns: str = ""
    """A folder of pattern files; else CoSaTa's in the data folder."""
    tables: str = ""
    """The table store that they are solved over; else CoSaTa's."""


class SolvedSchemas:
    """The best solutions of the best schemas."""

    def __init__(
        self, table: SolutionTable, judge: Judge, settings: SchemaSettings, facts: Mapping[str, Fact]
    ) -> None:
        self._table, self._judge, self._settings = table, judge, settings
        self._facts = {name.lower(): fact for name, fact in facts.items()}
        count = sum(len(pattern) for pattern in table.patterns)
        self.name = f"{settings.schemas} of {count} solutions over rank {settings.shortlist} of {judge.name}"

    def explain(self, examples: Sequence[Example[Question, Any]], report: Report = unreported) -> list[Explained]:
        """The facts of the best solutions that are relevant enough."""
        verdicts = self._judge.judge([fact_query(example) for example in examples], report)
        return [self._explained(verdict.ranking, verdict.scores) for verdict in verdicts]

    def _explained(self, ranking: Sequence[str], scores: Sequence[float]) -> Explained:
        floor = scores[min(self._settings.shortlist, len(scores)) - 1] if scores else 0.0
        above = dict(zip(ranking, (score - floor for score in scores), strict=True))
        chosen = best_solutions(self._table, above, self._settings.schemas + _REFUSED)
        taken, others = chosen[: self._settings.schemas], chosen[self._settings.schemas :]
        names = [
            name for name in explaining_facts(taken, above) if above[name] > 0 and name.lower() in self._facts
        ]
        refused = tuple(Reason(one.pattern, one.score, (f"{len(one.facts)} facts",)) for one in others)
        if not names:
            return Explained(None, (), (*refused, Reason("", None, ("no schema has a relevant fact",))))
        facts = [self._facts[name.lower()] for name in names]
        reasons = tuple(
            Reason(with_role(fact), above[name], _because(name, taken))
            for name, fact in zip(names, facts, strict=True)
        )
        uses = tuple(FactUse(fact.id, role_of(fact)) for fact in facts)
        return Explained(FactSet(uses), reasons, refused, {fact.id: fact for fact in facts})


def _because(name: str, taken: Sequence[Chosen]) -> tuple[str, ...]:
    return tuple(f"in {one.pattern} ({one.score:.3f})" for one in taken if name in one.facts)


def solved_schemas(settings: SchemaSettings, setup: Setup) -> SolvedSchemas:
    """The patterns solved once, and a ranker of facts."""
    folder = setup.data() / "cosata"
    patterns = Path(settings.patterns) if settings.patterns else folder / "patterns"
    tables = Path(settings.tables) if settings.tables else folder / "tablestore"
    files = tuple(sorted(patterns.glob("*.iml")))
    if not files:
        raise MissingDataError(f"{patterns} has no pattern files (*.iml). Get them with: whence data get cosata")
    table = solved(Order(files, tables, processes=os.cpu_count() or 1), setup.report)
    ranker = chosen_ranker(settings.ranker, "", setup)
    return SolvedSchemas(table, ranker.judge, settings, ranker.facts)


METHOD = Method("schemas", "the facts of schemas' best solutions, by a ranker", SchemaSettings, solved_schemas)
