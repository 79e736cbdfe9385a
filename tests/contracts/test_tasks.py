"""What every task keeps, whichever it is: a new one is covered the moment it is registered."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whence.drawing import compare, differences, to_svg, to_text
from whence.errors import UsageError
from whence.files import write_lines
from whence.formats import records
from whence.pipeline.check import check_examples, check_predictions
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.loading import read_answers, read_dataset, samples
from whence.tasks.task import PROTOCOLS, AnyTask

SUFFIXES = {"worldtree": ".tsv", "cider-span": ".json", "cider-choice": ".csv", "cider-relation": ".csv"}
"""The published file names end so where that is not the ending of what a collection exports."""

LEAST_SAMPLES = {"explagraphs": 20, "worldtree": 12, "cider": 6, "anli": 20, "anlg": 20}

ALL = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


@ALL
def test_samples_load_and_keep_all_rules(task: AnyTask) -> None:
    dataset = samples(task)
    assert len(dataset.examples) >= LEAST_SAMPLES.get(task.name, 10)
    assert len({example.id for example in dataset.examples}) == len(dataset.examples)
    for protocol in PROTOCOLS:
        report = check_examples(task, dataset, protocol)
        assert report.without == 0
        assert [(item.id, item.problems) for item in report.faulty] == []


@ALL
def test_own_form_is_lossless(task: AnyTask) -> None:
    for example in samples(task).examples:
        assert records.parse_example(records.format_record(example, task.form), task.form) == example


@ALL
def test_schema_accepts_the_samples_and_nothing_misspelt(task: AnyTask) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = records.json_schema(task.form, "example")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for example in samples(task).examples:
        record = records.parse_json_object(records.format_record(example, task.form))
        assert list(validator.iter_errors(record)) == []
        assert list(validator.iter_errors({**record, "goldz": []}))


@ALL
def test_published_form_keeps_inputs_and_golds(task: AnyTask, tmp_path: Path) -> None:
    dataset = samples(task)
    path = tmp_path / f"file{SUFFIXES.get(task.name, task.data.suffix)}"
    if task.name == "cider-nli":
        with pytest.raises(UsageError, match="no published form"):
            list(task.data.write(dataset))
        return
    if task.name == "entailmentbank-3":
        pytest.skip("a published row of task 3 has no gold of its own")
    write_lines(path, task.data.write(dataset))
    again = read_dataset(task, path)
    if task.name == "anli":  # without ids in the rows, labels lie in a file beside
        write_lines(tmp_path / "file-labels.lst", (example.golds[0].name for example in dataset.examples))
        again = read_dataset(task, path)
    assert [example.inputs for example in again.examples] == [example.inputs for example in dataset.examples]
    assert [example.golds for example in again.examples] == list(_golds_as_published(task, dataset))


def _golds_as_published(task: AnyTask, dataset: Any) -> Iterator[Any]:
    """A published row has one gold, and WorldTree's has no ratings."""
    for example in dataset.examples:
        golds = example.golds if task.name == "anlg" else example.golds[:1]
        if task.name == "worldtree":
            kept = tuple(replace(use, ratings=()) for use in golds[0].facts if use.gold)
            golds = (replace(golds[0], facts=kept),)
        yield golds


@ALL
def test_gold_as_prediction_is_clean(task: AnyTask, tmp_path: Path) -> None:
    dataset = samples(task)
    path = tmp_path / "predictions.jsonl"
    answers = [Prediction(example.id, example.golds[0]) for example in dataset.examples]
    write_lines(path, (records.format_record(answer, task.form) for answer in answers))
    predictions = read_answers(task, path, dataset)
    assert list(predictions.predictions) == answers
    report = check_predictions(task, predictions, dataset, "paper")
    assert (len(report.items), report.without, report.faulty) == (len(answers), 0, ())


@ALL
def test_every_sample_is_drawn(task: AnyTask) -> None:
    dataset = samples(task)
    for example in dataset.examples:
        for explanation in (example.golds[0], None):
            diagram = task.diagram(example.inputs, explanation, dataset.facts)
            ElementTree.fromstring(to_svg(diagram))
            assert to_text(diagram).strip()
            assert differences(diagram, diagram) == ()
            assert compare(diagram, diagram).links == diagram.links


@ALL
def test_rules_are_named_and_stated(task: AnyTask) -> None:
    dataset = samples(task)
    for protocol in PROTOCOLS:
        rules = task.rules(protocol, dataset)
        assert rules
        assert len({rule.name for rule in rules}) == len(rules)
        assert all(rule.statement for rule in rules)


@ALL
def test_splits_lie_below_the_data_set(task: AnyTask) -> None:
    assert task.data.splits or not task.source
    for split in task.data.splits.values():
        if split.is_bundled:
            assert task.data.samples.parent == split.file(Path("nowhere")).parent
        else:
            assert split.path.startswith(f"{split.source or task.source or task.name}/")
