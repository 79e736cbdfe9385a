"""The SVG is valid, self-contained, complete and readable."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.drawing import Diagram, Link, Node, to_svg
from whence.drawing.palette import DARK, LIGHT, stylesheet
from whence.drawing.text_size import clean

SVG = "{http://www.w3.org/2000/svg}"

EXAMPLE = Diagram(
    (Node("a", "factory farming", "internal"), Node("b", "cruelty", "external"), Node("c", "meat", "internal")),
    (Link("a", "b", "capable of"), Link("b", "c", "not desires", "negated")),
    caption=(("belief", "Factory farming should be banned."), ("stance", "support")),
)


def groups(svg: str, name: str) -> list[ElementTree.Element]:
    return [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class", "").split()[0] == name]


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_it_is_xml_with_every_label_inside_the_view(diagram: Diagram) -> None:
    svg = to_svg(diagram)
    _, _, width, height = map(float, ElementTree.fromstring(svg).get("viewBox", "").split())
    nodes = groups(svg, "node")
    label = {node.id: node.label for node in diagram.nodes}
    assert {g.get("data-id") for g in nodes} == set(label)
    for g in nodes:
        rect = g.find(f"{SVG}rect")
        assert rect is not None
        x, y, w, h = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
        assert x >= 0
        assert y >= 0
        assert x + w <= width
        assert y + h <= height
        texts = [t for t in g.iter(f"{SVG}text") if t.get("class") is None]
        assert squeezed("".join("".join(t.itertext()) for t in texts)) == squeezed(
            clean(label[str(g.get("data-id"))])
        )
    ends = [(g.get("data-tail"), g.get("data-head")) for g in groups(svg, "link")]
    assert sorted(map(str, ends)) == sorted(str((link.tail, link.head)) for link in diagram.links)


@settings(max_examples=35, deadline=None)
@given(st.from_type(Diagram))
def test_nothing_outside_is_referred_to(diagram: Diagram) -> None:
    svg = to_svg(diagram)
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "title", "desc", "style", "rect", "text", "tspan", "path", "circle", "g"}
    assert not re.search(r"url\(|@import|href=|\son\w+=", svg)


def test_classes_tell_kinds_and_marks() -> None:
    svg = to_svg(Diagram((Node("a", "a", "external", "added"),), (Link("a", "a", "is", "negated", "removed"),)))
    assert [g.get("class") for g in (*groups(svg, "node"), *groups(svg, "link"))] == [
        "node external added",
        "link negated removed",
    ]
    assert ">+</text>" in svg
    assert "− is" in svg


def test_there_is_a_description_in_words() -> None:
    desc = ElementTree.fromstring(to_svg(EXAMPLE)).findtext(f"{SVG}desc")
    assert desc == (
        "belief: Factory farming should be banned. stance: support. "
        "factory farming —capable of→ cruelty; cruelty —not desires→ meat"
    )


def test_a_name_of_its_own_keeps_drawings_apart() -> None:
    svg = to_svg(EXAMPLE, identifier="7 <x>")
    ids = {element.get("id") for element in ElementTree.fromstring(svg).iter()} - {None}
    assert ids == {"d7--x-", "d7--x--title", "d7--x--desc"}
    assert to_svg(EXAMPLE) != to_svg(Diagram(EXAMPLE.nodes, EXAMPLE.links))


def test_every_rule_of_the_style_is_scoped() -> None:
    rules = re.sub(r"@media[^{]*\{", "", stylesheet("#me"))
    selectors = [selector for rule in re.findall(r"([^{}]+)\{", rules) for selector in rule.split(",")]
    assert all(re.match(r'(\[data-theme="(dark|light)"\] )?#me\b', selector) for selector in selectors)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "behind"),
    [
        *(("ink", behind) for behind in ("paper", "box", "given", "added-box", "removed-box", "changed-box")),
        *(("quiet", behind) for behind in ("paper", "box", "given")),
        ("chief-ink", "chief"),
        *((text, "paper") for text in ("negated", "support", "counter", "added", "removed", "changed")),
        *(("paper", mark) for mark in ("added", "removed", "changed")),
    ],
)
def test_text_has_the_contrast_that_wcag_asks_for(palette: dict[str, str], text: str, behind: str) -> None:
    light, dark = sorted((luminance(palette[text]), luminance(palette[behind])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_equal_diagrams_give_equal_drawings_in_every_process() -> None:
    program = (
        "from whence.drawing import *;"
        "ids='abcdefgh'; nodes=tuple(Node(i, i * 5) for i in ids);"
        "links=tuple(Link(ids[k * 3 % 8], ids[k * 5 % 7], 'is') for k in range(14));"
        "print(to_svg(Diagram(nodes, links)), to_svg(Diagram(nodes, links, direction='up')))"
    )
    source = str(Path(__file__).parents[2] / "src")
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": source, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
