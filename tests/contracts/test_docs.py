"""What there is, is documented; what is documented, is there and works."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from tests.contracts.built_in import BUILT_IN

from whence.formats import records
from whence.formats.graphs import EDGE_ORDERS
from whence.pipeline.score import slice_names
from whence.structures.results import Prediction
from whence.tasks import TASKS
from whence.tasks.loading import samples
from whence.tasks.scoring import SCORING_PROTOCOLS, ScoringOptions
from whence.tasks.task import PROTOCOLS, AnyTask

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
EXAMPLES = [
    (page.relative_to(ROOT).as_posix(), code)
    for page in PAGES
    for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
]


def _commands() -> list[str]:
    import typer.main

    from whence.commands.application import application

    top = typer.main.get_command(application)
    found = []
    for name, command in top.commands.items():  # type: ignore[attr-defined]
        below = getattr(command, "commands", None)
        found += [f"{name} {inner}" for inner in below] if below else [name]
    return found


@pytest.mark.parametrize("command", _commands())
def test_command_is_documented_with_an_example(command: str) -> None:
    text = (ROOT / "docs/commands.md").read_text()
    assert f"## whence {command}\n" in text
    section = text.split(f"## whence {command}\n")[1].split("\n## ")[0]
    assert f"whence {command}" in section.split("```")[1]


@pytest.mark.parametrize("command", _commands())
def test_help_of_command_ends_with_examples(command: str) -> None:
    """Each on a line of its own, as lines of a terminal are."""
    import typer.main

    from whence.commands.application import application

    found = typer.main.get_command(application)
    for name in command.split():
        found = found.commands[name]  # type: ignore[attr-defined]
    prose, _, examples = (found.help or "").rpartition("Example")
    assert all(len(line) <= 80 for line in prose.splitlines()[1:])
    given = examples.splitlines()[1:]
    assert given and all(line.startswith(f"  whence {command}") and len(line) <= 90 for line in given)


@pytest.mark.parametrize("task", BUILT_IN)
def test_rules_of_task_are_documented(task: str) -> None:
    text = (ROOT / "docs/rules.md").read_text()
    dataset = samples(TASKS[task])
    assert task.removesuffix("-1").removesuffix("-2").removesuffix("-3") in text
    for protocol in PROTOCOLS:
        for rule in TASKS[task].rules(protocol, dataset):
            assert f"`{rule.name}`" in text


def test_tasks_orders_and_data_sets_are_documented() -> None:
    formats = (ROOT / "docs/formats.md").read_text()
    assert all(f"`{order}`" in formats for order in EDGE_ORDERS)
    data = (ROOT / "docs/data.md").read_text()
    assert all(f"\n## {name}\n" in data for task in BUILT_IN.values() for name in task.statistics())
    readme = (ROOT / "README.md").read_text()
    assert all(task.split("-")[0] in readme for task in BUILT_IN)


@pytest.mark.parametrize("task", BUILT_IN.values(), ids=list(BUILT_IN))
def test_metrics_and_breakdowns_are_documented(task: AnyTask) -> None:
    text = (ROOT / "docs/metrics/README.md").read_text()
    dataset = samples(task)
    answers = [Prediction(example.id, example.golds[0]) for example in dataset.examples]
    for protocol in SCORING_PROTOCOLS:
        for scores in task.scoring().score(dataset, answers, ScoringOptions(protocol)):
            assert scores.metric.source
            assert f"| `{scores.metric.name}` | {scores.metric.better} |" in text
            assert scores.metric.meaning in text
    section = next(part for part in text.split("\n## ") if task.name in part.split("\n")[0].split(", "))
    assert all(f"`{name}`" in section for name in slice_names(task))


@pytest.mark.parametrize("page", sorted((ROOT / "docs/tasks").glob("*.md")), ids=lambda page: page.stem)
def test_page_of_a_task_has_all_parts(page: Path) -> None:
    """What it is, drawn; its file forms, metrics and results; how to collect some; how models make it."""
    text = page.read_text()
    assert "](../pictures/" in text and "whence explain" in text
    for part in ("Formats", "Metrics", "Results", "Collect some", "What models can learn here"):
        assert f"\n## {part}\n" in text
    answers = [
        json.loads(line) for block in re.findall(r"```json\n(.*?)```", text, re.S) for line in block.splitlines()
    ]
    for answer in answers:
        task = TASKS[answer["task"]]
        records.parse_prediction(json.dumps(answer), task.form)
        assert answer["id"] in [example.id for example in samples(task).examples]
    assert {answer["task"] for answer in answers} >= {
        name for name, task in BUILT_IN.items() if task.family == page.stem
    } - {
        "entailmentbank-2",
        "entailmentbank-3",
    }


@pytest.mark.parametrize("task", BUILT_IN)
def test_methods_and_their_settings_are_documented(task: str) -> None:
    """On the page of the task; those of language models on theirs."""
    asked = (ROOT / "docs/llms.md").read_text()
    page = (ROOT / f"docs/tasks/{TASKS[task].family}.md").read_text()
    for method in TASKS[task].methods():
        assert f"`{method.name}`" in page
        where = asked if method.name in ("llm", "thoughts") else page
        for entry in fields(method.settings):
            assert re.search(rf"`(--set )?{entry.name}[=`]", where), f"{method.name}: {entry.name}"


def test_keys_of_collections_are_documented() -> None:
    from whence.collection import configuration as keys

    text = (ROOT / "docs/collecting.md").read_text()
    tables = (keys.Configuration, keys.Stage, keys.Source, keys.Export, keys.Qualification, keys.Ask, keys.Write)
    parts = (
        keys.Rules,
        keys.Overlap,
        keys.Workers,
        keys.ModelInLoop,
        keys.Test,
        keys.Decide,
        keys.Make,
        keys.Route,
    )
    for table in (*tables, *parts):
        for entry in fields(table):
            assert re.search(rf"[`\[{{ ]{entry.name}[` \]]", text), f"{table.__name__}: {entry.name}"


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    """Files and headings; addresses elsewhere are not asked for."""
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", _prose(page)):
        if target.startswith(("http:", "https:")):
            continue
        aim = page.parent / target if target else page
        assert aim.exists(), target
        if anchor:
            assert anchor in _anchors(aim), f"{target}#{anchor}"


def _prose(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.S | re.M)


def _anchors(page: Path) -> set[str]:
    """Of headings, as code hosts and our site make them; the second of the same words ends in -1."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ +(.*)$", _prose(page), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[name] = found.get(name, 0) + 1
    return {name if not number else f"{name}-{number}" for name, times in found.items() for number in range(times)}


PLUGIN = ROOT / "tests/plugin"


def test_the_page_on_adding_a_task_is_the_plugin_of_the_tests() -> None:
    """Every file of it, letter by letter; of the samples the beginning."""
    page = (ROOT / "docs/add_a_task.md").read_text()
    shown = dict(re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', page, re.S))
    files = [path for pattern in ("*.toml", "whence_rationales/**/*.*") for path in sorted(PLUGIN.glob(pattern))]
    names = [path.relative_to(PLUGIN).as_posix() for path in files if "__pycache__" not in path.parts]
    assert sorted(shown) == sorted(names)
    for name, text in shown.items():
        file = (PLUGIN / name).read_text()
        assert file.startswith(text) if name.endswith(".jsonl") else file == text, f"docs/add_a_task.md: {name}"


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M))
    assert listed == {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}


@pytest.mark.slow
def test_the_site_is_built_and_asks_nothing_of_other_hosts(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed: pip install 'whence[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for page in tmp_path.rglob("*.html"):
        asked = re.findall(
            r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"']?(?:https?:)?//[^>]*>", page.read_text()
        )
        assert not asked, page.name


@pytest.mark.parametrize(("page", "code"), EXAMPLES, ids=[f"{page}-{n}" for n, (page, _) in enumerate(EXAMPLES)])
def test_python_example_runs(page: str, code: str) -> None:
    exec(compile(code, page, "exec"), {})


def test_pictures_are_what_the_commands_draw() -> None:
    """The pictures in the docs are those of today's renderer."""
    from whence.drawing import to_svg

    shown = {"explagraphs": 1, "entailmentbank-1": 5, "worldtree": 1, "cider": 1, "anli": 1, "contrast": 2}
    for name, number in shown.items():
        task = TASKS[name]
        dataset = samples(task)
        example = dataset.examples[number - 1]
        drawn = to_svg(task.diagram(example.inputs, example.golds[0], dataset.facts))
        assert (ROOT / f"docs/pictures/{name}.svg").read_text() == drawn, f"draw docs/pictures/{name}.svg again"
