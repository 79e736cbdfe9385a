"""Work for engines, in a module that other processes can import."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from uuid import uuid4

from whence.engine import Do
from whence.errors import DataError

Done = tuple[list[int], str]


def doubling(place: str = "") -> Do[Sequence[int], Done]:
    """Doubles numbers, and says which worker did it: -1 is a fault of the data, -2 the end of the worker."""
    return partial(_double, place, uuid4().hex)


def _double(place: str, worker: str, chunk: Sequence[int], _report: object) -> Done:
    if -1 in chunk:
        raise DataError("numbers.txt", 3, expected="a number", found="-1")
    if -2 in chunk and not (place and Path(place).exists()):
        if place:
            Path(place).touch()
        os._exit(1)
    return [2 * number for number in chunk], worker
