"""The papers' tables come out of the real files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from whence.tasks import statistics
from whence.tasks.statistics import StatisticsTable

pytestmark = pytest.mark.real_data

EXACT = {
    "explagraphs": ["Table 1: examples by stance"],
    "cider": ["Table 2: sources", "Table 2: triplets of a dialogue"],
    "entailmentbank": ["Table 2: questions and steps"],
}
"""Tables in which every figure that can be counted equals the printed one, as far as it is printed."""


@cache
def _tables(name: str, folder: Path) -> dict[str, StatisticsTable]:
    return {table.title: table for table in statistics()[name](folder)}


@pytest.mark.parametrize(("name", "title"), [(name, title) for name, titles in EXACT.items() for title in titles])
def test_table_equals_the_paper(name: str, title: str, real_data: Path) -> None:
    compared = 0
    for _, cells in _tables(name, real_data)[title].rows:
        for cell in cells:
            if cell is not None and cell.value is not None and cell.published is not None:
                assert abs(cell.value - cell.published) <= 0.005
                compared += 1
    assert compared >= 4


@pytest.mark.parametrize(
    ("split", "expected"),
    [("train", (5.1, 4.2, 1.3, 3.3, None, 78.2)), ("dev", (5.4, 4.5, 1.6, 3.8, None, 88.4))],
)
def test_explagraphs_table_2(split: str, expected: tuple[float | None, ...], real_data: Path) -> None:
    rows = dict(_tables("explagraphs", real_data)["Table 2: graphs"].rows)
    for cell, figure in zip(rows[split], expected, strict=True):
        if figure is not None:
            assert cell is not None and cell.value is not None
            assert round(cell.value, 1) == figure


def test_explagraphs_non_linear_is_what_the_specification_measured(real_data: Path) -> None:
    rows = dict(_tables("explagraphs", real_data)["Table 2: graphs"].rows)
    found = [next(c.value for c in rows[split] if c and c.name == "% non-linear") for split in ("train", "dev")]
    assert [round(value or 0, 1) for value in found] == [56.0, 43.2]


def test_cider_span_pairs(real_data: Path) -> None:
    rows = dict(_tables("cider", real_data)["Table 2: distance, speakers, span pairs"].rows)
    found = [rows[f"span pairs with {what}"][0] for what in ("one relation", "several")]
    assert [cell.value for cell in found if cell] == [4203, 164]


def test_cider_relations_add_up(real_data: Path) -> None:
    rows = dict(_tables("cider", real_data)["Table 9: relations"].rows)
    values = {name: cells[0].value for name, cells in rows.items() if cells[0] is not None}
    assert values["total"] == 4539 and values["none of the 31"] == 63
    assert values["Is A"] == 227 and values["At Location"] == 187 and values["Has Property"] == 284


def test_entailmentbank_trees(real_data: Path) -> None:
    rows = dict(_tables("entailmentbank", real_data)["Section 3.3: trees"].rows)
    nodes, steps, _, _, short, most = rows["all"]
    assert nodes and steps and short and most
    assert (round(nodes.value or 0, 1), round(steps.value or 0, 1)) == (7.6, 3.2)
    assert most.value == 17


def test_art_word_lengths_on_dev(real_data: Path) -> None:
    rows = dict(_tables("art", real_data)["Table 6: words"].rows)
    for cell in rows["dev"]:
        assert cell is not None and cell.value is not None and cell.published is not None
        assert abs(cell.value - cell.published) < 0.03


@pytest.mark.parametrize("name", statistics())
def test_every_data_set_is_counted(name: str, real_data: Path) -> None:
    tables = _tables(name, real_data)
    assert tables
    assert all(len(cells) == len(table.columns) for table in tables.values() for _, cells in table.rows)
