"""Hypotheses as texts to be written: what a model reads, and what it learns to write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.errors import UsageError, quoted
from whence.models.items import TextItem
from whence.structures.hypothesis import Observations
from whence.tasks.abduction.data.files import Inference, read_atomic
from whence.tasks.abduction.knowledge import (
    SAMPLES,
    Knowledge,
    atomic_events,
    both,
    inference_prompt,
    known_texts,
    require_atomic,
    tagged,
)
from whence.tasks.head import Source

WRITTEN_FORMS = ("observations", "knowledge-text", "knowledge-vectors")
"""The paper's O1-O2-Only, COMeT-Txt and COMeT-Emb (Table 8)."""
ATOMIC_SPLITS = {
    "atomic-train": "v4_atomic_trn.csv",
    "atomic-dev": "v4_atomic_dev.csv",
    "atomic-test": "v4_atomic_tst.csv",
}


def prompt(inputs: Observations) -> str:
    """The observations in tags, and where the hypothesis begins."""
    return f"<o1> {inputs.obs1} </o1> <o2> {inputs.obs2} </o2> <h>"


def because_prompt(inputs: Observations) -> str:
    """As the paper asks a language model that was not taught (GPT2-Fixed)."""
    return f"{inputs.obs1} {inputs.obs2} Because,"


_SHOWN = (
    ("Ann sat down on the old chair.", "Ann lay on the floor.", "The chair broke."),
    ("Tom planted seeds in spring.", "Tom had fresh tomatoes.", "Tom watered the plants every day."),
    ("The dog was alone at home.", "The sofa was in pieces.", "The dog chewed on the sofa."),
)


def stories_prompt(inputs: Observations) -> str:
    """After three stories with the sentence that stands between the first and the last one."""
    shown = [f"First: {first} Last: {last} Between: {between}" for first, last, between in _SHOWN]
    return "\n".join([*shown, f"First: {inputs.obs1} Last: {inputs.obs2} Between:"])


PROMPTS = {"stories": stories_prompt, "because": because_prompt}
"""How a language model is asked that was not taught."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What a writer reads of observations, in one form."""

    form: str
    knowledge: Knowledge | None = None

    def items(self, asked: Sequence[Observations]) -> list[TextItem]:
        """One item for each; ids are places."""
        told = self._told(asked)
        found = []
        for place, (inputs, inferences) in enumerate(zip(asked, told, strict=True)):
            before = f"{tagged(inferences)} " if self.form == "knowledge-text" and any(inferences) else ""
            known = known_texts(inferences) if self.form == "knowledge-vectors" else ()
            found.append(TextItem(str(place), f"{before}{prompt(inputs)}", known=known))
        return found

    def _told(self, asked: Sequence[Observations]) -> list[tuple[tuple[Inference, ...], ...]]:
        if self.knowledge is None:
            return [((), ())] * len(asked)
        told = self.knowledge.inferences([text for inputs in asked for text in both(inputs)])
        return list(zip(told[::2], told[1::2], strict=True))


def written_reader(form: str, knowledge: Knowledge | None) -> Reader:
    """The reader of a form, which may need knowledge."""
    if form not in WRITTEN_FORMS:
        raise UsageError(
            f"observations are not read in the form {quoted(form)}; there are {', '.join(WRITTEN_FORMS)}"
        )
    return Reader(form, knowledge if form != WRITTEN_FORMS[0] else None)


def hypothesis_items(source: Source) -> Sequence[TextItem]:
    """One item for each hypothesis that people wrote; those of one context are a group."""
    form = source.form or WRITTEN_FORMS[0]
    examples = source.dataset().examples
    folder = None if source.where == "samples" else source.folder()
    knowledge = atomic_events(folder) if form != WRITTEN_FORMS[0] else None
    read = written_reader(form, knowledge).items([example.inputs for example in examples])
    return [
        TextItem(f"{example.id}/{number}", item.prompt, gold.text, item.prompt, item.known)
        for example, item in zip(examples, read, strict=True)
        for number, gold in enumerate(example.golds, 1)
    ]


def inference_items(source: Source) -> Sequence[TextItem]:
    """One item for each different inference of an event; those of one event are a group."""
    if source.where != "samples" and source.where not in ATOMIC_SPLITS:
        raise UsageError(f"{quoted(source.where)} is no part of ATOMIC; there are {', '.join(ATOMIC_SPLITS)}")
    path = SAMPLES if source.where == "samples" else require_atomic(source.folder(), ATOMIC_SPLITS[source.where])
    once = dict.fromkeys((one.event, one.relation, one.text.strip()) for one in read_atomic(path))
    return [
        TextItem(f"{event}/{relation}/{number}", inference_prompt(event, relation), text, event)
        for number, (event, relation, text) in enumerate(once, 1)
        if text
    ]
