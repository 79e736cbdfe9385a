"""What a stage shows of an item, as pieces of a page: by the shape of each part, whatever the collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from whence.collection.answers import explanation_of, parts_asked, remarks, said
from whence.collection.configuration import Stage
from whence.collection.templates import at
from whence.drawing import Diagram
from whence.files import Json, objects, string
from whence.structures.tree import Claim, Sentence, Tree, texts
from whence.tasks import TASKS, task_named
from whence.web.drawings import Picture, picture
from whence.web.pages import capitalize_first

_EDITED: Mapping[str, frozenset[str]] = {
    "tree": frozenset({"context", "worksheet", "review"}),
    "worksheet": frozenset({"context"}),
}
"""Parts that an editor shows itself."""
_DRAWN = frozenset({"graph", "tree", "triplets"})
"""Editors of what can be drawn."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of an item: its name and, as its shape demands, texts, turns of a dialogue, or a picture."""

    title: str
    kind: str
    """`text`, `list`, `dialogue`, `rows` or `picture`."""
    value: Any


@dataclass(frozen=True, slots=True)
class Asked:
    """A part that is judged: what people see of it, and what was answered so far."""

    pointer: str
    blocks: tuple[Block, ...]
    answer: str
    remark: str


def blocks(stage: Stage, item: Mapping[str, Json]) -> tuple[Block, ...]:
    """What is shown above the questions. Parts that are judged one by one, or edited, are shown there."""
    elsewhere = frozenset().union(*(_EDITED.get(field.editor, frozenset()) for field in stage.write))
    judged = stage.ask.parts.removeprefix("/") if stage.ask else ""
    names = [name for name in item if name not in elsewhere and name != judged]
    return tuple(
        replace(block, title=stage.called.get(name, block.title))
        for name in names
        for block in _blocks(name, item[name], item)
    )


def asked(stage: Stage, item: Mapping[str, Json], answer: Mapping[str, Json]) -> list[Asked]:
    """Everything that the stage's question is asked about."""
    if stage.ask is None:
        return []
    answers, noted = said(answer), remarks(answer)
    return [
        Asked(pointer, _part(pointer, item), answers.get(pointer, ""), noted.get(pointer, ""))
        for pointer in parts_asked(stage.ask, item)
    ]


def answered(stage: Stage, item: Mapping[str, Json], answer: Mapping[str, Json]) -> tuple[Block, ...]:
    """What somebody answered, for others to look at."""
    given, noted = said(answer), remarks(answer)
    rows = tuple(
        (part or "answer", f"{label} — {noted[part]}" if part in noted else label) for part, label in given.items()
    )
    found = [Block("answers", "rows", rows)] if rows else []
    picture = drawn(stage, item, answer)
    if picture is not None:
        found.append(Block("", "picture", replace(picture, title="What was made")))
    else:
        for field in stage.write:
            found += _blocks(field.name, answer.get(field.name), {**item, **answer})
    return tuple(found)


def drawn(stage: Stage, item: Mapping[str, Json], answer: Mapping[str, Json]) -> Picture | None:
    """The answer as a picture, where it is one and can be read."""
    found = explanation_of(stage, item, answer) if is_drawn(stage) else None
    if stage.rules is None or found is None:
        return None
    diagram = task_named(stage.rules.task).diagram(*found, {})
    return picture(replace(diagram, caption=()), "answer", "What you have so far")


def is_drawn(stage: Stage) -> bool:
    """Whether what is made at the stage can be drawn."""
    return stage.rules is not None and any(field.editor in _DRAWN for field in stage.write)


def _part(pointer: str, item: Mapping[str, Json]) -> tuple[Block, ...]:
    if not pointer:
        return ()
    element = at(item, pointer)
    if pointer.startswith("/tree/steps/"):
        return (Block("", "rows", _step(element, item)),)
    if isinstance(element, Mapping) and "text" in element:
        options = element.get("options")
        rows = tuple(options.items()) if isinstance(options, Mapping) else ()
        return (Block("", "text", string(element["text"])), *([Block("", "rows", rows)] if rows else []))
    if isinstance(element, Mapping):
        scope = {**element, "": pointer}
        return tuple(block for name in element for block in _blocks(name, element[name], scope))
    return (Block("", "text", str(element)),)


def _step(step: Json, item: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    """Premises and conclusion in words."""
    tree, claim = _read(Tree, item.get("tree")), _claim(item)
    said = texts(tree, claim) if tree is not None and claim is not None else {}
    premises = [string(name) for name in step.get("premises", ())] if isinstance(step, Mapping) else []
    conclusion = string(step.get("conclusion")) if isinstance(step, Mapping) else ""
    return (*((name, said.get(name, name)) for name in premises), ("therefore", said.get(conclusion, conclusion)))


def _blocks(name: str, value: Json, item: Mapping[str, Json]) -> list[Block]:
    """A part by its shape. What has no shape that is known here is not shown: it would be of no use to people."""
    title = name.replace("_", " ")
    found = _diagram(value, item)
    if found is not None:
        identifier = f"shown{string(item.get(''))}-{name}".replace("/", "-")
        return [Block(title, "picture", picture(replace(found, caption=()), identifier, capitalize_first(title)))]
    if isinstance(value, str | int | float):
        return [Block(title, "text", str(value))]
    turns = objects(value)
    if turns and all("speaker" in turn for turn in turns):
        said = tuple((string(turn.get("speaker")), string(turn.get("text"))) for turn in turns)
        return [Block(title, "dialogue", said)]
    if turns and all("text" in turn for turn in turns):
        return [Block(title, "list", tuple(string(turn.get("text")) for turn in turns))]
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return [Block(title, "list", tuple(value))]
    if isinstance(value, Mapping) and all(isinstance(one, str) for one in value.values()):
        return [Block(title, "rows", tuple(value.items()))]
    return []


def _diagram(value: Json, item: Mapping[str, Json]) -> Diagram | None:
    """The part as a picture, drawn by the first task whose explanations it is a piece of."""
    drawings = (task.collecting.draw_part(value, item) for task in TASKS.values())
    return next((drawing for drawing in drawings if drawing is not None), None)


def _claim(item: Mapping[str, Json]) -> Claim | None:
    sentences = tuple(
        Sentence(string(one.get("id")), string(one.get("text"))) for one in objects(item.get("context"))
    )
    return Claim(string(item.get("hypothesis")), sentences)


def _read(form: type, value: Json) -> Any:
    try:
        return TypeAdapter(form).validate_python(value)
    except ValidationError:
        return None
