"""Explanations by schemas: the best solutions by their facts' scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whence.errors import MissingDataError
from whence.models.items import RankItem, Verdict
from whence.pipeline.explain import explainer
from whence.solvers.schemas.solutions import solution_table
from whence.structures.facts import Fact, Question
from whence.structures.results import Example
from whence.structures.schema import SchemaSolutions
from whence.tasks.method import Setup
from whence.tasks.ranked_facts.methods.schemas.explainer import SchemaSettings, SolvedSchemas

FACTS = {name: Fact(name, f"fact {name}", "KINDOF") for name in ("f1", "f2", "f3", "f4", "f5")}
MELT = SchemaSolutions("Melting", ("one", "two"), (("f1", "f2"), ("f1", "f5")))
GROW = SchemaSolutions("Growing", ("one", "two"), (("f3", "f4"), ("f3", "gone")))
TABLE = solution_table([(MELT, "melt.iml", True), (GROW, "grow.iml", True)], dict.fromkeys((*FACTS, "gone"), ""))
ASKED = Example("q", Question("What melts ice?", "heat"))


class _Ranker:
    """Ranks as it is told."""

    name = "told"

    def __init__(self, **scores: float) -> None:
        self.scores = scores

    def judge(self, items: list[RankItem], _: Any = None) -> list[Verdict]:
        order = sorted(self.scores, key=lambda name: -self.scores[name])
        return [
            Verdict(one.id, ranking=tuple(order), scores=tuple(self.scores[n] for n in order)) for one in items
        ]


def _explained(settings: SchemaSettings, **scores: float) -> Any:
    judge: Any = _Ranker(**scores)
    return SolvedSchemas(TABLE, judge, settings, FACTS).explain([ASKED])[0]


def test_the_best_solution_of_the_best_schema() -> None:
    found = _explained(SchemaSettings(schemas=1, shortlist=5), f1=5.0, f2=4.0, f3=3.5, f4=2.0, f5=1.0)
    assert [use.id for use in found.explanation.facts] == ["f1", "f2"]
    assert found.reasons[0].because == ("in Melting (7.000)",)  # by hand: (5 - 1) + (4 - 1)
    assert [(reason.text, reason.score) for reason in found.refused] == [("Growing", 3.5)]  # (3.5 - 1) + (2 - 1)


def test_facts_below_the_shortlist_are_left_out() -> None:
    found = _explained(SchemaSettings(schemas=2, shortlist=4), f1=5.0, f2=4.0, f3=3.5, f4=2.0, f5=1.0)
    assert [use.id for use in found.explanation.facts] == ["f1", "f2", "f3"]  # f4 is the floor itself


def test_facts_that_the_store_has_not_are_left_out() -> None:
    found = _explained(SchemaSettings(schemas=1, shortlist=3), gone=5.0, f3=4.0, f1=1.0)
    assert [use.id for use in found.explanation.facts] == ["f3"]


def test_without_a_relevant_fact_there_is_no_explanation() -> None:
    found = _explained(SchemaSettings(), f5=1.0)
    assert found.explanation is None
    assert "no schema has a relevant fact" in found.refused[-1].because


def test_patterns_are_needed(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="whence data get cosata"):
        explainer("worldtree", "schemas", {}, Setup(lambda: tmp_path, FACTS))
