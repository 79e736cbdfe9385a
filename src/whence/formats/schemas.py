"""CoSaTa's inference patterns (`*.iml`) and their released solutions (`*.json`): text <-> structures.

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
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from whence.errors import DataError, UsageError, quoted
from whence.files import Json
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
    SchemaSolutions,
    Source,
    TableSource,
    Term,
    UidSource,
    Variable,
)

MAX_NESTING = 50
"""Parentheses within parentheses that a condition may have. Published patterns have three."""

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>//[^\n]*|/\*[\s\S]*?\*/)
    | (?P<string>"[^"\n]*"|'[^'\n]*')
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>[0-9][A-Za-z0-9_]*)
    | (?P<sign>\|\||&&|==|!=|[][=:,+*~<>().])
    """,
    re.VERBOSE,
)
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")

_ITEMS_IN_WORDS = "'row', 'description', 'musthaveoromit', 'infpat' or 'endinferencepattern'"
_ITEM_WORDS = ("row", "description", "musthaveoromit", "infpat", "endinferencepattern")
_KEYWORDS = frozenset({"inferencepattern", *_ITEM_WORDS, "TABLE", "UUID"})
_LONGEST_KEYWORD = max(map(len, _KEYWORDS))
# fmt: off
_UNSUPPORTED = frozenset({
    "addExplanationText", "attachRowToInstance", "break", "const", "detachRowFromInstance", "else",
    "endfunction", "endif", "endprocess", "endtemporalblock", "endwhile", "executeAutoPatterns",
    "executePattern", "executionmode", "exit", "exportInfPatDebugHTML", "exportInfPatHTML",
    "exportInfPatJSON", "exportStateSpaceHTML", "exportTableStoreHTML", "function", "generateRow",
    "getStateWithName", "if", "import", "importFolder", "incrementState", "instance", "instantiate",
    "instmap", "main", "meetsRequirements", "musthave", "patterndescription", "populateInfPatMatches",
    "printInstances", "printState", "printVariables", "println", "process", "processStageComplete",
    "processStageTransition", "removeRow", "removeRows", "require", "return", "rowequiv",
    "setEnvironmentVariable", "setStateName", "shouldhave", "temporalblock", "var", "while",
})
# fmt: on
_STRAIGHT_QUOTES = "Strings stand in straight quotes: \"...\" or '...'."
_STRAY_ADVICE = {
    "|": "Alternatives are joined by two bars: ||.",
    "&": "Conditions are joined by two signs: &&.",
    "!": "There is no negation; two operands differ with !=.",
    **dict.fromkeys("“”„‘’«»`", _STRAIGHT_QUOTES),
}

_CELL_COMMENT = r'[A-Za-z0-9_]+:[ ]?"[^"\n]*"[ \t]*'
_ROW_COMMENT = re.compile(rf"\(([\w-]+)\)[ \t]*\[[ \t]*((?:{_CELL_COMMENT}(?:,[ \t]*{_CELL_COMMENT})*)?)\]")
_CELL_PARTS = re.compile(r'([A-Za-z0-9_]+):[ ]?"([^"\n]*)"')


def parse_schemas(text: str) -> tuple[Schema, ...]:
    """The patterns of a file, in order; `DataError` with the line of the first thing outside the grammar.

    `&&` binds closer than `||` in a condition, though no published pattern mixes them without parentheses.
    """
    cursor = _Cursor([token for token in _tokens(text) if token.kind != "comment"])
    schemas = []
    while cursor.peek().kind != "end":
        schemas.append(_parse_schema(cursor))
    return tuple(schemas)


def format_schemas(schemas: Iterable[Schema]) -> str:
    """The text of a pattern file, one row a line, such that `parse_schemas` gives equal values.

    `UsageError` for values that the language cannot express: a name that is none, a string with both quotes.
    """
    return "\n".join(_format_schema(schema) for schema in schemas)


def row_comment_lemmas(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The content lemmas that row comments tell of a cell's alternatives: uid -> column -> alternatives.

    A row comment holds `(uid) [ COLUMN:"lemmas", OTHER:"lemmas;other lemmas" ]`; other comments are passed
    over. Where a uid occurs more than once, the first counts. Lemmas are given as they stand: before the lemma
    `1` the published comments have a byte-order mark, or `?` for it, that came from the solver's word list.
    """
    rows: dict[str, dict[str, tuple[str, ...]]] = {}
    for token in _tokens(text):
        if token.kind == "comment":
            for uid, cells in _ROW_COMMENT.findall(token.text):
                rows.setdefault(uid, {column: _alternatives(cell) for column, cell in _CELL_PARTS.findall(cells)})
    return rows


def parse_solutions(value: Json) -> tuple[SchemaSolutions, ...]:
    """The solutions in a JSON value `[{"pattern", "slots", "solutions": [[uid or ""]]}]`, one uid a slot."""
    if not isinstance(value, list):
        raise DataError(expected="a list of patterns with solutions", found=_shown_json(value))
    return tuple(_parse_pattern_solutions(item, number) for number, item in enumerate(value, start=1))


def format_solutions(solutions: Iterable[SchemaSolutions]) -> list[dict[str, Json]]:
    """The JSON value of solutions, such that `parse_solutions` gives equal values."""
    return [
        {
            "pattern": pattern.pattern,
            "slots": list(pattern.slots),
            "solutions": [list(solution) for solution in pattern.solutions],
        }
        for pattern in solutions
    ]


# Tokens


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a text, comments included, white space not; the last is of kind `end`."""
    position = 0
    line = 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _stray(text, position, line)
        kind = match.lastgroup or ""
        found = match.group()
        if kind == "string":
            yield _Token(kind, found[1:-1], line)
        elif kind != "space":
            yield _Token(kind, found, line)
        if kind in ("space", "comment"):
            line += found.count("\n")
        position = match.end()
    yield _Token("end", "", text.rstrip().count("\n") + 1)


def _stray(text: str, position: int, line: int) -> DataError:
    character = text[position]
    if text.startswith("/*", position):
        return DataError(line=line, expected="'*/' at the end of the comment", found="the end of the file")
    if character in "\"'":
        rest = text[position:].split("\n", maxsplit=1)[0].rstrip()
        return DataError(
            line=line,
            expected=f"{character} at the end of the string, on the same line",
            found=quoted(rest),
        )
    return DataError(
        line=line,
        expected="a name, a string or a sign of the pattern language",
        found=f"the character {quoted(character)}",
        advice=_STRAY_ADVICE.get(character, ""),
    )


def _unexpected(token: _Token, expected: str, advice: str = "") -> DataError:
    return DataError(line=token.line, expected=expected, found=_shown_token(token), advice=advice)


def _shown_token(token: _Token) -> str:
    if token.kind == "end":
        return "the end of the file"
    if token.kind == "string":
        return f"the string {quoted(token.text)}"
    if token.kind == "name" and token.text in _UNSUPPORTED:
        return f"{quoted(token.text)}, which is not supported here though the pattern language has it"
    return quoted(token.text)


@dataclass(slots=True)
class _Cursor:
    """A place in a list of tokens that ends with one of kind `end`."""

    tokens: list[_Token]
    position: int = 0

    def peek(self) -> _Token:
        return self.tokens[self.position]

    def take(self) -> _Token:
        token = self.tokens[self.position]
        if token.kind != "end":
            self.position += 1
        return token

    def at(self, *symbols: str) -> bool:
        """Whether the next token is one of these signs or keywords."""
        token = self.peek()
        return token.kind in ("name", "sign") and token.text in symbols

    def take_if(self, symbol: str) -> bool:
        if not self.at(symbol):
            return False
        self.position += 1
        return True

    def expect(self, symbol: str, expected: str = "") -> _Token:
        if not self.at(symbol):
            raise _unexpected(self.peek(), expected or f"'{symbol}'")
        return self.take()

    def name(self, expected: str) -> _Token:
        token = self.take()
        if token.kind != "name":
            raise _unexpected(token, expected)
        if token.text in _KEYWORDS:
            raise _unexpected(token, expected, f"The language reserves the word '{token.text}'.")
        return token

    def string(self, expected: str) -> _Token:
        token = self.take()
        if token.kind != "string":
            raise _unexpected(token, expected)
        return token


# Parsing patterns


def _parse_schema(cursor: _Cursor) -> Schema:
    if not cursor.at("inferencepattern"):
        token = cursor.peek()
        raise _unexpected(token, "'inferencepattern'", _suggestion(token, ("inferencepattern",)))
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
            raise _unexpected(item, "one description a pattern")
        else:
            description = _parse_description(cursor)
    return Schema(name, tuple(rows), tuple(constraints), tuple(includes), description or "", line)


def _unexpected_item(token: _Token, name: str, line: int) -> DataError:
    if token.kind == "end" or (token.kind == "name" and token.text == "inferencepattern"):
        return _unexpected(token, f"'endinferencepattern' for the pattern {quoted(name)} of line {line}")
    return _unexpected(token, _ITEMS_IN_WORDS, _suggestion(token, _ITEM_WORDS))


def _suggestion(token: _Token, words: tuple[str, ...]) -> str:
    if token.kind != "name" or token.text in _UNSUPPORTED | _KEYWORDS:
        return ""
    near = difflib.get_close_matches(token.text[: _LONGEST_KEYWORD + 1].lower(), words, n=1)
    return f"Did you mean '{near[0]}'?" if near else "Code is not supported, only patterns."


def _parse_description(cursor: _Cursor) -> str:
    cursor.expect("description")
    cursor.expect("=")
    return cursor.string("the description, a string").text


def _parse_include(cursor: _Cursor) -> Include:
    line = cursor.expect("infpat").line
    reference = cursor.name("a name for the included pattern").text
    cursor.expect("=")
    return Include(reference, cursor.name("the name of the pattern to include").text, line)


def _parse_row(cursor: _Cursor) -> RowPattern:
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


def _parse_source(cursor: _Cursor) -> Source:
    kind = cursor.take()
    if kind.kind != "name" or kind.text not in ("TABLE", "UUID"):
        raise _unexpected(kind, "'TABLE' or 'UUID'")
    cursor.expect(":")
    if kind.text == "TABLE":
        table = cursor.string("the name of a table, a string")
        return TableSource(table.text, table.line)
    uid = cursor.string("the UUID of a row, a string")
    return UidSource(uid.text, uid.line)


def _parse_cell(cursor: _Cursor) -> CellPattern:
    column = cursor.name("the name of a column")
    cursor.expect(":")
    alternatives = [_parse_concatenation(cursor)]
    while cursor.take_if("||"):
        alternatives.append(_parse_concatenation(cursor))
    return CellPattern(column.text, tuple(alternatives), column.line)


def _parse_concatenation(cursor: _Cursor) -> Concatenation:
    terms = [_parse_term(cursor)]
    while cursor.take_if("+"):
        terms.append(_parse_term(cursor))
    return Concatenation(tuple(terms))


def _parse_term(cursor: _Cursor) -> Term:
    if cursor.take_if("<"):
        optional, relaxable = _parse_marks(cursor)
        name = cursor.name("the name of a variable").text
        cursor.expect(">", "'>' after the name of the variable")
        return Variable(name, optional, relaxable)
    optional, relaxable = _parse_marks(cursor)
    if cursor.at("<"):
        raise _unexpected(cursor.peek(), "a string after the mark", "A variable has its mark inside: <*name>.")
    return Literal(cursor.string("a string or a <variable>").text, optional, relaxable)


def _parse_marks(cursor: _Cursor) -> tuple[bool, bool]:
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


# Parsing conditions


def _parse_constraint(cursor: _Cursor) -> Constraint:
    line = cursor.expect("musthaveoromit").line
    cursor.expect("(")
    condition = _parse_condition(cursor, nesting=0)
    cursor.expect(")", "'&&', '||' or ')'")
    return Constraint(condition, line)


def _parse_condition(cursor: _Cursor, nesting: int) -> Condition:
    parts = [_parse_both(cursor, nesting)]
    while cursor.take_if("||"):
        parts.append(_parse_both(cursor, nesting))
    return AnyOf(tuple(parts)) if len(parts) > 1 else parts[0]


def _parse_both(cursor: _Cursor, nesting: int) -> Condition:
    parts = [_parse_factor(cursor, nesting)]
    while cursor.take_if("&&"):
        parts.append(_parse_factor(cursor, nesting))
    return AllOf(tuple(parts)) if len(parts) > 1 else parts[0]


def _parse_factor(cursor: _Cursor, nesting: int) -> Condition:
    if not cursor.at("("):
        return _parse_comparison(cursor)
    if nesting == MAX_NESTING:
        raise _unexpected(cursor.peek(), f"at most {MAX_NESTING} parentheses within each other")
    cursor.take()
    condition = _parse_condition(cursor, nesting + 1)
    cursor.expect(")", "'&&', '||' or ')'")
    return condition


def _parse_comparison(cursor: _Cursor) -> Comparison:
    left = _parse_operand(cursor)
    if not cursor.at("==", "!="):
        advice = "Comparisons of size are not supported." if cursor.at("<", ">") else ""
        raise _unexpected(cursor.peek(), "'==' or '!='", advice)
    equal = cursor.take().text == "=="
    return Comparison(left, _parse_operand(cursor), equal)


def _parse_operand(cursor: _Cursor) -> Operand:
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


# Formatting patterns


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
    if not _NAME.fullmatch(name) or name in _KEYWORDS:
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


# Row comments and solutions


def _alternatives(cell: str) -> tuple[str, ...]:
    return tuple(alternative.strip() for alternative in cell.split(";"))


def _parse_pattern_solutions(item: Json, number: int) -> SchemaSolutions:
    fields = ("pattern", "slots", "solutions")
    if not isinstance(item, dict) or set(item) != set(fields):
        raise DataError(
            expected=f"an object with the fields {', '.join(fields)} as item {number}",
            found=_shown_json(item),
        )
    pattern, slots, solutions = (item[name] for name in fields)
    if not isinstance(pattern, str):
        raise DataError(expected=f"the name of a pattern in item {number}", found=_shown_json(pattern))
    if not _is_strings(slots):
        raise DataError(expected=f"a list of slot names for {quoted(pattern)}", found=_shown_json(slots))
    if not isinstance(solutions, list):
        raise DataError(expected=f"a list of solutions for {quoted(pattern)}", found=_shown_json(solutions))
    for place, solution in enumerate(solutions, start=1):
        if not _is_strings(solution) or len(solution) != len(slots):
            raise DataError(
                expected=f"a list of {len(slots)} uids, one a slot, as solution {place} of {quoted(pattern)}",
                found=_shown_json(solution),
            )
    return SchemaSolutions(pattern, tuple(slots), tuple(tuple(solution) for solution in solutions))


def _is_strings(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


_JSON_KINDS = {type(None): "null", bool: "true or false", int: "a number", float: "a number"}


def _shown_json(value: Json) -> str:
    if isinstance(value, dict):
        return f"an object with the fields {quoted(', '.join(map(str, value)))}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}" if _is_strings(value) else f"a list of {len(value)}, not all strings"
    if isinstance(value, str):
        return quoted(value)
    return _JSON_KINDS.get(type(value), f"a {type(value).__name__}")
