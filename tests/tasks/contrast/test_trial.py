"""The trial: claims that nobody trained on, judged by the verifier that ships."""

from __future__ import annotations

import pytest

from whence.models.verifier.choice import reader_verifier
from whence.models.verifier.entailment import Inference
from whence.models.weights import WEIGHTS, is_here, models_folder
from whence.structures.verdict import CONTRADICTS, FOLLOWS, UNKNOWN
from whence.tasks import task_named
from whence.tasks.loading import load
from whence.tasks.sources import data_folder


def _auc(positive: list[float], negative: list[float]) -> float:
    pairs = [(high > low) + 0.5 * (high == low) for high in positive for low in negative]
    return sum(pairs) / len(pairs)


@pytest.mark.skipif(not is_here(WEIGHTS["reader"], models_folder()), reason="needs: whence models get reader")
def test_claims_that_follow_are_told_from_those_that_do_not() -> None:
    examples = load(task_named("contrast"), "trial", data_folder).examples
    asked = [Inference(example.inputs.premises, example.inputs.conclusion) for example in examples]
    judged = list(
        zip((example.golds[0].name for example in examples), reader_verifier().judge(asked), strict=True)
    )
    support = {
        label: [entailment.follows for gold, entailment in judged if gold == label]
        for label in (FOLLOWS, CONTRADICTS, UNKNOWN)
    }
    assert _auc(support[FOLLOWS], support[CONTRADICTS]) >= 0.95
    assert _auc(support[FOLLOWS], support[UNKNOWN]) >= 0.98
    accepted = [entailment.label == FOLLOWS for gold, entailment in judged if gold == FOLLOWS]
    refused = [entailment.label != FOLLOWS for gold, entailment in judged if gold != FOLLOWS]
    assert sum(accepted) / len(accepted) >= 0.85
    assert sum(refused) / len(refused) >= 0.9
