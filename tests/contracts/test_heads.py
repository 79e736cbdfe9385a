"""What every head promises, whatever the task: one question after another on our own samples."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contracts.built_in import BUILT_IN

from whence.models.items import AnyItem, FoundSpan, Item, RankItem, SpanItem, TextItem, Verdict, WordItem, Written
from whence.models.measures import measured
from whence.tasks import TASKS, heads_of, task_named
from whence.tasks.head import Head, Source, lesson, predictions
from whence.tasks.loading import samples
from whence.tasks.sources import data_folder

HEADS = [(task, head) for task in TASKS for head in heads_of(task).values()]
NAMES = [f"{task}/{head.name}" for task, head in HEADS]
TYPES = {"label": Item, "choice": Item, "tags": WordItem, "span": SpanItem, "ranking": RankItem, "text": TextItem}
WITH_FORMS = [(task, head, form) for task, head in HEADS for form in head.forms]


def _source(task: str, form: str = "", seed: int = 0) -> Source:
    return Source(task_named(task), "samples", data_folder, form, seed)


@pytest.mark.parametrize(("task", "head", "form"), WITH_FORMS, ids=lambda value: getattr(value, "name", value))
def test_items_are_of_the_shape_with_answers_in_range(task: str, head: Head, form: str) -> None:
    items = head.items(_source(task, form))
    assert items
    assert len({item.id for item in items}) == len(items)
    for item in items:
        assert isinstance(item, TYPES[head.shape])
        if isinstance(item, Item):
            choices = len(head.labels) if head.shape == "label" else len(item.options)
            assert item.gold is None or 0 <= item.gold < choices
            assert (len(item.options) == 1) == (head.shape == "label")
            assert all(any(pair) for option in item.options for pair in option)
        elif isinstance(item, WordItem):
            assert item.gold is None or (
                len(item.gold) == len(item.words) and set(item.gold) <= set(range(len(head.labels)))
            )
        elif isinstance(item, RankItem):
            assert head.documents is not None
            # What no document says is gold too: no ranking has it.
            assert item.gold is None or set(item.gold) & head.documents(_source(task, form)).keys()
        elif isinstance(item, TextItem):
            assert item.prompt.strip()
            assert item.gold is None or item.gold.strip()
        else:
            assert item.gold is None or item.context[slice(*item.gold)]


@pytest.mark.parametrize(("task", "head"), HEADS, ids=NAMES)
def test_the_same_seed_gives_the_same_items(task: str, head: Head) -> None:
    assert list(head.items(_source(task, seed=3))) == list(head.items(_source(task, seed=3)))


@pytest.mark.parametrize(("task", "head"), HEADS, ids=NAMES)
def test_held_out_groups_are_not_learnt_from(task: str, head: Head) -> None:
    made = lesson("x", head, head.items(_source(task)), held_out=0.3, seed=0)
    learnt = {item.group or item.id for item in made.train}
    held = {item.group or item.id for item in made.dev}
    assert learnt
    assert held or len(learnt) == 1
    assert not learnt & held


@pytest.mark.parametrize(("task", "head"), HEADS, ids=NAMES)
def test_heads_that_answer_the_task_do_so_for_every_example(task: str, head: Head) -> None:
    if head.answer is None:
        assert not head.figures
        return
    dataset = samples(task_named(task))
    items = head.items(_source(task))
    assert [item.id for item in items] == [example.id for example in dataset.examples]
    gold = [_as_if_right(head, item) for item in items]
    answers = list(predictions(head, dataset, gold))
    assert [answer.id for answer in answers] == [example.id for example in dataset.examples]
    assert all(isinstance(answer.explanation, task_named(task).explanation) for answer in answers)


@pytest.mark.parametrize(("task", "head"), HEADS, ids=NAMES)
def test_what_models_are_compared_by_is_measured_and_whole_where_all_is_right(task: str, head: Head) -> None:
    if head.answer is not None:  # then the task measures it
        return
    items = [item for item in head.items(_source(task)) if item.gold is not None]
    found = measured(head.shape, head.labels, items, [_as_if_right(head, item) for item in items])
    figures = {one.metric.name: one.figure() for one in found}
    assert figures[head.headline] == pytest.approx(1.0)


def _as_if_right(head: Head, item: AnyItem) -> Verdict:
    if isinstance(item, TextItem):
        return Verdict(item.id, texts=(Written(item.gold or "", 0.0),))
    if isinstance(item, RankItem):
        return Verdict(item.id, ranking=item.gold or ())
    if isinstance(item, SpanItem):
        start, end = item.gold or (0, 1)
        return Verdict(item.id, spans=(FoundSpan(start, end, item.context[start:end], 1.0),))
    if isinstance(item, WordItem):
        return Verdict(item.id, tags=item.gold or ())
    count = len(head.labels) if head.shape == "label" else len(item.options)
    return Verdict(item.id, probabilities=tuple(float(place == item.gold) for place in range(count)))


@pytest.mark.parametrize("name", [name for name in NAMES if name.split("/")[0] in BUILT_IN])
def test_every_head_is_documented(name: str) -> None:
    task, head = name.split("/")
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    assert f"| {task} | `{head}` |" in page
