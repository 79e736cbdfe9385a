"""Scorers by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.errors import MissingDataError, UsageError
from whence.metrics.similarity import SIMILARITIES
from whence.models.bertscore import EmbeddedBertScore, EmbeddedCosine
from whence.models.checkpoint import (
    CheckpointBertScore,
    CheckpointClassifier,
    CheckpointEncoder,
    CheckpointRegression,
)
from whence.models.encoder import Encoder
from whence.models.similarity import classifier_named, similarity_named


@pytest.mark.parametrize("name", SIMILARITIES)
def test_plain_similarities(name: str) -> None:
    assert similarity_named(name) is SIMILARITIES[name]


def test_embedded_similarities(encoder: Encoder) -> None:
    found = similarity_named("embedded"), similarity_named("embedded-cosine")
    assert isinstance(found[0], EmbeddedBertScore) and isinstance(found[1], EmbeddedCosine)
    assert found[0].name == "bertscore-f1:all-MiniLM-L6-v2@53aa5117"
    assert found[1].name == "cosine:all-MiniLM-L6-v2@53aa5117"


def test_embedded_similarities_need_the_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path))
    with pytest.raises(MissingDataError, match="whence models get encoder"):
        similarity_named("embedded")


def test_checkpoints_by_folder(tiny_folder: Path) -> None:
    whole, layered = similarity_named(str(tiny_folder)), similarity_named(f"{tiny_folder}#1")
    assert isinstance(whole, CheckpointBertScore) and isinstance(layered, CheckpointBertScore)
    assert isinstance(layered.encoder, CheckpointEncoder)
    assert layered.encoder._layer == 1
    assert isinstance(similarity_named(f"regression:{tiny_folder}"), CheckpointRegression)
    assert isinstance(classifier_named(str(tiny_folder), "explagraphs/seca"), CheckpointClassifier)


def test_unknown_names_list_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="exact, tokf1, embedded, embedded-cosine, the folder of a checkpoint"):
        similarity_named("bleurt")
    with pytest.raises(MissingDataError, match=r"no checkpoint there"):
        similarity_named(str(tmp_path))
    with pytest.raises(MissingDataError, match="no such folder"):
        classifier_named(str(tmp_path / "gone"), "explagraphs/seca")
