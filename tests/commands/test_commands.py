"""The command line as a user meets it."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line

from whence.tasks import TASKS, statistics
from whence.tasks.sources import all_sources


def test_tour_shows_all_five_kinds(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "tour.html"
    outcome = run("tour", "--html", page)
    assert outcome.code == 0
    for place in range(1, 6):
        assert f"{place} of 5" in outcome.out
    assert outcome.out.count("checked: ") == 5
    text = page.read_text()
    assert text.count("<svg") == 5
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text


def test_tasks_lists_all(run: Run) -> None:
    outcome = run("tasks")
    assert outcome.code == 0
    assert all(name in outcome.out for name in TASKS)
    assert set(json.loads(run("tasks", "--json").out)) == set(TASKS)


def test_tasks_shows_one_with_its_methods_and_settings(run: Run) -> None:
    shown = run("tasks", "worldtree").out
    assert "schemas" in shown and "count=6" in shown
    found = json.loads(run("tasks", "worldtree", "--json").out)
    assert found["methods"]["facts"]["settings"] == {
        "ranker": "embedded",
        "count": 6,
        "fill": False,
        "store": "",
    }
    assert list(found["heads"]) == ["facts", "relevance", "rating", "written"]
    assert "there is no task 'nothing'" in run("tasks", "nothing").err


def test_data_list_names_all_sources(run: Run) -> None:
    found = json.loads(run("data", "list", "--json").out)
    assert set(found["sources"]) == set(all_sources()) == set(statistics())


@pytest.mark.parametrize("task", TASKS)
def test_show_draws_and_prints(task: str, run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    outcome = run("show", task, "-n", 2, "--svg", picture)
    assert outcome.code == 0
    assert "2 of" in outcome.out
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    record = json.loads(run("show", task, "-n", 2, "--json").out)
    assert record["task"] == task and record["golds"]


def test_show_marks_how_a_prediction_differs(run: Run, tmp_path: Path) -> None:
    record = json.loads(run("show", "explagraphs", "--json").out)
    edges = record["golds"][0]["graph"]["edges"]
    edges[0]["relation"] = "has property"
    answer = {"whence": 1, "task": "explagraphs", "id": record["id"], "explanation": record["golds"][0]}
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(json.dumps(answer) + "\n")
    outcome = run("show", "explagraphs", predictions, "--gold", "samples")
    assert outcome.code == 0
    assert "causes" in outcome.out and "has property" in outcome.out
    same = run("show", "explagraphs", "samples", "--against", "samples")
    assert "no difference" in same.out


def test_what_could_not_be_read_leaves_json_alone(run: Run, tmp_path: Path) -> None:
    predictions = tmp_path / "predictions.tsv"
    predictions.write_text("support\tno graph\n" * 20, encoding="utf-8")
    outcome = run("show", "explagraphs", predictions, "--gold", "samples", "--json")
    assert json.loads(outcome.out)["explanation"] is None
    assert "could not be read" in outcome.err


def test_check_prints_line_rule_and_count(run: Run, tmp_path: Path) -> None:
    graphs = tmp_path / "mine.tsv"
    start = "rain is good for plants.\tplants need water\tsupport\t"
    good = f"{start}(rain; is a; water)(water; used for; plants)(rain; causes; plants)\n"
    bad = f"{start}(rain; is a; water)(water; loves; plants)\n"
    broken = f"{start}(rain; is a)\n"
    graphs.write_text(good + bad + broken)
    outcome = run("check", "explagraphs", graphs)
    assert outcome.code == 1
    assert "mine.tsv:2: mine-2: edge-count:" in outcome.out
    assert "mine.tsv:2: mine-2: relation: 'loves'" in outcome.out
    assert "mine.tsv:3: mine-3: format:" in outcome.out
    assert "1 of 3 explanations are clean" in outcome.out
    found = json.loads(run("check", "explagraphs", graphs, "--json").out)
    assert found["counts"] == {"edge-count": 1, "relation": 1, "format": 1}
    assert (found["checked"], found["clean"]) == (3, 1)


def test_check_of_samples_is_clean(run: Run) -> None:
    assert run("check", "cider", "samples").code == 0


def test_schema_is_printed(run: Run) -> None:
    for kind in ("example", "prediction"):
        schema = json.loads(run("data", "schema", "explagraphs", "--kind", kind).out)
        assert schema["properties"]["task"] == {"const": "explagraphs"}


def test_convert_there_and_back(run: Run, tmp_path: Path) -> None:
    published, own = tmp_path / "graphs.tsv", tmp_path / "graphs.jsonl"
    assert run("data", "convert", "explagraphs", "samples", "-o", published, "--to", "published").code == 0
    assert run("data", "convert", "explagraphs", published, "-o", own).code == 0
    again = tmp_path / "again.tsv"
    assert run("data", "convert", "explagraphs", own, "-o", again, "--to", "published").code == 0
    assert again.read_text() == published.read_text()


def test_get_needs_consent(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_DATA", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    outcome = run("data", "get", "explagraphs")
    assert "CC BY-SA 4.0" in outcome.out
    assert_one_clear_line(outcome, "--yes")


# Wrong use and bad files: one clear line, exit code 2 -----------------------------------------------


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("check", "nothing", "samples"), "no task 'nothing'"),
        (("check", "explagraphs", "nowhere.tsv"), "neither a file nor a split"),
        (("check", "explagraphs", "samples", "--protocol", "mine"), "no protocol 'mine'"),
        (("show", "explagraphs", "samples", "-n", "99"), "no example number 99"),
        (("show", "explagraphs", "samples", "--id", "x"), "no example 'x'"),
        (("show", "explagraphs", "samples", "--gold", "a", "--against", "b"), "do not go together"),
        (("data", "stats", "nothing"), "no data set 'nothing'"),
        (("data", "get", "nothing", "--yes"), "nothing"),
        (("data", "convert", "cider-nli", "samples", "-o", "x.csv", "--to", "published"), "no published form"),
    ],
)
def test_wrong_use(
    words: tuple[str, ...], part: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHENCE_DATA", str(tmp_path))
    assert_one_clear_line(run(*words), part)


def test_split_that_is_not_here(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_DATA", str(tmp_path))
    assert_one_clear_line(run("check", "explagraphs", "dev"), "is not here", "whence data get explagraphs")
    assert_one_clear_line(run("data", "stats", "cider"), "is not here", "whence data get cider")


def test_data_folder_that_does_not_exist(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_DATA", "/nowhere/at/all")
    assert_one_clear_line(run("check", "explagraphs", "dev"), "WHENCE_DATA")


SUFFIXES = {"explagraphs": ".tsv", "worldtree": ".tsv", "cider": ".json", "cider-nli": ".json",
            "cider-span": ".json", "anlg": ".json", "cider-choice": ".csv", "cider-relation": ".csv"}  # fmt: skip

BAD_CONTENT = {
    "binary": b"\x00\x01\x02\xff" * 100,
    "another encoding": "caf\xe9\tna\xefve\tsupport\t(a; is a; b)\n".encode("latin-1"),
    "wrong columns": b"one\ttwo\tthree\n",
    "other JSON": b'{"some": "thing"}\n',
    "a JSON number": b"7\n",
    "cut off JSON": b'[{"id": "x", "utter',
}


@pytest.mark.parametrize("content", BAD_CONTENT)
@pytest.mark.parametrize("task", TASKS)
def test_bad_file(task: str, content: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / f"bad{SUFFIXES.get(task, '.jsonl')}"
    path.write_bytes(BAD_CONTENT[content])
    outcome = run("check", task, path)
    assert_one_clear_line(outcome, path.name, "expected", "found")


@pytest.mark.parametrize("task", ["explagraphs", "anli", "worldtree"])
def test_line_of_a_hundred_megabytes(task: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / f"long{SUFFIXES.get(task, '.jsonl')}"
    path.write_bytes(b"x" * 100 * 1024 * 1024)
    assert_one_clear_line(run("check", task, path), path.name, "line 1")


def test_truncated_record(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    lines = json.loads(run("show", "explagraphs", "--json").out)
    path.write_text(json.dumps(lines) + "\n" + json.dumps(lines)[:100])
    assert_one_clear_line(run("check", "explagraphs", path), "cut.jsonl", "line 2", "JSON")


def test_predictions_that_do_not_fit_the_examples(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "few.tsv"
    path.write_text("support\t(a; is a; b)\n")
    assert_one_clear_line(run("check", "explagraphs", path, "--gold", "samples"), "few.tsv", "20 predictions")
    assert_one_clear_line(run("check", "explagraphs", path), "few.tsv", "--gold")


def test_a_file_without_explanations_is_not_called_clean(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.tsv"
    empty.write_text("")
    assert_one_clear_line(run("check", "explagraphs", empty), "expected examples of explagraphs, found none")
    hidden = tmp_path / "hidden.tsv"
    hidden.write_text("a belief\tan argument\n")
    assert_one_clear_line(run("check", "explagraphs", hidden), "its 1 examples have none")


def test_a_folder_does_not_hide_a_split(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").mkdir()
    assert run("check", "anli", "samples").code == 0
    assert_one_clear_line(run("check", "anli", ""), "neither a file nor a split")


def test_a_misspelt_field_is_named(run: Run, tmp_path: Path) -> None:
    record = json.loads(run("show", "explagraphs", "--json").out)
    record["inputs"]["beleif"] = record["inputs"].pop("belief")
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(record) + "\n")
    assert_one_clear_line(run("check", "explagraphs", path), "/inputs/belief: field required", "'beleif'")


def test_predictions_without_their_examples(run: Run, tmp_path: Path) -> None:
    record = json.loads(run("show", "anli", "--json").out)
    path = tmp_path / "predictions.jsonl"
    answer = {"whence": 1, "task": "anli", "id": record["id"], "explanation": record["golds"][0]}
    path.write_text(json.dumps(answer) + "\n")
    assert_one_clear_line(run("check", "anli", path), "line 1", "found a prediction", "--gold")


def test_a_published_form_keeps_the_labels(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    assert run("data", "convert", "anli", "samples", "-o", path, "--to", "published").code == 0
    assert "20 of 20 explanations are clean" in run("check", "anli", path).out


def test_standard_output_takes_a_conversion(run: Run) -> None:
    outcome = run("data", "convert", "explagraphs", "samples", "-o", "-", "--to", "published")
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) == 20


# From outside ------------------------------------------------------------------------------------------


def test_help_loads_nothing_that_it_does_not_need() -> None:
    code = (
        "import sys; sys.argv = ['whence', '--help']\n"
        "from whence.commands import main\n"
        "try: main()\n"
        "except SystemExit: print(sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tour" in done.stdout
    loaded = set(ast.literal_eval(done.stderr))
    assert "whence.commands.tour" in loaded
    assert not loaded & {"pydantic", "numpy", "whence.tasks", "whence.drawing", "urllib.request"}


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m whence tour | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("━━ 1 of 5")
    assert done.stderr == ""


def test_output_that_cannot_be_written_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "whence", "tasks", "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "whence: the output cannot be written: No space left on device\n"


def test_a_terminal_without_unicode_is_served() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "whence", "tour"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"1 of 5" in done.stdout
