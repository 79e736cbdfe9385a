"""`whence harden` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line


def test_samples_are_hardened_shown_and_written(run: Run, tmp_path: Path) -> None:
    words = ("harden", "anli", "samples", "-o", tmp_path / "out", "--adversary", "random", "--check", "majority")
    outcome = run(*words, "--iterations", 3)
    assert outcome.code == 0
    assert "anli: 12 questions" in outcome.out
    assert "3 iterations; stopped because the limit of 3 iterations was reached" in outcome.out
    assert all(name in outcome.out for name in ("random", "majority", "chance", "after.jsonl"))
    checked = run("check", "anli", tmp_path / "out" / "after.jsonl")
    assert checked.code == 0


def test_json_has_parameters_rounds_and_comparisons(run: Run, tmp_path: Path) -> None:
    words = (
        "harden",
        "cider-choice",
        "samples",
        "-o",
        tmp_path,
        "--adversary",
        "random",
        "--elsewhere",
        2,
        "--json",
    )
    outcome = run(*words, "--iterations", 2, "--seed", 7, "--share", 0.6)
    found = json.loads(outcome.out)
    assert found == json.loads((tmp_path / "run.json").read_text())
    assert found["plan"] == {"iterations": 2, "learnt": 0.6, "patience": 10, "floor": None, "seed": 7}
    assert found["elsewhere"] == 2
    assert [done["number"] for done in found["rounds"]] == [0, 1]
    assert set(found["compared"][0]) == {"model", "form", "before", "after", "change"}


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("explagraphs", "samples"), ("'explagraphs' cannot be hardened", "these can: cider-choice, anli")),
        (("anli", "samples", "--adversary", "oracle"), ("there is no kind of model 'oracle'",)),
        (("anli", "samples", "--adversary", "random", "--elsewhere", "3"), ("--spans and --elsewhere",)),
        (("anli", "samples", "--adversary", "random", "--set", "epochs"), ("NAME=VALUE", "'epochs'")),
        (("anli", "nowhere.jsonl", "--adversary", "random"), ("nowhere.jsonl", "no such file")),
        (
            ("cider-choice", "samples", "--adversary", "random", "--spans", "no-model"),
            ("no-model", "no model there"),
        ),
        (("cider-choice", "nowhere", "--adversary", "random"), ("neither a file nor a split",)),
    ],
)
def test_wrong_use_is_one_clear_line(
    words: tuple[str, ...], parts: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    assert_one_clear_line(run("harden", *words, "-o", tmp_path), *parts)
