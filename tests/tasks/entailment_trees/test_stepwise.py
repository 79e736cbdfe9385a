"""One step after another: what is learnt, what may be written, and what comes of it. The models know nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.tasks.entailment_trees.conftest import trained

from whence.checks.rule import check
from whence.errors import UsageError
from whence.models.items import TextItem, Verdict, Written
from whence.models.verifier.entailment import Entailment, Inference
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree, leaves
from whence.tasks import heads_of, method_named, task_named
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.heads.heads import conclusion_items
from whence.tasks.entailment_trees.heads.one_step import one_step_items
from whence.tasks.entailment_trees.methods.search.written_conclusions import TrainedWriter
from whence.tasks.entailment_trees.methods.stepwise.stepwise import StepwiseSettings, StepwiseTrees
from whence.tasks.entailment_trees.proof_automaton import ProofForm, WordsForm
from whence.tasks.head import Source
from whence.tasks.loading import rules_of, samples
from whence.tasks.method import Setup
from whence.tasks.sources import data_folder

TASK = task_named("entailmentbank-1")
RULES = rules_of(TASK, "paper", Dataset((), ()))
LEO = Claim(
    "leo moves",
    tuple(
        Sentence(f"sent{n}", text)
        for n, text in enumerate(["leo has stars", "stars move", "a star is a thing"], 1)
    ),
)
GOLD = Tree(
    (Step(("sent2", "sent3"), "int7", "things: move"), Step(("int7", "sent1"), HYPOTHESIS)),
)
needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)


def _source(form: str = "") -> Source:
    return Source(TASK, "made", data_folder, form, given=Dataset((Example("x", LEO, (GOLD,)),), (1,)))


def test_the_next_step_is_written_from_what_is_left() -> None:
    first, second = one_step_items(_source())
    assert (
        first.prompt == "sent1: leo has stars; sent2: stars move; sent3: a star is a thing; hypothesis: leo moves;"
    )
    assert first.gold == "sent2 & sent3 -> int1: things move;"
    assert second.prompt == "sent1: leo has stars; int1: things move; hypothesis: leo moves;"
    assert second.gold == "int1 & sent1 -> hypothesis;"
    assert first.group == second.group == "x"


def test_a_sentence_that_is_used_again_stays() -> None:
    twice = Tree((*GOLD.steps[:1], Step(("int7", "sent1", "sent2"), HYPOTHESIS)))
    source = Source(TASK, "made", data_folder, given=Dataset((Example("x", LEO, (twice,)),), (1,)))
    assert "sent2: stars move" in one_step_items(source)[1].prompt


def test_shredded_trees_ask_about_each_conclusion() -> None:
    first, second = one_step_items(_source("why"))
    assert first.prompt.endswith("sent3: a star is a thing; hypothesis: things move;")
    assert first.gold == "sent2 & sent3 -> hypothesis;"
    assert second.prompt.endswith("sent3: a star is a thing; int1: things move; hypothesis: leo moves;")
    assert second.gold == "int1 & sent1 -> hypothesis;"
    with pytest.raises(UsageError, match="there are next, why"):
        one_step_items(_source("x"))


@pytest.mark.parametrize("form", ["next", "why"])
def test_every_gold_step_may_be_written(form: str) -> None:
    """But for sentences that are used twice."""
    for item in one_step_items(Source(TASK, "samples", data_folder, form)):
        names = [part.partition(":")[0].strip() for part in item.prompt.split(";")[:-2]]
        reached = tuple(name for name in names if name.startswith("int"))
        if form == "why":
            allowed = ProofForm(tuple(names), extent="last step")
        else:
            fresh = tuple(name for name in names if name not in reached)
            taken = int(item.id.rpartition("/")[2]) - 1
            allowed = ProofForm(fresh, all_used=True, reached=reached, taken=taken, extent="step")
        assert allowed.may_end(item.gold or ""), item


@pytest.mark.parametrize(
    "text, begins, ends",
    [
        ("sent2 & int1 -> int4: ice", True, False),
        ("sent2 & int1 -> int4: ice;", True, True),
        ("sent2 & int1 -> int4: ice; ", True, True),
        ("sent2 & int1 -> int4: ice; s", False, False),  # one step, and no more
        ("sent2 & int1 -> int2", False, False),  # three steps were taken
        ("sent2 & int1 -> hypothesis", False, False),  # int3 waits
        ("sent2 & int1 & int3 -> hypothesis;", True, True),
        ("int2", False, False),  # used before
    ],
)
def test_what_may_be_the_next_step(text: str, begins: bool, ends: bool) -> None:
    form = ProofForm(("sent2",), all_used=True, reached=("int1", "int3"), taken=3, extent="step")
    assert (form.may_begin(text), form.may_end(text)) == (begins, ends)
    if begins:
        assert form.may_end(text + form.way_on(text))


@pytest.mark.parametrize(
    "text, begins, ends, way",
    [
        ("", True, False, "it follows"),
        ("ice ", True, False, "so"),
        ("ice melts", True, True, ""),
        ("ice: melts", False, False, None),
        ("a -> b", False, False, None),
        (" ice", False, False, None),
        ("ice melts well", False, False, None),  # too long
    ],
)
def test_what_may_be_a_conclusion(text: str, begins: bool, ends: bool, way: str | None) -> None:
    form = WordsForm(longest=12)
    assert (form.may_begin(text), form.may_end(text)) == (begins, ends)
    assert way is None or form.way_on(text) == way


class _Told:
    """Writes what it is told: for each prompt the next of several lists."""

    name = "told"

    def __init__(self, *texts: Sequence[str]) -> None:
        self.texts, self.prompts = list(texts), list[str]()

    def with_beams(self, _: int) -> _Told:
        return self

    def write(self, items: Sequence[TextItem], _: Callable[[TextItem], Any], _report: Any = None) -> list[Verdict]:
        self.prompts += [item.prompt for item in items]
        return [Verdict(item.id, texts=tuple(Written(text, -1.0) for text in self.texts.pop(0))) for item in items]


class _Likes:
    """Finds steps valid whose conclusion has a word."""

    name = "likes"

    def __init__(self, word: str) -> None:
        self.word = word

    def judge(self, items: Sequence[Any], _: Any = None) -> list[Verdict]:
        liked = [float(self.word in item.options[0][0][1]) for item in items]
        return [Verdict(item.id, probabilities=(1 - x, x)) for item, x in zip(items, liked, strict=True)]


def test_of_several_steps_the_valid_one_is_taken() -> None:
    writer = _Told(
        ["sent1 & sent2 -> int1: no", "sent2 & sent3 -> int1: things move;", "sent9"],
        ["int1 & sent1 -> hypothesis;"],
    )
    settings = StepwiseSettings(beams=3)
    maker = StepwiseTrees(writer, _Likes("move"), None, settings, all_used=True)  # type: ignore[arg-type]
    (found,) = maker.explain([Example("x", LEO)])
    assert found.explanation.steps == (
        Step(("sent2", "sent3"), "int1", "things move"),
        Step(("int1", "sent1"), HYPOTHESIS),
    )
    assert writer.prompts[1] == "sent1: leo has stars; int1: things move; hypothesis: leo moves;"
    assert [reason.score for reason in found.reasons] == [1, 1]
    assert [reason.text for reason in found.refused] == ["sent1 & sent2 -> int1: no"]


def test_a_writer_without_a_step_is_helped_out() -> None:
    maker = StepwiseTrees(_Told([], ["nonsense"]), None, None, StepwiseSettings(), all_used=True)
    (found,) = maker.explain([Example("x", LEO)])
    assert check(LEO, found.explanation, RULES) == ()
    assert "no step to offer" in found.reasons[0].because[0]


class Believer:
    """A verifier that believes everything."""

    name = "believer"

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        return [Entailment(0.9, 0.05, 0.05) for _ in inferences]


def test_a_trained_writer_proposes_its_sentence() -> None:
    premises = ["leo is a kind of constellation", "a constellation contains stars"]
    assert TrainedWriter(_Told(["leo shines"])).write(premises) == ["leo shines"]


def test_every_step_of_a_tree_and_every_valid_chain_is_a_conclusion(tmp_path: Path) -> None:
    first, second = conclusion_items(_source())
    assert first.prompt in ("stars move. a star is a thing.", "a star is a thing. stars move.")
    assert (first.gold, second.gold) == ("things move", "leo moves")
    rows = [
        "QID\tChain#\tQuestion\tAnswer\tFact1\tFact2\tTurks\tDF",
        "1\t1\tq\ta\tone\ttwo\tyes yes no\tclaim",
        "1\t2\tq\ta\tone\tthree\tno no\tclaim",
    ]
    path = tmp_path / "chains.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    (chain,) = conclusion_items(Source(TASK, str(path), data_folder))
    assert sorted(chain.prompt.split()) == ["one.", "two."]
    assert chain.gold == "claim"


@needs_encoder
def test_whatever_a_model_writes_step_by_step_is_a_tree(letters: str, tmp_path: Path) -> None:
    model = trained("entailmentbank-1", "small.one-step", letters, tmp_path / "model")
    for task, given in (
        ("entailmentbank-1", {"beams": 2}),
        ("entailmentbank-2", {}),
        ("entailmentbank-3", {"needed": "all"}),
    ):
        method = method_named(task, "stepwise")
        examples = samples(task_named(task)).examples[:2]
        maker = method.make(method.settings(model=model, **given), Setup(data_folder))
        for example, found in zip(examples, maker.explain(examples), strict=True):
            assert check(example.inputs, found.explanation, RULES) == ()
            assert len(found.reasons) == len(found.explanation.steps)
            if task == "entailmentbank-1":
                assert len(leaves(found.explanation)) == len(example.inputs.context)
        (nothing,) = maker.explain([Example("x", Claim("h", ()))])
        assert nothing.explanation is None


@needs_encoder
def test_a_search_may_have_its_conclusions_written(letters: str, tmp_path: Path) -> None:
    model = trained("entailmentbank-1", "small.conclusion", letters, tmp_path / "model")
    method = method_named("entailmentbank-1", "search")
    verifier = Believer()
    maker = method.make(method.settings(composer=model), Setup(data_folder, verifier=lambda: verifier))
    (found,) = maker.explain([Example("x", LEO)])
    assert check(LEO, found.explanation, RULES) == ()
    assert found.verdict is not None and found.verdict.judge == "believer"
    assert "conclusion writer" in maker.name


@needs_encoder
def test_why_may_be_answered_by_a_writer(letters: str, tmp_path: Path) -> None:
    model = trained("entailmentbank-1", "small.why", letters, tmp_path / "model")
    method = method_named("entailmentbank-2", "one-step")
    asked: Any = method.make(method.settings(writer=model), Setup(data_folder))
    found = asked.why("leo moves", [one.text for one in LEO.context])
    (step,) = found.explanation.steps
    assert len(step.premises) == 2
    assert "written by writer" in asked.name
    assert found.refused  # what fits best by the judges


def test_a_writer_of_steps_must_be_named() -> None:
    method = method_named("entailmentbank-1", "stepwise")
    with pytest.raises(UsageError, match=r"whence train entailmentbank-1 small\.one-step"):
        method.make(method.settings(), Setup(data_folder))
    assert {"one-step", "conclusion"} <= heads_of("entailmentbank-1").keys()
