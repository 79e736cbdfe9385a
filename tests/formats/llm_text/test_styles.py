"""Gold explanations in every style are read as they are, and score as gold does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.contracts.built_in import BUILT_IN
from tests.formats.llm_text import styles

from whence.formats.llm_text import Unread
from whence.pipeline.score import score
from whence.structures.dialogue import Answer, Triplets
from whence.structures.facts import FactSet
from whence.structures.results import Example, Prediction
from whence.structures.tree import Tree, texts
from whence.tasks.dataset import Predictions
from whence.tasks.loading import samples
from whence.tasks.scoring import ScoringOptions


def _values() -> dict[str, Callable[[Example[Any, Any]], Any]]:
    trees = {f"entailmentbank-{number}": styles.tree_value for number in (1, 2, 3)}
    labels = dict.fromkeys(("anli", "cider-nli", "cider-choice", "cider-relation", "contrast"), styles.label_value)

    def triplets(example: Example[Any, Any]) -> Any:
        golds = example.golds[0].triplets
        return {"triplets": [{"head": g.head.text, "relation": g.relation, "tail": g.tail.text} for g in golds]}

    return {
        "explagraphs": styles.graph_value,
        "worldtree": styles.fact_value,
        "cider": triplets,
        "cider-span": styles.text_value,
        "anlg": styles.text_value,
        **labels,
        **trees,
    }


def styles_of(task: str) -> dict[str, styles.Style]:
    """All styles of a task."""
    value = _values()[task]
    found: dict[str, styles.Style] = {
        f"json, {name}": (lambda e, form=form: form(value(e)))  # type: ignore[misc]
        for name, form in styles.JSON_STYLES.items()
    }
    if task == "explagraphs":
        return found | styles.GRAPH_STYLES
    if task == "cider":
        return found | styles.TRIPLE_STYLES
    if task.startswith("entailmentbank"):
        own = {
            name: (lambda e, style=style: styles._own(e, style))  # type: ignore[misc]
            for name, style in styles.TREE_STYLES.items()
        }
        return found | (own if task.endswith("3") else styles.TREE_STYLES)
    if task == "worldtree":
        return found | styles.fact_styles(samples(BUILT_IN[task]).facts)
    if task == "cider-span":
        return found | styles.text_styles("Answer")
    if task == "anlg":
        return found | styles.text_styles("Hypothesis")
    return found | styles.choice_styles(task)


def meaning(example: Example[Any, Any], explanation: Any) -> Any:
    """What an explanation says, as far as its metrics look at it."""
    match explanation:
        case Tree():
            known = texts(explanation, example.inputs)
            return [
                (frozenset(known[one] for one in step.premises), step.conclusion, step.text)
                for step in explanation.steps
            ]
        case FactSet(facts=uses):
            return {use.id for use in uses if use.gold}
        case Triplets(triplets=triplets):
            return {(one.head.text.lower(), one.relation, one.tail.text.lower()) for one in triplets}
        case Answer(text=text):
            return text.strip(" .").lower()
    return explanation


@pytest.mark.parametrize(("task", "style"), [(task, style) for task in BUILT_IN for style in styles_of(task)])
def test_gold_in_every_style_is_read(task: str, style: str) -> None:
    dataset, write = samples(BUILT_IN[task]), styles_of(task)[style]
    read_text = BUILT_IN[task].read_text
    assert read_text is not None
    wrong = []
    for example in dataset.examples:
        text = write(example)
        answer = read_text(text, example.inputs, dataset)
        if isinstance(answer, Unread) or meaning(example, answer) != meaning(example, example.golds[0]):
            wrong.append((example.id, text, answer))
    assert not wrong, f"{len(wrong)} of {len(dataset.examples)}: {wrong[0]}"


@pytest.mark.parametrize("task", BUILT_IN)
def test_there_are_fifteen_styles(task: str) -> None:
    assert len(styles_of(task)) >= 15


@pytest.mark.parametrize("task", BUILT_IN)
def test_read_answers_score_as_gold(task: str) -> None:
    chosen, dataset = BUILT_IN[task], samples(BUILT_IN[task])
    assert chosen.read_text is not None
    every = list(styles_of(task).values())
    numbers = tuple(range(1, len(dataset.examples) + 1))
    answers = []
    for number, example in enumerate(dataset.examples):
        text = every[number % len(every)](example)
        answers.append(Prediction(example.id, chosen.read_text(text, example.inputs, dataset), text))
    gold = Predictions(tuple(Prediction(example.id, example.golds[0]) for example in dataset.examples), numbers)
    read, best = (
        score(chosen, dataset, given, ScoringOptions(), samples=100).measurements
        for given in (Predictions(tuple(answers), numbers), gold)
    )
    assert [(one.name, one.value) for one in read] == [(one.name, one.value) for one in best]
