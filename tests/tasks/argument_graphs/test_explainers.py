"""Argument graphs made by methods, as users meet them: well-formed, with reasons, or refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from whence.checks.rule import check
from whence.commands.application import application
from whence.models.items import AnyItem, Verdict, WordItem
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.progress import Report, unreported
from whence.structures.graph import Argument, Graph, StanceGraph, is_linear
from whence.structures.results import Example
from whence.tasks.argument_graphs.concepts import Candidate
from whence.tasks.argument_graphs.data.files import write
from whence.tasks.argument_graphs.heads.edge_questions import EDGE_LABELS
from whence.tasks.argument_graphs.methods.stance_and_graph import GraphExplainer, JudgedStances, KnownStances
from whence.tasks.argument_graphs.methods.structured.decoder import Shape, StructuredMaker
from whence.tasks.argument_graphs.methods.structured.evidence import Parts, Weights
from whence.tasks.argument_graphs.rules import rules
from whence.tasks.argument_graphs.task import EXPLAGRAPHS
from whence.tasks.dataset import Dataset
from whence.tasks.loading import samples

runner = CliRunner()
EXAMPLES = samples(EXPLAGRAPHS).examples
needs_encoder = pytest.mark.skipif(
    not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder"
)


class Unsure:
    """A model that finds everything about as probable as everything else, but never the same twice."""

    name = "unsure"

    def judge(self, items: Any, report: Report = unreported) -> list[Verdict]:
        return [self._verdict(item, place) for place, item in enumerate(items)]

    def _verdict(self, item: AnyItem, place: int) -> Verdict:
        if isinstance(item, WordItem):
            chances = tuple(
                (0.3 + 0.01 * (word % 7), 0.3, 0.4 - 0.01 * (word % 7)) for word in range(len(item.words))
            )
            return Verdict(item.id, tags=(2,) * len(item.words), chances=chances)
        raised = [1.0 + (place * 7 + label * 3) % 5 for label in range(len(EDGE_LABELS))]
        return Verdict(item.id, probabilities=tuple(value / sum(raised) for value in raised))


class Always:
    """Proposes the same concepts, one of which no graph may have."""

    name = "always"

    def propose(self, inputs: Any, report: Report = unreported) -> list[list[Candidate]]:
        return [[Candidate("far too many words", 0.9), Candidate("peace", 0.5)] for _ in inputs]


class Stances:
    """Remembers what it was asked."""

    name = "stances"

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def judge(self, items: Any, report: Report = unreported) -> list[Verdict]:
        self.asked += [item.options[0][0] for item in items]
        return [Verdict(item.id, probabilities=(0.2, 0.8)) for item in items]


def maker(shape: Shape = "chain") -> StructuredMaker:
    parts = Parts(Unsure(), Unsure(), "concepts", Unsure(), Always())
    return StructuredMaker(parts, Weights(), shape, most=6, added=1)


def problems(inputs: Argument, explanation: StanceGraph) -> list[Any]:
    found: Dataset = Dataset((), ())
    return [one for name in ("official", "paper") for one in check(inputs, explanation, rules(name, found))]


@pytest.mark.parametrize("shape", ["chain", "any"])
def test_whatever_the_parts_say_graphs_are_well_formed(shape):
    explainer = GraphExplainer(maker(shape), KnownStances("support"), "rationalising")
    for example, found in zip(EXAMPLES, explainer.explain(EXAMPLES), strict=True):
        assert problems(example.inputs, found.explanation) == []
        assert len(found.reasons) == len(found.explanation.graph.edges)
        assert found.refused
        if shape == "chain":
            assert is_linear(found.explanation.graph)


def test_the_released_way_is_there_to_compare_and_breaks_rules():
    explainer = GraphExplainer(maker("released"), KnownStances("support"), "rationalising")
    found = explainer.explain(EXAMPLES)
    assert any(problems(e.inputs, one.explanation) for e, one in zip(EXAMPLES, found, strict=True))


def test_reasoning_reads_the_graph_and_rationalising_does_not():
    for order, with_graph in (("reasoning", True), ("rationalising", False)):
        judge = Stances()
        explainer = GraphExplainer(maker(), JudgedStances(judge, with_graph=with_graph), order)  # type: ignore[arg-type]
        (found,) = explainer.explain(EXAMPLES[:1])
        assert found.explanation.stance == "counter"
        belief, argument = judge.asked[0]
        assert belief == EXAMPLES[0].inputs.belief
        read = argument.removeprefix(EXAMPLES[0].inputs.argument)
        assert (found.explanation.graph.edges[0].head in read) is with_graph


def test_a_known_stance_is_the_one_of_the_example():
    explainer = GraphExplainer(maker(), KnownStances("gold"), "rationalising")
    found = explainer.explain(EXAMPLES)
    assert [one.explanation.stance for one in found] == [example.golds[0].stance for example in EXAMPLES]


def test_texts_without_two_concepts_are_refused_with_the_reason():
    explainer = GraphExplainer(maker(), KnownStances("support"), "reasoning")
    (found,) = explainer.explain([Example("1", Argument("Stop!", "Cars pollute."), ())])
    assert found.explanation is None
    assert "two words each" in found.refused[0].because[0]
    assert maker().make([Argument("Stop!", "Cars pollute.")], [""])[0].graph is None


@needs_encoder
def test_typed_texts_are_explained_without_any_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("WHENCE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    typed = ["explain", "explagraphs", "--belief", "Zoos should close.", "--argument", "Zoos save rare animals."]
    result = runner.invoke(application, [*typed, "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    edges = told["explanation"]["graph"]["edges"]
    assert len(edges) == len(told["reasons"]) >= 3
    assert "zoos" in {edge["head"] for edge in edges}
    picture = tmp_path / "graph.svg"
    shown = runner.invoke(application, [*typed, "--why", "--svg", str(picture), "--set", "stance=counter"])
    assert shown.exit_code == 0, shown.output
    assert "Not taken" in shown.output
    assert "zoos" in picture.read_text(encoding="utf-8")


@needs_encoder
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--belief", "Zoos should close."], "--argument TEXT"),
        (
            ["--belief", "Zoos should close.", "--argument", "No, they help.", "--set", "stance=gold"],
            "no known stance",
        ),
        (["--belief", "a b", "--argument", "c d", "--set", "shape=star"], "shape"),
        (["--belief", "a b", "--argument", "c d", "--with", "written"], "whence train explagraphs small.graph"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(options, said):
    result = runner.invoke(application, ["explain", "explagraphs", *options])
    assert result.exit_code == 2 or isinstance(result.exception, Exception)
    assert said in result.output + str(result.exception)


@needs_encoder
def test_the_answer_is_no_where_there_is_nothing_to_join():
    result = runner.invoke(application, ["explain", "explagraphs", "--belief", "Ban", "--argument", "Guns kill."])
    assert result.exit_code == 1
    assert "No explanation could be made." in result.output and "two words each" in result.output


def letters_model(folder: Path) -> str:
    """A small language model over letters, with weights by chance."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    known = {letter: place for place, letter in enumerate(["<pad>", "<eos>", *letters])}
    tokenizer = Tokenizer(models.BPE(vocab=known, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>").save_pretrained(
        folder
    )
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = LlamaConfig(
        vocab_size=len(known), max_position_embeddings=512, eos_token_id=1, pad_token_id=0, **size
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def test_a_model_that_knows_nothing_writes_well_formed_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("WHENCE_DATA", raising=False)
    some = tmp_path / "some.tsv"
    some.write_text("".join(f"{line}\n" for line in list(write(samples(EXPLAGRAPHS)))[:3]), encoding="utf-8")
    weights = letters_model(tmp_path / "letters")
    sets = {"weights": weights, "split": some, "epochs": 1, "batch": 4, "written": 40}
    overrides = [part for key, value in sets.items() for part in ("--set", f"{key}={value}")]
    model, run = tmp_path / "model", tmp_path / "run"
    trained = runner.invoke(application, ["train", "explagraphs", "small.graph", "-o", str(model), *overrides])
    assert trained.exit_code == 0, trained.output
    command = ["predict", "explagraphs", "written", str(some), "-o", str(run), "--set", f"model={model}"]
    told = runner.invoke(application, [*command, "--set", "stance=gold", "--json"])
    assert told.exit_code == 0, told.output
    scores = json.loads(told.output)["scores"]
    assert scores["SA"]["value"] == scores["StCA"]["value"] == 1
    checked = ["check", "explagraphs", str(run / "predictions.jsonl"), "--gold", str(some), "--protocol", "paper"]
    assert runner.invoke(application, checked).exit_code == 0
    command[5] = str(tmp_path / "other")
    other = runner.invoke(application, [*command, "--set", "order=reasoning"])
    assert "learnt the form rationalising" in other.output + str(other.exception)


def test_an_empty_graph_is_no_answer():
    judge = Stances()
    assert JudgedStances(judge, with_graph=True).tell(EXAMPLES[:1], [Graph(())]) == ["counter"]
