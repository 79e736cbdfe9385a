"""Similarities and classifiers by name, as options of the command line and recipes give them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from whence.errors import MissingDataError, UsageError, quoted
from whence.metrics.similarity import SIMILARITIES, Classifier, Similarity
from whence.models.bertscore import EmbeddedBertScore, EmbeddedCosine
from whence.models.checkpoint import CheckpointBertScore, CheckpointClassifier, CheckpointRegression
from whence.models.trained import CARD, TrainedClassifier, bundled, load_model
from whence.models.verifier.choice import VERIFIERS, verifier_named
from whence.models.verifier.steps import StepClassifier

EMBEDDED: dict[str, Callable[[], Similarity]] = {
    "embedded": EmbeddedBertScore,
    "embedded-cosine": EmbeddedCosine,
}
"""Similarities by the embedded encoder: `whence models get encoder`."""

STEPS = "entailmentbank-1/step"
"""What judges of steps learn; verifiers judge them too."""

_REGRESSION = "regression:"


def similarity_named(text: str) -> Similarity:
    """The similarity that an option means.

    A name (`exact`, `tokf1`, `embedded`, `embedded-cosine`); a checkpoint's folder for BERTScore, with `#17`
    behind it for that layer; `regression:` and a folder for a head with one output, such as BLEURT's.
    """
    if text in SIMILARITIES:
        return SIMILARITIES[text]
    if text in EMBEDDED:
        return EMBEDDED[text]()
    if text.startswith(_REGRESSION):
        return CheckpointRegression(Path(text.removeprefix(_REGRESSION)))
    path, _, layer = text.rpartition("#") if text.rpartition("#")[2].isdecimal() else (text, "", "")
    if not Path(path).expanduser().is_dir():
        names = ", ".join([*SIMILARITIES, *EMBEDDED])
        raise UsageError(
            f"there is no similarity {quoted(text)}; there are {names}, the folder of a checkpoint (BERTScore) "
            f"and {_REGRESSION}FOLDER (a head with one output)"
        )
    return CheckpointBertScore(Path(path), int(layer) if layer else None)


def classifier_named(text: str, lesson: str) -> Classifier:
    """The classifier of text pairs that an option means.

    `embedded` is the small one that ships with this package; else the folder of a model that `whence train` made,
    which must have learnt the lesson, or of a checkpoint. Steps of trees are judged by verifiers, too: `reader`,
    `large` or `both`.
    """
    if lesson == STEPS and text in VERIFIERS:
        return StepClassifier(verifier_named(text)())
    if text == "embedded":
        return TrainedClassifier(bundled(lesson), lesson)
    path = Path(text).expanduser()
    if (path / CARD).is_file():
        model = load_model(path)
        return TrainedClassifier(model, model.lesson(*lesson.split("/")))
    if not path.is_dir():
        verifiers = f"a verifier ({', '.join(VERIFIERS)}), " if lesson == STEPS else ""
        raise MissingDataError(
            f"{path}: no such folder; a classifier is {verifiers}'embedded', a trained model or a checkpoint"
        )
    return CheckpointClassifier(path)
