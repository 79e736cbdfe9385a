"""The answers that every model must beat."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.errors import MissingDataError, UsageError
from whence.files import write_text
from whence.models.items import Item, SpanItem, TrainingSet, WordItem
from whence.models.learners import learner
from whence.models.trained import CARD
from whence.models.training import Training

QUESTION = (("a", "b"),)


def labelled(*golds: int) -> list[Item]:
    return [Item(f"{place}", (QUESTION,), gold) for place, gold in enumerate(golds)]


def chosen(*golds: int, options: int = 2) -> list[Item]:
    return [Item(f"{place}", (QUESTION,) * options, gold) for place, gold in enumerate(golds)]


def trained(kind: str, lesson: TrainingSet, folder: Path, seed: int = 0):  # type: ignore[no-untyped-def]
    learnt = learner(kind)
    history = learnt.train([lesson], learnt.Settings(), Training(folder, seed))
    return history, learnt.load(folder, lesson.name)


def test_the_most_frequent_label(tmp_path: Path) -> None:
    lesson = TrainingSet("t/h", "label", ("no", "maybe", "yes"), labelled(2, 2, 0), labelled(2, 0))
    history, judge = trained("majority", lesson, tmp_path)
    (verdict,) = judge.judge([Item("new", (QUESTION,))])
    assert verdict.probabilities == pytest.approx((1 / 3, 0, 2 / 3)) and verdict.best == 2
    assert history.dev == (0.5,) and history.kept == 0 and history.parameters == 3
    assert judge.name.startswith("majority@")


def test_the_most_frequent_place(tmp_path: Path) -> None:
    lesson = TrainingSet("t/h", "choice", (), chosen(1, 1, 0), [])
    history, judge = trained("majority", lesson, tmp_path)
    assert history.dev == () and history.kept is None
    found = judge.judge([*chosen(0), *chosen(0, options=4), *chosen(0, options=1)])
    assert [verdict.best for verdict in found] == [1, 1, 0]
    assert [len(verdict.probabilities) for verdict in found] == [2, 4, 1]
    assert all(sum(verdict.probabilities) == pytest.approx(1) for verdict in found)


def test_places_that_were_never_right_are_all_alike(tmp_path: Path) -> None:
    _, judge = trained("majority", TrainingSet("t/h", "choice", (), chosen(2, 2, options=3), []), tmp_path)
    (verdict,) = judge.judge(chosen(0))
    assert verdict.probabilities == (0.5, 0.5)


def test_the_most_frequent_tag(tmp_path: Path) -> None:
    words = [WordItem("a", ("x", "y", "z"), (1, 0, 1)), WordItem("b", ("x",), (0,)), WordItem("c", ("x",), (1,))]
    lesson = TrainingSet("t/h", "tags", ("O", "B-N"), words, words, "f1")
    history, judge = trained("majority", lesson, tmp_path)
    assert [verdict.tags for verdict in judge.judge(words)] == [(1, 1, 1), (1,), (1,)]
    # By hand: of the five runs of one word that are found (three, one, one) three are right, and these are all.
    assert history.dev == (pytest.approx(2 * 3 / (5 + 3)),)


def test_no_span_is_the_most_frequent(tmp_path: Path) -> None:
    lesson = TrainingSet("t/h", "span", (), [SpanItem("a", "q", "one two", (0, 3))], [], "f1")
    with pytest.raises(UsageError, match="t/h asks for spans, and majority models give only choices or labels or"):
        trained("majority", lesson, tmp_path)


def test_chance_depends_on_the_id_and_the_seed_only(tmp_path: Path) -> None:
    items = [Item(str(number), (QUESTION, QUESTION)) for number in range(2000)]
    lesson = TrainingSet("t/h", "choice", (), chosen(0), chosen(1))
    _, judge = trained("random", lesson, tmp_path / "a")
    _, other = trained("random", lesson, tmp_path / "b", seed=1)
    found = judge.judge(items)
    assert found == list(reversed(judge.judge(list(reversed(items)))))
    first = sum(verdict.best == 0 for verdict in found)
    assert 900 < first < 1100  # 1000 +- 4.5 standard deviations
    same = sum(a.best == b.best for a, b in zip(found, other.judge(items), strict=True))
    assert 900 < same < 1100
    assert all(sum(verdict.probabilities) == pytest.approx(1) for verdict in found)


def test_chance_in_every_shape(tmp_path: Path) -> None:
    labels = ("O", "B-N", "I-N")
    _, judge = trained("random", TrainingSet("t/l", "label", labels, labelled(0), []), tmp_path / "l")
    assert {judge.judge([Item(str(n), (QUESTION,))])[0].best for n in range(50)} == {0, 1, 2}
    words = WordItem("w", ("a",) * 60, (0,) * 60)
    _, judge = trained("random", TrainingSet("t/t", "tags", labels, [words], []), tmp_path / "t")
    assert set(judge.judge([words])[0].tags) == {0, 1, 2}
    asked = [SpanItem(str(number), "q", " one  two three") for number in range(100)]
    _, judge = trained(
        "random", TrainingSet("t/s", "span", (), [SpanItem("a", "q", "one", (0, 3))], []), tmp_path / "s"
    )
    found = [verdict.spans[0] for verdict in judge.judge(asked)]
    # All six runs of three words, each as a piece of the context.
    assert {span.text for span in found} == {"one", "two", "three", "one  two", "two three", "one  two three"}
    assert all(" one  two three"[span.start : span.end] == span.text for span in found)
    assert judge.judge([SpanItem("e", "q", " ")])[0].spans == ()


def test_what_was_learnt_lies_beside_the_card(tmp_path: Path) -> None:
    lesson = TrainingSet("t/h", "choice", (), chosen(1), [])
    trained("majority", lesson, tmp_path)
    write_text(tmp_path / CARD, "{}")  # as training does when it is done
    assert learner("majority").load(tmp_path, "t/h").judge(chosen(0))[0].best == 1


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no trained model"):
        learner("majority").load(tmp_path, "t/h")
    trained("random", TrainingSet("t/h", "choice", (), chosen(0), []), tmp_path)
    with pytest.raises(UsageError, match="it has not learnt 't/other', but t/h"):
        learner("random").load(tmp_path, "t/other")
    with pytest.raises(UsageError, match="no items with answers"):
        trained("random", TrainingSet("t/h", "choice", (), [], []), tmp_path)
