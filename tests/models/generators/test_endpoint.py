"""Endpoints that answer, and that fail in every way that networks and servers have."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.models.generators.chat_server import chat_server

from whence.errors import UsageError
from whence.models.generators import Message, Reply, Request
from whence.models.generators.cache import CachedGenerator, digest
from whence.models.generators.choice import GeneratorSettings, generator
from whence.models.generators.endpoint import Endpoint, EndpointSettings
from whence.models.generators.posting import retry_after

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


def _echo(body: dict[str, Any]) -> str:
    return f"heard {body['messages'][-1]['content']}"


def _requests(count: int) -> list[Request]:
    return [Request((Message("user", f"number {number}"),)) for number in range(count)]


def _endpoint(url: str, **settings: Any) -> Endpoint:
    return Endpoint(EndpointSettings(url, "small", **{"pause": 0.01, "timeout": 5.0, **settings}))


def test_replies_come_in_the_order_of_requests_and_are_told_as_they_come() -> None:
    told: dict[int, Reply] = {}
    with chat_server(_echo) as chat:
        found = _endpoint(chat.url).replies(_requests(9), told.__setitem__)
    assert [reply.text for reply in found] == [f"heard number {number}" for number in range(9)]
    assert [told[place] for place in range(9)] == found
    assert (found[0].read, found[0].written, found[0].finish) == (100, 10, "stop")


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")
    messages = (Message("system", "be brief"), Message("user", "grüße"))
    with chat_server(_echo) as chat:
        asked = _endpoint(chat.url, key="SOME_KEY", body={"top_p": 0.5, "seed": None})
        asked.replies([Request(messages, SCHEMA, tokens=7, temperature=0.3, seed=4)])
        asked.replies([Request(messages, grammar='root ::= "x"')])
        _endpoint(chat.url, structure="object").replies([Request(messages, SCHEMA)])
        _endpoint(chat.url, structure="none").replies([Request(messages, SCHEMA)])
    first, second, third, fourth = chat.seen
    assert first["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "grüße"},
    ]
    assert (first["model"], first["max_tokens"], first["temperature"], first["top_p"]) == ("small", 7, 0.3, 0.5)
    assert "seed" not in first
    assert first["response_format"]["json_schema"] == {"name": "answer", "strict": True, "schema": SCHEMA}
    assert (second["grammar"], "response_format" in second) == ('root ::= "x"', False)
    assert third["response_format"] == {"type": "json_object"}
    assert "response_format" not in fourth
    assert chat.headers[0]["Authorization"] == "Bearer secret"
    assert "Authorization" not in chat.headers[2]


@pytest.mark.parametrize(
    "fault", ["status 429", "status 500", "status 503", "garbage", "half", "other", "cut", "close"]
)
def test_a_passing_fault_is_tried_again(fault: str) -> None:
    with chat_server(_echo, n1=fault, n2=fault) as chat:
        found = _endpoint(chat.url, concurrency=1).replies(_requests(2))
    assert [reply.text for reply in found] == ["heard number 0", "heard number 1"]
    assert len(chat.seen) == 4


@pytest.mark.parametrize(
    "fault, reason",
    [
        ("status 500", "HTTP 500: it says 500"),
        ("garbage", "the answer is not JSON"),
        ("half", "the answer is not JSON"),
        ("other", "the answer is no chat completion"),
        ("cut", "bytes missing"),
        ("close", ""),  # the words are the system's
        ("slow 2", "no answer within 0.2 s"),
        ("trickle 0.05", "no answer within 0.2 s"),
    ],
)
def test_a_lasting_fault_ends_as_a_stated_failure(fault: str, reason: str) -> None:
    with chat_server(_echo, all=fault) as chat:
        found = _endpoint(chat.url, attempts=2, timeout=0.2).replies(_requests(2))
    assert [reply.finish for reply in found] == ["failed", "failed"]
    assert all(reply.failure.startswith(chat.url) and reason in reply.failure for reply in found)
    assert len(chat.seen) == 4


def test_only_what_fails_fails() -> None:
    with chat_server(_echo, n2="status 400") as chat:
        found = _endpoint(chat.url, concurrency=1).replies(_requests(3))
    assert [reply.failure for reply in found] == ["", f"{chat.url}: HTTP 400: it says 400", ""]
    assert len(chat.seen) == 3  # what is wrong with a request is no less wrong the second time


@pytest.mark.parametrize("fault", ["status 401", "status 404", "moved"])
def test_a_wrong_key_or_address_is_not_tried_with_every_request(fault: str) -> None:
    with chat_server(_echo, all=fault) as chat:
        found = _endpoint(chat.url, concurrency=1).replies(_requests(50))
    assert len(chat.seen) == 1
    assert len({reply.failure for reply in found}) == 1
    assert found[0].failure


def test_nothing_listens() -> None:
    with chat_server(_echo) as chat:
        pass
    begun = time.monotonic()
    found = _endpoint(chat.url, attempts=2).replies(_requests(500))
    assert {reply.failure for reply in found} == {f"{chat.url}: nothing listens there (connection refused)"}
    assert time.monotonic() - begun < 5  # after three such requests the others are not sent


def test_everyone_waits_as_long_as_the_server_asks() -> None:
    with chat_server(_echo, n1="status 429 0.5") as chat:
        found = _endpoint(chat.url, concurrency=1).replies(_requests(2))
    assert not any(reply.failure for reply in found)
    assert chat.times[1] - chat.times[0] >= 0.5


def test_who_asks_for_hours_is_not_waited_for() -> None:
    with chat_server(_echo, n1="status 429 7200") as chat:
        found = _endpoint(chat.url, concurrency=1).replies(_requests(2))
    assert found[0].failure.endswith("it asks to wait 7,200 s")
    assert found[1].text == "heard number 1"


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("3", 3.0),
        ("0.25", 0.25),
        ("-1", 0.0),
        ("Tue, 17 Nov 2026 10:00:30 GMT", 30.0),  # RFC 9110's form of a date
        ("Tue, 17 Nov 2026 09:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_retry_after(text: str, seconds: float | None) -> None:
    assert retry_after(text, datetime(2026, 11, 17, 10, tzinfo=UTC)) == seconds


def test_no_more_at_once_than_allowed() -> None:
    with chat_server(_echo, all="work 0.02") as chat:
        _endpoint(chat.url, concurrency=3).replies(_requests(12))
    assert chat.most_at_once == 3


def test_a_refusal_is_an_answer() -> None:
    with chat_server(_echo, all="refusing") as chat:
        (reply,) = _endpoint(chat.url).replies(_requests(1))
    assert (reply.finish, reply.text, reply.failure) == ("refused", "I cannot help with that.", "")


@pytest.mark.parametrize(
    "settings, part",
    [
        ({"url": "127.0.0.1:80"}, "write an address such as http"),
        ({"url": "ftp://host/v1"}, "write an address such as http"),
        ({"key": "sk-12345"}, "the name of the environment variable"),
        ({"url": "http://example.org/v1", "key": "SOME_KEY"}, "by https only"),
        ({"concurrency": 0}, "concurrency must be at least 1"),
    ],
)
def test_wrong_settings(settings: dict[str, Any], part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")
    with pytest.raises(UsageError, match=part):
        Endpoint(EndpointSettings(**{"url": "http://127.0.0.1:1/v1", "model": "m", **settings}))


def test_kept_replies_are_not_asked_for_again(tmp_path: Path) -> None:
    with chat_server(_echo, n3="status 400") as chat:
        asked = CachedGenerator(_endpoint(chat.url, concurrency=1), tmp_path)
        first = asked.replies(_requests(4))
        second = asked.replies(_requests(5))
    assert [reply.cached for reply in first] == [False] * 4
    assert [bool(reply.failure) for reply in first] == [False, False, True, False]
    assert [reply.cached for reply in second] == [True, True, False, True, False]  # failures are not kept
    assert [reply.text for reply in second] == [f"heard number {number}" for number in range(5)]
    assert len(chat.seen) == 4 + 2


def test_the_same_request_is_sent_once_and_told_everywhere(tmp_path: Path) -> None:
    told = []
    with chat_server(_echo) as chat:
        asked = CachedGenerator(_endpoint(chat.url), tmp_path)
        found = asked.replies(_requests(1) * 3, lambda place, _: told.append(place))
    assert [reply.text for reply in found] == ["heard number 0"] * 3
    assert (len(chat.seen), sorted(told)) == (1, [0, 1, 2])


def test_a_spoilt_file_is_asked_for_again(tmp_path: Path) -> None:
    with chat_server(_echo) as chat:
        asked = CachedGenerator(_endpoint(chat.url), tmp_path)
        asked.replies(_requests(1))
        (file,) = tmp_path.glob("*/*.json")
        file.write_text(file.read_text()[:30])
        assert asked.replies(_requests(1))[0].text == "heard number 0"
        assert asked.replies(_requests(1))[0].cached
    assert len(chat.seen) == 2


def test_all_of_a_request_is_in_its_digest() -> None:
    one = Request((Message("user", "a"),))
    others = [
        Request((Message("user", "b"),)),
        Request((Message("system", "a"),)),
        Request(one.messages, SCHEMA),
        Request(one.messages, grammar="root ::= x"),
        Request(one.messages, tokens=1),
        Request(one.messages, temperature=1.0),
        Request(one.messages, seed=1),
    ]
    assert len({digest("m", request) for request in [one, *others]} | {digest("n", one)}) == 9


def test_prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path))
    with chat_server(_echo) as chat:
        settings = GeneratorSettings(endpoint=chat.url, model="m", price_read=2.0, price_written=30.0)
        (reply,) = generator(settings).replies(_requests(1))
        (again,) = generator(settings).replies(_requests(1))
    # by hand: 100 tokens at 2 and 10 at 30 a million
    assert reply.cost == pytest.approx(0.0005)
    assert (again.cost, again.cached) == (reply.cost, True)


def test_an_endpoint_needs_the_name_of_a_model() -> None:
    with pytest.raises(UsageError, match="model=NAME"):
        generator(GeneratorSettings(endpoint="http://127.0.0.1:1/v1"))


def test_what_is_under_way_when_it_is_interrupted_is_still_told() -> None:
    told: list[int] = []

    def stop(place: int, _reply: Reply) -> None:
        told.append(place)
        if place == 0:
            raise KeyboardInterrupt

    with chat_server(_echo, all="work 0.1") as chat, pytest.raises(KeyboardInterrupt):
        _endpoint(chat.url, concurrency=2).replies(_requests(20), stop)
    assert sorted(told) == list(range(len(chat.seen)))
    assert len(told) < 20
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("endpoint")]
