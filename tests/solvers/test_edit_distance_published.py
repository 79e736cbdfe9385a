"""Edit distances of published graphs and trees: what networkx gave, and proofs in good time."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import pytest

from whence.formats.graphs import parse_graph
from whence.formats.proofs import parse_proof
from whence.solvers.edit_distance import LabelledGraph, edit_cost, from_graph, graph_edit_distance
from whence.structures.tree import HYPOTHESIS, Tree, conclusions

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="session")
def golden(real_data: Path) -> Path:
    folder = real_data.parent / "golden"
    if not folder.is_dir():
        pytest.skip("no golden folder beside the folder of published data")
    return folder


def graph(text: str) -> LabelledGraph:
    return from_graph(parse_graph(text.lower()))


def from_tree(tree: Tree) -> LabelledGraph:
    """Sentences are nodes, what steps conclude on the way is unlabelled, edges lead from premise to conclusion."""
    inner = set(conclusions(tree)) - {HYPOTHESIS}
    ids = list(dict.fromkeys(name for step in tree.steps for name in (*step.premises, step.conclusion)))
    arrows = [(premise, step.conclusion) for step in tree.steps for premise in step.premises]
    return LabelledGraph(
        tuple(None if name in inner else name for name in ids),
        {(ids.index(premise), ids.index(conclusion)): "" for premise, conclusion in arrows},
    )


def normalised(found: LabelledGraph, gold: LabelledGraph) -> float:
    """As the released ExplaGraphs evaluator divides it."""
    distance = graph_edit_distance(found, gold)
    assert distance.is_optimal
    assert edit_cost(found, gold, distance.mapping) == distance.upper
    return distance.upper / (len(gold.nodes) + len(gold.edges) + 17)


def test_random_pairs_of_argument_graphs(golden):
    pairs = json.loads((golden / "explagraphs/ged_pairs_random.json").read_text("utf-8"))["pairs"]
    assert len(pairs) == 106
    for pair in pairs:
        assert normalised(graph(pair["pred"]), graph(pair["gold"])) == pytest.approx(pair["ged_norm"], abs=1e-9)


def test_max_margin_predictions(golden, real_data):
    answers = json.loads((golden / "explagraphs/explagraphgen_maxmargin_dev.json").read_text("utf-8"))
    predicted = (golden / "explagraphs/explagraphgen_maxmargin_dev.preds.tsv").read_text("utf-8").splitlines()
    golds = (real_data / "explagraphs/dev.tsv").read_text("utf-8").splitlines()
    rows = list(zip(answers["labels"], answers["ged_per_sample"], predicted, golds, strict=True))
    scored = [row for row in rows if row[0] == "struct_correct"]
    assert (len(rows), len(scored)) == (398, 197)
    for _, expected, line, gold in scored:
        found = normalised(graph(line.split("\t")[1]), graph(gold.split("\t")[3]))
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("writer", ["T5_11B", "T5_large"])
@pytest.mark.parametrize("task", [1, 2])
def test_entailment_trees_are_all_proved(golden, real_data, writer, task):
    predicted = (golden / f"entailmentbank/inputs/{writer}_task{task}_dev.tsv").read_text("utf-8").splitlines()
    golds = (real_data / f"entailmentbank/task_{task}/dev.jsonl").read_text("utf-8").splitlines()
    started = perf_counter()
    proved = 0
    for line, row in zip(predicted, golds, strict=True):
        found = from_tree(parse_proof(line.partition("=")[2]))
        gold = from_tree(parse_proof(json.loads(row)["proof"]))
        distance = graph_edit_distance(found, gold, time_limit=20)
        assert edit_cost(found, gold, distance.mapping) == distance.upper
        proved += distance.is_optimal
    assert proved == len(golds) == 187
    assert perf_counter() - started < 30  # some 2 s on an idle machine
