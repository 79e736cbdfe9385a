"""The forward pass in numpy: against a plain reference, and against transformers by stored numbers."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from whence.errors import DataError, MissingDataError
from whence.models.encoder import Encoder, normalised
from whence.models.encoder_network import gelu

TEXTS = ["The dog barks.", "a cat sleeps on the mat", "", "dog", "The dog barks.", "unknown wörd , health"]


def reference_vectors(
    tensors: dict[str, np.ndarray], ids: list[int], layers: int = 2, heads: int = 4
) -> np.ndarray:
    """BERT as the paper writes it: one text, double precision, one head and one token after the other."""
    t = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        return (x - x.mean()) / math.sqrt(x.var() + 1e-12) * t[f"{name}.weight"] + t[f"{name}.bias"]

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return t[f"{name}.weight"] @ x + t[f"{name}.bias"]

    def activation(x: float) -> float:
        return x * 0.5 * (1 + math.erf(x / math.sqrt(2)))

    states = [
        norm(
            t["embeddings.word_embeddings.weight"][token]
            + t["embeddings.position_embeddings.weight"][place]
            + t["embeddings.token_type_embeddings.weight"][0],
            "embeddings.LayerNorm",
        )
        for place, token in enumerate(ids)
    ]
    for layer in range(layers):
        at = f"encoder.layer.{layer}"
        size = len(states[0]) // heads
        query, key, value = (
            [linear(x, f"{at}.attention.self.{part}") for x in states] for part in ("query", "key", "value")
        )
        following = []
        for place, x in enumerate(states):
            context = np.zeros_like(x)
            for head in range(heads):
                own = slice(head * size, (head + 1) * size)
                scores = np.array([query[place][own] @ other[own] for other in key]) / math.sqrt(size)
                weights = np.exp(scores - scores.max())
                weights /= weights.sum()
                context[own] = sum(weight * other[own] for weight, other in zip(weights, value, strict=True))
            seen = norm(x + linear(context, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            wide = np.array([activation(v) for v in linear(seen, f"{at}.intermediate.dense")])
            following.append(norm(seen + linear(wide, f"{at}.output.dense"), f"{at}.output.LayerNorm"))
        states = following
    return np.stack(states)


def test_token_vectors_are_those_of_a_plain_reference(
    tiny_folder: Path, tiny_tensors: dict[str, np.ndarray]
) -> None:
    for text in Encoder(tiny_folder).tokens(TEXTS):
        assert_allclose(text.vectors, reference_vectors(tiny_tensors, text.ids.tolist()), atol=2e-5)


def test_sentence_vectors_are_normalised_means_of_all_tokens(tiny_folder: Path) -> None:
    tiny = Encoder(tiny_folder)
    means = np.stack([text.vectors.mean(axis=0) for text in tiny.tokens(TEXTS)])
    assert_allclose(tiny.sentences(TEXTS), normalised(means), atol=1e-6)
    assert_allclose(np.linalg.norm(tiny.sentences(TEXTS), axis=1), 1, atol=1e-6)


def test_tokens_are_framed_and_marked(tiny_folder: Path) -> None:
    (text,) = Encoder(tiny_folder).tokens(["dog sleeps"])
    assert text.ids.tolist() == [2, 7, 10, 11, 3]  # [CLS] dog sleep ##s [SEP]
    assert text.special.tolist() == [True, False, False, False, True]


def test_long_texts_are_cut_and_keep_their_end(tiny_folder: Path) -> None:
    tiny = Encoder(tiny_folder)
    (text,) = tiny.tokens(["dog " * 40])
    assert len(text.ids) == 12 and text.ids[-1] == 3  # max_position_embeddings; [SEP]
    assert tiny.ids(["dog " * 40]) == [text.ids.tolist()]
    assert np.isfinite(tiny.sentences(["dog " * 40])).all()


def test_equal_texts_are_encoded_once(tiny_folder: Path) -> None:
    found = Encoder(tiny_folder).tokens(TEXTS)
    assert found[0] is found[4]


def test_company_does_not_matter(tiny_folder: Path) -> None:
    tiny = Encoder(tiny_folder)
    many = [" ".join(["dog", "cat", "mat", "light"][: 1 + n % 4] * (1 + n % 3)) for n in range(500)] + TEXTS
    together = tiny.sentences(many)
    alone = np.concatenate([tiny.sentences([text]) for text in many])
    assert_allclose(together, alone, atol=1e-5)


def test_nothing_in_nothing_out(tiny_folder: Path) -> None:
    tiny = Encoder(tiny_folder)
    assert tiny.tokens([]) == []
    assert tiny.sentences([]).shape == (0, 16) == (0, tiny.width)


def test_heads_of_fine_tuned_checkpoints_are_passed_over(
    tiny_folder: Path, tiny_tensors: dict[str, np.ndarray], tmp_path: Path
) -> None:
    from safetensors.numpy import save_file

    shutil.copytree(tiny_folder, tmp_path / "tuned")
    tuned = {f"bert.{name}": tensor for name, tensor in tiny_tensors.items()}
    save_file({**tuned, "classifier.weight": np.zeros((2, 16), np.float32)}, tmp_path / "tuned/model.safetensors")
    assert_allclose(Encoder(tmp_path / "tuned").sentences(TEXTS), Encoder(tiny_folder).sentences(TEXTS))


def test_gelu_is_exact_to_single_precision() -> None:
    values = np.concatenate([np.linspace(-12, 12, 100_001), [0.0, 40, -40]]).astype(np.float32)
    expected = [x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in values.astype(float)]
    gelu(values)
    assert_allclose(values, expected, atol=1e-6)


def test_the_name_has_the_fingerprint_of_the_file_that_is_read(tiny_folder: Path, tmp_path: Path) -> None:
    name = Encoder(tiny_folder).name
    assert name.startswith("tiny-bert@") and len(name) == len("tiny-bert@") + 8
    shutil.copytree(tiny_folder, tmp_path / "tiny-bert")
    (tmp_path / "tiny-bert/model.safetensors").write_bytes(b"other")
    assert Encoder(tmp_path / "tiny-bert").name != name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_type": "roberta"}, "expected model_type 'bert' or 'mpnet', found 'roberta'"),
        ({"hidden_act": "relu"}, "expected hidden_act 'gelu', found 'relu'"),
        ({"position_embedding_type": "relative_key"}, "expected absolute positions"),
        ({"num_hidden_layers": 3}, "an encoder with the tensor 'encoder.layer.2.attention.self.query.weight'"),
    ],
)
def test_other_models_are_refused(
    change: dict[str, object], message: str, tiny_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny_folder, tmp_path / "other")
    config = json.loads((tiny_folder / "config.json").read_text())
    (tmp_path / "other/config.json").write_text(json.dumps({**config, **change}))
    with pytest.raises(DataError, match=message.replace("(", r"\(")):
        Encoder(tmp_path / "other").sentences(["dog"])


def test_damaged_and_missing_files_get_one_clear_line(tiny_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_folder, tmp_path / "bad")
    (tmp_path / "bad/model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(DataError, match="expected a safetensors file"):
        Encoder(tmp_path / "bad").sentences(["dog"])
    (tmp_path / "bad/model.safetensors").unlink()
    with pytest.raises(MissingDataError, match="no such file"):
        Encoder(tmp_path / "bad").sentences(["dog"])


def test_half_a_character_is_refused(tiny_folder: Path) -> None:
    with pytest.raises(DataError, match="half a character"):
        Encoder(tiny_folder).tokens(["dog \ud800"])


# Produced once with torch 2.13.0 and transformers 5.22.2: mean of the last layer over all tokens, normalised.
@pytest.mark.parametrize(
    ("text", "tokens", "start", "last"),
    [
        (
            "A dog barks at the cat.",
            10,
            [0.028107, 0.019462, 0.035661, 0.092935, -0.02335],
            [0.05708, 0.12018, 0.10952, 0.43269],
        ),
        (
            "Smoking is bad for your health.",
            9,
            [0.069047, 0.056818, 0.054726, 0.029113, -0.057319],
            [0.67775, 0.33958, 0.4754, 0.23788],
        ),
        (
            "Why does a Ünïcödé string – with dashes – matter?",
            14,
            [-0.006497, 0.018143, 0.047903, -0.032954, -0.095172],
            [0.01719, 0.18239, 0.3433, -0.01852],
        ),
        ("", 2, [-0.118838, 0.048299, -0.002548, -0.011011, 0.051951], [-1.51903, 0.58722, -0.06398, -0.12076]),
        ("light " * 400, 256, [0.005852, -0.040735, 0.023439, 0.000627, -0.015103], []),
    ],
)
def test_equal_to_transformers(
    text: str, tokens: int, start: list[float], last: list[float], encoder: Encoder
) -> None:
    assert_allclose(encoder.sentences([text])[0, :5], start, atol=1e-5)
    (found,) = encoder.tokens([text])
    if tokens < 256:  # sentence vectors stop there, token vectors go on
        assert len(found.ids) == tokens
        assert_allclose(found.vectors[-1, :4], last, atol=2e-5)


def test_the_embedded_encoder_is_the_one_we_know(encoder: Encoder) -> None:
    assert encoder.name == "all-MiniLM-L6-v2@53aa5117"
    assert encoder.width == 384
    near, far = encoder.sentences(["The sun warms the ground.", "Sunlight heats the earth.", "He plays chess."])[
        1:
    ]
    first = encoder.sentences(["The sun warms the ground."])[0]
    assert first @ near > 0.7 > 0.2 > first @ far
