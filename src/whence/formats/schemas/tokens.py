"""Names, strings and signs of a pattern file, with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from whence.errors import DataError, quoted

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
NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")

ITEMS_IN_WORDS = "'row', 'description', 'musthaveoromit', 'infpat' or 'endinferencepattern'"
ITEM_WORDS = ("row", "description", "musthaveoromit", "infpat", "endinferencepattern")
KEYWORDS = frozenset({"inferencepattern", *ITEM_WORDS, "TABLE", "UUID"})
LONGEST_KEYWORD = max(map(len, KEYWORDS))
# fmt: off
UNSUPPORTED = frozenset({
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


class Token(NamedTuple):
    """A piece of the text. Kinds: name, number, string, sign, comment, end."""

    kind: str
    text: str
    line: int


def tokens(text: str) -> Iterator[Token]:
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
            yield Token(kind, found[1:-1], line)
        elif kind != "space":
            yield Token(kind, found, line)
        if kind in ("space", "comment"):
            line += found.count("\n")
        position = match.end()
    yield Token("end", "", text.rstrip().count("\n") + 1)


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


def unexpected(token: Token, expected: str, advice: str = "") -> DataError:
    """The error of a token that stands where something else was expected."""
    return DataError(line=token.line, expected=expected, found=_shown_token(token), advice=advice)


def _shown_token(token: Token) -> str:
    if token.kind == "end":
        return "the end of the file"
    if token.kind == "string":
        return f"the string {quoted(token.text)}"
    if token.kind == "name" and token.text in UNSUPPORTED:
        return f"{quoted(token.text)}, which is not supported here though the pattern language has it"
    return quoted(token.text)


@dataclass(slots=True)
class Cursor:
    """A place in a list of tokens that ends with one of kind `end`."""

    tokens: list[Token]
    position: int = 0

    def peek(self) -> Token:
        """The next token, left where it is."""
        return self.tokens[self.position]

    def take(self) -> Token:
        """The next token, passed over; the end is never passed."""
        token = self.tokens[self.position]
        if token.kind != "end":
            self.position += 1
        return token

    def at(self, *symbols: str) -> bool:
        """Whether the next token is one of these signs or keywords."""
        token = self.peek()
        return token.kind in ("name", "sign") and token.text in symbols

    def take_if(self, symbol: str) -> bool:
        """Whether the symbol came next; if so it is passed over."""
        if not self.at(symbol):
            return False
        self.position += 1
        return True

    def expect(self, symbol: str, expected: str = "") -> Token:
        """The symbol, which must come next."""
        if not self.at(symbol):
            raise unexpected(self.peek(), expected or f"'{symbol}'")
        return self.take()

    def name(self, expected: str) -> Token:
        """A name, which must come next."""
        token = self.take()
        if token.kind != "name":
            raise unexpected(token, expected)
        if token.text in KEYWORDS:
            raise unexpected(token, expected, f"The language reserves the word '{token.text}'.")
        return token

    def string(self, expected: str) -> Token:
        """A string, which must come next."""
        token = self.take()
        if token.kind != "string":
            raise unexpected(token, expected)
        return token
