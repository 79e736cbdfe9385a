from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.workbench.conftest import token, words

import whence
from whence.formats.editable import format_lines, parse_lines
from whence.tasks import TASKS, methods_of
from whence.tasks.loading import samples
from whence.web.workbench.forms import input_fields, read_inputs

EDITED = """support
dimming street lights; causes; darker nights
bright lamp; not part of; darker nights
bright lamp; causes; exhaustion
moths; not desires; exhaustion
moths; part of; nature"""


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_a_page_and_its_samples_fill_it(bench: TestClient, task: str) -> None:
    assert f'href="/explain/{task}"' in bench.get("/explain").text
    empty = bench.get(f"/explain/{task}")
    assert empty.status_code == 200
    for name in methods_of(task):
        assert f'value="{name}"' in empty.text
    filled = bench.get(f"/explain/{task}?where=samples&number=2")
    assert filled.status_code == 200
    assert 'class="whence-drawing"' in filled.text
    assert "Measured against gold" in filled.text
    assert "The gold explanation of this example" in words(filled.text)


@pytest.mark.parametrize("task", TASKS)
def test_inputs_are_read_as_they_are_shown(task: str) -> None:
    for example in samples(TASKS[task]).examples:
        shown = {field.name: field.value for field in input_fields(TASKS[task], example.inputs)}
        assert read_inputs(TASKS[task], shown) == example.inputs


@pytest.mark.parametrize("task", TASKS)
def test_what_is_shown_can_be_saved_and_read_again(bench: TestClient, task: str, tmp_path: Path) -> None:
    dataset = samples(TASKS[task])
    example = dataset.examples[0]
    text = format_lines(example.golds[0], example.inputs, dataset.facts)
    form = {f"in.{field.name}": field.value for field in input_fields(TASKS[task], example.inputs)}
    form |= {"token": token(bench), "text": text, "from": "samples", "number": "1"}
    page = bench.get(f"/explain/{task}?where=samples&number=1").text
    forms = re.findall(rf'name="as" value="(\w+)" formaction="/explain/{task}/save"', page)
    assert forms[:2] == ["svg", "json"]
    for name in forms:
        found = bench.post(f"/explain/{task}/save", data=form | {"as": name})
        assert found.status_code == 200
        assert found.headers["content-disposition"].startswith(f'attachment; filename="{task}.')
        assert found.text.strip()
        if name == "json":
            (tmp_path / "saved.jsonl").write_text(found.text, encoding="utf-8")
            (saved,) = whence.load(task, tmp_path / "saved.jsonl").examples
            shown = parse_lines(TASKS[task].explanation, text, example.inputs, dataset.facts)
            assert (saved.inputs, saved.golds) == (example.inputs, (shown,))
    refused = bench.post(f"/explain/{task}/save", data=form | {"as": "png"})
    assert refused.status_code == 422
    assert "not saved as" in html.unescape(refused.text)


def test_what_cannot_be_read_is_not_saved(bench: TestClient) -> None:
    form = {"token": token(bench), "in.belief": "a", "in.argument": "b", "text": "support\na; b", "as": "svg"}
    found = bench.post("/explain/explagraphs/save", data=form)
    assert found.status_code == 422
    assert "content-disposition" not in found.headers


@pytest.mark.parametrize("task", TASKS)
def test_gold_that_is_sent_back_is_still_gold(bench: TestClient, task: str) -> None:
    dataset = samples(TASKS[task])
    example = dataset.examples[0]
    text = format_lines(example.golds[0], example.inputs, dataset.facts)
    form = {f"in.{field.name}": field.value for field in input_fields(TASKS[task], example.inputs)}
    form |= {"token": token(bench), "do": "check", "text": text, "made": text, "from": "samples", "number": "1"}
    whole, live = bench.post(f"/explain/{task}", data=form), bench.post(f"/explain/{task}/live", data=form)
    assert whole.status_code == live.status_code == 200
    assert "Measured against gold" in live.text
    assert "difference" not in words(live.text)
    assert "Well-formed" in live.text
    assert " ".join(live.text.split()) in " ".join(whole.text.split())  # the script gets what the page has
    assert "<html" not in live.text


def _sent(bench: TestClient, **fields: str) -> dict[str, str]:
    inputs = {
        "in.belief": "Dimming street lights helps nature.",
        "in.argument": "Moths circle a bright lamp until they die of exhaustion.",
    }
    return {**inputs, "token": token(bench), "do": "check", "made": EDITED, **fields}


def test_an_edit_changes_problems_and_picture(bench: TestClient) -> None:
    before = bench.post("/explain/explagraphs/live", data=_sent(bench, text=EDITED))
    assert "Well-formed" in before.text
    assert "Measured against" not in words(before.text)  # its own likeness says nothing
    after = bench.post("/explain/explagraphs/live", data=_sent(bench, text=EDITED.rsplit("\n", 3)[0]))
    said = words(after.text)
    assert "problem" in said
    assert "edge-count" in said or "edges" in said
    assert "differences to the one that was made" in said
    assert "−" in said
    assert before.text != after.text


def test_lines_that_cannot_be_read_are_told_with_their_number(bench: TestClient) -> None:
    answer = bench.post("/explain/explagraphs/live", data=_sent(bench, text="support\na; b"))
    assert "line 2: expected head; relation; tail" in html.unescape(answer.text)


def test_gold_does_not_count_for_other_inputs(bench: TestClient) -> None:
    sent = _sent(bench, text=EDITED, **{"from": "samples", "number": "1"})
    assert "Measured against gold" in bench.post("/explain/explagraphs/live", data=sent).text
    sent["in.belief"] = "Something else helps nature with dimming street lights."
    assert "Measured against" not in bench.post("/explain/explagraphs/live", data=sent).text


def test_what_is_missing_is_named_and_what_was_typed_is_kept(bench: TestClient) -> None:
    sent = {"token": token(bench), "do": "explain", "in.question": "What melts ice?", "method": "facts"}
    answer = bench.post("/explain/worldtree", data=sent)
    assert answer.status_code == 422
    assert "Answer: this is needed" in answer.text
    assert "What melts ice?" in answer.text


def test_an_explanation_is_made_with_reasons_and_kept_while_it_is_edited(bench: TestClient) -> None:
    sent = {
        "token": token(bench),
        "do": "explain",
        "in.question": "What melts ice?",
        "in.answer": "heat from the sun",
        "method": "facts",
        "set.facts.count": "3",
    }
    page = bench.post("/explain/worldtree", data=sent)
    assert page.status_code == 200
    said = words(page.text)
    assert "Why these parts" in said
    assert "Not taken" in said
    assert "Made by top 3 of" in said
    text = html.unescape(re.findall(r'name="text"[^>]*>\n?(.*?)</textarea>', page.text, re.S)[0])
    assert len(text.splitlines()) == 3
    key = re.search(r'name="key" value="([^"]+)"', page.text)
    assert key
    sent |= {"do": "check", "text": "\n".join(text.splitlines()[:2]), "made": text, "key": key[1]}
    edited = words(bench.post("/explain/worldtree", data=sent).text)
    assert "Why these parts" in edited
    assert re.search(r"\d differences? to the one that was made", edited)


def test_settings_are_checked(bench: TestClient) -> None:
    sent = {"token": token(bench), "do": "explain", "in.question": "q", "in.answer": "a", "method": "facts"}
    answer = bench.post("/explain/worldtree", data={**sent, "set.facts.count": "many"})
    assert answer.status_code == 422
    assert "the setting count cannot be" in answer.text
    assert bench.post("/explain/worldtree", data={**sent, "method": "magic"}).status_code == 422


def test_markup_in_what_is_typed_stays_text(bench: TestClient) -> None:
    attack = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    sent = _sent(bench, text=f"support\n{attack}; causes; darker nights", **{"in.belief": attack})
    for path in ("/explain/explagraphs", "/explain/explagraphs/live"):
        page = bench.post(path, data=sent).text
        assert "<img" not in page
        assert "<script>alert" not in page


def test_what_is_not_there_is_not_found(bench: TestClient) -> None:
    assert bench.get("/explain/poems").status_code == 404
    assert bench.get("/explain/explagraphs?where=samples&number=99").status_code == 404
    assert bench.get("/explain/explagraphs?where=..%2Fsecret").status_code == 404
    assert bench.get("/explain/explagraphs?where=dev").status_code == 404  # published, but not here
    assert "whence data get explagraphs" in bench.get("/explain/explagraphs?where=dev").text
    assert bench.get("/explain/explagraphs?number=x").status_code == 422
