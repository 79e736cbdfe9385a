"""Answers of other harnesses as predictions: every task, every way to say an answer, and what is not read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from whence.errors import DataError
from whence.formats.editable import format_lines
from whence.formats.llm_text import Unread
from whence.formats.records import format_record
from whence.structures.results import Label, Prediction
from whence.structures.tree import Tree, texts
from whence.tasks import TASKS
from whence.tasks.loading import samples
from whence.tasks.logged import explanation_in, read_answers
from whence.tasks.task import AnyTask

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


def _log(path: Path, said: dict[str | int, str], **more: Any) -> Path:
    listed = [
        {"id": name, "epoch": 1, "input": more.get("input", "?"), "target": "", "output": {"completion": text}}
        for name, text in said.items()
    ]
    path.write_text(json.dumps({"version": 2, "status": "success", "eval": {}, "samples": listed}))
    return path


@every_task
def test_our_own_json_is_read(task: AnyTask, tmp_path: Path) -> None:
    dataset = samples(task)
    said: dict[str | int, str] = {}
    for example in dataset.examples:
        record = json.loads(format_record(Prediction(example.id, example.golds[0]), task.form))
        said[example.id] = f"<think>{{hm}}</think>So:\n```json\n{json.dumps(record['explanation'])}\n```"
    found = read_answers(task, _log(tmp_path / "log.json", said), dataset)
    assert [one.explanation for one in found.predictions] == [example.golds[0] for example in dataset.examples]
    assert found.notes == ()


@every_task
def test_lines_that_people_edit_are_read(task: AnyTask) -> None:
    dataset = samples(task)
    for example in dataset.examples:
        gold = example.golds[0]
        lines = format_lines(gold, example.inputs, dataset.facts)
        again = explanation_in(task, lines, example.inputs, dataset)
        if isinstance(gold, Tree):  # sentences that the claim has under the same id need not come along
            assert (again.steps, texts(again, example.inputs)) == (gold.steps, texts(gold, example.inputs))
        else:
            assert format_lines(again, example.inputs, dataset.facts) == lines


@every_task
def test_answers_that_our_prompts_ask_for_are_read(task: AnyTask) -> None:
    prompt, dataset = task.prompt(), samples(task)
    if prompt is None:
        assert task.name == "worldtree"  # its prompt numbers the facts that it shows
        return
    read = 0
    for example in dataset.examples:
        try:
            answer = prompt.show(example.inputs, example.golds[0])
        except DataError:
            continue  # it speaks of what the prompt does not show
        expected = prompt.parse(example.inputs, answer)
        assert explanation_in(task, json.dumps(answer), example.inputs, dataset) == expected
        read += 1
    assert read


@pytest.mark.parametrize(
    ("task", "text", "choices", "expected"),
    [
        ("anli", "2", (), "2"),
        ("anli", "I think so.\nANSWER: B", ("FIRST", "SECOND"), "2"),
        ("anli", "B.", ("SECOND", "FIRST"), "1"),  # the options were in another order
        ("anli", "**Final answer:** SECOND.", (), "2"),
        ("anli", "A", (), "1"),
        ("cider-nli", "Not entailed.", (), "not entailed"),
        ("cider-nli", "B", ("not entailed", "entailed"), "entailed"),
    ],
)
def test_options_are_known_by_name_text_or_letter(
    task: str, text: str, choices: tuple[str, ...], expected: str
) -> None:
    dataset = samples(TASKS[task])
    inputs = dataset.examples[0].inputs
    if task == "anli":
        choices = tuple({"FIRST": inputs.hyp1, "SECOND": inputs.hyp2}[choice] for choice in choices)
        text = text.replace("SECOND", inputs.hyp2)
    assert explanation_in(TASKS[task], text, inputs, dataset, choices) == Label(expected)


@pytest.mark.parametrize("task", [name for name in TASKS if name not in ("anlg", "cider-span")])
@pytest.mark.parametrize("text", ["I cannot say.", "{}", "{broken", '{"graph": 3}', "C"])
def test_what_is_no_answer_is_refused(task: str, text: str) -> None:
    dataset = samples(TASKS[task])
    inputs = dataset.examples[0].inputs
    if task == "cider-choice" and text == "C":
        assert explanation_in(TASKS[task], text, inputs, dataset) == Label("2")
        return
    assert isinstance(explanation_in(TASKS[task], text, inputs, dataset), Unread)


def test_unread_answers_stay_with_their_reason(tmp_path: Path) -> None:
    task = TASKS["anli"]
    dataset = samples(task)
    first, second, third = (example.id for example in dataset.examples[:3])
    path = _log(tmp_path / "log.json", {first: "1", second: "both", third: "", "else": "1"})
    found = read_answers(task, path, dataset)
    assert [(one.id, one.explanation) for one in found.predictions] == [
        (first, Label("1")),
        (second, None),
        (third, None),
    ]
    assert [one.problems[0].rule for one in found.predictions[1:]] == ["unread", "unread"]
    assert [(note.name, note.count) for note in found.notes] == [("unknown id", 1)]


def test_samples_without_ids_are_matched_by_number_and_by_what_they_ask(tmp_path: Path) -> None:
    task = TASKS["anli"]
    dataset = samples(task)
    asked = f"First: {dataset.examples[1].inputs.obs1}\nLater: ..."
    found = read_answers(task, _log(tmp_path / "log.json", {2: "1"}, input=asked), dataset)
    assert [one.id for one in found.predictions] == [dataset.examples[1].id]
    assert [note.name for note in found.notes] == ["by order"]
    with pytest.raises(DataError, match="a question about"):
        read_answers(task, _log(tmp_path / "log.json", {1: "1"}, input=asked), dataset)
    with pytest.raises(DataError, match="none of them"):
        read_answers(task, _log(tmp_path / "log.json", {999: "1"}, input=asked), dataset)


def test_other_files_are_read_as_before(tmp_path: Path) -> None:
    task = TASKS["anli"]
    dataset = samples(task)
    path = tmp_path / "labels.lst"
    path.write_text("1\n" * len(dataset.examples))
    assert len(read_answers(task, path, dataset).predictions) == len(dataset.examples)


@every_task
def test_options_are_those_of_the_gold_labels(task: AnyTask) -> None:
    options = task.options
    for example in samples(task).examples:
        assert (options is not None) == isinstance(example.golds[0], Label)
        assert options is None or example.golds[0].name in options(example.inputs)


def _written() -> tuple[list[str], list[str]]:
    examples = samples(TASKS["explagraphs"]).examples
    texts = [format_lines(example.golds[0], example.inputs, {}) for example in examples]
    return [example.id for example in examples], texts


def _row_files() -> dict[str, tuple[str, str]]:
    """Files of the same answers in the forms that people have them in: name and contents."""
    names, said = _written()
    pairs = list(zip(names, said, strict=True))
    numbered = list(enumerate(said))[::-1]
    chat = [{"role": "user", "content": "Belief: ..."}, {"role": "assistant", "content": ""}]
    table = io.StringIO(newline="")
    csv.writer(table, delimiter=";").writerows([("ID", "Output"), *pairs])

    def lines(rows: list[dict[str, Any]]) -> str:
        return "".join(f"{json.dumps(row)}\n" for row in rows)

    return {
        "numbers from zero, in another order": (
            "a.jsonl",
            lines([{"index": n, "output": s} for n, s in numbered]),
        ),
        "numbers from one, in another order": ("a.jsonl", lines([{"idx": n + 1, "text": s} for n, s in numbered])),
        "an unknown name for the text": ("a.jsonl", lines([{"id": n, "mein_text": s, "ms": 3} for n, s in pairs])),
        "chats": (
            "a.jsonl",
            lines([{"id": n, "messages": [chat[0], chat[1] | {"content": s}]} for n, s in pairs]),
        ),
        "conversations": (
            "a.jsonl",
            lines([{"id": n, "conversations": [{"from": "gpt", "value": s}]} for n, s in pairs]),
        ),
        "a table with semicolons": ("a.csv", table.getvalue()),
        "answers by id": ("a.json", json.dumps(dict(pairs))),
    }


@pytest.mark.parametrize("form", _row_files())
def test_rows_are_read_in_the_forms_that_people_have(form: str, tmp_path: Path) -> None:
    dataset = samples(TASKS["explagraphs"])
    name, contents = _row_files()[form]
    (tmp_path / name).write_text(contents)
    answers = read_answers(TASKS["explagraphs"], tmp_path / name, dataset)
    assert {one.id: one.explanation for one in answers.predictions} == {
        example.id: example.golds[0] for example in dataset.examples
    }


def test_a_broken_line_is_an_unread_answer(tmp_path: Path) -> None:
    names, said = _written()
    rows = [json.dumps({"id": name, "response": text}) for name, text in zip(names, said, strict=True)]
    rows[3], rows[7] = rows[3][:40], "{no JSON at all"
    (tmp_path / "a.jsonl").write_text("\n\n".join(rows))
    answers = read_answers(TASKS["explagraphs"], tmp_path / "a.jsonl", samples(TASKS["explagraphs"]))
    unread = {one.id: one.problems[0].rule for one in answers.predictions if one.explanation is None}
    assert unread == {names[3]: "unread", names[7]: "unread"}
    assert len(answers.predictions) == len(names)


def test_numbers_that_may_count_from_zero_or_one_are_refused(tmp_path: Path) -> None:
    _, said = _written()
    rows = [json.dumps({"idx": n, "response": text}) for n, text in reversed(list(enumerate(said, 5)))]
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    with pytest.raises(DataError, match="numbers of 20 examples"):
        read_answers(TASKS["explagraphs"], tmp_path / "a.jsonl", samples(TASKS["explagraphs"]))
