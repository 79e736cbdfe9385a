from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from whence.errors import DataError, MissingDataError, UsageError, WhenceError
from whence.models.encoder import Encoder
from whence.models.items import AnyItem, Item, SpanItem, TrainingSet, WordItem
from whence.models.learners import learner, logistic
from whence.models.learners.logistic import LogisticSettings
from whence.models.learners.logistic_network import Architecture, Questions, _forward, gradients, initial_tensors
from whence.models.learners.logistic_tokens import best_spans, token_vectors
from whence.models.learners.saved import TENSORS, save_tensors
from whence.models.measures import watched
from whence.models.training import Training
from whence.models.vector_cache import CachedEncoder, VectorCache

WORDS = ("dog", "cat", "barks", "mat", "health", "bad", "light")
QUICK: dict[str, Any] = {"members": 2, "dropped": 0.0, "penalty": 0.1, "rate": 1e-2, "batch": 16}


@pytest.fixture
def tiny(tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CachedEncoder:
    """The encoder of chance numbers in the place of the embedded one."""
    encoder = CachedEncoder(Encoder(tiny_folder), VectorCache(tmp_path / "vectors.sqlite"))
    monkeypatch.setattr(logistic, "cached_encoder", lambda: encoder)
    return encoder


@pytest.fixture
def embedded(encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CachedEncoder:
    """The embedded encoder, for what chance numbers do not tell: which token is which word."""
    cached = CachedEncoder(encoder, VectorCache(tmp_path / "vectors.sqlite"))
    monkeypatch.setattr(logistic, "cached_encoder", lambda: cached)
    return cached


def label_items(count: int) -> list[Item]:
    """Is the second word the first one? Neither of them alone says anything."""
    found = []
    for number in range(count):
        chance = random.Random(number)
        first = chance.choice(WORDS)
        same = chance.random() < 0.5
        second = first if same else chance.choice([word for word in WORDS if word != first])
        found.append(Item(str(number), (((first, f"the {second}"),),), int(same)))
    return found


def choice_items(count: int) -> list[Item]:
    """Two or three options of two pairs each; the right one has no "bad" in it."""
    found = []
    for number in range(count):
        chance = random.Random(number)
        options = chance.choice((2, 3))
        gold = chance.randrange(options)
        pairs = tuple(
            ((chance.choice(WORDS[:4]), "a mat"), ("the", chance.choice(WORDS[:4]) if place == gold else "bad"))
            for place in range(options)
        )
        found.append(Item(str(number), pairs, gold))
    return found


def word_items(count: int, words: int = 6) -> list[WordItem]:
    """Animals are concepts."""
    found = []
    for number in range(count):
        chance = random.Random(number)
        drawn = tuple(chance.choice(WORDS) for _ in range(words))
        found.append(WordItem(str(number), drawn, tuple(int(word in ("dog", "cat")) for word in drawn)))
    return found


def span_items(count: int) -> list[SpanItem]:
    """The answer is where the health is."""
    found = []
    for number in range(count):
        chance = random.Random(number)
        before, behind = (" ".join(["the", "mat", "dog"][: chance.randrange(1, 4)]) for _ in range(2))
        context = f"{before}  health light. {behind}"
        start = context.index("health")
        found.append(SpanItem(str(number), "at the light", context, (start, start + len("health light"))))
    return found


LESSONS = {
    "label": TrainingSet("x/same", "label", ("no", "yes"), label_items(200), label_items(240)[200:]),
    "choice": TrainingSet("x/choice", "choice", (), choice_items(120), choice_items(160)[120:]),
    "tags": TrainingSet("x/animals", "tags", ("O", "B"), word_items(60), word_items(80)[60:], "f1"),
    "span": TrainingSet("x/health", "span", (), span_items(60), span_items(80)[60:], "f1"),
}


def trained(lesson: TrainingSet, folder: Path, seed: int = 0, **settings: Any) -> float:
    history = learner("logistic").train(
        [lesson], LogisticSettings(**{**QUICK, **settings}), Training(folder, seed)
    )
    assert history.kept is not None
    assert history.parameters > 0
    return watched(lesson, learner("logistic").load(folder, lesson.name).judge(lesson.dev))


@pytest.mark.parametrize("shape", ["label", "choice"])
def test_it_learns_from_pairs(shape: str, tiny: CachedEncoder, tmp_path: Path) -> None:
    assert trained(LESSONS[shape], tmp_path / "model") > 0.9


@pytest.mark.parametrize("shape", ["tags", "span"])
def test_it_learns_from_tokens(shape: str, embedded: CachedEncoder, tmp_path: Path) -> None:
    assert trained(LESSONS[shape], tmp_path / "model") > 0.9


def test_logistic_regression_too(tiny: CachedEncoder, tmp_path: Path) -> None:
    assert trained(LESSONS["choice"], tmp_path / "model", hidden=0) > 0.9


@pytest.mark.parametrize("shape", LESSONS)
def test_the_same_seed_gives_the_same_file(shape: str, tiny: CachedEncoder, tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("two", 3), ("three", 4)):
        trained(LESSONS[shape], tmp_path / name, seed, epochs=2)
    one, two, three = ((tmp_path / name / TENSORS).read_bytes() for name in ("one", "two", "three"))
    assert one == two
    assert one != three


@pytest.mark.parametrize("shape", LESSONS)
def test_no_items_have_no_verdicts(shape: str, tiny: CachedEncoder, tmp_path: Path) -> None:
    trained(LESSONS[shape], tmp_path / "model", epochs=1)
    assert learner("logistic").load(tmp_path / "model", LESSONS[shape].name).judge([]) == []


def test_several_lessons_and_an_empty_held_out_part(embedded: CachedEncoder, tmp_path: Path) -> None:
    alone = TrainingSet("x/all", "label", ("no", "yes"), label_items(200), [])
    history = learner("logistic").train([alone, LESSONS["tags"]], LogisticSettings(**QUICK), Training(tmp_path))
    assert (history.dev, history.kept) == ((), None)
    judges = [learner("logistic").load(tmp_path, name) for name in ("x/all", "x/animals")]
    assert [verdict.best for verdict in judges[0].judge(alone.train)] == [item.gold for item in alone.train]
    assert watched(LESSONS["tags"], judges[1].judge(LESSONS["tags"].dev)) > 0.9
    with pytest.raises(UsageError, match="it has not learnt"):
        learner("logistic").load(tmp_path, "x/other")


def test_probabilities_are_those_of_labels_and_of_options(tiny: CachedEncoder, tmp_path: Path) -> None:
    trained(LESSONS["choice"], tmp_path / "model", epochs=2)
    items = choice_items(30)
    verdicts = learner("logistic").load(tmp_path / "model", "x/choice").judge(items)
    assert [len(verdict.probabilities) for verdict in verdicts] == [len(item.options) for item in items]
    assert all(sum(verdict.probabilities) == pytest.approx(1) for verdict in verdicts)
    assert [verdict.id for verdict in verdicts] == [item.id for item in items]
    alone = [learner("logistic").load(tmp_path / "model", "x/choice").judge([item])[0] for item in items]
    for one, together in zip(alone, verdicts, strict=True):
        assert one.probabilities == pytest.approx(together.probabilities, abs=1e-4)


def test_words_of_a_long_text_are_all_tagged(embedded: CachedEncoder, tmp_path: Path) -> None:
    # Learnt from long texts: a head that saw six words a text only is wrong on long ones, before any cut.
    long = TrainingSet(
        "x/animals", "tags", ("O", "B"), word_items(10, words=150), word_items(12, words=150)[10:], "f1"
    )
    trained(long, tmp_path / "model", members=1, penalty=0.1)
    (item,) = word_items(1, words=700)  # the encoder has room for 510 tokens
    (verdict,) = learner("logistic").load(tmp_path / "model", "x/animals").judge([item])
    assert item.gold is not None
    assert len(verdict.tags) == 700
    assert np.mean(np.equal(verdict.tags[600:], item.gold[600:])) > 0.95


def test_empty_words_and_empty_contexts(tiny: CachedEncoder, tmp_path: Path) -> None:
    trained(LESSONS["tags"], tmp_path / "tags", epochs=1)
    tags = learner("logistic").load(tmp_path / "tags", "x/animals")
    verdicts = tags.judge([WordItem("none", ()), WordItem("odd", ("dog", "\u200d", "cat"))])
    assert [len(verdict.tags) for verdict in verdicts] == [0, 3]
    trained(LESSONS["span"], tmp_path / "span", epochs=1)
    spans = learner("logistic").load(tmp_path / "span", "x/health")
    empty, whole = spans.judge([SpanItem("empty", "dog", " "), SpanItem("whole", "dog", "cat")])
    assert empty.spans == ()
    assert [(span.text, span.probability) for span in whole.spans] == [("cat", pytest.approx(1.0))]


def test_spans_are_exact_pieces_of_the_context(embedded: CachedEncoder, tmp_path: Path) -> None:
    trained(LESSONS["span"], tmp_path / "model")
    long = SpanItem("long", "at the light", f"{'the mat, ' * 20}health light. {'dog ' * 20}")
    for item in (*span_items(5), long):
        (verdict,) = learner("logistic").load(tmp_path / "model", "x/health").judge([item])
        assert [item.context[span.start : span.end] for span in verdict.spans] == [
            span.text for span in verdict.spans
        ]
        shares = [span.probability for span in verdict.spans]
        assert shares == sorted(shares, reverse=True)
    assert verdict.spans[0].text == "health light"


def test_best_spans_by_hand() -> None:
    context = "dogs bark"
    offsets = [(0, 3), (3, 4), (5, 9)]  # dog ##s bark
    shares = np.array([[0.5, 0.3], [0.4, 0.1], [0.1, 0.6]], dtype=np.float32)
    found = [(span.text, round(span.probability, 2)) for span in best_spans(context, offsets, shares)]
    # "dog" would break a word, and so would "s bark": only three spans are left
    assert found == [("dogs bark", 0.3), ("bark", 0.06), ("dogs", 0.05)]


def test_the_tokens_of_a_long_text_are_all_there(tiny: CachedEncoder) -> None:
    text = "the dog sleeps on the mat, " * 7
    vectors, tokens = token_vectors([text, "a", text], tiny, lambda *_: None)
    pieces = [text[start:end] for start, end in tokens[text].offsets]
    assert pieces == ["the", "dog", "sleep", "s", "on", "the", "mat", ","] * 7
    assert len(vectors) == len(pieces) + 1 + 1  # "a", and the row of zeros
    assert not vectors[-1].any()


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("shared, hidden", [(True, 3), (False, 3), (True, 0)])
def test_gradients_are_those_of_the_loss(classes: bool, shared: bool, hidden: int) -> None:
    """Against differences of the loss, which is minus the mean logarithm of what is right."""
    chance = np.random.default_rng(1)
    first, second = chance.normal(size=(2, 9, 4)).astype(np.float32)
    rows, options = np.array([2, 1, 1, 2, 3]), np.array([1] * 5 if classes else [2, 3])
    gold = np.array([0, 1, 1, 0, 1]) if classes else np.array([[1, 0], [2, 1]])
    questions = Questions(rows, options, gold, classes)
    architecture = Architecture(2, hidden, shared, 0)
    tensors = {
        name: tensor.astype(np.float64) + chance.normal(size=tensor.shape) / 3
        for name, tensor in initial_tensors(
            lambda chosen: (first[chosen], second[chosen]), 9, architecture, chance
        ).items()
    }

    def loss() -> float:
        found = questions.probabilities(questions.added(_forward(tensors, first, second)[-1]))
        if classes:
            return float(-np.log(found[np.arange(5), gold]).mean())
        return float(-np.log(found[np.array([0, 2])[:, None] + gold, [0, 1]]).sum() / 2)

    for name, gradient in gradients(tensors, first, second, questions).items():
        for place in np.ndindex(gradient.shape):
            kept = tensors[name][place]
            tensors[name][place] = kept + 1e-5
            above = loss()
            tensors[name][place] = kept - 1e-5
            below = loss()
            tensors[name][place] = kept
            assert gradient[place] == pytest.approx((above - below) / 2e-5, abs=1e-5)


def test_a_head_is_small(tiny: CachedEncoder, tmp_path: Path) -> None:
    trained(LESSONS["label"], tmp_path, epochs=1)
    # two members: mean and scale of 16, 16 x 16 and 64 x 2 at two bytes; biases at four; the rest is names
    assert (tmp_path / TENSORS).stat().st_size < 2 * (2 * (32 + 256 + 128) + 4 * 18) + 1500


def test_what_is_refused(tiny: CachedEncoder, tmp_path: Path) -> None:
    lesson = LESSONS["label"]
    trained(lesson, tmp_path, epochs=1)
    kind = learner("logistic")
    wrong: list[tuple[str, list[AnyItem]]] = [("words", [*word_items(1)]), ("where texts", [*span_items(1)])]
    for _, items in wrong:
        with pytest.raises(UsageError, match="where texts were expected"):
            kind.load(tmp_path, lesson.name).judge(items)
    with pytest.raises(UsageError, match="cannot begin from another model"):
        kind.train([lesson], LogisticSettings(), Training(tmp_path / "new", start=tmp_path))
    tiny.encoder.__dict__["name"] = "other@12345678"
    with pytest.raises(UsageError, match=r"learnt with the encoder tiny-bert@.*and here is other@12345678"):
        kind.load(tmp_path, lesson.name)
    del tiny.encoder.__dict__["name"]
    (tmp_path / TENSORS).write_bytes(b"nothing")
    with pytest.raises(DataError, match="a safetensors file"):
        kind.load(tmp_path, lesson.name)
    (tmp_path / TENSORS).unlink()
    with pytest.raises(MissingDataError, match="no such file"):
        kind.load(tmp_path, lesson.name)


def test_numbers_that_cannot_be_written_are_one_line() -> None:
    with pytest.raises(WhenceError, match=r"/proc/nothing/model\.safetensors: cannot be written"):
        save_tensors(Path("/proc/nothing/model.safetensors"), {"a": np.zeros(3)})
