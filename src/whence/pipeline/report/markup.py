"""HTML by construction: whatever is not `Html` already is text, and is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_VOID = frozenset({"meta", "input", "br"})
# What HTML forbids or rewrites, half characters, and what turns the direction of the text around it.
_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | low) for plane in range(1, 17) for low in (0xFFFE, 0xFFFF))
    + "]"
)


class Html(str):
    """Markup. Any other string is text to `element` and `join`."""

    __slots__ = ()

    def __html__(self) -> str:
        """Tells templates that it is markup."""
        return str(self)


Attribute = str | float | bool | None


def join(*parts: str) -> Html:
    """The parts one after the other; those that are text escaped."""
    return Html("".join(part if isinstance(part, Html) else _text(part) for part in parts))


def element(name: str, /, *children: str, **attributes: Attribute) -> Html:
    """An element. `class_` is class and `data_id` data-id; None and False leave an attribute out."""
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{join(*children)}</{name}>")


def table(caption: str, headers: Sequence[str], rows: Iterable[Sequence[str]], *, class_: str = "") -> Html:
    """A table in a box of its own to scroll in. The first cell of a row is its header."""
    head = element("tr", *(element("th", header, scope="col") if header else element("td") for header in headers))
    body = [
        element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in rest))
        for first, *rest in rows
    ]
    content = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    return scrolled(content, caption, class_=class_)


def scrolled(content: Html, label: str, *, class_: str = "") -> Html:
    """What may be wider than the page, in a box that scrolls and that the keyboard reaches."""
    return element("div", content, class_=f"wide {class_}".strip(), role="region", aria_label=label, tabindex="0")


def section(identifier: str, heading: str, *children: str) -> Html:
    """A part of the page under its heading."""
    title = element("h2", heading, id=f"{identifier}-heading")
    return element("section", title, *children, id=identifier, aria_labelledby=f"{identifier}-heading")


def expandable(summary: str, *children: str, class_: str | None = None) -> Html:
    """What is shown when asked for."""
    return element("details", element("summary", summary), *children, class_=class_)


def number(value: float | None, *, whole: bool = False, sign: bool = False) -> str:
    """A figure as it is printed: four digits where the scale ends at 1, else two."""
    if value is None:
        return "–"
    return f"{value:{'+' if sign else ''}.{2 if whole else 4}f}".replace("-", "−")


def shortened(text: str, length: int) -> str:
    """The text, cut to a length with a sign that it was."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    shown = (
        f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else _text(str(value)).replace('"', "&quot;")
    )
    return f' {name}="{shown}"'


def _text(text: str) -> str:
    return escape(_UNSHOWABLE.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)
