"""Reads the answers of a system from files of any form.

Our own JSONL and published forms are read as they are, so that figures equal those of the released evaluators.
Everything else is rows of text: logs of inspect_ai and lm-evaluation-harness, JSONL, CSV, lines, a folder. Their
texts are read by the task (`Task.read_text`); what cannot be read is unread, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whence.errors import DataError, quoted
from whence.files import Json, dump_json, parse_json_object, read_lines
from whence.formats import records
from whence.formats.answer_rows import AnswerFields, read_rows
from whence.formats.editable import form_of, parse_lines
from whence.formats.eval_logs import Logged, read_log, texts_in
from whence.formats.llm_text import Unread, candidates
from whence.formats.llm_text.choice import Options, read_choice
from whence.formats.llm_text.unread import OtherKindError, UnreadError
from whence.formats.parquet import SUFFIX as PARQUET
from whence.structures.results import UNREAD, Example, Label, Prediction, Problem
from whence.tasks import loading
from whence.tasks.dataset import AnyDataset, Notes, Predictions
from whence.tasks.task import AnyTask
from whence.tasks.wording import plain

_ANY_FIELDS = AnswerFields()


def read_answers(
    task: AnyTask, path: Path, gold: AnyDataset, fields: AnswerFields = _ANY_FIELDS
) -> Predictions[Any]:
    """A system's answers to the examples, from a file of any form or a folder of texts."""
    if path.is_dir():
        return _predictions(task, read_rows(path, fields, ()), path, gold)
    if fields != _ANY_FIELDS:
        return _from_rows(task, path, gold, fields)
    log = read_log(path)
    if log is not None:
        return _predictions(task, log, path, gold)
    if path.suffix == PARQUET:
        return loading.read_answers(task, path, gold)
    if path.suffix == ".jsonl" and records.is_record(next((line for _, line in read_lines(path)), "")):
        return _own(task, path, gold)
    try:
        published = task.data.read_predictions(path, gold)
    except DataError as error:
        return _otherwise(task, path, gold, error)
    return published if _is_published(task, published) else _otherwise(task, path, gold, published)


def _otherwise(
    task: AnyTask, path: Path, gold: AnyDataset, published: Predictions[Any] | DataError
) -> Predictions[Any]:
    """A file as rows of text; where it is none, what the reader of the published form says of it."""
    try:
        return _from_rows(task, path, gold, _ANY_FIELDS)
    except DataError as error:
        if not isinstance(published, DataError):
            return published
        raise (published if path.suffix in (task.data.suffix, ".json", ".csv") else error) from None


def _is_published(task: AnyTask, predictions: Predictions[Any]) -> bool:
    """Whether answers were in the published form: all of them where they are names, else at least one."""
    read = [one.explanation is not None for one in predictions.predictions]
    return all(read) if task.options else any(read)


def _from_rows(task: AnyTask, path: Path, gold: AnyDataset, fields: AnswerFields) -> Predictions[Any]:
    return _predictions(task, read_rows(path, fields, {example.id for example in gold.examples}), path, gold)


def _own(task: AnyTask, path: Path, gold: AnyDataset) -> Predictions[Any]:
    """Our own form; the explanation of a line that is not quite in it is read as a model's answer."""
    known = {example.id: example for example in reversed(gold.examples)}
    notes, numbered, first = Notes(), list[tuple[int, Prediction[Any]]](), None
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            numbered.append((number, records.parse_prediction(line, task.form)))
        except DataError as error:
            first = first or error.at(path, number)
            prediction = _read_as_text(task, line, known, gold, error)
            if prediction is None:
                notes.add(
                    "no prediction", "lines that are no prediction for an example of the gold file, left out"
                )
            else:
                numbered.append((number, prediction))
                if parse_json_object(line).get("verdict") is not None:
                    notes.add("verdicts", "verdicts in lines that are not quite in our own form, left out")
    if first is not None and all(one.explanation is None for _, one in numbered):
        raise first
    return Predictions(tuple(one for _, one in numbered), tuple(number for number, _ in numbered), notes.all())


def _read_as_text(
    task: AnyTask, line: str, known: dict[str, Example[Any, Any]], gold: AnyDataset, error: DataError
) -> Prediction[Any] | None:
    """The explanation of a line, read as a language model's answer; None if it is for no example."""
    try:
        record = parse_json_object(line)
    except DataError:
        return None
    example = known.get(str(record.get("id")))
    if example is None or record.get("task", task.name) != task.name:
        return None
    given = record.get("explanation")
    text = given if isinstance(given, str) else dump_json(given)
    answer = explanation_in(task, text, example.inputs, gold)
    if isinstance(answer, Unread):
        return _unread(example.id, text, f"{answer.reason} ({error.found})")
    return Prediction(example.id, answer, text)


def _predictions(task: AnyTask, log: Sequence[Logged], path: Path, gold: AnyDataset) -> Predictions[Any]:
    known = {example.id: example for example in reversed(gold.examples)}
    named = any(name in known for one in log for name in one.names)
    if not named and not any(one.asked for one in log) and len(log) != len(gold.examples):
        raise DataError(
            path,
            expected=f"answers with ids of the gold file, or {len(gold.examples)} answers in its order",
            found=f"{len(log)} answers without such ids",
            advice="Name the columns with --id-field and --field.",
        )
    notes, numbered = Notes(), list[tuple[int, Prediction[Any]]]()
    for one in log:
        if one.again:
            notes.add("repeated", f"answers of {one.again}, left out", 1)
            continue
        example = next((known[name] for name in one.names if name in known), None)
        if example is None and not named:
            example = _by_number(one, path, gold)
            notes.add("by order", "answers without ids, matched with the examples by number", example is not None)
        if example is None and not one.names:
            notes.add("no id", f"answers without an id, left out{f' ({one.failure})' if one.failure else ''}")
            continue
        if example is None:
            notes.add("unknown id", "answers to examples that are not in the gold file, left out")
            continue
        numbered.append((one.line, _prediction(task, one, example, gold)))
    numbered += _lost(log, {one.id for _, one in numbered}, gold)
    if log and not numbered:
        raise DataError(path, expected="answers to examples of the gold file", found="none of them")
    return Predictions(tuple(one for _, one in numbered), tuple(line for line, _ in numbered), notes.all())


def _lost(log: Sequence[Logged], answered: set[str], gold: AnyDataset) -> Iterator[tuple[int, Prediction[Any]]]:
    """Unread answers for the examples that lack one, where as many broken lines have no id."""
    broken = [one for one in log if one.failure and not one.names and not one.again]
    missing = [example.id for example in gold.examples if example.id not in answered]
    if answered and len(missing) <= len(broken):
        for one, name in zip(broken, missing, strict=False):
            yield one.line, _unread(name, one.text, one.failure)


def _by_number(one: Logged, path: Path, gold: AnyDataset) -> Example[Any, Any] | None:
    """The example with the sample's number, which must be what the sample asks about."""
    if one.place is None or not 0 <= one.place < len(gold.examples):
        return None
    example: Example[Any, Any] = gold.examples[one.place]
    first = next(texts_in(asdict(example.inputs)), "")
    if one.asked and plain(first) not in plain(one.asked):
        raise DataError(
            path,
            one.line,
            expected=f"a question about {example.id}, {quoted(first)}",
            found=quoted(one.asked),
            advice="Samples without ids of the examples must be in the order of the gold file.",
        )
    return example


def _prediction(task: AnyTask, one: Logged, example: Example[Any, Any], gold: AnyDataset) -> Prediction[Any]:
    if one.failure:
        return _unread(example.id, one.text, one.failure)
    return prediction_in(task, one.text, example, gold, one.choices)


def prediction_in(
    task: AnyTask, text: str, example: Example[Any, Any], dataset: AnyDataset, choices: tuple[str, ...] = ()
) -> Prediction[Any]:
    """What a model's text answers to an example of a data set; where it is unread, why."""
    answer = (
        explanation_in(task, text, example.inputs, dataset, choices) if text.strip() else Unread(candidates.EMPTY)
    )
    if isinstance(answer, Unread):
        return _unread(example.id, text, answer.reason)
    return Prediction(example.id, answer, text.strip())


def _unread(name: str, text: str, reason: str) -> Prediction[Any]:
    return Prediction(name, None, text, (Problem(UNREAD, "", reason),))


def explanation_in(
    task: AnyTask, text: str, inputs: Any, dataset: AnyDataset, choices: tuple[str, ...] = ()
) -> Any:
    """The explanation that a model's answer says, or `Unread`; `choices` are the options as the model saw them."""
    if choices and task.options is not None:
        chosen = read_choice(text, Options({chr(ord("A") + n): one for n, one in enumerate(choices)}))
        if not isinstance(chosen, Unread):
            text = choices[ord(chosen) - ord("A")]
    if task.read_text is not None:
        return task.read_text(text, inputs, dataset)
    if task.options is not None:
        chosen = read_choice(text, Options(task.options(inputs)))
        return chosen if isinstance(chosen, Unread) else Label(chosen)
    return candidates.read(text, _any_kind(task, inputs, dataset))


def _any_kind(task: AnyTask, inputs: Any, dataset: AnyDataset) -> candidates.Kind[Any]:
    """How explanations without a reader of their own are read: from our JSON, the prompt's, or lines as edited."""
    noun = f"explanation of {task.name}"

    def from_json(value: Json, _: str) -> Any:
        record: Json = {"whence": records.VERSION, "task": task.name, "id": "", "explanation": value}
        try:
            explanation = records.parse_prediction(dump_json(record), task.form).explanation
        except DataError:
            explanation = _as_prompted(task, inputs, value)
        if explanation is None:
            raise OtherKindError(f"its JSON has no {noun}")
        return explanation

    def from_text(text: str) -> Any:
        if form_of(task.explanation).short:  # then any text would be one
            raise UnreadError(f"it has no JSON with an {noun}")
        try:
            return parse_lines(task.explanation, text, inputs, dataset.facts)
        except DataError:
            raise UnreadError(f"it has neither JSON nor lines with an {noun}") from None

    return candidates.Kind(noun, frozenset(), from_json, from_text, repr)


def _as_prompted(task: AnyTask, inputs: Any, value: Json) -> Any:
    """The explanation that a JSON value is in the form that the task's prompt asks for, if it is."""
    prompt = task.prompt()
    try:
        return None if prompt is None else prompt.parse(inputs, value)
    except DataError:
        return None
