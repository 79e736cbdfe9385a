"""Characters of an answer set in order, and texts made comparable."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

_ENTITY = re.compile(
    r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos|nbsp|rarr|rArr|larr|hellip|mdash|ndash|[lr][sd]quo);",
    re.IGNORECASE,
)
_LINE_BREAK = re.compile(
    r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|<br\s*/?>|</?(?:p|li|ul|ol|div)>", re.IGNORECASE
)
_FORMATTING = re.compile(r"<(strong|em|code|mark)>(.{0,2000}?)</\1>", re.IGNORECASE)
_SPECIAL_TOKEN = re.compile(
    r"<\|(?:im_start|im_end|eot_id|end|endoftext|return|start|assistant|end_of_text|begin_of_text|eom_id)\|>"
    r"|</?s>|<(?:start|end)_of_turn>|<eos>|\[/?INST\]",
    re.IGNORECASE,
)
_QUOTES = str.maketrans({**dict.fromkeys("‘’‚‛ʼ′", "'"), **dict.fromkeys("“”„‟″«»", '"')})
_EMPHASIS = re.compile(r"\*\*\*|\*\*|__(?=\S)|(?<=\S)__|`|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|~~")
_UNDERLINED = re.compile(r"(?<!\w)_(?=\S)([^_\n]+)(?<=\S)_(?!\w)")
_WRAPPING = " \t\n.,:;!\"'`*"
_LATEX_AND = re.compile(r"\\(?:land|wedge)\b|\\&")
_LATEX_TEXT = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|operatorname|mbox)\s*\{([^{}]*)\}")


def cleaned(text: str) -> str:
    """The text with plain line ends and blanks, entities resolved, and without characters that cannot be seen."""
    text = _SPECIAL_TOKEN.sub("\n", text)
    text = _ENTITY.sub(lambda match: html.unescape(match[0].lower() if match[0][1] != "#" else match[0]), text)
    text = _LINE_BREAK.sub("\n", text)
    text = _FORMATTING.sub(r"\2", text)
    return "".join(map(_visible, text)) if not text.isascii() or not text.isprintable() else text


def _visible(character: str) -> str:
    if character in "\n\t":
        return character
    kind = unicodedata.category(character)
    return "" if kind in ("Cf", "Cc", "Cs", "Co") else " " if kind == "Zs" else character


def plain_quotes(text: str) -> str:
    """The text with straight quotation marks; every character keeps its index."""
    return text if text.isascii() else text.translate(_QUOTES)


def without_emphasis(text: str) -> str:
    """The text without the marks of Markdown's bold, italics and code."""
    return _UNDERLINED.sub(r"\1", _EMPHASIS.sub("", text)) if any(mark in text for mark in "*_`~") else text


def without_latex(text: str) -> str:
    """The text with the contents of LaTeX's text commands in their place and `&` for its conjunctions, without
    dollar signs around formulas."""
    if "\\" not in text and "$" not in text:
        return text
    text = _LATEX_AND.sub("&", _LATEX_TEXT.sub(r"\1", text))
    return text.replace("\\(", "").replace("\\)", "").replace("$", "")


@lru_cache(1024)  # a reader asks about the sentences of one context several times
def normal(text: str) -> str:
    """A text as it is compared: case, blanks, quotation marks, emphasis, punctuation around it set aside."""
    words = " ".join(without_emphasis(plain_quotes(text)).split())
    return words.casefold().strip(_WRAPPING)


def one_line(text: str) -> str:
    """The text with single blanks, without emphasis and without the quotation marks around the whole."""
    words = " ".join(without_emphasis(plain_quotes(text)).split())
    for quote in ('"', "'"):
        if len(words) > 1 and words[0] == words[-1] == quote and quote not in words[1:-1]:
            return words[1:-1].strip()
    return words
