"""The released scorers' own output, item for item. Inputs and outputs lie beside the published data."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from whence.metrics.similarity import SIMILARITIES, Similarity
from whence.metrics.tree import compare, intermediates
from whence.metrics.tree_reading import proof_slot, read_text
from whence.structures.results import Example, Prediction
from whence.structures.tree import Claim, Tree
from whence.tasks import task_named
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.data.files import read, read_predictions
from whence.tasks.entailment_trees.scoring import NO_CLASSIFIER
from whence.tasks.scoring import ScoringOptions

pytestmark = pytest.mark.real_data

NAMES = (
    *(f"{model}_task{task}_dev.tsv" for model in ("T5_11B", "T5_large") for task in (1, 2, 3)),
    "gold_task1_dev.tsv",
    "gold_task2_dev.tsv",
    "T5_11B_task3_dev.jsonl",
    "gold_task3_dev.jsonl",
)
FILES = (
    *(f"{name}.{stub}.json" for name in NAMES for stub in ("exact", "tokf1")),
    *(f"task3_public_contexts/{model}_task3_dev.PUBLIC_CONTEXTS.exact.json" for model in ("T5_11B", "T5_large")),
)
FIGURES = ("leaves", "steps", "intermediates")
PRINTED = (
    "leaves.f1",
    "leaves.all",
    "steps.f1",
    "steps.all",
    "intermediates.f1",
    "intermediates.all",
    "overall.all",
)


gold_of = cache(read)


@pytest.fixture(scope="module")
def golden(real_data: Path) -> Path:
    folder = real_data.parent / "golden/entailmentbank"
    if not folder.exists():
        pytest.skip(f"{folder} is not there")
    return folder


def load(
    golden: Path, real_data: Path, name: str
) -> tuple[dict[str, Any], Dataset[Claim, Tree], list[Prediction[Tree]]]:
    found = json.loads((golden / name).read_text(encoding="utf-8"))
    slots = found["task"] == 3 and "contexts" not in found
    gold = gold_of(real_data / f"entailmentbank/task_{found['task']}/dev{'.slots' if slots else ''}.jsonl")
    path = golden / "inputs" / Path(found["predictions"]).name
    answers = list(read_predictions(path, gold).predictions)
    return found, gold, answers


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, golden: Path, real_data: Path) -> None:
    found, gold, answers = load(golden, real_data, name)
    options = ScoringOptions("official", SIMILARITIES[found["bleurt_stub"]])
    scored = {
        part.metric.name: part
        for part in task_named(f"entailmentbank-{found['task']}").scoring().score(gold, answers, options)
    }
    for part in FIGURES:
        if part in found["items"][0]:
            expected = [(item[part][2], item[part][3]) for item in found["items"]]
            ours = zip(scored[f"{part}.f1"].by_item(), scored[f"{part}.all"].by_item(), strict=True)
            assert list(ours) == [pytest.approx(pair, abs=1e-9) for pair in expected]
    overall = [item["overall"] for item in found["items"]]
    assert scored["overall.all"].by_item() == overall
    for part in FIGURES:
        prefix = "BLEURT_" if part == "intermediates" else ""
        total = found["aggregate"][f"proof-{part}"]
        assert scored[f"{part}.f1"].figure() == pytest.approx(total[f"{prefix}F1"], abs=1e-9)
        assert scored[f"{part}.all"].figure() == pytest.approx(total[f"{prefix}acc"], abs=1e-9)
    if "printed_vals" in found:
        printed = [str(round((scored[metric].figure() or 0) * 100, 2)) for metric in PRINTED]
        assert "\t".join(printed) == found["printed_vals"]


@pytest.mark.parametrize("name", FILES)
def test_files_in_every_detail(name: str, golden: Path, real_data: Path) -> None:
    """Precision, recall and alignment too, which the figures do not keep."""
    found, gold, answers = load(golden, real_data, name)
    similarity = SIMILARITIES[found["bleurt_stub"]]
    for example, answer, item in zip(gold.examples, answers, found["items"], strict=True):
        values, names, steps = detail(example, answer, similarity, by_text=found["task"] == 3)
        assert item["id"] == example.id
        for part in FIGURES:
            if part in item:
                assert values[part] == pytest.approx(item[part], abs=1e-9)
        assert names == item["mapping"]
        assert steps == item.get("aligned_steps", steps)


def detail(
    example: Example[Claim, Tree], answer: Prediction[Tree], similarity: Similarity, *, by_text: bool
) -> tuple[dict[str, list[float]], dict[str, str], list[str]]:
    from whence.formats.proofs import format_proof

    gold, claim = example.golds[0], example.inputs
    assert answer.explanation is not None
    said, meant = (
        {sentence.id: sentence.text for sentence in (*claim.context, *tree.sentences)} if by_text else None
        for tree in (answer.explanation, gold)
    )
    predicted = read_text(proof_slot(answer.raw) or "", claim.hypothesis, said)
    found = compare(predicted, read_text(format_proof(gold), claim.hypothesis, meant))
    words = intermediates(found, similarity.score(found.questions))
    overlaps = dict(zip(FIGURES, (found.leaves, found.steps, words), strict=True))
    values = {name: [part.precision, part.recall, part.f1, part.all_correct] for name, part in overlaps.items()}
    return values, dict(found.names), list(found.steps_as_gold)


def test_edge_cases(golden: Path) -> None:
    """44 malformed predictions. Where the released scripts raise, ours scores 0."""
    found = json.loads((golden / "edge_cases.json").read_text(encoding="utf-8"))
    row = found["gold"]
    sentences = row["meta"]["triples"]
    for case in found["cases"]:
        proof = proof_slot(case["prediction"])
        assert proof == case["slots"].get("proof"), case["case"]
        for task, texts in (("task12", None), ("task3", sentences)):
            expected = case[task]
            if "proof-leaves" not in expected:
                assert proof is None
                continue
            result = compare(
                read_text(proof or "", row["hypothesis"], texts), read_text(row["proof"], row["hypothesis"], texts)
            )
            words = intermediates(result, SIMILARITIES["exact"].score(result.questions))
            for part, ours in (("leaves", result.leaves), ("steps", result.steps), ("intermediates", words)):
                prefix = "BLEURT_" if part == "intermediates" else ""
                theirs = [expected[f"proof-{part}"][f"{prefix}{key}"] for key in ("P", "R", "F1", "acc")]
                mine = [ours.precision, ours.recall, ours.f1, ours.all_correct]
                assert mine == pytest.approx(theirs, abs=1e-9), (case["case"], task, part)
            mapping = {name.strip(): match for name, match in result.names.items()}
            theirs = {
                name.strip(): match for name, match in expected["proof-steps"]["pred_to_gold_mapping"].items()
            }
            assert mapping == theirs, (case["case"], task)


@pytest.mark.parametrize(("split", "overall"), [("dev", "98.4"), ("test", "97.06")])
def test_gold_as_prediction_is_not_perfect_in_the_released_scorer(
    split: str, overall: str, real_data: Path
) -> None:
    gold = read(real_data / f"entailmentbank/task_1/{split}.jsonl")
    answers = [Prediction(example.id, example.golds[0]) for example in gold.examples]

    def figures(protocol: str) -> dict[str, float | None]:
        options = ScoringOptions(protocol, SIMILARITIES["exact"])
        return {
            part.metric.name: part.figure()
            for part in task_named("entailmentbank-1").scoring().score(gold, answers, options)
        }

    assert str(round((figures("official")["overall.all"] or 0) * 100, 2)) == overall
    assert figures("paper")["leaves.f1"] == 1


@pytest.mark.parametrize("task", [1, 2, 3])
@pytest.mark.parametrize("split", ["dev", "test"])
def test_gold_is_perfect_in_ours(task: int, split: str, real_data: Path) -> None:
    gold = read(real_data / f"entailmentbank/task_{task}/{split}.jsonl")
    answers = [Prediction(example.id, example.golds[0]) for example in gold.examples]
    options = ScoringOptions("whence", SIMILARITIES["exact"])
    found = task_named(f"entailmentbank-{task}").scoring().score(gold, answers, options)
    assert {part.figure() for part in found if part.note != NO_CLASSIFIER} == {1.0}
