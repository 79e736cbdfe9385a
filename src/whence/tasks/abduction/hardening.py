"""ART's dual adversarial filtering: of each context's pools, a pair that is hard to tell apart (appendix A.5)."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from whence.errors import MissingDataError
from whence.files import Json
from whence.models.items import Pair
from whence.structures.hypothesis import HypothesisPair, HypothesisPools
from whence.structures.results import Example, Label
from whence.tasks.abduction.data.files import CHOICES, POOLS, read_pools, write_pools
from whence.tasks.abduction.heads.heads import FORMS
from whence.tasks.dataset import Notes
from whence.tasks.hardening import Chosen, CollectedPools, Filtering, Form, Pool, Pools, Wanted, Weighed

_FIRST_TEMPERATURE, _LAST_TEMPERATURE = 1.0, 0.2
_STEEPNESS = 0.3
_SAMPLES = Path(__file__).parent / "samples" / "pools.jsonl"


def temperature(iteration: int, iterations: int) -> float:
    """Falls from 1.0 to 0.2 along a sigmoid whose middle is three quarters of the way (Algorithm 1, line 2)."""
    fallen = 1 + math.exp(_STEEPNESS * (iteration - 3 * iterations / 4))
    return _LAST_TEMPERATURE + (_FIRST_TEMPERATURE - _LAST_TEMPERATURE) / fallen


def swap_pair(pool: Pool, chosen: Chosen, weighed: Weighed, chance: random.Random) -> Chosen:
    """Any pair with a smaller margin, if the model gets this one right (Algorithm 1, lines 8 to 12)."""
    right, (wrong,) = weighed.options(chosen)
    margin = right - wrong
    if margin < 0:
        return chosen
    harder = [
        Chosen(place, (other,))
        for place, plausible in enumerate(weighed.right)
        for other, implausible in enumerate(weighed.wrong)
        if plausible - implausible < margin
    ]
    return chance.choice(harder) if harder else chosen


def pools(wanted: Wanted) -> Pools:
    """A pool a context of a file like the published one, which is named `pools`; ours is named `samples`."""
    path = _file(wanted)
    notes, found = Notes(), []
    for number, read in enumerate(read_pools(path), 1):
        pool = _pool(f"{path.stem}-{number}", read, notes)
        if not pool.right or not pool.wrong:
            notes.add("no pair", "contexts without a pair of hypotheses, left out")
            continue
        single = len(pool.right) * len(pool.wrong) == 1
        notes.add("one pair", "contexts with one pair only, which stays as it is", single)
        found.append(pool)
    return Pools(tuple(found), notes.all())


def _file(wanted: Wanted) -> Path:
    path = Path(wanted.where)
    if path.is_file() or wanted.where not in ("pools", "samples"):
        return path
    if wanted.where == "samples":
        return _SAMPLES
    path = wanted.folder() / POOLS
    if not path.exists():
        raise MissingDataError(
            f"the pools of ART are not here: {path} does not exist. Name a file of them, or 'samples'"
        )
    return path


def _pool(name: str, read: HypothesisPools, notes: Notes) -> Pool:
    right, wrong = _different(read.plausible), _different(read.implausible)
    # A sentence that one worker found plausible and another did not has no margin at all, and is no question.
    clear = tuple(text for text in wrong if _plain(text) not in set(map(_plain, right)))
    notes.add(
        "repeated", "hypotheses repeated in a pool", len(read.plausible + read.implausible) - len(right + wrong)
    )
    notes.add("both", "implausible hypotheses that are plausible ones too, left out", len(wrong) - len(clear))
    return Pool(name, (read.obs1, read.obs2), right, clear, group=read.obs1)


def _different(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple({_plain(text): text for text in reversed(texts)}.values())[::-1]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _form(read: Callable[[HypothesisPair, str], tuple[Pair, ...]]) -> Form:
    def form(pool: Pool, text: str) -> tuple[Pair, ...]:
        first, second = pool.context
        return read(HypothesisPair(first, second, text, ""), text)

    return form


def example(pool: Pool, chosen: Chosen, chance: random.Random) -> Example[HypothesisPair, Label]:
    """The context with its two hypotheses."""
    right, wrong = pool.right[chosen.right], pool.wrong[chosen.wrong[0]]
    label = chance.choice(CHOICES)
    one, other = (right, wrong) if label == CHOICES[0] else (wrong, right)
    first, second = pool.context
    return Example(pool.id, HypothesisPair(first, second, one, other), (Label(label),))


def _pool_lines(
    items: Iterable[tuple[Sequence[Mapping[str, Json]], Sequence[Mapping[str, Json]]]],
) -> Iterator[str]:
    return write_pools(
        HypothesisPools(
            plausible[0]["obs1"],
            plausible[0]["obs2"],
            tuple(row["hypothesis"] for row in plausible),
            tuple(row["implausible"] for row in implausible),
        )
        for plausible, implausible in items
    )


def _as_item(question: Example[HypothesisPair, Label]) -> dict[str, Json]:
    return {"hyp1": question.inputs.hyp1, "hyp2": question.inputs.hyp2, "label": question.golds[0].name}


FILTERING = Filtering(
    task="anli",
    paper="Bhagavatula et al. 2020, appendix A.5",
    wrong=1,
    pools=pools,
    forms={name: _form(read) for name, read in FORMS.items()},
    asked="fully-connected",
    example=example,
    replace=swap_pair,
    temperature=temperature,
    iterations=50,
    learnt=0.5,  # the paper only says that the partition is random
    patience=0,
    suffix=".jsonl",
    collected=CollectedPools("plausible", "implausible", _pool_lines, _as_item),
)
