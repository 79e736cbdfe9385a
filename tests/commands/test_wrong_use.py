"""Whatever is handed in wrongly, to whatever verb: one clear line that says what to do, and exit code 2."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line

from whence.commands import INTERRUPTED
from whence.tasks import TASKS
from whence.tasks.loading import samples

BAD_FILES = {"missing": None, "folder": None, "empty": b"", "binary": b"\xff\xfe\x00abc\n"}

TAKES_A_FILE = """
check explagraphs BAD
check explagraphs samples --gold BAD
show explagraphs BAD
show explagraphs samples --gold BAD
show explagraphs samples --against BAD
explain explagraphs --from BAD -n 1
explain cider --dialogue BAD
score explagraphs BAD --gold samples
score explagraphs predictions.jsonl --gold BAD
score explagraphs predictions.jsonl --gold samples --against BAD
score explagraphs predictions.jsonl --gold samples --judgements BAD
score explagraphs predictions.jsonl --gold samples --seca BAD
score explagraphs predictions.jsonl --gold samples --similarity BAD
predict explagraphs BAD samples -o run
predict explagraphs structured BAD -o run
tune worldtree facts BAD --try count=3
train explagraphs BAD -o model
train explagraphs BAD.toml:stance -o model
results BAD
combine BAD BAD -o both
shortlist BAD -o lists.jsonl
harden anli BAD -o hard
harden cider-choice BAD -o hard
harden cider-choice samples -o hard --spans BAD
schemas solve BAD --tables folder
schemas solve empty --tables BAD
schemas check BAD --tables folder
data convert explagraphs BAD -o out.jsonl
collect new BAD mine.db
collect new art mine.db --items stories=BAD
collect new worldtree mine.db --items questions=samples --ranking BAD
collect status BAD
collect add BAD stories=samples
collect update BAD art
collect export BAD -o exported
collect serve BAD
serve --runs BAD
serve --data BAD
""".strip().splitlines()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one of each bad thing, in which the command is given; no published data, no weights."""
    for name, content in BAD_FILES.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    golds = [{"id": one.id} for one in samples(TASKS["explagraphs"]).examples]
    graph = {"stance": "support", "graph": {"edges": [{"head": "a", "relation": "causes", "tail": "b"}]}}
    answers = [{"whence": 1, "task": "explagraphs", **gold, "explanation": graph} for gold in golds]
    (tmp_path / "predictions.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    monkeypatch.chdir(tmp_path)
    for name in ("WHENCE_DATA", "WHENCE_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "folder"))
    return tmp_path


@pytest.mark.parametrize("bad", BAD_FILES)
@pytest.mark.parametrize("command", TAKES_A_FILE)
def test_bad_file(command: str, bad: str, run: Run, place: Path) -> None:
    words = command.replace("BAD", bad).split()
    if words[:1] == ["serve"] and bad == "folder":
        words[-1] = "folder/inside"  # a folder would be right
    assert_one_clear_line(run(*words))


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("tune nothing facts samples --try count=3", "no task 'nothing'"),
        ("data schema nothing", "no task 'nothing'"),
        ("harden explagraphs samples -o hard", "cannot be hardened"),
        ("models get nothing --yes", "there are encoder"),
        ("collect new nothing mine.db", "bundled configuration"),
        ("chek explagraphs dev", "did you mean 'check'"),
        ("data nothing", "no such command 'nothing'. How it goes: whence data --help"),
        ("show explagraphs --nothing", "no such option: --nothing"),
        ("show explagraphs one two", "unexpected extra argument"),
        ("show explagraphs --as picture", "'picture' is not one of 'graphml'"),
        ("show explagraphs -n three", "valid integer"),
        ("check explagraphs", "missing argument 'FILE'"),
        ("check explagraphs samples --gold", "requires an argument. How it goes: whence"),
        ("score explagraphs predictions.jsonl", "missing option '--gold'. How it goes: whence score --help"),
        ("score explagraphs predictions.jsonl --gold samples --samples 1", "greater than or equal to 100"),
        ("score explagraphs predictions.jsonl --gold samples --by nothing", "it can by depth"),
        ("explain explagraphs --belief a", "--argument TEXT"),
        ("explain explagraphs --question a", "it has --belief, --argument"),
        ("explain explagraphs --belief a --argument b --with nothing", "it has structured"),
        ("explain explagraphs --belief a --argument b --set most", "write key=value"),
        ("predict anli nothing samples -o run", "neither the folder of a model nor a method of anli (judged"),
        ("serve --port 99999", "less than or equal to 65535"),
        ("collect invite mine.db -n 0", "greater than or equal to 1"),
        # what is not on this machine
        ("check explagraphs dev", "whence data get explagraphs"),
        ("train explagraphs small -o model", "whence data get explagraphs"),
        ("harden anli pools -o hard", "or 'samples'"),
        ("explain explagraphs --belief a --argument b", "whence models get encoder"),
        ("score explagraphs predictions.jsonl --gold samples --seca embedded", "whence models get encoder"),
        # where nothing can be written
        ("show explagraphs --svg /proc/nothing", "cannot be written"),
        ("show explagraphs --svg empty/picture.svg", "cannot be written"),
        ("score explagraphs predictions.jsonl --gold samples --html empty/page.html", "cannot be written"),
        ("data convert explagraphs samples -o empty/x.jsonl", "cannot be written"),
        ("predict worldtree facts samples -o empty/run", "cannot be written: Not a directory"),
        ("train anli small.majority -o empty/model", "whence data get art"),
        ("collect new art empty/mine.db", "no such folder"),
    ],
)
def test_wrong_words(command: str, part: str, run: Run, place: Path) -> None:
    outcome = run(*shlex.split(command))
    assert_one_clear_line(outcome)
    assert part.lower() in outcome.err.lower()


def test_examples_in_the_place_of_predictions(run: Run, place: Path) -> None:
    run("data", "convert", "explagraphs", "samples", "-o", "examples.jsonl")
    outcome = run("score", "explagraphs", "examples.jsonl", "--gold", "samples")
    assert_one_clear_line(outcome, "This is an example", "whence data schema explagraphs --kind prediction")


@pytest.mark.parametrize(
    ("command", "package", "extra"),
    [
        ("serve", "fastapi", "web"),
        ("serve", "uvicorn", "web"),
        ("serve", "jinja2", "web"),
        ("collect new art mine.db", "sqlalchemy", "collect"),
        ("collect status mine.db", "sqlalchemy", "collect"),
        ("collect export mine.db -o exported", "sqlalchemy", "collect"),
        ("collect serve mine.db", "fastapi", "web"),
        ("collect status postgresql://nobody@127.0.0.1:1/nothing", "psycopg", "collect"),
        ("data convert explagraphs samples -o rows.parquet", "pyarrow", "parquet"),
    ],
)
def test_extra_that_is_not_installed(
    command: str, package: str, extra: str, run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(sys.modules):
        if name.split(".")[0] == package or name.startswith(("whence.web", "whence.collection")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    assert_one_clear_line(run(*shlex.split(command)), f"this needs {package}", f"pip install 'whence[{extra}]'")


def test_an_interrupted_run_says_how_to_go_on(place: Path) -> None:
    """A real process and a real Ctrl-C, while an endpoint keeps it waiting."""
    slow = (  # a shell that runs the tests in the background has them ignore Ctrl-C
        "import signal, sys, whence.tasks; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "sys.argv = ['whence', *sys.argv[1:]]; from whence.commands import main; main()"
    )
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        words = ["predict", "explagraphs", "llm", "samples", "-o", "run", "--set", "model=nothing"]
        endpoint = f"endpoint=http://127.0.0.1:{silent.getsockname()[1]}/v1"
        process = subprocess.Popen(
            [sys.executable, "-c", slow, *words, "--set", endpoint], cwd=place, stderr=subprocess.PIPE, text=True
        )
        connection, _ = silent.accept()  # it was asked, and does not answer
        process.send_signal(signal.SIGINT)
        connection.close()
    with process:
        _, told = process.communicate(timeout=60)  # what was under way has ended with the endpoint
    assert process.returncode == INTERRUPTED
    assert told == "whence: interrupted; what is done is kept, and the same command goes on from there\n"


def test_runs_that_explain_are_not_compared_as_judges(run: Run, place: Path) -> None:
    assert run("predict", "worldtree", "facts", "samples", "-o", "runs/facts").code == 0
    assert_one_clear_line(run("results", "runs"), "only models that judge are compared", "whence serve --runs")
