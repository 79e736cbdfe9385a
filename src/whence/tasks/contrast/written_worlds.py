"""Small worlds written by hand: facts, and claims that follow (`+`), contradict (`-`) or are unknown (`?`).

Each block of `written/*.txt` starts with its facts, separated by ` / `. A claim marked `+` needs all facts but
those marked `~`, so it is unknown once one of them is gone; a claim marked `=` follows from some of them.
`{p}`, `{q}` and `{r}` stand for people.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from whence.errors import DataError
from whence.structures.verdict import CONTRADICTS, FOLLOWS, UNKNOWN
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.english import negate
from whence.tasks.contrast.lexicon import PEOPLE

FOLDER = Path(__file__).parent / "written"
_KIND = re.compile(r" is an? ")  # an absurd kind: few would call its denial unknown
_LABELS = {"+": FOLLOWS, "=": FOLLOWS, "-": CONTRADICTS, "?": UNKNOWN}


@dataclass(frozen=True, slots=True)
class World:
    """Facts, which of them the claims marked `+` need, and the claims with their marks."""

    topic: str
    facts: tuple[str, ...]
    needed: tuple[str, ...]
    claims: tuple[tuple[str, str], ...]


def read_worlds(path: Path) -> Iterator[World]:
    """The worlds of a file."""
    number = 0
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        first, *lines = block.splitlines()
        facts = [fact.strip() for fact in first.split(" / ")]
        for index, line in enumerate(lines, start=number + 2):
            if line[:1] not in _LABELS or line[1:2] != " ":
                raise DataError(
                    path, line=index, expected="a claim after '+ ', '= ', '- ' or '? '", found=repr(line)
                )
        yield World(
            topic=path.stem,
            facts=tuple(fact.removeprefix("~") for fact in facts),
            needed=tuple(fact for fact in facts if not fact.startswith("~")),
            claims=tuple((line[0], line[2:].strip()) for line in lines),
        )
        number += len(lines) + 2


@cache
def written_worlds() -> tuple[World, ...]:
    """All worlds that ship."""
    return tuple(world for path in sorted(FOLDER.glob("*.txt")) for world in read_worlds(path))


def world_contrasts(world: World, chance: random.Random) -> Iterator[Contrast]:
    """The claims of a world, what follows denied, and what needs all facts with one of them missing."""
    people = dict(zip("pqr", chance.sample(PEOPLE, 3), strict=True))
    facts = tuple(fact.format(**people) for fact in world.facts)
    for mark, claim in world.claims:
        text = claim.format(**people)
        label = _LABELS[mark]
        yield Contrast(facts, text, label, f"written, {label}", world.topic)
        denied = negate(text, chance)
        if denied and label != CONTRADICTS and not (label == UNKNOWN and _KIND.search(text)):
            turned = CONTRADICTS if label == FOLLOWS else UNKNOWN
            yield Contrast(facts, denied, turned, f"written, {label}, negated", world.topic)
        if mark == "+" and len(world.needed) > 1:
            missing = chance.choice(world.needed).format(**people)
            rest = tuple(fact for fact in facts if fact != missing)
            yield Contrast(rest, text, UNKNOWN, "written, premise dropped", world.topic)


def written_set(seed: int) -> list[Contrast]:
    """The contrasts of all worlds, once each; another seed has other people, negations and missing facts."""
    chance = random.Random(f"written:{seed}")
    contrasts = []
    for world in written_worlds():
        for contrast in world_contrasts(world, chance):
            premises = list(contrast.premises)
            chance.shuffle(premises)
            contrasts.append(replace(contrast, premises=tuple(premises)))
    return contrasts
