"""How to collect, told and drawn."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from whence.collection.configuration_files import read_configuration
from whence.web.workbench.collections import workflow

NAMES = ("art", "cider", "entailmentbank", "explagraphs", "worldtree")


@pytest.mark.parametrize("name", NAMES)
def test_a_collection_is_drawn_with_its_ways(name: str) -> None:
    found = workflow(read_configuration(name)[0])
    places = {node.id for node in found.nodes}
    assert {end for link in found.links for end in (link.tail, link.head)} <= places


def test_pages_tell_how_to_begin(bench: TestClient) -> None:
    page = bench.get("/collections").text
    assert all(f'href="/collections/{name}"' in page for name in NAMES)
    own = bench.get("/collections/cider").text
    assert "whence collect new cider mine.db --items dialogues=FILE" in own
    assert "<svg" in own
    assert bench.get("/collections/nothing").status_code == 404
