"""Recipes, training, prediction and results, with models that need no weights, on our own samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from whence.commands.application import application
from whence.errors import DataError, MissingDataError, UsageError
from whence.models.trained import HELD_OUT, load_model
from whence.pipeline.recipes import NAMES, overridden, own_recipes, recipe_file, recipe_named, recipes_of
from whence.pipeline.results import as_markdown, gathered, published
from whence.pipeline.runs import predict, read_run
from whence.pipeline.train import before, other_recipe, train
from whence.progress import unreported
from whence.tasks import TASKS, head_named, heads_of, task_named
from whence.tasks.loading import read_answers, samples
from whence.tasks.sources import data_folder

LEARNT = [name for name in TASKS if heads_of(name)]


@pytest.mark.parametrize("task", LEARNT)
@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_of_every_task_is_sound(task: str, name: str) -> None:
    """Heads, forms, kinds and settings exist; what a recipe starts from does too."""
    recipes = recipes_of(task_named(task), name) if name in own_recipes(task_named(task)) else {}
    assert recipes or name != "small", f"{task} has no {name} recipe"
    for recipe in recipes.values():
        head = head_named(task, recipe.head)
        assert (recipe.form or head.forms[0]) in head.forms
        assert not recipe.start or before(recipe).kind == recipe.kind
        assert all(other_recipe(recipe, part, "is made of").task == task for part in recipe.parts)


def test_a_recipe_may_begin_from_what_another_task_learnt() -> None:
    recipe = recipe_named(task_named("cider-choice"), "small.option", ["start=anli/writer", "weights=elsewhere"])
    first = before(recipe)
    assert (first.task, first.name, first.head) == ("anli", "writer", "choice")
    assert first.settings["weights"] == "elsewhere"  # what the two share cannot differ


def test_folds_share_out_what_is_held_out(tmp_path: Path) -> None:
    """Of two halves each is held out once, and the folder says which groups were."""
    held = []
    for fold in (0, 1):
        halves = ["split=samples", "held_out=0.5", f"fold={fold}"]
        train([recipe_named(task_named("worldtree"), "small.facts", halves)], tmp_path / str(fold), data_folder)
        held.append(set(json.loads((tmp_path / str(fold) / HELD_OUT).read_text(encoding="utf-8"))))
    everyone = {example.id for example in samples(task_named("worldtree")).examples}
    assert held[0] and held[1] and not held[0] & held[1] and held[0] | held[1] == everyone
    recipe = recipe_named(task_named("worldtree"), "small.facts", ["split=samples", "held_out=0.5", "fold=2"])
    with pytest.raises(UsageError, match=r"no fold 2 where 0.5"):
        train([recipe], tmp_path / "2", data_folder)


def test_parts_are_trained_first_and_kept_inside(tmp_path: Path) -> None:
    """Of a kind that has parts; another one refuses them."""
    tables = (
        '[worldtree.first]\nhead = "facts"\nkind = "sparse"\nsplit = "samples"\n'
        '[worldtree.labels]\nhead = "relevance"\nkind = "majority"\nsplit = "samples"\n'
        '[worldtree.both]\nhead = "facts"\nkind = "reranker"\nsplit = "samples"\nparts = ["first", "labels"]\n'
        '[worldtree.none]\nhead = "facts"\nkind = "sparse"\nsplit = "samples"\nparts = ["first"]\n'
    )
    where, task = _file(tmp_path, tables), task_named("worldtree")
    model = train([recipe_named(task, f"{where}:both")], tmp_path / "both", data_folder)
    assert sorted(path.name for path in (tmp_path / "both" / "parts").iterdir()) == ["first", "labels"]
    run = predict(model, "worldtree/facts", "samples", tmp_path / "run", data_folder)
    alone = predict(
        load_model(tmp_path / "both/parts/first"), "worldtree/facts", "samples", tmp_path / "1", data_folder
    )
    assert run.measurements[0].value == alone.measurements[0].value  # labels that are all alike change no order
    with pytest.raises(UsageError, match="sparse models are not made of parts; blend and reranker models are"):
        train([recipe_named(task, f"{where}:none")], tmp_path / "none", data_folder)
    with pytest.raises(UsageError, match="is made of 'nothing', neither a model nor a recipe"):
        train([recipe_named(task, f"{where}:both", ['parts=["nothing", "labels"]'])], tmp_path / "x", data_folder)


def test_what_a_recipe_cannot_begin_from_is_told() -> None:
    recipe = recipe_named(task_named("cider-choice"), "small.option", ["start=anli/nothing"])
    with pytest.raises(UsageError, match=r"cider-choice.option starts from 'anli/nothing', neither .* recipe"):
        before(recipe)


def test_every_head_has_a_recipe_for_two_cores() -> None:
    for task in LEARNT:
        names = [name for name in own_recipes(task_named(task)) if name in ("small", "frozen")]
        known = [recipe for name in names for recipe in recipes_of(task_named(task), name).values()]
        assert {recipe.head for recipe in known} >= set(heads_of(task)), task


def test_published_figures_are_of_heads_and_forms_that_exist() -> None:
    assert published()
    for figure in published():
        head = head_named(figure.task, figure.head)
        assert not figure.form or figure.form in head.forms
        assert 0 < figure.value <= 100


def _file(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_table_of_a_file_is_found_by_its_name(tmp_path: Path) -> None:
    task = task_named("anli")
    where = _file(
        tmp_path,
        '[anli.one]\nhead = "choice"\nkind = "majority"\n[anli.two]\nhead = "choice"\nkind = "random"\n',
    )
    assert recipe_named(task, where).name == "one"
    assert recipe_named(task, f"{where}:two").kind == "random"
    assert recipe_named(task, "small.random").kind == "random"
    with pytest.raises(UsageError, match=r"no recipe 'three' for anli; it has one, two"):
        recipe_named(task, f"{where}:three")


def test_a_misspelt_recipe_is_told_what_there_is() -> None:
    with pytest.raises(UsageError, match=r"anli has no recipe 'smal'; it has small, frozen, paper .*FILE.toml"):
        recipe_named(task_named("anli"), "smal")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[anli.one]\nhead = ", "TOML"),
        ("anli = 3\n", "tables [anli.NAME]"),
        ('[anli.one]\nkind = "majority"\n', "'head'"),
        ('[anli.one]\nhead = "choice"\nkind = "majority"\nheld_out = "much"\n', "'held_out'"),
    ],
)
def test_a_bad_file_gets_one_line(text: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as found:
        recipe_named(task_named("anli"), _file(tmp_path, text))
    assert expected in str(found.value)
    assert "\n" not in str(found.value)


def test_unknown_settings_and_kinds_are_refused() -> None:
    recipe = recipe_named(task_named("anli"), "small.majority")
    with pytest.raises(UsageError, match="majority models: no setting 'epoch'"):
        overridden(recipe, ["epoch=3"])
    with pytest.raises(UsageError, match="no kind of model 'svn'"):
        overridden(recipe, ["kind=svn"])
    with pytest.raises(UsageError, match="write key=value"):
        overridden(recipe, ["seed"])


def test_overrides_are_read_as_toml_and_remembered() -> None:
    recipe = overridden(recipe_named(task_named("anli"), "small.random"), ["seed=7", "form=hypothesis"])
    assert (recipe.seed, recipe.form, recipe.overrides) == (7, "hypothesis", ("seed=7", "form=hypothesis"))


def _trained(tmp_path: Path, kind: str = "majority", task: str = "anli") -> Any:
    recipe = overridden(recipe_named(task_named(task), f"small.{kind}"), ["split=samples", "held_out=0.2"])
    return train([recipe], tmp_path / kind, data_folder)


def test_a_model_says_what_it_learnt(tmp_path: Path) -> None:
    model = _trained(tmp_path)
    card = json.loads((tmp_path / "majority" / "model.json").read_text(encoding="utf-8"))
    lesson = card["lessons"]["anli/choice"]
    count = len(samples(task_named("anli")).examples)
    assert lesson["examples"] + lesson["held_out"] == count
    assert lesson["held_out"] == round(0.2 * count)
    assert lesson["data"]["name"] == "art"
    assert lesson["data"]["licence"]
    assert model.lessons == ("anli/choice",)
    assert not (tmp_path / "majority" / "recipe.json").exists()


def test_a_folder_with_a_model_is_left_alone(tmp_path: Path) -> None:
    _trained(tmp_path)
    with pytest.raises(UsageError, match="has a model already"):
        _trained(tmp_path)


def test_the_beginning_of_another_training_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "majority").mkdir()
    (tmp_path / "majority" / "recipe.json").write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match="beginning of another training"):
        _trained(tmp_path)
    with pytest.raises(MissingDataError, match="interrupted; give the same command again"):
        load_model(tmp_path / "majority")


def test_the_same_command_goes_on_with_its_own_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedError(Exception):
        pass

    def stopped(*_: Any) -> None:
        raise StoppedError

    with monkeypatch.context() as patch:
        patch.setattr("whence.models.learners.baselines.Majority.train", stopped)
        with pytest.raises(StoppedError):
            _trained(tmp_path)
    assert (tmp_path / "majority" / "recipe.json").exists()
    assert _trained(tmp_path).lessons == ("anli/choice",)


def test_a_run_holds_predictions_that_score_reads(tmp_path: Path) -> None:
    model = _trained(tmp_path)
    run = predict(model, model.lesson("anli"), "samples", tmp_path / "run", data_folder)
    task = task_named("anli")
    dataset = samples(task)
    answers = read_answers(task, tmp_path / "run" / "predictions.jsonl", dataset)
    right = sum(
        answer.explanation == example.golds[0]
        for answer, example in zip(answers.predictions, dataset.examples, strict=True)
    )
    figure = next(found for found in run.measurements if found.name == "accuracy")
    assert figure.value == pytest.approx(right / len(dataset.examples))
    assert read_run(tmp_path / "run").measurements == run.measurements


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    """A line that was not written whole is judged again; what was judged is not."""
    model = _trained(tmp_path)
    whole = predict(model, "anli/choice", "samples", tmp_path / "run", data_folder)
    path = tmp_path / "run" / "verdicts.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:9], encoding="utf-8")
    again = predict(model, "anli/choice", "samples", tmp_path / "run", data_folder)
    assert again.measurements == whole.measurements
    assert path.read_text(encoding="utf-8") == "".join(lines)


def test_a_folder_with_another_run_is_left_alone(tmp_path: Path) -> None:
    model = _trained(tmp_path)
    predict(model, "anli/choice", "samples", tmp_path / "run", data_folder)
    with pytest.raises(UsageError, match="has another run"):
        predict(model, "anli/choice", "samples", tmp_path / "run", data_folder, form="hypothesis")


def test_damage_in_the_middle_of_a_run_is_told(tmp_path: Path) -> None:
    model = _trained(tmp_path)
    predict(model, "anli/choice", "samples", tmp_path / "run", data_folder)
    path = tmp_path / "run" / "verdicts.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("garbage\n" + "".join(lines[1:]), encoding="utf-8")
    with pytest.raises(DataError, match="line 1"):
        predict(model, "anli/choice", "samples", tmp_path / "run", data_folder)


def test_results_set_models_side_by_side(tmp_path: Path) -> None:
    for kind in ("majority", "random"):
        model = _trained(tmp_path, kind)
        predict(model, "anli/choice", "samples", tmp_path / "runs" / kind, data_folder)
    rows = gathered([tmp_path / "runs"], data_folder, unreported)
    assert [row.value for row in rows] == sorted((row.value for row in rows), reverse=True)
    assert all(row.p is None for row in rows)  # trivial models have no rival
    assert rows[0].command.startswith("whence train anli small.")
    page = "\n".join(as_markdown(rows))
    assert "## anli" in page
    assert page.count("| `whence train") == 2


def test_what_was_learnt_jointly_has_a_row_of_its_own(tmp_path: Path) -> None:
    for name, tasks in (("alone", ["anli"]), ("jointly", ["anli", "cider-choice"])):
        recipes = [recipe_named(task_named(task), "small.random", ["split=samples"]) for task in tasks]
        model = train(recipes, tmp_path / name, data_folder)
        predict(model, "anli/choice", "samples", tmp_path / "runs" / name, data_folder)
    rows = gathered([tmp_path / "runs"], data_folder, unreported)
    commands = {row.command for row in rows}
    assert commands == {
        "whence train anli small.random --set split=samples",
        "whence train anli,cider-choice small.random --set split=samples",
    }


def test_no_runs_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no run with figures"):
        gathered([tmp_path], data_folder, unreported)


def test_figures_outlive_their_runs(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    for kind in ("majority", "random"):
        run = tmp_path / "runs" / kind
        predict(_trained(tmp_path, kind), "anli/choice", "samples", run, data_folder)
        before = [str(kept)] if kept.exists() else []
        result = CliRunner().invoke(application, ["results", *before, str(run), "--keep", str(kept)])
        assert result.exit_code == 0, result.output
    both = gathered([kept], data_folder, unreported)
    assert both == gathered([tmp_path / "runs"], data_folder, unreported)
    assert {row.kind for row in both} == {"majority", "random"}
    kept.write_text('[{"task": "anli"}]', encoding="utf-8")
    with pytest.raises(DataError, match="figures that `whence results --keep` wrote"):
        gathered([kept], data_folder, unreported)


def test_recipe_files_are_where_the_task_is() -> None:
    assert recipe_file(task_named("anli"), "small").name == "small.toml"
