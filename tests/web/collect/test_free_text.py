"""Markup in whatever people write stays text: in every field of every form of the five collections."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.collection.crowd import rows
from tests.collection.scenes import SCENES, desks
from tests.web.collect.people import ORIGIN, Visitor, doors, parsed, token_of

from whence.collection.access import Session, opened
from whence.collection.answers import problems
from whence.collection.collection import Collection, Shown, new_collection
from whence.web.collect.admin import PAGES
from whence.web.collect.sessions import COOKIE
from whence.web.faults import LIVE

NASTY = "\"'><script>alert(1)</script><img/src=x/onerror=alert(1)>"
TAG = "<img/src=x/onerror=alert(1)>"
"""One word, which rules on the number of words let pass."""


_KEPT = ("answers", "categories", "relation", "id", "conclusion", "premises")


class _Elements(HTMLParser):
    """What a page does: elements that it must not have, and attributes that run something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        own = tag == "script" and dict(attributes).get("src", "").startswith("/")
        if tag in ("img", "script", "iframe", "object") and not own:
            self.found.append(tag)
        self.found += [name for name, _ in attributes if name.startswith("on")]


def _is_safe(page: str) -> bool:
    seen = _Elements()
    seen.feed(page)
    return seen.found == []


def _marked(value: Any, key: str = "") -> Any:
    """An answer whose every free text ends in markup; labels, names and places are as they were."""
    if isinstance(value, Mapping) and "tail" in value and "turn" in value["tail"]:
        unsaid = {"text": f"{value['tail']['text']} {TAG}", "turn": None, "start": None}
        return {**value, "tail": unsaid}
    if isinstance(value, Mapping):
        return {name: one if name in _KEPT else _marked(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_marked(one, key) for one in value]
    free = isinstance(value, str) and value and key not in _KEPT
    return f"{value} {TAG}" if free else value


def _visitor(collection: Collection, session: Session) -> Visitor:
    visitor = Visitor(doors(collection), session.who)
    visitor.client.cookies.set(COOKIE, collection.write(lambda tx: opened(tx, session)))
    return visitor


def _forms(page: str) -> Iterator[tuple[str, set[str], set[str]]]:
    """The forms of a page: address, names of fields, values of buttons."""
    for form in page.split('<form method="post" action="')[1:]:
        inside = form.partition("</form>")[0]
        names = parsed(inside).names - {"token", "key", "revision", "do"}
        buttons = {one.partition('"')[0] for one in inside.split('name="do" value="')[1:]}
        yield form.partition('"')[0], names, buttons


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SCENES))
def test_what_people_write(name: str, tmp_path: Path) -> None:
    """Into every field of every stage, with every button; and what others wrote, which they are shown."""
    scene, taken = SCENES[name](), set()

    def behave(worker: str, shown: Shown) -> Mapping[str, Any]:
        answer = scene.behave(worker, shown)
        marked = _marked(answer)
        if any(one.blocks for one in problems(shown.stage, shown.item, marked)):
            return answer
        taken.update((shown.stage.name, part) for part in marked if marked[part] != answer[part])
        return marked

    made = new_collection(str(tmp_path / "store.db"), scene.text, consult=scene.consult)
    own, slots = desks(replace(scene, behave=behave), made)
    anna, shown = _visitor(made, Session("worker", own)), 0
    people = {row.id: _visitor(made, Session("worker", row.token)) for row in rows(made, "workers")}
    for row in rows(made, "slots"):
        if row.worker_id is not None:
            page = people[row.worker_id].page(f"/collect/work/{row.token}")
            assert _is_safe(page)
            shown += html.escape(TAG) in page
    for slot in slots.values():
        address = f"/collect/work/{slot}"
        page = anna.page(address)
        ((_, names, buttons),) = [form for form in _forms(page) if form[0] == address]
        for button in sorted(buttons - {"return"}):
            for headers in (ORIGIN, {**ORIGIN, LIVE: "1"}):
                hidden = parsed(anna.page(address)).hidden
                form = {
                    "token": hidden["token"],
                    "revision": hidden["revision"],
                    "key": f"{slot}-{button}-{len(headers)}"[:64],
                }
                fields = dict.fromkeys(names, NASTY)
                said = anna.client.post(address, data={**form, **fields, "do": button}, headers=headers)
                assert said.status_code in (200, 422), (button, said.text)
                assert _is_safe(said.text)
        page = anna.page(address)
        assert _is_safe(page)
        assert "alert(1)" in page
    assert taken == WRITTEN[name]
    assert shown >= len(taken)
    ada = _visitor(made, Session("administrator", "ada"))
    for address in (*(address for address, _ in PAGES), f"/admin/workers/{own}"):
        assert _is_safe(ada.page(address))


WRITTEN: Mapping[str, set[tuple[str, str]]] = {
    "explagraphs": {
        *(("pre-hamlet", part) for part in ("belief", "support", "counter")),
        *((stage, part) for stage in ("hamlet-1", "hamlet-2") for part in ("belief", "argument")),
    },
    "worldtree": set(),
    "cider": {("annotation", "triplets")},
    "art": {("plausible", "text"), ("implausible", "text")},
    "entailmentbank": {("worksheet", "worksheet"), ("tree", "tree"), ("review", "remarks"), ("revision", "tree")},
}
"""All that people write freely, which was taken with markup in it: others were shown it."""


def test_what_administrators_write(tmp_path: Path) -> None:
    scene = SCENES["worldtree"]()
    made = new_collection(str(tmp_path / "store.db"), scene.text)
    own, _ = desks(scene, made)
    ada = _visitor(made, Session("administrator", "ada"))
    pages = (*(address for address, _ in PAGES), f"/admin/workers/{own}")
    sent = 0
    for page in pages:
        for address, names, buttons in _forms(ada.page(page)):
            for button in sorted(buttons or {""}):
                texts = dict.fromkeys(names - {"stage", "qualification", "platform", "kind", "line"}, NASTY)
                kept = {"qualification": "calibrated", "platform": "other", "amount": "1", "count": "1"}
                form = {**texts, **{name: kept[name] for name in names & kept.keys()}}
                data = {**form, "do": button, "token": token_of(ada.page(page))}
                if address not in ("/collect/leave", "/admin/export"):
                    said = ada.client.post(address, data=data, headers=ORIGIN)
                    assert _is_safe(said.text)
                    sent += said.status_code == 200
    assert sent > 4
    shown = [ada.page(page) for page in pages]
    assert all(map(_is_safe, shown))
    assert sum("alert(1)" in page for page in shown) >= 3
