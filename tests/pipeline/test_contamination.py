"""Nothing is evaluated on what it was trained on by accident."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from whence.commands.train import described
from whence.errors import UsageError
from whence.pipeline.comparison.compare import run_remarks
from whence.pipeline.contamination import contamination_of, guard, seen_in_training
from whence.pipeline.explain import explain_split
from whence.pipeline.recipes import recipe_named
from whence.pipeline.results import as_markdown, gathered
from whence.pipeline.runs import predict, read_run
from whence.pipeline.train import train
from whence.progress import unreported
from whence.tasks import task_named
from whence.tasks.loading import load, samples
from whence.tasks.saving import write_records

TASK = task_named("explagraphs")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Published files made of our samples: six of the training questions are in dev."""
    folder = tmp_path / "data"
    (folder / "explagraphs").mkdir(parents=True)
    every = samples(TASK)
    for name, part in (("train", slice(0, 16)), ("dev", slice(10, 20))):
        chosen = replace(every, examples=every.examples[part], lines=every.lines[part])
        write_records(folder / "explagraphs" / f"{name}.tsv", TASK, chosen, "published")
    return folder


def _recipe(*overrides: str):
    return recipe_named(TASK, "small.stance-majority", overrides)


def test_training_drops_questions_that_are_evaluated_on(data: Path, tmp_path: Path) -> None:
    model = train([_recipe()], tmp_path / "model", lambda: data)
    entry = model.card["lessons"]["explagraphs/stance"]
    assert entry["examples"] + entry["held_out"] == 10
    assert entry["left_out"] == {"examples whose question is in explagraphs dev": 6}
    assert entry["clear_of"] == ["explagraphs dev"]
    assert entry["unchecked"] == ["explagraphs test"]  # not here
    assert "contaminated" not in entry
    said = described(model)
    assert "note: examples whose question is in explagraphs dev, left out of explagraphs/stance: 6" in said
    assert "note: explagraphs/stance was not checked against explagraphs test: not here" in said
    run = predict(model, "explagraphs/stance", "dev", tmp_path / "run", lambda: data)
    assert contamination_of(run.about) == ""


def test_who_wants_them_all_the_same_is_told_everywhere(data: Path, tmp_path: Path) -> None:
    model = train([_recipe("contaminated=true")], tmp_path / "model", lambda: data)
    entry = model.card["lessons"]["explagraphs/stance"]
    assert entry["examples"] + entry["held_out"] == 16
    assert entry["contaminated"] == {"explagraphs dev": 6}
    assert any("is contaminated: it learnt from 6 examples" in line for line in described(model))
    predict(model, "explagraphs/stance", "dev", tmp_path / "runs/run", lambda: data)
    run = read_run(tmp_path / "runs/run")
    text = "contaminated: 6 of 10 examples have a question of explagraphs train, which the model learnt from"
    assert contamination_of(run.about) == text
    assert run_remarks(run) == (text,)
    rows = gathered([tmp_path / "runs"], lambda: data, unreported)
    assert f"{text[:1].upper()}{text[1:]}: `stance-majority contaminated=true`." in list(as_markdown(rows))


def test_a_card_that_says_nothing_is_looked_into(data: Path, tmp_path: Path) -> None:
    """Models of before, and models that others made, say neither what they stayed clear of nor what they saw."""
    model = train([_recipe("contaminated=true")], tmp_path / "model", lambda: data)
    path = model.folder / "model.json"
    card = json.loads(path.read_text())
    for name in ("clear_of", "contaminated", "unchecked"):
        del card["lessons"]["explagraphs/stance"][name]
    path.write_text(json.dumps(card))
    seen = seen_in_training([model.folder], load(TASK, "dev", lambda: data), TASK, "dev", lambda: data)
    assert seen is not None and (seen.items, seen.of) == (6, 10)
    (tmp_path / "other").mkdir()
    started = {**card, "start": str(model.folder), "lessons": {}}
    (tmp_path / "other/model.json").write_text(json.dumps(started))
    begun = seen_in_training([tmp_path / "other"], load(TASK, "dev", lambda: data), TASK, "dev", lambda: data)
    assert begun == seen  # what it began from counts


def test_a_method_that_asks_such_a_model_says_so(data: Path, tmp_path: Path) -> None:
    model = train([_recipe("contaminated=true")], tmp_path / "model", lambda: data)
    given = {"stance": str(model.folder)}
    run = explain_split("explagraphs", "structured", given, "dev", tmp_path / "run", lambda: data)
    assert "6 of 10 examples" in contamination_of(run.about)


def test_nothing_is_left_of_a_split_that_is_evaluated_on(data: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing of explagraphs dev is left .* --set contaminated=true"):
        train([_recipe("split=dev")], tmp_path / "model", lambda: data)


def test_a_recipe_can_say_what_it_stays_clear_of(data: Path) -> None:
    assert guard(_recipe('clear_of=["explagraphs/dev"]'), lambda: data).dropped == {"explagraphs dev": 6}
    with pytest.raises(UsageError, match="worldtree has no questions in common with explagraphs"):
        guard(_recipe('clear_of=["worldtree"]'), lambda: data)
    with pytest.raises(UsageError, match="explagraphs has no split 'nothing'"):
        guard(_recipe('clear_of=["explagraphs/nothing"]'), lambda: data)
    with pytest.raises(UsageError, match="no task 'nothing'"):
        guard(_recipe('clear_of=["nothing"]'), lambda: data)


def test_our_samples_are_in_no_data_set(data: Path) -> None:
    assert guard(_recipe("split=samples"), lambda: data).clear_of == ()
