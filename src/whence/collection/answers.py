"""What a person sends: read, checked, and taken apart into judgements.

An answer is `{"answers": {PART: LABEL}, "remarks": {PART: TEXT}, FIELD: VALUE}`: what was said to the stage's
question, by part (`""` is the whole item), and what was written into its fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from whence.checks.rule import check
from whence.collection.configuration import Ask, Editor, Rules, Stage, Write
from whence.collection.templates import MISSING, elements, fill
from whence.errors import UsageError, quoted
from whence.files import Json
from whence.structures.dialogue import Triplet
from whence.structures.graph import Graph
from whence.structures.results import Problem
from whence.structures.tree import Tree
from whence.tasks import task_named
from whence.tasks.dataset import Dataset
from whence.tasks.loading import rules_of

Answer = Mapping[str, Json]

MOST_CHARACTERS = 200_000
"""Of an answer as JSON."""
MOST_REMARK = 2_000


@dataclass(frozen=True, slots=True)
class Found:
    """A problem of an answer, and whether it stops the answer from being sent."""

    problem: Problem
    blocks: bool = True


@dataclass(frozen=True, slots=True)
class Worksheet:
    """Facts by the category in which a person expects to need them, and facts that the person adds."""

    categories: Mapping[str, str]
    facts: tuple[str, ...] = ()


_SHAPES: Mapping[Editor, Any] = {
    "text": str,
    "graph": Graph,
    "triplets": tuple[Triplet, ...],
    "tree": Tree,
    "worksheet": Worksheet,
}


def require_storable(answer: Json) -> Answer:
    """The answer, if it is a JSON object of reasonable size that every store can hold."""
    if not isinstance(answer, Mapping):
        raise UsageError("an answer is an object with parts")
    try:
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, TypeError, RecursionError):
        raise UsageError("an answer is made of texts, finite numbers, lists and objects") from None
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"the answer has {len(text):,} characters, at most {MOST_CHARACTERS:,} are taken")
    if "\\u0000" in text:
        raise UsageError("the answer holds a zero character, which cannot be kept")
    return answer


def problems(stage: Stage, item: Json, answer: Answer) -> tuple[Found, ...]:
    """All that is wrong with an answer, what blocks first."""
    found = [*_of_question(stage, item, answer), *_of_fields(stage, answer), *_unknown(stage, answer)]
    if not found and stage.rules is not None:
        found += _of_rules(stage.rules, item, answer, stage)
    return tuple(sorted(found, key=lambda one: not one.blocks))


def parts_asked(ask: Ask, item: Json) -> tuple[str, ...]:
    """Pointers to what the question is asked about."""
    return tuple(elements(item, ask.parts)) if ask.parts else ("",)


def said(answer: Answer) -> dict[str, str]:
    """What was answered, by part."""
    given = answer.get("answers")
    return {str(part): str(label) for part, label in given.items()} if isinstance(given, Mapping) else {}


def remarks(answer: Answer) -> dict[str, str]:
    """What was remarked, by part."""
    given = answer.get("remarks")
    return {str(part): str(text) for part, text in given.items() if text} if isinstance(given, Mapping) else {}


def fields_asked(stage: Stage, answer: Answer) -> tuple[Write, ...]:
    """What is to be written, given what was answered."""
    label = said(answer).get("", "")
    return tuple(field for field in stage.write if not field.when or field.when == label)


def _of_question(stage: Stage, item: Json, answer: Answer) -> Iterator[Found]:
    given, ask = answer.get("answers", {}), stage.ask
    if not isinstance(given, Mapping) or not all(isinstance(label, str) for label in given.values()):
        yield _wrong("/answers", "answers are texts by part")
        return
    asked = parts_asked(ask, item) if ask is not None else ()
    for part in asked:
        label = given.get(part, "")
        if not label:
            yield _wrong(f"/answers{part}", "there is no answer yet")
        elif ask is not None and label not in ask.answers:
            yield _wrong(f"/answers{part}", f"{quoted(label)} is none of {', '.join(ask.answers)}")
    for part in given:
        if part not in asked:
            yield _wrong("/answers", f"{quoted(str(part))} is no part that is asked about")
    noted = answer.get("remarks", {})
    if not isinstance(noted, Mapping) or not all(isinstance(text, str) for text in noted.values()):
        yield _wrong("/remarks", "remarks are texts by part")
        return
    for part, text in noted.items():
        if text and (ask is None or not ask.remarks or part not in asked):
            yield _wrong("/remarks", f"no remark is asked for on {quoted(str(part))}")
        if len(text) > MOST_REMARK:
            yield _wrong(f"/remarks{part}", f"{len(text):,} characters, at most {MOST_REMARK:,} are taken")


def _of_fields(stage: Stage, answer: Answer) -> Iterator[Found]:
    for field in fields_asked(stage, answer):
        value = answer.get(field.name)
        if value is None or value == "" or (isinstance(value, str) and not value.strip()):
            yield _wrong(f"/{field.name}", "nothing was written yet")
            continue
        try:
            read = _shape(field.editor).validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            yield _first_fault(error, f"/{field.name}")
            continue
        if isinstance(read, Worksheet):
            yield from _of_worksheet(field, read)


def _of_worksheet(field: Write, sheet: Worksheet) -> Iterator[Found]:
    for fact, category in sheet.categories.items():
        if category not in field.options:
            yield _wrong(f"/{field.name}/categories", f"{quoted(category)}, for {fact}, is no category")
    for number, text in enumerate(sheet.facts):
        if not text.strip():
            yield _wrong(f"/{field.name}/facts/{number}", "the fact is empty")


def _unknown(stage: Stage, answer: Answer) -> Iterator[Found]:
    known = {"answers", "remarks", *(field.name for field in stage.write)}
    for name in answer:
        if name not in known:
            yield _wrong("", f"{quoted(str(name))} is nothing that was asked for")


def _of_rules(rules: Rules, item: Json, answer: Answer, stage: Stage) -> Iterator[Found]:
    """The task's own rules, where all that they speak of was asked for."""
    asked = {field.name for field in fields_asked(stage, answer)}
    if not asked:
        return
    try:
        inputs, explanation = _typed_by(rules, item, answer)
    except ValidationError as error:
        yield _first_fault(error)
        return
    for problem in check(inputs, explanation, rules_of(task_named(rules.task), rules.protocol, Dataset((), ()))):
        yield Found(problem, problem.rule not in rules.warn)


def _typed_by(rules: Rules, item: Json, answer: Answer) -> tuple[Any, Any]:
    """What rules speak of, as the task's own values: inputs and explanation."""
    task, scope = task_named(rules.task), {"item": item, "answer": answer}
    inputs = _typed(task.inputs, fill(rules.inputs, scope))
    return inputs, _typed(task.explanation, fill(rules.explanation, scope))


def _first_fault(error: ValidationError, before: str = "") -> Found:
    fault = error.errors(include_url=False, include_context=False)[0]
    where = "".join(f"/{step}" for step in fault["loc"])
    return _wrong(f"{before}{where}", f"{fault['msg'][:1].lower()}{fault['msg'][1:]}")


def _wrong(where: str, message: str) -> Found:
    return Found(Problem("form", where, message))


def _typed(form: Any, value: Json) -> Any:
    return _adapter(form).validate_json(json.dumps({} if value is MISSING else value), strict=True)


@cache
def _adapter(form: Any) -> TypeAdapter[Any]:
    return TypeAdapter(form)


def _shape(editor: Editor) -> TypeAdapter[Any]:
    return _adapter(_SHAPES[editor])


def explanation_of(stage: Stage, item: Json, answer: Answer) -> tuple[Any, Any] | None:
    """What the stage's rules check, as the task's own values, to be drawn; None where it cannot be read."""
    if stage.rules is None:
        return None
    try:
        return _typed_by(stage.rules, item, answer)
    except ValidationError:
        return None


def share_right(gold: Mapping[str, Any], given: Mapping[str, str], within: float) -> float:
    """The share of the known answers that were given; a rating may be off by `within`."""
    right = sum(_is_right(str(label), given.get(part, ""), within) for part, label in gold.items())
    return right / len(gold) if gold else 0.0


def _is_right(known: str, given: str, within: float) -> bool:
    if known == given:
        return True
    try:
        return within > 0 and abs(float(known) - float(given)) <= within
    except ValueError:
        return False


def shown(stage: Stage, item: Mapping[str, Json]) -> dict[str, Json]:
    """The parts of an artifact that people see at a stage: those that are named, and no others."""
    return {name: item[name] for name in stage.shows if name in item}
