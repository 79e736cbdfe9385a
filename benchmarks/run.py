"""Runs the speed comparisons and writes docs/benchmarks.md. Each is a ratio of two ways in one run.

    WHENCE_DATA=... .venv/bin/python benchmarks/run.py [PART ...]

With parts, only these are run; the lines of the others are kept in figures.json. A speed on a shared machine means
little; the ratio of two speeds in one run means something.
"""

from __future__ import annotations

import importlib
import json
import platform
import sys
from pathlib import Path

HERE = Path(__file__).parent
FIGURES = HERE / "figures.json"
PARTS = ("graph_edit_distance", "graph_decoding", "ndcg", "scoring", "judge", "retrieval", "language_model")


def main() -> None:
    sys.path.insert(0, str(HERE))
    wanted = sys.argv[1:] or list(PARTS)
    strange = [name for name in wanted if name not in PARTS]
    if strange:
        sys.exit(f"there is no part {strange[0]}; there are {', '.join(PARTS)}")
    found = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.is_file() else {}
    for name in wanted:
        print(f"{name} ...", flush=True)
        found[name] = importlib.import_module(name).run()
        FIGURES.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    rows = [row for name in PARTS for row in found.get(name, [])]
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
