"""Replies kept on disk: what was answered once is never asked, nor paid for, again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from whence.errors import DataError
from whence.files import dump_json, read_json, write_text
from whence.models.generators import Generator, Reply, Request, Told, untold

_REPLY = TypeAdapter(Reply)


class CachedGenerator:
    """A generator whose replies are kept in a folder, a file each, under a digest of what was asked of whom.

    A reply is kept before its worker asks for another, so a process that is killed loses only what was under way.
    """

    def __init__(self, asked: Generator, folder: Path) -> None:
        self._asked, self._folder = asked, folder
        self.name = asked.name

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        """Those that are kept, and the others once each, however often they are asked for."""
        places: dict[str, list[int]] = {}
        for place, request in enumerate(requests):
            places.setdefault(digest(self.name, request), []).append(place)
        found: dict[int, Reply] = {}

        def answer(key: str, reply: Reply) -> None:
            for number, place in enumerate(places[key]):
                found[place] = replace(reply, cached=reply.cached or number > 0)
                told(place, found[place])

        missing = []
        for key in places:
            kept = self._kept(key)
            if kept is None:
                missing.append(key)
            else:
                answer(key, kept)

        def arrived(number: int, reply: Reply) -> None:
            key = missing[number]
            if not reply.failure:
                self._keep(key, requests[places[key][0]], reply)
            answer(key, reply)

        self._asked.replies([requests[places[key][0]] for key in missing], arrived)
        return [found[place] for place in range(len(requests))]

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _kept(self, key: str) -> Reply | None:
        path = self._file(key)
        if not path.is_file():
            return None
        try:
            return replace(_REPLY.validate_python(read_json(path)["reply"]), cached=True)
        except (DataError, ValidationError, KeyError, TypeError):
            return None  # a file that a full disk or a crash of the machine spoilt is written anew

    def _keep(self, key: str, request: Request, reply: Reply) -> None:
        whole = {"generator": self.name, "request": asdict(request), "reply": asdict(reply)}
        write_text(self._file(key), dump_json(whole) + "\n")


def digest(name: str, request: Request) -> str:
    """What a reply is kept under: who is asked, and all of what is asked."""
    return hashlib.sha256(dump_json([name, asdict(request)]).encode()).hexdigest()
