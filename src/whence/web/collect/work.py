"""The pages of workers: what there is to do, and one piece of work."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.collection.access import Session, study_named
from whence.collection.answers import Answer, Found
from whence.collection.assigning import NOTHING
from whence.collection.collection import Collection, Shown, StageOffer
from whence.collection.configuration import Stage
from whence.collection.refusals import StaleDraftError
from whence.collection.submitting import Outcome
from whence.files import Json
from whence.tasks import task_named
from whence.web.addresses import go_to
from whence.web.collect.editors import EDITORS, SCRIPTS
from whence.web.collect.fields import SEPARATOR, Fields
from whence.web.collect.items import asked, blocks, drawn, is_drawn
from whence.web.collect.sessions import Doors
from whence.web.faults import LIVE
from whence.web.pages import capitalize_first, pages_of
from whence.web.security.guard import Form
from whence.web.typed import typed_number, typed_text

FIELD, ANSWER, REMARK = "field", "answer", "remark"

TOLD: Mapping[str, str] = {
    "accepted": "Thank you, that was taken.",
    "submitted": "Thank you. Somebody looks at it, and you hear of it here.",
    "late": "That came late: somebody else had done it meanwhile. It was kept, and is looked at.",
    "returned": "You gave it back. What you wrote is kept for you.",
    "nothing": "There is nothing of this to do at the moment.",
}
"""What came of something, in words."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """What a page says above the work: a line, and whether something has to be done about it."""

    line: str
    urgent: bool = False


def later(offers: Sequence[StageOffer]) -> dict[str, list[str]]:
    """What a worker cannot do now, by what it takes, in words for that worker."""
    tests = {offer.stage.test.earns: offer.stage.title for offer in offers if offer.stage.test is not None}
    found: dict[str, list[str]] = {}
    for offer in offers:
        if not offer.may and not offer.passed:
            found.setdefault(_what_it_takes(offer, tests), []).append(offer.stage.title)
    return found


def _what_it_takes(offer: StageOffer, tests: Mapping[str, str]) -> str:
    if offer.missing:
        first = " and ".join(f"“{tests[name]}”" for name in offer.missing if name in tests)
        return f"After you have passed {first}" if first else "For people who are chosen for it"
    if not offer.opened:
        return "Not open yet"
    return "Nothing at the moment" if offer.reason == NOTHING.reason else capitalize_first(offer.reason)


def work_router(doors: Doors) -> APIRouter:
    """The pages at `/collect` and `/collect/work`."""
    router, collection = APIRouter(), doors.collection

    @router.get("/collect", response_class=Response)
    def tasks(request: Request, state: str = "", stage: str = "", right: float | None = None) -> Response:
        session = doors.require(request, "worker")
        offers = collection.stages_for(session.who)
        return pages_of(request).show(
            request,
            "collect/tasks.html",
            title=collection.configuration.title,
            offers=[offer for offer in offers if offer.may],
            passed=[offer.stage.title for offer in offers if offer.passed],
            others=later(offers),
            notice=_told(state, right),
            again=stage,
            earned=collection.earned(session.who),
            study=study_named(collection, session.study) if session.study else None,
        )

    @router.post("/collect/next", response_class=Response)
    def begin(request: Request, form: Form) -> Response:
        session = doors.require(request, "worker")
        stage = typed_text(form, "stage")
        collection.configuration.stage(stage)
        slot = collection.next_slot(session.who, stage)
        return go_to(f"/collect/work/{slot}" if slot else "/collect?state=nothing")

    @router.get("/collect/work/{slot}", response_class=Response)
    def work(request: Request, slot: str) -> Response:
        session = doors.require(request, "worker")
        shown = collection.open_slot(session.who, slot)
        return _page(request, collection, session, shown, shown.draft, shown.revision)

    @router.post("/collect/work/{slot}", response_class=Response)
    def answer(request: Request, slot: str, form: Form) -> Response:
        session = doors.require(request, "worker")
        return _Answering(request, collection, session, slot, form).respond()

    return router


class _Answering:
    """One form that was sent: kept first, whatever it is for."""

    def __init__(
        self, request: Request, collection: Collection, session: Session, slot: str, form: FormData
    ) -> None:
        self._request, self._collection, self._session = request, collection, session
        self._form = form
        self._shown = collection.open_slot(session.who, slot)
        self._do = typed_text(form, "do") or "save"
        self._answer = read_answer(self._shown.stage, self._shown.item, form, self._do)
        self._revision = _number(form.get("revision"))

    def respond(self) -> Response:
        if self._do == "return":
            return self._give_back()
        if self._do == "submit":
            return self._submit()
        try:
            revision = self._keep()
        except StaleDraftError as error:
            return self._stale(error)
        return self._again(revision, live=LIVE in self._request.headers)

    def _keep(self) -> int:
        return self._collection.save_draft(self._session.who, self._shown.slot, self._answer, self._revision)

    def _give_back(self) -> Response:
        try:
            self._keep()
        except StaleDraftError as error:
            return self._stale(error)
        self._collection.return_slot(self._session.who, self._shown.slot)
        return go_to("/collect?state=returned")

    def _submit(self) -> Response:
        key = typed_text(self._form, "key")
        outcome = self._collection.submit(self._session.who, self._shown.slot, self._answer, key)
        if outcome.state == "refused":
            return self._again(
                outcome.revision, Noticed("It cannot be taken yet: see what is missing.", True), 422
            )
        if outcome.state == "try again":
            return self._again(outcome.revision, _not_fooled(outcome))
        right = "" if outcome.share is None else f"&right={outcome.share:.3f}"
        return go_to(f"/collect?state={outcome.state}&stage={self._shown.stage.name}{right}")

    def _stale(self, error: StaleDraftError) -> Response:
        line = (
            "This was changed in another window meanwhile. What you see here is what you sent just now, and it is "
            "not kept yet: save it to put it in the place of the other, or load the page again to see that one."
        )
        return self._again(error.revision, Noticed(line, True), 409, live=LIVE in self._request.headers)

    def _again(
        self, revision: int, notice: Noticed | None = None, status: int = 200, *, live: bool = False
    ) -> Response:
        operation = self._do.split(SEPARATOR, 2)
        return _page(
            self._request,
            self._collection,
            self._session,
            self._collection.open_slot(self._session.who, self._shown.slot),
            self._answer,
            revision,
            notice=notice,
            status=status,
            operation={operation[1]: operation[2]} if operation[0] == "edit" and len(operation) == 3 else {},
            live=live,
        )


def read_answer(stage: Stage, item: Mapping[str, Json], form: FormData, do: str) -> dict[str, Json]:
    """What the fields of a form amount to, after what a button of an editor asks for."""
    found: dict[str, Json] = {}
    if stage.ask is not None:
        found["answers"] = {_pointer(part): label for part, label in _ending(form, ANSWER).items()}
        if noted := {_pointer(part): text for part, text in _ending(form, REMARK).items()}:
            found["remarks"] = noted
    for field in stage.write:
        operation = do.removeprefix(f"edit:{field.name}:") if do.startswith(f"edit:{field.name}:") else ""
        fields = Fields(form, f"{FIELD}{SEPARATOR}{field.name}")
        value = EDITORS[field.editor].read(fields, item, operation)
        if value is not None:
            found[field.name] = value
    return found


def _ending(form: FormData, prefix: str) -> dict[str, str]:
    return Fields(form, prefix).ending()


def _pointer(part: str) -> str:
    return "" if part == "whole" else part


def _page(
    request: Request,
    collection: Collection,
    session: Session,
    shown: Shown,
    answer: Answer,
    revision: int,
    *,
    notice: Noticed | None = None,
    status: int = 200,
    operation: Mapping[str, str] | None = None,
    live: bool = False,
) -> Response:
    """A piece of work with an answer to it so far; or, of that, only what the server has to say about it."""
    stage, item, operations = shown.stage, shown.item, operation or {}
    found = collection.problems_of(session.who, shown.slot, answer) if _is_begun(answer) else ()
    said_so_far: dict[str, Any] = {
        "slot": shown.slot,
        "stage": stage,
        "problems": _worth_telling(found, notice),
        "drawn": drawn(stage, item, answer),
        "is_drawn": is_drawn(stage),
        "revision": revision,
        "notice": notice,
        "saved": _is_begun(answer) and status == 200,
        "live": live,
    }
    if live:
        return pages_of(request).show(request, "collect/looked.html", status=status, **said_so_far)
    relations = task_named(stage.rules.task).collecting.relations if stage.rules is not None else ()
    editors = [
        (
            field,
            EDITORS[field.editor].view(
                field, answer.get(field.name), item, operations.get(field.name, ""), relations
            ),
        )
        for field in stage.write
    ]
    return pages_of(request).show(
        request,
        "collect/work.html",
        status=status,
        shown=shown,
        blocks=blocks(stage, item),
        asked=asked(stage, item, answer),
        editors=editors,
        scripts=dict.fromkeys(SCRIPTS[field.editor] for field in stage.write if field.editor in SCRIPTS),
        key=secrets.token_urlsafe(18),
        **said_so_far,
    )


def _is_begun(answer: Answer) -> bool:
    return any(bool(value) for value in answer.values())


def _worth_telling(found: tuple[Found, ...], notice: Noticed | None) -> tuple[Found, ...]:
    """All problems once somebody wanted to submit; before, not that questions are open which come later."""
    if notice is not None and notice.urgent:
        return found
    return tuple(one for one in found if "no answer yet" not in one.problem.message)


def _not_fooled(outcome: Outcome) -> Noticed:
    label = outcome.opinion.label if outcome.opinion else ""
    left = f"{outcome.tries_left} {'try' if outcome.tries_left == 1 else 'tries'} left"
    return Noticed(f"The model saw that it is: {label}. Change something and try again, {left}.", True)


def _told(state: str, right: float | None) -> Noticed | None:
    if state not in TOLD:
        return None
    share = "" if right is None else f" {right:.0%} were right."
    return Noticed(TOLD[state] + share)


def _number(value: object) -> int:
    found = typed_number(value)
    if found is None:
        raise HTTPException(422, "The form does not say which draft it changes. Load the page again.")
    return found
