"""Lets a language model restate the answers that could not be read, so that they can be.

The model sees the answer alone, not what was asked, so that it has nothing to answer itself with. What it restates
is read like any answer and marked as mended: figures without it stand beside those with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whence.files import dump_json
from whence.formats.llm_text import Unread
from whence.models.generators import Generator, Message, Request
from whence.structures.results import Example, Label, Prediction
from whence.tasks.dataset import REREAD, AnyDataset, Note, Predictions
from whence.tasks.loading import samples
from whence.tasks.logged import explanation_in
from whence.tasks.task import AnyTask

INSTRUCTION = """You are given the answer that a language model wrote. Restate it in the form of the example: the \
same answer, nothing added, nothing corrected, nothing left out. If it gives no answer, or several that differ, \
write only: NONE"""

_LONGEST = 20_000
_TOKENS = 1024


def reread(task: AnyTask, dataset: AnyDataset, answers: Predictions[Any], asked: Generator) -> Predictions[Any]:
    """The answers, those that could not be read as a model restates them, where that can be read."""
    known = {example.id: example for example in reversed(dataset.examples)}
    waiting = [
        index
        for index, answer in enumerate(answers.predictions)
        if answer.explanation is None and answer.raw.strip() and answer.id in known
    ]
    if not waiting:
        return answers
    shown = samples(task).examples[0]
    form = _form(task, shown)
    replies = asked.replies([_request(form, answers.predictions[index].raw) for index in waiting])
    predictions, restated = list(answers.predictions), 0
    for index, reply in zip(waiting, replies, strict=True):
        answer = predictions[index]
        said = Unread(reply.failure) if reply.failure else _said(task, reply.text, known[answer.id], dataset)
        if said == shown.golds[0] and answer.id != shown.id and not isinstance(said, Label):
            said = Unread("the model repeats the example of the form")
        if not isinstance(said, Unread):
            predictions[index] = replace(answer, explanation=said, mended=True)
            restated += 1
    note = Note(REREAD, restated, f"of {len(waiting):,} unread answers, read as {asked.name} restates them")
    return replace(answers, predictions=tuple(predictions), notes=(*answers.notes, note))


def _said(task: AnyTask, text: str, example: Example[Any, Any], dataset: AnyDataset) -> Any:
    if text.strip().strip(".").casefold() == "none":
        return Unread("the model found no answer in it")
    return explanation_in(task, text, example.inputs, dataset)


def _request(form: str, raw: str) -> Request:
    asked = f"Example of the form:\n{form}\n\nThe answer to restate:\n{raw[:_LONGEST]}"
    return Request((Message("system", INSTRUCTION), Message("user", asked)), tokens=_TOKENS)


def _form(task: AnyTask, example: Example[Any, Any]) -> str:
    """A sample's answer as our prompts ask for it; in our own form where no prompt does."""
    from whence.formats.records import format_record

    prompt = task.prompt()
    if prompt is not None:
        return dump_json(prompt.show(example.inputs, example.golds[0]))
    return format_record(Prediction(example.id, example.golds[0]), task.form)
