"""The published files, text by text: what is read is written again to the last character."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from whence.files import read_json, read_jsonl, read_lines
from whence.formats.dialogues import format_dialogue, format_triplet, parse_dialogue, parse_triplet
from whence.formats.graphs import EDGE_ORDERS, format_graph, ordered, parse_graph
from whence.formats.proofs import (
    format_context,
    format_proof,
    format_slots,
    parse_context,
    parse_proof,
    parse_slots,
)
from whence.formats.rankings import format_fact_uses, parse_fact_uses
from whence.formats.tables import format_table, parse_table
from whence.structures.facts import FactBase
from whence.structures.graph import is_connected_dag

pytestmark = pytest.mark.real_data


@pytest.mark.parametrize("name, count", [("train.tsv", 2_368), ("dev.tsv", 398)])  # the spec's counts
def test_graphs(real_data, name, count):
    texts = [line.split("\t")[3] for _, line in read_lines(real_data / f"explagraphs/{name}")]
    assert len(texts) == count
    for text in texts:
        graph = parse_graph(text)
        assert format_graph(graph) == text
        assert is_connected_dag(graph)  # all of gold, see the spec
        for order in EDGE_ORDERS:
            assert sorted(map(str, ordered(graph, order).edges)) == sorted(map(str, graph.edges))


def rows(folder: Path) -> Iterator[dict[str, Any]]:
    for part in ("dev", "test"):
        for _, row in read_jsonl(folder / f"{part}.jsonl"):
            yield row


@pytest.mark.parametrize("task", ["task_1", "task_2"])
def test_proofs_and_contexts(real_data, task):
    found = list(rows(real_data / "entailmentbank" / task))
    assert len(found) == 187 + 340
    for row in found:
        assert format_proof(parse_proof(row["proof"])) == row["proof"]
        assert format_context(parse_context(row["context"])).split() == row["context"].split()


def test_angles(real_data):
    for _, row in read_jsonl(real_data / "entailmentbank/task_1/train.angles.jsonl"):
        given = parse_slots(row["input"])
        asked = [name for name, text in given.items() if not text]
        assert format_slots({name: text for name, text in given.items() if text}, asked) == row["input"]
        assert format_slots(parse_slots(row["output"])) == row["output"]


def test_dialogues_and_triplets(real_data):
    document = read_json(real_data / "cider/cider_main.json")
    assert (len(document), sum(len(row["triplets"]) for row in document)) == (807, 4_539)
    for row in document:
        dialogue = parse_dialogue(row["utterances"])
        assert format_dialogue(dialogue) == row["utterances"]
        for triplet in row["triplets"]:
            assert json.dumps(format_triplet(parse_triplet(triplet, dialogue), dialogue)) == json.dumps(triplet)


@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_explanation_columns(real_data, part):
    (_, header), *lines = read_lines(real_data / f"worldtree/questions.{part}.tsv")
    column = header.split("\t").index("explanation")
    texts = [line.split("\t")[column] for _, line in lines]
    assert all(format_fact_uses(parse_fact_uses(text)).split() == text.split() for text in texts)


def test_tables(real_data):
    tables = []
    for path in sorted((real_data / "worldtree/tables").glob("*.tsv")):
        lines = [line for _, line in read_lines(path)]
        tables.append(parse_table(path.stem, lines))
        assert list(format_table(tables[-1])) == lines
    base = FactBase(tuple(tables))
    assert len(tables) == 81
    assert len(base.facts) + base.dropped.total() == sum(len(table.rows) for table in tables)
