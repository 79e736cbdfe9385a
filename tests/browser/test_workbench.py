from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

BOTH = "first=graphs%2Fcareful&second=graphs%2Fhasty"
PAGES = [
    "/explain",
    "/explain/worldtree",
    "/explain/explagraphs?where=samples&number=1",
    "/explain/cider?where=samples&number=1",
    "/explain/anli?where=samples&number=1",
    "/browse",
    "/browse/entailmentbank-2/samples",
    "/browse/entailmentbank-2/samples/3",
    "/browse/run?name=graphs%2Fhasty",
    "/browse/run/item?name=graphs%2Fhasty&number=2",
    f"/compare?{BOTH}",
    f"/compare/item?{BOTH}&number=2",
    "/leaderboard",
    "/collections",
    "/collections/explagraphs",
]


@pytest.mark.parametrize("path", PAGES)
def test_page_is_accessible_narrow_and_wide_light_and_dark_and_asks_nobody_else(visit: Visit, path: str) -> None:
    visit.go(path)
    assert visit.faults() == []
    visit.page.emulate_media(color_scheme="dark")
    visit.page.set_viewport_size({"width": 360, "height": 740})
    assert visit.faults("color-contrast") == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert visit.elsewhere() == []
    assert visit.complaints == []
    assert len(visit.asked) >= 3  # the page, and its two style sheets at least


def test_a_page_that_is_not_there_is_accessible_too(visit: Visit) -> None:
    visit.go("/nowhere")
    assert visit.faults() == []
    assert "There is no such page." in visit.page.inner_text("main")


def test_checks_picture_and_figures_follow_what_is_written(visit: Visit) -> None:
    page = visit.page
    visit.go("/explain/explagraphs?where=samples&number=1")
    assert "Well-formed" in page.inner_text("#examined")
    before = page.inner_html("#examined svg >> nth=0")
    text = page.input_value("#text")
    page.fill("#text", text.rsplit("\n", 3)[0])
    page.wait_for_selector("#examined .problems li")
    assert "differences to gold" in page.inner_text("#examined")
    assert page.inner_html("#examined svg >> nth=0") != before
    page.fill("#text", "support\nnonsense")
    page.wait_for_selector("#examined p.alert")
    assert "line 2: expected head; relation; tail" in page.inner_text("#examined")
    page.click("text=Undo my changes")
    page.wait_for_selector("#examined .verdict b")
    assert page.input_value("#text") == text
    assert page.inner_html("#examined svg >> nth=0") == before
    assert visit.complaints == []
    assert visit.elsewhere() == []


def test_a_choice_is_edited_by_choosing(visit: Visit) -> None:
    page = visit.page
    visit.go("/explain/anli?where=samples&number=1")
    page.select_option("#text", "2")
    page.wait_for_selector("#examined .differences")
    assert "accuracy" in page.inner_text("#examined")


def test_everything_works_without_a_script(visit_without_script: Visit) -> None:
    visit, page = visit_without_script, visit_without_script.page
    visit.go("/explain/worldtree")
    page.fill("[name='in.question']", "What melts ice?")
    page.fill("[name='in.answer']", "heat from the sun")
    page.click("button[value=explain]")
    assert "Why these parts" in page.inner_text("main")
    lines = page.input_value("#text").splitlines()
    assert len(lines) == 6
    page.fill("#text", "\n".join([*lines[:2], lines[0]]))
    page.click("button[value=check]")
    assert re.search(r"1 problem\b", page.inner_text("#examined"))
    assert "Why these parts" in page.inner_text("main")
    assert page.input_value("[name='in.question']") == "What melts ice?"


def test_the_keyboard_reaches_the_page_first(visit: Visit) -> None:
    visit.go("/browse")
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.textContent") == "Skip to the page"
    visit.page.keyboard.press("Enter")
    assert visit.page.evaluate("document.activeElement.id") == "main"


def test_what_was_written_survives_a_server_that_is_gone(visit: Visit) -> None:
    page = visit.page
    visit.go("/explain/explagraphs?where=samples&number=1")
    page.route("**/live", lambda route: route.abort())
    page.fill("#text", "support")
    page.wait_for_selector("#examined:has-text('cannot be reached')")
    assert page.input_value("#text") == "support"
