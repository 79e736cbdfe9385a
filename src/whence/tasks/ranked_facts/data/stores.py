"""The facts that explanations are made of: which store they come from, and what part a fact plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whence.structures.facts import Fact
from whence.tasks.method import Setup
from whence.tasks.ranked_facts.data.files import read_fact_base

_SAMPLES = Path(__file__).parents[1] / "samples" / "facts"

ROLES: Mapping[str, str] = {
    "KINDOF": "GROUNDING",
    "PARTOF": "GROUNDING",
    "SYNONYMY": "LEXGLUE",
    "OPPOSITES": "LEXGLUE",
    "ATTRIBUTE-VALUE-RANGE": "LEXGLUE",
    "PERCEPTIONS": "LEXGLUE",
}
"""The role that facts of a table mostly have in WorldTree's training explanations; elsewhere it is CENTRAL.

On dev the table alone tells the role of 77% of the gold facts; which fact it is adds less than one point."""


def role_of(fact: Fact) -> str:
    """The role that a fact of its table mostly has in an explanation."""
    return ROLES.get(fact.table, "CENTRAL")


def fact_store(store: str, setup: Setup) -> tuple[str, Mapping[str, Fact]]:
    """The store that is named; else the facts of the examples, those of the data folder, the bundled ones."""
    if not store and setup.facts:
        return "examples", setup.facts
    folder = Path(store) if store else setup.data() / "worldtree"
    if not store and not (folder / "tableindex.txt").is_file():
        folder = _SAMPLES
    return str(folder.resolve()), read_fact_base(folder).facts
