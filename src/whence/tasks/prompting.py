"""Explanations by a language model that is asked for them: a prompt, the form of the answer, rules, another try.

What does not parse or breaks a rule is asked again with the problems told. What is still wrong after the last
round is no explanation; as far as it can be read it is kept as what the model said, to be scored as its own. With
the setting `mend` it is mended by the task's own rule, and marked as mended.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from whence.checks.rule import Rule, check
from whence.errors import DataError, UsageError, quoted
from whence.files import Json, dump_json
from whence.models.generators import Generator, Message, Reply, Request, Usage, usage_of
from whence.models.generators.choice import GeneratorSettings, generator
from whence.progress import Report, unreported
from whence.structures.facts import Fact
from whence.structures.results import Example, Problem
from whence.tasks.loading import samples
from whence.tasks.method import Explained, Method, Reason, Setup
from whence.tasks.task import AnyTask

Inputs = TypeVar("Inputs")
Explanation = TypeVar("Explanation")

_THOUGHT = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
_TOLD_PROBLEMS = 8
_QUOTED = 300


def unrepaired(_inputs: Any, explanation: Any) -> Any:
    """For tasks that have no rule of repair."""
    return explanation


@dataclass(frozen=True, slots=True)
class Prompt(Generic[Inputs, Explanation]):
    """How a model is asked for explanations of a task, and how its answers are read."""

    task: AnyTask
    instruction: str
    """What is wanted and which rules it must keep."""
    ask: Callable[[Inputs], str]
    """What is to be explained, in words."""
    schema: Callable[[Inputs], dict[str, Any]]
    """The JSON schema of an answer."""
    show: Callable[[Inputs, Explanation], Json]
    """An explanation as an answer."""
    parse: Callable[[Inputs, Json], Explanation]
    """An answer as an explanation: `show` backwards. A `DataError` if it is none."""
    rules: Sequence[Rule[Any, Any]]
    repair: Callable[[Inputs, Explanation], Explanation] = unrepaired
    """Mends what can be mended without asking, where a user wants that."""
    facts: Callable[[Inputs], Mapping[str, Fact]] = lambda _: {}
    """The facts that an answer may refer to by id, where the task has such."""


@dataclass(frozen=True, slots=True)
class PromptSettings(GeneratorSettings):
    """What a user may set: whom to ask, and how."""

    rounds: int = 3
    """How often it is asked at most: once, and again with the problems of its answer."""
    shots: int = 2
    """How many of the bundled samples are shown with their answers; 0: none."""
    mend: bool = False
    """Mend an answer that breaks a rule to the end, and mark it as mended."""


View = Callable[[Sequence[Example[Any, Any]]], Sequence[Any]]
"""What a prompt sees of examples, such as a question with the facts that may explain it."""


def plain_view(examples: Sequence[Example[Any, Any]]) -> Sequence[Any]:
    """The inputs, and nothing else."""
    return [example.inputs for example in examples]


@dataclass(frozen=True, slots=True)
class _Shot:
    """A sample as it is shown."""

    example: Example[Any, Any]
    question: str
    answer: str


@dataclass(slots=True)
class _Talk:
    """A conversation about one example."""

    inputs: Any
    messages: list[Message]
    usage: Usage = field(default_factory=Usage)
    tried: list[tuple[Any, str, tuple[Problem, ...]]] = field(default_factory=list)
    """What was read from each answer (None if nothing was), the answer, and its problems."""
    found: Any = None
    unanswered: str = ""
    refused: bool = False

    @property
    def is_over(self) -> bool:
        return self.found is not None or bool(self.unanswered) or self.refused


class PromptedExplainer:
    """A language model with a prompt."""

    def __init__(
        self,
        prompt: Prompt[Any, Any],
        asked: Generator,
        settings: PromptSettings,
        view: View = plain_view,
        shot_view: View = plain_view,
    ) -> None:
        if settings.rounds < 1 or settings.shots < 0 or settings.tokens < 1:
            raise UsageError("rounds and tokens must be at least 1, shots at least 0")
        self._prompt, self._asked, self._settings, self._view = prompt, asked, settings, view
        self._shots = _shots(prompt, shot_view, settings.seed) if settings.shots else []
        warm = f", temperature {settings.temperature:g}, seed {settings.seed}" if settings.temperature else ""
        warm += ", mending" if settings.mend else ""
        self.name = (
            f"{asked.name}; {settings.shots} shots, {settings.rounds} rounds{warm}, "
            f"prompt@{_fingerprint(prompt, self._shots)}"
        )

    def explain(self, examples: Sequence[Example[Any, Any]], report: Report = unreported) -> list[Explained]:
        """What the model answers for each example, where that keeps the rules."""
        views = self._view(examples)
        talks = [
            _Talk(view, self._first_messages(example, view)) for example, view in zip(examples, views, strict=True)
        ]
        for number in range(self._settings.rounds):
            waiting = [talk for talk in talks if not talk.is_over]
            told = _counted(report, len(talks)) if not number else lambda _place, _reply: None
            replies = self._asked.replies([self._request(talk) for talk in waiting], told)
            for talk, reply in zip(waiting, replies, strict=True):
                self._hear(talk, reply)
        return [self._explained(talk) for talk in talks]

    def _first_messages(self, example: Example[Any, Any], view: Any) -> list[Message]:
        messages = [Message("system", self._prompt.instruction)]
        shown = [shot for shot in self._shots if not _same_source(shot.example, example)]
        for shot in shown[: self._settings.shots]:
            messages += [Message("user", shot.question), Message("assistant", shot.answer)]
        return [*messages, Message("user", self._prompt.ask(view))]

    def _request(self, talk: _Talk) -> Request:
        settings = self._settings
        schema = self._prompt.schema(talk.inputs)
        return Request(
            tuple(talk.messages),
            schema,
            tokens=settings.tokens,
            temperature=settings.temperature,
            seed=settings.seed,
        )

    def _hear(self, talk: _Talk, reply: Reply) -> None:
        talk.usage += usage_of(reply)
        if reply.failure:
            talk.unanswered = reply.failure
            return
        if reply.finish == "refused":
            talk.refused = True
            talk.tried.append((None, reply.text, (Problem("refused", "", "the model refused to answer"),)))
            return
        explanation, problems = self._read(talk.inputs, reply)
        if not problems:
            talk.found = explanation
            return
        talk.tried.append((explanation, reply.text, problems))
        talk.messages += [Message("assistant", reply.text), Message("user", _again(problems))]

    def _read(self, inputs: Any, reply: Reply) -> tuple[Any, tuple[Problem, ...]]:
        try:
            explanation = self._prompt.parse(inputs, json_object(reply.text))
        except DataError as error:
            if reply.finish == "length":
                return None, (Problem("length", "", "the answer was cut off; it must be shorter"),)
            return None, (Problem("format", "", f"expected {error.expected}, found {error.found}"),)
        return explanation, check(inputs, explanation, self._prompt.rules)

    def _explained(self, talk: _Talk) -> Explained:
        refused = tuple(
            Reason(_short(text), because=tuple(problem.message for problem in problems))
            for _, text, problems in talk.tried
        )
        if talk.found is not None:
            reason = Reason(f"answer {len(talk.tried) + 1}", because=("it keeps all rules",))
            return Explained(talk.found, (reason,), refused, self._prompt.facts(talk.inputs), usage=talk.usage)
        if talk.unanswered:
            because = Reason("no answer", because=(talk.unanswered,))
            return Explained(None, (), (*refused, because), usage=talk.usage, unanswered=talk.unanswered)
        readable = [(number, *one) for number, one in enumerate(talk.tried, 1) if one[0] is not None]
        for number, said, text, problems in reversed(readable if self._settings.mend else ()):
            repaired = self._prompt.repair(talk.inputs, said)
            if not check(talk.inputs, repaired, self._prompt.rules):
                mended = tuple(f"mended: {problem.message}" for problem in problems)
                reason = Reason(f"answer {number}", because=mended)
                facts = self._prompt.facts(talk.inputs)
                return Explained(repaired, (reason,), refused, facts, usage=talk.usage, raw=text, said=said)
        said, text, last = readable[-1][1:] if readable else talk.tried[-1]
        return Explained(None, (), refused, usage=talk.usage, raw=text, problems=last, said=said)


def prompted_method(
    prompt: Prompt[Any, Any], view: Callable[[Setup], View] | None = None, shot_view: View = plain_view
) -> Method:
    """The method `llm` of a task."""

    def make(settings: PromptSettings, setup: Setup) -> PromptedExplainer:
        seen = view(setup) if view is not None else plain_view
        return PromptedExplainer(prompt, generator(settings), settings, seen, shot_view)

    return Method("llm", "a language model, asked for it and checked", PromptSettings, make)


def without_thoughts(text: str) -> str:
    """An answer without what the model thinks aloud before it."""
    return _THOUGHT.sub("", text)


def json_object(text: str) -> dict[str, Json]:
    """The JSON object in an answer: what a model thinks aloud before it, and what fences it, is passed over."""
    said = without_thoughts(text)
    decoder = json.JSONDecoder(strict=False)
    for start in (place for place, letter in enumerate(said) if letter == "{"):
        try:
            found, _ = decoder.raw_decode(said, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise DataError(expected="a JSON object", found=quoted(said.strip()) if said.strip() else "no answer")


def text_of(answer: Json, name: str) -> str:
    """A text of an answer, its blanks set in order."""
    found = answer.get(name) if isinstance(answer, dict) else None
    if isinstance(found, int) and not isinstance(found, bool):
        found = str(found)
    if not isinstance(found, str):
        raise DataError(expected=f"the text '{name}'", found=quoted(json.dumps(answer)))
    return " ".join(found.split())


def list_of(answer: Json, name: str) -> list[Json]:
    """A list of an answer."""
    found = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(found, list):
        raise DataError(expected=f"the list '{name}'", found=quoted(json.dumps(answer)))
    return found


def record(**properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def choice_of(names: Sequence[str | int]) -> dict[str, Any]:
    """The schema of one of a few values; of any text where there are none, which no schema can say."""
    return {"enum": list(names)} if names else words()


def some(items: dict[str, Any], least: int, most: int) -> dict[str, Any]:
    """The schema of a list."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def words(most: int = 200) -> dict[str, Any]:
    """The schema of a text of so many letters."""
    return {"type": "string", "minLength": 1, "maxLength": most}


def _again(problems: Sequence[Problem]) -> str:
    told = [f"- {problem.where} {problem.message}".replace("-  ", "- ") for problem in problems[:_TOLD_PROBLEMS]]
    return "\n".join(["This answer has problems:", *told, "Answer again, without them, as JSON only."])


def _shots(prompt: Prompt[Any, Any], view: View, seed: int) -> list[_Shot]:
    """The bundled samples whose answers can be shown, in an order by chance, the same for all examples."""
    known = [example for example in samples(prompt.task).examples if example.golds]
    random.Random(seed).shuffle(known)
    found = []
    for example, seen in zip(known, view(known), strict=True):
        try:
            answer = dump_json(prompt.show(seen, example.golds[0]))
        except DataError:
            continue  # it speaks of what the prompt does not show
        found.append(_Shot(example, prompt.ask(seen), answer))
    return found


def _same_source(shot: Example[Any, Any], example: Example[Any, Any]) -> bool:
    """Whether two examples begin with the same text (belief, question, dialogue): then one tells of the other."""
    first = fields(shot.inputs)[0].name
    return bool(getattr(shot.inputs, first) == getattr(example.inputs, first))


def _fingerprint(prompt: Prompt[Any, Any], shots: Sequence[_Shot]) -> str:
    told = [prompt.instruction, *(text for shot in shots for text in (shot.question, shot.answer))]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:8]


def _counted(report: Report, total: int) -> Callable[[int, Reply], None]:
    """Tells how many replies there are; replies come in several threads."""
    lock, done = threading.Lock(), 0

    def told(_place: int, _reply: Reply) -> None:
        nonlocal done
        with lock:
            done += 1
            report("asking", done, total)

    return told


def _short(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"
