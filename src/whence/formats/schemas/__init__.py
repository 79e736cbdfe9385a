"""CoSaTa's schemas (`*.iml`) and their released solutions (`*.json`): text <-> structures."""

from whence.formats.schemas.parse import parse_schemas
from whence.formats.schemas.released import format_solutions, parse_solutions, row_comment_lemmas
from whence.formats.schemas.tokens import MAX_NESTING
from whence.formats.schemas.write import format_schemas

__all__ = [
    "MAX_NESTING",
    "format_schemas",
    "format_solutions",
    "parse_schemas",
    "parse_solutions",
    "row_comment_lemmas",
]
