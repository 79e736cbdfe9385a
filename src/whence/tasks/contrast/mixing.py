"""Contrast sets from families: labels balanced, premises that do not matter added, order by chance."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from whence.structures.verdict import LABELS
from whence.tasks.contrast.contrasts import Contrast, Family
from whence.tasks.contrast.families import kinds, measures, people, rules
from whence.tasks.contrast.steps import content_words

FAMILIES: Mapping[str, Family] = {
    **kinds.FAMILIES,
    **people.FAMILIES,
    **measures.FAMILIES,
    **rules.FAMILIES,
}


def worlds(family: str, seed: int) -> Iterator[tuple[Contrast, ...]]:
    """The small worlds of a family, without end."""
    number = 0
    while True:
        chance = random.Random(f"{family}:{seed}:{number}")
        yield tuple(replace(contrast, family=family) for contrast in FAMILIES[family](chance))
        number += 1


def family_set(count: int, seed: int, families: Sequence[str] = ()) -> list[Contrast]:
    """So many contrasts, families and labels alike often, most with premises of other worlds added."""
    names = list(families or FAMILIES)
    each = -(-count // (len(names) * len(LABELS)))
    contrasts: list[Contrast] = []
    for family in names:
        by_label: dict[str, list[Contrast]] = defaultdict(list)
        for index, world in enumerate(worlds(family, seed)):
            for contrast in random.Random(f"pick:{seed}:{index}").sample(world, len(world))[:5]:
                if len(by_label[contrast.label]) < each:
                    by_label[contrast.label].append(contrast)
            if all(len(by_label[label]) >= each for label in LABELS):
                break
        contrasts += [contrast for label in LABELS for contrast in by_label[label]]
    chance = random.Random(f"mix:{seed}")
    pool = sorted({premise for contrast in contrasts for premise in contrast.premises})
    mixed = [with_distractors(contrast, pool, chance) for contrast in contrasts]
    chance.shuffle(mixed)
    return mixed[:count]


def with_distractors(contrast: Contrast, pool: Sequence[str], chance: random.Random) -> Contrast:
    """The same with up to three premises that share no content word with it, all in any order."""
    premises = list(contrast.premises)
    words = content_words(" ".join((*premises, contrast.conclusion)))
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        other = chance.choice(pool)
        if not content_words(other) & words:
            premises.append(other)
    chance.shuffle(premises)
    return replace(contrast, premises=tuple(dict.fromkeys(premises)))
