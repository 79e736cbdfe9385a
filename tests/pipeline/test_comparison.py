from __future__ import annotations

import csv
import io
import random
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from whence.errors import UsageError
from whence.metrics.metric import Metric, Scores, scores
from whence.metrics.significance import holm, paired, resamples
from whence.pipeline.comparison import System, as_json, compare
from whence.pipeline.comparison.tables import FORMS, grid, latex_text, remarks
from whence.pipeline.score import measure_all

ACCURACY = Metric("accuracy", "higher", (0, 1), "", "")
DISTANCE = Metric("distance_x", "lower", (0, 1), "", "", scale=100)
N = 300


def _values(share: float, seed: int, metric: Metric = ACCURACY) -> Scores:
    generator = random.Random(seed)
    if metric is ACCURACY:
        return scores(metric, [float(generator.random() < share) for _ in range(N)])
    return scores(metric, [min(1.0, max(0.0, generator.gauss(share, 0.1))) for _ in range(N)])


def _system(name: str, *found: Scores, reading: dict[str, int] | None = None) -> System:
    return System(name, found, measure_all(found, resamples(N, 200)), reading or {})


def _three() -> list[System]:
    return [
        _system("low", _values(0.3, 1), _values(0.6, 4, DISTANCE)),
        _system("high", _values(0.9, 2), _values(0.2, 5, DISTANCE)),
        _system("as high", _values(0.9, 3), _values(0.2, 6, DISTANCE)),
    ]


def test_the_best_is_marked_and_what_does_not_differ_from_it_is_tied() -> None:
    compared = compare("t dev", "signed", _three(), samples=200)
    names = [system.name for system in compared.systems]
    marks = {name: [(f.best, f.tied) for f in row] for name, row in zip(names, compared.figures, strict=True)}
    assert marks["low"] == [(False, False), (False, False)]
    # Which of the two that are alike is ahead is chance; one is the best, the other tied, by either metric.
    pairs = zip(marks["high"], marks["as high"], strict=True)
    assert all(sorted(pair) == [(False, True), (True, False)] for pair in pairs)


def test_correction_is_over_all_pairs_and_metrics_shown() -> None:
    systems = _three()
    compared = compare("t dev", "signed", systems, samples=200)
    raw = [
        paired(one.scores[metric], two.scores[metric]).p
        for metric in (0, 1)
        for one, two in combinations(systems, 2)
    ]
    assert [test.p for test in compared.tests] == pytest.approx(raw)
    assert [test.p_corrected for test in compared.tests] == pytest.approx(holm([p for p in raw if p is not None]))
    one = compare("t dev", "signed", systems, metrics=["accuracy"], samples=200)
    assert [test.p_corrected for test in one.tests] == pytest.approx(holm([p for p in raw[:3] if p is not None]))


def test_a_difference_can_pass_the_correction_however_many_tests_there_are() -> None:
    """With 100 exchanges no p is below 1/101, which a correction for 45 tests would lift over .05."""

    def macro(sums, counts):
        return sums[:, 0] / sums[:, 1]

    odd = Metric("odd", "higher", (0, 1), "", "", finish=macro)

    def one(share: float, seed: int) -> Scores:
        generator = random.Random(seed)
        return scores(odd, [[float(generator.random() < share), 1.0] for _ in range(N)])

    systems = [_system(str(number), one(0.9 if number else 0.1, number)) for number in range(10)]
    compared = compare("t dev", "signed", systems, samples=100)
    assert {test.test for test in compared.tests} == {"randomisation"}
    assert len(compared.tests) == 45
    assert all(test.significant == (test.first == "0") for test in compared.tests)


def test_equal_systems_are_both_best() -> None:
    same = _values(0.5, 1)
    compared = compare("t dev", "signed", [_system("a", same), _system("b", same)], samples=200)
    assert [row[0].best for row in compared.figures] == [True, True]


def test_floors_stand_beside_systems_where_they_were_measured() -> None:
    systems = _three()
    assert "floor" not in " ".join(head.text for head, _ in grid(compare("t", "s", systems, samples=200)).rows)
    beside = [
        replace(
            system,
            measurements=tuple(
                replace(one, floor=0.25, above_floor=system.name != "low") for one in system.measurements
            ),
        )
        for system in systems
    ]
    compared = compare("t", "s", beside, metrics=["accuracy"], samples=200)
    assert compared.reference(0, "floor") == 0.25
    assert as_json(compared)["metrics"]["accuracy"]["floor"] == 0.25
    heads = {head.text.partition(":")[0]: cells for head, cells in grid(compared).rows}
    assert heads["floor"][0].value == "0.250"
    assert [heads[name][0].above_floor for name in ("low", "high")] == [False, True]
    assert "$^\\dagger$" in FORMS["latex"](compared) and "Floor: the best trivial answer." in FORMS["latex"](
        compared
    )
    assert "†" in FORMS["markdown"](compared)


def test_systems_are_rows_unless_there_are_more_metrics() -> None:
    systems = _three()
    rows = grid(compare("t", "s", systems, samples=200))
    assert [head.text for head, _ in rows.rows] == ["low", "high", "as high"]
    turned = grid(compare("t", "s", [replace(one, name=one.name) for one in systems[:2]], samples=200))
    assert [head.text for head in turned.columns] == ["accuracy", "distance_x"]
    one = [
        _system(name, *(replace(_values(0.5, 1), metric=replace(ACCURACY, name=n)) for n in "xyz"))
        for name in "ab"
    ]
    assert [head.text for head, _ in grid(compare("t", "s", one, samples=200)).rows] == ["x", "y", "z"]


def test_csv_has_a_row_for_each_system_and_metric_with_all_digits() -> None:
    compared = compare("t", "s", _three(), samples=200)
    rows = list(csv.DictReader(io.StringIO(FORMS["csv"](compared))))
    assert [(row["system"], row["metric"]) for row in rows[:2]] == [("low", "accuracy"), ("low", "distance_x")]
    assert float(rows[0]["value"]) == compared.figures[0][0].measured.value
    assert {row["better"] for row in rows} == {"higher", "lower"}


def test_markdown_escapes_names() -> None:
    systems = [replace(one, name=f"{one.name}|*_x_*") for one in _three()]
    lines = FORMS["markdown"](compare("t", "s", systems, samples=200)).splitlines()
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 4 for line in lines[:5])


ODD_NAMES = ("a_b & c%", 'x#{~^}\\"y"', "$<|>é 日本\nnew")


def test_latex_is_well_formed() -> None:
    systems = [replace(one, name=name) for one, name in zip(_three(), ODD_NAMES, strict=True)]
    text = FORMS["latex"](compare("t_1 dev", "s", systems, samples=200))
    code = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("%"))
    bare = re.sub(r"\\[\\&%$#_{}]", "", code)
    assert bare.count("{") == bare.count("}")
    assert re.findall(r"\\(begin|end)\{(\w+)\}", bare) == [
        ("begin", "table"),
        ("begin", "tabular"),
        ("end", "tabular"),
        ("end", "table"),
    ]
    rows = [line for line in code.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 7  # heads, then a line of figures and one of intervals for each system
    assert all(re.sub(r"\\&", "", row).count("&") == 2 for row in rows)


def test_latex_text() -> None:
    assert latex_text("50% of a_b") == r"50\% of a\_b"
    assert latex_text("日") == "?"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles_with_a_plain_article_class(tmp_path: Path) -> None:
    systems = [replace(one, name=name) for one, name in zip(_three(), ODD_NAMES, strict=True)]
    (tmp_path / "table.tex").write_text(FORMS["latex"](compare("t_1 dev", "s", systems, samples=200)), "utf-8")
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n\\input{table.tex}\n\\end{document}\n"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_what_was_lost_is_said() -> None:
    systems = _three()
    systems[0] = replace(systems[0], reading={"read": 290, "unread": 10, "missing": 0}, remarks=("contaminated",))
    compared = compare("t", "s", systems, samples=200)
    assert list(remarks(compared)) == ["low: 10 unread of 300 answers, counted as wrong", "low: contaminated"]
    assert "10 unread" in FORMS["latex"](compared) and "10 unread" in FORMS["markdown"](compared)


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda systems: systems[:1], "at least two"),
        (lambda systems: [systems[0], systems[0]], "two systems are named 'low'"),
        (lambda systems: [systems[0], System("x", (scores(ACCURACY, [1.0]),), (), {})], "different items"),
    ],
)
def test_what_cannot_be_compared_is_refused(change, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        compare("t", "s", change(_three()), samples=200)


def test_a_metric_must_be_there_and_measured() -> None:
    with pytest.raises(UsageError, match="there is no metric 'none'"):
        compare("t", "s", _three(), metrics=["none"])
    unknown = scores(replace(ACCURACY, name="neural"), [None] * N, note="needs a model")
    systems = [_system(name, _values(0.5, seed), unknown) for seed, name in enumerate("ab")]
    assert compare("t", "s", systems, samples=200).unmeasured == {"neural": "needs a model"}
    with pytest.raises(UsageError, match="needs a model"):
        compare("t", "s", systems, metrics=["neural"])
