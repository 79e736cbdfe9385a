"""The fields of a form, by names that have parts: `field:graph:0:head`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.datastructures import FormData

SEPARATOR = ":"


@dataclass(frozen=True, slots=True)
class Fields:
    """Those fields of a form whose names begin alike."""

    form: FormData
    prefix: str

    def text(self, *name: str) -> str:
        """What stands in a field, without space around it; empty where there is no such field."""
        value = self.form.get(SEPARATOR.join((self.prefix, *name)), "")
        return value.strip() if isinstance(value, str) else ""

    def texts(self, *name: str) -> tuple[str, ...]:
        """What stands in all fields of a name."""
        values = self.form.getlist(SEPARATOR.join((self.prefix, *name)))
        return tuple(value.strip() for value in values if isinstance(value, str) and value.strip())

    def within(self, *name: str) -> Fields:
        """Those whose names go on so."""
        return Fields(self.form, SEPARATOR.join((self.prefix, *name)))

    def rows(self) -> Iterator[tuple[int, Fields]]:
        """The rows of a table, in their order: fields whose names go on with a number."""
        start = self.prefix + SEPARATOR
        found = {name[len(start) :].split(SEPARATOR)[0] for name in self.form if name.startswith(start)}
        for number in sorted(int(part) for part in found if part.isascii() and part.isdigit() and len(part) < 6):
            yield number, self.within(str(number))

    def ending(self) -> dict[str, str]:
        """What stands in each field, by how its name goes on."""
        start = self.prefix + SEPARATOR
        return {
            name[len(start) :]: value.strip()
            for name, value in self.form.items()
            if name.startswith(start) and isinstance(value, str) and value.strip()
        }
