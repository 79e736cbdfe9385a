"""The pages of a collection in a real browser: mouse and keyboard, live checks, autosave, accessibility."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("sqlalchemy", reason="needs the extra collect")

from sqlalchemy import select
from tests.browser.conftest import Visit, serving, visit_of

from whence.collection import access, tables
from whence.collection.collection import Collection, new_collection
from whence.collection.configuration_files import read_configuration
from whence.collection.importing import add_items
from whence.web.collect.application import collection_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAIR = {
    "id": "p1",
    "belief": "Factory farming should be banned.",
    "argument": "Factory farming feeds millions of people.",
    "stance": "counter",
    "split": "train",
}
DIALOGUE = {
    "id": "d1",
    "utterances": [
        {"speaker": "A", "text": "Why is the kitchen floor wet?"},
        {"speaker": "B", "text": "The freezer was open all night."},
    ],
}
QUESTION = {
    "id": "e1",
    "question": "Which cup keeps tea hot longest?",
    "answer": "the cup made of foam",
    "hypothesis": "the cup made of foam keeps tea hot longest",
    "context": [
        {"id": "sent1", "text": "foam is a kind of thermal insulator"},
        {"id": "sent2", "text": "a thermal insulator slows the flow of heat"},
        {"id": "sent3", "text": "tea stays hot as long as heat stays in it"},
    ],
}
FACTS = {
    "id": "q1",
    "question": "What melts ice?",
    "answer": "heat",
    "facts": [{"id": "f1", "text": "melting needs heat"}, {"id": "f2", "text": "a cat is an animal"}],
}

Desk = Callable[..., tuple[Visit, Collection, str]]


@pytest.fixture
def desk(browser: Browser, tmp_path: Path) -> Iterator[Desk]:
    """A qualified worker at the first piece of work of a stage."""
    ends: list[Any] = []

    def make(
        name: str, source: str, item: dict[str, Any], stage: str, **screen: Any
    ) -> tuple[Visit, Collection, str]:
        made = new_collection(str(tmp_path / f"{name}.db"), read_configuration(name)[1])
        made.write(lambda tx: add_items(tx, tx.configuration.source(source), [item]))
        server = serving(collection_app(made))
        address = server.__enter__()
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **screen})
        ends.extend((lambda: server.__exit__(None, None, None), context.close))
        visit = visit_of(context, address)
        visit.go(f"/collect/enter/{access.invite(made)}")
        visit.page.click("text=Begin")
        with made.reading() as tx:
            worker = str(tx.value(select(tables.workers.c.token)))
        for qualification in made.configuration.qualifications:
            made.qualify(worker, qualification.name, "boss")
        visit.go(f"/collect/work/{made.next_slot(worker, stage)}")
        return visit, made, worker

    yield make
    for end in reversed(ends):
        end()


def _sound(visit: Visit) -> None:
    """Accessible, without complaints, and nothing asked of anybody else."""
    assert visit.faults() == []
    assert visit.complaints == []
    assert visit.elsewhere() == []


def test_a_graph_is_checked_drawn_and_kept_while_one_writes(desk: Desk) -> None:
    visit, _, _ = desk("explagraphs", "pairs", PAIR, "graph-creation")
    page = visit.page
    facts = (
        "factory farming|causes|food",
        "food|desires|millions",
        "millions|part of|people",
        "banned|not desires|food",
    )
    for number, fact in enumerate(facts):
        head, relation, tail = fact.split("|")
        page.fill(f'[name="field:graph:{number}:head"]', head)
        page.select_option(f'[name="field:graph:{number}:relation"]', relation)
        page.fill(f'[name="field:graph:{number}:tail"]', tail)
    assert page.locator("ol.facts > li").count() == len(facts) + 1  # there is always a row to go on in
    assert "millions" in page.locator("datalist option").evaluate_all("all => all.map(one => one.value)")
    page.wait_for_selector('#looked svg text:has-text("banned")')
    _sound(visit)
    page.reload()
    assert page.input_value('[name="field:graph:3:head"]') == "banned"  # kept without a button
    page.click("button:text('Submit')")
    page.wait_for_selector("text=Somebody looks at it")
    _sound(visit)


def test_triplets_by_keyboard_alone(desk: Desk) -> None:
    visit, made, _ = desk("cider", "dialogues", DIALOGUE, "annotation")
    page = visit.page
    page.focus('[data-turn="1"]')
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "h"):
        page.keyboard.press(key)
    page.select_option('[name="field:triplets:0:relation"]', "Causes")
    page.focus('[data-turn="0"]')
    for key in ("ArrowLeft", "Shift+ArrowLeft", "t"):
        page.keyboard.press(key)
    assert page.input_value('[name="field:triplets:0:head:text"]') == "freezer was open"
    assert page.input_value('[name="field:triplets:0:tail:text"]') == "floor wet"
    page.wait_for_selector('#looked svg text:has-text("floor wet")')
    _sound(visit)
    page.click("button:text('Submit')")
    page.wait_for_selector("text=Thank you")
    with made.reading() as tx:
        (triplet,) = [
            row.payload["triplet"] for row in tx.all(select(tables.artifacts)) if "triplet" in row.payload
        ]
    assert triplet["head"] == {"text": "freezer was open", "turn": 1, "start": 4}
    assert triplet["tail"] == {"text": "floor wet", "turn": 0, "start": 19}


def test_a_tree_by_dragging_and_by_ticking(desk: Desk) -> None:
    visit, made, worker = desk("entailmentbank", "examples", QUESTION, "worksheet")
    page = visit.page
    page.select_option('[name="field:worksheet:category:sent2"]', "core")
    _sound(visit)
    page.click("button:text('Submit')")
    page.wait_for_selector("text=Thank you")
    visit.go(f"/collect/work/{made.next_slot(worker, 'tree')}")
    page.drag_and_drop('[data-sentence="sent1"]', "[data-tray]")
    page.check('[type=checkbox][value="sent2"]')
    picked = page.locator("[data-picked] li .kicker")
    assert picked.all_inner_texts() == ["sent2", "sent1"]
    page.check('[type=checkbox][value="sent3"]')
    page.click("[aria-label='Untick sent3']")
    assert picked.all_inner_texts() == ["sent2", "sent1"]
    page.fill('[name="field:tree:written"]', "foam slows the flow of heat")
    page.click("text=Join them")
    assert page.get_attribute("[data-sentence] >> nth=0", "data-sentence") == "int1"  # to be used next
    page.check('[type=checkbox][value="int1"]')
    page.check('[type=checkbox][value="sent3"]')
    page.click("text=They entail the hypothesis")
    page.wait_for_selector('#looked svg text:has-text("foam slows")')
    _sound(visit)
    page.click("button:text('Submit')")
    page.wait_for_selector("text=Thank you")


def test_ratings_by_figures_on_a_phone_in_the_dark(desk: Desk) -> None:
    screen = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    visit, _, _ = desk("worldtree", "questions", FACTS, "rating", **screen)
    page = visit.page
    page.focus('[name="answer:/facts/0"][value="0"]')
    page.keyboard.press("3")
    assert page.is_checked('[name="answer:/facts/0"][value="3"]')
    assert page.evaluate("document.activeElement.name") == "answer:/facts/1"  # the next one
    assert page.inner_text("[data-answered]") == "1"
    page.click("button:text('Submit')")
    page.wait_for_selector("text=It cannot be taken yet")
    assert page.locator("fieldset.open").count() == 1
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    _sound_but_for_the_answer(visit)
    page.check('[name="answer:/facts/1"][value="0"]')
    page.click("button:text('Submit')")
    page.wait_for_selector("text=Thank you")


def _sound_but_for_the_answer(visit: Visit) -> None:
    """An answer that is refused has the status 422, which the browser mentions."""
    assert visit.faults() == []
    assert [line for line in visit.complaints if "422" not in line] == []


def test_administration_is_accessible(browser: Browser, tmp_path: Path) -> None:
    made = new_collection(str(tmp_path / "art.db"), read_configuration("art")[1])
    with serving(collection_app(made)) as address:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        visit = visit_of(context, address)
        visit.go(f"/collect/enter/{access.invite(made, 'administrator')}")
        _sound(visit)
        visit.page.fill("[name=name]", "ada")
        visit.page.fill("[name=password]", "a password that is long")
        visit.page.click("text=Begin")
        made.join("someone")
        for page in ("", "/look", "/agreement", "/workers", "/pay", "/log", "/invite"):
            visit.go(f"/admin{page}")
            _sound(visit)
        visit.go("/admin/workers")
        visit.page.click("text=someone")
        _sound(visit)
        context.close()
