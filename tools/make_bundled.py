"""Trains the small models that ship with the package: every recipe of every task's `frozen.toml`.

    WHENCE_DATA=... python tools/make_bundled.py [TASK/HEAD ...]

It takes some minutes once the embedded encoder's vectors are known, and an hour before.
"""

from __future__ import annotations

import shutil
import sys

from whence.commands.progress import work_progress
from whence.models.trained import BUNDLED
from whence.pipeline.recipes import recipes_of
from whence.pipeline.train import train
from whence.tasks import TASKS, heads_of
from whence.tasks.sources import data_folder


def main(wanted: list[str]) -> None:
    for task in (task for task in TASKS.values() if heads_of(task.name)):
        for recipe in recipes_of(task, "frozen").values():
            lesson = f"{recipe.task}/{recipe.head}"
            if wanted and lesson not in wanted:
                continue
            folder = BUNDLED / lesson.replace("/", ".")
            made = folder.with_name(f".{folder.name}")
            shutil.rmtree(made, ignore_errors=True)
            with work_progress() as report:
                model = train([recipe], made, data_folder, report)
            shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)
            figure = max(model.card["dev"], default=float("nan"))
            sys.stdout.write(f"{lesson}: {figure:.3f} held out, {model.card['seconds']:.0f} s\n")


if __name__ == "__main__":
    main(sys.argv[1:])
