from __future__ import annotations

import re

from starlette.testclient import TestClient
from tests.web.conftest import client_of

from whence.web.security.guard import Security


def test_the_first_page_is_that_of_the_first_section(client: TestClient) -> None:
    assert client.get("/", follow_redirects=False).headers["location"] == "/echo"


def test_pages_of_what_goes_wrong_share_the_frame(client: TestClient) -> None:
    for path, status, words in (
        ("/nowhere", 404, "There is no such page."),
        ("/echo/number/x", 422, "count: Input should be a valid integer"),
        ("/echo/bug", 500, "The server made a mistake."),
        ("/echo/file", 422, "Something in what was sent is not as it should be."),
    ):
        answer = client.get(path)
        assert answer.status_code == status
        assert words in answer.text
        assert 'aria-label="Sections"' in answer.text
        assert "secret" not in answer.text
        assert "/home/someone" not in answer.text
    assert client.put("/echo").status_code == 405


def test_a_candid_server_tells_its_user_all_it_knows() -> None:
    answer = client_of(Security(candid=True)).get("/echo/file")
    assert "/home/someone/file.tsv, line 3: expected 4 fields, found 3 fields" in answer.text
    assert "secret" not in client_of(Security(candid=True)).get("/echo/bug").text


def test_a_script_gets_the_line_alone(client: TestClient) -> None:
    answer = client.get("/nowhere", headers={"X-Whence-Live": "1"})
    assert answer.text.strip() == '<p class="alert" role="alert">There is no such page.</p>'


def test_pages_ask_for_nothing_elsewhere_and_assets_are_kept(client: TestClient) -> None:
    page = client.get("/nowhere").text
    found = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert found
    assert all(address.startswith(("/", "#")) and not address.startswith("//") for address in found)
    assets = [address for address in found if address.startswith("/static/")]
    assert len(assets) == 3
    for address in assets:
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        without_namespace = answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "http" not in without_namespace
        assert "@import" not in answer.text
    assert client.get("/static/style.css").headers["Cache-Control"] == "no-cache"
    assert client.get("/static/..%2Fpages.py").status_code == 404
    assert client.get("/static/pages.py").status_code == 404


def test_there_are_no_pages_that_load_scripts_from_elsewhere(client: TestClient) -> None:
    assert client.get("/docs").status_code == 404
    assert client.get("/redoc").status_code == 404
