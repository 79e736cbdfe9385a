"""The seam to models that people try to fool, and to machines that do a stage by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from whence.collection.configuration import ModelInLoop
from whence.collection.submitting import Opinion
from whence.errors import WhenceError

Consult = Callable[[ModelInLoop, str, str], Opinion]
"""What a model says of two texts. One that cannot be asked raises an error of those below."""

CANNOT_BE_ASKED = (WhenceError, OSError, RuntimeError, ValueError)


def consult_trained(wanted: ModelInLoop, first: str, second: str) -> Opinion:
    """Asks a trained model: that of a folder, or the small one that ships with the package."""
    name, probabilities = _ask(wanted.lesson, wanted.folder, first, second)
    return Opinion(name, max(probabilities, key=probabilities.__getitem__), probabilities)


def _ask(lesson: str, folder: str, first: str, second: str) -> tuple[str, Mapping[str, float]]:
    classifier = _classifier(lesson, folder)
    return classifier.name, dict(classifier.probabilities([(first, second)])[0])


@cache
def _classifier(lesson: str, folder: str):  # type: ignore[no-untyped-def]  # its type would load the models
    from whence.models.trained import TrainedClassifier, bundled, load_model

    model = load_model(Path(folder)) if folder else bundled(lesson)
    return TrainedClassifier(model, lesson)


def opinion_of(consult: Consult, wanted: ModelInLoop, first: str, second: str) -> Opinion:
    """What the model says; where it cannot be asked, that and why: nobody's work waits for a model."""
    try:
        return consult(wanted, first, second)
    except CANNOT_BE_ASKED as error:
        return Opinion(wanted.folder or wanted.lesson, "", fault=f"{type(error).__name__}: {error}"[:500])
