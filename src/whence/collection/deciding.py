"""How many people are wanted for a job, and what their answers come to. Pure functions of what was said."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.collection.answers import Answer, parts_asked, remarks, said
from whence.collection.configuration import Overlap, Stage
from whence.collection.templates import MISSING, at
from whence.files import Json

TIE = "tie"


@dataclass(frozen=True, slots=True)
class Decided:
    """An outcome, with the votes behind it."""

    rule: str
    outcome: str
    tie: bool
    votes: Mapping[str, Mapping[str, int]]
    """How many said what, by part."""
    recorded: Json
    """What the artifact goes on with."""


def people_wanted(overlap: Overlap, item: Json, answers: Sequence[Answer]) -> int:
    """How many people should do the job in all, as far as can be told from the answers so far."""
    least = _count(overlap, item)
    if overlap.kind == "fixed":
        return least
    tallies = _tallies([said(answer) for answer in answers]).values()
    if overlap.kind == "tie-breaker":
        least = max(least, 2)
        return least + 1 if len(answers) >= least and any(len(tally) > 1 for tally in tallies) else least
    if len(answers) < least or all(_lead(tally) >= overlap.margin for tally in tallies):
        return max(least, len(answers))
    return min(len(answers) + 1, overlap.most)


def _count(overlap: Overlap, item: Json) -> int:
    value = at(item, overlap.by) if overlap.by else MISSING
    return overlap.counts.get(str(value), overlap.count) if value is not MISSING else overlap.count


def _lead(tally: Counter[str]) -> int:
    first, second = ([count for _, count in tally.most_common(2)] + [0, 0])[:2]
    return first - second


def _tallies(answers: Sequence[Mapping[str, str]]) -> dict[str, Counter[str]]:
    parts = dict.fromkeys(part for answer in answers for part in answer)
    return {part: Counter(answer[part] for answer in answers if part in answer) for part in parts}


def decide(stage: Stage, item: Json, answers: Sequence[Answer]) -> Decided:
    """What the answers come to by the stage's rule; where it has none, that the job was done."""
    spoken = [said(answer) for answer in answers]
    votes = {part: dict(tally) for part, tally in _tallies(spoken).items()}
    if stage.decide is None or stage.ask is None:
        return Decided("none", "done", False, votes, None)
    rule = stage.decide.rule
    if rule == "mean-rounded-up":
        return Decided(rule, "rated", False, votes, _rated(stage, item, spoken))
    if rule == "all":
        objections = [
            {"part": part, "answer": label, "remark": remarks(answer).get(part, "")}
            for answer in answers
            for part, label in said(answer).items()
            if label != stage.decide.good
        ]
        return Decided(rule, "not all" if objections else "all", False, votes, objections)
    label = majority([answer.get("", "") for answer in spoken])
    if label is None:
        return Decided(rule, TIE, True, votes, TIE)
    if stage.decide.against:
        matches = label == at(item, stage.decide.against)
        return Decided(rule, "matches" if matches else "differs", False, votes, label)
    return Decided(rule, label, False, votes, label)


def majority(labels: Sequence[str]) -> str | None:
    """What more than half say; None if nothing is."""
    label, count = Counter(labels).most_common(1)[0]
    return label if 2 * count > len(labels) else None


def _rated(stage: Stage, item: Json, answers: Sequence[Mapping[str, str]]) -> list[Json]:
    """Each part with the ratings it got and their mean rounded up (expert-ratings paper, sec. 4)."""
    rated = []
    for part in parts_asked(stage.ask, item) if stage.ask else ():
        ratings = [int(answer[part]) for answer in answers if part in answer]
        element = at(item, part)
        known = dict(element) if isinstance(element, Mapping) else {"of": element}
        rated.append({**known, "ratings": ratings, "rating": math.ceil(sum(ratings) / len(ratings))})
    return rated
