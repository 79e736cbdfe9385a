"""Whatever is sent to any address of the two applications, no page breaks.

Schemathesis makes requests of the applications' own OpenAPI description. That says nothing of forms, so what forms
there are is read off the pages: their fields, with the values that stand in them. Every form carries the token of
its session, so that what is sent comes past the guard.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

pytest.importorskip("fastapi", reason="needs the extra collect")
pytest.importorskip("sqlalchemy", reason="needs the extra collect")

import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings, strategies
from starlette.testclient import TestClient
from tests.collection.scenes import SCENES, desks
from tests.web.workbench.runs import write_run

from whence.collection import access
from whence.collection.access import Session, opened
from whence.collection.collection import Collection, new_collection
from whence.tasks import TASKS
from whence.web.application import create_app
from whence.web.collect.admin import PAGES
from whence.web.collect.application import collection_app
from whence.web.collect.sessions import COOKIE
from whence.web.security.guard import Security, unlimited
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library

EXAMPLES = 10
ODD = [
    "",
    "0",
    "-1",
    "1e400",
    "٣",
    "²",
    "9" * 30,
    "9" * 5000,
    "a/b",
    "../..",
    "\x00",
    "\ud7ff\uffff",
    "=1+1",
    "<b>",
    "nan",
]
"""Values that break what is careless about numbers, sizes, places and text."""
_TOKEN = re.compile(r'name="token" value="([^"]+)"')


class Forms(HTMLParser):
    """The fields of a page's forms: by address, name and value."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, set[str]]] = {}
        self.links: set[str] = set()
        self._address, self._select = "", ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attributes}
        if tag == "form" and of.get("method") == "post":
            self._address = of.get("action", self._address)
            self.found.setdefault(self._address, {})
        elif tag == "a" and of.get("href", "").startswith("/"):
            self.links.add(of["href"].partition("?")[0])
        elif tag in ("input", "textarea", "select", "button") and of.get("name") and self._address:
            self.found[self._address].setdefault(of["name"], set()).add(of.get("value", ""))
            self._select = of["name"] if tag == "select" else ""
        elif tag == "option" and self._select and self._address:
            self.found[self._address][self._select].add(of.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._address = ""


@dataclass
class Site:
    """An application as one visitor knows it: pages, forms, and the parts of addresses."""

    app: FastAPI
    client: TestClient
    session: Callable[[], str] = str
    """Lets somebody in; nobody, if it gives nothing."""
    forms: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    places: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    token: str = ""

    def enter(self) -> None:
        """Comes in anew, for the last request may have been to leave."""
        if secret := self.session():
            self.client.cookies.set(COOKIE, secret)
        pages = (self.client.get(page).text for page in ("/collect", "/admin", "/admin/login", "/explain/anli"))
        self.token = next(found[1] for page in pages if (found := _TOKEN.search(page)))

    def read(self, pages: Iterable[str]) -> None:
        """Takes down what forms and links the pages have."""
        self.enter()
        for page in pages:
            answer = self.client.get(page)
            assert answer.status_code in (200, 401, 403), (page, answer.text)
            seen = Forms()
            seen.feed(answer.text)
            for address, fields in seen.found.items():
                known = self.forms.setdefault(self._place(address or page), {})
                for name, values in fields.items():
                    known.setdefault(name, set()).update(values)
            for link in (page.partition("?")[0], *seen.links):
                self._place(link)

    def _place(self, address: str) -> str:
        """The path of the description that an address is of; what stands in its gaps is remembered."""
        for path in self.app.openapi()["paths"]:
            found = re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path), address)
            if found and path.count("{") == len(found.groupdict()):
                known = self.places.setdefault(path, {})
                for name, value in found.groupdict().items():
                    known.setdefault(name, set()).add(value)
                return str(path)
        return address

    def description(self) -> dict[str, Any]:
        """The application's own, in which whatever is posted is a form."""
        described: dict[str, Any] = copy.deepcopy(self.app.openapi())
        form = {"type": "object", "additionalProperties": {"type": "string"}}
        for methods in described["paths"].values():
            if "post" in methods:
                content = {"application/x-www-form-urlencoded": {"schema": form}}
                methods["post"]["requestBody"] = {"content": content}
        return described

    def send(self, case: Any, chance: Random) -> Any:
        """Sends a request in which some of what was made up gives way to what is known here, or is odd."""
        gaps = {
            name: _varied(chance, str(value), self.places.get(case.path, {}).get(name, ()))
            for name, value in case.path_parameters.items()
        }
        address = case.path.format(**{name: quote(value, safe="") or "-" for name, value in gaps.items()})
        query = {name: _varied(chance, str(value), ()) for name, value in case.query.items()}
        if case.method != "POST":
            return self.client.request(case.method, address, params=query)
        form = dict(case.body) if isinstance(case.body, Mapping) else {}
        for name, values in self.forms.get(case.path, {}).items():
            if chance.random() < 0.9:
                form[name] = _varied(chance, form.get(name, ""), values)
        return self.client.post(address, params=query, data={**form, "token": self.token})


def _varied(chance: Random, value: str, known: Iterable[str]) -> str:
    return chance.choice([value, chance.choice(ODD), *([chance.choice(sorted(known))] * 4 if known else [])])


def _fuzz(site: Site, *, only: str = "") -> set[str]:
    """Sends all kinds of requests; which paths were not closed to all of them."""
    described, reached = schemathesis.openapi.from_dict(site.description()), set()
    for found in described.get_all_operations():
        operation = found.ok()
        if not operation.path.startswith(only):
            continue
        site.enter()

        @settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],  # a busy machine is
        )
        @given(operation.as_strategy(), strategies.randoms(use_true_random=False))
        def holds(case: Any, chance: Random) -> None:
            answer = site.send(case, chance)
            assert answer.status_code < 500, (case.method, case.formatted_path, case.query, case.body)
            if answer.status_code not in (401, 403):
                reached.add(f"{case.method} {case.path}")

        holds()
    return reached


def _site(app: FastAPI, enter: Callable[[], str] = str) -> Site:
    """Without a limit of requests, which would be reached soon."""
    app.state.security = replace(app.state.security, limiter=unlimited)
    return Site(app, TestClient(app), enter)


def _collection(name: str, folder: Path) -> tuple[Collection, str, dict[str, str]]:
    """In full swing, with a worker who has begun something at every stage."""
    scene = SCENES[name]()
    made = new_collection(str(folder / "store.db"), scene.text, consult=scene.consult)
    return made, *desks(scene, made)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SCENES))
def test_no_editor_breaks(name: str, tmp_path: Path) -> None:
    made, worker, slots = _collection(name, tmp_path)
    site = _site(collection_app(made), lambda: made.write(lambda tx: opened(tx, Session("worker", worker))))
    site.read(["/collect", *(f"/collect/work/{slot}" for slot in slots.values())])
    assert len(_fuzz(site, only="/collect/work")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nobody", "worker", "administrator"])
def test_nobody_breaks_a_collection(kind: str, tmp_path: Path) -> None:
    made, worker, slots = _collection("worldtree", tmp_path)
    access.new_study(made, "round-1", "prolific", "CODE")
    sessions = {"worker": Session("worker", worker), "administrator": Session("administrator", "ada")}
    enter = (lambda: made.write(lambda tx: opened(tx, sessions[kind]))) if kind in sessions else str
    site = _site(collection_app(made), enter)
    site.read(
        [
            "/collect",
            f"/collect/work/{slots['rating']}",
            f"/collect/enter/{access.invite(made, 'administrator')}",
            "/collect/join/round-1?PROLIFIC_PID=p",
            "/admin/login",
            *(address for address, _ in PAGES),
            f"/admin/workers/{worker}",
        ]
    )
    open_to = {
        "nobody": ("GET /admin/login",),
        "worker": ("GET /collect", "POST /collect/next", "GET /collect/work/{slot}", "POST /collect/work/{slot}"),
        "administrator": ("GET /admin", "POST /admin/stage", "POST /admin/look/{submission}", "POST /admin/pay"),
    }
    assert _fuzz(site) >= set(open_to[kind])


@pytest.mark.slow
def test_nobody_breaks_the_workbench(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "careful", "explagraphs", 0.1)
    write_run(tmp_path / "runs" / "hasty", "explagraphs", 0.7)
    (tmp_path / "data").mkdir()
    library = Library(lambda: tmp_path / "data", tmp_path / "runs")
    site = _site(create_app(workbench_sections(library), Security(candid=True)))
    sheets = [f"/explain/{task}?where=samples&number=1" for task in TASKS]
    site.read(
        ["/explain", *sheets, "/browse", "/browse/cider/samples/1", "/compare", "/leaderboard", "/collections"]
    )
    for fields in site.forms.values():
        fields.pop("do", None)  # to make an explanation takes long, and is tested elsewhere
    _fuzz(site)
