"""The tables of a collection's store. Times are milliseconds since 1970, in UTC; money is in minor units.

What is only ever added to (`APPEND_ONLY`) cannot be changed or deleted: triggers of the database see to it.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True, autoincrement=True)


def _to(name: str, *, optional: bool = False) -> Column[int]:
    column, table = name.split("=") if "=" in name else (f"{name}_id", f"{name}s")
    return Column(column, Integer, ForeignKey(f"{table}.id"), nullable=optional, index=True)


def _at() -> Column[int]:
    return Column("at", BigInteger, nullable=False)


configurations = Table(
    "configurations",
    METADATA,
    _id(),
    Column("hash", String(16), nullable=False),
    Column("text", Text, nullable=False),
    _at(),
)
workers = Table(
    "workers",
    METADATA,
    _id(),
    Column("token", String(32), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("platform", Text, nullable=False, server_default=""),
    Column("platform_id", Text, nullable=False, server_default=""),
    Column("active", Boolean, nullable=False),
    _at(),
    Index(
        "uq_workers_platform",
        "platform",
        "platform_id",
        unique=True,
        sqlite_where=text("platform_id != ''"),
        postgresql_where=text("platform_id != ''"),
    ),
)
stages = Table(
    "stages",
    METADATA,
    Column("name", String(80), primary_key=True),
    Column("open", Boolean, nullable=False),
)
artifacts = Table(
    "artifacts",
    METADATA,
    _id(),
    Column("kind", String(80), nullable=False),
    Column("name", Text, nullable=False),
    Column("part", Text, nullable=False, server_default=""),
    Column("payload", JSON, nullable=False),
    _to("parent_id=artifacts", optional=True),
    Column("root", Text, nullable=False, index=True),
    Column("origin", String(20), nullable=False),
    Column("source", String(80), nullable=False),
    Column("history", JSON, nullable=False),
    # No foreign key: submissions are of jobs, jobs of artifacts, and tables cannot wait for each other.
    Column("submission_id", Integer, nullable=True, index=True),
    _to("configuration"),
    _at(),
    # The same item comes in once, however often its file is read.
    Index(
        "uq_artifacts_imported",
        "source",
        "name",
        unique=True,
        sqlite_where=text("origin = 'import'"),
        postgresql_where=text("origin = 'import'"),
    ),
)
fates = Table(
    "fates",
    METADATA,
    _id(),
    Column("artifact_id", Integer, ForeignKey("artifacts.id"), nullable=False, unique=True),
    Column("fate", String(20), nullable=False),
    Column("stage", String(80), nullable=False),
    _at(),
)
jobs = Table(
    "jobs",
    METADATA,
    _id(),
    Column("stage", String(80), nullable=False, index=True),
    _to("artifact"),
    Column("state", String(20), nullable=False),
    _at(),
    UniqueConstraint("stage", "artifact_id"),
)
slots = Table(
    "slots",
    METADATA,
    _id(),
    Column("token", String(32), nullable=False, unique=True),
    _to("job"),
    Column("stage", String(80), nullable=False),
    Column("number", Integer, nullable=False),
    Column("purpose", String(20), nullable=False),
    Column("state", String(20), nullable=False),
    _to("worker", optional=True),
    _to("reserved_id=workers", optional=True),
    Column("leased_at", BigInteger, nullable=True),
    Column("expires_at", BigInteger, nullable=True),
    UniqueConstraint("job_id", "number"),
    Index("ix_slots_stage_state", "stage", "state", "job_id", "number"),
    # One person does a job once, whatever two requests at the same moment may try.
    Index(
        "uq_slots_job_worker",
        "job_id",
        "worker_id",
        unique=True,
        sqlite_where=text("worker_id IS NOT NULL AND purpose != 'test'"),
        postgresql_where=text("worker_id IS NOT NULL AND purpose != 'test'"),
    ),
)
drafts = Table(
    "drafts",
    METADATA,
    Column("slot_id", Integer, ForeignKey("slots.id"), primary_key=True),
    Column("worker_id", Integer, ForeignKey("workers.id"), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("payload", JSON, nullable=False),
    _at(),
)
submissions = Table(
    "submissions",
    METADATA,
    _id(),
    Column("key", String(80), nullable=False, unique=True),
    _to("slot"),
    _to("job"),
    _to("worker"),
    Column("stage", String(80), nullable=False, index=True),
    Column("payload", JSON, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("flags", JSON, nullable=False),
    Column("outcome", JSON, nullable=False),
    Column("milliseconds", BigInteger, nullable=False),
    _to("configuration"),
    _at(),
)
attempts = Table(
    "attempts",
    METADATA,
    _id(),
    Column("key", String(80), nullable=False, unique=True),
    _to("slot"),
    _to("worker"),
    Column("number", Integer, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("model", Text, nullable=False),
    Column("verdict", JSON, nullable=False),
    Column("fooled", Boolean, nullable=True),
    Column("outcome", JSON, nullable=False),
    _at(),
)
rulings = Table(
    "rulings",
    METADATA,
    _id(),
    _to("submission"),
    Column("ruling", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    Column("by", Text, nullable=False),
    _at(),
)
judgements = Table(
    "judgements",
    METADATA,
    _id(),
    _to("submission"),
    _to("job"),
    _to("artifact"),
    _to("worker"),
    Column("stage", String(80), nullable=False, index=True),
    Column("item", Text, nullable=False),
    Column("part", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("remark", Text, nullable=False),
)
decisions = Table(
    "decisions",
    METADATA,
    _id(),
    Column("job_id", Integer, ForeignKey("jobs.id"), nullable=False, unique=True),
    Column("rule", String(40), nullable=False),
    Column("outcome", Text, nullable=False),
    Column("votes", JSON, nullable=False),
    Column("tie", Boolean, nullable=False),
    Column("route", String(80), nullable=False),
    _at(),
)
qualifications = Table(
    "qualifications",
    METADATA,
    Column("worker_id", Integer, ForeignKey("workers.id"), primary_key=True),
    Column("name", String(80), primary_key=True),
    Column("held", Boolean, nullable=False),
    Column("score", Float, nullable=True),
    Column("reason", Text, nullable=False),
    Column("by", Text, nullable=False),
    _at(),
)
pay = Table(
    "pay",
    METADATA,
    _id(),
    Column("line", String(40), nullable=False),
    _to("worker"),
    _to("submission", optional=True),
    Column("kind", String(20), nullable=False),
    Column("state", String(20), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("reason", Text, nullable=False),
    Column("by", Text, nullable=False),
    _at(),
    Index("ix_pay_line", "line"),
    # Every submission is one line of the ledger.
    Index(
        "uq_pay_submission",
        "submission_id",
        unique=True,
        sqlite_where=text("state = 'pending' AND submission_id IS NOT NULL"),
        postgresql_where=text("state = 'pending' AND submission_id IS NOT NULL"),
    ),
)
events = Table(
    "events",
    METADATA,
    _id(),
    Column("kind", String(40), nullable=False, index=True),
    Column("by", Text, nullable=False),
    _to("worker", optional=True),
    _to("job", optional=True),
    _to("slot", optional=True),
    _to("submission", optional=True),
    Column("details", JSON, nullable=False),
    _at(),
)

administrators = Table(
    "administrators",
    METADATA,
    _id(),
    Column("name", String(80), nullable=False, unique=True),
    Column("password", Text, nullable=False),
    _at(),
)
invites = Table(
    "invites",
    METADATA,
    _id(),
    Column("digest", String(64), nullable=False, unique=True),
    Column("kind", String(20), nullable=False),
    Column("name", Text, nullable=False),
    Column("used_at", BigInteger),
    _at(),
)
studies = Table(
    "studies",
    METADATA,
    _id(),
    Column("name", String(80), nullable=False, unique=True),
    Column("platform", String(20), nullable=False),
    Column("code", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    _at(),
)
keys = Table(
    "keys",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("value", String(64), nullable=False),
)
sessions = Table(
    "sessions",
    METADATA,
    _id(),
    Column("digest", String(64), nullable=False, unique=True),
    Column("kind", String(20), nullable=False),
    _to("worker", optional=True),
    Column("administrator", Text, nullable=False),
    Column("study", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    _at(),
)

APPEND_ONLY = (
    "configurations",
    "artifacts",
    "fates",
    "submissions",
    "attempts",
    "rulings",
    "judgements",
    "decisions",
    "pay",
    "events",
)
