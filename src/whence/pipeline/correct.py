"""Human correction: what people say of some items, and what it means for the figure of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.errors import DataError, UsageError, quoted
from whence.files import read_jsonl, read_lines
from whence.metrics import correction as estimates
from whence.metrics.metric import Scores
from whence.structures.results import Judgement
from whence.tasks.dataset import AnyDataset

_YES_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_FIELDS = ("item", "question", "answer", "judge", "part", "count")


@dataclass(frozen=True, slots=True)
class Correction:
    """A metric as a machine and as people measure it on the judged items, and its corrected figure for all."""

    name: str
    judged: int
    automatic: float
    manual: float
    underestimate: float
    corrected: float
    low: float
    high: float
    needed: int | None
    """Judged items that would give an interval of 2 points to either side; None if it cannot be said."""


def read_judgements(path: Path, *, measured: bool = True) -> tuple[Judgement, ...]:
    """Judgements as JSONL objects, or tab-separated under a header: item, question, answer, judge, part, count.

    Of `measured` ones the question is the name of a metric; the answer a number, or yes or no.
    """
    rows = _jsonl_rows(path) if path.suffix == ".jsonl" else _table_rows(path)
    found = tuple(_judgement(row, path, number, measured) for number, row in rows)
    if not found:
        raise DataError(path, expected="one judgement or more", found="none")
    return found


def _jsonl_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    for number, row in read_jsonl(path):
        yield number, {name: str(value) for name, value in row.items()}


def _table_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    header: list[str] = []
    for number, line in read_lines(path):
        fields = line.split("\t")
        if not header:
            header = fields
            missing = [name for name in _FIELDS[:3] if name not in header]
            if missing:
                expected = f"a header with {', '.join(_FIELDS[:3])} (and {', '.join(_FIELDS[3:])} if there are)"
                raise DataError(path, number, expected=expected, found=quoted(line))
        elif len(fields) != len(header):
            raise DataError(path, number, expected=f"{len(header)} fields", found=str(len(fields)))
        else:
            yield number, dict(zip(header, fields, strict=True))


def _judgement(row: dict[str, str], path: Path, number: int, measured: bool) -> Judgement:
    missing = [name for name in _FIELDS[:3] if name not in row]
    if missing:
        raise DataError(path, number, expected=f"the field {missing[0]}", found=quoted(", ".join(row)))
    try:
        if measured:
            _number(row["answer"])
        count = int(row.get("count") or 1)
    except ValueError:
        found = quoted(f"{row['answer']}, {row.get('count', '')}")
        raise DataError(path, number, expected="a number, yes or no, and a whole count", found=found) from None
    return Judgement(row["item"], row["question"], row["answer"], row.get("judge", ""), row.get("part", ""), count)


def _number(answer: str) -> float:
    return _YES_NO[answer.lower()] if answer.lower() in _YES_NO else float(answer)


def correct(
    scores: Sequence[Scores], dataset: AnyDataset, judgements: Sequence[Judgement]
) -> tuple[Correction, ...]:
    """One correction for each metric that judgements ask about. Judgements of one item are averaged."""
    by_name = {found.metric.name: found for found in scores}
    asked = dict.fromkeys(judgement.question for judgement in judgements)
    unknown = [name for name in asked if name not in by_name]
    if unknown:
        raise UsageError(f"judgements ask about '{unknown[0]}', which is no metric here ({', '.join(by_name)})")
    places = {example.id: place for place, example in enumerate(dataset.examples)}
    strangers = sum(judgement.item not in places for judgement in judgements)
    if strangers:
        raise UsageError(f"{strangers} judgements are of items that are not among the examples")
    return tuple(
        _correction(by_name[name], places, [judgement for judgement in judgements if judgement.question == name])
        for name in asked
    )


def _correction(found: Scores, places: dict[str, int], judgements: Sequence[Judgement]) -> Correction:
    name, scale = found.metric.name, found.metric.scale
    if found.statistics.shape[1] != 1:
        raise UsageError(f"{name} is no mean over items, so judgements of items cannot correct it")
    totals: dict[int, list[float]] = {}
    for judgement in judgements:
        totals.setdefault(places[judgement.item], []).extend([_number(judgement.answer)] * judgement.count)
    human = {place: sum(answers) / len(answers) for place, answers in totals.items()}
    values = found.by_item()
    if any(value is None for value in values):
        raise UsageError(f"{name} is unknown for some items, so it cannot be corrected")
    automatic = [value for value in values if value is not None]
    table = estimates.underestimate(automatic, human)
    estimate = estimates.prediction_powered(automatic, human, bounds=found.metric.bounds, target="items")
    needed = estimates.judgements_needed(automatic, human, half_width=0.02, target="items")
    return Correction(
        name,
        len(human),
        table.automatic * scale,
        table.manual * scale,
        table.underestimate * scale,
        estimate.value * scale,
        estimate.low * scale,
        estimate.high * scale,
        needed,
    )
