"""The pages of administrators: how the work goes, what waits to be looked at, who works, what is owed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path
from sqlalchemy import select
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from whence.collection import access, administration, tables
from whence.collection.answers import shown
from whence.collection.exporting import Wanted, archive
from whence.collection.transaction import worker_row
from whence.web.addresses import go_to
from whence.web.collect.items import answered, blocks
from whence.web.collect.sessions import Doors
from whence.web.pages import pages_of
from whence.web.security.guard import Form
from whence.web.typed import MOST, typed_number, typed_text

PAGES = (
    ("/admin", "Progress"),
    ("/admin/look", "To look at"),
    ("/admin/agreement", "Agreement"),
    ("/admin/workers", "People"),
    ("/admin/pay", "Pay"),
    ("/admin/log", "Log"),
    ("/admin/invite", "Invite"),
    ("/admin/export", "Export"),
)
_SHOWN = 50
_DOWNLOAD = {"Content-Disposition": 'attachment; filename="collected.zip"'}
_MOST_BONUS = 1_000_000


def admin_router(doors: Doors) -> APIRouter:
    """The pages at `/admin`, for administrators only."""

    def administrators(request: Request) -> None:
        _by(doors, request)

    router = APIRouter(dependencies=[Depends(administrators)])
    for add in (_progress, _look, _agreement, _workers, _pay, _log, _invite, _export):
        add(router, doors)
    return router


def _show(doors: Doors, request: Request, template: str, **values: Any) -> Response:
    with doors.collection.reading() as tx:
        waiting = administration.how_many_wait(tx)
    return pages_of(request).show(
        request,
        f"collect/admin/{template}.html",
        tabs=PAGES,
        counts={"/admin/look": waiting},
        title=doors.collection.configuration.title,
        currency=doors.collection.configuration.currency,
        who=_by(doors, request),
        **values,
    )


def _by(doors: Doors, request: Request) -> str:
    """Who does something: it stands in the log."""
    return doors.require(request, "administrator").who


def _progress(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin", response_class=Response)
    def progress(request: Request) -> Response:
        with collection.reading() as tx:
            found, hours = administration.progress(tx), administration.throughput(tx)
            now = tx.now
        return _show(doors, request, "progress", stages=found, hours=_last_hours(hours, now))

    @router.post("/admin/stage", response_class=Response)
    def turn(request: Request, form: Form) -> Response:
        by = _by(doors, request)
        collection.set_open(typed_text(form, "stage"), typed_text(form, "to") == "open", by)
        return go_to("/admin")


def _last_hours(hours: dict[str, dict[int, int]], now: int) -> list[tuple[int, int]]:
    """The submissions of the last 24 hours, an hour each."""
    hour = 3_600_000
    last = now // hour * hour
    return [
        (at, sum(found.get(at, 0) for found in hours.values())) for at in range(last - 23 * hour, last + 1, hour)
    ]


def _look(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin/look", response_class=Response)
    def look(request: Request) -> Response:
        with collection.reading() as tx:
            found = administration.waiting(tx)
        rows = []
        for one in found[:_SHOWN]:
            stage = collection.configuration.stage(one.stage)
            seen = blocks(stage, shown(stage, one.payload))
            rows.append((one, stage, seen, answered(stage, one.payload, one.answer)))
        return _show(doors, request, "look", rows=rows, left=max(0, len(found) - _SHOWN))

    @router.post("/admin/look/{submission}", response_class=Response)
    def rule(request: Request, submission: Annotated[int, Path(ge=1, le=MOST)], form: Form) -> Response:
        by, reason = _by(doors, request), typed_text(form, "reason")
        rulings: dict[str, Callable[[], None]] = {
            "accept": lambda: collection.accept(submission, by, reason),
            "return": lambda: collection.send_back(submission, by, _needed(reason)),
            "feedback": lambda: collection.give_feedback(submission, by, _needed(reason)),
            "exclude": lambda: collection.exclude(submission, by, _needed(reason)),
        }
        _one_of(rulings, typed_text(form, "do"))()
        return go_to("/admin/look")


def _agreement(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin/agreement", response_class=Response)
    def agreement(request: Request) -> Response:
        with collection.reading() as tx:
            measured, differing = administration.agreement(tx), administration.disagreements(tx)
        return _show(
            doors,
            request,
            "agreement",
            questions=measured,
            disagreements=differing[:_SHOWN],
            left=max(0, len(differing) - _SHOWN),
        )


def _workers(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin/workers", response_class=Response)
    def workers(request: Request) -> Response:
        with collection.reading() as tx:
            found = administration.workers(tx)
        return _show(doors, request, "workers", workers=found)

    @router.get("/admin/workers/{worker}", response_class=Response)
    def worker(request: Request, worker: str) -> Response:
        with collection.reading() as tx:
            worker_row(tx, worker)
            about = next(one for one in administration.workers(tx) if one.token == worker)
            events = administration.audit(tx, worker=worker, most=_SHOWN)
            slots = [
                (stage.name, row.name, row.token)
                for stage in collection.configuration.stages
                if not stage.machine
                for row in administration.slots_of(tx, stage.name, ("open", "leased"))[:5]
            ]
        may = [(stage, item, collection.eligible(worker, slot)) for stage, item, slot in slots]
        return _show(
            doors,
            request,
            "worker",
            worker=about,
            offers=collection.stages_for(worker),
            may=may,
            events=events,
            qualifications=collection.configuration.qualifications,
        )

    @router.post("/admin/workers/{worker}", response_class=Response)
    def change(request: Request, worker: str, form: Form) -> Response:
        by, reason = _by(doors, request), typed_text(form, "reason")
        name = typed_text(form, "qualification")
        changes: dict[str, Callable[[], None]] = {
            "give": lambda: collection.qualify(worker, name, by, reason=reason),
            "take": lambda: collection.qualify(worker, name, by, held=False, reason=_needed(reason)),
            "shut out": lambda: collection.set_active(worker, False, by, _needed(reason)),
            "let in": lambda: collection.set_active(worker, True, by, reason),
            "bonus": lambda: collection.add_bonus(worker, _amount(form), by, _needed(reason)),
        }
        _one_of(changes, typed_text(form, "do"))()
        return go_to(f"/admin/workers/{worker}")


def _pay(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin/pay", response_class=Response)
    def pay(request: Request) -> Response:
        with collection.reading() as tx:
            lines = administration.pay(tx)
        sums: dict[str, int] = {}
        for line in lines:
            sums[line.state] = sums.get(line.state, 0) + line.amount
        return _show(doors, request, "pay", lines=lines[::-1][:200], sums=sums, total=len(lines))

    @router.post("/admin/pay", response_class=Response)
    def settle(request: Request, form: Form) -> Response:
        by, reason = _by(doors, request), typed_text(form, "reason")
        if typed_text(form, "do") == "pay out":
            collection.pay_out(by, reason)
        else:
            kind, _, which = typed_text(form, "line").partition("-")
            number = typed_number(which)
            if kind != "submission" or number is None:
                raise HTTPException(422, "Only the pay of a submission can be settled here.")
            collection.settle_pay(number, typed_text(form, "do"), by, _needed(reason))
        return go_to("/admin/pay")


def _log(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin/log", response_class=Response)
    def log(request: Request, after: int = 0) -> Response:
        with collection.reading() as tx:
            events = administration.audit(tx, after=max(0, min(after, MOST)), most=200)
        return _show(doors, request, "log", events=events)


def _invite(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin/invite", response_class=Response)
    def invite(request: Request) -> Response:
        return _invite_page(request, [])

    @router.post("/admin/invite", response_class=Response)
    def invited(request: Request, form: Form) -> Response:
        base = str(request.base_url).rstrip("/")
        if typed_text(form, "do") == "study":
            name, platform = typed_text(form, "name"), typed_text(form, "platform")
            key = access.new_study(collection, name, platform, typed_text(form, "code"))
            parameter = access.PLATFORMS[platform]
            value = "{{%PROLIFIC_PID%}}" if platform == "prolific" else "ID"
            return _invite_page(
                request, [f"{base}/collect/join/{quote(name, safe='')}?key={key}&{parameter}={value}"]
            )
        count = typed_number(typed_text(form, "count") or "1")
        if count is None or not 1 <= count <= 200:
            raise HTTPException(422, "Between 1 and 200 invitations are made at a time.")
        kind: access.Kind = "administrator" if typed_text(form, "kind") == "administrator" else "worker"
        secrets = [access.invite(collection, kind, typed_text(form, "name")) for _ in range(count)]
        return _invite_page(request, [f"{base}/collect/enter/{secret}" for secret in secrets])

    def _invite_page(request: Request, links: list[str]) -> Response:
        with collection.reading() as tx:
            studies = tx.all(select(tables.studies).order_by(tables.studies.c.id))
            unused = len(tx.all(select(tables.invites.c.id).where(tables.invites.c.used_at.is_(None))))
        return _show(
            doors, request, "invite", links=links, studies=studies, unused=unused, platforms=access.PLATFORMS
        )


def _export(router: APIRouter, doors: Doors) -> None:
    collection = doors.collection

    @router.get("/admin/export", response_class=Response)
    def choose(request: Request) -> Response:
        with collection.reading() as tx:
            found = administration.progress(tx)
        under_way = sum(stage.jobs - stage.decided for stage in found)
        return _show(doors, request, "export", under_way=under_way)

    @router.post("/admin/export", response_class=Response)
    def exported(request: Request, form: Form) -> Response:
        wanted = Wanted(
            published="published" in form, platform_ids="platform_ids" in form, timings="timings" in form
        )
        with collection.reading() as tx:
            packed = archive(tx, collection.version, collection.text, wanted)
        details = {"platform_ids": wanted.platform_ids, "timings": wanted.timings}
        by = _by(doors, request)
        collection.write(lambda tx: tx.log("exported", by, details))
        return Response(packed, headers=_DOWNLOAD, media_type="application/zip")


def _needed(reason: str) -> str:
    if not reason:
        raise HTTPException(422, "Say why: the worker reads it, and it stands in the log.")
    return reason


def _amount(form: FormData) -> int:
    amount = typed_number(typed_text(form, "amount"))
    if amount is None or not 0 < amount <= _MOST_BONUS:
        raise HTTPException(422, "An amount is a whole number of minor units, such as cents.")
    return amount


def _one_of(actions: dict[str, Callable[[], None]], name: str) -> Callable[[], None]:
    if name not in actions:
        raise HTTPException(422, "There is no such thing to do.")
    return actions[name]
