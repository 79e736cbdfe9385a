"""Why a claim, an answer, an option or a relation is the most probable one: where it was read, and its rivals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from whence.models.items import Verdict
from whence.structures.results import Example
from whence.tasks.dialogue_triplets.data.files import ENTAILED
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.dialogue_triplets.heads.heads import HEADS, WORDS, question_window
from whence.tasks.dialogue_triplets.heads.questions import asked_about, statement
from whence.tasks.dialogue_triplets.heads.windows import around
from whence.tasks.dialogue_triplets.task import TASKS
from whence.tasks.head_method import Asked, Tell, judged_method
from whence.tasks.method import Method, Reason

AnyExample = Example[Any, Any]
Told = tuple[str, float, str]
"""An answer in words, its probability, and the part of the dialogue that it was read with."""


def _told(tell: Callable[[AnyExample, Verdict], Iterable[Told]]) -> Tell:
    def reasons(
        asked: Asked, examples: Sequence[AnyExample], verdicts: Sequence[Verdict]
    ) -> list[tuple[Reason, ...]]:
        windowed = asked.form in ("window", "question-window")
        return [
            tuple(
                Reason(text, probability, (f"read with “{window}”",) if windowed else ())
                for text, probability, window in sorted(tell(example, verdict), key=lambda told: -told[1])
            )
            for example, verdict in zip(examples, verdicts, strict=True)
        ]

    return reasons


def _verdicts(example: AnyExample, verdict: Verdict) -> Iterable[Told]:
    inputs = example.inputs
    window = around(inputs.context, (inputs.head, inputs.tail), WORDS["claim"]).text
    claim = statement(inputs.head, inputs.relation, inputs.tail)
    for label, probability in zip(HEADS["cider-nli"][0].labels, verdict.probabilities, strict=True):
        yield f"“{claim}” is {'' if label == ENTAILED else 'not '}entailed", probability, window


def _relations(example: AnyExample, verdict: Verdict) -> Iterable[Told]:
    inputs = example.inputs
    window = around(inputs.context, (inputs.head, inputs.tail), WORDS["relation"]).text
    for relation, probability in zip(RELATIONS, verdict.probabilities, strict=True):
        yield f"{relation}: {statement(inputs.head, relation, inputs.tail)}", probability, window


def _options(example: AnyExample, verdict: Verdict) -> Iterable[Told]:
    inputs = example.inputs
    for option, probability in zip(inputs.options, verdict.probabilities, strict=True):
        spans = (asked_about(inputs.question), option)
        yield option, probability, around(inputs.context, spans, WORDS["option"]).text


def _answers(example: AnyExample, verdict: Verdict) -> Iterable[Told]:
    window = question_window(example.inputs).text
    for span in verdict.spans:
        yield span.text, span.probability, window


_TELL = {"cider-nli": _verdicts, "cider-span": _answers, "cider-choice": _options, "cider-relation": _relations}


SUBTASK_METHODS: dict[str, Method] = {
    task.name: judged_method(task, HEADS[task.name][0], _told(_TELL[task.name]))
    for task in TASKS
    if task.name in _TELL
}
"""The usual method of each sub-task."""
