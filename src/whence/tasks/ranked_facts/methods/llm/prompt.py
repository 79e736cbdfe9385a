"""Facts chosen by a language model from those that a ranker puts first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from whence.checks.facts import FACT_ONCE, NOT_EMPTY, role_known
from whence.errors import DataError, quoted
from whence.files import Json
from whence.structures.facts import Fact, FactSet, FactUse, Question
from whence.structures.results import Example
from whence.tasks.loading import samples
from whence.tasks.method import Explainer, Setup
from whence.tasks.prompting import Prompt, View, choice_of, list_of, prompted_method, record, some
from whence.tasks.ranked_facts.data.files import ROLES
from whence.tasks.ranked_facts.data.stores import role_of
from whence.tasks.ranked_facts.methods.facts.top_facts import METHOD as FACTS
from whence.tasks.ranked_facts.methods.facts.top_facts import FactSettings
from whence.tasks.ranked_facts.task import WORLDTREE

CANDIDATES = 30
"""How many facts are shown: those that the embedded ranker puts first."""
MOST_FACTS = 16

INSTRUCTION = """You explain why the answer to a question is right, by facts from a numbered list. Choose the \
facts that are needed so that someone who knows nothing else sees why the answer follows, and no others; the most \
important first.
Answer with JSON only: {"facts": [number, number, ...]}"""


@dataclass(frozen=True, slots=True)
class Candidates:
    """A question with the facts that may explain its answer, by number from 1."""

    asked: Question
    facts: tuple[Fact, ...]


def ask(inputs: Candidates) -> str:
    """The question, its answer, the facts."""
    lines = [f"Question: {inputs.asked.question}", f"Answer: {inputs.asked.answer}", "Facts:"]
    return "\n".join([*lines, *(f"{number}. {fact.text}" for number, fact in enumerate(inputs.facts, 1))])


def schema(inputs: Candidates) -> dict[str, Any]:
    """Numbers of facts."""
    numbers = list(range(1, len(inputs.facts) + 1))
    return record(facts=some(choice_of(numbers), 1, min(MOST_FACTS, len(numbers))))


def show(inputs: Candidates, explanation: FactSet) -> Json:
    """Facts as an answer."""
    places = {fact.id.lower(): number for number, fact in enumerate(inputs.facts, 1)}
    used = [use.id.lower() for use in explanation.facts if use.gold]
    if not all(name in places for name in used):
        raise DataError(expected="facts of the list", found="others")
    return {"facts": [places[name] for name in used]}


def parse(inputs: Candidates, answer: Json) -> FactSet:
    """An answer as facts, with the roles that facts of their tables mostly have."""
    uses = []
    for number in list_of(answer, "facts"):
        if not str(number).isdecimal() or not 1 <= int(number) <= len(inputs.facts):
            raise DataError(expected=f"numbers from 1 to {len(inputs.facts)}", found=quoted(str(number)))
        fact = inputs.facts[int(number) - 1]
        uses.append(FactUse(fact.id, role_of(fact)))
    return FactSet(tuple(uses))


def sentences(inputs: Candidates) -> dict[str, Fact]:
    """The facts of the list, by id: an answer refers to them."""
    return {fact.id: fact for fact in inputs.facts}


def repair(_: Candidates, explanation: FactSet) -> FactSet:
    """Every fact once."""
    return FactSet(tuple(dict.fromkeys(explanation.facts)))


def _ranker(setup: Setup) -> Explainer:
    return FACTS.make(FactSettings(count=CANDIDATES, fill=True), setup)


def _view(setup: Setup) -> View:
    ranker = _ranker(setup)

    def view(examples: Sequence[Example[Question, Any]]) -> Sequence[Candidates]:
        found = ranker.explain(examples)
        return [
            Candidates(example.inputs, tuple(one.facts.values()))
            for example, one in zip(examples, found, strict=True)
        ]

    return view


@cache
def _sample_ranker() -> Explainer:
    return _ranker(Setup(lambda: WORLDTREE.data.samples.parent, samples(WORLDTREE).facts))


def _sample_view(examples: Sequence[Example[Question, Any]]) -> Sequence[Candidates]:
    """Samples with the facts of their answers among others, in the order of their ids: that tells nothing."""
    known = samples(WORLDTREE).facts
    found = []
    for example, ranked in zip(examples, _sample_ranker().explain(examples), strict=True):
        used = {use.id: known[use.id] for use in example.golds[0].facts if use.gold and use.id in known}
        shown = dict(list({**used, **ranked.facts}.items())[:CANDIDATES])
        found.append(Candidates(example.inputs, tuple(shown[name] for name in sorted(shown))))
    return found


PROMPT = Prompt(
    WORLDTREE, INSTRUCTION, ask, schema, show, parse, (NOT_EMPTY, FACT_ONCE, role_known(ROLES)), repair, sentences
)

METHOD = prompted_method(PROMPT, _view, _sample_view)
