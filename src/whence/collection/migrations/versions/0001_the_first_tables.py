"""The first tables, and triggers that keep what was said once as it was said."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

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


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "configurations",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("hash", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_configurations")),
    )
    op.create_table(
        "stages",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_stages")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), server_default="", nullable=False),
        sa.Column("platform_id", sa.Text(), server_default="", nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
        sa.UniqueConstraint("token", name=op.f("uq_workers_token")),
    )
    with op.batch_alter_table("workers", schema=None) as batch_op:
        batch_op.create_index(
            "uq_workers_platform",
            ["platform", "platform_id"],
            unique=True,
            sqlite_where=sa.text("platform_id != ''"),
            postgresql_where=sa.text("platform_id != ''"),
        )

    op.create_table(
        "artifacts",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=80), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), server_default="", nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("root", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("source", sa.String(length=80), nullable=False),
        sa.Column("history", sa.JSON(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("configuration_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["configuration_id"], ["configurations.id"], name=op.f("fk_artifacts_configuration_id")
        ),
        sa.ForeignKeyConstraint(["parent_id"], ["artifacts.id"], name=op.f("fk_artifacts_parent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artifacts")),
    )
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_artifacts_configuration_id"), ["configuration_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_artifacts_parent_id"), ["parent_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_artifacts_root"), ["root"], unique=False)
        batch_op.create_index(batch_op.f("ix_artifacts_submission_id"), ["submission_id"], unique=False)
        batch_op.create_index(
            "uq_artifacts_imported",
            ["source", "name"],
            unique=True,
            sqlite_where=sa.text("origin = 'import'"),
            postgresql_where=sa.text("origin = 'import'"),
        )

    op.create_table(
        "qualifications",
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_qualifications_worker_id")),
        sa.PrimaryKeyConstraint("worker_id", "name", name=op.f("pk_qualifications")),
    )
    op.create_table(
        "fates",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("artifact_id", sa.Integer(), nullable=False),
        sa.Column("fate", sa.String(length=20), nullable=False),
        sa.Column("stage", sa.String(length=80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifacts.id"], name=op.f("fk_fates_artifact_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fates")),
        sa.UniqueConstraint("artifact_id", name=op.f("uq_fates_artifact_id")),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("stage", sa.String(length=80), nullable=False),
        sa.Column("artifact_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifacts.id"], name=op.f("fk_jobs_artifact_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("stage", "artifact_id", name=op.f("uq_jobs_stage_artifact_id")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_jobs_artifact_id"), ["artifact_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_jobs_stage"), ["stage"], unique=False)

    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(length=40), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("votes", sa.JSON(), nullable=False),
        sa.Column("tie", sa.Boolean(), nullable=False),
        sa.Column("route", sa.String(length=80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_decisions_job_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
        sa.UniqueConstraint("job_id", name=op.f("uq_decisions_job_id")),
    )
    op.create_table(
        "slots",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=True),
        sa.Column("reserved_id", sa.Integer(), nullable=True),
        sa.Column("leased_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_slots_job_id")),
        sa.ForeignKeyConstraint(["reserved_id"], ["workers.id"], name=op.f("fk_slots_reserved_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_slots_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slots")),
        sa.UniqueConstraint("job_id", "number", name=op.f("uq_slots_job_id_number")),
        sa.UniqueConstraint("token", name=op.f("uq_slots_token")),
    )
    with op.batch_alter_table("slots", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_slots_job_id"), ["job_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_slots_reserved_id"), ["reserved_id"], unique=False)
        batch_op.create_index("ix_slots_stage_state", ["stage", "state"], unique=False)
        batch_op.create_index(batch_op.f("ix_slots_worker_id"), ["worker_id"], unique=False)
        batch_op.create_index(
            "uq_slots_job_worker",
            ["job_id", "worker_id"],
            unique=True,
            sqlite_where=sa.text("worker_id IS NOT NULL AND purpose != 'test'"),
            postgresql_where=sa.text("worker_id IS NOT NULL AND purpose != 'test'"),
        )

    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("slot_id", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("verdict", sa.JSON(), nullable=False),
        sa.Column("fooled", sa.Boolean(), nullable=True),
        sa.Column("outcome", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["slot_id"], ["slots.id"], name=op.f("fk_attempts_slot_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_attempts_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
        sa.UniqueConstraint("key", name=op.f("uq_attempts_key")),
    )
    with op.batch_alter_table("attempts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attempts_slot_id"), ["slot_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_attempts_worker_id"), ["worker_id"], unique=False)

    op.create_table(
        "drafts",
        sa.Column("slot_id", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["slot_id"], ["slots.id"], name=op.f("fk_drafts_slot_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_drafts_worker_id")),
        sa.PrimaryKeyConstraint("slot_id", "worker_id", name=op.f("pk_drafts")),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("slot_id", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=80), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.Column("configuration_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["configuration_id"], ["configurations.id"], name=op.f("fk_submissions_configuration_id")
        ),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_submissions_job_id")),
        sa.ForeignKeyConstraint(["slot_id"], ["slots.id"], name=op.f("fk_submissions_slot_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_submissions_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("key", name=op.f("uq_submissions_key")),
    )
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submissions_configuration_id"), ["configuration_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_job_id"), ["job_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_slot_id"), ["slot_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_stage"), ["stage"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_worker_id"), ["worker_id"], unique=False)

    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=True),
        sa.Column("job_id", sa.Integer(), nullable=True),
        sa.Column("slot_id", sa.Integer(), nullable=True),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_events_job_id")),
        sa.ForeignKeyConstraint(["slot_id"], ["slots.id"], name=op.f("fk_events_slot_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_events_submission_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_events_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_events_job_id"), ["job_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_events_kind"), ["kind"], unique=False)
        batch_op.create_index(batch_op.f("ix_events_slot_id"), ["slot_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_events_submission_id"), ["submission_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_events_worker_id"), ["worker_id"], unique=False)

    op.create_table(
        "judgements",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Integer(), nullable=False),
        sa.Column("artifact_id", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=80), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifacts.id"], name=op.f("fk_judgements_artifact_id")),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_judgements_job_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_judgements_submission_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_judgements_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgements")),
    )
    with op.batch_alter_table("judgements", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judgements_artifact_id"), ["artifact_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_job_id"), ["job_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_stage"), ["stage"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_submission_id"), ["submission_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgements_worker_id"), ["worker_id"], unique=False)

    op.create_table(
        "pay",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("line", sa.String(length=40), nullable=False),
        sa.Column("worker_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_pay_submission_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["workers.id"], name=op.f("fk_pay_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pay")),
    )
    with op.batch_alter_table("pay", schema=None) as batch_op:
        batch_op.create_index("ix_pay_line", ["line"], unique=False)
        batch_op.create_index(batch_op.f("ix_pay_submission_id"), ["submission_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_pay_worker_id"), ["worker_id"], unique=False)
        batch_op.create_index(
            "uq_pay_submission",
            ["submission_id"],
            unique=True,
            sqlite_where=sa.text("state = 'pending' AND submission_id IS NOT NULL"),
            postgresql_where=sa.text("state = 'pending' AND submission_id IS NOT NULL"),
        )

    op.create_table(
        "rulings",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("ruling", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_rulings_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rulings")),
    )
    with op.batch_alter_table("rulings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rulings_submission_id"), ["submission_id"], unique=False)

    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION whence_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME; END $$"
        )
    for table in APPEND_ONLY:
        _keep(table)


def _keep(table: str) -> None:
    """Refuses to change or delete a row."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION whence_append_only()"
        )
        return
    for verb in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_kept_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
        )
