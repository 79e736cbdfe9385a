"""A tree, step by step: some sentences are joined, and what follows from them is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.collection.configuration import Write
from whence.files import Json, objects, string
from whence.structures.tree import HYPOTHESIS
from whence.tasks.task import Relation
from whence.web.collect.fields import Fields
from whence.web.typed import typed_number

OWN, INTERMEDIATE = "own", "int"


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence that a step may use."""

    id: str
    text: str
    kind: str
    """`fact`, `own` or `conclusion`."""
    category: str = ""
    used: bool = False


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of the tree: premises with their texts, and the conclusion."""

    premises: tuple[tuple[str, str], ...]
    conclusion: str
    text: str
    remark: str = ""
    """What a reviewer said of it."""


@dataclass(frozen=True, slots=True)
class TreeView:
    """Steps so far, and sentences to go on from."""

    steps: tuple[StepRow, ...]
    lines: tuple[Line, ...]
    own: tuple[tuple[int, str], ...]
    """Facts that were added here, under their numbers."""
    hypothesis: str
    done: bool
    """Whether a step concludes the hypothesis."""


def read(fields: Fields, item: Mapping[str, Json], operation: str) -> Json:
    """The steps so far; buttons join sentences, take a step back, add a fact of one's own or remove one."""
    steps = [_step(row) for _, row in fields.within("step").rows()]
    own = [(number, " ".join(row.text().split())) for number, row in fields.within("own").rows()]
    name, _, which = operation.partition(":")
    if name == "remove-own":
        own = [(number, text) for number, text in own if str(number) != which]
    if name == "undo":
        steps = [step for number, step in enumerate(steps) if str(number) != which]
    written, picked = " ".join(fields.text("written").split()), fields.texts("pick")
    if name in ("join", "conclude") and picked:
        final = name == "conclude"
        taken = {string(step["conclusion"]) for step in steps}
        conclusion = HYPOTHESIS if final else _free(INTERMEDIATE, taken)
        steps.append({"premises": list(picked), "conclusion": conclusion, "text": "" if final else written})
    added = [(f"{OWN}{number}", text) for number, text in own if text]
    new = " ".join(fields.text("new").split())
    offered = dict(_offered_own(item))
    if name == "add-own" and new:
        added.append((_free(OWN, {*offered, *(identifier for identifier, _ in added)}), new))
    used = {premise for step in steps for premise in step["premises"]}
    brought = [(name, text) for name, text in offered.items() if name in used]
    sentences = [{"id": name, "text": text} for name, text in (*brought, *added)]
    # In revision a page without steps is one on which all were taken back: the reviewed tree does not return.
    return {"steps": steps, "sentences": sentences} if steps or sentences or item.get("tree") else None


def _step(row: Fields) -> dict[str, Json]:
    return {
        "premises": row.text("premises").split(),
        "conclusion": row.text("conclusion"),
        "text": " ".join(row.text("text").split()),
    }


def _free(kind: str, taken: set[str]) -> str:
    return next(f"{kind}{number}" for number in range(1, len(taken) + 2) if f"{kind}{number}" not in taken)


def view(
    _field: Write, value: Json, item: Mapping[str, Json], _operation: str, _relations: Sequence[Relation]
) -> TreeView:
    """The tree so far; in revision, that which was reviewed, with what was said of its steps."""
    begun = value if value is not None else item.get("tree")
    tree = begun if isinstance(begun, Mapping) else {}
    steps, own = objects(tree.get("steps")), objects(tree.get("sentences"))
    lines = _lines(steps, own, item)
    texts = {line.id: line.text for line in lines}
    remarks = _remarks(item)
    rows = tuple(
        StepRow(
            tuple((string(name), texts.get(string(name), "?")) for name in _names(step.get("premises"))),
            string(step.get("conclusion")),
            string(step.get("text")),
            remarks.get(f"/tree/steps/{number}", "") if value is None else "",
        )
        for number, step in enumerate(steps)
    )
    done = any(row.conclusion == HYPOTHESIS for row in rows)
    return TreeView(rows, lines, _added(own, item), string(item.get("hypothesis")), done)


def _added(own: Sequence[Mapping[str, Json]], item: Mapping[str, Json]) -> tuple[tuple[int, str], ...]:
    """The sentences that a tree brings along and no worksheet offers, by the numbers of their names."""
    offered = dict(_offered_own(item))
    named = ((string(one.get("id")), string(one.get("text"))) for one in own)
    return tuple(
        (number, text)
        for name, text in named
        if name not in offered and name.startswith(OWN)
        if (number := typed_number(name.removeprefix(OWN))) is not None
    )


def _lines(
    steps: Sequence[Mapping[str, Json]], own: Sequence[Mapping[str, Json]], item: Mapping[str, Json]
) -> tuple[Line, ...]:
    used = {string(name) for step in steps for name in _names(step.get("premises"))}
    sheet = item.get("worksheet")
    categories = sheet.get("categories") if isinstance(sheet, Mapping) else {}
    categories = categories if isinstance(categories, Mapping) else {}
    found = [
        (string(fact.get("id")), string(fact.get("text")), "fact", string(categories.get(fact.get("id"))))
        for fact in objects(item.get("context"))
    ]
    found.sort(key=lambda fact: not fact[3])  # what is on the worksheet comes first
    offered = dict(_offered_own(item)) | {string(one.get("id")): string(one.get("text")) for one in own}
    found += [(name, text, "own", "") for name, text in offered.items()]
    concluded = [step for step in steps if string(step.get("conclusion")) != HYPOTHESIS]
    found += [(string(step.get("conclusion")), string(step.get("text")), "conclusion", "") for step in concluded]
    # What was concluded and waits to be used comes before everything: a tree goes on from there.
    found.sort(key=lambda line: line[2] != "conclusion" or line[0] in used)
    return tuple(Line(name, text, kind, category, name in used) for name, text, kind, category in found)


def _offered_own(item: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Facts that were added on the worksheet, under names of their own."""
    sheet = item.get("worksheet")
    facts = sheet.get("facts") if isinstance(sheet, Mapping) else ()
    return [(f"{OWN}{number}", string(text)) for number, text in enumerate(facts or (), start=1)]


def _remarks(item: Mapping[str, Json]) -> dict[str, str]:
    """What a review said of each step that it did not like, by pointer."""
    return {
        string(one.get("part")): string(one.get("remark")) or string(one.get("answer"))
        for one in objects(item.get("review"))
    }


def _names(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list | tuple) else []
