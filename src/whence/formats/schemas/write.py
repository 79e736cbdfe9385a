"""Writing pattern files, one row a line."""

from __future__ import annotations

from collections.abc import Iterable

from whence.errors import UsageError, quoted
from whence.formats.schemas.tokens import KEYWORDS, MAX_NESTING, NAME
from whence.structures.schema import (
    AllOf,
    CellPattern,
    Comparison,
    Condition,
    Constraint,
    Include,
    Operand,
    RowPattern,
    Schema,
    Source,
    TableSource,
    Term,
    Variable,
)


def format_schemas(schemas: Iterable[Schema]) -> str:
    """The text of a pattern file, one row a line, such that `parse_schemas` gives equal values.

    `UsageError` for values that the language cannot express: a name that is none, a string with both quotes.
    """
    return "\n".join(_format_schema(schema) for schema in schemas)


def _format_schema(schema: Schema) -> str:
    parts = [
        [f"description = {_format_string(schema.description)}"] if schema.description else [],
        [_format_include(include) for include in schema.includes],
        [_format_row(row) for row in schema.rows],
        [_format_constraint(constraint) for constraint in schema.constraints],
    ]
    body = "".join("".join(f"    {line}\n" for line in part) + "\n" for part in parts if part)
    return f"inferencepattern {_format_name(schema.name)}\n\n{body}endinferencepattern\n"


def _format_include(include: Include) -> str:
    return f"infpat {_format_name(include.reference)} = {_format_name(include.pattern)}"


def _format_row(row: RowPattern) -> str:
    mark = "*" if row.optional else ""
    content = ", ".join([_format_source(row.source), *map(_format_cell, row.cells)])
    return f"row {mark}{_format_name(row.name)} = [{content}]"


def _format_source(source: Source) -> str:
    if isinstance(source, TableSource):
        return f"TABLE:{_format_string(source.table)}"
    return f"UUID:{_format_string(source.uid)}"


def _format_cell(cell: CellPattern) -> str:
    alternatives = [_joined(" + ", map(_format_term, option.terms), least=1) for option in cell.alternatives]
    return f"{_format_name(cell.column)}: {_joined(' || ', alternatives, least=1)}"


def _format_term(term: Term) -> str:
    if term.optional and term.relaxable:
        raise UsageError(f"{term} cannot be written: a term is optional or relaxable, not both.")
    mark = "*" if term.optional else "~" if term.relaxable else ""
    if isinstance(term, Variable):
        return f"<{mark}{_format_name(term.name)}>"
    return f"{mark}{_format_string(term.text)}"


def _format_constraint(constraint: Constraint) -> str:
    return f"musthaveoromit({_format_condition(constraint.condition, nesting=0)})"


def _format_condition(condition: Condition, nesting: int) -> str:
    if isinstance(condition, Comparison):
        operator = "==" if condition.equal else "!="
        return f"{_format_operand(condition.left)} {operator} {_format_operand(condition.right)}"
    joint = " && " if isinstance(condition, AllOf) else " || "
    return _joined(joint, (_format_part(part, nesting) for part in condition.parts), least=2)


def _format_part(part: Condition, nesting: int) -> str:
    if isinstance(part, Comparison):
        return _format_condition(part, nesting)
    if nesting == MAX_NESTING:
        raise UsageError(f"A condition may have {MAX_NESTING} parentheses within each other, not more.")
    return f"({_format_condition(part, nesting + 1)})"


def _format_operand(operand: Operand) -> str:
    if isinstance(operand, str):
        return _format_string(operand)
    prefix = f"{_format_name(operand.include)}." if operand.include else ""
    return f"{prefix}<{_format_name(operand.name)}>"


def _joined(joint: str, parts: Iterable[str], *, least: int) -> str:
    written = list(parts)
    if len(written) < least:
        raise UsageError(f"Joining by '{joint.strip()}' takes at least {least} part(s), found {len(written)}.")
    return joint.join(written)


def _format_name(name: str) -> str:
    if not NAME.fullmatch(name) or name in KEYWORDS:
        raise UsageError(
            f"{quoted(name)} cannot be written as a name: a name has letters, digits and _, does not begin"
            " with a digit and is no keyword."
        )
    return name


def _format_string(text: str) -> str:
    if "\n" in text:
        raise UsageError(f"{quoted(text)} cannot be written as a string: it has a line break.")
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    raise UsageError(f"{quoted(text)} cannot be written as a string: it has both kinds of quotes.")
