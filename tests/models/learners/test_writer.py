"""Models that write, and constraints on what they write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from whence.errors import UsageError
from whence.models.items import TextItem, TrainingSet
from whence.models.learners import learner
from whence.models.training import Training
from whence.models.transformer.writing import Within

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("transformers", reason="needs the extra `train`")

DOES = {"cats": "sleep", "dogs": "bark loudly", "birds": "sing by day"}


def _lesson() -> TrainingSet:
    items = [
        TextItem(f"{animal}{number}", f"we like {animal}", f"because {animal} {does}", animal)
        for number in range(8)
        for animal, does in DOES.items()
    ]
    return TrainingSet("test/text", "text", (), items, items[:3], "likelihood")


def _train(weights: str, folder: Path, **settings: Any) -> tuple[Any, Any]:
    folder.mkdir(exist_ok=True)
    kind = learner("writer")
    options = {
        "weights": weights,
        "epochs": 20,
        "batch": 8,
        "rate": 1e-2,
        "patience": 30,
        "written": 12,
        **settings,
    }
    history = kind.train([_lesson()], kind.Settings(**options), Training(folder))
    return history, kind.load(folder, "test/text")


@pytest.fixture(params=["tiny_writer", "tiny_translator"])
def weights(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(request.param)
    return found


def test_it_learns_to_write(weights: str, tmp_path: Path) -> None:
    history, judge = _train(weights, tmp_path / "model")
    assert history.dev[-1] > history.dev[0]
    assert history.parameters > 0
    verdicts = judge.judge(_lesson().dev)
    assert [verdict.texts[0].text for verdict in verdicts] == [item.gold for item in _lesson().dev]
    assert all(-0.5 < verdict.texts[0].score <= 0 for verdict in verdicts)


def test_adapters_learn_and_load(tiny_writer: str, tmp_path: Path) -> None:
    history, judge = _train(tiny_writer, tmp_path / "model", tuning="lora", rank=8)
    assert history.dev[-1] > history.dev[0]
    assert history.parameters < 20_000
    assert all(verdict.texts for verdict in judge.judge(_lesson().dev))


@dataclass(frozen=True)
class OneOf:
    """Exactly one of some texts."""

    texts: tuple[str, ...]

    def may_begin(self, text: str) -> bool:
        return any(one.startswith(text) for one in self.texts)

    def may_end(self, text: str) -> bool:
        return text in self.texts

    def way_on(self, text: str) -> str:
        return next(one for one in self.texts if one.startswith(text))[len(text) :]


@pytest.mark.parametrize("beams", [1, 2, 4])
def test_nothing_is_written_outside_a_constraint(tiny_writer: str, beams: int, tmp_path: Path) -> None:
    _, judge = _train(tiny_writer, tmp_path / "model", epochs=2, beams=beams)
    allowed = OneOf(("that night", "we sing at night", "birds bark"))
    verdicts = judge.write(_lesson().dev, lambda _: allowed)
    for verdict in verdicts:  # there may be more beams than texts
        assert len({one.text for one in verdict.texts}) == min(beams, 3)
        assert {one.text for one in verdict.texts} <= set(allowed.texts)


def test_a_beam_that_has_gone_astray_ends(tiny_writer: str) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny_writer)
    within = Within(tokenizer, 0, 2, [OneOf(("that night",))])
    rows = torch.tensor([tokenizer(text, add_special_tokens=False)["input_ids"] for text in ("that", "birds")])
    allowed = within(rows, torch.zeros(2, len(tokenizer)))
    assert [row.isfinite().nonzero().flatten().tolist() for row in allowed] == [
        tokenizer(" night", add_special_tokens=False)["input_ids"],
        [tokenizer.eos_token_id],
    ]


def test_a_constraint_does_not_change_what_is_right_anyway(tiny_writer: str, tmp_path: Path) -> None:
    _, judge = _train(tiny_writer, tmp_path / "model")
    allowed = OneOf(tuple(str(item.gold) for item in _lesson().dev))
    free = [verdict.texts[0].text for verdict in judge.judge(_lesson().dev)]
    within = [verdict.texts[0].text for verdict in judge.write(_lesson().dev, lambda _: allowed)]
    assert free == within


@dataclass(frozen=True)
class AtLeast:
    """Any text of so many words or more; behind where a model would have ended, one word over and over."""

    words: int
    rest: str
    ended: str | None = None

    def finishing(self, text: str) -> AtLeast:
        return AtLeast(self.words, self.rest, text)

    def may_begin(self, text: str) -> bool:
        if self.ended is None:
            return True
        return (self.rest * self.words).startswith(text[len(self.ended) :])

    def may_end(self, text: str) -> bool:
        return len(text.split()) >= self.words

    def way_on(self, text: str) -> str:
        return "" if self.may_end(text) else self.rest


def test_a_model_that_would_end_too_early_is_hurried(tiny_writer: str, tmp_path: Path) -> None:
    _, judge = _train(tiny_writer, tmp_path / "model", written=16)
    verdicts = judge.write(_lesson().dev, lambda _: AtLeast(7, " night"))
    for item, verdict in zip(_lesson().dev, verdicts, strict=True):
        written = verdict.texts[0].text
        gold = str(item.gold)
        assert written.startswith(f"{gold} night")
        assert set(written.removeprefix(gold).split()) == {"night"}
        assert len(written.split()) == 7


def _known_lesson() -> TrainingSet:
    """What should be written is told by what is known alone; one of the items knows less."""
    items = [
        TextItem(
            f"{animal}{number}", "we like them", f"because {animal} {does}", animal, (animal, "at night")[:known]
        )
        for number in range(8)
        for known, (animal, does) in enumerate(DOES.items(), 1)
    ]
    return TrainingSet("test/text", "text", (), items, items[:3], "likelihood")


def test_what_is_known_as_vectors_is_heeded(weights: str, tmp_path: Path) -> None:
    kind, folder = learner("writer"), tmp_path / "model"
    folder.mkdir()
    options = {"epochs": 30, "batch": 8, "rate": 1e-2, "patience": 40, "written": 12, "vectors": True}
    lesson = _known_lesson()
    history = kind.train([lesson], kind.Settings(weights=weights, **options), Training(folder))
    assert history.dev[-1] > history.dev[0]
    judge = kind.load(folder, "test/text")
    verdicts = judge.judge(lesson.dev)
    assert [verdict.texts[0].text for verdict in verdicts] == [item.gold for item in lesson.dev]
    assert [judge.judge([item])[0].texts[0].text for item in lesson.dev] == [item.gold for item in lesson.dev]


def test_no_beams_are_refused(tiny_writer: str) -> None:
    from whence.models.learners.writer import WriterSettings, untrained_writer

    with pytest.raises(UsageError, match="beams: expected 1 or more, found 0"):
        untrained_writer(WriterSettings(weights=tiny_writer)).with_beams(0)


def test_texts_drawn_by_chance_are_the_same_again(weights: str) -> None:
    from whence.models.learners.writer import WriterSettings, untrained_writer

    judge = untrained_writer(WriterSettings(weights=weights, samples=4, temperature=2.0, written=6, ends=""))
    first, again = (judge.judge(_lesson().dev[:2]) for _ in range(2))
    assert first == again
    assert all(len({written.text for written in verdict.texts}) > 1 for verdict in first)
    scores = [written.score for written in first[0].texts]
    assert scores == sorted(scores, reverse=True)
