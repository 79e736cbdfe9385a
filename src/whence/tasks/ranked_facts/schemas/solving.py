"""Many pattern files solved over a table store, in several processes, once: what was found is kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

from whence.engine import SERIAL, Do, Processes
from whence.files import cache_folder, digest_of
from whence.progress import Report, unreported
from whence.solvers.schemas.solutions import SolutionTable, solution_table
from whence.solvers.schemas.solve import LIMIT, Solver, SolverProtocol
from whence.structures.schema import SchemaSolutions
from whence.structures.words import WordStore
from whence.tasks.ranked_facts.data.files import read_fact_base, table_files
from whence.tasks.ranked_facts.schemas.library import Library, read_pattern_file
from whence.tasks.ranked_facts.schemas.storage import load_solutions, save_solutions
from whence.tasks.ranked_facts.schemas.words import lemmatiser, word_store

_VERSION = 1
"""Of the rules by which solutions are found: another number makes kept solutions void."""
_WORTH_A_PROCESS = 20  # files, below which a process costs more than it saves


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be solved, and how."""

    patterns: tuple[Path, ...]
    tables: Path
    lemmas: Path | None = None
    protocol: SolverProtocol = "official"
    limit: int | None = LIMIT
    processes: int = 1

    @property
    def fingerprint(self) -> str:
        """Of all that the solutions depend on: the same fingerprint, the same solutions."""
        digest = hashlib.sha256(f"{_VERSION} {self.protocol} {self.limit}".encode())
        if self.lemmas is None:
            digest.update(f"simplemma {version('simplemma')}".encode())
        named = [] if self.lemmas is None else [self.lemmas]
        for path in [*self.patterns, *named, *table_files(self.tables)]:
            content = digest_of(path) if path.is_file() else "missing"
            digest.update(f"\n{path.name} {content}".encode())
        return digest.hexdigest()


def solved(order: Order, report: Report = unreported) -> SolutionTable:
    """The solutions of the patterns; from the user's cache where they were found before."""
    kept = cache_folder() / "schemas" / f"{order.fingerprint[:32]}.npz"
    if kept.is_file():
        return load_solutions(kept)
    table = solve(order, report)
    save_solutions(table, kept)
    return table


def solve(order: Order, report: Report = unreported) -> SolutionTable:
    """The solutions of the patterns, found anew. `DataError` for the first thing that is wrong with a file."""
    library, store = opened(order)
    for problem in library.problems(store):
        raise problem
    processes = min(order.processes, len(library.files) // _WORTH_A_PROCESS)
    if processes > 1:
        found = Processes(processes).map(partial(_opened_solving, order), range(len(library.files)))
    else:
        found = SERIAL.map(partial(_solving, order, library, store), range(len(library.files)))
    entries = []
    report("solving patterns", 0, len(library.files))
    for number, solutions in enumerate(found, start=1):
        entries += solutions
        report("solving patterns", number, len(library.files))
    return solution_table(entries, {row.id: row.text for table in store.tables for row in table.rows})


def opened(order: Order) -> tuple[Library, WordStore]:
    """The pattern files and the tables of an order."""
    library = Library([read_pattern_file(path) for path in order.patterns])
    return library, word_store(read_fact_base(order.tables), lemmatiser(order.lemmas))


Entry = tuple[SchemaSolutions, str, bool]


def _solving(order: Order, library: Library, store: WordStore) -> Do[int, list[Entry]]:
    """What solves the pattern file of a number."""
    solver = Solver(store, order.protocol, order.limit)

    def solve_file(number: int, _report: Report) -> list[Entry]:
        file = library.files[number]
        return [(found.solutions(), file.path.name, found.complete) for found in library.solve(file, solver)]

    return solve_file


def _opened_solving(order: Order) -> Do[int, list[Entry]]:
    """The same in a process that reads the files for itself, which takes seconds."""
    return _solving(order, *opened(order))
