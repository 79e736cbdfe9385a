"""The page of licences is what the calibrations that ship say."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_licences_is_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "make_licences.py"))["page"]()
    assert (DOCS / "metrics/licences.md").read_text(encoding="utf-8") == made, "run python docs/make_licences.py"
