"""What a worker has earned."""

from __future__ import annotations

from dataclasses import dataclass

from whence.collection.collection import Collection
from whence.collection.earning import APPROVED, PAID, PENDING, REJECTED, ledger_lines, total
from whence.collection.transaction import worker_row


@dataclass(frozen=True, slots=True)
class Earned:
    """Amounts by the state of pay, in minor units."""

    currency: str
    lines: int
    by_state: tuple[tuple[str, int], ...]


def earned(collection: Collection, worker: str) -> Earned:
    """The lines of the ledger that are a worker's."""
    with collection.reading() as tx:
        own = worker_row(tx, worker).id
        lines = [line for line in ledger_lines(tx) if line.worker_id == own]
    states = (PENDING, APPROVED, PAID, REJECTED)
    by_state = ((state, [line for line in lines if line.state == state]) for state in states)
    return Earned(
        collection.configuration.currency,
        len(lines),
        tuple((state, total(found)) for state, found in by_state if found),
    )
