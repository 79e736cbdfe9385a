"""Logs of inspect_ai and lm-evaluation-harness, in the forms in which these write them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from whence.errors import DataError
from whence.formats.eval_logs import Logged, read_log


def inspect_sample(name: str | int, completion: str, **more: Any) -> dict[str, Any]:
    """A sample as `EvalSample` of inspect_ai 0.3 is written."""
    content = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": completion}]
    message = {"role": "assistant", "content": content, "source": "generate", "model": "m"}
    return {
        "id": name,
        "epoch": 1,
        "input": "Which?",
        "target": "B",
        "messages": [{"role": "user", "content": "Which?", "source": "input"}, message],
        "output": {
            "model": "m",
            "choices": [{"message": message, "stop_reason": "stop"}],
            "completion": completion,
        },
        "scores": {"match": {"value": "C", "answer": completion}},
        "metadata": {},
        "store": {},
        "events": [],
        "model_usage": {},
        "attachments": {},
    } | more


def inspect_log(samples: list[dict[str, Any]] | None) -> dict[str, Any]:
    about = {"created": "2026-01-01T00:00:00+00:00", "task": "t", "dataset": {}, "model": "m", "config": {}}
    return {
        "version": 2,
        "status": "success",
        "eval": about,
        "plan": {},
        "results": {},
        "stats": {},
        "samples": samples,
    }


def write_eval(path: Path, samples: list[dict[str, Any]], method: int = zipfile.ZIP_DEFLATED) -> None:
    """The zip file that inspect_ai writes: header, journal, summaries, an entry for every sample."""
    log = inspect_log(None)
    with zipfile.ZipFile(path, "w", compression=method) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"], "plan": {}}))
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("_journal/summaries/1.json", "[]")
        archive.writestr("summaries.json", "[]")
        archive.writestr("header.json", json.dumps({key: log[key] for key in ("version", "status", "eval")}))


def harness_row(number: int, document: dict[str, Any], answer: str, **more: Any) -> dict[str, Any]:
    """A line of `samples_TASK_DATE.jsonl` for a task of the kind generate_until."""
    return {
        "doc_id": number,
        "doc": document,
        "target": "2",
        "arguments": {"gen_args_0": {"arg_0": "Which?", "arg_1": {"until": ["\n\n"], "do_sample": False}}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": "none",
        "metrics": ["exact_match"],
        "doc_hash": "a",
        "prompt_hash": "b",
        "target_hash": "c",
        "exact_match": float("nan"),
    } | more


def likelihood_row(number: int, document: dict[str, Any], options: dict[str, str]) -> dict[str, Any]:
    """The same for a task of the kind multiple_choice: a request for every option."""
    return harness_row(
        number,
        document,
        "",
        arguments={f"gen_args_{n}": {"arg_0": "Which?", "arg_1": f" {text}"} for n, text in enumerate(options)},
        resps=[[[value, "False"]] for value in options.values()],
        filtered_resps=[[value, "False"] for value in options.values()],
    )


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_inspect_json(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    samples = [
        inspect_sample("a", "ANSWER: B", choices=["x", "y"], metadata={"story_id": "s", "n": 1}),
        inspect_sample(2, "", error={"message": "timed\nout", "traceback": "", "traceback_ansi": ""}),
        inspect_sample("c", "attachment://k", attachments={"k": "long"}),
        inspect_sample("a", "ANSWER: A", epoch=2),
    ]
    samples[2]["scores"] = {"f1": {"value": float("nan")}}  # which JSON has not, and inspect_ai writes
    path.write_text(json.dumps(inspect_log(samples)))
    assert read_log(path) == (
        Logged(1, ("a", "s"), None, "Which?\ns", "ANSWER: B", ("x", "y")),
        Logged(2, ("2",), 1, "Which?", "", failure="timed out"),
        Logged(3, ("c",), None, "Which?", "long"),
        Logged(4, ("a",), None, "Which?", "ANSWER: A", again="epoch 2"),
    )


def test_completion_of_messages_where_there_is_no_other(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    sample = inspect_sample("a", "it")
    del sample["output"]["completion"]
    path.write_text(json.dumps(inspect_log([sample])))
    found = read_log(path)
    assert found is not None
    assert [one.text for one in found] == ["it"]  # without the reasoning


def test_inspect_eval_is_the_same_zipped(tmp_path: Path) -> None:
    samples = [inspect_sample("a/b", "ja"), inspect_sample(7, "nein")]
    samples[0]["id"] = "ab"
    (tmp_path / "log.json").write_text(json.dumps(inspect_log(samples)))
    write_eval(tmp_path / "log.eval", samples)
    assert read_log(tmp_path / "log.eval") == read_log(tmp_path / "log.json")


def test_inspect_eval_in_zstandard(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path, samples = tmp_path / "log.eval", [inspect_sample("a", "ja" * 500), inspect_sample("b", "nein")]
    write_eval(path, samples, zipfile.ZIP_STORED)
    expected = read_log(path)
    _as_zstandard(path, zstandard)
    assert read_log(path) == expected


def _as_zstandard(path: Path, zstandard: Any) -> None:
    """The entries packed as inspect_ai packs them since 2026, in two frames each."""
    with zipfile.ZipFile(path) as archive:
        entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, raw in entries.items():
            packer = zstandard.ZstdCompressor()
            archive.writestr(name, packer.compress(raw[:9]) + packer.compress(raw[9:]))
        entries_of = archive.infolist()
        for entry in entries_of:  # the directory says how they are packed; our reader asks it alone
            entry.file_size = len(entries[entry.filename])
            entry.compress_type = 93


def test_harness_rows(tmp_path: Path) -> None:
    path = tmp_path / "samples_t_2026-01-01T00-00-00.000000.jsonl"
    rows = [
        harness_row(0, {"story_id": "s", "obs1": "It rained."}, " 1"),
        harness_row(0, {"story_id": "s", "obs1": "It rained."}, "2", filter="flexible-extract"),
        likelihood_row(1, {"obs1": "Sun."}, {"one": "-7.5", "two": "-3.25"}),
    ]
    write_rows(path, rows)
    assert read_log(path) == (
        Logged(1, ("s",), 0, "s\nIt rained.\nWhich?", " 1"),
        Logged(2, ("s",), 0, "s\nIt rained.\nWhich?", "2", again="filter flexible-extract"),
        Logged(3, (), 1, "Sun.\nWhich?", "two", ("one", "two")),
    )


def test_other_files_are_no_logs(tmp_path: Path) -> None:
    for name, text in (
        ("a.json", "{}"),
        ("b.json", "[1]"),
        ("c.jsonl", '{"id": 1}'),
        ("d.tsv", "x"),
        ("e.jsonl", ""),
    ):
        (tmp_path / name).write_text(text)
        assert read_log(tmp_path / name) is None


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("a.eval", "no zip", "a zip file"),
        ("a.json", json.dumps(inspect_log(None)), "the list 'samples'"),
        ("a.json", json.dumps(inspect_log([{}])), "a sample with 'id'"),
        ("a.json", "{", "expected JSON"),
        ("a.jsonl", '{"doc_id": 1, "resps": []}', "line 1: expected 'doc_id', 'doc'"),
        ("a.jsonl", '{"doc_id": 1, "resps": [], "doc": {}, "filtered_resps": []}\n{', "line 2: expected JSON"),
    ],
)
def test_broken_logs_are_refused(name: str, text: str, part: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DataError, match=part):
        read_log(path)
