"""Writes the files of the plug-in in tests/plugin into docs/add_a_task.md again; the prose between them stays.

.venv/bin/python docs/make_add_a_task.py
"""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parent / "add_a_task.md"
PLUGIN = Path(__file__).parents[1] / "tests/plugin"
SAMPLE_LINES = 2
"""Of a file of samples the page shows the beginning."""


def refreshed(page: str) -> str:
    """The page with every block that has a file's path for a title as that file is now."""
    return re.sub(r'(```\w+ title="([^"]+)"\n).*?(```)', _quoted, page, flags=re.S)


def _quoted(block: re.Match[str]) -> str:
    opening, name, closing = block.groups()
    lines = (PLUGIN / name).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join([opening, *(lines[:SAMPLE_LINES] if name.endswith(".jsonl") else lines), closing])


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
