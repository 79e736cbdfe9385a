"""Rows in Parquet files, by pyarrow, whose columns have the types of the structures."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

from whence.errors import DataError, MissingDataError, UsageError, printable
from whence.files import Json, write_bytes
from whence.formats.rows import columns, is_structure

SUFFIX = ".parquet"


def read_parquet(path: Path) -> Iterator[tuple[int, dict[str, Json]]]:
    """The numbered rows of a file."""
    arrow, parquet = _arrow()
    try:
        with parquet.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches():
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except FileNotFoundError:
        raise MissingDataError(f"{path}: no such file") from None
    except (arrow.ArrowException, OSError) as error:
        raise DataError(path, expected="a Parquet file", found=printable(str(error))) from None


def write_parquet(path: Path, rows: Iterable[Mapping[str, Json]], kind: Any) -> None:
    """Writes rows of records of that type, all or nothing."""
    arrow, parquet = _arrow()
    schema = arrow.schema([("whence", arrow.string()), ("task", arrow.string()), *_members(kind, arrow)])
    written = io.BytesIO()
    try:
        parquet.write_table(arrow.Table.from_pylist(list(rows), schema=schema), written, compression="zstd")
    except (arrow.ArrowException, OverflowError, UnicodeEncodeError) as error:
        raise DataError(path, expected="values that Parquet has", found=printable(str(error))) from None
    write_bytes(path, written.getvalue())


def _members(kind: Any, arrow: Any) -> list[tuple[str, Any]]:
    return [(name, _type(inner, arrow)) for name, inner in columns(kind).items()]


def _type(kind: Any, arrow: Any) -> Any:
    plain = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
    if kind in plain:
        return plain[kind]
    if is_structure(kind):
        return arrow.struct(_members(kind, arrow))
    if get_origin(kind) is tuple:
        return arrow.list_(_type(get_args(kind)[0], arrow))
    return arrow.string()  # `meta` is a JSON text


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("this needs pyarrow: pip install 'whence[parquet]'") from None
    return pyarrow, pyarrow.parquet
