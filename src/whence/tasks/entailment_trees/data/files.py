"""EntailmentBank's files: tasks 1-3, "angles" lines, predictions, the corpus; and the out-of-domain questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from whence.errors import DataError, quoted
from whence.files import Json, dump_json, read_json, read_jsonl, read_lines
from whence.formats.proofs import (
    format_context,
    format_proof,
    format_slots,
    parse_context,
    parse_proof,
    parse_slots,
)
from whence.structures.facts import Fact
from whence.structures.results import Example, Judgement, Prediction
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.tasks.dataset import Dataset, Fault, Notes, Predictions, Split
from whence.tasks.loading import unread

CORPUS = "worldtree_corpus_sentences_extended.json"
PROOF_SLOT = re.compile(r"\s*\$proof\$\s*=?\s?")
_TEXT_FIELDS = ("id", "context", "question", "answer", "hypothesis", "proof")


def splits(task: int) -> dict[str, Split]:
    """The published parts of task 1, 2 or 3."""
    found = {
        "train": Split(
            f"entailmentbank/task_{task}/train.jsonl", instead=f"entailmentbank/task_{task}/train.angles.jsonl"
        ),
        "dev": Split(f"entailmentbank/task_{task}/dev.jsonl"),
        "test": Split(f"entailmentbank/task_{task}/test.jsonl"),
    }
    if task == 3:
        # What the released scorer reads; 32 of its contexts differ from the public ones.
        found["dev-slots"] = Split("entailmentbank/task_3/dev.slots.jsonl")
    return found


def read(path: Path) -> Dataset[Claim, Tree]:
    """Rows of a task, or angles lines. Gold that is not in the rows (task 3) is taken from task 1 beside them."""
    examples, lines, faults = [], [], []
    notes = Notes()
    for number, row in read_jsonl(path):
        try:
            parse = _parse_angle if "input" in row else _parse_row
            example, proof = parse(row)
        except DataError as error:
            raise error.at(path, number) from None
        if proof.strip():
            try:
                example = replace(example, golds=(parse_proof(proof),))
            except DataError as error:
                faults.append(Fault(number, example.id, error))
        examples.append(example)
        lines.append(number)
    repeated = len(examples) - len({example.id for example in examples})
    notes.add("repeated id", "examples that have the id of an earlier one", repeated)
    examples = _with_gold_of_task_1(examples, path, notes)
    missing = sum(not example.golds for example in examples) - len(faults)
    notes.add("no gold", "examples without a gold tree", missing)
    shared = sum(_uses_a_sentence_twice(gold) for example in examples for gold in example.golds)
    notes.add("shared leaf", "gold trees that use a sentence twice", shared)
    return Dataset(tuple(examples), tuple(lines), notes.all(), tuple(faults))


def _parse_row(row: dict[str, Json]) -> tuple[Example[Claim, Tree], str]:
    for name in _TEXT_FIELDS:
        if not isinstance(row.get(name), str):
            raise DataError(expected=f"the text '{name}'", found=quoted(str(row.get(name))))
    claim = Claim(row["hypothesis"], parse_context(row["context"]), row["question"], row["answer"])
    rest = {key: value for key, value in row.items() if key not in _TEXT_FIELDS}
    return Example(row["id"], claim, (), rest), row["proof"]


def _parse_angle(row: dict[str, Json]) -> tuple[Example[Claim, Tree], str]:
    for name in ("id", "input", "output"):
        if not isinstance(row.get(name), str):
            raise DataError(expected=f"the text '{name}'", found=quoted(str(row.get(name))))
    given, answered = parse_slots(row["input"]), parse_slots(row["output"])
    if "hypothesis" not in given or "context" not in given or "proof" not in answered:
        raise DataError(
            expected="$hypothesis$ and $context$ in 'input', $proof$ in 'output'",
            found=quoted(", ".join((*given, *answered))),
        )
    context = parse_context(given["context"])
    claim = Claim(given["hypothesis"], context, given.get("question", ""), given.get("answer", ""))
    return Example(row["id"], claim, (), {"angle": row.get("angle")}), answered["proof"]


def _with_gold_of_task_1(
    examples: list[Example[Claim, Tree]], path: Path, notes: Notes
) -> list[Example[Claim, Tree]]:
    """Task 3's rows have no proof. Task 1's have the same ids in the same order (one id occurs twice)."""
    beside = path.parent.parent / "task_1" / path.name.replace(".slots", "")
    if path.parent.name != "task_3" or any(example.golds for example in examples) or not beside.exists():
        return examples
    golds = read(beside).examples
    if [example.id for example in golds] != [example.id for example in examples]:
        raise DataError(path, expected=f"the ids of {beside} in the same order", found="others")
    notes.add("gold of task 1", "examples whose gold tree, with its own sentences, is task 1's", len(golds))
    return [
        replace(example, golds=tuple(replace(tree, sentences=gold.inputs.context) for tree in gold.golds))
        for example, gold in zip(examples, golds, strict=True)
    ]


def _uses_a_sentence_twice(tree: Tree) -> bool:
    used = [premise for step in tree.steps for premise in step.premises]
    return len(set(used)) < len(used)


def write(dataset: Dataset[Claim, Tree]) -> Iterator[str]:
    """Rows of the task again; what came as angles lines goes as such."""
    for example in dataset.examples:
        yield dump_json(_angle(example) if "angle" in example.meta else _row(example))


def _row(example: Example[Claim, Tree]) -> dict[str, Any]:
    claim = example.inputs
    return {
        "id": example.id,
        "context": format_context(claim.context),
        "question": claim.question,
        "answer": claim.answer,
        "hypothesis": claim.hypothesis,
        "proof": _own_proof(example),
        **example.meta,
    }


def _angle(example: Example[Claim, Tree]) -> dict[str, Any]:
    claim = example.inputs
    given = {"question": claim.question, "answer": claim.answer, "hypothesis": claim.hypothesis}
    slots = {name: text for name, text in given.items() if text} | {"context": format_context(claim.context)}
    return {
        "input": format_slots(slots, asked=("proof",)),
        "output": format_slots({"proof": _own_proof(example)}),
        "angle": example.meta["angle"],
        "id": example.id,
    }


def _own_proof(example: Example[Claim, Tree]) -> str:
    """The proof, unless it speaks of sentences that the row does not have."""
    return "".join(format_proof(tree) for tree in example.golds[:1] if not tree.sentences)


def read_predictions(path: Path, gold: Dataset[Claim, Tree]) -> Predictions[Tree]:
    """`$proof$ = ...` lines in the order of the examples, or the released JSONL with `slots.proof` by id."""
    rows = list(_jsonl_proofs(path) if path.suffix == ".jsonl" else _proof_lines(path))
    if len(rows) != len(gold.examples):
        raise DataError(
            path,
            expected=f"{len(gold.examples)} predictions, one for each example",
            found=str(len(rows)),
            advice="Rows are matched by their number, so none may be missing.",
        )
    predictions = []
    for (number, name, text, sentences), example in zip(rows, gold.examples, strict=True):
        if name not in ("", example.id):
            raise DataError(path, number, expected=f"the id {quoted(example.id)}", found=quoted(name))
        predictions.append(_prediction(example.id, text, sentences))
    return Predictions(tuple(predictions), tuple(number for number, *_ in rows))


def _proof_lines(path: Path) -> Iterator[tuple[int, str, str, tuple[Sentence, ...]]]:
    for number, line in read_lines(path):
        yield number, "", line, ()


def _jsonl_proofs(path: Path) -> Iterator[tuple[int, str, str, tuple[Sentence, ...]]]:
    for number, row in read_jsonl(path):
        slots = row.get("slots")
        if not isinstance(row.get("id"), str) or not isinstance(slots, dict):
            raise DataError(path, number, expected="'id' and 'slots'", found=quoted(", ".join(row)))
        # A row may say which sentences its ids mean: those that the system retrieved itself.
        given = row.get("worldtree_provenance")
        sentences = given.items() if isinstance(given, dict) else ()
        own = tuple(Sentence(key, str(value.get("original_text", ""))) for key, value in sentences)
        yield number, row["id"], f"$proof$ = {slots.get('proof', '')}", own


def _prediction(name: str, text: str, sentences: tuple[Sentence, ...]) -> Prediction[Tree]:
    try:
        mark = PROOF_SLOT.match(text)
        if mark is None:
            raise DataError(expected="'$proof$ = ' before the steps", found=quoted(text))
        tree = parse_proof(text[mark.end() :])
        if not tree.steps:
            raise DataError(expected="at least one step", found="none")
        return Prediction(name, replace(tree, sentences=sentences), text)
    except DataError as error:
        return Prediction(name, None, text, (unread("format", error),))


def corpus_of(path: Path) -> Mapping[str, Fact]:
    """The sentences that task 3 retrieves from, where their file lies beside the examples or one folder up."""
    beside = (folder / CORPUS for folder in (path.parent, path.parent.parent))
    return next((read_corpus(file) for file in beside if file.exists()), {})


def read_corpus(path: Path) -> dict[str, Fact]:
    """`worldtree_corpus_sentences_extended.json`: sentences by id."""
    found = read_json(path)
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise DataError(path, expected="an object of texts by id", found=quoted(str(found)))
    return {name: Fact(name, text) for name, text in found.items()}


def read_challenge(path: Path) -> Iterator[Example[str, str]]:
    """Challenge300: questions with a category and no answer."""
    for number, row in read_jsonl(path):
        if not isinstance(row.get("id"), str) or not isinstance(row.get("question"), str):
            raise DataError(path, number, expected="the texts 'id' and 'question'", found=quoted(str(row)))
        yield Example(row["id"], row["question"], (), {"category": row.get("category")})


@dataclass(frozen=True, slots=True)
class Chain:
    """Two facts that may entail an answer: a one-step tree, and what people said of it."""

    id: str
    claim: Claim
    tree: Tree
    votes: tuple[Judgement, ...] = ()


def read_chains(path: Path) -> Iterator[Chain]:
    """eQASC and eOBQA chains: tab-separated with a header; two facts, what they give, and votes if there are."""
    header: list[str] = []
    for number, line in read_lines(path):
        fields = line.split("\t")
        if not header:
            header = fields
            if not {"QID", "Fact1", "Fact2"} <= set(header):
                raise DataError(path, number, expected="the columns QID, Fact1, Fact2", found=quoted(line))
            continue
        if len(fields) != len(header):
            raise DataError(path, number, expected=f"{len(header)} fields", found=str(len(fields)))
        row = dict(zip(header, fields, strict=True))
        name = f"{row['QID']}-{row['Chain#']}" if "Chain#" in row else row["QID"]
        context = (Sentence("sent1", row["Fact1"]), Sentence("sent2", row["Fact2"]))
        claim = Claim(
            row.get("DF") or row.get("Combined", ""), context, row.get("Question", ""), row.get("Answer", "")
        )
        votes = tuple(Judgement(name, "does it follow?", vote) for vote in row.get("Turks", "").split())
        yield Chain(name, claim, Tree((Step(("sent1", "sent2"), HYPOTHESIS),)), votes)
