"""What comes out: examples as the loaders read them, and everything that people said, under pseudonyms."""

from __future__ import annotations

import hashlib
import hmac
import io
import secrets
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

from whence import __version__
from whence.collection import tables
from whence.collection.agreeing import agreement_by_question, counted_judgements, judgements
from whence.collection.configuration import DONE, Export
from whence.collection.templates import MISSING, at, fill
from whence.collection.transaction import AnyRow, Transaction, excluded_submissions
from whence.errors import DataError, UsageError
from whence.files import Json, dump_json, write_lines, write_text
from whence.formats import records
from whence.tasks import task_named
from whence.tasks.dataset import Dataset

DECISIONS, SUBMISSIONS, ATTEMPTS = "decisions.jsonl", "submissions.jsonl", "attempts.jsonl"
ABOUT, CONFIGURATION = "export.json", "configuration.toml"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an export is to hold. People have pseudonyms that differ from export to export."""

    published: bool = False
    """Examples in the form in which the data set is published, instead of our own."""
    platform_ids: bool = False
    timings: bool = False
    salt: bytes = b""
    """Empty: a new one, which is not kept."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The files, with how many records each has."""

    folder: Path
    files: Mapping[str, int]


def export(tx: Transaction, folder: Path, version: str, text: str, wanted: Wanted) -> Exported:
    """Writes all files of an export into a folder, which must be empty or not there."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; an export needs a folder of its own")
    named = pseudonyms(tx, wanted.salt or secrets.token_bytes(32))
    files: dict[str, Sequence[str]] = {}
    for one in tx.configuration.exports:
        files |= _examples(tx, one, wanted)
    files |= _judgement_files(tx, named)
    files[DECISIONS] = list(_decision_lines(tx))
    files[SUBMISSIONS] = list(_submission_lines(tx, named, wanted))
    files[ATTEMPTS] = list(_attempt_lines(tx, named))
    for name, lines in files.items():
        write_lines(folder / name, lines)
    write_text(folder / CONFIGURATION, text)
    found = agreement_by_question(judgements(tx, named=named))
    about = {
        "whence": __version__,
        "collection": tx.configuration.name,
        "configuration": version,
        "files": {name: len(lines) for name, lines in files.items()},
        "agreement": {question: [asdict(one) for one in of] for question, of in found.items()},
    }
    write_text(folder / ABOUT, dump_json(about) + "\n")
    return Exported(folder, {name: len(lines) for name, lines in files.items()})


def archive(tx: Transaction, version: str, text: str, wanted: Wanted) -> bytes:
    """The files of an export as a ZIP archive, in one folder."""
    made = io.BytesIO()
    with TemporaryDirectory() as temporary, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        folder = Path(temporary) / "collected"
        export(tx, folder, version, text, wanted)
        for path in sorted(folder.iterdir()):
            packed.write(path, f"{folder.name}/{path.name}")
    return made.getvalue()


def pseudonyms(tx: Transaction, salt: bytes) -> Callable[[int], str]:
    """A name for each worker that nobody without the salt can lead back to them."""
    tokens = {row.id: row.token for row in tx.all(select(tables.workers.c.id, tables.workers.c.token))}
    return lambda worker: "w-" + hmac.new(salt, tokens[worker].encode(), hashlib.sha256).hexdigest()[:12]


def finished(tx: Transaction, kind: str, root: str = "") -> list[AnyRow]:
    """Artifacts of a kind whose way ended well and whose lineage holds no excluded data, in order; of one root."""
    artifacts, fates = tables.artifacts.c, tables.fates.c
    query = (
        select(tables.artifacts)
        .join(tables.fates, fates.artifact_id == artifacts.id)
        .where(fates.fate == DONE, artifacts.kind == kind)
        .order_by(artifacts.id)
    )
    if root:
        query = query.where(artifacts.root == root)
    excluded = excluded_submissions(tx)
    if not excluded:
        return list(tx.all(query))
    return [row for row in tx.all(query) if not any(one.submission_id in excluded for one in lineage(tx, row))]


def lineage(tx: Transaction, artifact: AnyRow) -> Iterator[AnyRow]:
    """An artifact and what it came from, the nearest first."""
    row: AnyRow | None = artifact
    while row is not None:
        yield row
        parent = select(tables.artifacts).where(tables.artifacts.c.id == row.parent_id)
        row = tx.first(parent) if row.parent_id is not None else None


def _examples(tx: Transaction, export: Export, wanted: Wanted) -> dict[str, Sequence[str]]:
    """The lines of one export, by file."""
    by_split: dict[str, list[Json]] = {}
    votes = _votes(tx)
    for group, members in _groups(tx, export):
        scope = {
            "name": group.name,
            "item": group.payload,
            "all": [{**row.payload, "name": row.name, "part": row.part} for row in members],
            "votes": votes.get(group.name, {}),
            "made": _made(tx, group.root),
        }
        split = at(scope, export.split) if export.split else MISSING
        name = export.name if split is MISSING else f"{export.name}-{split}"
        by_split.setdefault(name, []).append(_record(export, scope))
    if export.row:
        return {f"{name}.jsonl": [dump_json(row) for row in rows] for name, rows in by_split.items()}
    task = task_named(export.task)
    files: dict[str, Sequence[str]] = {}
    for name, rows in by_split.items():
        if wanted.published:
            dataset = Dataset(tuple(rows), tuple(range(1, len(rows) + 1)))
            files[f"{name}{task.data.suffix}"] = list(task.data.write(dataset))
        else:
            files[f"{name}.jsonl"] = [records.format_record(row, task.form) for row in rows]
    return files


def _votes(tx: Transaction) -> dict[str, dict[str, dict[str, int]]]:
    """How many people answered what, by item and question."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for one in judgements(tx):
        tally = found.setdefault(one.item, {}).setdefault(one.question, {})
        tally[one.answer] = tally.get(one.answer, 0) + 1
    return found


def _made(tx: Transaction, root: str) -> dict[str, list[Json]]:
    """What is finished of an item, by kind."""
    artifacts, fates = tables.artifacts.c, tables.fates.c
    query = select(artifacts.kind).join(tables.fates, fates.artifact_id == artifacts.id).distinct()
    kinds = [row.kind for row in tx.all(query.where(artifacts.root == root, fates.fate == DONE))]
    return {kind: [row.payload for row in finished(tx, kind, root)] for kind in kinds}


def _groups(tx: Transaction, export: Export) -> list[tuple[AnyRow, list[AnyRow]]]:
    """Artifacts by the nearest ancestor of the kind that there is a record for."""
    groups: dict[int, tuple[AnyRow, list[AnyRow]]] = {}
    for row in finished(tx, export.of):
        ancestors = lineage(tx, row)
        head = next((one for one in ancestors if one.kind == export.per), row) if export.per else row
        groups.setdefault(head.id, (head, []))[1].append(row)
    return list(groups.values())


def _record(export: Export, scope: Mapping[str, Json]) -> Any:
    """An example of the task, checked like one that is read from a file; or the row itself."""
    if export.row:
        return fill(export.row, scope)
    task = task_named(export.task)
    golds = fill(export.golds, scope) if export.golds is not None else []
    meta = fill(export.meta, scope)
    value = {"id": scope["name"], "inputs": fill(export.inputs, scope), "golds": golds, "meta": meta}
    value = task.collecting.finish(value)
    line = dump_json({"whence": records.VERSION, "task": task.name, **value})
    try:
        return records.parse_example(line, task.form)
    except DataError as error:
        raise DataError(
            expected=f"what export {export.name} makes of {scope['name']} to be an example of {task.name}",
            found=error.found,
        ) from None


def judgements_file(question: str) -> str:
    """Where the judgements of a question are: a file each, as agreement and `whence score` take one question."""
    return f"judgements-{question}.jsonl"


def _judgement_files(tx: Transaction, named: Callable[[int], str]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for row in counted_judgements(tx):
        said = {"item": row.item, "question": row.question, "answer": row.answer, "judge": named(row.worker_id)}
        remark = {"remark": row.remark} if row.remark else {}
        line = dump_json({**said, "part": row.part, "stage": row.stage, **remark})
        files.setdefault(judgements_file(row.question), []).append(line)
    return files


def _decision_lines(tx: Transaction) -> Iterator[str]:
    jobs, artifacts, decisions = tables.jobs.c, tables.artifacts.c, tables.decisions.c
    query = (
        select(tables.decisions, jobs.stage, artifacts.name, artifacts.part)
        .join(tables.jobs, jobs.id == decisions.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .order_by(decisions.id)
    )
    for row in tx.all(query):
        yield dump_json(
            {
                "item": row.name,
                "part": row.part,
                "stage": row.stage,
                "rule": row.rule,
                "outcome": row.outcome,
                "tie": row.tie,
                "votes": row.votes,
                "route": row.route,
            }
        )


def _submission_lines(tx: Transaction, named: Callable[[int], str], wanted: Wanted) -> Iterator[str]:
    """Every submission, late and excluded ones too, which say so."""
    submissions, jobs, artifacts = tables.submissions.c, tables.jobs.c, tables.artifacts.c
    query = (
        select(tables.submissions, artifacts.name, artifacts.part, tables.workers.c.platform_id)
        .join(tables.jobs, jobs.id == submissions.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .join(tables.workers, tables.workers.c.id == submissions.worker_id)
        .order_by(submissions.id)
    )
    excluded = excluded_submissions(tx)
    for row in tx.all(query):
        told = {
            "item": row.name,
            "part": row.part,
            "stage": row.stage,
            "worker": named(row.worker_id),
            "answer": row.payload,
            "flags": row.flags,
            "late": row.late,
            "excluded": row.id in excluded,
        }
        if wanted.platform_ids:
            told["platform_id"] = row.platform_id
        if wanted.timings:
            told |= {"at": row.at, "milliseconds": row.milliseconds}
        yield dump_json(told)


def _attempt_lines(tx: Transaction, named: Callable[[int], str]) -> Iterator[str]:
    """Every try to fool a model, with what the model said."""
    attempts, slots, jobs, artifacts = tables.attempts.c, tables.slots.c, tables.jobs.c, tables.artifacts.c
    query = (
        select(tables.attempts, slots.stage, artifacts.name)
        .join(tables.slots, slots.id == attempts.slot_id)
        .join(tables.jobs, jobs.id == slots.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .order_by(attempts.id)
    )
    for row in tx.all(query):
        yield dump_json(
            {
                "item": row.name,
                "stage": row.stage,
                "worker": named(row.worker_id),
                "number": row.number,
                "answer": row.payload,
                "model": row.model,
                "verdict": row.verdict,
                "fooled": row.fooled,
            }
        )
