"""Whether a configuration holds together: names that are used exist, and every stage can be reached and left."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from whence.collection.configuration import DONE, DROPPED, Configuration, Make, Stage
from whence.collection.templates import pointers
from whence.errors import quoted
from whence.tasks import TASKS

Fault = tuple[str, str]
"""Where, and what is wrong there."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_QUESTION = re.compile(r"[A-Za-z0-9_-]{1,60}")  # it names a file of the export

RESERVED = ("answers", "remarks")
"""Parts of an answer that no field may be called."""


def faults(configuration: Configuration) -> Iterator[Fault]:
    """All that is wrong, in the order of the file."""
    yield from _repeated("stages", (stage.name for stage in configuration.stages))
    yield from _repeated("sources", (source.name for source in configuration.sources))
    yield from _repeated("exports", (export.name for export in configuration.exports))
    yield from _repeated("questions", (stage.ask.question for stage in configuration.stages if stage.ask))
    for stage in configuration.stages:
        for where, message in _stage_faults(stage, configuration):
            yield f"stages[{stage.name}].{where}", message
    yield from _qualification_faults(configuration)
    yield from _source_faults(configuration)
    yield from _export_faults(configuration)
    reached = {name for source in configuration.sources for name in source.enters} | {
        target for stage in configuration.stages for target in _targets(stage)
    }
    for stage in configuration.stages:
        if stage.name not in reached and not stage.machine:
            yield f"stages[{stage.name}]", "no source enters it and no stage leads to it"


def _repeated(where: str, names: Iterable[str]) -> Iterator[Fault]:
    for name, count in Counter(names).items():
        if count > 1:
            yield where, f"the name {quoted(name)} {count} times"


def _targets(stage: Stage) -> list[str]:
    return [make.to for make in stage.makes] + [end for route in stage.routes for end in (route.to, route.then)]


def _stage_faults(stage: Stage, configuration: Configuration) -> Iterator[Fault]:
    if not _NAME.fullmatch(stage.name):
        yield "name", f"{quoted(stage.name)}: names have small letters, digits and hyphens, 60 at most"
    if stage.name in (DONE, DROPPED):
        yield "name", f"{quoted(stage.name)}, which is where ways end"
    if not stage.machine:
        yield from _shown_faults(stage)
    yield from _unknown_names(stage, configuration)
    yield from _question_faults(stage)
    yield from _written_faults(stage)
    yield from _decision_faults(stage)
    yield from _route_faults(stage)
    if stage.test is not None and stage.test.gold and stage.ask is None:
        yield "test.gold", "known answers without a question"
    if stage.rules is not None and stage.rules.task not in TASKS:
        yield "rules.task", f"{quoted(stage.rules.task)}, which is no task"
    yield from _overlap_faults(stage)
    if not stage.is_test and not stage.makes and not stage.routes:
        yield "routes", "no way out: neither makes nor routes"
    for make in stage.makes:
        yield from _make_faults(make, stage)


def _shown_faults(stage: Stage) -> Iterator[Fault]:
    """Of what people see and do."""
    if not stage.takes:
        yield "takes", "no kind of artifact"
    if not stage.shows:
        yield "shows", "nothing to be seen"
    for name in stage.called:
        if name not in stage.shows:
            yield "called", f"{quoted(name)}, which is not shown"
    if stage.ask is None and not stage.write:
        yield "ask", "neither a question nor anything to write"


def _unknown_names(stage: Stage, configuration: Configuration) -> Iterator[Fault]:
    """Stages and qualifications that are named and not there."""
    names = {other.name for other in configuration.stages}
    for target in _targets(stage):
        if target not in names | {DONE, DROPPED}:
            yield "routes", f"{quoted(target)}, which is no stage"
    for used in (stage.workers.same_as, *stage.workers.other_than):
        if used and used not in names:
            yield "workers", f"{quoted(used)}, which is no stage"
    known = {qualification.name for qualification in configuration.qualifications}
    for wanted in (*stage.workers.requires, *((stage.test.earns,) if stage.test else ())):
        if wanted not in known:
            yield "workers", f"{quoted(wanted)}, which is no qualification"


def _question_faults(stage: Stage) -> Iterator[Fault]:
    if stage.ask is not None and not _QUESTION.fullmatch(stage.ask.question):
        yield "ask.question", f"{quoted(stage.ask.question)}: a name of letters, digits, - and _ is needed"
    if stage.ask is not None and len(set(stage.ask.answers)) < 2:
        yield "ask.answers", "fewer than two different answers"


def _written_faults(stage: Stage) -> Iterator[Fault]:
    for written in stage.write:
        if written.name in RESERVED:
            yield "write", f"the name {quoted(written.name)}, which answers have already"
        if written.when and (stage.ask is None or written.when not in stage.ask.answers):
            yield "write.when", f"{quoted(written.when)}, which is none of the answers"
        if written.editor == "worksheet" and not written.options:
            yield "write.options", "no categories for the worksheet"


def _decision_faults(stage: Stage) -> Iterator[Fault]:
    if stage.decide is not None and stage.ask is None:
        yield "decide", "a decision without a question"
    if stage.routes and stage.decide is None and not stage.machine:
        yield "routes", "routes without a decision"
    if stage.decide is None or stage.ask is None:
        return
    if stage.decide.rule == "all" and stage.decide.good not in stage.ask.answers:
        yield "decide.good", f"{quoted(stage.decide.good)}, which is none of the answers"
    if stage.decide.rule == "majority" and stage.ask.parts:
        yield "decide.rule", "a majority is of the whole item; make an artifact of each part first"
    if stage.decide.rule == "mean-rounded-up" and not all(label.isdigit() for label in stage.ask.answers):
        yield "decide.rule", "a mean needs answers that are whole numbers"


def _route_faults(stage: Stage) -> Iterator[Fault]:
    """Every outcome has a way, and every way an outcome."""
    outcomes = set(outcomes_of(stage))
    for route in stage.routes:
        if route.when != "*" and outcomes and route.when not in outcomes:
            yield "routes.when", f"{quoted(route.when)}, which is none of {', '.join(sorted(outcomes))}"
    covered = {route.when for route in stage.routes}
    if stage.decide is not None and "*" not in covered and outcomes - covered:
        yield "routes", f"no way for the outcome {quoted(min(outcomes - covered))}"


def outcomes_of(stage: Stage) -> tuple[str, ...]:
    """What a decision of the stage may come to."""
    if stage.decide is None or stage.ask is None:
        return ()
    if stage.decide.rule == "mean-rounded-up":
        return ("rated",)
    if stage.decide.rule == "all":
        return ("all", "not all")
    return ("matches", "differs", "tie") if stage.decide.against else (*stage.ask.answers, "tie")


def _overlap_faults(stage: Stage) -> Iterator[Fault]:
    overlap = stage.overlap
    if overlap.count < 1 or any(count < 1 for count in overlap.counts.values()):
        yield "overlap.count", "fewer than one person"
    if overlap.kind == "margin" and (overlap.margin < 1 or overlap.most < overlap.count):
        yield "overlap", "a margin needs `margin` of 1 or more and `most` not below `count`"
    if overlap.kind in ("margin", "tie-breaker") and stage.ask is None:
        yield "overlap", "a question is needed where people may differ"
    if (overlap.kind == "everyone") != stage.is_test:
        yield "overlap", "`everyone` is for tests, and tests are for everyone"
    if stage.workers.same_as and overlap.kind not in ("fixed", "tie-breaker"):
        yield "workers.same_as", "the same people need a number of people that is known"
    if stage.lease < 1 or stage.pay < 0:
        yield "lease", "a lease of no time, or pay below 0"


def _make_faults(make: Make, stage: Stage) -> Iterator[Fault]:
    roots = {
        "item",
        "answer",
        "name",
        *(("each", "part") if make.each else ()),
        *(("all",) if stage.machine else ()),
    }
    for pointer in pointers(make.payload):
        if pointer.split("/")[1] not in roots and "each" not in pointer.split("/")[1:2]:
            yield "makes.payload", f"{quoted(pointer)}: a pointer starts with /{', /'.join(sorted(roots))}"
    if make.if_decided and stage.decide is None:
        yield "makes.if_decided", "no decision is made here"


def _qualification_faults(configuration: Configuration) -> Iterator[Fault]:
    yield from _repeated("qualifications", (found.name for found in configuration.qualifications))
    names = {stage.name for stage in configuration.stages}
    for found in configuration.qualifications:
        for used in (found.made_at, found.judged_at):
            if used and used not in names:
                yield f"qualifications[{found.name}]", f"{quoted(used)}, which is no stage"
        if bool(found.made_at) != bool(found.judged_at and found.outcome):
            yield f"qualifications[{found.name}]", "made_at, judged_at and outcome go together"


def _source_faults(configuration: Configuration) -> Iterator[Fault]:
    names = {stage.name: stage for stage in configuration.stages}
    for source in configuration.sources:
        where = f"sources[{source.name}]"
        if source.task and source.task not in TASKS:
            yield f"{where}.task", f"{quoted(source.task)}, which is no task"
        for target in source.enters:
            if target not in names:
                yield f"{where}.enters", f"{quoted(target)}, which is no stage"
            elif not names[target].machine and names[target].takes != source.kind:
                yield f"{where}.enters", f"{target} takes {names[target].takes}, not {source.kind}"


def _export_faults(configuration: Configuration) -> Iterator[Fault]:
    for export in configuration.exports:
        where = f"exports[{export.name}]"
        if bool(export.task) == bool(export.row):
            yield where, "either a task or a row is needed, not both"
        if export.task and export.task not in TASKS:
            yield f"{where}.task", f"{quoted(export.task)}, which is no task"
