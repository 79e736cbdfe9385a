"""The released ExplaGraphs evaluator, item by item: what it says of a T5 model's predictions and of gold."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from whence.metrics.graph import EDGE_BLEU, EDGE_ROUGE
from whence.metrics.metric import Scores
from whence.metrics.similarity import SIMILARITIES
from whence.tasks import task_named
from whence.tasks.argument_graphs.data.files import read, read_predictions
from whence.tasks.argument_graphs.scoring import edge_matches, failure_causes, judge
from whence.tasks.scoring import ScoringOptions

pytestmark = pytest.mark.real_data

MAX_MARGIN = "explagraphgen_maxmargin_dev"
TOKEN_F1 = SIMILARITIES["tokf1"]  # the stand-in for BERTScore in the golden files
OPTIONS = ScoringOptions(similarity=TOKEN_F1)
CLOSE = {"abs": 1e-9, "rel": 0}


class Golden:
    """Predictions with what the released evaluator says of them."""

    def __init__(self, real_data: Path, name: str) -> None:
        folder = real_data.parent / "golden/explagraphs"
        self.dataset = read(real_data / "explagraphs/dev.tsv")
        self.answers = read_predictions(folder / f"{name}.preds.tsv", self.dataset).predictions
        self.official: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        found = task_named("explagraphs").scoring().score(self.dataset, self.answers, OPTIONS)
        self.found: dict[str, Scores] = {scores.metric.name: scores for scores in found}

    def measured(self, name: str) -> list[float | None]:
        """The values of the items that are correct in structure, which alone the evaluator lists."""
        labels = self.official["labels"]
        values = self.found[name].by_item()
        return [value for value, label in zip(values, labels, strict=True) if label == "struct_correct"]


@pytest.fixture(scope="module", params=[MAX_MARGIN, "gold_dev"])
def golden(request: pytest.FixtureRequest, real_data: Path) -> Golden:
    return Golden(real_data, request.param)


def test_the_gates_of_every_item(golden):
    pairs = zip(golden.found["SA"].by_item(), golden.found["StCA"].by_item(), strict=True)
    names = {(0, 0): "stance_incorrect", (1, 0): "struct_incorrect", (1, 1): "struct_correct"}
    assert [names[pair] for pair in pairs] == golden.official["labels"]


def test_the_distance_of_every_item(golden):
    assert golden.found["GED"].by_item() == pytest.approx(golden.official["ged_per_sample"], **CLOSE)


@pytest.mark.parametrize(
    "name, similarity, column, first",
    [
        ("G-ROUGE", EDGE_ROUGE, "rouge_P_R_F1_bleu_P_R_F1_per_struct_correct", 0),
        ("G-BLEU", EDGE_BLEU, "rouge_P_R_F1_bleu_P_R_F1_per_struct_correct", 3),
        ("G-BS", TOKEN_F1, "bertstub_P_R_F1_per_struct_correct", 0),
    ],
)
def test_the_edges_of_every_item(golden, name, similarity, column, first):
    precisions, recalls, f1s = golden.official[column][first : first + 3]
    assert golden.measured(name) == pytest.approx(f1s, **CLOSE)
    items = (
        judge(example, answer, "official")
        for example, answer in zip(golden.dataset.examples, golden.answers, strict=True)
    )
    matches = edge_matches([item for item in items if item and not item.cause], similarity)
    assert [match.precision for match in matches] == pytest.approx(precisions, **CLOSE)
    assert [match.recall for match in matches] == pytest.approx(recalls, **CLOSE)


def test_the_printed_lines(golden):
    printed = dict(re.findall(r"^(.+?): ([\d.]+)$", golden.official["stdout"], re.MULTILINE))
    lines = {
        "SA": "Stance Accuracy (SA)",
        "StCA": "Structural Correctness Accuracy (StCA)",
        "G-BLEU": "G-BLEU F1",
        "G-ROUGE": "G-Rouge F1 Score",
        "G-BS": "G-BertScore F1 Score",
        "GED": "Graph Edit Distance (GED)",
    }
    found = {name: f"{golden.found[name].figure():.4f}" for name in lines}
    assert found == {name: printed[line] for name, line in lines.items()}


def test_the_causes_of_failure(real_data):
    golden = Golden(real_data, MAX_MARGIN)
    assert failure_causes(golden.dataset, golden.answers, OPTIONS) == {
        "stance wrong": 55,  # SA .8618 of 398
        "too few concepts of the belief or the argument": 49,
        "disconnected": 47,
        "concept empty or over 3 words": 33,
        "cyclic": 8,
        "malformed edge": 5,
        "unknown relation": 2,
        "fewer than 3 edges": 2,
    }


@pytest.mark.parametrize(
    "name, expected",
    [
        # Tables 8 and 9 print shares that only these numbers of examples give (high: 29, 23 and 8 of 46).
        ("depth", {"low (1-3)": 190, "medium (4-5)": 162, "high (6-8)": 46}),
        ("linear", {"linear": 226, "non-linear": 172}),
        ("stance", {"support": 199, "counter": 199}),  # Table 1
        ("external", {"with external": 352, "without external": 46}),  # Table 2: 88.4%
    ],
)
def test_the_groups_of_dev(real_data, name, expected):
    examples = read(real_data / "explagraphs/dev.tsv").examples
    assert (
        Counter(
            group for example in examples for group in task_named("explagraphs").scoring().slices[name](example)
        )
        == expected
    )
