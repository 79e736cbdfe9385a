"""A table store as words: what schemas are solved over."""

from __future__ import annotations

import re
from functools import cache
from itertools import zip_longest
from pathlib import Path

from whence.errors import DataError
from whence.files import read_lines
from whence.formats.cells import Lemmatise, alternatives
from whence.formats.lemmas import listed_lemma, parse_word_list, schema_lemma
from whence.structures.facts import FactBase, Table, cell, sentence, why_dropped
from whence.structures.words import Alternative, WordRow, WordStore, WordTable
from whence.tasks.ranked_facts.schemas.completion import Read, completed

_NO_NAME = re.compile("[^A-Z0-9 ]")


def word_store(facts: FactBase, lemmatise: Lemmatise) -> WordStore:
    """The live rows of a table store as words, with what follows from `KINDOF` rows added to that table."""

    @cache  # cells repeat: most of them say what joins others
    def read(text: str) -> tuple[Alternative, ...]:
        return alternatives(text, lemmatise)

    tables = (completed(table, read) for table in facts.tables if "id" in table.roles)
    return WordStore(tuple(word_table(table, read) for table in tables))


def word_names(facts: FactBase) -> WordStore:
    """The tables with their columns and rows, but without words: enough to know what there is."""
    tables = (table for table in facts.tables if "id" in table.roles)
    return WordStore(tuple(word_table(table, lambda _: ()) for table in tables))


def word_table(table: Table, read: Read) -> WordTable:
    """The live rows of a table as words. Of two columns with the same name the later counts."""
    names = [column_name(header) for header in table.headers]
    columns = {header.strip().lower(): name for header, name in zip(table.headers, names, strict=True)}
    columns |= {name.lower(): name for name in names}
    rows = []
    for row in table.rows:
        if not why_dropped(table, row):
            texts = {}
            for name, role, text in zip_longest(names, table.roles, row[: len(names)], fillvalue=""):
                texts[name] = text if role in ("data", "fill") else ""
            found = {name: read(text) for name, text in texts.items() if text}
            cells = {name: readings for name, readings in found.items() if any(readings)}
            rows.append(WordRow(cell(table, row, "id"), cells, sentence(table, row)))
    return WordTable(table.name, columns, tuple(rows))


def column_name(header: str) -> str:
    """A header as patterns write it: `OBJECT/AGENT` is `OBJECT_AGENT`."""
    return "_".join(_NO_NAME.sub(" ", header.upper()).split())


def lemmatiser(path: Path | None) -> Lemmatise:
    """Dictionary forms by the list in a file, or by the default package; with CoSaTa's additions."""
    if path is None:
        return schema_lemma
    try:
        return listed_lemma(parse_word_list(read_lines(path)))
    except DataError as error:
        raise error.at(path) from None
