"""Published patterns over the published tables: what the released solver found, we find, and little else.

Ids of rows that were generated differ from file to file in the release, so all of them are read as one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.tasks.ranked_facts.data.files import read_fact_base, read_solutions
from whence.tasks.ranked_facts.schemas.completion import GENERATED
from whence.tasks.ranked_facts.schemas.solving import Order, solve
from whence.tasks.ranked_facts.schemas.words import lemmatiser, word_store

pytestmark = pytest.mark.real_data

Masked = tuple[str, ...]


def _masked(solutions: tuple[tuple[str, ...], ...]) -> list[Masked]:
    return [tuple(GENERATED if name.startswith(GENERATED) else name for name in found) for found in solutions]


def test_as_many_kinds_are_added_as_the_released_solver_adds(real_data: Path) -> None:
    facts = read_fact_base(real_data / "cosata/tablestore")
    table = word_store(facts, lemmatiser(real_data / "cosata/lemmatization-en.txt")).by_name["kindof"]
    added = sum(row.id.startswith(GENERATED) for row in table.rows)
    assert (len(table.rows) - added, added) == (2042, 3879)  # "about 3,880 rows are added to 2,042"


@pytest.mark.parametrize(
    ("listed", "every", "count", "same", "ordered"),
    [
        (True, 1, 194, 191, 183),
        (False, 6, 33, 33, 32),  # some of the files, to keep the time short
    ],
)
def test_solutions_are_those_that_were_released(
    listed: bool, every: int, count: int, same: int, ordered: int, real_data: Path
) -> None:
    folder = real_data / "cosata"
    files = sorted((folder / "solutions").glob("*.json"))[::every]
    released = {found.pattern: _masked(found.solutions) for file in files for found in read_solutions(file)}
    lemmas = folder / "lemmatization-en.txt" if listed else None
    paths = tuple(folder / "patterns" / file.stem for file in files)
    table = solve(Order(paths, folder / "tablestore", lemmas))
    ours = {pattern.pattern: _masked(table.solutions(pattern).solutions) for pattern in table.patterns}
    assert len(released) == count
    wanted = {(name, found) for name, solutions in released.items() for found in solutions}
    found = {(name, solution) for name in released for solution in ours[name]}
    assert len(wanted & found) / len(wanted) >= 0.999
    assert len(wanted & found) / len(found) >= 0.999
    assert sum(set(ours[name]) == set(released[name]) for name in released) == same
    assert sum(ours[name] == released[name] for name in released) == ordered
