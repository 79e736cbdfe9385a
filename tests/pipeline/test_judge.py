"""One answer judged: the same figures as `whence score`, on one scale, from whatever form things come in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import whence
from whence.errors import DataError, UsageError
from whence.formats.graphs import format_graph
from whence.formats.proofs import format_proof
from whence.formats.records import format_record, format_row
from whence.metrics.similarity import SIMILARITIES
from whence.pipeline.judge import Judged
from whence.structures.results import Example
from whence.structures.tree import Claim, Sentence
from whence.tasks import TASKS
from whence.tasks.dataset import AnyDataset, Predictions
from whence.tasks.logged import prediction_in
from whence.tasks.scoring import ScoringOptions

REFUSAL = "I'm sorry, but I can't help with that."


def _answer(task: str, example: Example[Any, Any]) -> str:
    """Gold as a model would write it."""
    prompt = TASKS[task].prompt()
    gold = example.golds[0]
    if prompt is None:
        return "\n".join(use.id for use in gold.facts if use.gold)
    return json.dumps(prompt.show(example.inputs, gold))


def _writable(task: str) -> AnyDataset:
    """The samples whose gold says nothing but what the prompt shows."""
    dataset = whence.load(task)
    kept = []
    for example in dataset.examples:
        try:
            _answer(task, example)
        except DataError:
            continue
        kept.append(example)
    return replace(dataset, examples=tuple(kept), lines=tuple(range(1, len(kept) + 1)))


@pytest.fixture(params=list(TASKS))
def task(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_gold_is_worth_one_and_a_refusal_nothing(task: str) -> None:
    dataset = _writable(task)
    worth = [whence.judge(task, one, _answer(task, one), facts=dataset.facts).value for one in dataset.examples]
    # Gold triplets with spans that no turn has cannot be written as the prompt asks for them.
    assert max(filter(None, worth)) == pytest.approx(1) or task == "cider"
    assert min(filter(None, worth)) > 0.9
    refused = whence.judge(task, dataset.examples[0], REFUSAL, facts=dataset.facts)
    assert refused.value == 0
    assert (refused.read, bool(refused.reason)) == (task == "cider-span", task != "cider-span")


def test_figures_are_those_of_score(task: str) -> None:
    """Of each answer alone, and their mean where the metric is a mean over answers."""
    chosen, dataset = TASKS[task], _writable(task)
    examples = dataset.examples
    texts = [_answer(task, one) for one in (*examples[1:], examples[0])]  # each has its neighbour's answer
    texts[0] = REFUSAL
    judged = [
        whence.judge(task, one, text, facts=dataset.facts) for one, text in zip(examples, texts, strict=True)
    ]
    answers = tuple(prediction_in(chosen, text, one, dataset) for one, text in zip(examples, texts, strict=True))
    report = whence.score(task, dataset, Predictions(answers, tuple(range(len(answers)))))
    together = chosen.scoring().together
    for scores in report.scores:
        name = scores.metric.name
        alone = [one.figures[name] for one in judged]
        assert all(figure is None or 0 <= figure <= 1 for figure in alone)
        if name in together:
            assert set(alone) == {None} and all(name in one.unknown for one in judged)
        elif task != "worldtree":  # where an unread answer stands for rankings and sets alike
            assert alone == scores.by_item()
    assert [one.read for one in judged] == [one.explanation is not None for one in answers]


def test_inputs_and_gold_come_in_many_forms(task: str) -> None:
    form, dataset = TASKS[task].form, _writable(task)
    example = dataset.examples[0]
    text = _answer(task, example)
    expected = whence.judge(task, example, text, facts=dataset.facts)
    record, row = json.loads(format_record(example, form)), format_row(example, form)
    ways: list[tuple[Any, Any]] = [
        (example.inputs, example.golds),
        (record, None),
        (row, None),
        (record["inputs"], record["golds"]),
        ({**record["inputs"], "another": "column"}, [json.dumps(one) for one in record["golds"]]),
        (row["inputs"], row["golds"]),
    ]
    for inputs, gold in ways:
        found = whence.judge(task, inputs, text, gold, facts=dataset.facts)
        assert (found.value, found.figures, found.explanation) == (
            expected.value,
            expected.figures,
            expected.explanation,
        )


@pytest.mark.parametrize(
    ("task", "write"),
    [
        ("explagraphs", lambda gold: f"{gold.stance}\t{format_graph(gold.graph)}"),
        ("entailmentbank-2", lambda gold: f"$proof$ = {format_proof(gold)}"),
        ("entailmentbank-1", format_proof),
        ("anli", lambda gold: gold.name),
        ("anlg", lambda gold: gold.text),
        ("cider-span", lambda gold: gold.text),
        ("cider-relation", lambda gold: gold.name),
    ],
)
def test_gold_may_be_its_published_string(task: str, write: Any) -> None:
    example = whence.load(task).examples[0]
    text = _answer(task, example)
    found = whence.judge(task, example.inputs, text, [write(one) for one in example.golds])
    assert found.figures == whence.judge(task, example, text).figures
    assert found.value == pytest.approx(1)


def test_without_gold_only_the_form_is_known() -> None:
    example = whence.load("explagraphs").examples[0]
    text = _answer("explagraphs", example)
    found = whence.judge("explagraphs", example.inputs, text)
    assert found == Judged(None, {}, (), True, "", example.golds[0])
    broken = whence.judge("explagraphs", example.inputs, "support\t(rain; causes; mud)")
    assert broken.value == 0 and {one.rule for one in broken.problems} == {"edge-count", "concepts"}


def test_an_answer_that_breaks_a_rule_is_worth_nothing() -> None:
    """Though the released scorer of trees gives it points."""
    example = whence.load("entailmentbank-1").examples[0]
    proof = format_proof(example.golds[0])
    found = whence.judge("entailmentbank-1", example, f"sent1 & sent2 -> int9: that is of no use; {proof}")
    assert [one.rule for one in found.problems] == ["all-used"]
    assert found.figures["leaves.f1"] == 1
    assert found.value == 0


def test_rules_that_gold_breaks_are_forgiven() -> None:
    """The data may be at fault: here both hypotheses are the same."""
    pair = {"obs1": "Ann sat.", "obs2": "Ann fell.", "hyp1": "It broke.", "hyp2": "It broke."}
    found = whence.judge("anli", pair, "1", "1")
    assert [one.rule for one in found.problems] == ["different"]
    assert found.value == 1


def test_metrics_are_chosen_by_name() -> None:
    example = whence.load("explagraphs").examples[0]
    other = whence.load("explagraphs").examples[1]
    found = whence.judge("explagraphs", example, _answer("explagraphs", example), metrics=["SA", "GED"])
    assert (found.value, found.figures) == (1, {"SA": 1, "GED": 0})
    strange = whence.judge("explagraphs", example, _answer("explagraphs", other), metrics=["GED"])
    assert strange.value == 1 - strange.figures["GED"]
    neural = ScoringOptions(similarity=SIMILARITIES["tokf1"])
    text = _answer("explagraphs", example)
    assert whence.judge("explagraphs", example, text, metrics=["G-BS"], options=neural).value == 1
    unknown = whence.judge("explagraphs", example, text, metrics=["G-BS"])
    assert unknown.value is None and "similarity" in unknown.unknown["G-BS"]
    with pytest.raises(UsageError, match="no metric 'gbs'"):
        whence.judge("explagraphs", example, text, metrics=["gbs"])


@pytest.mark.parametrize(
    ("inputs", "text", "gold", "said"),
    [
        ({"belief": "b"}, "", None, "argument"),
        ({"belief": "b", "argment": "a"}, "", None, "argument"),
        ("a belief", "", None, "mapping of their fields"),
        (Claim("h", (Sentence("sent1", "s"),)), "", None, "found Claim"),
        ({"belief": "b", "argument": "a"}, "", "nonsense", "a gold explanation"),
        ({"belief": "b", "argument": "a"}, "", {"stance": 1}, "explanation of 'explagraphs'"),
        ({"belief": "b", "argument": "a"}, "", "{broken", "expected"),
        ({"belief": "b", "argument": "a"}, "", 7, "found int"),
    ],
)
def test_what_is_wrong_with_a_call_is_said_in_one_line(inputs: Any, text: str, gold: Any, said: str) -> None:
    with pytest.raises(DataError, match=said) as caught:
        whence.judge("explagraphs", inputs, text, gold)
    assert "\n" not in str(caught.value)


def test_an_answer_must_be_a_text() -> None:
    example = whence.load("anli").examples[0]
    with pytest.raises(UsageError, match="not NoneType"):
        whence.judge("anli", example, None)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="gold"):
        whence.judge("anli", example.inputs, "1", "A third")


def test_a_ranking_and_a_set_of_facts_have_their_own_metrics() -> None:
    dataset = whence.load("worldtree")
    example = dataset.examples[0]
    ids = [use.id for use in example.golds[0].facts if use.gold]
    ranked = whence.judge("worldtree", example, json.dumps({"ranking": ids}), facts=dataset.facts)
    chosen = whence.judge("worldtree", example, json.dumps({"facts": ids}), facts=dataset.facts)
    assert {ranked.value, chosen.value} == {1}
    values = [
        one.figures["MAP"] if one.figures["MAP"] is not None else one.figures["f1"] for one in (ranked, chosen)
    ]
    assert values == [1, 1]


PLUGIN = Path(__file__).parents[1] / "plugin"
JUDGE_PLUGIN = """
import whence
example = whence.load("rationales").examples[0]
gold = example.golds[0]
text = '{"label": "%s", "text": "%s"}' % (gold.label, gold.text)
right, unread = (whence.judge("rationales", example, said) for said in (text, "no idea"))
print(right.value, dict(right.figures), right.read, unread.value, unread.read)
"""


def test_a_task_of_another_distribution_is_judged(tmp_path: Path) -> None:
    """It says nothing of its main metric, so the first one is it; answers are in our own JSON."""
    metadata = tmp_path / "whence_rationales-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: whence-rationales\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[whence.tasks]\nrationales = whence_rationales.task:RATIONALES\n")
    path = os.pathsep.join([str(PLUGIN), str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", JUDGE_PLUGIN],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "1.0 {'accuracy': 1.0, 'rationale_f1': 1.0} True 0.0 False"
