"""Verifiers: probabilities, what the models see, and cards that do not fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from whence.errors import DataError
from whence.files import digest_of
from whence.models.adapters import write_adapter
from whence.models.generators.embedded import LocalSettings
from whence.models.verifier import language_model
from whence.models.verifier.entailment import LABELS, Entailment, Inference, sentence, softmax
from whence.models.verifier.language_model import LanguageModelVerifier, entailment_of, question
from whence.models.verifier.reader import ReaderVerifier, texts_of

ROBIN = Inference(("a robin is a kind of bird", "birds lay eggs."), "a robin lays eggs")


def test_softmax_sums_to_one_and_a_higher_temperature_is_less_sure() -> None:
    cold, warm = softmax([2.0, 0.0, -1.0]), softmax([2.0, 0.0, -1.0], temperature=3)
    for verdict in (cold, warm):
        assert verdict.follows + verdict.contradicts + verdict.unknown == pytest.approx(1)
        assert verdict.label == "follows"
    assert warm.follows < cold.follows
    assert softmax([2000.0, 0.0, 0.0]).follows == 1


def test_texts_have_one_full_stop_each() -> None:
    assert sentence(" birds lay eggs . ") == "birds lay eggs."
    assert texts_of(ROBIN) == ("a robin is a kind of bird. birds lay eggs.", "a robin lays eggs.")
    assert question(ROBIN) == (
        "Facts:\n- a robin is a kind of bird.\n- birds lay eggs.\nStatement: a robin lays eggs.\nAnswer:"
    )


def test_answers_are_recognised_by_their_beginning() -> None:
    verdict = entailment_of({" true": 0.5, " unk": 0.2, " True": 0.1, " f": 0.1, " maybe": 0.1})
    assert verdict.follows == pytest.approx(0.75, abs=1e-3)
    assert verdict.unknown == pytest.approx(0.25, abs=1e-3)
    assert verdict.contradicts < 1e-4


class _Server:
    """Answers every completion alike, and keeps what it was asked."""

    def __init__(self, document: object) -> None:
        self.document, self.asked = document, list[dict[str, object]]()

    def handle_completions(self, request: dict[str, object]) -> object:
        self.asked.append(request)
        return self.document


def test_a_language_model_is_asked_with_the_same_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = [{"token": " false", "logprob": -0.1}, {"token": " true", "logprob": -3.0}]
    server = _Server({"choices": [{"logprobs": {"content": [{"top_logprobs": tokens}]}}]})
    monkeypatch.setattr(language_model, "server", lambda _: server)
    other = Inference(("ice is cold",), "ice is hot")
    verdicts = LanguageModelVerifier(LocalSettings(Path("large.gguf"))).judge([ROBIN, other])
    assert [verdict.label for verdict in verdicts] == ["contradicts", "contradicts"]
    first, second = (str(request["prompt"]) for request in server.asked)
    assert first.removesuffix(question(ROBIN)) == second.removesuffix(question(other))


def test_a_reply_without_probabilities_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_model, "server", lambda _: _Server({"error": {"message": "too long"}}))
    with pytest.raises(DataError, match="too long"):
        LanguageModelVerifier(LocalSettings(Path("large.gguf"))).judge([ROBIN])


@pytest.fixture
def chance_reader(tmp_path: Path, tokenizer_writer: Callable[[Path], None]) -> Path:
    """A small MPNet of chance numbers."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from transformers import MPNetConfig, MPNetModel

    torch.manual_seed(3)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 32}
    folder = tmp_path / "reader"
    MPNetModel(MPNetConfig(vocab_size=20, max_position_embeddings=160, **sizes)).save_pretrained(folder)
    tokenizer_writer(folder)
    return folder


def written_adapter(folder: Path, base: Path, **changes: object) -> Path:
    chance = np.random.default_rng(0)
    tensors = {"head.weight": chance.normal(size=(3, 16)), "head.bias": chance.normal(size=3)}
    card = {
        "base_sha256": digest_of(base / "model.safetensors"),
        "scale": 2.0,
        "labels": LABELS,
        "temperature": 1.0,
    }
    kept = {name: value for name, value in (card | changes).items() if value is not None}
    write_adapter(folder, {name: tensor.astype(np.float32) for name, tensor in tensors.items()}, kept)
    return folder


def test_the_reader_judges_each_inference_by_itself(chance_reader: Path, tmp_path: Path) -> None:
    verifier = ReaderVerifier(chance_reader, written_adapter(tmp_path / "adapter", chance_reader))
    inferences = [
        Inference(("the dog barks", "a cat sleeps"), "the cat sleeps"),
        Inference(("dog",), "cat"),
        ROBIN,
    ]
    together = verifier.judge(inferences)
    alone = [verdict for inference in inferences for verdict in verifier.judge([inference])]
    for one, other in zip(together, alone, strict=True):
        assert [getattr(one, label) for label in LABELS] == pytest.approx(
            [getattr(other, label) for label in LABELS]
        )
        assert isinstance(one, Entailment)
    assert verifier.judge([]) == []
    warm = ReaderVerifier(chance_reader, written_adapter(tmp_path / "warm", chance_reader, temperature=9.0))
    assert max(v.follows for v in warm.judge(inferences)) < 0.6


@pytest.mark.parametrize(
    ("change", "message"),
    [({"labels": ["yes", "no", "maybe"]}, "labels follows"), ({"temperature": None}, "temperature")],
)
def test_a_card_that_does_not_fit_is_refused(
    chance_reader: Path, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    verifier = ReaderVerifier(chance_reader, written_adapter(tmp_path / "adapter", chance_reader, **change))
    with pytest.raises(DataError, match=message):
        verifier.judge([ROBIN])
