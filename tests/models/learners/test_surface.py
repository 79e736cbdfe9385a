"""The support vector machine on what texts look like."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from whence.errors import UsageError
from whence.models.items import Item, TrainingSet
from whence.models.learners import learner
from whence.models.learners.surface import feature_names, features
from whence.models.training import Training

pytest.importorskip("vaderSentiment")
pytest.importorskip("sklearn")

NAMES = feature_names(2)


def test_features_by_hand() -> None:
    found = dict(zip(NAMES, features(("The cat sat.", "A cat was happy")), strict=True))
    assert found["words, text 1"] == 4  # the full stop is one
    assert found["letters a word, text 2"] == 12 / 4
    assert found["sentiment, text 1"] == 0
    assert found["sentiment, text 2"] > 0.5  # VADER's lexicon has happy at 2.7 of 4
    assert found["change of sentiment, texts 1 and 2"] == found["sentiment, text 2"]
    assert found["shared words, texts 1 and 2"] == 1  # cat
    assert found["share of the first, texts 1 and 2"] == 1 / 4
    assert found["overlap, texts 1 and 2"] == 1 / 7


@pytest.mark.parametrize("texts", [1, 2, 3])
def test_every_feature_has_a_name(texts: int) -> None:
    assert len(features(("a",) * texts)) == len(feature_names(texts)) == len(set(feature_names(texts)))


def stories(count: int, seed: int) -> list[Item]:
    """The option that shares a word with the context is the right one."""
    chance, words, found = random.Random(seed), [f"word{n}" for n in range(50)], []
    for number in range(count):
        context, gold = chance.sample(words, 6), chance.randrange(3)
        texts = [" ".join(chance.sample(words, 3)) for _ in range(3)]
        texts[gold] += f" {context[0]} {context[1]} {context[2]}"
        found.append(Item(f"{number}", tuple(((" ".join(context), text),) for text in texts), gold))
    return found


def test_learns_to_choose(tmp_path: Path) -> None:
    lesson = TrainingSet("t/h", "choice", (), stories(200, 0), stories(100, 1))
    learnt = learner("surface")
    history = learnt.train([lesson], learnt.Settings(), Training(tmp_path / "a", seed=1))
    assert history.dev[0] > 0.9 and history.kept == 0
    assert history.parameters == len(NAMES) + 1  # a weight a feature, and no bias to speak of
    judge = learnt.load(tmp_path / "a", "t/h")
    turned = [Item(i.id, tuple(reversed(i.options)), i.gold) for i in stories(20, 2)]
    for one, other in zip(judge.judge(stories(20, 2)), judge.judge(turned), strict=True):
        assert one.probabilities == pytest.approx(tuple(reversed(other.probabilities)))  # places do not matter
    learnt.train([lesson], learnt.Settings(), Training(tmp_path / "b", seed=1))
    assert (tmp_path / "a/model.safetensors").read_bytes() == (tmp_path / "b/model.safetensors").read_bytes()


def test_learns_labels(tmp_path: Path) -> None:
    texts = {0: "an awful, terrible day", 1: "the table and the chair", 2: "a wonderful, great day"}
    items = [Item(f"{n}", (((texts[n % 3], "it was"),),), n % 3) for n in range(30)]
    lesson = TrainingSet("t/h", "label", ("bad", "plain", "good", "never seen"), items, items)
    history = learner("surface").train([lesson], learner("surface").Settings(), Training(tmp_path))
    assert history.dev == (1.0,)
    verdict = learner("surface").load(tmp_path, "t/h").judge([Item("new", ((("horrible, bad", "it was"),),))])[0]
    assert verdict.best == 0 and verdict.probabilities[3] < 1e-6 and sum(verdict.probabilities) == pytest.approx(1)


def test_what_it_refuses(tmp_path: Path) -> None:
    chain, pair = (("a", "b"), ("b", "c")), (("a", "b"),)
    mixed = TrainingSet("t/h", "choice", (), [Item("1", (chain, chain), 0), Item("2", (pair, pair), 0)], [])
    with pytest.raises(UsageError, match="options of 2 and 3 texts"):
        learner("surface").train([mixed], learner("surface").Settings(), Training(tmp_path))
    lesson = TrainingSet("t/h", "choice", (), stories(3, 0), [])
    with pytest.raises(UsageError, match="surface models cannot begin from another model"):
        learner("surface").train([lesson], learner("surface").Settings(), Training(tmp_path, start=tmp_path))
