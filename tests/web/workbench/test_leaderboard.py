from __future__ import annotations

import re

from starlette.testclient import TestClient
from tests.web.workbench.conftest import words


def test_runs_are_placed_and_ties_are_ties(bench: TestClient) -> None:
    page = bench.get("/leaderboard?task=explagraphs").text
    rows = re.findall(r"<tr[^>]*><td class=\"number\">(.*?)</td>\s*<th scope=\"row\">(.*?)</th>", page, re.S)
    said = [(words(place).replace(" ", ""), words(name).split(" a person")[0]) for place, name in rows]
    assert said == [("1", "graphs/careful"), ("2=", "graphs/hasty"), ("2=", "graphs/hasty again")]
    assert "task:explagraphs|data:" in page
    assert "trees" not in page


def test_the_column_that_orders_can_be_chosen(bench: TestClient) -> None:
    by = bench.get("/leaderboard?task=explagraphs&by=GED").text
    head = re.search(r'<th scope="col" class="number" aria-sort="(\w+)"><b>(\w+)</b>', by)
    assert head
    assert head.groups() == ("ascending", "GED")


def test_all_tasks_have_their_own_tables(bench: TestClient) -> None:
    page = bench.get("/leaderboard").text
    assert page.count("<table") == 2
    assert "broken" in words(page)
