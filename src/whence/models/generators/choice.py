"""Which generator a user's settings mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from whence import plugins
from whence.errors import DataError, UsageError
from whence.files import cache_folder, parse_json_object
from whence.models.generators import Generator, Reply, Request, Told, untold
from whence.models.generators.cache import CachedGenerator
from whence.models.generators.completions import Structure

EMBEDDED = "embedded"
_MILLION = 1e6


@dataclass(frozen=True, slots=True)
class GeneratorSettings:
    """What a user may set of whom to ask."""

    endpoint: str = ""
    """The address of an OpenAI-compatible endpoint, such as `http://127.0.0.1:8080/v1`; empty: asked here."""
    model: str = EMBEDDED
    """The endpoint's name of it; without endpoint `embedded`, a GGUF file, a model folder, a checkpoint, or
    `NAME:REST` of a generator that another distribution adds under NAME."""
    key: str = "WHENCE_API_KEY"
    """The environment variable that has the endpoint's key."""
    temperature: float = 0.0
    seed: int = 0
    tokens: int = 768
    """The most that an answer may have."""
    structure: Structure = "schema"
    """How JSON is asked for: by `schema`, as an `object`, or `none` (by words alone), for endpoints without."""
    concurrency: int = 4
    timeout: float = 120.0
    attempts: int = 5
    pause: float = 0.5
    context: int = 8192
    """Of a GGUF file or a checkpoint: the most tokens of a request and its answer."""
    threads: int = 0
    body: str = ""
    """A JSON object with more fields of what is sent, such as `{"reasoning_effort": "low"}`; null drops one."""
    price_read: float = 0.0
    """What a million tokens of requests cost."""
    price_written: float = 0.0
    """What a million tokens of answers cost."""
    cache: bool = True
    """Whether replies are kept, and kept ones used again."""


@dataclass(frozen=True, slots=True)
class GeneratorPlugin:
    """A generator that another distribution adds; users ask it as `--set model=NAME:REST` or `model=NAME`."""

    api: int
    """The version of the plug-in interface that it was made for."""
    make: Callable[[GeneratorSettings], Generator]
    """Makes it of the user's settings, whose `model` is REST."""


class PricedGenerator:
    """A generator whose replies say what they cost."""

    def __init__(self, asked: Generator, read: float, written: float) -> None:
        self._asked, self._read, self._written = asked, read, written
        self.name = asked.name

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        """The replies with their cost."""
        return [
            self._priced(reply)
            for reply in self._asked.replies(requests, lambda place, reply: told(place, self._priced(reply)))
        ]

    def _priced(self, reply: Reply) -> Reply:
        return replace(reply, cost=(reply.read * self._read + reply.written * self._written) / _MILLION)


def generator(settings: GeneratorSettings) -> Generator:
    """What answers, with its replies kept and priced."""
    asked = _asked(settings)
    if settings.cache:
        asked = CachedGenerator(asked, cache_folder() / "replies")
    return PricedGenerator(asked, settings.price_read, settings.price_written)


def _asked(settings: GeneratorSettings) -> Generator:
    if settings.endpoint:
        return _endpoint(settings)
    if settings.model == EMBEDDED or settings.model.endswith(".gguf"):
        from whence.models.generators.embedded import LocalGenerator, LocalSettings, embedded_file

        file = embedded_file() if settings.model == EMBEDDED else Path(settings.model).expanduser()
        return LocalGenerator(LocalSettings(file, settings.context, settings.threads))
    name, _, rest = settings.model.partition(":")
    added = plugins.registered(plugins.GENERATORS).get(name)
    if added is not None:
        return plugins.load(added, GeneratorPlugin).make(replace(settings, model=rest))
    from whence.models.generators.checkpoint import CheckpointGenerator

    return CheckpointGenerator(settings.model, settings.context)


def _endpoint(settings: GeneratorSettings) -> Generator:
    from whence.models.generators.endpoint import Endpoint, EndpointSettings

    if settings.model == EMBEDDED:
        raise UsageError("an endpoint has models by name: --set model=NAME")
    shared = ("model", "key", "structure", "concurrency", "timeout", "attempts", "pause")
    own = {name: getattr(settings, name) for name in shared}
    return Endpoint(EndpointSettings(settings.endpoint, **own, body=_body(settings.body)))


def _body(text: str) -> Mapping[str, Any]:
    try:
        return parse_json_object(text) if text else {}
    except DataError as error:
        raise UsageError(f"body: {error}") from None
