"""The scripts in `examples/` run as they stand, with samples alone, and say what they promise."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
SAID = {
    "exchange_tables": "examples.parquet reads back as it was: True",
    "explain_something": "the moon pulling on the oceans causes the sea to rise",
    "export_graphs": "GraphML reads back: True",
    "import_eval_log": "{'SA': 0.1, 'StCA': 0.1,",  # two of twenty, both right
    "load_check_draw": "problems of the gold graph: ()",
    "score_predictions": "'leaves missing': 1",
}


def test_every_example_is_run() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == SAID.keys()


@pytest.mark.parametrize("name", SAID)
def test_example(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WHENCE_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert SAID[name] in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
