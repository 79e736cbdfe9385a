"""Who may come in: administrators by password, workers by links; sessions that the server keeps.

Nothing that opens a door is kept as it is: passwords by argon2, tokens by their digests.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import delete, func, select, update

from whence.collection import tables
from whence.collection.collection import Collection, enter
from whence.collection.refusals import NotEligibleError
from whence.collection.transaction import ADMINISTRATOR, AnyRow, Transaction, worker_row
from whence.errors import UsageError

Kind = Literal["worker", "administrator"]

SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 200
_DAY = 24 * 3600 * 1000
_LASTS: Mapping[Kind, int] = {"worker": 30 * _DAY, "administrator": _DAY}
_USED = "This link was used already, or never was one of ours. Ask whoever sent it for another."
PLATFORMS: Mapping[str, str] = {"prolific": "PROLIFIC_PID", "other": "id"}
"""Crowd platforms, and the parameter of a link in which each says who comes."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is in."""

    kind: Kind
    who: str
    """The token of a worker, or the name of an administrator."""
    study: str = ""
    """The study of a crowd platform through which a worker came."""


@dataclass(frozen=True, slots=True)
class Study:
    """A study of a crowd platform, and the code that says there that the work is done."""

    name: str
    platform: str
    code: str

    @property
    def parameter(self) -> str:
        """Of links: who comes."""
        return PLATFORMS[self.platform]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# Links


def invite(collection: Collection, kind: Kind = "worker", name: str = "") -> str:
    """The secret of a link that lets one person in, once."""
    secret = secrets.token_urlsafe(18)

    def keep(tx: Transaction) -> str:
        tx.add(tables.invites, digest=_digest(secret), kind=kind, name=name, at=tx.now)
        tx.log("invited", ADMINISTRATOR, {"kind": kind, "name": name})
        return secret

    return collection.write(keep)


def invited(collection: Collection, secret: str) -> Kind:
    """What an invitation is for; it is not used up."""
    with collection.reading() as tx:
        return _kind(_invitation(tx, secret))


def accept_worker(collection: Collection, secret: str) -> str:
    """Uses an invitation up, and lets a worker in: the token of a new session."""

    def come(tx: Transaction) -> str:
        found = _used_up(tx, secret, "worker")
        return opened(tx, Session("worker", enter(tx, found.name)))

    return collection.write(come)


def accept_administrator(collection: Collection, secret: str, name: str, password: str) -> str:
    """Uses an invitation up, and makes an administrator: the token of a new session."""
    kept = hashed(password)
    if not name.strip() or len(name) > 80:
        raise UsageError("an administrator needs a name of at most 80 letters")

    def come(tx: Transaction) -> str:
        _used_up(tx, secret, "administrator")
        if tx.first(select(tables.administrators).where(tables.administrators.c.name == name)) is not None:
            raise UsageError(f"there is an administrator {name} already; take another name")
        tx.add(tables.administrators, name=name, password=kept, at=tx.now)
        tx.log("became an administrator", name)
        return opened(tx, Session("administrator", name))

    return collection.write(come)


def _invitation(tx: Transaction, secret: str) -> AnyRow:
    invites = tables.invites.c
    row = tx.first(select(tables.invites).where(invites.digest == _digest(secret), invites.used_at.is_(None)))
    if row is None:
        raise NotEligibleError(_USED)
    return row


def _kind(row: AnyRow) -> Kind:
    return "administrator" if row.kind == "administrator" else "worker"


def _used_up(tx: Transaction, secret: str, kind: Kind) -> AnyRow:
    found, invites = _invitation(tx, secret), tables.invites.c
    if found.kind != kind:
        raise NotEligibleError(_USED)
    taken = tx.connection.execute(
        update(tables.invites).where(invites.id == found.id, invites.used_at.is_(None)).values(used_at=tx.now)
    )
    if not taken.rowcount:  # somebody was faster by a moment
        raise NotEligibleError(_USED)
    return found


# Crowd platforms


def new_study(collection: Collection, name: str, platform: str, code: str) -> str:
    """Lets people of a crowd platform in: the key of the study's link, which shows that it came from here."""
    if platform not in PLATFORMS:
        raise UsageError(f"there is no platform {platform}; there are {', '.join(PLATFORMS)}")
    if not name.strip() or len(name) > 80 or "/" in name:
        raise UsageError("a study needs a name of at most 80 letters, without a slash")
    key = secrets.token_urlsafe(18)

    def keep(tx: Transaction) -> str:
        if tx.first(select(tables.studies).where(tables.studies.c.name == name)) is not None:
            raise UsageError(f"there is a study {name} already")
        tx.add(tables.studies, name=name, platform=platform, code=code, digest=_digest(key), at=tx.now)
        tx.log("study made", ADMINISTRATOR, {"name": name, "platform": platform})
        return key

    return collection.write(keep)


def study_named(collection: Collection, name: str) -> Study | None:
    """The study of that name."""
    with collection.reading() as tx:
        row = _study(tx, name)
        return None if row is None else Study(row.name, row.platform, row.code)


def _study(tx: Transaction, name: str) -> AnyRow | None:
    return tx.first(select(tables.studies).where(tables.studies.c.name == name))


def accept_from_platform(collection: Collection, name: str, key: str, person: str) -> str:
    """Lets somebody of a platform in by a link of ours: the token of a new session. Who comes again is known."""
    if not person or len(person) > 200:
        raise NotEligibleError("The link does not say who you are. Open it from the platform once more.")

    def come(tx: Transaction) -> str:
        row = _study(tx, name)
        if row is None or not hmac.compare_digest(row.digest, _digest(key)):
            raise NotEligibleError("This is no link of ours.")
        worker = enter(tx, platform=row.platform, platform_id=person)
        return opened(tx, Session("worker", worker, row.name))

    return collection.write(come)


# Passwords


def hashed(password: str) -> str:
    """A password as it is kept."""
    from argon2 import PasswordHasher

    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise UsageError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} letters")
    return PasswordHasher().hash(password)


def log_in(collection: Collection, name: str, password: str) -> str:
    """The token of a new session of an administrator."""
    from argon2 import PasswordHasher
    from argon2.exceptions import VerificationError

    with collection.reading() as tx:
        row = tx.first(select(tables.administrators).where(tables.administrators.c.name == name))
    # A name that is none takes as long as a wrong password: nobody can tell the two apart.
    kept = row.password if row is not None else _nobodys_password()
    try:
        PasswordHasher().verify(kept, password[:LONGEST_PASSWORD])
    except VerificationError:
        raise NotEligibleError("Name or password is wrong.") from None
    if row is None:
        raise NotEligibleError("Name or password is wrong.")
    return collection.write(lambda tx: opened(tx, Session("administrator", name)))


_NOBODYS: list[str] = []


def _nobodys_password() -> str:
    if not _NOBODYS:
        _NOBODYS.append(hashed(secrets.token_urlsafe(18)))
    return _NOBODYS[0]


def has_administrator(collection: Collection) -> bool:
    """Whether somebody can log in."""
    with collection.reading() as tx:
        return bool(tx.value(select(func.count()).select_from(tables.administrators)))


# Sessions


def form_key(collection: Collection) -> bytes:
    """What forms are signed with, the same for all processes that serve a collection; made on first use."""

    def kept(tx: Transaction) -> str:
        row = tx.first(select(tables.keys.c.value).where(tables.keys.c.name == "forms"))
        if row is not None:
            return str(row.value)
        value = secrets.token_hex(32)
        tx.connection.execute(tables.keys.insert().values(name="forms", value=value))
        return value

    return bytes.fromhex(collection.write(kept))


def opened(tx: Transaction, session: Session) -> str:
    """The token of a new session."""
    token = secrets.token_urlsafe(24)
    worker = worker_row(tx, session.who).id if session.kind == "worker" else None
    tx.add(
        tables.sessions,
        digest=_digest(token),
        kind=session.kind,
        worker_id=worker,
        administrator=session.who if session.kind == "administrator" else "",
        study=session.study,
        at=tx.now,
        expires_at=tx.now + _LASTS[session.kind],
    )
    tx.connection.execute(delete(tables.sessions).where(tables.sessions.c.expires_at <= tx.now))
    return token


def session_of(collection: Collection, token: str) -> Session | None:
    """Who a session is of, if it lasts still and they may still come in."""
    sessions, workers = tables.sessions.c, tables.workers.c
    query = (
        select(tables.sessions, workers.token)
        .outerjoin(tables.workers, workers.id == sessions.worker_id)
        .where(sessions.digest == _digest(token))
    )
    with collection.reading() as tx:
        row = tx.first(query)
        if row is None or row.expires_at <= tx.now:
            return None
    if row.kind == "administrator":
        return Session("administrator", row.administrator)
    return Session("worker", str(row.token), row.study)


def log_out(collection: Collection, token: str) -> None:
    """Ends a session."""
    collection.write(
        lambda tx: tx.connection.execute(delete(tables.sessions).where(tables.sessions.c.digest == _digest(token)))
    )
