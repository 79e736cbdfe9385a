"""Scores of rankings and of sets of facts, as the expert-ratings paper and its shared task define them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from whence.metrics import ranking as measures
from whence.metrics.metric import Metric, Scores, scores
from whence.structures.facts import FactSet, FactUse, Ranking
from whence.structures.results import UNREAD, Example, Prediction
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import Answers, Scoring, ScoringOptions, Slice

Value = float | tuple[float, float] | None
_CHUNK = 50  # questions measured at once: a ranking may have ten thousand facts


@dataclass(frozen=True, slots=True)
class _Item:
    """A question as the metrics see it: gold facts, rated facts, and the facts of the answer."""

    gold: tuple[str, ...]
    ratings: Mapping[str, int] | None
    """None if nobody rated facts for this question."""
    ranked: measures.Ranks | None
    """None if the answer is a set of facts, which has no order."""
    chosen: tuple[str, ...] | None
    """None if the answer is a ranking, which does not say where the explanation ends."""

    def rated(self, least: int) -> tuple[str, ...] | None:
        """Facts with that rating or a higher one."""
        if self.ratings is None:
            return None
        return tuple(name for name, rating in self.ratings.items() if rating >= least)


_Row = tuple[tuple[float, ...] | None, str]


@dataclass(frozen=True, slots=True)
class _Measure:
    metric: Metric
    value: Callable[[_Item], Value]
    parameters: Mapping[str, str] = field(default_factory=dict)

    def of(self, item: _Item) -> _Row:
        """The row of statistics of an item, or why there is none."""
        value = self.value(item)
        if value is None:
            return None, _why_unknown(self.metric, item)
        return (value,) if isinstance(value, float) else value, ""


def score(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> list[Scores]:
    """Ranking metrics for rankings, whole-explanation metrics for sets of facts. No answer is a wrong one."""
    by_ratings = any(_ratings(example) for example in dataset.examples)
    measure = partial(_measure, by_ratings, _kinds(answers))
    rows = list(options.measured(measure, list(zip(dataset.examples, answers, strict=True)), _CHUNK))
    table = _table(options.protocol == "official", by_ratings)
    return [_scores(measure, [row[column] for row in rows]) for column, measure in enumerate(table)]


def _measure(
    by_ratings: bool, kinds: _Kinds, options: ScoringOptions, asked: Sequence[_Asked]
) -> list[list[_Row]]:
    table = _table(options.protocol == "official", by_ratings)
    # Item by item, as the ranks of all questions at once would take a gigabyte.
    return [[measure.of(_item(kinds, *one)) for measure in table] for one in asked]


def _table(official: bool, by_ratings: bool) -> list[_Measure]:
    relevance = {"relevance": "ratings" if by_ratings else "gold"}

    def relevant(item: _Item) -> float | None:
        known = item.rated(measures.RELEVANT) if by_ratings else item.gold or None
        return None if known is None or item.chosen is None else measures.relevance(item.chosen, known)

    def ndcg(item: _Item) -> float | None:
        return _official_ndcg(item) if official and by_ratings else _ndcg(item)

    return [
        _Measure(measures.MAP, lambda item: _average_precision(item, item.gold)),
        _Measure(measures.MAP_RATING1, lambda item: _average_precision(item, item.rated(measures.RELEVANT))),
        _Measure(measures.MAP_RATING2, lambda item: _average_precision(item, item.rated(measures.IMPORTANT))),
        _Measure(measures.NDCG, ndcg, {"missing": "far" if official else "never"}),
        _Measure(measures.RELEVANCE, relevant, relevance),
        _Measure(measures.COMPLETENESS, _completeness),
        _Measure(measures.COMP_B, _comp_b),
        _Measure(measures.COMP_B_APPENDIX, _comp_b_appendix),
        _Measure(measures.F1, lambda item: _both(relevant(item), _completeness(item)), relevance),
        _Measure(measures.F1_B, lambda item: _both(relevant(item), _comp_b(item)), relevance),
    ]


def _scores(measure: _Measure, found: Sequence[_Row]) -> Scores:
    reasons = Counter(reason for _, reason in found if reason)
    note = "; ".join(f"{count} of {len(found)} questions: {reason}" for reason, count in reasons.items())
    return scores(measure.metric, [row for row, _ in found], measure.parameters, note)


_OF_RANKINGS = (measures.MAP, measures.MAP_RATING1, measures.MAP_RATING2, measures.NDCG)
_OF_RATINGS = (measures.MAP_RATING1, measures.MAP_RATING2, measures.NDCG, measures.COMP_B, measures.F1_B)


def _why_unknown(metric: Metric, item: _Item) -> str:
    if metric in _OF_RANKINGS and item.ranked is None:
        return "the answer is a set of facts, not a ranking"
    if metric not in _OF_RANKINGS and item.chosen is None:
        return "the answer is a ranking, not a set of facts"
    if item.ratings is None and (metric in _OF_RATINGS or item.gold):
        return "no facts are rated"
    if metric in _OF_RANKINGS and metric in _OF_RATINGS:
        return "no fact is rated high enough"
    return "no gold facts"


def _average_precision(item: _Item, relevant: Sequence[str] | None) -> float | None:
    if item.ranked is None or relevant is None:
        return None
    return measures.average_precision(item.ranked, relevant)


def _official_ndcg(item: _Item) -> float | None:
    """As released: a question without any rated fact counts as solved, a missing ranking as an empty one."""
    if item.ranked is None or item.ratings is None:
        return None
    return measures.ndcg(item.ranked, item.ratings, missing="far")


def _ndcg(item: _Item) -> float | None:
    """The standard definition: facts that the ranking lacks gain nothing; unknown if no fact is relevant."""
    if item.ranked is None or not item.rated(measures.RELEVANT):
        return None
    return measures.ndcg(item.ranked, item.ratings or {}, missing="never")


def _completeness(item: _Item) -> float | None:
    return None if item.chosen is None else measures.completeness(item.chosen, item.gold)


def _comp_b(item: _Item) -> float | None:
    if item.chosen is None or item.ratings is None:
        return None
    return measures.comp_b(item.chosen, item.gold, item.ratings)


def _comp_b_appendix(item: _Item) -> float | None:
    return None if item.chosen is None else measures.comp_b_appendix(item.chosen, item.gold)


def _both(first: float | None, second: float | None) -> tuple[float, float] | None:
    return None if first is None or second is None else (first, second)


@dataclass(frozen=True, slots=True)
class _Kinds:
    """In which ways answers are given. Where there is no answer it is wrong in whichever way the others are."""

    rankings: bool
    sets: bool


def _kinds(answers: Answers) -> _Kinds:
    given = {type(answer.explanation) for answer in answers if answer is not None}
    return _Kinds(Ranking in given or FactSet not in given, FactSet in given or Ranking not in given)


_Asked = tuple[Example[Any, Any], Prediction[Any] | None]


def _item(kinds: _Kinds, example: Example[Any, Any], answer: Prediction[Any] | None) -> _Item:
    ranked = measures.ranks(()) if kinds.rankings else None
    chosen: tuple[str, ...] | None = () if kinds.sets else None
    explanation = None if answer is None else answer.explanation
    if isinstance(explanation, Ranking):
        ranked, chosen = measures.ranks(explanation.ids), None
    elif isinstance(explanation, FactSet):
        ranked, chosen = None, tuple(use.id for use in explanation.facts if use.gold)
    return _Item(_gold(example), _ratings(example), ranked, chosen)


def _uses(example: Example[Any, Any]) -> tuple[FactUse, ...] | None:
    return next((gold.facts for gold in example.golds if isinstance(gold, FactSet)), None)


def _gold(example: Example[Any, Any]) -> tuple[str, ...]:
    return tuple(use.id for use in _uses(example) or () if use.gold)


def _ratings(example: Example[Any, Any]) -> Mapping[str, int] | None:
    """Ratings by fact. A file of ratings may have a question without facts: there nothing is left to rate."""
    uses = _uses(example)
    if uses is None:
        return None
    found = {use.id: use.rating for use in uses if use.rating is not None}
    return found if found or not uses else None


def _topics(example: Example[Any, Any]) -> tuple[str, ...]:
    return tuple(code for piece in str(example.meta.get("topic", "")).split(",") if (code := piece.strip()))


def topics(example: Example[Any, Any]) -> tuple[str, ...]:
    """The question's topics, as coded: `MAT_COS_BOILING`."""
    return _topics(example) or ("no topic",)


def areas(example: Example[Any, Any]) -> tuple[str, ...]:
    """The first parts of the topics' codes: `MAT` for matter."""
    return tuple(dict.fromkeys(code.split("_")[0] for code in _topics(example))) or ("no topic",)


def fact_count(example: Example[Any, Any]) -> tuple[str, ...]:
    """How many facts the gold explanation has."""
    return (str(len(_gold(example))),)


_SLICES: dict[str, Slice] = {"topic": topics, "area": areas, "facts": fact_count}


def failures(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> Counter[str]:
    """What went wrong: questions without a usable answer, gold facts that are missing or low, wrong facts."""
    known = dict.fromkeys(name.lower() for name in dataset.facts)  # in order: the same again is known as the same
    asked = list(zip(dataset.examples, answers, strict=True))
    causes: Counter[str] = Counter()
    for found in options.measured(partial(_failures, known, _kinds(answers)), asked, _CHUNK):
        causes.update(found)
    return +causes


def _failures(
    known: Mapping[str, None], kinds: _Kinds, _: ScoringOptions, asked: Sequence[_Asked]
) -> list[dict[str, int]]:
    return [_failures_of(known, _item(kinds, *one), one[1]) for one in asked]


def _failures_of(known: Mapping[str, None], item: _Item, answer: Prediction[Any] | None) -> dict[str, int]:
    if answer is None or answer.explanation is None:
        return {"no answer" if answer is None else UNREAD: 1}
    given = measures.ranks(item.chosen or ()) if item.ranked is None else item.ranked
    return {
        "empty answer": int(not given),
        "unknown fact": len(given.keys() - known.keys()) if known else 0,
        "repeated fact": _length(answer.explanation) - len(given),
        **(_misplaced(item, given) if item.chosen is None else _misjudged(item, given)),
    }


def _length(explanation: FactSet | Ranking) -> int:
    return len(explanation.ids) if isinstance(explanation, Ranking) else sum(use.gold for use in explanation.facts)


def _misplaced(item: _Item, given: measures.Ranks) -> Counter[str]:
    causes: Counter[str] = Counter()
    for name in item.gold:
        rank = given.get(name.lower())
        causes["gold fact missing from the ranking"] += rank is None
        causes["gold fact below rank 100"] += rank is not None and rank > 100
        causes["gold fact at rank 11 to 100"] += rank is not None and 10 < rank <= 100
    return causes


def _misjudged(item: _Item, given: measures.Ranks) -> Counter[str]:
    ratings = {name.lower(): rating for name, rating in (item.ratings or {}).items()}
    gold = {name.lower() for name in item.gold}
    others = [ratings.get(name) for name in given.keys() - gold]
    return Counter(
        {
            "gold fact missing from the explanation": len(gold - given.keys()),
            "fact rated irrelevant": others.count(0),
            "fact neither gold nor rated": others.count(None),
        }
    )


# A ranking has the first, a set of facts the second.
SCORING = Scoring(score, failures, _SLICES, main=(measures.MAP.name, measures.F1.name))
