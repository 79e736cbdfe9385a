"""Rules for rankings and sets of facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from whence.checks.rule import Finding, Rule
from whence.errors import quoted
from whence.structures.facts import FactSet, Question, Ranking

FactRule = Rule[Question, FactSet | Ranking]


def _ids(explanation: FactSet | Ranking) -> Sequence[str]:
    return explanation.ids if isinstance(explanation, Ranking) else [use.id for use in explanation.facts]


def _place(explanation: FactSet | Ranking, number: int) -> str:
    return f"/ids/{number}" if isinstance(explanation, Ranking) else f"/facts/{number}"


def _find_none(_: Question, explanation: FactSet | Ranking) -> Iterator[Finding]:
    if not _ids(explanation):
        yield "", "no fact at all"


def _find_repeated(_: Question, explanation: FactSet | Ranking) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for number, fact in enumerate(_ids(explanation)):
        first = seen.setdefault(fact.lower(), number)
        if first != number:
            yield _place(explanation, number), f"{quoted(fact)} stands at place {first} already"


def fact_known(facts: Collection[str]) -> FactRule:
    """Every id is a live fact of the base."""

    def find(_: Question, explanation: FactSet | Ranking) -> Iterator[Finding]:
        for number, fact in enumerate(_ids(explanation)):
            if fact not in facts:
                yield _place(explanation, number), f"{quoted(fact)} is not a fact of the table store"

    return Rule("known-facts", "every id is a live fact of the table store", find)


def role_known(roles: Collection[str]) -> FactRule:
    """Every role is one of the names."""

    def find(_: Question, explanation: FactSet | Ranking) -> Iterator[Finding]:
        if isinstance(explanation, FactSet):
            for number, use in enumerate(explanation.facts):
                if use.role and use.role not in roles:
                    yield f"/facts/{number}/role", f"{quoted(use.role)} is not one of the roles"

    return Rule("role", f"every role is one of {', '.join(roles)}", find)


NOT_EMPTY: FactRule = Rule("not-empty", "an explanation has at least one fact", _find_none)
FACT_ONCE: FactRule = Rule("fact-once", "no fact stands twice", _find_repeated)
