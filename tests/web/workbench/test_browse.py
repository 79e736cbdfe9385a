from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.workbench.conftest import words

from whence.tasks import TASKS
from whence.web.application import create_app
from whence.web.security.guard import Security
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library


def _numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'<span class="place">(\d+)</span>', page)]


def test_what_is_here_is_listed_and_what_is_broken_is_named(bench: TestClient) -> None:
    page = bench.get("/browse").text
    assert all(f'href="/browse/{task}/samples"' in page for task in TASKS)
    assert "whence data get explagraphs" in page
    assert "graphs/hasty again" in page
    assert "expected figures by name, found something else at SA" in words(page)


def test_pages_without_runs_say_how_to_get_some(no_data: Path) -> None:
    app = create_app(workbench_sections(Library(lambda: no_data)), Security())
    empty = TestClient(app)
    for path in ("/browse", "/compare", "/leaderboard"):
        assert "whence serve --runs runs" in empty.get(path).text


@pytest.mark.parametrize("task", TASKS)
def test_every_sample_is_drawn(bench: TestClient, task: str) -> None:
    listed = bench.get(f"/browse/{task}/samples")
    assert listed.status_code == 200
    for number in (1, 2):
        page = bench.get(f"/browse/{task}/samples/{number}")
        assert page.status_code == 200
        assert 'class="whence-drawing"' in page.text


def test_lists_are_filtered_searched_and_turned(bench: TestClient) -> None:
    everything = bench.get("/browse/cider-relation/samples")
    assert _numbers(everything.text) == list(range(1, 26))
    assert "1 to 25 of 49 examples" in everything.text
    assert _numbers(bench.get("/browse/cider-relation/samples?page=2").text) == list(range(26, 50))
    assert _numbers(bench.get("/browse/cider-relation/samples?page=99").text) == list(range(26, 50))
    found = bench.get("/browse/explagraphs/samples?words=CARROTS+school")
    assert _numbers(found.text) == [8]
    support = bench.get("/browse/explagraphs/samples?by=stance%3Dsupport")
    assert len(_numbers(support.text)) == 10
    assert "no examples" in bench.get("/browse/explagraphs/samples?only=problems").text
    assert bench.get("/browse/explagraphs/samples?by=taste%3Dgood").status_code == 404


def test_turning_stays_within_what_was_found(bench: TestClient) -> None:
    page = bench.get("/browse/explagraphs/samples/8?words=school").text
    assert "1 of 1" in page
    assert 'rel="next"' not in page
    assert 'href="/browse/explagraphs/samples?words=school"' in page
    assert 'rel="next"' in bench.get("/browse/explagraphs/samples/8").text


def test_a_run_has_figures_and_items_by_outcome(bench: TestClient) -> None:
    page = bench.get("/browse/run?name=graphs%2Fhasty").text
    said = words(page)
    assert "task:explagraphs" in said
    assert all(name in said for name in ("SA", "StCA", "GED"))
    wrong = _numbers(bench.get("/browse/run?name=graphs%2Fhasty&outcome=wrong").text)
    right = _numbers(bench.get("/browse/run?name=graphs%2Fhasty&outcome=right").text)
    assert sorted(wrong + right) == list(range(1, 21))
    assert wrong
    worst = _numbers(bench.get("/browse/run?name=graphs%2Fhasty&sort=worst").text)
    best = _numbers(bench.get("/browse/run?name=graphs%2Fhasty&sort=best").text)
    assert set(worst[: len(wrong)]) == set(wrong)
    assert set(best[: len(right)]) == set(right)
    # Of GED less is better: the worst are the same ones.
    far = _numbers(bench.get("/browse/run?name=graphs%2Fhasty&sort=worst&judge=GED").text)
    assert set(far[: len(wrong)]) == set(wrong)


def test_an_item_of_a_run_shows_what_differs(bench: TestClient) -> None:
    wrong = _numbers(bench.get("/browse/run?name=graphs%2Fhasty&outcome=wrong").text)
    page = bench.get(f"/browse/run/item?name=graphs%2Fhasty&number={wrong[0]}&outcome=wrong").text
    said = words(page)
    assert "Prediction, marked where it differs from gold" in said
    assert "Problems of the prediction" in said
    assert "removed:" in said
    assert f"1 of {len(wrong)}" in said


def test_verdicts_stand_beside_figures_and_items(bench: TestClient) -> None:
    page = bench.get("/browse/run?name=trees").text
    said = words(page)
    assert "Supported answers" in said and "coverage 1.0000" in said
    assert "Risk over coverage" in said
    assert "verdict \N{CHECK MARK} follows (0.97)" in said
    item = words(bench.get("/browse/run/item?name=trees&number=1").text)
    assert "Verdict: \N{CHECK MARK} follows (0.97), judged by judge@1 ." in item
    for without in ("/browse/run?name=graphs%2Fhasty", "/browse/run/item?name=graphs%2Fhasty&number=1"):
        assert "erdict" not in words(bench.get(without).text)


def test_a_run_leads_to_what_it_can_be_compared_with_and_its_items_to_explain(bench: TestClient) -> None:
    page = bench.get("/browse/run?name=graphs%2Fhasty").text
    offered = page.partition('name="first">')[2].partition("</select>")[0]
    assert "<option>graphs/careful</option>" in offered
    assert "<option>graphs/hasty</option>" not in offered  # itself
    assert 'name="first"' not in bench.get("/browse/run?name=trees").text  # nothing else of that
    item = bench.get("/browse/run/item?name=graphs%2Fhasty&number=2").text
    assert 'href="/explain/explagraphs?where=samples&amp;number=2"' in item


def test_runs_that_are_not_there_are_not_found(bench: TestClient) -> None:
    for name in ("nothing", "..", "broken", "%2Fetc", "graphs"):
        assert bench.get(f"/browse/run?name={name}").status_code == 404
    assert bench.get("/browse/run/item?name=trees&number=0").status_code == 404
