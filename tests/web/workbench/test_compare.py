from __future__ import annotations

import re

from starlette.testclient import TestClient
from tests.web.workbench.conftest import words

BOTH = "first=graphs%2Fcareful&second=graphs%2Fhasty"


def _changes(page: str) -> dict[int, str]:
    found = re.findall(r'<span class="place">(\d+)</span>.*?<span class="chip[^"]*">([^<]+)</span>', page, re.S)
    return {int(number): change for number, change in found}


def test_runs_are_offered_with_what_they_are_of(bench: TestClient) -> None:
    page = bench.get("/compare").text
    assert '<optgroup label="explagraphs samples">' in page
    assert '<optgroup label="entailmentbank-2 samples">' in page
    assert 'href="/compare?first=graphs/careful&amp;second=graphs/hasty"' in page
    assert "trees and" not in page  # nothing else of its items


def test_two_runs_are_tested_on_the_same_items(bench: TestClient) -> None:
    said = words(bench.get(f"/compare?{BOTH}").text)
    assert "the second is worse" in said
    assert "McNemar" in said
    assert "By depth" in said
    assert "<table" in bench.get(f"/compare?{BOTH}").text


def test_items_are_listed_by_how_they_changed(bench: TestClient) -> None:
    changes = _changes(bench.get(f"/compare?{BOTH}").text)
    lost = _changes(bench.get(f"/compare?{BOTH}&kind=lost").text)
    assert lost == {number: change for number, change in changes.items() if change == "1 → 0"}
    assert lost
    assert _changes(bench.get(f"/compare?{BOTH}&kind=gained").text) == {}
    back = _changes(bench.get("/compare?first=graphs%2Fhasty&second=graphs%2Fcareful&kind=gained").text)
    assert back.keys() == lost.keys()
    assert _changes(bench.get(f"/compare?{BOTH}&kind=differ").text).keys() == lost.keys()


def test_an_item_shows_both_and_what_lies_between(bench: TestClient) -> None:
    lost = _changes(bench.get(f"/compare?{BOTH}&kind=lost").text)
    page = bench.get(f"/compare/item?{BOTH}&number={next(iter(lost))}&kind=lost").text
    said = words(page)
    assert "First: graphs/careful" in said
    assert "Second: graphs/hasty" in said
    assert "Second run, marked where it differs from the first" in said
    identifiers = re.findall(r'<svg[^>]* id="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers)) >= 3
    same = next(number for number in range(1, 21) if number not in lost)
    assert "The two answers are the same." in bench.get(f"/compare/item?{BOTH}&number={same}").text


def test_runs_on_other_items_cannot_be_compared(bench: TestClient) -> None:
    answer = bench.get("/compare?first=graphs%2Fcareful&second=trees")
    assert answer.status_code == 422
    assert "These runs cannot be compared" in answer.text
    assert bench.get("/compare?first=graphs%2Fcareful&second=none").status_code == 404


THREE = "run=graphs%2Fcareful&run=graphs%2Fhasty&run=graphs%2Fhasty+again"


def test_any_number_of_runs_in_one_table(bench: TestClient) -> None:
    assert '<input type="checkbox" name="run" value="graphs/hasty again"' in bench.get("/compare").text
    page = bench.get(f"/compare/table?{THREE}").text
    said = words(page)
    assert "3 runs on explagraphs samples" in said
    assert "18 tests" in said  # five metrics that need no model and that of the plug-in, three pairs
    assert 'aria-label=", the best"' in page
    fewer = words(bench.get(f"/compare/table?{THREE}&metric=SA").text)
    assert "3 tests" in fewer and "15 tests" not in fewer


def test_the_table_can_be_saved(bench: TestClient) -> None:
    answer = bench.get(f"/compare/table?{THREE}&form=latex")
    assert answer.headers["content-disposition"] == 'attachment; filename="comparison.tex"'
    assert "\\toprule" in answer.text and "graphs/hasty again" in answer.text
    assert bench.get(f"/compare/table?{THREE}&form=csv").text.startswith("system,metric,")
    assert bench.get(f"/compare/table?{THREE}&form=word").status_code == 404


def test_a_table_needs_two_runs_of_the_same_items(bench: TestClient) -> None:
    assert bench.get("/compare/table").status_code == 422
    assert bench.get("/compare/table?run=trees").status_code == 422
    answer = bench.get("/compare/table?run=trees&run=graphs%2Fcareful")
    assert answer.status_code == 422 and "different items" in answer.text
    assert bench.get(f"/compare/table?{THREE}&metric=none").status_code == 422
    assert bench.get("/compare/table?run=nobody&run=trees").status_code == 404
