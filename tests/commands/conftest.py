"""The command line called in this process, as a user calls it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from whence.commands import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["whence", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            main()
        found = capsys.readouterr()
        code = stopped.value.code
        return Outcome(code if isinstance(code, int) else 0, found.out, found.err)

    return call


def assert_one_clear_line(outcome: Outcome, *parts: str) -> None:
    assert outcome.code == 2
    assert outcome.err.startswith("whence: ")
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    for part in parts:
        assert part in outcome.err
