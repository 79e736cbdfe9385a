"""Hypotheses found, deduced and written, and the best of them chosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.errors import UsageError
from whence.formats.records import format_record
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.pipeline.explain import explain_split, explainer
from whence.structures.hypothesis import Hypothesis, Observations
from whence.structures.results import Example
from whence.tasks import task_named
from whence.tasks.abduction.data.files import ATOMIC_RELATIONS, Inference, read_anlg_training
from whence.tasks.abduction.heads.writing import hypothesis_items, inference_items, written_reader
from whence.tasks.abduction.knowledge import TaughtKnowledge, atomic_events, deduced, known_texts, tagged
from whence.tasks.abduction.methods.hypotheses.hypotheses import first_sentence
from whence.tasks.abduction.methods.hypotheses.names import common_words, names_in, retold
from whence.tasks.abduction.methods.hypotheses.similar_stories import repeats, stories
from whence.tasks.head import Source
from whence.tasks.loading import samples
from whence.tasks.method import Setup

needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)
COMMON = frozenset("the a dog was she he went home they will".split())  # noqa: SIM905
TASK = task_named("anlg")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Tom met Ann. The dog saw Tom.", ("Tom", "Ann")),
        ("They said Will was late.", ("Will",)),  # common, but with a capital inside a sentence
        ("Will went home.", ()),  # no telling at the start
        ("I met Bob's dog on Monday.", ("Bob",)),
    ],
)
def test_names(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text, COMMON) == names


@pytest.mark.parametrize(
    ("text", "theirs", "ours", "expected"),
    [
        ("Tom fell.", "Tom ran. Tom fell.", "Ann ran.", "Ann fell."),
        ("Tom hit Ben's car.", "Tom met Ben.", "Zoe met Kim.", "Zoe hit Kim's car."),
        ("Ben laughed.", "Tom met Ben.", "Zoe ran.", None),  # nobody stands for Ben
        (
            "He lost his keys and they hurt him.",
            "Tom ran.",
            "Ann hurt her leg.",
            "She lost her keys and they hurt her.",
        ),
        ("She lost her keys. They hurt her.", "Ann ran.", "Tom hurt his leg.", "He lost his keys. They hurt him."),
        ("I fell.", "I ran.", "Ann ran.", None),  # who speaks is not there
        ("The dog was sad.", "Tom ran.", "Ann ran.", "The dog was sad."),
    ],
)
def test_a_story_is_told_of_others(text: str, theirs: str, ours: str, expected: str | None) -> None:
    assert retold(text, theirs, ours, COMMON) == expected


def test_common_words_are_written_small() -> None:
    assert common_words(["The cat saw the Tom.", "Tom left."]) == {"the", "cat", "saw", "left"}


def test_hypotheses_of_the_same_observations_are_never_found() -> None:
    examples = samples(TASK).examples
    found = stories(examples)
    for example in examples:
        golds = {gold.text for gold in example.golds}
        assert not golds & {one.text for one in found.candidates(example.inputs)}


def test_what_repeats_an_observation_is_no_hypothesis() -> None:
    inputs = Observations("Carl went to the store.", "Carl left frustrated.")
    assert repeats("Carl went to the store", inputs)
    assert not repeats("The store was closed.", inputs)


def test_knowledge_is_found_by_words_and_told_in_two_ways() -> None:
    knowledge = atomic_events(None)
    (first, second) = knowledge.inferences(["Ann baked a cake.", "Zyx qwv."])
    assert {one.relation for one in first} == set(ATOMIC_RELATIONS) - {"oEffect"}
    assert second == ()
    texts = known_texts((first, second))
    assert len(texts) == 18
    assert texts[9:] == ("",) * 9
    assert tagged((first, second)).startswith("<oReact1> happy <oWant1> to eat a slice")
    hypotheses = [one.text for one in deduced((first, second), "Ann")]
    assert "Ann wanted to share the cake." in hypotheses


def test_an_inference_about_people_names_them() -> None:
    made = deduced(((), (Inference("PersonX leaves", "xNeed", "to meet PersonX's friend PersonY"),)), "Ann")
    assert [one.text for one in made] == ["Ann had to meet Ann's friend someone first."]


@pytest.mark.parametrize("form", ["observations", "knowledge-text", "knowledge-vectors"])
def test_every_reference_is_learnt_and_a_context_is_one_group(form: str) -> None:
    items = hypothesis_items(Source(TASK, "samples", Path, form))
    examples = samples(TASK).examples
    assert len(items) == sum(len(example.golds) for example in examples)
    assert len({item.group for item in items}) == len(examples)
    assert {len(item.known) for item in items} == ({18} if form == "knowledge-vectors" else {0})
    assert all(item.prompt.endswith("<h>") for item in items)
    assert any(item.prompt.startswith("<o1>") for item in items)


def test_wrong_forms_and_splits_are_refused() -> None:
    with pytest.raises(UsageError, match="not read in the form 'x'"):
        written_reader("x", None)
    with pytest.raises(UsageError, match="'dev' is no part of ATOMIC"):
        inference_items(Source(TASK, "dev", Path))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" The chair broke. Then more", "The chair broke."),
        ("No stop\nnext line", "No stop"),
        ("", ""),
        ("It cost 3.50 euros. Yes", "It cost 3.50 euros."),
    ],
)
def test_the_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


@pytest.fixture
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WHENCE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@needs_encoder
@pytest.mark.usefixtures("_apart")
def test_the_best_hypothesis_is_explained_without_data_or_language_model(tmp_path: Path) -> None:
    from whence.tasks.sources import data_folder

    maker = explainer("anlg", "hypotheses", {}, Setup(data_folder))
    asked = [Example("x", Observations("Ann baked a cake for the race.", "The cake was gone when Ann came back."))]
    (found,) = maker.explain(asked)
    assert isinstance(found.explanation, Hypothesis)
    assert found.reasons[0].text == found.explanation.text
    scores = [reason.score or 0 for reason in (*found.reasons, *found.refused)]
    assert scores == sorted(scores, reverse=True)
    assert "stories@" in maker.name
    run = explain_split("anlg", "hypotheses", {"knowledge": ""}, "samples", tmp_path / "run", data_folder)
    assert {m.name for m in run.measurements} >= {"bleu4", "rougeL", "meteor"}


DOES = {"cats": "sleep at night", "dogs": "bark loudly", "birds": "sing by day"}


@pytest.mark.usefixtures("_apart")
@pytest.mark.parametrize("recipe", ["hypothesis", "knowledge-text", "knowledge-vectors"])
def test_a_writer_learns_to_explain(recipe: str, tiny_writer: str, tmp_path: Path) -> None:
    from whence.pipeline.recipes import recipe_named
    from whence.pipeline.train import train
    from whence.tasks.sources import data_folder

    told = [
        Example(
            animal, Observations(f"we like {animal}", "we like them at night"), (Hypothesis(f"{animal} {does}"),)
        )
        for animal, does in DOES.items()
    ]
    file = tmp_path / "told.jsonl"
    file.write_text("".join(f"{format_record(one, TASK.form)}\n" for one in told), encoding="utf-8")
    quick = [f"weights={tiny_writer}", f"split={file}", "tokens=40", "written=6", "epochs=60", "rate=0.01"]
    made = recipe_named(TASK, f"small.{recipe}", [*quick, "held_out=0", "batch=3", "patience=99", "beams=2"])
    model = train([made], tmp_path / "model", data_folder)
    settings = {"writer": str(model.folder), "retrieved": False, "deduced": False, "chooser": "", "relevance": 0}
    maker = explainer("anlg", "hypotheses", settings, Setup(data_folder))
    found = maker.explain([Example(one.id, one.inputs) for one in told])
    texts = [{reason.text for reason in (*one.reasons, *one.refused)} for one in found]
    assert all(one.golds[0].text in own for one, own in zip(told, texts, strict=True))
    assert all(reason.because[-1] == "written" for one in found for reason in (*one.reasons, *one.refused))
    assert ("told by" in maker.name) == (recipe != "hypothesis")


@pytest.mark.usefixtures("_apart")
def test_a_taught_model_is_asked_for_inferences(tiny_writer: str, tmp_path: Path) -> None:
    from whence.pipeline.recipes import recipe_named
    from whence.pipeline.train import train
    from whence.tasks.sources import data_folder

    quick = [f"weights={tiny_writer}", "split=samples", "tokens=20", "written=4", "examples=6"]
    model = train([recipe_named(TASK, "small.inference", quick)], tmp_path / "model", data_folder)
    knowledge = TaughtKnowledge(model.judge("anlg/inference"))
    told = knowledge.inferences(["we like cats", "dogs bark"])
    assert len(told) == 2
    assert all(one.event == "we like cats" for one in told[0])
    assert all(one.text for own in told for one in own)


@pytest.mark.real_data
def test_training_leaves_out_what_is_asked_for(real_data: Path) -> None:
    dataset = read_anlg_training(real_data / "art" / "train_part.jsonl")
    notes = {note.name: note.count for note in dataset.notes}
    assert (len(dataset.examples), notes["reserved"]) == (10515, 4495)
