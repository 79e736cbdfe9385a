"""WorldTree's files: table stores, questions with explanations, expert ratings, rankings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from whence.errors import DataError, MissingDataError, quoted
from whence.files import Json, read_json, read_lines
from whence.formats.rankings import format_fact_uses, group_rankings, parse_fact_uses, parse_ranking_line
from whence.formats.schemas import parse_solutions
from whence.formats.tables import parse_table
from whence.structures.facts import Fact, FactBase, FactSet, FactUse, Question, Ranking, Table
from whence.structures.results import Example, Judgement, Prediction
from whence.structures.schema import SchemaSolutions
from whence.tasks.dataset import Dataset, Fault, Notes, Predictions, Split

ROLES = ("CENTRAL", "GROUNDING", "LEXGLUE", "BACKGROUND", "NEG", "NE", "ROLE")
"""Roles in V2.1; the paper names the first four, `NE`, `NEG` and the annotators' blank `ROLE` occur too."""

SPLITS = {name: Split(f"worldtree/questions.{name}.tsv") for name in ("train", "dev", "test")}
EVERYDAY = {
    name: Split(str(Path(__file__).parents[1] / "samples" / f"{name}.jsonl"), is_bundled=True)
    for name in ("everyday-dev", "everyday-test")
}
"""Everyday questions over the bundled facts, which we wrote: half to set bounds with, half to measure on."""

_OPTION = re.compile(r"\(([A-E1-5])\)\s*")
_NEEDED = ("QuestionID", "AnswerKey", "explanation", "question")


def read_fact_base(folder: Path) -> FactBase:
    """A table store: the tables that `tableindex.txt` lists, from the folder `tables` beside it."""
    return FactBase(tuple(map(_read_table, table_files(folder))))


def table_files(folder: Path) -> list[Path]:
    """The files of a table store's tables, in its order."""
    index = folder / "tableindex.txt"
    if not index.exists():
        raise MissingDataError(f"{folder} is no table store: it has no tableindex.txt")
    return [folder / "tables" / line.strip() for _, line in read_lines(index) if line.strip()]


def _read_table(path: Path) -> Table:
    try:
        return parse_table(path.stem, (line for _, line in read_lines(path)))
    except DataError as error:
        raise error.at(path) from None


def facts_of(path: Path) -> Mapping[str, Fact]:
    """The facts of the table store that a file of questions lies in, or of the folder `facts` beside it."""
    for folder in (path.parent, path.parent / "facts"):
        if (folder / "tableindex.txt").exists():
            return read_fact_base(folder).facts
    return {}


def read(path: Path) -> Dataset[Question, FactSet | Ranking]:
    """Questions with their explanations (`.tsv`), or with rated facts (`.json`, as the expert ratings are)."""
    return _read_ratings(path) if path.suffix == ".json" else _read_questions(path)


def _read_questions(path: Path) -> Dataset[Question, FactSet | Ranking]:
    examples: list[Example[Question, FactSet | Ranking]] = []
    lines, faults = [], []
    notes, header = Notes(), list[str]()
    for number, line in read_lines(path):
        fields = line.split("\t")
        if not header:
            header = fields
            missing = [name for name in _NEEDED if name not in header]
            if missing:
                raise DataError(path, number, expected=f"the columns {', '.join(missing)}", found=quoted(line))
            continue
        if not max(map(header.index, _NEEDED)) < len(fields) <= len(header):
            raise DataError(path, number, expected=f"{len(header)} fields", found=str(len(fields)))
        notes.add("short row", "rows with fewer fields than the header", len(fields) < len(header))
        row = dict(zip(header, fields, strict=False))
        golds: tuple[FactSet, ...] = ()
        try:
            uses = parse_fact_uses(row["explanation"])
            golds = (FactSet(uses),) if uses else ()
        except DataError as error:
            faults.append(Fault(number, row["QuestionID"], error))
        notes.add("no explanation", "questions without explanation", not row["explanation"].strip())
        meta = {"header": header, "fields": fields, "topic": row.get("topic", "")}
        examples.append(Example(row["QuestionID"], _question(row), golds, meta))
        lines.append(number)
    return Dataset(tuple(examples), tuple(lines), notes.all(), tuple(faults))


def _question(row: dict[str, str]) -> Question:
    """The question with its lettered options taken apart."""
    pieces = _OPTION.split(row["question"])
    options = tuple(zip(pieces[1::2], (text.strip() for text in pieces[2::2]), strict=True))
    answer = next((text for letter, text in options if letter == row["AnswerKey"]), "")
    return Question(pieces[0].strip(), answer, options)


def _read_ratings(path: Path) -> Dataset[Question, FactSet | Ranking]:
    document = read_json(path)
    problems = document.get("rankingProblems") if isinstance(document, dict) else None
    if not isinstance(problems, list):
        raise DataError(path, expected="an object with the list 'rankingProblems'", found=quoted(str(document)))
    examples = [_rated_question(problem, number, path) for number, problem in enumerate(problems, 1)]
    return Dataset(tuple(examples), tuple(range(1, len(examples) + 1)))


def _rated_question(problem: Json, number: int, path: Path) -> Example[Question, FactSet | Ranking]:
    try:
        text, _, answer = str(problem.get("queryText", "")).partition(" [ANSWER] ")
        question = Question(problem.get("questionText", text), problem.get("answerText", answer))
        documents = problem["documents"]
        uses = tuple(
            FactUse(str(entry["uuid"]), "", (_rating(entry["relevance"]),), bool(entry.get("isGoldWT21", False)))
            for entry in documents
        )
        rest = {key: value for key, value in problem.items() if key not in ("qid", "documents")}
        return Example(str(problem["qid"]), question, (FactSet(uses),), {"rated": rest})
    except (KeyError, TypeError, AttributeError):
        raise DataError(
            path,
            expected="'qid' and 'documents' with 'uuid' and 'relevance' (0-3)",
            found=f"{quoted(str(problem))}, in item {number}",
        ) from None


def _rating(value: Json) -> int:
    if not isinstance(value, int) or not 0 <= value <= 3:
        raise TypeError
    return value


def write(dataset: Dataset[Question, FactSet | Ranking]) -> Iterator[str]:
    """Questions as tab-separated rows, or rated facts as one JSON document, as they came."""
    if any("rated" in example.meta for example in dataset.examples):
        problems = [_problem(example) for example in dataset.examples]
        yield json.dumps({"rankingProblems": problems}, ensure_ascii=False)
        return
    header = next((example.meta["header"] for example in dataset.examples if "header" in example.meta), _NEEDED)
    yield "\t".join(header)
    for example in dataset.examples:
        fields = list(example.meta.get("fields") or _fields(example, header))
        fields[list(header).index("explanation")] = " ".join(
            format_fact_uses(gold.facts) for gold in example.golds[:1] if isinstance(gold, FactSet)
        )
        yield "\t".join(fields)


def _fields(example: Example[Question, Any], header: Any) -> list[str]:
    inputs = example.inputs
    letter = next((letter for letter, text in inputs.options if text == inputs.answer), "")
    asked = " ".join((inputs.question, *(f"({letter}) {text}" for letter, text in inputs.options)))
    known = {"QuestionID": example.id, "AnswerKey": letter, "question": asked}
    return [known.get(name, "") for name in header]


def _problem(example: Example[Question, FactSet | Ranking]) -> dict[str, Json]:
    uses = [use for gold in example.golds[:1] if isinstance(gold, FactSet) for use in gold.facts]
    documents = [{"uuid": use.id, "relevance": use.rating, "isGoldWT21": use.gold} for use in uses]
    return {"qid": example.id, **example.meta["rated"], "documents": documents}


def read_predictions(path: Path, gold: Dataset[Question, Any]) -> Predictions[FactSet | Ranking]:
    """Lines of question id and fact id, the best fact of a question first.

    A question without lines has an empty ranking: this form has no other way to say so.
    """
    pairs, first = [], dict[str, int]()
    for number, line in read_lines(path):
        try:
            question, fact = parse_ranking_line(line)
        except DataError as error:
            raise error.at(path, number) from None
        pairs.append((question, fact))
        first.setdefault(question, number)
    rankings, notes = group_rankings(pairs), Notes()
    asked = dict.fromkeys(example.id for example in gold.examples)
    if rankings and not rankings.keys() & asked.keys():
        raise DataError(path, expected="rankings of questions in the gold file", found="none of them")
    left_out = "rankings of questions that are not in the gold file, left out"
    notes.add("empty", "questions without a line, whose ranking is empty", len(asked.keys() - rankings.keys()))
    notes.add("unknown id", left_out, len(rankings.keys() - asked.keys()))
    predictions: tuple[Prediction[FactSet | Ranking], ...] = tuple(
        Prediction(name, rankings.get(name, Ranking(()))) for name in asked
    )
    return Predictions(predictions, tuple(first.get(name, 0) for name in asked), notes.all())


def judgements(dataset: Dataset[Question, FactSet | Ranking]) -> Iterator[Judgement]:
    """Every rating as a judgement of a part of an explanation, one for each rater."""
    for example in dataset.examples:
        for gold in example.golds:
            if isinstance(gold, FactSet):
                for number, use in enumerate(gold.facts):
                    for rater, rating in enumerate(use.ratings, 1):
                        yield Judgement(example.id, "relevance", str(rating), f"rater {rater}", f"/facts/{number}")


def read_solutions(path: Path) -> tuple[SchemaSolutions, ...]:
    """Released solutions of schemas."""
    try:
        return parse_solutions(read_json(path))
    except DataError as error:
        raise error.at(path) from None
