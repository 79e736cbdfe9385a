"""Pattern files, what is wrong with them, and their solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from whence.errors import DataError, quoted
from whence.files import read_text
from whence.formats.schemas import parse_schemas
from whence.solvers.schemas.combine import Solved
from whence.solvers.schemas.resolve import problems
from whence.solvers.schemas.solve import Solver
from whence.structures.schema import Include, Schema
from whence.structures.words import WordStore


@dataclass(frozen=True, slots=True)
class PatternFile:
    """A file of patterns."""

    path: Path
    schemas: tuple[Schema, ...]


def read_pattern_file(path: Path) -> PatternFile:
    """The patterns of a file (`*.iml`)."""
    try:
        return PatternFile(path, parse_schemas(read_text(path)))
    except DataError as error:
        raise error.at(path) from None


class Library:
    """Pattern files that may include each other's patterns: one of the same file, else the first so named."""

    def __init__(self, files: Sequence[PatternFile]) -> None:
        self.files = files
        self._first: dict[str, tuple[PatternFile, Schema]] = {}
        for file in files:
            for schema in file.schemas:
                self._first.setdefault(schema.name, (file, schema))
        includes = (include for file in files for schema in file.schemas for include in schema.includes)
        self._included = {include.pattern for include in includes}
        self._solved: dict[tuple[Path, str], Solved] = {}

    def problems(self, store: WordStore) -> Iterator[DataError]:
        """All that is wrong: what nobody has, names used twice in a file, patterns that include themselves."""
        for file in self.files:
            known = {name: schema for name, (_, schema) in self._first.items()}
            known |= {schema.name: schema for schema in file.schemas}
            seen: set[str] = set()
            for schema in file.schemas:
                if schema.name in seen:
                    found = f"{quoted(schema.name)} twice"
                    yield DataError(
                        file.path, schema.line, expected="a name of its own for each pattern", found=found
                    )
                seen.add(schema.name)
                for problem in problems(schema, store, known):
                    yield problem.at(file.path)
                if cycle := self._cycle(file, schema, ()):
                    include, through = cycle
                    found = " includes ".join(quoted(name) for name in through)
                    yield DataError(
                        file.path, include.line, expected="a pattern that does not include itself", found=found
                    )

    def solve(self, file: PatternFile, solver: Solver) -> list[Solved]:
        """The solutions of a file's patterns. The library must be without problems."""
        return [self._solve(file, schema, solver) for schema in file.schemas]

    def _solve(self, file: PatternFile, schema: Schema, solver: Solver) -> Solved:
        key = file.path, schema.name
        if key in self._solved:
            return self._solved[key]
        included = {
            include.reference: self._solve(*found, solver)
            for include in schema.includes
            if (found := self._find(file, include.pattern))
        }
        try:
            solved = solver.solve(schema, included)
        except DataError as error:
            raise error.at(file.path) from None
        if schema.name in self._included:
            self._solved[key] = solved
        return solved

    def _find(self, file: PatternFile, name: str) -> tuple[PatternFile, Schema] | None:
        own = next(((file, schema) for schema in file.schemas if schema.name == name), None)
        return own or self._first.get(name)

    def _cycle(
        self, file: PatternFile, schema: Schema, through: tuple[tuple[Path, str], ...]
    ) -> tuple[Include, list[str]] | None:
        """The include with which a pattern comes back to itself, and the names on the way."""
        way = (*through, (file.path, schema.name))
        for include in schema.includes:
            if found := self._find(file, include.pattern):
                key = found[0].path, found[1].name
                if key == way[0]:
                    return include, [name for _, name in (*way, key)]
                if key not in way and (cycle := self._cycle(*found, way)):
                    return (include, cycle[1]) if not through else cycle
        return None
