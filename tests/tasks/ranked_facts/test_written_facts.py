"""Explanations written as texts, and aligned to the facts of a store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whence.errors import UsageError
from whence.models.items import TextItem, Verdict, Written
from whence.pipeline.explain import explainer
from whence.structures.facts import Fact, FactSet, FactUse, Question, united
from whence.structures.results import Example
from whence.tasks import head_named, task_named
from whence.tasks.head import Source
from whence.tasks.method import Setup
from whence.tasks.ranked_facts.methods.written.writer import (
    ORDERINGS,
    WrittenExplanations,
    WrittenSettings,
    explanation_items,
    parts_of,
    written_facts,
)
from whence.tasks.sources import data_folder

FACTS = {
    "f1": Fact("f1", "ice is a kind of solid", "KINDOF"),
    "f2": Fact("f2", "heat causes ice to melt", "CAUSE"),
    "f3": Fact("f3", "melting means changing from a solid into a liquid", "CHANGE"),
}
ASKED = Example("q", Question("What melts ice?", "heat"))
USES = (FactUse("F2", "CENTRAL"), FactUse("f3", "CENTRAL"), FactUse("f1", "GROUNDING"))


@pytest.mark.parametrize(
    ("uses", "core", "extra"),
    [
        (USES, ["F2", "f3"], ["f1"]),  # without ratings by role
        ((FactUse("a", "", (3,)), FactUse("b", "", (1,)), FactUse("c", "", (0,))), ["a"], ["b"]),
        ((FactUse("a", "CENTRAL", (1, 2)), FactUse("b", "", (), gold=False)), ["a"], []),  # 1.5 is rounded up
        ((FactUse("a", "CENTRAL", gold=False),), [], []),
    ],
)
def test_parts(uses: tuple[FactUse, ...], core: list[str], extra: list[str]) -> None:
    assert parts_of(uses) == {"CORE": core, "EXT": extra}


def test_orderings_and_single_facts() -> None:
    example = Example("q", ASKED.inputs, (FactSet(USES),))
    items = list(explanation_items([example], FACTS, "orderings", 0))
    assert {item.prompt for item in items} == {
        "explanation: What melts ice? [ANSWER] heat [CORE]",
        "explanation: What melts ice? [ANSWER] heat [EXT]",
    }
    core = {item.gold for item in items if item.prompt.endswith("[CORE]")}
    one, two = FACTS["f2"].text, FACTS["f3"].text
    assert core <= {f"{one} [AND] {two}", f"{two} [AND] {one}"}
    assert len(core) <= ORDERINGS
    assert items == list(explanation_items([example], FACTS, "orderings", 0))
    single = [item.gold for item in explanation_items([example], FACTS, "single", 0)]
    assert single == [one, two, FACTS["f1"].text]
    with pytest.raises(UsageError, match="not written in the form 'x'"):
        list(explanation_items([example], FACTS, "x", 0))


def test_facts_of_all_beams_are_put_together() -> None:
    texts = [Written("a b [AND] c", -1.0), Written("c [AND] [AND] d", -2.0)]
    assert written_facts(texts) == {"a b": 1, "c": 2, "d": 1}


class _Writer:
    """Writes what it is told."""

    name = "told"

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.beams = 0

    def with_beams(self, count: int) -> _Writer:
        self.beams = count
        return self

    def judge(self, items: list[TextItem], _: Any = None) -> list[Verdict]:
        return [Verdict(item.id, texts=tuple(Written(text, -1.0) for text in self.texts)) for item in items]


def test_written_facts_are_aligned_and_others_refused() -> None:
    writer: Any = _Writer(
        "heat causes the ice to melt [AND] cows eat grass", "ice is a solid [AND] Ice is a kind of solid"
    )
    made = WrittenExplanations(writer, WrittenSettings(beams=2, parts="CORE"), FACTS)
    (found,) = made.explain([ASKED])
    assert writer.beams == 2
    assert [use.id for use in found.explanation.facts] == ["f2", "f1"]
    assert found.reasons[0].because == ("written as “heat causes the ice to melt” in 1 of 2 texts",)
    assert [reason.text for reason in found.refused] == ["cows eat grass"]
    strict = WrittenExplanations(writer, WrittenSettings(threshold=0.99, parts="CORE"), FACTS)
    assert [use.id for use in strict.explain([ASKED])[0].explanation.facts] == ["f1"]
    nothing = WrittenExplanations(_Writer(""), WrittenSettings(), FACTS)  # type: ignore[arg-type]
    assert nothing.explain([ASKED])[0].explanation is None


def test_each_question_has_the_facts_of_its_own_texts() -> None:
    class Echo(_Writer):
        def judge(self, items: list[TextItem], _: Any = None) -> list[Verdict]:
            wanted = {ASKED.inputs.question: FACTS["f1"].text, "Else?": FACTS["f2"].text}
            told = [next(text for question, text in wanted.items() if question in item.prompt) for item in items]
            return [Verdict(item.id, texts=(Written(text, -1.0),)) for item, text in zip(items, told, strict=True)]

    other = replace(ASKED, id="other", inputs=replace(ASKED.inputs, question="Else?"))
    made = WrittenExplanations(Echo(), WrittenSettings(), FACTS)  # type: ignore[arg-type]
    found = made.explain([ASKED, other, ASKED])
    assert [[use.id for use in one.explanation.facts] for one in found] == [["f1"], ["f2"], ["f1"]]


def test_a_model_is_needed() -> None:
    with pytest.raises(UsageError, match="--set model=FOLDER"):
        explainer("worldtree", "written", {}, Setup(data_folder, FACTS))


def test_a_trained_writer_is_asked_for_both_parts(tiny_writer: str, tmp_path: Path) -> None:
    from whence.pipeline.recipes import recipe_named
    from whence.pipeline.train import train

    task = task_named("worldtree")
    quick = [f"weights={tiny_writer}", "split=samples", "tokens=30", "written=8", "examples=6", "epochs=1"]
    model = train([recipe_named(task, "small.written", quick)], tmp_path / "model", data_folder)
    settings = {"model": str(model.folder), "beams": 3, "threshold": 0.1}
    maker = explainer("worldtree", "written", settings, Setup(data_folder, FACTS))
    (found,) = maker.explain([ASKED])
    assert "3 beams" in maker.name
    lines = [line for reason in (*found.reasons, *found.refused) for line in reason.because]
    assert all("of 6 texts" in line for line in lines if line.startswith("written as"))


def test_every_question_of_the_samples_is_written() -> None:
    source = Source(task_named("worldtree"), "samples", data_folder)
    items = head_named("worldtree", "written").items(source)
    assert {item.group for item in items} == {example.id for example in source.dataset().examples}


def test_union_keeps_the_first_mention() -> None:
    one, two = FactSet((FactUse("A", "CENTRAL"),)), FactSet((FactUse("a"), FactUse("b")))
    assert united([one, two]) == FactSet((FactUse("A", "CENTRAL"), FactUse("b")))
