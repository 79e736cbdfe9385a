"""When a ranking or a set of facts is well-formed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whence.checks.facts import FACT_ONCE, NOT_EMPTY, FactRule, fact_known, role_known
from whence.tasks.dataset import Dataset
from whence.tasks.ranked_facts.data.files import ROLES


def rules(_protocol: str, dataset: Dataset[Any, Any]) -> Sequence[FactRule]:
    """Facts once each and, where the table store is at hand, facts that it has."""
    known = (fact_known(dataset.facts),) if dataset.facts else ()
    return (NOT_EMPTY, FACT_ONCE, *known, role_known(ROLES))
