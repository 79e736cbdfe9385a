"""Nothing that was mended is passed off as a model's own answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commands.conftest import Run
from tests.models.generators.chat_server import Chat, chat_server

from whence.formats.records import format_record, parse_prediction
from whence.structures.graph import Edge, Graph, StanceGraph
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.loading import samples

TASK = TASKS["explagraphs"]
NONSENSE = [
    {"head": "banana", "relation": "causes", "tail": "yellow"},
    {"head": "yellow", "relation": "causes", "tail": "banana"},
    {"head": "yellow", "relation": "is a", "tail": "fruit"},
]


def _answer(body: dict[str, Any]) -> str:
    """Always the same nonsense, with the right stance."""
    asked = [message["content"] for message in body["messages"] if message["role"] == "user"]
    question = next(text for text in reversed(asked) if text.startswith("Belief: "))
    stances = {e.inputs.argument: e.golds[0].stance for e in samples(TASK).examples}
    stance = next(stances[argument] for argument in stances if question.endswith(f"Argument: {argument}"))
    return json.dumps({"stance": stance, "graph": NONSENSE})


@pytest.fixture
def chat() -> Iterator[Chat]:
    with chat_server(_answer) as server:
        yield server


def _predict(run: Run, chat: Chat, folder: Path, *more: str) -> Any:
    settings = (f"endpoint={chat.url}", "model=nonsense", "cache=false", "rounds=1", "shots=0", *more)
    words = [word for setting in settings for word in ("--set", setting)]
    return run("predict", "explagraphs", "llm", "samples", "-o", folder, *words, "--json")


def _score(run: Run, folder: Path) -> dict[str, Any]:
    outcome = run("score", "explagraphs", folder, "--gold", "samples", "--json")
    assert outcome.code == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def test_a_nonsense_graph_stays_nonsense(run: Run, chat: Chat, tmp_path: Path) -> None:
    made = json.loads(_predict(run, chat, tmp_path / "run").out)
    assert (made["mended"], made["broken"], made["failures"]) == (0, 20, [])
    found = _score(run, tmp_path / "run")
    assert found["scores"]["SA"]["value"] == 1  # the stance is right
    assert found["scores"]["StCA"]["value"] == 0
    assert (found["read"], found["unread"], found["mended"]) == (20, 0, 0)
    assert "mended" not in found["signature"]
    assert "before_mending" not in found


def test_mended_answers_are_counted_and_stand_beside_what_they_were(run: Run, chat: Chat, tmp_path: Path) -> None:
    made = json.loads(_predict(run, chat, tmp_path / "run", "mend=true").out)
    assert made["mended"] == 20 and made["before_mending"]["StCA"]["value"] == 0
    assert "mending" in made["model"]
    found = _score(run, tmp_path / "run")
    assert found["scores"]["StCA"]["value"] == 1
    assert found["before_mending"]["StCA"]["value"] == 0
    assert found["before_mending"]["SA"]["value"] == 1
    assert (found["read"], found["mended"]) == (20, 20)
    assert found["signature"].endswith("|mended:20")
    page = tmp_path / "page.html"
    printed = run("score", "explagraphs", tmp_path / "run", "--gold", "samples", "--html", page).out
    assert (
        "answers that were changed after the system gave them; before: SA 1.0000, StCA 0.0000" in page.read_text()
    )
    assert "20 mended" in printed and "before 20 answers were mended" in printed
    first = json.loads((tmp_path / "run/predictions.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["mended"] is True
    assert first["before"]["graph"]["edges"] == NONSENSE


def test_an_explanation_of_ones_own_says_that_it_was_mended(run: Run, chat: Chat, tmp_path: Path) -> None:
    words = ["explain", "explagraphs", "--from", "samples", "-n", "1", "--with", "llm"]
    words += ["--set", f"endpoint={chat.url}", "--set", "model=x", "--set", "cache=false", "--set", "rounds=1"]
    refused = run(*words)
    assert refused.code == 1 and "No explanation could be made" in refused.out
    shown = run(*words, "--set", "mend=true", "-o", tmp_path / "one.jsonl")
    assert shown.code == 0 and "Mended: " in shown.out
    assert json.loads((tmp_path / "one.jsonl").read_text(encoding="utf-8"))["mended"] is True


def test_old_files_still_read_and_new_ones_come_back() -> None:
    graph = StanceGraph("support", Graph((Edge("a", "causes", "b"),)))
    old = '{"whence": 1, "task": "explagraphs", "id": "x", "explanation": null}'
    assert not parse_prediction(old, TASK.form).mended
    assert "mended" not in format_record(Prediction("x", graph), TASK.form)
    new = Prediction("x", graph, mended=True, before=StanceGraph("counter", graph.graph))
    assert parse_prediction(format_record(new, TASK.form), TASK.form) == new


def test_answers_that_others_mark_as_mended_are_counted_too(run: Run, tmp_path: Path) -> None:
    """Without what they were before, they count as unread before."""
    examples = samples(TASK).examples
    marked = [Prediction(e.id, e.golds[0], mended=index < 5) for index, e in enumerate(examples)]
    path = tmp_path / "predictions.jsonl"
    path.write_text("".join(format_record(one, TASK.form) + "\n" for one in marked), encoding="utf-8")
    found = _score(run, path)
    assert (found["scores"]["SA"]["value"], found["before_mending"]["SA"]["value"]) == (1, 0.75)
    assert found["mended"] == 5
