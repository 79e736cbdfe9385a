"""How far a walk through the code is: modules that are entered and the depth of calls, of four common actions.

    python tools/walks.py

Counted are calls of this package's own functions, from the command (of a submission, from `Collection.submit`)
to the deepest one; a function that calls itself is counted once. What runs while modules are imported is not
counted. The cache of vectors is empty at first. The checkout is the one that `import whence` finds. `--deepest`
prints the deepest calls.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from inspect import CO_NEWLOCALS
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any
from unittest.mock import patch

OWN = "whence."


@dataclass
class Walk:
    """What was entered between the first call into a module and its end."""

    start: str
    """The module where counting begins."""
    modules: set[str] = field(default_factory=set)
    functions: set[tuple[str, str]] = field(default_factory=set)
    deepest: list[str] = field(default_factory=list)
    _stack: list[tuple[int, str]] = field(default_factory=list)
    _importing: int = 0

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Follow one call or return, for `sys.setprofile`."""
        code, module = frame.f_code, frame.f_globals.get("__name__", "")
        if code.co_name == "<module>":
            self._importing += {"call": 1, "return": -1}.get(event, 0)
            return
        is_function = (
            code.co_flags & CO_NEWLOCALS and not code.co_name.startswith("<") and code.co_filename != "<string>"
        )
        if self._importing or not module.startswith(OWN) or not is_function:
            return
        if event == "return":
            if self._stack and self._stack[-1][0] == id(frame):
                self._stack.pop()
        elif event == "call" and (self._stack or module == self.start):
            self._stack.append((id(frame), f"{module}.{code.co_qualname}"))
            self.modules.add(module)
            self.functions.add((module, code.co_qualname))
            names = list(dict.fromkeys(name for _, name in self._stack))
            if len(names) > len(self.deepest):
                self.deepest = names


@contextmanager
def followed(start: str) -> Iterator[Walk]:
    """Count what happens inside."""
    walk = Walk(start)
    sys.setprofile(walk.profile)
    try:
        yield walk
    finally:
        sys.setprofile(None)


def command(*words: object) -> str:
    """What a command prints."""
    from whence.commands import main

    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with patch.object(sys, "argv", ["whence", *map(str, words)]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as stopped:
            if stopped.code:
                raise RuntimeError(f"{words}: {err.getvalue()}") from stopped
    out.flush()
    return out.detach().getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def explain(_: Path) -> Walk:
    """`whence explain explagraphs`."""
    texts = ("--belief", "Factory farming should be banned.", "--argument", "Factory farming feeds millions.")
    with followed("whence.commands.explain") as walk:
        command("explain", "explagraphs", *texts)
    return walk


def score(folder: Path) -> Walk:
    """`whence score entailmentbank-1`, the gold answers of the samples."""
    rows = [
        json.loads(line)
        for line in command("data", "convert", "entailmentbank-1", "samples", "-o", "-").splitlines()
    ]
    answers = folder / "answers.jsonl"
    answers.write_text(
        "".join(
            json.dumps({"whence": 1, "task": row["task"], "id": row["id"], "explanation": row["golds"][0]}) + "\n"
            for row in rows
        )
    )
    with followed("whence.commands.score") as walk:
        command("score", "entailmentbank-1", answers, "--gold", "samples", "--similarity", "exact")
    return walk


def submit(folder: Path) -> Walk:
    """One hypothesis, written for a story of the bundled collection `art`."""
    from whence.collection.collection import open_collection

    store = str(folder / "art.db")
    command("collect", "new", "art", store, "--items", "stories=samples")
    collection = open_collection(store)
    worker = collection.join("ada")
    slot = collection.next_slot(worker)
    if slot is None:
        raise RuntimeError("there is nothing to do")
    collection.open_slot(worker, slot)
    answer: dict[str, Any] = {"text": "Somebody opened the window."}
    with followed("whence.collection.collection") as walk:
        collection.submit(worker, slot, answer, "key")
    return walk


def train(folder: Path) -> Walk:
    """`whence train anli frozen.choice` on the samples."""
    with followed("whence.commands.train") as walk:
        command("train", "anli", "frozen.choice", "-o", folder / "model", "--set", "split=samples")
    return walk


WALKS: tuple[Callable[[Path], Walk], ...] = (explain, score, submit, train)


def main() -> None:
    """Prints a line a walk."""
    for walk in WALKS:
        with TemporaryDirectory() as folder, patch.dict(os.environ, {"WHENCE_CACHE": f"{folder}/cache"}):
            made = walk(Path(folder))
        layers = sorted({module.split(".")[1] for module in made.modules})
        sys.stdout.write(
            f"{walk.__name__}: {len(made.modules)} modules, {len(made.functions)} functions, "
            f"{len(made.deepest)} calls deep; layers: {', '.join(layers)}\n"
        )
        if "--deepest" in sys.argv[1:]:
            sys.stdout.writelines(f"  {'  ' * depth}{name}\n" for depth, name in enumerate(made.deepest))


if __name__ == "__main__":
    main()
