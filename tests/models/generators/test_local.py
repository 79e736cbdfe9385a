"""The embedded language model: asked in this process, and as a real endpoint behind llama.cpp's server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whence.errors import DataError, MissingDataError, UsageError
from whence.models.generators import Message, Request
from whence.models.generators.choice import GeneratorSettings, generator
from whence.models.generators.embedded import LocalGenerator, LocalSettings, server
from whence.models.generators.endpoint import Endpoint, EndpointSettings

COLOUR = {
    "type": "object",
    "properties": {"colour": {"enum": ["red", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
ASKED = (Message("user", "Name a colour. Answer as JSON."),)


def test_an_answer_keeps_a_schema(local_settings: LocalSettings) -> None:
    asked = LocalGenerator(local_settings)
    first, second = asked.replies([Request(ASKED, COLOUR, tokens=24), Request(ASKED, COLOUR, tokens=24)])
    assert json.loads(first.text)["colour"] in ("red", "blue")
    assert first.finish == "stop"
    assert first.read > 10 and 0 < first.written <= 24
    assert second == first
    assert asked.name.startswith("SmolLM2-135M-Instruct.Q4_1@b179c952")


def test_an_answer_keeps_a_grammar(local_settings: LocalSettings) -> None:
    (reply,) = LocalGenerator(local_settings).replies([Request(ASKED, grammar='root ::= "maybe " ("so" | "not")')])
    assert reply.text in ("maybe so", "maybe not")


def test_an_answer_that_is_too_long_is_cut(local_settings: LocalSettings) -> None:
    (reply,) = LocalGenerator(local_settings).replies([Request((Message("user", "Count to 100."),), tokens=3)])
    assert (reply.finish, reply.written) == ("length", 3)


def test_a_request_that_is_too_long_fails_alone(local_settings: LocalSettings) -> None:
    long = Request((Message("user", "word " * 5000),), tokens=4)
    first, second = LocalGenerator(local_settings).replies([long, Request(ASKED, tokens=2)])
    assert "exceeds the available context size" in first.failure
    assert not second.failure


def test_a_grammar_that_is_none_fails(local_settings: LocalSettings) -> None:
    (reply,) = LocalGenerator(local_settings).replies([Request(ASKED, grammar="root ::= nowhere")])
    assert "grammar" in reply.failure


def test_the_real_server_speaks_the_protocol(llama_url: str, local_settings: LocalSettings) -> None:
    asked = Endpoint(EndpointSettings(llama_url, "embedded", concurrency=2, timeout=60))
    replies = asked.replies(
        [
            Request(ASKED, COLOUR, tokens=24),
            Request(ASKED, grammar='root ::= "yes" | "no"'),
            Request((Message("user", "word " * 5000),)),
        ]
    )
    assert json.loads(replies[0].text)["colour"] in ("red", "blue")
    assert replies[0].written > 0
    assert replies[1].text in ("yes", "no")
    assert "HTTP 400" in replies[2].failure and "context size" in replies[2].failure


def test_wrong_files(tmp_path: Path, local_settings: LocalSettings) -> None:
    with pytest.raises(MissingDataError, match="no such file"):
        generator(GeneratorSettings(model=str(tmp_path / "none.gguf")))
    file = tmp_path / "wrong.gguf"
    file.write_bytes(b"nothing of the kind")
    with pytest.raises(DataError, match="a GGUF file"):
        server(LocalSettings(file))


def test_the_package_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xllamacpp", None)
    with pytest.raises(UsageError, match=r"pip install 'whence\[llm\]'"):
        server(LocalSettings(tmp_path / "any.gguf", context=7))
