"""Runs migrations on the connection that is handed in."""

from alembic import context

from whence.collection.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transaction_per_migration=False,
    render_as_batch=True,
)
context.run_migrations()
