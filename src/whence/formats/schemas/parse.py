"""Reading pattern files by recursive descent.

    file       := pattern*
    pattern    := "inferencepattern" NAME item* "endinferencepattern"
    item       := "description" "=" STRING | row | constraint | include
    row        := "row" ["*"] NAME "=" "[" ("TABLE" | "UUID") ":" STRING ("," COLUMN ":" cell)* "]"
    cell       := concat ("||" concat)*
    concat     := term ("+" term)*
    term       := "<" ["*" | "~"] VARIABLE ">" | ["*" | "~"] STRING
    constraint := "musthaveoromit" "(" condition ")"
    condition  := both ("||" both)*
    both       := factor ("&&" factor)*
    factor     := "(" condition ")" | operand ("==" | "!=") operand
    operand    := [REFERENCE "."] "<" NAME ">" | STRING
    include    := "infpat" REFERENCE "=" NAME

White space is free. Comments are `// ...` to the end of the line and `/* ... */`. A string stands in "..." or
'...' on one line; nothing is escaped in it. The language has more; no published pattern uses it.
"""

from __future__ import annotations

import difflib

from whence.errors import DataError, quoted
from whence.formats.schemas.tokens import (
    ITEM_WORDS,
    ITEMS_IN_WORDS,
    KEYWORDS,
    LONGEST_KEYWORD,
    MAX_NESTING,
    UNSUPPORTED,
    Cursor,
    Token,
    tokens,
    unexpected,
)
from whence.structures.schema import (
    AllOf,
    AnyOf,
    CellPattern,
    Comparison,
    Concatenation,
    Condition,
    Constraint,
    Include,
    Literal,
    Operand,
    Reference,
    RowPattern,
    Schema,
    Source,
    TableSource,
    Term,
    UidSource,
    Variable,
)


def parse_schemas(text: str) -> tuple[Schema, ...]:
    """The patterns of a file, in order; `DataError` with the line of the first thing outside the grammar.

    `&&` binds closer than `||` in a condition, though no published pattern mixes them without parentheses.
    """
    cursor = Cursor([token for token in tokens(text) if token.kind != "comment"])
    schemas = []
    while cursor.peek().kind != "end":
        schemas.append(_parse_schema(cursor))
    return tuple(schemas)


def _parse_schema(cursor: Cursor) -> Schema:
    if not cursor.at("inferencepattern"):
        token = cursor.peek()
        raise unexpected(token, "'inferencepattern'", _suggestion(token, ("inferencepattern",)))
    line = cursor.take().line
    name = cursor.name("the name of the pattern").text
    description: str | None = None
    rows: list[RowPattern] = []
    constraints: list[Constraint] = []
    includes: list[Include] = []
    while not cursor.take_if("endinferencepattern"):
        item = cursor.peek()
        if cursor.at("row"):
            rows.append(_parse_row(cursor))
        elif cursor.at("musthaveoromit"):
            constraints.append(_parse_constraint(cursor))
        elif cursor.at("infpat"):
            includes.append(_parse_include(cursor))
        elif not cursor.at("description"):
            raise _unexpected_item(item, name, line)
        elif description is not None:
            raise unexpected(item, "one description a pattern")
        else:
            description = _parse_description(cursor)
    return Schema(name, tuple(rows), tuple(constraints), tuple(includes), description or "", line)


def _unexpected_item(token: Token, name: str, line: int) -> DataError:
    if token.kind == "end" or (token.kind == "name" and token.text == "inferencepattern"):
        return unexpected(token, f"'endinferencepattern' for the pattern {quoted(name)} of line {line}")
    return unexpected(token, ITEMS_IN_WORDS, _suggestion(token, ITEM_WORDS))


def _suggestion(token: Token, words: tuple[str, ...]) -> str:
    if token.kind != "name" or token.text in UNSUPPORTED | KEYWORDS:
        return ""
    near = difflib.get_close_matches(token.text[: LONGEST_KEYWORD + 1].lower(), words, n=1)
    return f"Did you mean '{near[0]}'?" if near else "Code is not supported, only patterns."


def _parse_description(cursor: Cursor) -> str:
    cursor.expect("description")
    cursor.expect("=")
    return cursor.string("the description, a string").text


def _parse_include(cursor: Cursor) -> Include:
    line = cursor.expect("infpat").line
    reference = cursor.name("a name for the included pattern").text
    cursor.expect("=")
    return Include(reference, cursor.name("the name of the pattern to include").text, line)


def _parse_row(cursor: Cursor) -> RowPattern:
    line = cursor.expect("row").line
    optional = cursor.take_if("*")
    name = cursor.name("the name of the row").text
    cursor.expect("=")
    cursor.expect("[")
    source = _parse_source(cursor)
    cells: list[CellPattern] = []
    while cursor.take_if(","):
        cells.append(_parse_cell(cursor))
    cursor.expect("]", "'+', '||', ',' or ']'" if cells else "',' or ']'")
    return RowPattern(name, source, tuple(cells), optional, line)


def _parse_source(cursor: Cursor) -> Source:
    kind = cursor.take()
    if kind.kind != "name" or kind.text not in ("TABLE", "UUID"):
        raise unexpected(kind, "'TABLE' or 'UUID'")
    cursor.expect(":")
    if kind.text == "TABLE":
        table = cursor.string("the name of a table, a string")
        return TableSource(table.text, table.line)
    uid = cursor.string("the UUID of a row, a string")
    return UidSource(uid.text, uid.line)


def _parse_cell(cursor: Cursor) -> CellPattern:
    column = cursor.name("the name of a column")
    cursor.expect(":")
    alternatives = [_parse_concatenation(cursor)]
    while cursor.take_if("||"):
        alternatives.append(_parse_concatenation(cursor))
    return CellPattern(column.text, tuple(alternatives), column.line)


def _parse_concatenation(cursor: Cursor) -> Concatenation:
    terms = [_parse_term(cursor)]
    while cursor.take_if("+"):
        terms.append(_parse_term(cursor))
    return Concatenation(tuple(terms))


def _parse_term(cursor: Cursor) -> Term:
    if cursor.take_if("<"):
        optional, relaxable = _parse_marks(cursor)
        name = cursor.name("the name of a variable").text
        cursor.expect(">", "'>' after the name of the variable")
        return Variable(name, optional, relaxable)
    optional, relaxable = _parse_marks(cursor)
    if cursor.at("<"):
        raise unexpected(cursor.peek(), "a string after the mark", "A variable has its mark inside: <*name>.")
    return Literal(cursor.string("a string or a <variable>").text, optional, relaxable)


def _parse_marks(cursor: Cursor) -> tuple[bool, bool]:
    """Whether the term that follows is optional and whether it is relaxable."""
    if not cursor.at("*", "~"):
        return False, False
    mark = cursor.take()
    if cursor.at("*", "~"):
        found = quoted(f"{mark.text}{cursor.peek().text}")
        raise DataError(
            line=cursor.peek().line,
            expected="one mark before a term, '*' (optional) or '~' (relaxable)",
            found=found,
            advice="A term is never both.",
        )
    return mark.text == "*", mark.text == "~"


def _parse_constraint(cursor: Cursor) -> Constraint:
    line = cursor.expect("musthaveoromit").line
    cursor.expect("(")
    condition = _parse_condition(cursor, nesting=0)
    cursor.expect(")", "'&&', '||' or ')'")
    return Constraint(condition, line)


def _parse_condition(cursor: Cursor, nesting: int) -> Condition:
    parts = [_parse_both(cursor, nesting)]
    while cursor.take_if("||"):
        parts.append(_parse_both(cursor, nesting))
    return AnyOf(tuple(parts)) if len(parts) > 1 else parts[0]


def _parse_both(cursor: Cursor, nesting: int) -> Condition:
    parts = [_parse_factor(cursor, nesting)]
    while cursor.take_if("&&"):
        parts.append(_parse_factor(cursor, nesting))
    return AllOf(tuple(parts)) if len(parts) > 1 else parts[0]


def _parse_factor(cursor: Cursor, nesting: int) -> Condition:
    if not cursor.at("("):
        return _parse_comparison(cursor)
    if nesting == MAX_NESTING:
        raise unexpected(cursor.peek(), f"at most {MAX_NESTING} parentheses within each other")
    cursor.take()
    condition = _parse_condition(cursor, nesting + 1)
    cursor.expect(")", "'&&', '||' or ')'")
    return condition


def _parse_comparison(cursor: Cursor) -> Comparison:
    left = _parse_operand(cursor)
    if not cursor.at("==", "!="):
        advice = "Comparisons of size are not supported." if cursor.at("<", ">") else ""
        raise unexpected(cursor.peek(), "'==' or '!='", advice)
    equal = cursor.take().text == "=="
    return Comparison(left, _parse_operand(cursor), equal)


def _parse_operand(cursor: Cursor) -> Operand:
    token = cursor.peek()
    if token.kind == "string":
        return cursor.take().text
    include = ""
    if not cursor.at("<"):
        include = cursor.name("<name>, REFERENCE.<name> or a string").text
        cursor.expect(".", f"'.<name>' after the reference {quoted(include)}")
    cursor.expect("<", "a <name>")
    name = cursor.name("the name of a row or variable").text
    cursor.expect(">", "'>' after the name")
    return Reference(name, include, token.line)
