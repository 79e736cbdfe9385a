"""The model that people try to fool, as it really is; and what happens where it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from whence.collection.configuration import ModelInLoop
from whence.collection.configuration_files import read_configuration
from whence.collection.models_in_loop import consult_trained, opinion_of
from whence.models.weights import WEIGHTS, is_here, models_folder


def _model() -> ModelInLoop:
    found = read_configuration("explagraphs")[0].stage("hamlet-1").model
    assert found is not None
    return found


@pytest.mark.skipif(not is_here(WEIGHTS["encoder"], models_folder()), reason="needs: whence models get encoder")
def test_bundled_stance_model_has_an_opinion() -> None:
    said = opinion_of(consult_trained, _model(), "Cities should plant trees.", "Trees keep streets cool in July.")
    assert said.label in ("support", "counter")
    assert said.probabilities.keys() == {"support", "counter"}
    assert sum(said.probabilities.values()) == pytest.approx(1)
    assert "@" in said.model  # with its fingerprint
    assert not said.fault


def test_model_that_is_not_there(tmp_path: Path) -> None:
    said = opinion_of(consult_trained, replace(_model(), folder=str(tmp_path)), "a", "b")
    assert (said.label, said.model) == ("", str(tmp_path))
    assert "no model there" in said.fault
