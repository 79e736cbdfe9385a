"""People in browsers of their own, who do what their scene says with mouse and keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.conftest import Visit, visit_of
from tests.collection.scenes import Scene
from tests.web.collect.people import newest_worker

from whence.collection import access
from whence.collection.collection import Collection, Shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSWORD = "a password that is long"


@dataclass
class Worker:
    """Somebody who came in by a link."""

    visit: Visit
    name: str

    def works(self, collection: Collection, scene: Scene) -> bool:
        """Does the first thing that is offered; whether there was one."""
        page = self.visit.page
        self.visit.go("/collect")
        for stage in page.locator("form[action='/collect/next'] [name=stage]").evaluate_all(
            "all => all.map(one => one.value)"
        ):
            send(page, f"form:has([value='{stage}']) button")
            if "/collect/work/" in page.url:
                self._answer(collection, scene)
                return True
        return False

    def _answer(self, collection: Collection, scene: Scene) -> None:
        page = self.visit.page
        shown = collection.open_slot(self.name, page.url.rpartition("/")[2])
        answer = scene.behave(self.name, shown)
        while "/collect/work/" in page.url:  # as often as a model is not fooled
            fill(page, shown, answer)
            send(page, "button:text-is('Submit')")
            assert re.search("Thank you|Change something", page.inner_text("main"))


def worker(browser: Browser, address: str, collection: Collection) -> Worker:
    """Comes in by a link of their own."""
    visit = visit_of(browser.new_context(viewport={"width": 1280, "height": 900}), address)
    visit.go(f"/collect/enter/{access.invite(collection)}")
    send(visit.page, "text=Begin")
    return Worker(visit, newest_worker(collection))


@dataclass
class Administrator:
    """Somebody who rules."""

    visit: Visit

    def opens(self, stage: str) -> None:
        self.visit.go("/admin")
        send(self.visit.page, f"tr:has-text('{stage}') button:text-is('Open')")

    def gives(self, worker: str, qualification: str) -> None:
        self.visit.go("/admin/workers")
        send(self.visit.page, f"text={worker}")
        self.visit.page.select_option("[name=qualification]", qualification)
        send(self.visit.page, "button:text-is('Give')")
        assert f"{qualification} (held)" in self.visit.page.inner_text("[name=qualification]")

    def accepts(self) -> bool:
        """Accepts all that waits; whether something did."""
        self.visit.go("/admin/look")
        page, found = self.visit.page, False
        while page.locator("article").count():
            send(page, "article button:text-is('Accept') >> nth=0")
            found = True
        return found

    def agreement(self) -> dict[str, dict[str, str]]:
        """What the page says, by question and coefficient."""
        self.visit.go("/admin/agreement")
        found = {}
        for section in self.visit.page.locator("h2:has(+ .wide)").all():
            rows = section.locator("xpath=following-sibling::div[1]//tbody/tr").all()
            found[section.inner_text()] = {
                row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows
            }
        return found

    def exports(self, archive: Path) -> None:
        self.visit.go("/admin/export")
        with self.visit.page.expect_download() as download:
            self.visit.page.click("button:text-is('Download')")
        download.value.save_as(archive)


def administrator(browser: Browser, address: str, collection: Collection) -> Administrator:
    """Becomes one by a link, leaves, and logs in."""
    visit = visit_of(browser.new_context(viewport={"width": 1280, "height": 900}), address)
    for where, button in (
        (f"/collect/enter/{access.invite(collection, 'administrator')}", "Begin"),
        ("/admin/login", "Log in"),
    ):
        visit.go(where)
        visit.page.fill("[name=name]", "ada")
        visit.page.fill("[name=password]", PASSWORD)
        send(visit.page, f"button:text-is('{button}')")
        assert visit.page.inner_text("h1") == "Progress"
        if button == "Begin":
            send(visit.page, "text=Leave")
    return Administrator(visit)


def send(page: Page, button: str) -> None:
    """Presses what leads to another page, and waits for that."""
    with page.expect_navigation():
        page.click(button)


def fill(page: Page, shown: Shown, answer: Mapping[str, Any]) -> None:
    """Puts an answer into the page of a piece of work, as a person does."""
    for part, label in answer.get("answers", {}).items():
        _choose(page, part or "whole", label)
    for part, text in answer.get("remarks", {}).items():
        page.fill(f"[name='remark:{part or 'whole'}']", text)
    for field in shown.stage.write:
        if field.name in answer:
            _EDIT[field.editor](page, f"field:{field.name}", answer[field.name], shown)


def _choose(page: Page, part: str, label: str) -> None:
    """By a key: figures choose by name, or else by place."""
    labels = page.locator(f"[name='answer:{part}']").evaluate_all("all => all.map(one => one.value)")
    page.focus(f"[name='answer:{part}'] >> nth=0")
    page.keyboard.press(label if label in "0123456789" else str(labels.index(label) + 1))
    assert page.is_checked(f"[name='answer:{part}'][value='{label}']")


def _text(page: Page, name: str, value: Any, _: Shown) -> None:
    page.fill(f"[name='{name}']", value)


def _graph(page: Page, name: str, value: Any, _: Shown) -> None:
    for number, edge in enumerate(value["edges"]):
        for part in ("head", "tail"):
            page.fill(f"[name='{name}:{number}:{part}']", edge[part])
        page.select_option(f"[name='{name}:{number}:relation']", edge["relation"])
    page.wait_for_selector("#looked svg")


def _triplets(page: Page, name: str, value: Any, _: Shown) -> None:
    """Words are clicked, and taken by a key; what nobody says is typed."""
    for number, triplet in enumerate(value):
        if not page.locator(f"[name='{name}:{number}:relation']").count():
            send(page, "text=More rows")
        for side, key in (("head", "h"), ("tail", "t")):
            span = triplet[side]
            if span["turn"] is None:
                page.fill(f"[name='{name}:{number}:{side}:text']", span["text"])
                page.select_option(f"[name='{name}:{number}:{side}:turn']", "latent")
                continue
            last = span["start"] + span["text"].rfind(" ") + 1
            turn = f"[data-turn='{span['turn']}']"
            page.click(f"{turn} [data-word='{span['start']}']")
            page.click(f"{turn} [data-word='{last}']", modifiers=["Shift"])
            page.keyboard.press(key)
            assert page.input_value(f"[name='{name}:{number}:{side}:text']") == span["text"]
        page.select_option(f"[name='{name}:{number}:relation']", triplet["relation"])


def _worksheet(page: Page, name: str, value: Any, _: Shown) -> None:
    for fact, category in value["categories"].items():
        page.select_option(f"[name='{name}:category:{fact}']", category)
    for number, text in enumerate(value["facts"]):
        page.fill(f"[name='{name}:own:{number}']", text)


def _tree(page: Page, name: str, value: Any, shown: Shown) -> None:
    """The first premise of a step is dragged, the others are ticked; facts of one's own are on the worksheet."""
    while page.locator("text=Take back").count():  # in revision
        send(page, "text=Take back >> nth=-1")
    offered = (shown.item.get("worksheet") or {}).get("facts", [])
    own = {one["id"]: f"own{offered.index(one['text']) + 1}" for one in value["sentences"]}
    for number, step in enumerate(value["steps"]):
        first, *others = (own.get(premise, premise) for premise in step["premises"])
        page.drag_and_drop(f"[data-sentence='{first}']", "[data-tray]")
        for premise in others:
            page.check(f"[type=checkbox][value='{premise}']")
        if step["conclusion"] == "hypothesis":
            send(page, "text=They entail the hypothesis")
        else:
            page.fill(f"[name='{name}:written']", step["text"])
            send(page, "text=Join them")
        assert page.locator(".steps > li").count() == number + 1
    page.wait_for_selector("#looked svg")


_EDIT: Mapping[str, Callable[[Page, str, Any, Shown], None]] = {
    "text": _text,
    "graph": _graph,
    "triplets": _triplets,
    "worksheet": _worksheet,
    "tree": _tree,
}
