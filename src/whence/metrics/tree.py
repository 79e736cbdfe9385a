"""EntailmentBank's measures: leaves, steps, intermediates, overall (sec. 6.1, appendix B).

A predicted conclusion is aligned with the gold conclusion whose leaves are most like its own; then steps and
wordings are compared under gold's names. The root is an intermediate here: a tree of one step has one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from whence.metrics.metric import Array, Metric
from whence.metrics.similarity import Pair
from whence.metrics.tree_reading import NO_MATCH, NULL, Head, Proof
from whence.structures.tree import HYPOTHESIS

THRESHOLD = 0.28
"""Of BLEURT-large-512; a conclusion that is as much like gold's is right (footnote 8)."""

STEPS_VALID = Metric(
    "steps.valid",
    "higher",
    (0, 1),
    "whence",
    "how probable it is that a step of the tree holds, by a classifier of steps; needs no gold",
    scale=100,
)
"""The paper had people say how many steps are valid (sec. 6.3.1), and whether trees without gold are (sec. 7)."""

_T5_BEYOND_ASCII = "£«\xad®°»ÉÎÜßàáâäçèéêîóôöùûüăşţșțавдеиклмнорсту–—‘’“”„•′€▁"
_T5_ASCII = "".join(map(chr, range(32, 127))).translate(dict.fromkeys(map(ord, "<\\^`{}~")))
_NOT_T5 = re.compile(f"[^{re.escape(_T5_ASCII + _T5_BEYOND_ASCII)}]")


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much of what was predicted is right, and how much of gold was found."""

    right: int
    predicted: int
    found: int
    gold: int

    @property
    def precision(self) -> float:
        """Right of predicted; 1 if there is nothing on either side."""
        return self.right / self.predicted if self.predicted else float(not self.gold)

    @property
    def recall(self) -> float:
        """Found of gold; 1 if there is nothing on either side."""
        return self.found / self.gold if self.gold else float(not self.predicted)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def all_correct(self) -> bool:
        """Everything that was predicted is right, and all of gold was found."""
        return self.f1 >= 1

    @property
    def counts(self) -> tuple[float, float, float, float]:
        """The statistics of a micro average."""
        return (self.right, self.predicted, self.found, self.gold)


def micro_f1(sums: Array, counts: Array) -> Array:
    """F1 of precision and recall over the parts of all items together; NaN of no item."""
    right, predicted, found, gold = (np.asarray(column, dtype=np.float64) for column in sums.T)
    precision = right / np.maximum(predicted, 1)
    recall = found / np.maximum(gold, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = np.where(precision + recall > 0, 2 * precision * recall / (precision + recall), 0.0)
    return np.where(counts > 0, f1, np.nan)


def overlap(predicted: Sequence[str], gold: Sequence[str], *, once: bool = True) -> Overlap:
    """Of two lists. `once`: what comes twice in both counts twice in their lengths, but once among the common."""
    common = len(set(predicted) & set(gold)) if once else (Counter(predicted) & Counter(gold)).total()
    return Overlap(common, len(predicted), common, len(gold))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Common of all; 0 if there is nothing."""
    return len(left & right) / max(1, len(left | right))


def align(predicted: Proof, gold: Proof, *, spread_ties: bool = False) -> list[tuple[str, str]]:
    """For each predicted conclusion, in order, the gold conclusion with the most similar leaves, or `NO_MATCH`.

    Several may get the same. Of equals the first is taken; with `spread_ties` the first that was not taken yet.
    """
    taken: set[str] = set()
    pairs = []
    for conclusion in predicted.conclusions:
        likeness = [jaccard(conclusion.leaves, other.leaves) for other in gold.conclusions]
        best = max(likeness, default=0.0)
        equals = [
            other.name for other, like in zip(gold.conclusions, likeness, strict=True) if like == best and like > 0
        ]
        fresh = [name for name in equals if name not in taken] if spread_ties else []
        match = next(iter(fresh or equals), NO_MATCH)
        taken.add(match)
        pairs.append((conclusion.name, match))
    return pairs


@dataclass(frozen=True, slots=True)
class Comparison:
    """A predicted proof beside gold, but for what a similarity must say."""

    leaves: Overlap
    steps: Overlap
    names: Mapping[str, str]
    """Gold's name for each predicted conclusion."""
    steps_as_gold: tuple[str, ...]
    """The predicted steps, written with gold's names."""
    wordings: tuple[Pair, ...]
    """What predicted conclusions say, and what the aligned gold ones say: empty if none is aligned."""
    matches: tuple[tuple[str, str], ...]
    """Keys under which a right wording counts once: of the predicted conclusion, of the gold one."""
    predicted: int
    gold: int
    """Numbers of conclusions."""

    @property
    def questions(self) -> tuple[Pair, ...]:
        """The pairs of texts that a similarity is asked about."""
        return tuple((_plain(said), _plain(meant)) for said, meant in self.wordings)


def compare(predicted: Proof, gold: Proof, *, by_words: bool = True, spread_ties: bool = False) -> Comparison:
    """Compares two proofs. `by_words`: what is said in the same words counts once, as in the released scorers."""
    pairs = align(predicted, gold, spread_ties=spread_ties)
    names = dict(pairs)
    if by_words:
        merged = {predicted.words[name]: gold.words.get(match, "") for name, match in pairs}
        wordings = tuple(merged.items())
        matches = tuple((_plain(said), meant) for said, meant in wordings)
    else:
        matches = tuple(names.items())
        wordings = tuple((predicted.words[name], gold.words.get(match, "")) for name, match in matches)
    steps = [_written(head, names, _texts_for_steps(predicted, gold)) for head in predicted.heads]
    steps_of_gold = [_written(head, {}, gold.texts) for head in gold.heads]
    return Comparison(
        overlap(sorted(predicted.leaves), sorted(gold.leaves)),
        overlap(steps, steps_of_gold, once=by_words),
        names,
        tuple(_written(head, names, None) for head in predicted.heads),
        wordings,
        matches,
        len(predicted.words),
        len(gold.words),
    )


def intermediates(comparison: Comparison, similarities: Sequence[float], *, strict: bool = False) -> Overlap:
    """Conclusions whose words are like gold's: at `THRESHOLD` or above it, or above it only (`strict`)."""
    right = [
        match
        for match, (_, meant), value in zip(comparison.matches, comparison.wordings, similarities, strict=True)
        if meant and (value > THRESHOLD if strict else value >= THRESHOLD)
    ]
    said, covered = ({match[side] for match in right} for side in (0, 1))
    return Overlap(len(said), comparison.predicted, len(covered), comparison.gold)


def _texts_for_steps(predicted: Proof, gold: Proof) -> Mapping[str, str] | None:
    """What ids say in a predicted step where leaves are texts: gold's conclusions stand for those of that name."""
    if predicted.texts is None:
        return None
    root = f"int{1 + max((int(name[3:]) for name in gold.words if re.fullmatch('int[0-9]+', name)), default=0)}"
    hypothesis = {root: gold.words[HYPOTHESIS]} if HYPOTHESIS in gold.words else {}
    return {**predicted.texts, **gold.words, **hypothesis, NO_MATCH: NULL}


def _written(head: Head, names: Mapping[str, str], texts: Mapping[str, str] | None) -> str:
    premises, conclusion = head
    ids = [names.get(premise, premise) for premise in premises]
    name = names.get(conclusion, conclusion)
    if texts is None:
        return f"{' & '.join(sorted(ids))} -> {name}"
    said = sorted(texts.get(premise, NULL) for premise in ids)
    return f"{' & '.join(said)} -> {texts.get(name.strip(), NULL)}"


def _plain(text: str) -> str:
    """A text with nothing in it that T5 cannot write."""
    return re.sub(" {2,}", " ", _NOT_T5.sub(" ", text.lower()))


def _metric(name: str, meaning: str) -> Metric:
    return Metric(name, "higher", (0, 1), "dalvi2021", meaning, scale=100)


LEAVES_F1 = _metric("leaves.f1", "F1 of the leaves: does the tree use the right sentences?")
LEAVES_ALL = _metric("leaves.all", "all leaves are right")
STEPS_F1 = _metric("steps.f1", "F1 of the steps: premises and conclusion as in gold")
STEPS_ALL = _metric("steps.all", "all steps are right")
INTERMEDIATES_F1 = _metric(
    "intermediates.f1", "F1 of the conclusions that say the same as gold's, by a similarity of texts"
)
INTERMEDIATES_ALL = _metric(
    "intermediates.all", "all conclusions say the same as gold's, by a similarity of texts"
)
OVERALL_ALL = _metric("overall.all", "leaves, steps and conclusions are all right")
