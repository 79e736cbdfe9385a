from __future__ import annotations

import html
import re

import pytest
from starlette.testclient import TestClient
from tests.web.workbench.conftest import token, words

from whence.formats.editable import format_lines
from whence.tasks import TASKS, methods_of
from whence.tasks.loading import samples
from whence.web.workbench.forms import input_fields
from whence.web.workbench.why import METHOD, premises_of

TASK = "entailmentbank-2"
needs_method = pytest.mark.skipif(METHOD not in methods_of(TASK), reason=f"{TASK} has no method {METHOD}")


def _sent(bench: TestClient, **fields: str) -> dict[str, str]:
    dataset = samples(TASKS[TASK])
    example = dataset.examples[2]
    inputs = {f"in.{field.name}": field.value for field in input_fields(TASKS[TASK], example.inputs)}
    text = format_lines(example.golds[0], example.inputs, dataset.facts)
    return {**inputs, "token": token(bench), "do": "check", "text": text, "made": text, **fields}


def _asked(page: str) -> list[str]:
    return [html.unescape(value) for value in re.findall(r'name="why" value="([^"]+)"', page)]


def test_all_sentences_of_a_tree_but_the_hypothesis_can_be_asked_about() -> None:
    example = samples(TASKS[TASK]).examples[2]
    found = premises_of(example.golds[0], example.inputs)
    assert found[0] == "wool slows the flow of heat because it holds many pockets of still air"
    assert len(found) == 4
    assert example.inputs.hypothesis not in found
    assert premises_of(None, example.inputs) == ()


@needs_method
def test_one_asks_from_a_tree_down_and_back_again(bench: TestClient) -> None:
    tree = bench.post(f"/explain/{TASK}", data=_sent(bench)).text
    offered = _asked(tree)
    assert len(offered) == 4
    first = bench.post(f"/explain/{TASK}/why", data=_sent(bench, why=offered[1]))
    assert "/why/" in str(first.url)
    assert f"Why: {offered[1]}?" in words(first.text)
    premises = _asked(first.text)
    assert premises
    assert offered[1] not in premises
    assert re.search(r'href="/explain/entailmentbank-2/kept/[\w-]+">The tree', first.text)
    way = re.findall(r'name="way" value="([^"]+)"', first.text)
    assert [html.unescape(text) for text in way][1:] == [offered[1]]
    on = {key: value for key, value in _sent(bench).items() if key not in ("text", "made", "do")}
    second = bench.post(f"/explain/{TASK}/why", data={**on, "way": way, "why": premises[0]})
    assert f"Why: {premises[0]}?" in words(second.text)
    assert not set(_asked(second.text)) & {offered[1], premises[0]}  # never round in circles
    ways = re.findall(r'name="way" value="([^"]+)"', second.text)
    assert len(ways) == 3
    back = bench.post(f"/explain/{TASK}/why", data={**on, "way": ways, "back": "1"})
    assert f"Why: {offered[1]}?" in words(back.text)
    assert bench.get(str(second.url)).text  # it has an address of its own


@needs_method
def test_the_method_is_asked_as_it_was_set(bench: TestClient) -> None:
    sentence = samples(TASKS[TASK]).examples[2].inputs.hypothesis
    three = bench.post(f"/explain/{TASK}/why", data=_sent(bench, why=sentence, **{"set.one-step.premises": "3"}))
    assert "premises 3" in words(three.text)
    assert 'name="set.one-step.premises" value="3"' in three.text  # and so on the way down
    wrong = bench.post(f"/explain/{TASK}/why", data=_sent(bench, why=sentence, **{"set.one-step.writer": "no"}))
    assert "no model there" in words(wrong.text)


@needs_method
def test_what_cannot_be_asked_is_refused(bench: TestClient) -> None:
    assert bench.post(f"/explain/{TASK}/why", data=_sent(bench)).status_code == 422
    assert bench.post(f"/explain/{TASK}/why", data=_sent(bench, back="99")).status_code == 422


def test_only_trees_are_asked_and_only_what_is_kept_is_found(bench: TestClient) -> None:
    sent = {"token": token(bench), "why": "x", "in.belief": "a", "in.argument": "b"}
    assert bench.post("/explain/explagraphs/why", data=sent).status_code == 422
    assert bench.get(f"/explain/{TASK}/why/nothing").status_code == 404
    assert "no longer kept" in bench.get(f"/explain/{TASK}/kept/nothing").text
