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
"""The role that facts of a table mostly have in WorldTree's training explanations, where the table tells it.

On dev 76% of the gold facts that are grounding by their table are so by their annotation, and 92% of those that
are lexical glue. Of other tables 73% are central: they are not called so, as the table gives no reason for it."""

_WORDINGS = {" is a kind of ": "GROUNDING", " is a part of ": "GROUNDING", " means ": "LEXGLUE"}
"""The same of facts in tables by topic, as the bundled ones are. On everyday-dev it is right for 15 of 22
gold facts that are grounding by it, and for 9 of 10 that are lexical glue. In WorldTree's tables it is not:
*means* is mostly central there, so there the table alone decides."""


def role_of(fact: Fact) -> str:
    """The role that a fact has by its table or wording; empty where these tell none."""
    if fact.table.isupper():  # a table of one kind of fact, as WorldTree names them
        return ROLES.get(fact.table, "")
    return next((role for wording, role in _WORDINGS.items() if wording in fact.text), "")


def with_role(fact: Fact) -> str:
    """The sentence of a fact, and its role where that is known."""
    role = role_of(fact)
    return f"{fact.text} ({role})" if role else fact.text


def fact_store(store: str, setup: Setup) -> tuple[str, Mapping[str, Fact]]:
    """The store that is named; else the facts of the examples, those of the data folder, the bundled ones."""
    if not store and setup.facts:
        return "examples", setup.facts
    folder = Path(store) if store else setup.data() / "worldtree"
    if not store and not (folder / "tableindex.txt").is_file():
        folder = _SAMPLES
    return str(folder.resolve()), read_fact_base(folder).facts
