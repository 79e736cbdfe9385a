"""Checkpoints and trained writers, asked like any other generator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whence.errors import UsageError
from whence.models.generators import Message, Request
from whence.models.generators.choice import GeneratorSettings, generator

pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("transformers", reason="needs the extra `train`")

SCHEMA = {
    "type": "object",
    "properties": {"kind": {"enum": ["cat", "dog"]}, "words": {"type": "string", "minLength": 1, "maxLength": 12}},
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A language model of chance weights that writes letters."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as Joined
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("letters")
    torch.manual_seed(0)
    names = ["<end>", *sorted(ByteLevel.alphabet())]
    tokenizer = Tokenizer(BPE({name: place for place, name in enumerate(names)}, []))
    tokenizer.pre_tokenizer, tokenizer.decoder = ByteLevel(add_prefix_space=False), Joined()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>").save_pretrained(folder)
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    config = LlamaConfig(vocab_size=len(names), eos_token_id=0, bos_token_id=None, **size)
    LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def _asked(text: str, **options: object) -> Request:
    return Request((Message("system", "Say something."), Message("user", text)), **{"tokens": 80, **options})  # type: ignore[arg-type]


def test_a_model_of_chance_weights_keeps_a_schema(letters: str) -> None:
    asked = generator(GeneratorSettings(model=letters, context=64))
    told = []
    found = asked.replies(
        [_asked(f"number {number}", schema=SCHEMA) for number in range(3)], lambda place, _: told.append(place)
    )
    for reply in found:
        answer = json.loads(reply.text)
        assert answer["kind"] in ("cat", "dog")
        assert 1 <= len(answer["words"]) <= 12
        assert (reply.finish, reply.failure) == ("stop", "")
        assert reply.read > 0 and reply.written > 0
    assert sorted(told) == [0, 1, 2]


def test_it_has_neither_temperature_nor_grammar(tiny_writer: str) -> None:
    asked = generator(GeneratorSettings(model=tiny_writer, cache=False))
    for request in (_asked("a", temperature=0.5), _asked("a", grammar="root ::= x")):
        with pytest.raises(UsageError, match="without temperature and without grammar"):
            asked.replies([request])


def test_a_model_without_the_letters_of_json_answers_something_else(tiny_writer: str) -> None:
    (reply,) = generator(GeneratorSettings(model=tiny_writer, context=32)).replies(
        [_asked("a dog", schema=SCHEMA)]
    )
    with pytest.raises(json.JSONDecodeError):
        json.loads(reply.text)


def test_a_model_that_learnt_to_write(tiny_writer: str, tmp_path: Path) -> None:
    from whence.files import dump_json
    from whence.models.items import TextItem, TrainingSet
    from whence.models.learners import Training, learner

    folder = tmp_path / "model"
    folder.mkdir()
    items = [TextItem(str(number), "we like cats", "because cats sleep") for number in range(8)]
    kind = learner("writer")
    options = {"weights": tiny_writer, "epochs": 20, "batch": 8, "rate": 1e-2, "written": 12}
    kind.train(
        [TrainingSet("test/text", "text", (), items, items[:1], "likelihood")],
        kind.Settings(**options),
        Training(folder),
    )
    (folder / "model.json").write_text(dump_json({"kind": "writer", "lessons": {"test/text": {}}}))
    asked = generator(GeneratorSettings(model=str(folder)))
    (reply,) = asked.replies([Request((Message("user", "we like cats"),), tokens=12)])
    assert reply.text == "because cats sleep"
    assert asked.name.startswith("writer@")
