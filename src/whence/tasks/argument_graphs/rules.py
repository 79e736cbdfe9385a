"""When an argument graph is well-formed (ExplaGraphs, sec. 3)."""

from __future__ import annotations

from collections.abc import Sequence

from whence.checks.graph import (
    ACYCLIC,
    CONNECTED,
    PAIR_ONCE,
    GraphRule,
    concept_length,
    concepts_from_texts,
    edge_count,
    relation_known,
    stance_known,
)
from whence.structures.graph import Argument, StanceGraph
from whence.tasks.argument_graphs.data.files import RELATIONS, STANCES
from whence.tasks.dataset import Dataset

_SHARED = (concept_length(3), relation_known(RELATIONS), concepts_from_texts(2), CONNECTED, ACYCLIC)

_RULES: dict[str, tuple[GraphRule, ...]] = {
    # The released evaluator has no upper limit of edges and keeps the last of two edges on one pair.
    "official": (stance_known(STANCES), edge_count(3, None), *_SHARED),
    "paper": (stance_known(STANCES), edge_count(3, 8), *_SHARED, PAIR_ONCE),
}


def rules(protocol: str, _: Dataset[Argument, StanceGraph]) -> Sequence[GraphRule]:
    """The rules of the released evaluator or of the paper."""
    return _RULES[protocol]
