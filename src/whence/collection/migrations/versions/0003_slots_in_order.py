"""Free slots of a stage in the order in which they are given out."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_INDEX = "ix_slots_stage_state"


def upgrade() -> None:
    """The index has the order too."""
    op.drop_index(_INDEX, "slots")
    op.create_index(_INDEX, "slots", ["stage", "state", "job_id", "number"])


def downgrade() -> None:
    """It has not."""
    op.drop_index(_INDEX, "slots")
    op.create_index(_INDEX, "slots", ["stage", "state"])
