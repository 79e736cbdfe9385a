"""ART's Table 6 for what is published here, the human votes, and ATOMIC's sizes, counted from the files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from whence.structures.hypothesis import HypothesisPair
from whence.structures.results import Example, Label
from whence.tasks.abduction.data.files import (
    ANLG_SPLITS,
    ANLI_SPLITS,
    ATOMIC_RELATIONS,
    CHOICES,
    POOLS,
    VOTES,
    read_anlg,
    read_anli,
    read_atomic,
    read_pools,
    read_unlike_pairs,
    read_votes,
    words_in_both,
)
from whence.tasks.statistics import StatisticsTable, figures, mean

Examples = tuple[Example[HypothesisPair, Label], ...]

_COLUMNS = ("contexts", "plausible", "implausible", "plausible a context", "implausible a context")
_LENGTHS = ("plausible", "implausible", "first observation", "second observation")


def art(folder: Path) -> Iterator[StatisticsTable]:
    """Table 6, what the votes say, and the generation references."""
    train = read_anli(ANLI_SPLITS["train"].file(folder)).examples
    dev = read_anli(ANLI_SPLITS["dev"].file(folder)).examples
    pools = list(read_pools(folder / POOLS))
    plausible = {(pool.obs1, pool.obs2): pool.plausible for pool in pools}
    implausible = {(pool.obs1, pool.obs2): pool.implausible for pool in pools}
    yield figures(
        "Table 6: hypotheses",
        _COLUMNS,
        {"train": _sizes(plausible, implausible), "dev": _sizes(_sides(dev, True), _sides(dev, False))},
        {"train": (17801, 72046, 166820, 4.05, 9.37), "dev": (1532, 1532, 1532, 1, 1)},
        (
            f"Train here is {len(train):,} of the 169,654 labelled pairs and {len(pools):,} pools of hypotheses; "
            "its counts are of this part.",
            "Test labels are hidden by the authors.",
        ),
    )
    yield figures(
        "Table 6: words",
        _LENGTHS,
        {"train": _lengths(plausible, implausible), "dev": _lengths(_sides(dev, True), _sides(dev, False))},
        {"train": (8.34, 8.28, 8.09, 9.29), "dev": (8.62, 8.55, 8.07, 9.3)},
        ("Words are what white space separates; the paper does not say how it counted.",),
    )
    yield _pairs(train=train, pools=read_unlike_pairs(folder / POOLS).examples, dev=dev)
    yield _votes(folder, dev)
    yield _references(folder)


def _sides(examples: Examples, right: bool) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = defaultdict(tuple)
    for example in examples:
        pair = example.inputs
        first = (example.golds[0].name == "1") == right
        found[pair.obs1, pair.obs2] += (pair.hyp1 if first else pair.hyp2,)
    return found


def _sizes(*pools: dict[tuple[str, str], tuple[str, ...]]) -> tuple[float | None, ...]:
    totals = [sum(len(texts) for texts in pool.values()) for pool in pools]
    contexts = len(pools[0])
    return (contexts, *totals, *(total / contexts for total in totals))


def _lengths(*pools: dict[tuple[str, str], tuple[str, ...]]) -> tuple[float | None, ...]:
    hypotheses = [_words(text for texts in pool.values() for text in texts) for pool in pools]
    observations = [_words(context[side] for context in pools[0]) for side in (0, 1)]
    return (*hypotheses, *observations)


def _words(texts: Iterable[str]) -> float | None:
    return mean([len(text.split()) for text in texts])


def _pairs(**parts: Examples) -> StatisticsTable:
    return figures(
        "Pairs",
        ("first is right", "second is right", "pairs", "% of words in both"),
        {name: _counted(part) for name, part in parts.items()},
        remarks=("Pools: of each context the pair with the fewest words in both, where it is no edit.",),
    )


def _counted(part: Examples) -> tuple[float | None, ...]:
    right = Counter(example.golds[0].name for example in part)
    both = mean([100 * words_in_both(example.inputs.hyp1, example.inputs.hyp2) for example in part])
    return (*(right[choice] for choice in CHOICES), len(part), both)


def _votes(folder: Path, dev: Examples) -> StatisticsTable:
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for vote in read_votes(folder / VOTES):
        votes[vote.item][vote.answer] += vote.count
    right = [votes[e.id].most_common(1)[0][0] == e.golds[0].name for e in dev if e.id in votes]
    share = [votes[e.id][e.golds[0].name] / votes[e.id].total() for e in dev if e.id in votes]
    return figures(
        "Human votes on dev (ChaosNLI)",
        ("items", "votes an item", "% majority is the label", "% votes for the label"),
        {
            "dev": (
                len(right),
                mean([count.total() for count in votes.values()]),
                100 * sum(right) / len(right),
                100 * sum(share) / len(share),
            )
        },
    )


def _references(folder: Path) -> StatisticsTable:
    rows = {}
    for name, split in ANLG_SPLITS.items():
        examples = read_anlg(split.file(folder)).examples
        rows[name] = (len(examples), sum(len(example.golds) for example in examples))
    return figures("anlg: references", ("contexts", "references"), rows)


def atomic(folder: Path) -> Iterator[StatisticsTable]:
    """Events and inferences by relation."""
    rows = {}
    for name in ("dev", "tst"):
        found = list(read_atomic(folder / f"atomic/v4_atomic_{name}.csv"))
        counts = Counter(inference.relation for inference in found)
        events = len({inference.event for inference in found})
        rows[name] = (events, len(found), *(counts[relation] for relation in ATOMIC_RELATIONS))
    yield figures("Events and inferences", ("events", "inferences", *ATOMIC_RELATIONS), rows)
