"""The pages of a collection: doors, desks and administration, as browsers without a script use them."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from typing import Any

import pytest
from tests.web.collect.people import ORIGIN, Visitor, administrator, doors, parsed, token_of, worker

from whence.collection import access
from whence.collection.collection import Collection
from whence.collection.transaction import worker_row

Made = Any
STORY = {"id": "s1", "obs1": "Anna put bread into the toaster.", "obs2": "The kitchen was full of smoke."}
PAIR = {
    "id": "p1",
    "belief": "Factory farming should be banned.",
    "argument": "Factory farming feeds millions of people.",
    "stance": "counter",
    "split": "train",
}
NASTY = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


def _graph_makers(collection: Collection, *people: Visitor) -> None:
    for one in people:
        for name in ("creates-graphs", "verifies-graphs"):
            collection.qualify(one.worker, name, "boss")


# Doors


def test_a_link_lets_one_person_in_once(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    secret = access.invite(made)
    first, second = Visitor(doors(made)), Visitor(doors(made))
    page = first.page(f"/collect/enter/{secret}")
    second.page(f"/collect/enter/{secret}")  # looking uses nothing up
    first.send(f"/collect/enter/{secret}", {}, page=page)
    assert "What happened in between?" in first.page("/collect")
    second.page(f"/collect/enter/{secret}", status=403)
    token = token_of(second.page("/admin/login"))
    answer = second.client.post(f"/collect/enter/{secret}", data={"token": token}, headers=ORIGIN)
    assert answer.status_code == 403
    assert "used already" in answer.text


def test_nobody_comes_in_without_a_link(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    visitor = Visitor(doors(made))
    assert "Open the link" in visitor.page("/collect", status=401)
    visitor.page("/admin", status=401)
    worker(made).page("/admin", status=401)
    administrator(made).page("/collect", status=401)


def test_administrators_log_in_and_out(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    administrator(made, "ada").send(
        "/collect/leave", {}, page=administrator(made, "bob").page("/admin"), status=403
    )
    visitor = Visitor(doors(made))
    wrong = {"name": "ada", "password": "something else"}
    page = visitor.send("/admin/login", wrong, page=visitor.page("/admin/login"), status=403)
    assert "Name or password is wrong." in page
    nobody = {"name": "nobody", "password": "something else"}
    assert "Name or password is wrong." in visitor.send("/admin/login", nobody, page=page, status=403)
    visitor.send("/admin/login", {"name": "ada", "password": "a password that is long"}, page=page)
    page = visitor.page("/admin")
    visitor.send("/collect/leave", {}, page=page)
    visitor.page("/admin", status=401)


def test_an_old_cookie_opens_nothing_after_leaving(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    ada = administrator(made)
    cookie = ada.client.cookies["whence-session"]
    ada.send("/collect/leave", {}, page=ada.page("/admin"))
    ada.client.cookies.set("whence-session", cookie)
    ada.page("/admin", status=401)


def test_a_short_password_is_told_and_the_link_is_not_used_up(collection: Made) -> None:
    made = collection("art")
    visitor = Visitor(doors(made))
    link = f"/collect/enter/{access.invite(made, 'administrator')}"
    page = visitor.send(link, {"name": "ada", "password": "short"}, page=visitor.page(link), status=422)
    assert "a password has 12 to 200 letters" in page
    visitor.send(link, {"name": "ada", "password": "long enough for this"}, page=page)


def test_people_of_a_platform_are_known_again(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    key = access.new_study(made, "round-1", "prolific", "CODE-7")
    link = f"/collect/join/round-1?key={key}&PROLIFIC_PID=5f3a"
    for _ in range(2):
        visitor = Visitor(doors(made))
        page = visitor.page(link)
        visitor.send("/collect/join/round-1", {"key": key, "person": "5f3a"}, page=page)
    with made.reading() as tx:
        from sqlalchemy import func, select

        from whence.collection import tables

        assert tx.value(select(func.count()).select_from(tables.workers)) == 1
    visitor.begin("plausible")
    visitor.send(
        f"/collect/work/{visitor.slot}", {**_hidden(visitor), "field:text": "The bread got burnt.", "do": "submit"}
    )
    assert "CODE-7" in visitor.page("/collect")


def test_the_link_of_a_study_may_have_any_name_in_it(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    ada, visitor = administrator(made), Visitor(doors(made))
    study = {"do": "study", "name": "round 1? 50% #2", "platform": "other", "code": "C"}
    page = ada.send("/admin/invite", study, page=ada.page("/admin/invite"))
    (link,) = re.findall(r"<code>http://testserver(/collect/join/[^<]+)</code>", page)
    assert "You are invited" in visitor.page(html.unescape(link))


@pytest.mark.parametrize("key", ["", "wrong"])
def test_a_platform_link_that_is_not_ours_is_refused(collection: Made, key: str) -> None:
    made = collection("art", stories=[STORY])
    access.new_study(made, "round-1", "prolific", "CODE-7")
    visitor = Visitor(doors(made))
    visitor.page(f"/collect/join/round-1?key={key}", status=403)  # says not who comes
    page = visitor.page(f"/collect/join/round-1?key={key}&PROLIFIC_PID=5f3a")
    visitor.send("/collect/join/round-1", {"key": key, "person": "5f3a"}, page=page, status=403)
    visitor.page("/collect/join/other?key=x&PROLIFIC_PID=5f3a", status=403)


# Work


def _hidden(visitor: Visitor) -> dict[str, str]:
    found = parsed(visitor.page(f"/collect/work/{visitor.slot}")).hidden
    return {name: found[name] for name in ("key", "revision", "token")}


def test_work_is_kept_checked_drawn_and_taken(collection: Made) -> None:
    made = collection("explagraphs", pairs=[PAIR])
    anna = worker(made)
    _graph_makers(made, anna)
    page = anna.begin("graph-creation")
    assert "counter" in page
    address = f"/collect/work/{anna.slot}"
    rows = {
        f"field:graph:{number}:{part}": text
        for number, fact in enumerate(
            ("factory farming|causes|food", "food|desires|millions", "millions|part of|people")
        )
        for part, text in zip(("head", "relation", "tail"), fact.split("|"), strict=True)
    }
    begun = {name: text for name, text in rows.items() if ":0:" in name}
    page = anna.send(address, {**_hidden(anna), **begun, "do": "save"})
    assert "<svg" in page
    assert "3 to 8" in page or "facts" in page
    assert 'value="factory farming"' in anna.page(address)  # a draft comes back
    refused = anna.send(address, {**_hidden(anna), **begun, "do": "submit"}, status=422)
    assert "It cannot be taken yet" in refused
    last = anna.send(
        address,
        {
            **_hidden(anna),
            **rows,
            "field:graph:3:head": "banned",
            "field:graph:3:relation": "not desires",
            "field:graph:3:tail": "food",
            "do": "submit",
        },
    )
    assert "Somebody looks at it" in last  # the first ones are on probation


def test_a_form_sent_twice_is_one_submission(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    address, form = (
        f"/collect/work/{anna.slot}",
        {**_hidden(anna), "field:text": "The bread got burnt.", "do": "submit"},
    )
    for _ in range(3):
        anna.send(address, form)
        assert "Thank you" in anna.last.text
    with made.reading() as tx:
        from sqlalchemy import func, select

        from whence.collection import tables

        assert tx.value(select(func.count()).select_from(tables.submissions)) == 1
        assert tx.value(select(func.count()).select_from(tables.pay).where(tables.pay.c.state == "pending")) == 1


def test_two_windows_do_not_overwrite_each_other(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    address, before = f"/collect/work/{anna.slot}", _hidden(anna)
    anna.send(address, {**before, "field:text": "from the first window", "do": "save"})
    page = anna.send(address, {**before, "field:text": "from the second window", "do": "save"}, status=409)
    assert "changed in another window" in page
    assert "from the second window" in page  # nothing that was written is lost
    assert "from the first window" in anna.page(address)
    anna.send(
        address,
        {**before, "revision": parsed(page).hidden["revision"], "field:text": "second, meant so", "do": "save"},
    )
    assert "second, meant so" in anna.page(address)


def test_a_script_gets_only_what_the_server_says(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    form = {
        **_hidden(anna),
        "field:text": "The bread got burnt because nobody was there to look after it.",
        "do": "save",
    }
    answer = anna.client.post(f"/collect/work/{anna.slot}", data=form, headers={**ORIGIN, "X-Whence-Live": "1"})
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert parsed(answer.text).hidden["revision"] == "1"
    assert "words" in answer.text  # more than the paper allows


def test_what_is_given_back_is_kept(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    address = f"/collect/work/{anna.slot}"
    anna.send(address, {**_hidden(anna), "field:text": "half a", "do": "return"})
    assert "You gave it back" in anna.last.text
    anna.begin("plausible")
    assert "half a" in anna.page(f"/collect/work/{anna.slot}")


def test_the_way_back_to_what_was_begun(collection: Made) -> None:
    made = collection("explagraphs", pairs=[PAIR])  # one graph is made of it, by one person
    anna, bob = worker(made), worker(made)
    _graph_makers(made, anna, bob)
    anna.begin("graph-creation")
    slot = anna.slot
    assert "Go on" in anna.page("/collect")
    assert "Go on" not in bob.page("/collect")
    anna.begin("graph-creation")
    assert anna.slot == slot


def test_what_cannot_be_done_yet_says_what_it_takes(collection: Made) -> None:
    made = collection("explagraphs")
    visitor = worker(made)
    page = visitor.page("/collect")
    assert "After you have passed “Does the argument support or counter the belief?”" in page
    assert "<h2>Passed</h2>" not in page
    made.qualify(visitor.worker, "stances", "boss")
    page = visitor.page("/collect")
    assert "After you have passed “What is a fact? (graph test, first level)”" in page
    assert "<h2>Passed</h2>" in page
    assert "hamlet-3" not in page and "stances" not in page  # names of our own mean nothing to people


def test_nobody_sees_or_answers_what_another_holds(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna, bob = worker(made), worker(made)
    anna.begin("plausible")
    address = f"/collect/work/{anna.slot}"
    bob.page(address, status=404)
    form = {"key": "k", "revision": "0", "field:text": "mine now", "do": "submit"}
    bob.send(address, form, status=404)
    bob.page("/collect/work/none", status=404)


def test_what_a_stage_does_not_show_is_not_on_the_page(collection: Made) -> None:
    """Verifiers of a graph see belief and graph only: neither argument nor stance nor what was aimed at."""
    made = collection(
        "explagraphs", pairs=[{**PAIR, "argument": "An argument that nobody may see.", "stance": "counter"}]
    )
    anna, bob = worker(made), worker(made)
    _graph_makers(made, anna, bob)
    graph = {
        "edges": [
            {"head": head, "relation": relation, "tail": tail}
            for head, relation, tail in (
                ("factory farming", "causes", "argument"),
                ("argument", "is a", "banned"),
                ("banned", "desires", "nobody"),
            )
        ]
    }
    slot = made.next_slot(anna.worker, "graph-creation")
    outcome = made.submit(anna.worker, str(slot), {"graph": graph}, "key-1")
    assert outcome.submission is not None, outcome
    if outcome.state == "submitted":
        made.accept(outcome.submission, "boss")
    page = bob.begin("graph-verification")
    assert "Factory farming should be banned." in page
    assert "nobody may see" not in page
    said = re.findall(r".{6}counter", page.partition("<form method")[2])
    assert said == ['alue="counter', "<span>counter"]  # the answer that can be chosen, and nothing else
    assert anna.begin("graph-verification") == ""  # nobody verifies own work


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "edit:text:remove:999999999999999999999"},
        {"do": "edit:nothing:more"},
        {"do": "edit"},
        {"do": ""},
        {"field:text:5:x": "y", "answer:whole": "1", "answer:/nowhere": "2", "remark:": "z"},
        {"field:text": "\x00"},
    ],
)
def test_odd_forms_do_no_harm(collection: Made, fields: dict[str, str]) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    form = {**_hidden(anna), **fields}
    answer = anna.client.post(f"/collect/work/{anna.slot}", data=form, headers=ORIGIN)
    assert answer.status_code in (200, 422), answer.text


def test_a_form_without_its_revision_is_refused(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    page = anna.send(f"/collect/work/{anna.slot}", {"key": "k", "field:text": "x", "do": "save"}, status=422)
    assert "Load the page again" in page


@pytest.mark.parametrize("part", ["turn", "start"])
def test_a_place_in_a_dialogue_that_no_number_can_tell(collection: Made, part: str) -> None:
    said = [{"speaker": "A", "text": "It rains."}]
    made = collection("cider", dialogues=[{"id": "d", "utterances": said}])
    anna = worker(made)
    made.qualify(anna.worker, "annotator", "boss")
    anna.begin("annotation")
    span = {"field:triplets:0:head:text": "rains", "field:triplets:0:head:turn": "0"}
    page = anna.send(
        f"/collect/work/{anna.slot}",
        {**_hidden(anna), **span, f"field:triplets:0:head:{part}": "9" * 5000, "do": "save"},
    )
    assert 'value="rains"' in page


# Safety


def test_free_text_is_shown_as_text(collection: Made) -> None:
    """Whatever people write, wherever it is shown: to them, to others who judge it, to administrators."""
    made = collection("art", stories=[{**STORY, "obs1": NASTY}])
    anna, ada = worker(made), administrator(made)
    page = anna.begin("plausible")
    assert "<img" not in page
    assert html.escape(NASTY, quote=False).replace("'", "&#39;").replace('"', "&#34;") in page
    page = anna.send(f"/collect/work/{anna.slot}", {**_hidden(anna), "field:text": NASTY, "do": "save"})
    assert "<img" not in page
    slot = anna.slot
    outcome = made.submit(anna.worker, slot, {"text": f"Smoke {NASTY} came."}, "key-1")
    assert outcome.submission == 1, outcome
    made.give_feedback(1, "boss", NASTY)
    assert "<img" not in anna.page(f"/collect/work/{slot}")
    for address in ("/admin", "/admin/look", "/admin/agreement", "/admin/workers", "/admin/log", "/admin/pay"):
        assert "<img" not in ada.page(address)


@pytest.mark.parametrize("headers", [{}, {"origin": "http://elsewhere.example"}, {"sec-fetch-site": "cross-site"}])
def test_a_form_from_elsewhere_is_refused(collection: Made, headers: dict[str, str]) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    form = {"key": "k", "revision": "0", "field:text": "x", "do": "submit"}
    form |= {"token": _hidden(anna)["token"]} if headers else {}
    assert anna.client.post(f"/collect/work/{anna.slot}", data=form, headers=headers).status_code == 403


def test_a_token_is_of_one_session(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna, bob = worker(made), worker(made)
    stolen = token_of(bob.page("/collect"))
    answer = anna.client.post("/collect/next", data={"token": stolen, "stage": "plausible"}, headers=ORIGIN)
    assert answer.status_code == 403


def test_a_body_that_is_too_large_is_refused(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    answer = anna.client.post(
        f"/collect/work/{anna.slot}", data={**_hidden(anna), "field:text": "x" * 1_100_000}, headers=ORIGIN
    )
    assert answer.status_code == 413


def test_an_answer_that_is_too_long_is_told_and_not_lost(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    anna = worker(made)
    anna.begin("plausible")
    answer = anna.client.post(
        f"/collect/work/{anna.slot}",
        data={**_hidden(anna), "field:text": "x" * 300_000, "do": "save"},
        headers=ORIGIN,
    )
    assert answer.status_code == 422
    assert "characters" in answer.text


def test_cookies_are_not_for_scripts_nor_for_other_sites(collection: Made) -> None:
    made = collection("art")
    visitor = Visitor(doors(made))
    link = f"/collect/enter/{access.invite(made)}"
    token = token_of(visitor.page(link))
    answer = visitor.client.post(link, data={"token": token}, headers=ORIGIN, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_guessing_passwords_is_slowed_down(collection: Made) -> None:
    made = collection("art")
    visitor = Visitor(doors(made))
    token = token_of(visitor.page("/admin/login"))
    codes = [
        visitor.client.post(
            "/admin/login", data={"token": token, "name": "a", "password": ""}, headers=ORIGIN
        ).status_code
        for _ in range(14)
    ]
    assert codes[0] == 403
    assert codes[-1] == 429


# Administration


def test_administrators_see_and_rule(collection: Made) -> None:
    made = collection("explagraphs", pairs=[PAIR])
    anna, ada = worker(made), administrator(made)
    _graph_makers(made, anna)
    slot = str(made.next_slot(anna.worker, "graph-creation"))
    graph = [
        ("factory farming", "causes", "food"),
        ("food", "desires", "millions"),
        ("millions", "part of", "people"),
        ("banned", "not desires", "food"),
    ]
    edges = [{"head": head, "relation": relation, "tail": tail} for head, relation, tail in graph]
    made.submit(anna.worker, slot, {"graph": {"edges": edges}}, "key-1")
    page = ada.page("/admin/look")
    assert "factory farming" in page
    assert "<svg" in page
    assert '<span class="count">1</span>' in ada.page("/admin")  # on every page, beside the way there
    ada.send("/admin/look/1", {"do": "return"}, page=page, status=422)  # why?
    ada.send("/admin/look/1", {"do": "return", "reason": "say how food is made"}, page=page)
    assert "say how food is made" in anna.page(f"/collect/work/{slot}")
    assert "Nothing waits" in ada.page("/admin/look")
    assert 'class="count"' not in ada.page("/admin")
    ada.send("/admin/stage", {"stage": "graph-creation", "to": "closed"}, page=page)
    ada.send(f"/admin/workers/{anna.worker}", {"do": "bonus", "amount": "250", "reason": "thanks"}, page=page)
    assert "2.50 USD" in ada.page("/admin/pay")
    ada.send(f"/admin/workers/{anna.worker}", {"do": "shut out", "reason": "copied"}, page=page)
    about = ada.page(f"/admin/workers/{anna.worker}")
    assert "was excluded from this collection" in about
    assert "copied" in ada.page("/admin/log")
    ada.page("/admin/workers/nobody", status=404)
    with made.reading() as tx:
        assert not worker_row(tx, anna.worker).active


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/admin/stage", {"stage": "nothing", "to": "open"}),
        ("/admin/look/1", {"do": "dance"}),
        ("/admin/look/999", {"do": "accept"}),
        ("/admin/pay", {"do": "approved", "line": "bonus-x", "reason": "r"}),
        ("/admin/pay", {"do": "approved", "line": "submission-999", "reason": "r"}),
        ("/admin/look/" + "9" * 30, {"do": "accept"}),  # more than a store can count to
        ("/admin/pay", {"do": "approved", "line": "submission-" + "9" * 30, "reason": "r"}),
        (
            "/admin/pay",
            {"do": "approved", "line": "submission-" + "9" * 5000, "reason": "r"},
        ),  # or Python can read
        ("/admin/workers/nobody", {"do": "bonus", "amount": "9" * 5000, "reason": "r"}),
        ("/admin/invite", {"do": "invite", "count": "9" * 5000}),
        (
            "/admin/invite",
            {"do": "study", "name": "a\x00", "platform": "other", "code": "c"},
        ),  # PostgreSQL's limit
        ("/admin/workers/a%00b", {"do": "let in"}),
        ("/admin/invite", {"do": "invite", "count": "-1"}),
        ("/admin/invite", {"do": "study", "name": "a/b", "platform": "prolific", "code": "c"}),
        ("/admin/invite", {"do": "study", "name": "a", "platform": "nowhere", "code": "c"}),
    ],
)
def test_odd_orders_are_refused(collection: Made, address: str, fields: dict[str, str]) -> None:
    made = collection("art", stories=[STORY])
    ada = administrator(made)
    answer = ada.client.post(address, data={"token": token_of(ada.page("/admin")), **fields}, headers=ORIGIN)
    assert answer.status_code in (404, 422), answer.text


def test_an_export_is_downloaded_and_stands_in_the_log(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    ada, anna = administrator(made), worker(made)
    anna.send("/admin/export", {}, status=401)
    assert "under way still" in ada.page("/admin/export")
    answer = ada.client.post("/admin/export", data={"token": token_of(ada.page("/admin"))}, headers=ORIGIN)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert {"collected/export.json", "collected/submissions.jsonl"} <= set(packed.namelist())
    assert "exported" in ada.page("/admin/log")


def test_invitations_are_made_on_a_page(collection: Made) -> None:
    made = collection("art", stories=[STORY])
    ada = administrator(made)
    page = ada.send(
        "/admin/invite", {"do": "invite", "count": "3", "kind": "worker"}, page=ada.page("/admin/invite")
    )
    assert page.count("/collect/enter/") == 3
    assert json.dumps(page).count("not shown again") == 1
