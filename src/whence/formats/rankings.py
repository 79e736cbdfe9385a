"""Rankings as lines of `question id<TAB>fact id`, the best fact of a question first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from whence.errors import DataError, quoted
from whence.formats.lossless import one_line
from whence.structures.facts import FactUse, Ranking


def parse_ranking_line(line: str) -> tuple[str, str]:
    """Question id and fact id."""
    question, tab, fact = line.partition("\t")
    if not tab or not question.strip() or not fact.strip() or "\t" in fact:
        raise DataError(expected="two fields, question id and fact id, with a tab between", found=quoted(line))
    return question.strip(), fact.strip()


def group_rankings(pairs: Iterable[tuple[str, str]]) -> dict[str, Ranking]:
    """Rankings by question id, in order of appearance; repeated facts are kept as they come."""
    ranked: dict[str, list[str]] = {}
    for question, fact in pairs:
        ranked.setdefault(question, []).append(fact)
    return {question: Ranking(tuple(facts)) for question, facts in ranked.items()}


def format_rankings(rankings: Mapping[str, Ranking]) -> Iterator[str]:
    """Lines of `question id<TAB>fact id`. A question without facts cannot be written."""
    for question, ranking in rankings.items():
        if not ranking.ids:
            raise DataError(expected="a fact or more for every question", found=f"none for {quoted(question)}")
        for fact in ranking.ids:
            expected = "ids without tabs, line ends and blank edges"
            yield one_line(f"{question}\t{fact}", parse_ranking_line, (question, fact), expected)


def parse_fact_uses(text: str) -> tuple[FactUse, ...]:
    """WorldTree's explanation column: `uid|ROLE uid|ROLE ...`."""
    return tuple(_parse_fact_use(piece) for piece in text.split())


def _parse_fact_use(piece: str) -> FactUse:
    fact, bar, role = piece.partition("|")
    if not fact or not bar or "|" in role:
        raise DataError(expected="facts like 'uid|ROLE'", found=quoted(piece))
    return FactUse(fact, role)


def format_fact_uses(uses: Iterable[FactUse]) -> str:
    """The explanation column again; facts that are not gold are not part of it."""
    gold = tuple(FactUse(use.id, use.role) for use in uses if use.gold)
    text = " ".join(f"{use.id}|{use.role}" for use in gold)
    return one_line(text, parse_fact_uses, gold, "ids and roles without blanks and bars")
