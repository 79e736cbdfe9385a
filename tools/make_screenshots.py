"""Takes the pictures of pages in docs/pictures: the workbench, and the desk of somebody who makes a graph.

.venv/bin/python tools/make_screenshots.py

Needs chromium and the extra `test`. Reads the bundled samples alone.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

import whence
from whence.collection import tables
from whence.collection.access import invite
from whence.collection.collection import new_collection
from whence.collection.configuration_files import read_configuration
from whence.collection.importing import add_items
from whence.web.application import create_app
from whence.web.collect.application import collection_app
from whence.web.security.guard import Security, loopback_hosts
from whence.web.serve import address_of, listen
from whence.web.workbench import workbench_sections
from whence.web.workbench.library import Library

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
HERE = loopback_hosts("127.0.0.1")


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """An application at a free port: where it is."""
    import uvicorn

    opened = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield address_of(opened)
    server.should_exit = True
    thread.join()


def workbench(page: Any, folder: Path) -> None:
    """A sample, drawn and checked, with the lines in which it is edited."""
    library = Library(lambda: folder, None)
    with serving(create_app(workbench_sections(library), Security(hosts=HERE, candid=True))) as address:
        page.goto(f"{address}explain/entailmentbank-1?where=samples&number=5")
        page.screenshot(path=PICTURES / "workbench.png")


def desk(page: Any, folder: Path) -> None:
    """A graph that was begun: drawn, with what is still to do."""
    made = new_collection(str(folder / "graphs.db"), read_configuration("explagraphs")[1])
    example = whence.load("explagraphs").examples[0]
    gold = example.golds[0]
    pair = {"id": "1", "belief": example.inputs.belief, "argument": example.inputs.argument, "stance": gold.stance}
    made.write(lambda tx: add_items(tx, tx.configuration.source("pairs"), [pair]))
    with serving(collection_app(made, HERE)) as address:
        page.goto(f"{address}collect/enter/{invite(made)}")
        page.click("text=Begin")
        with made.reading() as tx:
            worker = str(tx.value(select(tables.workers.c.token)))
        for qualification in made.configuration.qualifications:
            made.qualify(worker, qualification.name, "administrator")
        page.goto(f"{address}collect/work/{made.next_slot(worker, 'graph-creation')}")
        for number, edge in enumerate(gold.graph.edges[:3]):
            page.fill(f'[name="field:graph:{number}:head"]', edge.head)
            page.select_option(f'[name="field:graph:{number}:relation"]', edge.relation)
            page.fill(f'[name="field:graph:{number}:tail"]', edge.tail)
        page.wait_for_selector(f'#looked svg text:has-text("{edge.tail}")')
        page.screenshot(path=PICTURES / "desk.png", full_page=True)


def main() -> None:
    """Takes all pictures."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for take in (workbench, desk):
            page = browser.new_page(viewport={"width": 1100, "height": 860})
            page.set_default_timeout(60_000)
            take(page, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
