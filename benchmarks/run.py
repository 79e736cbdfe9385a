"""Runs the speed comparisons and writes docs/benchmarks.md. Each is a ratio of two ways in one run.

    WHENCE_DATA=... .venv/bin/python benchmarks/run.py

A speed on a shared machine means little; the ratio of two speeds in one run means something.
"""

from __future__ import annotations

import importlib
import platform
import sys
from pathlib import Path

HERE = Path(__file__).parent
PARTS = ("graph_edit_distance", "graph_decoding", "ndcg", "scoring")


def main() -> None:
    sys.path.insert(0, str(HERE))
    rows = []
    for name in PARTS:
        print(f"{name} ...", flush=True)
        rows += importlib.import_module(name).run()
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    page = (
        "# Benchmarks\n\n"
        "Made by `WHENCE_DATA=... .venv/bin/python benchmarks/run.py`. Each line compares two ways of computing "
        "the same figures, in one run.\n\n"
        f"Python {platform.python_version()}, {platform.machine()}.\n\n"
        "| what | reference | ours | ratio |\n|---|---|---|---|\n"
        f"{table}\n"
    )
    (HERE.parent / "docs/benchmarks.md").write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
