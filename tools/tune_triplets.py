"""Finds what speaks for a triplet: the weights and the threshold of the method `triplets`.

    WHENCE_DATA=... python tools/tune_triplets.py

They are fitted on the dialogues of fold 1's train that the bundled heads did not learn from, never on a test fold.
(The finder of answers held out others: it learnt from 41 of these 64, so that its weight may be too high.)
A candidate is right if it overlaps with a gold triplet (`overlap.f1`). The threshold is the best over held-out
fifths.
"""

from __future__ import annotations

import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

from whence.commands.progress import work_progress
from whence.structures.results import Prediction
from whence.tasks import head_named, task_named
from whence.tasks.dataset import AnyDataset, Dataset
from whence.tasks.dialogue_triplets.methods.triplets.finder import (
    NAMES,
    Candidate,
    TripletFinder,
    TripletSettings,
    Weights,
    triplet_finder,
)
from whence.tasks.dialogue_triplets.scoring import key, overlap, score_triplets
from whence.tasks.head import Source, lesson
from whence.tasks.loading import load
from whence.tasks.method import Setup
from whence.tasks.scoring import ScoringOptions
from whence.tasks.sources import data_folder

PARTS = ("cider/spans", "cider/joined", "cider-nli/claim", "cider-relation/relation")
FIFTHS = 5


def held_out() -> AnyDataset:
    """The dialogues that all of the heads held out; which they are depends on the dialogues that a head knows."""
    groups = []
    for name in PARTS:
        task, head = name.split("/")
        source = Source(task_named(task), "fold1-train", data_folder)
        made = lesson(name, head_named(task, head), head_named(task, head).items(source), held_out=0.1, seed=0)
        groups.append({item.group for item in made.dev})
    common = set.intersection(*groups)
    sys.stdout.write(
        f"held out by the heads: {', '.join(str(len(own)) for own in groups)}; by all: {len(common)}\n"
    )
    dataset = load(task_named("cider"), "fold1-train", data_folder)
    kept = tuple(example for example in dataset.examples if example.id in common)
    return Dataset(kept, tuple(range(1, len(kept) + 1)))


def main() -> None:
    dataset = held_out()
    finder = triplet_finder(TripletSettings(), Setup(data_folder))
    with work_progress() as report:
        found = []
        for number, example in enumerate(dataset.examples, 1):
            found += finder.candidates([example])
            report("proposing triplets", number, len(dataset.examples))
    golds = [[key(triplet) for triplet in example.golds[0].triplets] for example in dataset.examples]
    right = [
        [any(overlap(key(one.triplet), gold) for gold in own) for one in many]
        for many, own in zip(found, golds, strict=True)
    ]
    sys.stdout.write(
        f"{sum(map(len, found))} candidates, {sum(map(sum, right))} right, {sum(map(len, golds))} gold\n"
    )
    thresholds = np.arange(0.01, 0.2, 0.005)
    sums = np.zeros(len(thresholds))
    for fifth in range(FIFTHS):
        inside = [n for n in range(len(found)) if n % FIFTHS != fifth]
        weights = fitted([found[n] for n in inside], [right[n] for n in inside])
        outside = [n for n in range(len(found)) if n % FIFTHS == fifth]
        part = Dataset(tuple(dataset.examples[n] for n in outside), tuple(outside))
        for place, threshold in enumerate(thresholds):
            sums[place] += figure(part, [found[n] for n in outside], weights, threshold) / FIFTHS
    best = int(sums.argmax())
    whole = fitted(found, right)
    sys.stdout.write(f"threshold {thresholds[best]:.3f}: {sums[best]:.4f} overlap.f1\nbias {whole.bias:.3f}\n")
    for name, weight in zip(NAMES, whole.each, strict=True):
        sys.stdout.write(f"{name}: {weight:.3f}\n")


def fitted(found: list[list[Candidate]], right: list[list[bool]]) -> Weights:
    rows = np.array([one.features for many in found for one in many])
    model = LogisticRegression(max_iter=1000).fit(rows, [answer for own in right for answer in own])
    return Weights(float(model.intercept_[0]), tuple(map(float, model.coef_[0])))


def figure(dataset: AnyDataset, found: list[list[Candidate]], weights: Weights, threshold: float) -> float:
    finder = TripletFinder({}, TripletSettings(threshold=threshold), weights)
    answers = [
        Prediction(e.id, finder.chosen(own).explanation) for e, own in zip(dataset.examples, found, strict=True)
    ]
    scores = {one.metric.name: one for one in score_triplets(dataset, answers, ScoringOptions())}
    return scores["overlap.f1"].figure() or 0.0


if __name__ == "__main__":
    main()
