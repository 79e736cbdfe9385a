"""Answers in the logs of other harnesses as predictions: which example each is for, and what its text says.

An answer is read as JSON (as a prompt of ours asks for it, or as `explanation` of our own form), as a name or
text of an option, or as the lines that people edit, which include the papers' strings. What cannot be read becomes
a problem of the prediction; what is left out is counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whence.errors import DataError, quoted
from whence.files import Json, dump_json
from whence.formats import records
from whence.formats.editable import parse_lines
from whence.formats.eval_logs import Logged, read_log, texts_in
from whence.structures.dialogue import Triplets
from whence.structures.facts import FactSet
from whence.structures.graph import StanceGraph
from whence.structures.results import Example, Label, Prediction, Problem
from whence.structures.tree import Tree
from whence.tasks import options_of, prompt_of
from whence.tasks import task as plain
from whence.tasks.prompting import json_object, without_thoughts
from whence.tasks.task import AnyDataset, AnyTask, Notes, Predictions, unread

_FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_ANSWER = re.compile(r"^\W*(?:final )?answer\W*:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_PROOF = re.compile(r"^\s*\$proof\$\s*=\s*")
_STANCE_AND_GRAPH = re.compile(r"^\s*([a-z]+)[\s:,.]*(?=\()", re.IGNORECASE)


def read_answers(task: AnyTask, path: Path, gold: AnyDataset) -> Predictions[Any]:
    """A system's answers to the examples: a log, or any form that `whence.tasks.task.read_answers` knows."""
    log = read_log(path)
    return plain.read_answers(task, path, gold) if log is None else _predictions(task, log, path, gold)


def _predictions(task: AnyTask, log: tuple[Logged, ...], path: Path, gold: AnyDataset) -> Predictions[Any]:
    known = {example.id: example for example in reversed(gold.examples)}
    named = any(name in known for one in log for name in one.names)
    notes, found = Notes(), []
    for one in log:
        if one.again:
            notes.add("repeated", f"answers of {one.again}, left out", 1)
            continue
        example = next((known[name] for name in one.names if name in known), None)
        if example is None and not named:
            example = _by_number(one, path, gold)
            notes.add("by number", "answers matched with examples by their number in the log", example is not None)
        if example is None:
            notes.add("unknown id", "answers to examples that are not in the gold file, left out")
            continue
        found.append((one.line, _prediction(task, one, example, gold)))
    if log and not found:
        raise DataError(path, expected="answers to examples of the gold file", found="none of them")
    return Predictions(tuple(one for _, one in found), tuple(line for line, _ in found), notes.all())


def _by_number(one: Logged, path: Path, gold: AnyDataset) -> Example[Any, Any] | None:
    """The example at the sample's place, which must be what the sample asks about."""
    if one.place is None or not 0 <= one.place < len(gold.examples):
        return None
    example: Example[Any, Any] = gold.examples[one.place]
    first = next(texts_in(asdict(example.inputs)), "")
    if _plain(first) not in _plain(one.asked):
        raise DataError(
            path,
            one.line,
            expected=f"a question about {example.id}, {quoted(first)}",
            found=quoted(one.asked),
            advice="Samples without ids of the examples must be in the order of the gold file.",
        )
    return example


def _prediction(task: AnyTask, one: Logged, example: Example[Any, Any], gold: AnyDataset) -> Prediction[Any]:
    if one.failure or not one.text.strip():
        return Prediction(
            example.id, None, one.text, (Problem("no answer", "", one.failure or "the answer is empty"),)
        )
    try:
        found = explanation_in(task, one.text, example.inputs, gold, one.choices)
        # Released evaluators read lines, which have no end.
        return Prediction(example.id, found, one.text.strip())
    except DataError as error:
        return Prediction(example.id, None, one.text, (unread("format", error),))


def explanation_in(
    task: AnyTask, text: str, inputs: Any, dataset: AnyDataset, choices: tuple[str, ...] = ()
) -> Any:
    """The explanation that a model's answer says. A `DataError` if it says none."""
    said = without_thoughts(text).strip()
    options = options_of(task.name)
    if "{" in said:
        found = _from_json(task, json_object(said), inputs)
        return _option(found.name, options(inputs), choices) if options and isinstance(found, Label) else found
    if options:
        answers = _ANSWER.findall(said)
        return _option(answers[-1] if answers else said, options(inputs), choices)
    fenced = _FENCED.findall(said)
    lines = _PROOF.sub("", fenced[-1] if fenced else said)
    if task.explanation is StanceGraph:
        lines = _STANCE_AND_GRAPH.sub(r"\1\n", lines)
    found = parse_lines(task.explanation, lines, inputs, dataset.facts)
    if _says_nothing(found, dataset):
        raise DataError(expected="an explanation, as JSON or line by line", found=quoted(said))
    return found


def _says_nothing(explanation: Any, dataset: AnyDataset) -> bool:
    """Whether the lines of an answer were read, and yet are no explanation: a refusal, a remark."""
    match explanation:
        case StanceGraph(graph=graph):
            return not graph.edges
        case Tree(steps=steps):
            return not steps
        case FactSet(facts=uses):
            names = [use.id for use in uses]
            return not any(name in dataset.facts if dataset.facts else len(name.split()) == 1 for name in names)
    return False


def _from_json(task: AnyTask, answer: dict[str, Json], inputs: Any) -> Any:
    prompt = prompt_of(task.name)
    try:
        record = {"whence": records.VERSION, "task": task.name, "id": "", "explanation": answer}
        found = records.parse_prediction(dump_json(record), task.form).explanation
    except DataError:
        if prompt is None:
            raise
    else:
        if prompt is None or _is_our_form(found):
            return found
    return prompt.parse(inputs, answer)


def _is_our_form(explanation: Any) -> bool:
    """Whether what fits our own form is in it: prompts have the same fields, but texts for ids, no starts."""
    match explanation:
        case Tree(steps=steps):
            return all(len(step.conclusion.split()) == 1 for step in steps)
        case Triplets(triplets=triplets):
            spans = [span for triplet in triplets for span in (triplet.head, triplet.tail)]
            return all((span.turn is None) == (span.start is None) for span in spans)
    return True


def _option(said: str, options: Mapping[str, str], choices: tuple[str, ...]) -> Label:
    """The label that an answer names, by its name, its text, or the letter of an option."""
    wanted = _plain(said)
    for name, text in options.items():
        if wanted in (_plain(name), _plain(text)):
            return Label(name)
    letter = ord(wanted) - ord("a") if len(wanted) == 1 and wanted.isalpha() else -1
    if 0 <= letter < len(choices) and _plain(choices[letter]) != wanted:
        return _option(choices[letter], options, ())
    if 0 <= letter < len(options) and not choices:
        names = list(options)
        if options[names[letter]] != names[letter]:  # the options are texts of the question, in its order
            return Label(names[letter])
    raise DataError(expected=f"one of {', '.join(options)}", found=quoted(said))


def _plain(text: str) -> str:
    """A text as it is compared: blanks, case, and the dots and quotes around it set aside."""
    return " ".join(text.split()).casefold().strip(" .,:;!()[]*_\"'`")
