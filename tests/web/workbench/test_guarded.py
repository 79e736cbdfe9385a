"""Whatever is sent to the workbench, it answers with a page, and does only what a page of its own asked for."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.web.workbench.conftest import token

from whence.tasks import TASKS

PAGES = (
    "/explain/{task}",
    "/browse/{task}/{where}",
    "/browse/{task}/{where}/{number}",
    "/browse/run",
    "/browse/run/item",
    "/compare",
    "/compare/item",
    "/leaderboard",
    "/collections",
    "/collections/explagraphs",
)
QUERY = [
    "where",
    "number",
    "words",
    "by",
    "only",
    "page",
    "name",
    "outcome",
    "judge",
    "sort",
    "first",
    "second",
    "kind",
    "task",
]
_VALUES = st.sampled_from(
    [
        *("", "0", "-1", "7", "1e9", "9" * 30, "samples", "dev", "explagraphs", "graphs/hasty", "trees", "StCA"),
        *("worst", "stance=support", "depth=", "=", "..", "../..", "%00", "\x00", "<b>", "'\"", "é", "\ud800"),
    ]
)
ODD = (
    *("", ";;", "a; b; c", "-> ;", "sent1 -> sent1", "[1] a; b; [99] c", "x | y | z", "\x00", "support\n)("),
    *("<svg>", "int1 & int1 -> int1: a", "hypothesis -> hypothesis", "support\na; b; a", "9" * 5000, "\u202e"),
    "sent1: a\nsent1: b",
)


def test_no_page_does_anything_without_its_token(bench: TestClient) -> None:
    paths = bench.app.openapi()["paths"]  # type: ignore[attr-defined]
    changing = [path for path, found in paths.items() if found.keys() - {"get", "head"}]
    assert "/explain/{task}" in changing
    for path in changing:
        there = path.replace("{task}", "explagraphs")
        assert bench.post(there, data={"do": "explain"}).status_code == 403
        sent = {"do": "explain", "token": token(bench)}
        assert bench.post(there, data=sent, headers={"Origin": "http://elsewhere.example"}).status_code == 403


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(PAGES),
    st.dictionaries(st.sampled_from(QUERY), _VALUES, max_size=5),
    st.sampled_from(["explagraphs", "cider", "entailmentbank-3", "x", ".."]),
    _VALUES,
    _VALUES,
)
def test_no_address_breaks_it(
    bench: TestClient, page: str, query: dict[str, str], task: str, where: str, number: str
) -> None:
    named = {name: quote(text, safe="", errors="replace") for name, text in (("where", where), ("number", number))}
    path = page.format(task=task, **named)
    answer = bench.get(f"{path}?{urlencode(query, errors='replace')}")
    assert answer.status_code < 500
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("task", TASKS)
def test_no_text_breaks_it(bench: TestClient, task: str) -> None:
    """Odd lines for inputs and explanation: told, drawn or refused, never a mistake of the server."""
    secret = token(bench)
    names = list(TASKS[task].inputs.__dataclass_fields__)
    for text in ODD:
        typed = {f"in.{name}": text or "something" for name in names}
        for sent in ({**typed, "text": "a"}, {**typed, "text": text, "made": text}):
            answer = bench.post(f"/explain/{task}/live", data={**sent, "token": secret, "do": "check"})
            assert answer.status_code < 500, (text, answer.text)
