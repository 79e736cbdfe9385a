"""Encoders of both architectures, with and without an adapter, against transformers: checkpoints of chance numbers
always, the published weights where they are on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from whence.errors import DataError, MissingDataError
from whence.files import digest_of
from whence.models.adapters import read_adapter, write_adapter
from whence.models.encoder import Encoder
from whence.models.pair_classifier import PairClassifier
from whence.models.weights import encoder_folder, reader_folder

LABELS = ["yes", "no", "perhaps"]
PAIRS = [
    ("the dog barks .", "a cat sleeps on the mat"),
    ("dog", "."),  # transformers takes an empty second text for none
    ("", "cat , bad light"),
    ("the cat sleeps", "the cat sleeps"),
    ("a dog barks at a cat on the mat .", "health"),
]
LONG = ("dog " * 90, "cat " * 20)


@pytest.fixture(scope="module", params=["bert", "mpnet"])
def chance_folder(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    tokenizer_writer: Callable[[Path], None],
) -> Path:
    """A small encoder of chance numbers, as transformers saves it; positions enough for far distances."""
    torch = pytest.importorskip("torch", reason="needs the extra `train`")
    from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

    kinds = {"bert": (BertConfig, BertModel), "mpnet": (MPNetConfig, MPNetModel)}
    config, model = kinds[request.param]
    torch.manual_seed(3)
    sizes = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 32}
    folder = tmp_path_factory.mktemp(request.param)
    network = model(config(vocab_size=20, max_position_embeddings=160, initializer_range=0.5, **sizes))
    network.save_pretrained(folder)
    tokenizer_writer(folder)
    return folder


@pytest.fixture(params=["encoder", "reader"])
def published_folder(request: pytest.FixtureRequest) -> Path:
    pytest.importorskip("torch", reason="needs the extra `train`")
    try:
        return {"encoder": encoder_folder, "reader": reader_folder}[request.param]()
    except MissingDataError as error:
        pytest.skip(str(error))


def reference(
    folder: Path, pairs: Sequence[Any], most: int, change: Callable[[Any], None] = lambda _: None
) -> Any:
    """The last layer's vectors by transformers, one text after the other."""
    import torch
    from transformers import AutoModel, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    tokenizer.backend_tokenizer.no_padding()
    network = AutoModel.from_pretrained(folder).eval()
    change(network)
    vectors = []
    for pair in pairs:
        texts = (pair,) if isinstance(pair, str) else pair
        tokens = tokenizer(
            *texts, truncation=True, max_length=most, return_tensors="pt", return_token_type_ids=True
        )
        inputs = {name: tokens[name] for name in ("input_ids", "attention_mask")}
        if network.config.model_type == "bert":
            inputs["token_type_ids"] = tokens["token_type_ids"]
        with torch.no_grad():
            vectors.append(network(**inputs).last_hidden_state[0].numpy())
    return vectors


@pytest.mark.parametrize("texts", [PAIRS, [first for first, _ in PAIRS], [LONG], [LONG[0]]])
def test_every_token_as_transformers_has_it(texts: Sequence[Any], chance_folder: Path) -> None:
    encoder = Encoder(chance_folder)
    encoded = encoder.tokens(texts)
    most = json.loads((chance_folder / "config.json").read_text())["max_position_embeddings"]
    most -= 2 if "mpnet" in chance_folder.name else 0
    for ours, theirs in zip(encoded, reference(chance_folder, texts, most), strict=True):
        assert_allclose(ours.vectors, theirs, atol=1e-4)


def test_published_weights_as_transformers_has_them(published_folder: Path) -> None:
    pairs = [
        ("Robins are birds. Birds lay eggs.", "A robin lays eggs."),
        ("Iron rusts – slowly – in wet air.", "Naïve café?"),
        ("light " * 300, "heat " * 80),  # farther apart than the last bucket of distances
    ]
    for texts in (pairs, [first for first, _ in pairs]):
        encoded = Encoder(published_folder).tokens(texts)
        for ours, theirs in zip(encoded, reference(published_folder, texts, 512), strict=True):
            assert_allclose(ours.vectors, theirs, atol=1e-4)


def adapted(folder: Path, target: Path, pooling: str = "first") -> Path:
    """An adapter of chance numbers for some matrices of each kind."""
    from safetensors.numpy import load_file

    chance = np.random.default_rng(5)
    tensors: dict[str, np.ndarray] = {}
    for name, tensor in load_file(folder / "model.safetensors").items():
        if ".layer." in name and tensor.ndim == 2 and "layer.1" not in name:
            rows, columns = tensor.shape
            tensors[name.replace(".weight", ".down")] = chance.normal(size=(4, columns)) / 8
            tensors[name.replace(".weight", ".up")] = chance.normal(size=(rows, 4)) / 8
    width = load_file(folder / "model.safetensors")["embeddings.word_embeddings.weight"].shape[1]
    tensors |= {"head.weight": chance.normal(size=(3, width)), "head.bias": chance.normal(size=3)}
    card = {
        "base_sha256": digest_of(folder / "model.safetensors"),
        "scale": 2.0,
        "labels": LABELS,
        "most_tokens": 64,
    }
    write_adapter(target, tensors, {**card, "pooling": pooling})
    return target


@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_an_adapter_is_merged_as_torch_would(pooling: str, chance_folder: Path, tmp_path: Path) -> None:
    import torch

    folder = adapted(chance_folder, tmp_path / "adapter", pooling)
    adapter = read_adapter(folder)

    def change(network: Any) -> None:
        """W x + scale B A x, not merged."""
        parameters = {name: torch.from_numpy(tensor) for name, tensor in adapter.tensors.items()}
        for name, module in network.named_modules():
            if f"{name}.down" in parameters:
                down, up = parameters[f"{name}.down"], parameters[f"{name}.up"]
                module.register_forward_hook(
                    lambda _, inputs, output, down=down, up=up: output + 2.0 * (inputs[0] @ down.T) @ up.T
                )

    weight, bias = adapter.head
    states = reference(chance_folder, [*PAIRS, LONG], 64, change)
    pooled = np.stack([state[0] if pooling == "first" else state.mean(axis=0) for state in states])
    classifier = PairClassifier(chance_folder, folder)
    assert_allclose(classifier.logits([*PAIRS, LONG]), pooled @ weight.T + bias, atol=1e-4)
    assert np.abs(Encoder(chance_folder).pooled(PAIRS, "first", 64) - states[0][0]).max() > 0.01  # it matters
    assert classifier.adapter.labels == tuple(LABELS)
    assert classifier.logits([]).shape == (0, 3)
    assert classifier.name.endswith(f"+adapter@{digest_of(folder / 'adapter.safetensors')[:8]}")


def test_an_adapter_takes_two_bytes_a_number(tiny_folder: Path, tmp_path: Path) -> None:
    folder = adapted(tiny_folder, tmp_path / "adapter")
    numbers = sum(tensor.size for tensor in read_adapter(folder).tensors.values())
    assert 2 * numbers < (folder / "adapter.safetensors").stat().st_size < 2 * numbers + 4096


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"base_sha256": "0" * 64}, r"model.safetensors: expected the weights that the adapter .* was trained on"),
        ({"base_sha256": None}, "card.json: expected the key 'base_sha256', found none"),
        ({"scale": "much"}, "card.json: expected an adapter's card, found could not convert"),
        ({"pooling": "last"}, "card.json: expected pooling first or mean, found 'last'"),
        ({"labels": ["yes", "no"]}, "adapter.safetensors: expected an output layer of 2 labels, found 3"),
    ],
)
def test_cards_that_do_not_fit_are_refused(
    change: dict[str, Any], message: str, tiny_folder: Path, tmp_path: Path
) -> None:
    folder = adapted(tiny_folder, tmp_path / "adapter")
    card = {**json.loads((folder / "card.json").read_text()), **change}
    (folder / "card.json").write_text(json.dumps({key: value for key, value in card.items() if value is not None}))
    with pytest.raises(DataError, match=message):
        PairClassifier(tiny_folder, folder).logits(PAIRS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"encoder.layer.0.output.dense.up": None}, "expected encoder.layer.0.output.dense.down and"),
        ({"head.bias": None}, "expected the tensor 'head.bias'"),
        ({"other.down": np.ones((4, 16)), "other.up": np.ones((16, 4))}, r"a matrix other.weight of \(16, 16\)"),
        ({"other.down": np.ones((4, 16)), "other.up": np.ones((16, 3))}, "other.down and other.up of one rank"),
    ],
)
def test_tensors_that_do_not_fit_are_refused(
    change: dict[str, Any], message: str, tiny_folder: Path, tmp_path: Path
) -> None:
    folder = adapted(tiny_folder, tmp_path / "adapter")
    adapter = read_adapter(folder)
    tensors = {name: tensor for name, tensor in {**adapter.tensors, **change}.items() if tensor is not None}
    write_adapter(folder, tensors, adapter.card)
    with pytest.raises(DataError, match=message):
        PairClassifier(tiny_folder, folder).logits(PAIRS)


def test_missing_files_get_one_clear_line(tiny_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"adapter\.safetensors: no such file"):
        PairClassifier(tiny_folder, tmp_path / "none").logits(PAIRS)
