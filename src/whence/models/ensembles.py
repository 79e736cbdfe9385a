"""Several models' verdicts on one item as one verdict."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from whence.models.items import FoundSpan, Verdict

_LEAST = 1e-9  # a model that is quite sure should not outvote all others
_DAMPING = 60
"""Of reciprocal ranks, as Cormack et al. (2009) have it."""


def combined(verdicts: Sequence[Verdict]) -> Verdict:
    """What models say together of an item. Each counts the same."""
    first = verdicts[0]
    scores = _reciprocal_ranks([one.ranking for one in verdicts])
    return Verdict(
        first.id,
        probabilities=_probabilities([one.probabilities for one in verdicts]) if first.probabilities else (),
        tags=_tags([one.tags for one in verdicts]) if first.tags else (),
        spans=_spans(verdicts) if any(one.spans for one in verdicts) else (),
        ranking=tuple(scores),
        scores=tuple(scores.values()),
    )


def _probabilities(given: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """The geometric means, to sum 1."""
    means = [math.exp(sum(math.log(max(p, _LEAST)) for p in own) / len(own)) for own in zip(*given, strict=True)]
    return tuple(mean / sum(means) for mean in means)


def _tags(given: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """What most say of each word; of equally many, what the first of them says."""
    return tuple(Counter(own).most_common(1)[0][0] for own in zip(*given, strict=True))


def _spans(verdicts: Sequence[Verdict]) -> tuple[FoundSpan, ...]:
    """Every span that some model found, by its mean probability."""
    shares: dict[tuple[int, int, str], float] = defaultdict(float)
    for verdict in verdicts:
        for span in verdict.spans:
            shares[span.start, span.end, span.text] += span.probability / len(verdicts)
    found = [FoundSpan(*place, share) for place, share in shares.items()]
    return tuple(sorted(found, key=lambda span: -span.probability)[: max(len(one.spans) for one in verdicts)])


def _reciprocal_ranks(given: Sequence[tuple[str, ...]]) -> dict[str, float]:
    """Documents by the sum of their reciprocal ranks, the best first."""
    sums: dict[str, float] = defaultdict(float)
    for ranking in given:
        for place, name in enumerate(ranking):
            sums[name] += 1 / (_DAMPING + place + 1)
    order = sorted(sums, key=lambda name: -sums[name])
    return {name: sums[name] for name in order[: max(map(len, given))]}
