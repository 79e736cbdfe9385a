"""CIDER's files: dialogues with triplets, and the files of its sub-tasks."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from whence.errors import DataError, UsageError, quoted
from whence.files import Json, read_csv, read_json
from whence.formats.dialogues import format_dialogue, format_triplet, parse_dialogue, parse_triplet
from whence.structures.dialogue import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    DialogueClaim,
    SpanPair,
    SpanQuestion,
    Triplet,
    Triplets,
)
from whence.structures.results import Example, Label
from whence.tasks.dataset import AnyDataset, Dataset, Notes, Split
from whence.tasks.dialogue_triplets.data.relations import BY_LABEL, LABELS, REVERSED, relation_named

ENTAILED, NOT_ENTAILED = "entailed", "not entailed"
MAIN = "cider/cider_main.json"


def fold_ids(fold: int, part: str) -> str:
    """The list of the dialogues of a fold."""
    return f"cider/folds/fold{fold}_{part}.txt"


_TRIPLET = "-triplet-"


def triplet_id(dialogue: str, number: int) -> str:
    """The id of what is asked about a triplet of a dialogue, counted from 1."""
    return f"{dialogue}{_TRIPLET}{number}"


def dialogue_id(name: str) -> str:
    """The dialogue that an id is of, that of a triplet or its own."""
    return name.partition(_TRIPLET)[0]


def fold_split(fold: int, part: str, path: str = MAIN, read: Callable[[Path], AnyDataset] | None = None) -> Split:
    """A part of a fold: what a file of all dialogues has of those in the fold's list."""
    return Split(path, fold_ids(fold, part), dialogue_id, read=read)


_FOLDS = {f"fold{fold}-{part}": fold_split(fold, part) for fold in range(1, 6) for part in ("train", "test")}
SPLITS = {"all": Split(MAIN), **_FOLDS}
CHOICE_SPLITS = {
    # The files count the folds from 0.
    f"fold{fold + 1}-{part}": Split(f"cider/multichoice/{part}_iter35_fold{fold}.csv")
    for fold in range(5)
    for part in ("train", "test")
}


def read(path: Path) -> Dataset[Dialogue, Triplets]:
    """Dialogues with their triplets, under the paper's relations. The released names are kept in `meta`."""
    notes = Notes()
    examples = [_dialogue(row, path, number, notes) for number, row in enumerate(_rows(path), 1)]
    latent = sum(
        triplet.head.is_latent or triplet.tail.is_latent
        for example in examples
        for gold in example.golds
        for triplet in gold.triplets
    )
    notes.add("latent", "triplets with a span that is not in the dialogue", latent)
    return Dataset(tuple(examples), tuple(range(1, len(examples) + 1)), notes.all())


def _dialogue(row: dict[str, Json], path: Path, number: int, notes: Notes) -> Example[Dialogue, Triplets]:
    try:
        if not isinstance(row.get("id"), str) or not isinstance(row.get("utterances"), str):
            raise DataError(expected="the texts 'id' and 'utterances'", found=quoted(", ".join(row)))
        dialogue = parse_dialogue(row["utterances"])
        published = [parse_triplet(triplet, dialogue) for triplet in row.get("triplets", [])]
    except DataError as error:
        raise DataError(
            path, expected=error.expected, found=f"{error.found}, in item {number} ({row.get('id')})"
        ) from None
    triplets = tuple(_under_relations_of_paper(triplet, notes) for triplet in published)
    meta = {"released_relations": [triplet.relation for triplet in published]}
    return Example(row["id"], dialogue, (Triplets(triplets),), meta)


def _under_relations_of_paper(triplet: Triplet, notes: Notes) -> Triplet:
    name = relation_named(triplet.relation)
    if name is None:
        notes.add("other relation", "triplets whose relation is none of the paper's 31")
        return triplet
    if name.replace(" ", "") != triplet.relation:
        way = ", head and tail exchanged" if triplet.relation in REVERSED else ""
        notes.add("renamed", f"triplets with '{triplet.relation}' read as '{name}'{way}")
    if triplet.relation in REVERSED:
        return Triplet(triplet.tail, name, triplet.head)
    return replace(triplet, relation=name)


def write(dataset: Dataset[Dialogue, Triplets]) -> Iterator[str]:
    """One JSON document, under the released names of the relations."""
    rows = []
    for example in dataset.examples:
        triplets = [triplet for gold in example.golds[:1] for triplet in gold.triplets]
        released = example.meta.get("released_relations") or [t.relation.replace(" ", "") for t in triplets]
        rows.append(
            {
                "id": example.id,
                "utterances": format_dialogue(example.inputs),
                "triplets": [
                    format_triplet(as_released(triplet, name), example.inputs)
                    for triplet, name in zip(triplets, released, strict=True)
                ],
            }
        )
    yield from json.dumps(rows, indent=4).split("\n")


def as_released(triplet: Triplet, name: str) -> Triplet:
    """The triplet under a released name, the way round that the name has."""
    if name in REVERSED:
        return Triplet(triplet.tail, name, triplet.head)
    return replace(triplet, relation=name)


def read_span(path: Path) -> Dataset[SpanQuestion, Answer]:
    """SQuAD-like rows: a context and its questions with their answers."""
    examples: list[Example[SpanQuestion, Answer]] = []
    lines, notes = [], Notes()
    for number, row in enumerate(_rows(path), 1):
        try:
            found = [_span_example(row["context"], entry) for entry in row["qas"]]
        except (KeyError, TypeError, IndexError):
            raise DataError(
                path,
                expected="'context' and 'qas' with 'id', 'question' and 'answers'",
                found=f"{quoted(str(row))}, in item {number}",
            ) from None
        examples += found
        lines += [number] * len(found)
    misplaced = sum(
        example.inputs.context[gold.start :][: len(gold.text)] != gold.text
        for example in examples
        for gold in example.golds
    )
    notes.add("misplaced", "answers that do not stand where the file says", misplaced)
    return Dataset(tuple(examples), tuple(lines), notes.all())


def _span_example(context: str, entry: dict[str, Json]) -> Example[SpanQuestion, Answer]:
    answers = tuple(Answer(answer["text"], answer["answer_start"]) for answer in entry["answers"])
    inputs = SpanQuestion(str(context), str(entry["question"]))
    return Example(str(entry["id"]), inputs, answers, {"is_impossible": entry.get("is_impossible", False)})


def write_span(dataset: Dataset[SpanQuestion, Answer]) -> Iterator[str]:
    """One JSON document, a row a question."""
    rows = [
        {
            "context": example.inputs.context,
            "qas": [
                {
                    "id": example.id,
                    "is_impossible": example.meta.get("is_impossible", False),
                    "question": example.inputs.question,
                    "answers": [{"text": gold.text, "answer_start": gold.start} for gold in example.golds],
                }
            ],
        }
        for example in dataset.examples
    ]
    yield json.dumps(rows)


def read_choice(path: Path) -> Dataset[ChoiceQuestion, Label]:
    """SWAG-like rows: a context, a question, four endings and the number of the right one, from 0."""
    examples, lines = [], []
    for number, row in read_csv(path, ("video-id", "sent1", "sent2", "ending0", "label")):
        options = tuple(value for name, value in row.items() if name.startswith("ending"))
        if not row["label"].isdigit() or int(row["label"]) >= len(options):
            raise DataError(path, number, expected="the number of an ending as label", found=quoted(row["label"]))
        inputs = ChoiceQuestion(row["sent1"], row["sent2"], options)
        rest = {
            name: row[name] for name in row if name in ("Unnamed: 0", "fold-ind", "startphrase", "gold-source")
        }
        examples.append(Example(row["video-id"], inputs, (Label(row["label"]),), rest))
        lines.append(number)
    return Dataset(tuple(examples), tuple(lines))


def write_choice(dataset: Dataset[ChoiceQuestion, Label]) -> Iterator[str]:
    """Comma-separated rows as published."""
    most = max((len(example.inputs.options) for example in dataset.examples), default=4)
    header = ["Unnamed: 0", "video-id", "fold-ind", "startphrase", "sent1", "sent2", "gold-source"]
    rows = []
    for number, example in enumerate(dataset.examples):
        inputs, meta = example.inputs, example.meta
        rows.append(
            [
                meta.get("Unnamed: 0", str(number)),
                example.id,
                meta.get("fold-ind", "0"),
                meta.get("startphrase", inputs.question),
                inputs.context,
                inputs.question,
                meta.get("gold-source", "gen"),
                *inputs.options,
                *("" for _ in range(most - len(inputs.options))),
                *(gold.name for gold in example.golds[:1]),
            ]
        )
    return _csv_lines([[*header, *(f"ending{number}" for number in range(most)), "label"], *rows])


def read_relation(path: Path) -> Dataset[SpanPair, Label]:
    """Rows of context, `head [SEP] tail`, both lemmatised, and the relation's label."""
    examples, lines = [], []
    for number, row in read_csv(path, ("id", "sentence1", "sentence2", "label")):
        head, mark, tail = row["sentence2"].partition(" [SEP] ")
        if not mark:
            raise DataError(path, number, expected="'head [SEP] tail'", found=quoted(row["sentence2"]))
        if row["label"] not in BY_LABEL:
            raise DataError(path, number, expected="one of the 31 relations", found=quoted(row["label"]))
        gold = Label(BY_LABEL[row["label"]])
        examples.append(Example(row["id"], SpanPair(row["sentence1"], head, tail), (gold,)))
        lines.append(number)
    return Dataset(tuple(examples), tuple(lines))


def write_relation(dataset: Dataset[SpanPair, Label]) -> Iterator[str]:
    """Comma-separated rows as published."""
    rows = [
        [
            example.id,
            example.inputs.context,
            f"{example.inputs.head} [SEP] {example.inputs.tail}",
            *(LABELS[gold.name] for gold in example.golds[:1]),
        ]
        for example in dataset.examples
    ]
    return _csv_lines([["id", "sentence1", "sentence2", "label"], *rows])


def write_nli(_: Dataset[DialogueClaim, Label]) -> Iterator[str]:
    """Refuses: there is no published form that keeps head, relation and tail apart."""
    raise UsageError("cider-nli has no published form; write our own JSONL instead (--to whence)")


def _rows(path: Path) -> list[dict[str, Any]]:
    found = read_json(path)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise DataError(
            path, expected="a JSON list of objects", found=f"another JSON value ({type(found).__name__})"
        )
    return found


def _csv_lines(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    for row in rows:
        text = io.StringIO()
        csv.writer(text, lineterminator="").writerow(row)
        yield text.getvalue()
