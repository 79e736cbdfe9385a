"""`whence schemas` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line

PATTERNS = """
inferencepattern eaten
    row kind = [TABLE:"KINDOF", HYPONYM: <thing>, HYPERNYM: "animal" || <kind>]
    row *same = [TABLE:"SYNONYMY", X1: <thing>]
endinferencepattern
inferencepattern nothing
    row kind = [TABLE:"KINDOF", HYPONYM: "no such thing"]
endinferencepattern
"""


@pytest.fixture
def patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "patterns"
    folder.mkdir()
    (folder / "eaten.iml").write_text(PATTERNS)
    return folder


@pytest.fixture
def store() -> Path:
    """The bundled table store."""
    from whence.tasks import task_named

    return task_named("worldtree").data.samples.parent / "facts"


def test_solve_prints_solutions_as_they_are_published(run: Run, patterns: Path, store: Path) -> None:
    for _ in range(2):  # found, then from the cache
        outcome = run("schemas", "solve", patterns, "--tables", store, "--json")
        assert outcome.code == 0
        first, second = json.loads(outcome.out)
        assert first["pattern"] == "eaten"
        assert first["slots"] == ["kind", "same"]
        assert first["solutions"]
        assert second == {"pattern": "nothing", "slots": [], "solutions": []}


def test_solve_lists_solutions_with_sentences(run: Run, patterns: Path, store: Path) -> None:
    outcome = run("schemas", "solve", patterns / "eaten.iml", "--tables", store, "-n", 1)
    assert outcome.code == 0
    assert "eaten: " in outcome.out
    assert " is a kind of " in outcome.out
    assert "    same: -\n" in run("schemas", "solve", patterns, "--tables", store, "-n", 1000).out
    assert "nothing: 0 solutions" in outcome.out
    assert "of 2 patterns; without solutions: 1" in outcome.out


def test_limit_is_told(run: Run, patterns: Path, store: Path) -> None:
    words = ("schemas", "solve", patterns, "--tables", store, "--protocol", "whence")
    outcome = run(*words, "--limit", 1, "-n", 0)
    assert "eaten: 1 solution, where the limit ended the search" in outcome.out
    assert len(json.loads(run(*words, "--limit", 1, "--json").out)[0]["solutions"]) == 1
    assert len(json.loads(run(*words, "--limit", 0, "--json").out)[0]["solutions"]) > 1


def test_word_list_is_used(run: Run, patterns: Path, store: Path, tmp_path: Path) -> None:
    """With a list that calls every animal a beast, some rows are kinds of beast."""
    (tmp_path / "words.txt").write_text("beast\tanimal\n")
    (patterns / "eaten.iml").write_text(PATTERNS.replace('"animal" || <kind>', '"beast"'))
    words = ("schemas", "solve", patterns, "--tables", store, "--json")
    assert json.loads(run(*words).out)[0]["solutions"] == []
    assert json.loads(run(*words, "--lemmas", tmp_path / "words.txt").out)[0]["solutions"]


def test_check(run: Run, patterns: Path, store: Path) -> None:
    outcome = run("schemas", "check", patterns, "--tables", store)
    assert (outcome.code, outcome.out) == (0, "1 file, 2 patterns: no problems\n")
    (patterns / "eaten.iml").write_text(PATTERNS.replace("X1", "X9").replace('"SYNONYMY"', '"SYNONYMS"', 1))
    outcome = run("schemas", "check", patterns, "--tables", store)
    assert outcome.code == 1
    assert (
        "eaten.iml, line 4: expected a table of the store, found 'SYNONYMS'. Did you mean 'SYNONYMY'?"
        in outcome.out
    )
    found = json.loads(run("schemas", "check", patterns, "--tables", store, "--json").out)
    assert [problem["line"] for problem in found["problems"]] == [4]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("missing.iml", "--tables", "STORE"), ("missing.iml: no such file",)),
        (("PATTERNS", "--tables", "PATTERNS"), ("is no table store",)),
        (("STORE", "--tables", "STORE"), ("has no pattern files",)),
        (("PATTERNS", "--tables", "STORE", "--protocol", "paper"), ("official and whence", "'paper'")),
        (("PATTERNS", "--tables", "STORE", "--lemmas", "none.txt"), ("none.txt: no such file",)),
    ],
)
def test_wrong_use_is_one_clear_line(
    words: tuple[str, ...], parts: tuple[str, ...], run: Run, patterns: Path, store: Path
) -> None:
    places = {"STORE": str(store), "PATTERNS": str(patterns)}
    outcome = run("schemas", "solve", *(places.get(word, word) for word in words))
    assert_one_clear_line(outcome, *parts)


def test_a_faulty_pattern_is_one_clear_line(run: Run, patterns: Path, store: Path) -> None:
    (patterns / "eaten.iml").write_text(PATTERNS.replace("HYPERNYM", "HYPERNAME"))
    outcome = run("schemas", "solve", patterns, "--tables", store)
    assert_one_clear_line(outcome, "eaten.iml, line 3", "a column of KINDOF", "'HYPERNAME'", "'HYPERNYM'")
