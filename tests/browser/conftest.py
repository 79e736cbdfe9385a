"""Pages in a real browser: Debian's chromium, driven by Playwright. Without one these tests are skipped.

The rules of accessibility are axe-core's, which `make test` puts beside the environment; no part of the code.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.web.workbench.runs import write_run

from whence.web.application import create_app
from whence.web.security.guard import Security, loopback_hosts
from whence.web.serve import address_of, listen
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library

if TYPE_CHECKING:
    from fastapi import FastAPI
    from playwright.sync_api import Browser, BrowserContext, Page

AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WAIT = 20_000
"""Milliseconds: a busy machine is slow, and a test that waits longer has failed."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The workbench with runs and without published data, at a free port."""
    root, data = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("data")
    write_run(root / "graphs" / "careful", "explagraphs", 0.1)
    write_run(root / "graphs" / "hasty", "explagraphs", 0.7)
    write_run(root / "trees", "entailmentbank-2", 0.4)
    library = Library(lambda: data, root)
    app = create_app(workbench_sections(library), Security(hosts=loopback_hosts("127.0.0.1"), candid=True))
    with serving(app) as found:
        yield found


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """An application at a free port: where it is."""
    import uvicorn

    opened = listen("127.0.0.1", 0)
    # A browser keeps connections open that it has not used yet; they are not waited for.
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield address_of(opened).rstrip("/")
    server.should_exit = True
    thread.join()
    opened.close()


@dataclass
class Visit:
    """A page, and what it asked for and complained about while it was looked at."""

    page: Page
    address: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Opens a page."""
        self.page.goto(f"{self.address}{path}")

    def elsewhere(self) -> list[str]:
        """Requests that left this server."""
        return [url for url in self.asked if not url.startswith((f"{self.address}/", "data:"))]

    def faults(self, *only: str) -> list[str]:
        """What axe-core finds wrong with the page as it is: by all its rules, or by some."""
        if not AXE.is_file():
            pytest.skip("axe-core is not installed beside the environment: make test does it")
        if not self.page.evaluate("typeof axe === 'object'"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        every = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
        options = {"runOnly": only or every, "resultTypes": ["violations"]}
        found: dict[str, Any] = self.page.evaluate("options => axe.run(document, options)", options)
        return [
            f"{fault['id']}: {fault['help']}: {node['html'][:120]}"
            for fault in found["violations"]
            for node in fault["nodes"][:3]
        ]


def visit_of(context: BrowserContext, address: str) -> Visit:
    page = context.new_page()
    page.set_default_timeout(WAIT)
    visit = Visit(page, address)
    page.on("request", lambda request: visit.asked.append(request.url))
    page.on("console", lambda said: visit.complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    return visit


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield visit_of(context, address)
    context.close()


@pytest.fixture
def visit_without_script(browser: Browser, address: str) -> Iterator[Visit]:
    context = browser.new_context(java_script_enabled=False)
    yield visit_of(context, address)
    context.close()
