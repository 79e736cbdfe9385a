"""How cost grows: time of the processor and memory by the number of items, for scoring, ranking and collecting.

    python benchmarks/scale.py [scoring ranking collection] [--most N] [--store URL]

Keeps its figures in benchmarks/scale.json and writes them into docs/scale.md. Data is synthetic. Every size
runs in a process of its own, so that its memory is its own; times are of the processor, as other work on a machine
lengthens those of the clock.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FIGURES = HERE / "scale.json"
PAGE = HERE.parent / "docs/scale.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
SIZES = {
    "scoring": (1_000, 10_000, 100_000, 1_000_000),
    "ranking": (10_000, 100_000, 1_000_000),
    "collection": (1_000, 10_000, 100_000),
}
Figures = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=list(SIZES))
    parser.add_argument("--most", type=int, default=10**9)
    parser.add_argument("--store", default="")
    parser.add_argument("--one", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(PARTS[given.parts[0]](given.one, given.store)))
        return
    found = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.is_file() else {}
    for part in given.parts:
        name = f"{part}, PostgreSQL" if given.store else part
        for size in (size for size in SIZES[part] if size <= given.most):
            command = [sys.executable, __file__, part, "--one", str(size), "--store", given.store]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            found.setdefault(name, {})[str(size)] = json.loads(told)
            print(name, f"{size:,}", told.strip(), flush=True)
            FIGURES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + f"\n\n{tables(found)}\n\n" + END + rest.partition(END)[2], encoding="utf-8")
    print(tables(found))


def tables(found: dict[str, dict[str, Figures]]) -> str:
    """The tables, a column a size."""
    made = []
    for part, sizes in found.items():
        rows = [f"| {part} | {' | '.join(f'{int(size):,}' for size in sizes)} |", f"|---|{'---|' * len(sizes)}"]
        for what in next(iter(sizes.values())):
            rows.append(f"| {what} | {' | '.join(_shown(figures[what]) for figures in sizes.values())} |")
        made.append("\n".join(rows))
    return "\n\n".join(made)


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _memory() -> float:
    """The most that this process had, in megabytes."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def _taken(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


# Scoring.


def scoring(size: int, _: str) -> Figures:
    """`whence score explagraphs`: answers that are gold graphs with edges changed, some with the other stance."""
    from whence.pipeline.score import as_json, score
    from whence.tasks import task_named
    from whence.tasks.loading import read_answers, read_dataset
    from whence.tasks.scoring import ScoringOptions

    task = task_named("explagraphs")
    with tempfile.TemporaryDirectory() as place:
        gold, answers = Path(place) / "gold.jsonl", Path(place) / "answers.jsonl"
        _write_graphs(size, gold, answers)
        before, held = _memory(), {}

        def read() -> None:
            held["gold"] = read_dataset(task, gold)
            held["answers"] = read_answers(task, answers, held["gold"])

        reading = _taken(read)
        after = _memory()
        scored = _taken(lambda: as_json(score(task, held["gold"], held["answers"], ScoringOptions())))
    return {
        "reading, s": reading,
        "scoring, s": scored,
        "ms an item": 1000 * (reading + scored) / size,
        "memory of what was read, MB": after - before,
        "memory at most, MB": _memory(),
    }


def _write_graphs(size: int, gold: Path, answers: Path) -> None:
    from whence.formats import records
    from whence.structures.graph import Graph, StanceGraph
    from whence.structures.results import Prediction
    from whence.tasks import task_named
    from whence.tasks.loading import samples

    task, chance = task_named("explagraphs"), random.Random(0)
    examples = samples(task).examples
    relations = sorted({edge.relation for one in examples for edge in one.golds[0].graph.edges})
    with gold.open("w", encoding="utf-8") as golds, answers.open("w", encoding="utf-8") as lines:
        for number in range(size):
            example = replace(examples[number % len(examples)], id=f"e{number}")
            right = example.golds[0]
            edges = [
                replace(edge, relation=chance.choice(relations)) if chance.random() < 0.3 else edge
                for edge in right.graph.edges
            ]
            stance = right.stance if chance.random() < 0.9 else {"support": "counter"}.get(right.stance, "support")
            answer = Prediction(example.id, StanceGraph(stance, Graph(tuple(edges))))
            golds.write(records.format_record(example, task.form) + "\n")
            lines.write(records.format_record(answer, task.form) + "\n")


# Ranking.

WORDS, LENGTH, ASKED, QUERIES = 50_000, 12, 10, 20


def ranking(size: int, _: str) -> Figures:
    """An index of texts of chance words, as frequent as those of English (Zipf); the ten best for a query."""
    from whence.models.retrieval.index import build_index, with_texts
    from whence.models.retrieval.search import Searcher
    from whence.models.retrieval.storage import open_index, save_index
    from whence.models.retrieval.words import query_words

    chance = random.Random(0)
    names = [f"w{number}x" for number in range(WORDS)]
    weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))

    def text(words: int) -> str:
        return " ".join(chance.choices(names, cum_weights=weights, k=words))

    texts = {f"fact-{number:07}": text(LENGTH) for number in range(size)}
    queries = [text(ASKED) for _ in range(QUERIES)]
    query_words("lemmas are read at the first word")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "index"
        built = _taken(lambda: save_index(build_index(texts), folder))
        most = _memory()
        more = {f"new-{number}": text(LENGTH) for number in range(1000)}
        added = _taken(lambda: save_index(with_texts(open_index(folder), more), folder))
        disk = sum(path.stat().st_size for path in folder.rglob("*.npy")) / 1e6
        searcher = Searcher(open_index(folder))
        taken = [_taken(lambda query=query: searcher.search(query_words(query), 10)) for query in queries]
    return {
        "building, s": built,
        "adding 1,000, s": added,
        "a query, ms": 1000 * sum(taken[1:]) / len(taken[1:]),
        "on disk, MB": disk,
        "memory at most, building, MB": most,
    }


# Collecting.

PEOPLE, LEASES = 20, 200


def collection(size: int, store: str) -> Figures:
    """Items that two people judge: half of them judged, of the rest 200 taken and sent; looked at, exported."""
    sys.path.insert(0, str(HERE))
    from collection import CONFIGURATION  # type: ignore[import-not-found]
    from whence.collection import administration
    from whence.collection.collection import new_collection
    from whence.collection.exporting import Wanted, export
    from whence.collection.importing import add_items

    with tempfile.TemporaryDirectory() as place:
        text = CONFIGURATION.replace("lease = 4", "lease = 600")
        made = new_collection(_new_database(store, size) if store else str(Path(place) / "scale.db"), text)
        items = ({"id": f"t{number}", "text": f"thing {number}"} for number in range(size))
        adding = _taken(lambda: made.write(lambda tx: add_items(tx, tx.configuration.source("things"), items)))
        people = [made.join() for _ in range(PEOPLE)]
        made.write(_judge_half)
        chance, leasing, sending = random.Random(0), 0.0, 0.0
        for number in range(LEASES):
            who, held = people[number % PEOPLE], []
            leasing += _taken(lambda who=who, held=held: held.append(made.next_slot(who)))
            answer = {"answers": {"": chance.choice(("this", "this", "that"))}}
            sending += _taken(partial(made.submit, who, held[0], answer, str(number)))
        with made.reading() as tx:
            status = _taken(lambda: administration.progress(tx))
            agreed = _taken(lambda: administration.agreement(tx))
            exported = _taken(lambda: export(tx, Path(place) / "out", "1", CONFIGURATION, Wanted()))
            done = len(administration.throughput(tx))
    if not done:
        raise SystemExit("nothing was taken")
    return {
        "adding all, s": adding,
        "taking an item, ms": 1000 * leasing / LEASES,
        "sending an answer, ms": 1000 * sending / LEASES,
        "status, s": status,
        "agreement, s": agreed,
        "export, s": exported,
        "memory at most, MB": _memory(),
    }


def _new_database(store: str, size: int) -> str:
    """An empty database on the server of the address: a collection has one of its own."""
    from sqlalchemy import create_engine, make_url, text

    name = f"scale_{size}"
    with create_engine(store, isolation_level="AUTOCOMMIT").connect() as server:
        server.execute(text(f"drop database if exists {name} with (force)"))
        server.execute(text(f"create database {name}"))
    return make_url(store).set(database=name).render_as_string(hide_password=False)


def _judge_half(tx: Any) -> None:
    """Answers to the older half of the items, put into the tables at once: from people they would take hours."""
    from sqlalchemy import bindparam, insert, select, text, update

    from whence.collection import tables

    slots, jobs, artifacts = tables.slots.c, tables.jobs.c, tables.artifacts.c
    half = len(tx.all(select(jobs.id))) // 2
    items = tx.all(
        select(slots.id, slots.job_id, slots.number, artifacts.name, artifacts.id.label("artifact"))
        .join(tables.jobs, jobs.id == slots.job_id)
        .join(tables.artifacts, artifacts.id == jobs.artifact_id)
        .order_by(slots.job_id)
        .limit(2 * half)
    )
    first, chance = min(row.id for row in tx.all(select(tables.workers.c.id))), random.Random(1)
    sent, judged, taken = [], [], []
    for number, row in enumerate(items, start=1):
        who = first + (row.job_id + row.number) % PEOPLE
        answer = chance.choice(("this", "this", "that"))
        shared = {"job_id": row.job_id, "worker_id": who, "stage": "judging"}
        about = {"key": f"bulk-{number}", "slot_id": row.id, "payload": {"answers": {"": answer}}, "late": False}
        more = {"flags": [], "outcome": {}, "milliseconds": 9000, "configuration_id": tx.configuration_id}
        sent.append({"id": number, **shared, **about, **more, "at": tx.now})
        said = {"item": row.name, "part": "", "question": "which", "answer": answer, "remark": ""}
        judged.append({**shared, **said, "submission_id": number, "artifact_id": row.artifact})
        taken.append({"slot": row.id, "who": who})
    tx.connection.execute(insert(tables.submissions), sent)
    if tx.connection.dialect.name == "postgresql":  # ids that were given do not count on its sequence
        counted = text("select setval(pg_get_serial_sequence('submissions', 'id'), :last)")
        tx.connection.execute(counted, {"last": len(sent)})
    tx.connection.execute(insert(tables.judgements), judged)
    accepted = update(tables.slots).where(slots.id == bindparam("slot"))
    tx.connection.execute(accepted.values(state="accepted", worker_id=bindparam("who")), taken)
    decided = {"state": "decided"}
    tx.connection.execute(update(tables.jobs).where(jobs.id <= items[-1].job_id).values(**decided))


PARTS: dict[str, Callable[[int, str], Figures]] = {
    "scoring": scoring,
    "ranking": ranking,
    "collection": collection,
}

if __name__ == "__main__":
    main()
