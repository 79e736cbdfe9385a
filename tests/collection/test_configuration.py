"""Configurations: those that are bundled hold together; wrong ones get one clear line with file and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.collection.tiny import tiny

import whence
from whence.collection.configuration_files import (
    bundled_files,
    fingerprint,
    parse_configuration,
    read_configuration,
)
from whence.errors import DataError, UsageError

NAMES = list(bundled_files())
"""Ours, and those of plug-ins that are installed."""
OURS = ["art", "cider", "contrast", "entailmentbank", "explagraphs", "worldtree"]


def test_one_for_each_data_set_is_bundled() -> None:
    own = Path(whence.__file__).parent
    assert [name for name, path in bundled_files().items() if path.is_relative_to(own)] == OURS


@pytest.mark.parametrize("name", NAMES)
def test_bundled_configuration_holds_together(name: str) -> None:
    configuration, text = read_configuration(name)
    assert configuration.name == name
    assert configuration.paper or name not in OURS
    assert configuration.exports
    assert len(fingerprint(text)) == 16
    for stage in configuration.stages:
        assert stage.instructions or stage.machine
        assert not {"gold", "golds", "label"} & set(stage.shows)


def test_explagraphs_pays_what_the_paper_paid() -> None:
    pay = {stage.name: stage.pay for stage in read_configuration("explagraphs")[0].stages}
    # Table 5 of the paper, in cents
    assert (pay["pre-hamlet"], pay["hamlet-1"], pay["stance-verification"]) == (25, 25, 5)
    assert (pay["graph-creation"], pay["graph-refinement"], pay["graph-verification"]) == (45, 45, 10)


@pytest.mark.parametrize(
    ("change", "place", "found"),
    [
        (('title = "Tiny"', 'titel = "Tiny"'), "title", "nothing there"),
        (("pay = 10", "pay = 10\nprize = 3"), "stages[write].prize", "a key that is none here"),
        (("pay = 10", 'pay = "ten"'), "stages[write].pay", "'ten'"),
        (('to = "verify"', 'to = "verfy"'), "stages[write].routes", "'verfy', which is no stage"),
        (('when = "yes"', 'when = "maybe"'), "stages[verify].routes.when", "'maybe'"),
        (('answers = ["yes", "no"]', 'answers = ["yes"]'), "stages[verify].ask.answers", "fewer than two"),
        (('shows = ["text"]', "shows = []"), "stages[verify].shows", "nothing to be seen"),
        (
            ('shows = ["text"]', 'shows = ["text"]\ncalled = { txt = "Words" }'),
            "stages[verify].called",
            "'txt', which is not shown",
        ),
        (
            ('enters = ["write"]', 'enters = ["verify"]'),
            "sources[topics].enters",
            "verify takes sentence, not topic",
        ),
        (('name = "verify"', 'name = "write"'), "stages", "the name 'write' 2 times"),
        (('name = "write"', 'name = "Write!"'), "stages[Write!].name", "small letters"),
        (
            ('payload = { text = "/answer/text" }', 'payload = { text = "/anwser/text" }'),
            "stages[write].makes",
            "/anwser",
        ),
        (('when = "*"\nto = "dropped"', 'when = "no"\nto = "dropped"'), "stages[verify].routes", "'tie'"),
        (("lease = 60", "lease = 0"), "stages[write].lease", "a lease of no time"),
        (("[[exports]]", "[[exports"), "", "Expected"),
    ],
)
def test_wrong_configuration_is_one_clear_line(
    change: tuple[str, str], place: str, found: str, tmp_path: Path
) -> None:
    text = tiny()
    assert change[0] in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(*change, 1))
    with pytest.raises(DataError) as wrong:
        read_configuration(str(path))
    message = str(wrong.value)
    assert message.startswith(f"{path}: ")
    assert place in message
    assert found in message
    assert "\n" not in message


def test_unknown_configuration_names_the_bundled_ones() -> None:
    with pytest.raises(UsageError, match=r"art, cider, contrast, entailmentbank, explagraphs, .*worldtree"):
        read_configuration("arts")


@pytest.mark.parametrize(
    ("write", "verify", "overlap", "found"),
    [
        ('workers = { requires = ["nobody"] }', "", "{ count = 2 }", "no qualification"),
        ('workers = { same_as = "nothing" }', "", "{ count = 2 }", "no stage"),
        ("", "", '{ kind = "everyone" }', "`everyone` is for tests"),
        ("", "", '{ kind = "margin", count = 2 }', "a margin needs"),
        ('rules = { task = "nothing", inputs = {}, explanation = {} }', "", "{ count = 2 }", "no task"),
        ('overlap = { kind = "tie-breaker" }', "", "{ count = 2 }", "a question is needed"),
    ],
)
def test_what_does_not_go_together(write: str, verify: str, overlap: str, found: str) -> None:
    with pytest.raises(DataError, match=found):
        parse_configuration(tiny(write, verify, overlap))
