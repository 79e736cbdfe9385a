"""Claims for dialogue inference: true triplets and seeded contradicting ones (CIDER, sec. 5.2.1).

The authors' own negatives and the code that made them were not published; these are made by the paper's four
strategies, the same for the same seed whatever else is loaded.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from whence.formats.dialogues import context_of
from whence.structures.dialogue import DialogueClaim, Triplet
from whence.structures.results import Example, Label
from whence.tasks.dataset import Dataset, Notes, Split
from whence.tasks.dialogue_triplets.data.files import (
    ENTAILED,
    MAIN,
    NOT_ENTAILED,
    fold_split,
    read,
    triplet_id,
)
from whence.tasks.dialogue_triplets.data.relations import RELATIONS

NEGATIVES = {"train": 2, "test": 8}
"""Contradicting claims for each true one: few in training, so that the test shows how well models generalise."""

_TRIES = 40
"""Draws for each wanted claim; a dialogue with few spans may not have so many different ones."""

Parts = tuple[str, str, str]
"""Head, relation, tail."""


def read_claims(path: Path, *, negatives: int = 0, seed: int = 0) -> Dataset[DialogueClaim, Label]:
    """Every triplet of the dialogues as an entailed claim, each with so many contradicting ones."""
    dialogues, notes = read(path), Notes()
    examples: list[Example[DialogueClaim, Label]] = []
    lines: list[int] = []
    for dialogue, line in zip(dialogues.examples, dialogues.lines, strict=True):
        context = context_of(dialogue.inputs)
        triplets = dialogue.golds[0].triplets
        for number, triplet in enumerate(triplets, 1):
            name, parts = triplet_id(dialogue.id, number), _parts(triplet)
            made = list(contradictions(parts, [_parts(t) for t in triplets], negatives, f"{seed}:{name}"))
            notes.add("fewer negatives", "contradicting claims that could not be made", negatives - len(made))
            examples.append(Example(name, DialogueClaim(context, *parts), (Label(ENTAILED),)))
            examples += [
                Example(
                    f"{name}-negative-{place}",
                    DialogueClaim(context, *wrong),
                    (Label(NOT_ENTAILED),),
                    {"made_by": how},
                )
                for place, (how, wrong) in enumerate(made, 1)
            ]
            lines += [line] * (1 + len(made))
    return Dataset(tuple(examples), tuple(lines), (*dialogues.notes, *notes.all()))


def contradictions(triplet: Parts, true: list[Parts], count: int, seed: str) -> Iterator[tuple[str, Parts]]:
    """Up to so many different claims that contradict the triplet, each with the strategy that made it.

    None of them is a true triplet of the dialogue, nor one of a symmetric relation read backwards.
    """
    chance = random.Random(seed)
    spans = sorted({part for head, _, tail in true for part in (head, tail)})
    known = {_either_way(parts) for parts in true}
    strategies = [name for name in STRATEGIES if name != "reverse" or not _is_symmetric(triplet[1])]
    made = 0
    for _ in range(count * _TRIES):
        if made == count:
            return
        how = chance.choice(strategies)
        wrong = STRATEGIES[how](triplet, spans, chance)
        if wrong[0] != wrong[2] and _either_way(wrong) not in known:
            known.add(_either_way(wrong))
            made += 1
            yield how, wrong


def _reverse(triplet: Parts, _spans: list[str], _chance: random.Random) -> Parts:
    head, relation, tail = triplet
    return tail, relation, head


def _substitute_relation(triplet: Parts, _spans: list[str], chance: random.Random) -> Parts:
    head, relation, tail = triplet
    return head, chance.choice([name for name in RELATIONS if name != relation]), tail


def _substitute_span(triplet: Parts, spans: list[str], chance: random.Random) -> Parts:
    head, relation, tail = triplet
    span = chance.choice(spans)
    return (span, relation, tail) if chance.random() < 0.5 else (head, relation, span)


def _combine(triplet: Parts, spans: list[str], chance: random.Random) -> Parts:
    """Two of the others or all three, one after the other."""
    steps = [_reverse, _substitute_relation, _substitute_span]
    for step in chance.sample(steps, chance.choice((2, 3))):
        triplet = step(triplet, spans, chance)
    return triplet


STRATEGIES: dict[str, Callable[[Parts, list[str], random.Random], Parts]] = {
    "reverse": _reverse,
    "relation": _substitute_relation,
    "span": _substitute_span,
    "combination": _combine,
}


def _parts(triplet: Triplet) -> Parts:
    return triplet.head.text, triplet.relation, triplet.tail.text


def _is_symmetric(relation: str) -> bool:
    return relation in RELATIONS and RELATIONS[relation].symmetric


def _either_way(parts: Parts) -> Parts:
    """The same for both readings of a symmetric relation, case aside."""
    head, relation, tail = parts[0].lower(), parts[1], parts[2].lower()
    return (tail, relation, head) if _is_symmetric(relation) and head > tail else (head, relation, tail)


def claim_splits() -> dict[str, Split]:
    """The five folds with generated negatives, and all true triplets alone."""
    folds = {
        f"fold{fold}-{part}": fold_split(fold, part, read=partial(read_claims, negatives=NEGATIVES[part]))
        for fold in range(1, 6)
        for part in ("train", "test")
    }
    return {"positives": Split(MAIN), **folds}
