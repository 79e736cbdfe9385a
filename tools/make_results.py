"""Trains recipes, judges the published data with them, and writes the page of results.

    WHENCE_DATA=... python tools/make_results.py FOLDER [TASK:FILE.RECIPE ...]

Models and runs go below the folder; what is there already is not made again. A recipe may be followed by settings
that override it, and by the split to judge: `cider-span:small.answer,epochs=3@fold2-test`. Without recipes, the
page is written from what is there. Figures whose runs are elsewhere are kept in docs/results.json.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from whence.models.trained import CARD
from whence.pipeline.recipes import recipe_named
from whence.pipeline.runs import SCORES
from whence.tasks import head_named, task_named

_DOCS = Path(__file__).parent.parent / "docs"


def main(folder: Path, wanted: list[str]) -> None:
    failed = [one for one in wanted if not _make(folder, one)]
    kept, page = _DOCS / "results.json", _DOCS / "results.md"
    known = [str(kept)] if kept.is_file() else []
    _run("results", *known, str(folder / "runs"), "--keep", str(kept), "--markdown", str(page))
    _remark(page)
    sys.exit(f"not made: {' '.join(failed)}" if failed else 0)


_REMARKS = (
    "**What was looked at.** As far as it is recorded: WorldTree's rankings were set by cross-validation",
    "over train ([note 011](design/011-retrieval.md)), but for one weight of `facts-reranked`, set after a look",
    "at 120 questions of dev. For `anli`, learning from `pools` was kept because of what it gave on dev",
    "([findings](findings.md)). Elsewhere it is not recorded what was in view when recipes were chosen; a table",
    "with several rows was made by comparing them on its split, so its best row is flattered by the choice.",
    "CIDER's figures here are of fold 1; the paper's are means of five folds.",
    "",
    "**How old they are.** All rows but `sentences`, `sentences-bm25` and `sentences-majority` are of models",
    "that learnt from whole training splits, before [shared questions were left out](training.md#recipes), and",
    "have percentile bootstrap intervals, which lie too high for macro F1 ([note",
    "021](design/021-intervals.md)).",
)
"""What the figures cannot say of themselves; it stands after the first paragraph of the page."""


def _remark(page: Path) -> None:
    head, _, tables = page.read_text("utf-8").partition("\n## ")
    page.write_text("\n".join((head, *_REMARKS, "", f"## {tables}")), "utf-8")


def _make(folder: Path, wanted: str) -> bool:
    """One recipe, trained and judged; whether that went well."""
    named, _, split = wanted.partition("@")
    tasks, _, rest = named.partition(":")
    recipe, *overrides = rest.split(",")
    name = re.sub(r"[^\w.=-]+", "_", named)
    model = folder / "models" / name
    sets = [part for override in overrides for part in ("--set", override)]
    if not (model / CARD).is_file() and not _run("train", tasks, recipe, "-o", str(model), *sets):
        return False
    found = True
    for task in tasks.split(","):
        head = head_named(task, recipe_named(task_named(task), recipe, overrides).head)
        on = split or head.test
        run = folder / "runs" / f"{name}@{task}.{on}"
        if not (run / SCORES).is_file():
            found &= _run("predict", task, str(model), on, "-o", str(run), "--head", head.name)
    return found


def _run(*words: str) -> bool:
    sys.stdout.write(f"$ whence {' '.join(words)}\n")
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", "whence", *words], check=False).returncode == 0


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
