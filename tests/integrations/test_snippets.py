"""The Python blocks of docs/integrations.md run, each where its package is installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs/integrations.md"
SNIPPETS = re.findall(r'```py title="(\w+)"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.S)


def test_every_package_has_a_snippet() -> None:
    assert {name for name, _ in SNIPPETS} == {"inspect_ai", "trl", "verifiers", "datasets"}


@pytest.mark.parametrize(("package", "code"), SNIPPETS, ids=[name for name, _ in SNIPPETS])
def test_snippet_runs(package: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(package, reason=f"needs {package}: make integrations")
    monkeypatch.chdir(tmp_path)
    if package == "datasets":
        import datasets

        monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    exec(compile(code, str(PAGE), "exec"), {})
