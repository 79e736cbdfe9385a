"""The wheel, built, installed where nothing else is, and used as its users will use it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

import whence

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
KINDS = {
    "py",
    "typed",
    "toml",
    "mako",
    "json",
    "jsonl",
    "safetensors",
    "txt",
    "tsv",
    "csv",
    "css",
    "js",
    "svg",
    "html",
}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it depends on by default; its folder of commands."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    _install(place / "bin", str(wheel))
    return place / "bin"


def _install(commands: Path, what: str) -> None:
    # Code is compiled when it is first run: most of it is not run here.
    _pip("--python", commands / "python", "install", "--no-compile", what)


def _pip(*words: object) -> None:
    done = subprocess.run([*PIP, *map(str, words)], capture_output=True, text=True, check=False)
    if "cannot reach" in done.stderr or re.search("NewConnectionError|NameResolutionError", done.stderr):
        pytest.skip("no package index can be reached from here")
    assert done.returncode == 0, done.stderr


def _run(commands: Path, folder: Path, *words: str) -> str:
    """What a command prints; far from the sources, which must not be found by chance."""
    done = subprocess.run(
        [commands / "whence", *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name for name in names if ".dist-info/" not in name}
    package = Path(whence.__file__).parent
    sources = {path.relative_to(package.parent).as_posix() for path in package.rglob("*") if path.is_file()}
    assert inside == {name for name in sources if "__pycache__" not in name}
    assert {name.rpartition(".")[2] for name in inside} <= KINDS
    assert not any(part.startswith(("test", ".")) for name in inside for part in name.split("/"))
    assert wheel.stat().st_size < 20_000_000


def test_it_runs_where_nothing_else_is(installed: Path, wheel: Path, tmp_path: Path) -> None:
    assert "explain" in _run(installed, tmp_path, "--help")
    assert "entailmentbank-3" in _run(installed, tmp_path, "tasks")
    assert "5 of 5" in _run(installed, tmp_path, "tour")
    assert "small.stance" in _run(installed, tmp_path, "train", "explagraphs")  # recipes
    _run(installed, tmp_path, "predict", "worldtree", "facts", "samples", "-o", "run")
    scored = _run(
        installed, tmp_path, "score", "worldtree", "run/predictions.jsonl", "--gold", "samples", "--html", "a.html"
    )
    assert "completeness" in scored and "<style>" in (tmp_path / "a.html").read_text()
    without = subprocess.run([installed / "whence", "serve"], env=ENVIRONMENT, capture_output=True, check=False)
    assert without.returncode == 2 and b"pip install 'whence[web]'" in without.stderr

    _install(installed, f"{wheel}[collect]")  # and with it what the workbench needs
    assert "20 items of stories added" in _run(
        installed, tmp_path, "collect", "new", "art", "mine.db", "--items", "stories=samples"
    )
    assert '"plausible"' in _run(installed, tmp_path, "collect", "status", "mine.db", "--json")
    _fetch(installed, tmp_path)


def _fetch(commands: Path, folder: Path) -> None:
    """The front page of the workbench, and all of the static files that it names."""
    words = [commands / "whence", "serve", "--port", "0"]
    with subprocess.Popen(words, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = re.search(r"http://\S+/", process.stdout.readline())
            assert address is not None
            page = _page(address[0])
            assert "explagraphs" in page
            files = re.findall(r'(?:src|href)="/?(static/[^"]+)"', page)
            assert files and all(_page(address[0] + file) for file in files)
        finally:
            process.terminate()


def _page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())
