"""A plug-in that cannot be used is one clear line, and the rest goes on. Asked for by name, it is an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from whence import plugins
from whence.api import load
from whence.errors import PluginWarning, UsageError

CODE = """
from dataclasses import replace
from whence.metrics.metric import Metric, Scores, scores
from whence.tasks.scoring import TaskMetrics
from whence_rationales.additions import CONCEPTS, SHARED_WORDS
from whence_rationales.task import RATIONALES

def broken(dataset, answers, options):
    raise ZeroDivisionError("no answers")

def accuracy_again(dataset, answers, options):
    return [scores(Metric("SA", "higher", (0.0, 1.0), "ours", "what?"), [0.5 for _ in answers])]

OLD = replace(RATIONALES, name="old", api=7)
OTHER = replace(RATIONALES, name="elsewhere")
SECOND = replace(RATIONALES, title="another")
TEXT = "rationales"
BREAKING = TaskMetrics(1, "explagraphs", broken)
SAME_METRIC = TaskMetrics(1, "explagraphs", accuracy_again)
LOST_METRIC = TaskMetrics(1, "explagrafs", broken)
SAME_METHOD = replace(SHARED_WORDS)
OLD_METRIC = replace(CONCEPTS, api=7)
"""

FAULTS = {
    "anli = whence_rationales.task:RATIONALES": "'anli' of faulty is not used: whence has one of that name",
    "gone = nowhere_at_all:TASK": "cannot be loaded: ModuleNotFoundError: No module named 'nowhere_at_all'",
    "raises = faulty_raising:TASK": r"cannot be loaded: RuntimeError: one line\nand another",
    "exits = faulty_exiting:TASK": "cannot be loaded: SystemExit: the end",
    "nothing = faulty:NOTHING": "has no attribute 'NOTHING'",
    "old = faulty:OLD": "was made for version 7 of the plug-in interface; this is version 1",
    "other = faulty:OTHER": "'other' of faulty has a task named 'elsewhere': make the two equal",
    "text = faulty:TEXT": "'text' of faulty is a str, not a Task",
}
"""Entry points of tasks with what is said about each."""

Outcome = subprocess.CompletedProcess[str]
Whence = Callable[..., Outcome]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed distributions with the modules of one that is faulty."""
    (tmp_path / "faulty.py").write_text(CODE)
    (tmp_path / "faulty_raising.py").write_text('raise RuntimeError("one line\\nand another")')
    (tmp_path / "faulty_exiting.py").write_text('import sys\nsys.exit("the end")')
    return tmp_path


def _install(site: Path, *entries: tuple[str, str]) -> None:
    folder = site / "faulty-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    lines = "".join(f"[whence.{group}]\n{entry}\n" for group, entry in entries)
    (folder / "entry_points.txt").write_text(lines)


@pytest.fixture
def whence(site: Path) -> Whence:
    """Runs the command line in a process of its own, with the faulty distribution."""
    path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(site)])

    def call(*words: object) -> Outcome:
        command = [sys.executable, "-m", "whence", *map(str, words)]
        return subprocess.run(
            command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
        )

    return call


def test_every_fault_is_one_line_and_the_other_tasks_are_there(site: Path, whence: Whence) -> None:
    _install(site, ("tasks", "\n".join(FAULTS)))
    outcome = whence("tasks", "--json")
    assert outcome.returncode == 0
    names = list(json.loads(outcome.stdout))
    assert names[0] == "explagraphs" and names[-1] == "rationales"
    assert "anli" in names and not {"gone", "old", "other", "elsewhere", "text"} & set(names)
    lines = outcome.stderr.splitlines()
    assert len(lines) == len(FAULTS)
    assert all(line.startswith("whence: the plug-in whence.tasks '") for line in lines)
    assert all(any(said in line for line in lines) for said in FAULTS.values())
    assert "Traceback" not in outcome.stderr and ".py" not in outcome.stderr


def test_of_two_with_one_name_the_first_is_used(site: Path, whence: Whence) -> None:
    """Ours before others, others by the names of their distributions."""
    _install(site, ("tasks", "rationales = faulty:SECOND"))
    outcome = whence("tasks", "rationales")
    assert outcome.returncode == 0
    assert outcome.stdout.startswith("rationales: another")
    (line,) = outcome.stderr.splitlines()
    assert line.endswith("'rationales' of whence-rationales is not used: faulty has one of that name")


def test_asked_for_by_name_it_is_an_error(site: Path, whence: Whence) -> None:
    _install(site, ("tasks", "old = faulty:OLD\ngone = nowhere_at_all:TASK"))
    for name, said in (("old", "was made for version 7"), ("gone", "No module named 'nowhere_at_all'")):
        outcome = whence("show", name)
        assert outcome.returncode == 2
        assert outcome.stderr.count("\n") == 1
        assert said in outcome.stderr


def test_only_the_task_that_is_asked_for_is_imported(site: Path, whence: Whence) -> None:
    """A fault of another task is not even noticed."""
    _install(site, ("tasks", "exits = faulty_exiting:TASK"))
    outcome = whence("check", "anli", "samples")
    assert (outcome.returncode, outcome.stderr) == (0, "")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("m = faulty:BREAKING", "broke and is not used: ZeroDivisionError: no answers"),
        ("m = faulty:SAME_METRIC", "is not used: explagraphs has a metric SA"),
        ("m = faulty:LOST_METRIC", "is not used: there is no task 'explagrafs'"),
        ("m = faulty:OLD_METRIC", "was made for version 7"),
        ("m = nowhere_at_all:METRIC", "No module named 'nowhere_at_all'"),
    ],
)
def test_a_metric_that_cannot_be_used_leaves_the_others(
    entry: str, said: str, site: Path, whence: Whence, tmp_path: Path
) -> None:
    _install(site, ("metrics", entry))
    first = load("explagraphs").examples[0].id
    row = {"whence": 1, "task": "explagraphs", "id": first, "explanation": None}
    answers = tmp_path / "answers.jsonl"
    answers.write_text(f"{json.dumps(row)}\n")
    outcome = whence("score", "explagraphs", answers, "--gold", "samples", "--lenient", "--json")
    assert outcome.returncode == 0, outcome.stderr
    figures = json.loads(outcome.stdout)["scores"]
    assert figures["SA"]["value"] == 0.0
    assert "concept_f1" in figures
    (line,) = outcome.stderr.splitlines()
    assert line.startswith("whence: the plug-in whence.metrics 'm' of faulty ")
    assert said in line


def test_a_method_with_a_name_that_is_taken_is_not_used(site: Path, whence: Whence) -> None:
    _install(site, ("methods", "again = faulty:SAME_METHOD"))
    outcome = whence("tasks", "anli")
    assert outcome.returncode == 0
    (line,) = outcome.stderr.splitlines()
    assert "is not used: anli has a method shared-words" in line


def test_a_generator_that_cannot_be_used_is_an_error_where_it_is_asked_for(site: Path, whence: Whence) -> None:
    _install(site, ("generators", "oracle = nowhere_at_all:ORACLE"))
    words = ("--first", "A.", "--second", "B.", "--with", "llm", "--set", "model=oracle:big")
    outcome = whence("explain", "anlg", *words)
    assert outcome.returncode == 2
    assert outcome.stderr.count("\n") == 1
    assert "the plug-in whence.generators 'oracle' of faulty cannot be loaded" in outcome.stderr


def test_in_python_it_is_a_warning_of_a_kind_of_its_own() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plugins.warn("a plug-in of this test is not used")
        plugins.warn("a plug-in of this test is not used")
    assert [(one.category, str(one.message)) for one in caught] == [
        (PluginWarning, "a plug-in of this test is not used")
    ]


def test_what_is_no_plugin_says_what_it_is() -> None:
    entry = plugins.registered(plugins.TASKS)["rationales"]
    with pytest.raises(UsageError, match=r"'rationales' of whence-rationales is a Task, not a GeneratorPlugin"):
        from whence.models.generators.choice import GeneratorPlugin

        plugins.load(entry, GeneratorPlugin)
