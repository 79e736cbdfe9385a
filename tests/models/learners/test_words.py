"""Networks over word vectors: what they compute, on vectors made here, and that they learn."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from whence.errors import DataError, MissingDataError, UsageError
from whence.models.items import Item, SpanItem, TrainingSet
from whence.models.learners import learner
from whence.models.learners.options import texts_of
from whence.models.learners.word_networks import NETWORKS, Form
from whence.models.learners.words import Reader, WordJudge, WordSettings, word_vectors
from whence.models.training import Training
from whence.models.word_vectors import read_glove

torch = pytest.importorskip("torch")

WORDS = ["good", "bad", "cat", "dog", "sat", "ran", "mat", "sun", "red", "wet"]
KINDS = list(NETWORKS)


@pytest.fixture(scope="module")
def glove(tmp_path_factory: pytest.TempPathFactory) -> Path:
    numbers = np.random.default_rng(3).normal(size=(len(WORDS), 8))
    path = tmp_path_factory.mktemp("vectors") / "small.txt"
    rows = [
        " ".join([word, *(f"{number:.4f}" for number in row)]) for word, row in zip(WORDS, numbers, strict=True)
    ]
    path.write_text("\n".join(rows))
    return path


def sentence(chance: random.Random, word: str = "") -> str:
    words = [chance.choice(WORDS[2:]) for _ in range(chance.randint(1, 4))]
    words.insert(chance.randint(0, len(words)), word)
    return " ".join(words).strip()


def choices(count: int, seed: int) -> list[Item]:
    """The option with "good" is the right one."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        gold, context = chance.randrange(2), sentence(chance)
        texts = [sentence(chance, "good" if place == gold else "bad") for place in range(2)]
        found.append(Item(f"{seed}-{number}", tuple(((context, text),) for text in texts), gold))
    return found


def settings(glove: Path, **changes: object) -> WordSettings:
    small = WordSettings(vectors=str(glove), hidden=8, dropout=0.0, epochs=6, batch=16, rate=0.02)
    return replace(small, **changes)  # type: ignore[arg-type]


def untrained(kind: str, glove: Path, texts: int = 2) -> WordJudge:
    torch.manual_seed(5)
    network = NETWORKS[kind](Form(8, texts, 1, 6, 0.0))
    return WordJudge("", "choice", network, Reader(kind, read_glove(glove, "small"), 60))


def score(judge: WordJudge, *pairs: tuple[str, str]) -> float:
    batch, _ = judge.reader.batch([Item("a", (pairs,))])
    with torch.inference_mode():
        return float(judge.network.scores(batch).sum())


def vectors(judge: WordJudge, text: str):  # type: ignore[no-untyped-def]
    table = torch.from_numpy(judge.reader.vectors.table).float()
    places = judge.reader.vectors.places
    return torch.stack([table[places[word]] if word in places else torch.zeros(8) for word in text.split()])


def test_a_bag_is_the_mean_of_each_text(glove: Path) -> None:
    judge = untrained("bag", glove, texts=3)
    story = torch.cat([vectors(judge, text).mean(dim=0) for text in ("cat sat", "good", "sun unknown ran")])
    with torch.inference_mode():
        expected = float(judge.network.module["layers"](story))
    assert score(judge, ("cat sat", "good"), ("good", "sun unknown ran")) == pytest.approx(expected, abs=1e-5)


def test_infersent_by_hand(glove: Path) -> None:
    judge = untrained("bilstm", glove)
    module = judge.network.module
    with torch.inference_mode():
        u, v = (
            module["encoder"](vectors(judge, text)[None])[0][0].amax(dim=0) for text in ("cat sat mat", "good")
        )
        expected = float(module["layers"](torch.cat([u, v, (u - v).abs(), u * v])))
    assert score(judge, ("cat sat mat", "good")) == pytest.approx(expected, abs=1e-5)


def test_esim_by_hand(glove: Path) -> None:
    """Chen et al. 2017, equations 1 to 19, for one pair, without padding."""
    judge = untrained("esim", glove)
    module = judge.network.module
    with torch.inference_mode():
        a, b = (module["encoder"](vectors(judge, text)[None])[0][0] for text in ("cat sat mat", "good dog"))
        e = a @ b.T
        pooled = []
        for own, other in ((a, e.softmax(dim=1) @ b), (b, e.T.softmax(dim=1) @ a)):
            m = module["projection"](torch.cat([own, other, own - other, own * other], dim=1))
            states = module["composition"](m[None])[0][0]
            pooled += [states.mean(dim=0), states.amax(dim=0)]
        expected = float(module["layers"](torch.cat(pooled)))
    assert score(judge, ("cat sat mat", "good dog")) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_counts_the_same_beside_longer_ones(kind: str, glove: Path) -> None:
    judge = untrained(kind, glove)
    short, long = (("cat", "good"),), (("cat sat mat sun red", "wet dog ran bad sun ran cat"),)
    alone = judge.judge([Item("a", (short, (("dog", ""),)))])[0]
    beside = judge.judge([Item("b", (long, long, long)), Item("a", (short, (("dog", ""),)))])
    assert beside[1].probabilities == pytest.approx(alone.probabilities, abs=1e-6)
    assert len(beside[0].probabilities) == 3
    assert beside[0].probabilities == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("kind", ["bilstm", "esim"])
def test_scores_of_pairs_are_added(kind: str, glove: Path) -> None:
    judge = untrained(kind, glove)
    both = score(judge, ("cat", "good"), ("good", "sun"))
    assert both == pytest.approx(score(judge, ("cat", "good")) + score(judge, ("good", "sun")), abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_learns_keeps_the_best_round_and_comes_back(kind: str, glove: Path, tmp_path: Path) -> None:
    lesson = TrainingSet("t/h", "choice", (), choices(160, 0), choices(40, 1))
    learnt = learner(kind)
    before = torch.random.get_rng_state()
    history = learnt.train([lesson], settings(glove), Training(tmp_path / "a", seed=4))
    assert torch.equal(before, torch.random.get_rng_state())
    assert history.kept is not None
    assert history.dev[history.kept] == max(history.dev) > 0.9
    assert len(history.dev) <= history.kept + 3  # a patience of two
    judge = learnt.load(tmp_path / "a", "t/h")
    verdicts = judge.judge(lesson.dev)
    right = sum(verdict.best == item.gold for verdict, item in zip(verdicts, lesson.dev, strict=True))
    assert right / 40 == pytest.approx(max(history.dev))
    learnt.train([lesson], settings(glove), Training(tmp_path / "b", seed=4))
    assert (tmp_path / "a/model.safetensors").read_bytes() == (tmp_path / "b/model.safetensors").read_bytes()
    learnt.train([lesson], settings(glove, epochs=1), Training(tmp_path / "c", seed=5))
    assert (tmp_path / "a/model.safetensors").read_bytes() != (tmp_path / "c/model.safetensors").read_bytes()
    assert judge.name.startswith(f"{kind}@")


def test_esim_compares_texts(glove: Path, tmp_path: Path) -> None:
    """Whether two texts share their word: no text alone tells, and the words of the held-out pairs are seen."""
    chance = random.Random(0)
    pairs = [(chance.choice(WORDS[:5]), chance.choice(WORDS[:5]) if number % 2 else "") for number in range(300)]
    items = [
        Item(f"{n}", (((one, other or one),),), int((other or one) == one)) for n, (one, other) in enumerate(pairs)
    ]
    lesson = TrainingSet("t/h", "label", ("different", "same"), items[:240], items[240:])
    history = learner("esim").train([lesson], settings(glove, epochs=10, patience=4), Training(tmp_path))
    assert max(history.dev) > 0.9
    verdict = learner("esim").load(tmp_path, "t/h").judge(items[:1])[0]
    assert len(verdict.probabilities) == 2 and sum(verdict.probabilities) == pytest.approx(1)


def test_begins_where_another_stopped(glove: Path, tmp_path: Path) -> None:
    lesson = TrainingSet("t/h", "choice", (), choices(160, 0), [])
    first, same = settings(glove), settings(glove, epochs=1, rate=0.0)
    history = learner("bilstm").train([lesson], first, Training(tmp_path / "a"))
    assert history.dev == () and history.kept == 5  # nothing is held out: the last round
    learner("bilstm").train([lesson], same, Training(tmp_path / "b", seed=9, start=tmp_path / "a"))
    assert (tmp_path / "a/model.safetensors").read_bytes() == (tmp_path / "b/model.safetensors").read_bytes()
    with pytest.raises(UsageError, match="no trained network there"):
        learner("bilstm").train([lesson], same, Training(tmp_path / "c", start=tmp_path / "nowhere"))


def test_other_vectors_are_told(glove: Path, tmp_path: Path) -> None:
    copy = tmp_path / "small.txt"
    copy.write_bytes(glove.read_bytes())
    learner("bag").train(
        [TrainingSet("t/h", "choice", (), choices(4, 0), [])], settings(copy), Training(tmp_path / "a")
    )
    copy.write_bytes(glove.read_bytes().replace(b"good", b"fine"))
    with pytest.raises(DataError, match="the word vectors small@"):
        learner("bag").load(tmp_path / "a", "t/h")
    with pytest.raises(UsageError, match="neither a text file"):
        word_vectors("nowhere.txt")


def test_embedded_vectors_must_be_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path))
    with pytest.raises(MissingDataError, match="whence models get vectors"):
        word_vectors("vectors")


def test_what_these_networks_cannot_read(glove: Path, tmp_path: Path) -> None:
    chain, pair = (("a", "b"), ("b", "c")), (("a", "b"),)
    mixed = TrainingSet("t/h", "choice", (), [Item("1", (chain, chain), 0), Item("2", (pair, pair), 0)], [])
    with pytest.raises(UsageError, match=r"equally many texts, not of \[2, 3\]"):
        learner("bag").train([mixed], settings(glove), Training(tmp_path))
    spans = TrainingSet("t/h", "span", (), [SpanItem("1", "q", "c", (0, 1))], [])
    with pytest.raises(UsageError, match="asks for spans, and esim models give only choices or labels"):
        learner("esim").train([spans], settings(glove), Training(tmp_path))
    with pytest.raises(UsageError, match="one lesson at a time, not 2"):
        learner("esim").train([mixed, mixed], settings(glove), Training(tmp_path))


@pytest.mark.parametrize(
    ("option", "texts"),
    [
        ((("o", "h"), ("h", "p")), ("o", "h", "p")),  # a chain
        ((("o", "o"), ("o", "o")), ("o", "o", "o")),  # as many texts, though they are the same
        ((("o", "h"), ("o", "p")), ("o", "h", "o", "p")),
        ((("h", ""),), ("h", "")),
    ],
)
def test_the_texts_of_an_option(option: tuple[tuple[str, str], ...], texts: tuple[str, ...]) -> None:
    assert texts_of(option) == texts
