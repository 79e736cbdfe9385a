"""Kinds of model that rank: by words, by vectors, by all evidence, and looked at twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whence.errors import MissingDataError, UsageError
from whence.files import write_text
from whence.models.encoder import Encoder
from whence.models.items import Item, RankItem, TrainingSet, Verdict
from whence.models.learners import learner, settings_of
from whence.models.learners.reranker import RerankerJudge, RerankerSettings, expected_rating
from whence.models.trained import CARD, HELD_OUT
from whence.models.training import Training

ANIMALS = ("cat", "dog", "fox", "owl", "bee", "ant", "hen", "cow", "pig", "bat", "elk", "emu")
DOCUMENTS = {
    **{f"{animal}-kind": f"a {animal} is a kind of animal" for animal in ANIMALS},
    **{f"{animal}-eats": f"a {animal} eats food to live" for animal in ANIMALS},
    "energy": "food is a source of energy",
    **{f"other-{n}": f"mineral number {n} scratches glass {n}" for n in range(80)},  # or else every word is common
}
ITEMS = [
    RankItem(animal, f"where does a {animal} get its strength", (f"{animal}-eats", "energy"), animal, "from food")
    for animal in ANIMALS
]
LESSON = TrainingSet("worldtree/facts", "ranking", (), ITEMS[:9], ITEMS[9:], "MAP", DOCUMENTS)


def _trained(kind: str, folder: Path, parts: tuple[Path, ...] = (), **settings: Any) -> Any:
    folder.mkdir(exist_ok=True)
    training = Training(folder, parts=parts)
    history = learner(kind).train([LESSON], settings_of(kind, settings), training)
    return history, learner(kind).load(folder, LESSON.name)


def _is_a_ranking(verdict: Verdict) -> bool:
    scores = list(verdict.scores)
    return scores == sorted(scores, reverse=True) and len(set(verdict.ranking)) == len(DOCUMENTS) == len(scores)


def test_by_words_and_by_what_explained_similar_queries(tmp_path: Path) -> None:
    history, judge = _trained("sparse", tmp_path / "power", power=0.6)
    (verdict,) = judge.judge(ITEMS[-1:])
    assert _is_a_ranking(verdict) and set(verdict.ranking[:2]) == {"emu-eats", "energy"}
    assert history.dev[0] > 0.9 > _trained("sparse", tmp_path / "words")[0].dev[0]
    assert {case.id for case in judge.reason(ITEMS[-1], "energy").cases} <= {item.id for item in ITEMS[:9]}


def test_all_evidence_is_weighed_over_the_encoder_as_it_is(tmp_path: Path, encoder: Encoder) -> None:
    history, judge = _trained("blend", tmp_path / "model", candidates=20, folds=3, epochs=40)
    verdicts = judge.judge(ITEMS)
    assert all(map(_is_a_ranking, verdicts))
    assert history.dev[0] > 0.8
    assert judge.judge(ITEMS) == verdicts == learner("blend").load(tmp_path / "model", LESSON.name).judge(ITEMS)
    reason = judge.reason(ITEMS[-1], "energy")
    assert reason.words and reason.cases and 0 < reason.closeness < 1


def _fine_tuned(folder: Path, held: list[str]) -> Path:
    """A folder as a fine-tuned `dense` model leaves it; its vectors are those of the encoder as it is."""
    _trained("dense", folder)
    write_text(folder / CARD, json.dumps({"kind": "dense", "settings": {"epochs": 1}, "lessons": {}}))
    write_text(folder / HELD_OUT, json.dumps(held))
    return folder


def test_a_part_is_asked_about_queries_that_it_did_not_see(tmp_path: Path, encoder: Encoder) -> None:
    halves = [item.id for item in ITEMS[:4]], [item.id for item in ITEMS[4:7]]
    parts = tuple(_fine_tuned(tmp_path / str(n), list(half)) for n, half in enumerate(halves))
    _trained("blend", tmp_path / "model", parts)
    about = json.loads((tmp_path / "model" / "learnt.json").read_text(encoding="utf-8"))
    assert about["lists"] == [9, 7]  # of the nine training queries two were seen by both
    assert about["parts"] == ["0", "1"]
    with pytest.raises(UsageError, match="seen by all parts: train them"):
        _trained("blend", tmp_path / "none", (_fine_tuned(tmp_path / "seen", []),))
    (parts[0] / HELD_OUT).unlink()
    with pytest.raises(MissingDataError, match="does not say what its training held out"):
        _trained("blend", tmp_path / "unknown", (parts[0],))


def test_parts_must_be_of_the_right_kind_and_name(tmp_path: Path) -> None:
    _trained("sparse", tmp_path / "sparse")
    write_text(tmp_path / "sparse" / CARD, json.dumps({"kind": "sparse", "settings": {}, "lessons": {}}))
    with pytest.raises(UsageError, match="made of dense models, not of sparse models"):
        _trained("blend", tmp_path / "model", (tmp_path / "sparse",))
    with pytest.raises(UsageError, match="two parts have folders of the name 'sparse'"):
        _trained("blend", tmp_path / "twice", (tmp_path / "sparse", tmp_path / "sparse"))
    with pytest.raises(UsageError, match="a reranker has two parts"):
        _trained("reranker", tmp_path / "one", (tmp_path / "sparse",))


class _Rater:
    """Finds documents relevant that speak of energy; of the others those that eat, a little."""

    name = "rater"

    def judge(self, items: list[Item], _report: Any = None) -> list[Verdict]:
        texts = [item.options[0][0][1] for item in items]
        found = [0.9 if "energy" in text else 0.5 if "eats" in text else 0.1 for text in texts]
        return [Verdict(item.id, (1 - value, value)) for item, value in zip(items, found, strict=True)]


def test_the_best_of_a_first_ranking_in_a_new_order(tmp_path: Path) -> None:
    _, first = _trained("sparse", tmp_path, power=0.6)
    before = first.judge(ITEMS[:1])[0]
    settings = RerankerSettings(depth=2)
    (verdict,) = RerankerJudge("two", first, _Rater(), DOCUMENTS, settings).judge(ITEMS[:1])
    assert verdict.ranking[:2] == ("energy", "cat-eats") and _is_a_ranking(verdict)
    assert verdict.ranking[2:] == before.ranking[2:]
    held = replace(settings, first=100.0)  # the first ranker's word is all that counts
    (same,) = RerankerJudge("two", first, _Rater(), DOCUMENTS, held).judge(ITEMS[:1])
    assert same.ranking == before.ranking and _is_a_ranking(same)


def test_an_expected_rating_is_the_mean_of_its_labels() -> None:
    assert expected_rating(Verdict("x", (0.1, 0.2, 0.3, 0.4))) == pytest.approx(2.0)  # 0.2 + 0.6 + 1.2
