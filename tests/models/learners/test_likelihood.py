"""How likely texts are: scores by hand from a table, likelihoods from a language model of chance numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from whence.errors import UsageError
from whence.models.items import Item, Pair, TrainingSet
from whence.models.learners import learner
from whence.models.learners.likelihood import (
    Likelihood,
    LikelihoodJudge,
    LikelihoodSettings,
    language_model,
)
from whence.models.training import Training
from whence.progress import Report, unreported

WORDS = ["<end>", "a", "cat", "dog", "sat", "ran", "the", "mat"]


@dataclass(frozen=True)
class Told:
    """A language model that has been told all it knows."""

    known: dict[Pair, tuple[float, int]]
    name: str = "told"

    def likelihoods(self, pairs: Sequence[Pair], report: Report = unreported) -> list[Likelihood]:
        return [Likelihood(*self.known[pair]) for pair in pairs]


TOLD = Told(
    {
        ("o", "short"): (-4.0, 1),
        ("o", "a long one"): (-6.0, 3),
        ("", "short"): (-5.0, 1),
        ("", "a long one"): (-9.0, 3),
    }
)


@pytest.mark.parametrize(
    ("score", "best"),
    [
        ("sum", 0),  # -4 against -6
        ("mean", 1),  # -4 against -2
        ("gain", 1),  # 1 against 3
    ],
)
def test_scores_by_hand(score: str, best: int) -> None:
    judge = LikelihoodJudge(TOLD, score)
    (verdict,) = judge.judge([Item("a", ((("o", "short"),), (("o", "a long one"),)))])
    assert verdict.best == best and judge.name == f"likelihood-{score}:told"


def test_the_pairs_of_an_option_go_together() -> None:
    chain = (("o", "short"), ("o", "a long one"))
    (verdict,) = LikelihoodJudge(TOLD, "sum").judge([Item("a", (chain, (("o", "a long one"),)))])
    assert verdict.probabilities[1] / verdict.probabilities[0] == pytest.approx(2.718281828**4)  # -10 and -6


def test_nothing_is_learnt_and_only_choices(tmp_path: Path) -> None:
    kind = learner("likelihood")
    lesson = TrainingSet("t/h", "choice", (), [Item("a", ((("o", "h"),), (("o", "g"),)), 0)], [])
    history = kind.train([lesson], kind.Settings(score="gain"), Training(tmp_path))
    assert (history.dev, history.kept, history.parameters) == ((), None, 0)
    assert json.loads((tmp_path / "learnt.json").read_text())["settings"]["score"] == "gain"
    with pytest.raises(UsageError, match="not scored by 'most'; there are sum, mean, gain"):
        kind.train([lesson], kind.Settings(score="most"), Training(tmp_path))
    labels = TrainingSet("t/h", "label", ("x", "y"), [Item("a", ((("o", "h"),),), 0)], [])
    with pytest.raises(UsageError, match="likelihood models give only choices"):
        kind.train([labels], kind.Settings(), Training(tmp_path))


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of one layer made of chance numbers, whose tokens are words."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    folder = tmp_path_factory.mktemp("models") / "tiny-gpt"
    with torch.random.fork_rng():
        torch.manual_seed(11)
        config = transformers.GPT2Config(
            vocab_size=len(WORDS), n_positions=8, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
        )
        transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<end>"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))
    described = {"eos_token": "<end>", "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 8}
    (folder / "tokenizer_config.json").write_text(json.dumps(described))
    return folder


def test_likelihoods_by_hand(checkpoint: Path) -> None:
    import torch

    model = language_model(LikelihoodSettings(weights=str(checkpoint), batch=2))
    pairs = [("the cat", "sat"), ("", "the dog ran"), ("a dog", "ran the mat")]
    found = model.likelihoods(pairs)
    assert [one.tokens for one in found] == [1, 3, 3]
    for (first, second), one in zip(pairs, found, strict=True):
        ids = [0, *(WORDS.index(word) for word in f"{first} {second}".split())]
        expected = 0.0
        for place in range(len(ids) - len(second.split()), len(ids)):
            with torch.inference_mode():
                logits = model.model(torch.tensor([ids[:place]])).logits[0, -1]  # type: ignore[attr-defined]
            expected += float(logits.log_softmax(dim=0)[ids[place]])
        assert one.log == pytest.approx(expected, abs=1e-4)
    assert model.name.startswith("tiny-gpt@")


def test_what_is_too_long_loses_its_start(checkpoint: Path) -> None:
    model = language_model(LikelihoodSettings(weights=str(checkpoint)))
    firsts = ["a cat sat the mat a dog", "dog cat sat the mat a dog", "a dog sat the mat a dog"]
    whole, first_changed, second_changed = model.likelihoods([(first, "ran the") for first in firsts])
    # Eight tokens are read: the last six of the first text and the two of the second.
    assert whole.tokens == 2 and first_changed.log == pytest.approx(whole.log)
    assert second_changed.log != pytest.approx(whole.log)
    assert model.likelihoods([("a cat", "sat " * 20)])[0].tokens == 7  # what foretells the first is no more there


def test_an_encoder_is_no_language_model() -> None:
    pytest.importorskip("transformers")
    with pytest.raises(UsageError, match="not a language model"):
        language_model(LikelihoodSettings(weights="encoder"))
