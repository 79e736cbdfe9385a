"""When an entailment tree is well-formed."""

from __future__ import annotations

from collections.abc import Sequence

from whence.checks.tree import (
    ALL_USED,
    IN_ORDER,
    KNOWN_IDS,
    NO_CYCLE,
    NOTHING_AFTER,
    ONCE,
    ONE_ROOT,
    PREMISES,
    WORDED,
    TreeRule,
)
from whence.structures.tree import Claim, Tree
from whence.tasks.dataset import Dataset

_SHAPE = (ONE_ROOT, PREMISES, ALL_USED, NO_CYCLE, KNOWN_IDS, NOTHING_AFTER)

_RULES: dict[str, tuple[TreeRule, ...]] = {
    "official": (*_SHAPE, IN_ORDER, ONCE),
    "paper": (*_SHAPE, IN_ORDER, ONCE, WORDED),
}


def rules(protocol: str, _: Dataset[Claim, Tree]) -> Sequence[TreeRule]:
    """What a tree needs for the released scorer to read it as meant; the paper also wants words (sec. 5.1)."""
    return _RULES[protocol]
