"""Colours and strokes of the SVG: the palette of Okabe and Ito, darkened or lightened for readable text.

Nothing is told by colour alone: kinds differ by stroke, marks by stroke and sign, stances by shape.
"""

from __future__ import annotations

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b2027",
    "quiet": "#56606b",
    "line": "#5c6670",
    "edge": "#868f99",
    "box": "#ffffff",
    "given": "#e8f3fa",
    "given-edge": "#0072b2",
    "chief": "#0067a3",
    "chief-ink": "#ffffff",
    "negated": "#9a3d76",
    "support": "#00679f",
    "counter": "#ae4500",
    "added": "#007a5a",
    "added-box": "#e3f5ef",
    "removed": "#ae4500",
    "removed-box": "#fdeee3",
    "changed": "#7f5900",
    "changed-box": "#fdf4da",
}
DARK = {
    "paper": "#15181d",
    "ink": "#e9ecef",
    "quiet": "#a7b0ba",
    "line": "#9ba5af",
    "edge": "#79838e",
    "box": "#1d2127",
    "given": "#102b3d",
    "given-edge": "#56b4e9",
    "chief": "#7cc6f0",
    "chief-ink": "#0b1a24",
    "negated": "#e5a0c6",
    "support": "#7cc6f0",
    "counter": "#ff9e5e",
    "added": "#3fd0a4",
    "added-box": "#0d2f26",
    "removed": "#ff9e5e",
    "removed-box": "#3a2013",
    "changed": "#f0b83c",
    "changed-box": "#33280c",
}

_FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif'

_GIVEN = ".internal rect,.conclusion rect,.span rect"
_COLOURS = (
    (".paper", "fill", "paper"),
    ("text", "fill", "ink"),
    (".quiet", "fill", "quiet"),
    (".node rect", "fill", "box"),
    (".node rect", "stroke", "edge"),
    (_GIVEN, "fill", "given"),
    (_GIVEN, "stroke", "given-edge"),
    (".root rect", "fill", "chief"),
    (".root rect", "stroke", "chief"),
    (".root text", "fill", "chief-ink"),
    (".link .stroke", "stroke", "line"),
    (".link .head", "fill", "line"),
    (".link text", "fill", "quiet"),
    (".negated .stroke,.negated .icon", "stroke", "negated"),
    (".negated .head", "fill", "negated"),
    (".negated text", "fill", "negated"),
    *((f".{stance}", "fill", stance) for stance in ("support", "counter")),
    *(
        row
        for mark in ("added", "removed", "changed")
        for row in (
            (f".node.{mark} rect", "fill", f"{mark}-box"),
            (f".{mark} rect,.{mark} .stroke,.{mark} .icon", "stroke", mark),
            (f".{mark} .head,.{mark} .sign", "fill", mark),
            (f".node.{mark} text", "fill", "ink"),
            (f".link.{mark} text", "fill", mark),
            (f".{mark} text.sign-text", "fill", "paper"),
        )
    ),
)

_STROKES = (
    (".node rect", "stroke-width:1.3"),
    (_GIVEN, "stroke-width:1.5"),
    (".external rect", "stroke-dasharray:6 4"),
    (".latent rect", "stroke-dasharray:.1 4;stroke-width:2;stroke-linecap:round"),
    (".stroke", "fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round"),
    (".icon", "fill:none;stroke-width:1.6"),
    (".negated .stroke", "stroke-dasharray:6 4"),
    (".added rect,.added .stroke", "stroke-width:2.8;stroke-dasharray:none"),
    (".removed rect,.removed .stroke", "stroke-width:1.8;stroke-dasharray:2 4"),
    (".changed rect,.changed .stroke", "stroke-width:1.8;stroke-dasharray:12 3 3 3"),
    (".node text,.link text", "text-anchor:middle"),
    (".link .start", "text-anchor:start"),
    (".root .quiet", "font-weight:400"),
    (".root text,.heading,.badge,.sign-text", "font-weight:600"),
)


def stylesheet(scope: str) -> str:
    """The style of a drawing, for elements inside `scope`: light, or dark if the reader or the page asks."""
    rules = [f"{scope}{{font-family:{_FONT};max-width:100%;height:auto;{_variables(LIGHT)}}}"]
    rules += [f"@media (prefers-color-scheme:dark){{{scope}{{{_variables(DARK)}}}}}"]
    rules += [f'[data-theme="light"] {scope}{{{_variables(LIGHT)}}}']
    rules += [f'[data-theme="dark"] {scope}{{{_variables(DARK)}}}']
    rules += [f'@media print{{{scope},[data-theme="dark"] {scope}{{{_variables(LIGHT)}}}}}']
    # A plain colour first, for readers that know no variables.
    rules += [
        f"{_scoped(scope, selector)}{{{name}:{LIGHT[role]};{name}:var(--{role})}}"
        for selector, name, role in _COLOURS
    ]
    rules += [f"{_scoped(scope, selector)}{{{style}}}" for selector, style in _STROKES]
    return "".join(rules)


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{role}:{colour};" for role, colour in colours.items())


def _scoped(scope: str, selectors: str) -> str:
    return ",".join(f"{scope} {selector}" for selector in selectors.split(","))
