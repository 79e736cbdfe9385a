"""Exact graph edit distance: ours and networkx on the same pairs in one run.

    python -m pip install networkx
    WHENCE_DATA=../shared/data python benchmarks/graph_edit_distance.py

Without the published data and the golden folder beside it, only random graphs of the same sizes are compared.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from whence.formats.graphs import parse_graph
from whence.solvers.edit_distance import LabelledGraph, from_graph, graph_edit_distance

HEADER = ("what", "reference", "ours", "ratio")
_RELATIONS = 28
Pair = tuple[LabelledGraph, LabelledGraph]


def run() -> list[tuple[str, ...]]:
    """For each set of pairs: what it is and how many distances agree, networkx's time, ours, and their ratio."""
    rows = []
    for name, pairs in pair_sets().items():
        graph_edit_distance(*pairs[0])  # the first call imports scipy
        seconds, ours = _timed(lambda first, second: graph_edit_distance(first, second).upper, pairs)
        what = f"graph edit distance, {len(pairs)} {name}"
        try:
            reference_seconds, expected = _networkx(pairs)
        except ImportError:
            rows.append((what, "networkx is not installed", f"{seconds:.3f} s", ""))
            continue
        equal = sum(one == other for one, other in zip(ours, expected, strict=True))
        rows.append(
            (
                f"{what} ({equal} equal)",
                f"networkx, {reference_seconds:.3f} s",
                f"{seconds:.3f} s",
                f"{reference_seconds / seconds:.0f}×",
            )
        )
    return rows


def pair_sets() -> dict[str, list[Pair]]:
    """Real pairs where the data is at hand, and random graphs of 3 to 7 edges in any case."""
    found: dict[str, list[Pair]] = {}
    data = Path(os.environ.get("WHENCE_DATA", "../shared/data"))
    golden = data.parent / "golden" / "explagraphs"
    if (golden / "ged_pairs_random.json").is_file():
        pairs = json.loads((golden / "ged_pairs_random.json").read_text("utf-8"))["pairs"]
        found["random pairs of ExplaGraphs gold graphs"] = [
            (_graph(pair["gold"]), _graph(pair["pred"])) for pair in pairs
        ]
    if (golden / "explagraphgen_maxmargin_dev.json").is_file() and (data / "explagraphs/dev.tsv").is_file():
        found["max-margin predictions of ExplaGraphs dev"] = _max_margin(golden, data / "explagraphs/dev.tsv")
    found["random graphs of 3 to 7 edges"] = _random_pairs(60)
    return found


def _max_margin(golden: Path, gold_file: Path) -> list[Pair]:
    labels = json.loads((golden / "explagraphgen_maxmargin_dev.json").read_text("utf-8"))["labels"]
    predicted = (golden / "explagraphgen_maxmargin_dev.preds.tsv").read_text("utf-8").splitlines()
    golds = gold_file.read_text("utf-8").splitlines()
    return [
        (_graph(gold.split("\t")[3]), _graph(line.split("\t")[1]))
        for label, line, gold in zip(labels, predicted, golds, strict=True)
        if label == "struct_correct"
    ]


def _graph(text: str) -> LabelledGraph:
    return from_graph(parse_graph(text.lower()))


def _random_pairs(count: int) -> list[Pair]:
    source = random.Random(0)
    return [(_random_graph(source, 3 + index % 5), _random_graph(source, 3 + index % 5)) for index in range(count)]


def _random_graph(source: random.Random, edge_count: int) -> LabelledGraph:
    """A random tree whose edges lead forward: connected and acyclic, as ExplaGraphs asks; labels rarely agree."""
    nodes = tuple(f"concept {source.randrange(60)}" for _ in range(edge_count + 1))
    edges = {
        (source.randrange(end), end): f"relation {source.randrange(_RELATIONS)}" for end in range(1, len(nodes))
    }
    return LabelledGraph(nodes, edges)


def _networkx(pairs: Sequence[Pair]) -> tuple[float, list[float]]:
    import networkx

    def converted(graph: LabelledGraph) -> Any:
        found = networkx.DiGraph()
        found.add_nodes_from((node, {"label": label}) for node, label in enumerate(graph.nodes))
        found.add_edges_from((start, end, {"label": label}) for (start, end), label in graph.edges.items())
        return found

    def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return bool(one["label"] == other["label"])

    def distance(first: Any, second: Any) -> float:
        return float(networkx.graph_edit_distance(first, second, node_match=same, edge_match=same))

    return _timed(distance, [(converted(first), converted(second)) for first, second in pairs])


def _timed(distance: Callable[[Any, Any], float], pairs: Sequence[tuple[Any, Any]]) -> tuple[float, list[float]]:
    """Seconds of this process, whatever else the machine does, and the distances."""
    started = process_time()
    found = [distance(first, second) for first, second in pairs]
    return process_time() - started, found


def markdown(rows: Sequence[tuple[str, ...]]) -> str:
    """The rows as a table."""
    lines = (HEADER, ("---",) * len(HEADER), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    print(markdown(run()))
