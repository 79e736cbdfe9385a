from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from starlette.testclient import TestClient
from tests.web.workbench.conftest import words

from whence.metrics.similarity import Pair
from whence.tasks.scoring import ScoringOptions
from whence.web.application import create_app
from whence.web.security.guard import Security
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library


class Always:
    """A classifier that is sure of one label."""

    name = "always@1"

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        return [{"support": 1.0, "counter": 0.0, "incorrect": 0.0} for _ in pairs]


def test_figures_are_measured_with_what_was_named_and_say_so(runs: Path, no_data: Path) -> None:
    library = Library(lambda: no_data, runs, ScoringOptions(graph_classifier=Always()))
    bench = TestClient(create_app(workbench_sections(library), Security()))
    assert "SeCA 1.0000" in words(bench.get("/explain/explagraphs?where=samples&number=1").text)
    assert "with always@1" in words(bench.get("/browse/run?name=graphs%2Fhasty").text)
    assert "with always@1" in words(bench.get("/leaderboard?task=explagraphs").text)


def test_settings_of_methods_are_not_for_a_network(no_data: Path) -> None:
    library = Library(lambda: no_data, settable=False)
    bench = TestClient(create_app(workbench_sections(library), Security()))
    page = bench.get("/explain/worldtree").text
    assert 'value="facts"' in page
    assert "set.facts." not in page
    assert "set.llm." not in page
