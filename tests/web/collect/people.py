"""People at the pages: they fill in forms as their answers have it, and send them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import FastAPI
from sqlalchemy import select
from starlette.testclient import TestClient

from whence.collection import access, tables
from whence.collection.collection import Collection, Shown
from whence.web.collect.application import collection_app

ORIGIN = {"origin": "http://testserver"}
Fields = dict[str, str | list[str]]


class _Hidden(HTMLParser):
    """The hidden fields of the form that sends work, and every field's name."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if tag in ("input", "textarea", "select", "button") and found.get("name"):
            self.names.add(found["name"] or "")
            if found.get("type") == "hidden":
                self.hidden[found["name"] or ""] = found.get("value") or ""


def parsed(page: str) -> _Hidden:
    found = _Hidden()
    found.feed(page)
    return found


def token_of(page: str) -> str:
    return parsed(page).hidden["token"]


@dataclass
class Visitor:
    """Somebody with a browser of their own."""

    client: TestClient
    worker: str = ""

    def page(self, address: str, status: int = 200) -> str:
        answer = self.client.get(address)
        assert answer.status_code == status, (address, answer.status_code, _words(answer.text))
        return answer.text

    def send(self, address: str, fields: Mapping[str, Any], *, page: str = "", status: int = 200) -> str:
        """Posts a form; the token is that of the page it stands on."""
        token = token_of(page or self.page("/collect"))
        answer = self.client.post(address, data={"token": token, **fields}, headers=ORIGIN)
        assert answer.status_code == status, (address, answer.status_code, _words(answer.text))
        self.last = answer
        return answer.text

    def begin(self, stage: str) -> str:
        """The page of the next piece of work at a stage; empty if there is none."""
        page = self.send("/collect/next", {"stage": stage})
        return page if "/collect/work/" in str(self.last.url) else ""

    @property
    def slot(self) -> str:
        return str(self.last.url).rpartition("/")[2].partition("?")[0]


def _words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())[:400]


def doors(collection: Collection) -> TestClient:
    """A browser of its own at the one application of a collection."""
    if collection not in _APPS:
        _APPS[collection] = collection_app(collection)
    app = _APPS[collection]
    return TestClient(app, raise_server_exceptions=False)


_APPS: WeakKeyDictionary[Collection, FastAPI] = WeakKeyDictionary()


def worker(collection: Collection) -> Visitor:
    """A worker who came in by a link."""
    visitor = Visitor(doors(collection))
    link = f"/collect/enter/{access.invite(collection)}"
    page = visitor.page(link)
    visitor.send(link, {}, page=page)
    visitor.worker = newest_worker(collection)
    return visitor


def newest_worker(collection: Collection) -> str:
    """Who came in last."""
    with collection.reading() as tx:
        return str(tx.all(select(tables.workers.c.token).order_by(tables.workers.c.id))[-1].token)


def administrator(collection: Collection, name: str = "ada") -> Visitor:
    visitor = Visitor(doors(collection))
    link = f"/collect/enter/{access.invite(collection, 'administrator')}"
    page = visitor.page(link)
    visitor.send(link, {"name": name, "password": "a password that is long"}, page=page)
    return visitor


def fields_of(shown: Shown, answer: Mapping[str, Any]) -> Fields:
    """The fields of the page that have this answer in them."""
    found: Fields = {f"answer:{part or 'whole'}": label for part, label in answer.get("answers", {}).items()}
    found |= {f"remark:{part or 'whole'}": text for part, text in answer.get("remarks", {}).items()}
    for field in shown.stage.write:
        if field.name in answer:
            found |= dict(_FILL[field.editor](f"field:{field.name}", answer[field.name], shown))
    return found


def _text(name: str, value: Any, _: Shown) -> Iterator[tuple[str, str]]:
    yield name, value


def _graph(name: str, value: Any, _: Shown) -> Iterator[tuple[str, str]]:
    for number, edge in enumerate(value["edges"]):
        for part, text in edge.items():
            yield f"{name}:{number}:{part}", text


def _triplets(name: str, value: Any, _: Shown) -> Iterator[tuple[str, str]]:
    for number, triplet in enumerate(value):
        yield f"{name}:{number}:relation", triplet["relation"]
        for side in ("head", "tail"):
            span = triplet[side]
            yield f"{name}:{number}:{side}:text", span["text"]
            yield f"{name}:{number}:{side}:turn", "latent" if span["turn"] is None else str(span["turn"])
            yield f"{name}:{number}:{side}:start", "" if span["start"] is None else str(span["start"])


def _worksheet(name: str, value: Any, _: Shown) -> Iterator[tuple[str, str]]:
    for fact, category in value["categories"].items():
        yield f"{name}:category:{fact}", category
    for number, text in enumerate(value["facts"]):
        yield f"{name}:own:{number}", text


def _tree(name: str, value: Any, shown: Shown) -> Iterator[tuple[str, str]]:
    """Facts of one's own have the names that the page gives them: those of the worksheet first."""
    offered = (shown.item.get("worksheet") or {}).get("facts", [])
    named = {text: f"own{number}" for number, text in enumerate(offered, start=1)}
    for sentence in value["sentences"]:
        if sentence["text"] not in named:
            named[sentence["text"]] = f"own{len(named) + 1}"
            yield f"{name}:own:{len(named)}", sentence["text"]
    renamed = {sentence["id"]: named[sentence["text"]] for sentence in value["sentences"]}
    for number, step in enumerate(value["steps"]):
        premises = [renamed.get(premise, premise) for premise in step["premises"]]
        yield f"{name}:step:{number}:premises", " ".join(premises)
        yield f"{name}:step:{number}:conclusion", step["conclusion"]
        yield f"{name}:step:{number}:text", step["text"]


_FILL = {"text": _text, "graph": _graph, "triplets": _triplets, "worksheet": _worksheet, "tree": _tree}
