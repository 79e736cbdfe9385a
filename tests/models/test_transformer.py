"""Fine-tuning: tiny checkpoints of both kinds, made here, so that every path runs in seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whence.errors import UsageError
from whence.models.items import Item, SpanItem, TrainingSet, WordItem
from whence.models.learners import learner
from whence.models.training import Training

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("transformers", reason="needs the extra `train`")


@pytest.fixture(params=["tiny_encoder", "tiny_writer"])
def weights(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(request.param)
    return found


def _labels() -> TrainingSet:
    """Whether the second text names dogs."""
    animals = ("cats", "dogs", "birds")
    items = [
        Item(f"{one}-{two}-{end}", (((f"{one} sleep {end}", f"we like {two}"),),), int(two == "dogs"))
        for one in animals
        for two in (*animals, one)
        for end in ("loudly", "at night", "by day")
    ]
    return TrainingSet("test/label", "label", ("others", "dogs"), items, items)


def _choices(pairs: int = 1) -> TrainingSet:
    items = []
    for number in range(24):
        animal, doing = [("cats", "sleep"), ("dogs", "bark"), ("birds", "sing")][number % 3]
        texts = [doing, "that", "loudly"]
        turned = texts[number % 3 :] + texts[: number % 3]
        options = tuple(((f"we like {animal} because", text), (text, "at night"))[:pairs] for text in turned)
        items.append(Item(str(number), options, turned.index(doing)))
    return TrainingSet("test/choice", "choice", (), items, items)


def _tags() -> TrainingSet:
    items = [
        WordItem(str(number), (animal, "sleep", "at", "night"), (0, 2, 2, 1))
        for number, animal in enumerate(["cats", "dogs", "birds"] * 6)
    ]
    return TrainingSet("test/tags", "tags", ("B-N", "I-N", "O"), items, items, "f1")


def _spans() -> TrainingSet:
    items = []
    for number in range(24):
        animal = ("cats", "dogs", "birds")[number % 3]
        context = f"we like {animal} at night" if number % 2 else f"{animal} sing loudly and bark"
        start = context.index(animal)
        items.append(SpanItem(str(number), "because of that", context, (start, start + len(animal))))
    return TrainingSet("test/span", "span", (), items, items, "f1")


def _train(lesson: TrainingSet, folder: Path, **settings: Any) -> tuple[Any, Any]:
    folder.mkdir(exist_ok=True)
    kind = learner("transformer")
    options = {"epochs": 12, "batch": 8, "rate": 3e-3, "patience": 5, "dropout": 0.0, **settings}
    history = kind.train([lesson], kind.Settings(**options), Training(folder))
    return history, kind.load(folder, lesson.name)


@pytest.mark.parametrize("make", [_labels, _choices, _tags, _spans])
def test_every_shape_is_learnt_and_reloads(make: Any, weights: str, tmp_path: Path) -> None:
    lesson = make()
    history, judge = _train(lesson, tmp_path / "model", weights=weights)
    assert max(history.dev) > 0.9  # the patterns are simple
    from whence.models.measures import watched

    # What was kept is the best round, and it says the same after loading.
    assert watched(lesson, judge.judge(lesson.dev)) == pytest.approx(max(history.dev))
    assert history.kept == history.dev.index(max(history.dev))


def test_options_that_share_their_start_score_as_if_read_alone(tiny_writer: str, tmp_path: Path) -> None:
    from whence.models.transformer.backbone import load_backbone
    from whence.models.transformer.network import Network
    from whence.models.transformer.reading import Reader

    backbone = load_backbone(tiny_writer)
    torch.manual_seed(1)
    network = Network(backbone, {"c": 1}, "auto", 0.0)
    network.module.eval()
    reader = Reader(backbone, 64)
    item = _choices().train[0]
    alone = [Item("x", (option,)) for option in item.options]
    with torch.inference_mode():
        together = network.scores("c", "choice", reader.read([item, _choices().train[1]]))[0]
        apart = torch.cat([network.scores("c", "choice", reader.read([one]))[0] for one in alone])
    assert len(reader.read([item])[0].rows) == 1
    assert torch.allclose(together, apart, atol=1e-5)


def test_the_chain_adds_two_scores(tiny_encoder: str, tmp_path: Path) -> None:
    history, judge = _train(_choices(pairs=2), tmp_path / "model", weights=tiny_encoder)
    assert max(history.dev) > 0.9
    assert all(abs(sum(verdict.probabilities) - 1) < 1e-6 for verdict in judge.judge(_choices(pairs=2).dev))


def test_adapters_alone_are_learnt_and_saved(weights: str, tmp_path: Path) -> None:
    from safetensors import safe_open

    history, judge = _train(_labels(), tmp_path / "model", weights=weights, tuning="lora", rank=4, rate=1e-2)
    assert max(history.dev) > 0.8
    with safe_open(tmp_path / "model" / "weights.safetensors", "pt") as file:
        names = list(file.keys())
    assert names and all(".up." in name or ".down." in name or name.startswith("head") for name in names)
    assert judge.judge(_labels().dev)


def test_a_model_begins_where_another_ended(tiny_encoder: str, tmp_path: Path) -> None:
    """With nothing learnt anew (rate 0), the second model says what the first one said: also after adapters."""
    lesson = _labels()
    for tuning in ("full", "lora"):
        _, judge = _train(lesson, tmp_path / tuning, weights=tiny_encoder, tuning=tuning, rate=1e-2, epochs=1)
        kind, folder = learner("transformer"), tmp_path / f"{tuning}-again"
        folder.mkdir()
        settings = kind.Settings(weights=tiny_encoder, epochs=1, rate=0.0, dropout=0.0)
        kind.train([lesson], settings, Training(folder, start=tmp_path / tuning))
        again = kind.load(folder, lesson.name).judge(lesson.dev)
        before = judge.judge(lesson.dev)
        for one, two in zip(before, again, strict=True):
            assert one.probabilities == pytest.approx(two.probabilities, abs=1e-5)


def test_frozen_layers_stay(tiny_encoder: str, tmp_path: Path) -> None:
    from safetensors import safe_open

    _train(_labels(), tmp_path / "model", weights=tiny_encoder, freeze=1, epochs=1)
    with safe_open(tmp_path / "model" / "weights.safetensors", "pt") as file:
        names = list(file.keys())
    assert not any("layer.0." in name or "embeddings" in name for name in names)
    assert any("layer.1." in name for name in names)


class _StopError(Exception):
    """Stands in for a kill."""


def test_a_stopped_training_goes_on_to_the_same_end(tiny_encoder: str, tmp_path: Path, monkeypatch: Any) -> None:
    from whence.models.training import torch_trainer

    monkeypatch.setattr(torch_trainer, "_SAVE_EVERY", 0.0)  # save after every step
    lesson, kind = _labels(), learner("transformer")
    settings = kind.Settings(weights=tiny_encoder, epochs=3, batch=8, rate=1e-3, patience=9)

    def stop(_what: str, done: int, _total: int) -> None:
        if done == 8:
            raise _StopError

    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir(), parts.mkdir()
    expected = kind.train([lesson], settings, Training(whole))
    with pytest.raises(_StopError):
        kind.train([lesson], settings, Training(parts, report=stop))
    found = kind.train([lesson], settings, Training(parts))
    assert found.dev == expected.dev
    assert (parts / "weights.safetensors").read_bytes() == (whole / "weights.safetensors").read_bytes()
    assert not (parts / "training.pt").exists()


def test_the_same_seed_gives_the_same_weights(tiny_encoder: str, tmp_path: Path) -> None:
    kind, made = learner("transformer"), []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        (tmp_path / name).mkdir()
        settings = kind.Settings(weights=tiny_encoder, epochs=1, batch=8)
        kind.train([_labels()], settings, Training(tmp_path / name, seed=seed))
        made.append((tmp_path / name / "weights.safetensors").read_bytes())
    assert made[0] == made[1] != made[2]


def test_lessons_are_learnt_jointly(tiny_encoder: str, tmp_path: Path) -> None:
    kind = learner("transformer")
    settings = kind.Settings(weights=tiny_encoder, epochs=12, batch=8, rate=3e-3, patience=12, dropout=0.0)
    kind.train([_labels(), _choices(), _tags()], settings, Training(tmp_path))
    from whence.models.measures import watched

    for lesson in (_labels(), _choices(), _tags()):
        assert watched(lesson, kind.load(tmp_path, lesson.name).judge(lesson.dev)) > 0.8
    with pytest.raises(UsageError, match="did not learn test/span"):
        kind.load(tmp_path, "test/span")


def test_spans_stand_in_the_context(tiny_encoder: str, tmp_path: Path) -> None:
    lesson = _spans()
    _, judge = _train(lesson, tmp_path / "model", weights=tiny_encoder, epochs=2)
    for item, verdict in zip(lesson.dev, judge.judge(lesson.dev), strict=True):
        assert isinstance(item, SpanItem)
        assert verdict.spans
        assert all(item.context[span.start : span.end] == span.text for span in verdict.spans)
        chances = [span.probability for span in verdict.spans]
        assert chances == sorted(chances, reverse=True)


def test_other_weights_than_it_began_with_are_refused(tiny_encoder: str, tiny_writer: str, tmp_path: Path) -> None:
    _train(_labels(), tmp_path / "model", weights=tiny_encoder, epochs=1)
    kind = learner("transformer")
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="take the same weights"):
        settings = kind.Settings(weights=tiny_writer, epochs=1)
        kind.train([_labels()], settings, Training(tmp_path / "other", start=tmp_path / "model"))


def test_rare_labels_can_count_more() -> None:
    from whence.models.transformer.network import weights_of_labels

    items = [Item(f"{n}", ((("a", "b"),),), int(n == 0)) for n in range(4)]
    lesson = TrainingSet("task/head", "label", ("often", "rarely", "never"), items, [])
    assert weights_of_labels(lesson, 0.0) == [1.0, 1.0, 0.0]
    assert weights_of_labels(lesson, 1.0) == pytest.approx([4 / 6, 2.0, 0.0])  # three items weigh as much as one
