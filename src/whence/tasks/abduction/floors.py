"""ART's floors: the more frequent label, the hypothesis with more common words, an observation as it stands."""

from __future__ import annotations

from dataclasses import replace

from whence.structures.hypothesis import Hypothesis
from whence.structures.results import Label, Prediction
from whence.tasks.abduction.data.files import CHOICES
from whence.tasks.dataset import AnyDataset
from whence.tasks.floors import MAJORITY, Ceiling, Floor, content_words

ENOUGH = 4
"""References of an example from which one may be taken away: of fewer, it would be missed."""


def nearest_hypothesis(dataset: AnyDataset, _: int) -> list[Prediction[Label]]:
    """The hypothesis that shares more words with the observations; the first if both share as many."""
    predictions = []
    for example in dataset.examples:
        inputs = example.inputs
        seen = content_words(f"{inputs.obs1} {inputs.obs2}")
        shared = [len(content_words(text) & seen) for text in (inputs.hyp1, inputs.hyp2)]
        predictions.append(Prediction(example.id, Label(CHOICES[shared.index(max(shared))])))
    return predictions


def first_observation(dataset: AnyDataset, _: int) -> list[Prediction[Hypothesis]]:
    """What was observed first, word by word."""
    return [Prediction(example.id, Hypothesis(example.inputs.obs1)) for example in dataset.examples]


def second_observation(dataset: AnyDataset, _: int) -> list[Prediction[Hypothesis]]:
    """What was observed later, word by word."""
    return [Prediction(example.id, Hypothesis(example.inputs.obs2)) for example in dataset.examples]


def one_reference(dataset: AnyDataset) -> tuple[AnyDataset, list[Prediction[Hypothesis]]]:
    """The first reference of each example that has enough of them, against its others."""
    several = [at for at, example in enumerate(dataset.examples) if len(example.golds) >= ENOUGH]
    examples = [dataset.examples[at] for at in several]
    others = tuple(replace(example, golds=example.golds[1:]) for example in examples)
    lines = tuple(dataset.lines[at] for at in several) if dataset.lines else ()
    answers = [Prediction(example.id, example.golds[0]) for example in examples]
    return replace(dataset, examples=others, lines=lines), answers


FLOORS: dict[str, tuple[Floor, ...]] = {
    "anli": (
        MAJORITY,
        Floor("common words", "the hypothesis that shares more words with the observations", nearest_hypothesis),
    ),
    "anlg": (
        Floor("first observation", "the first observation, word by word", first_observation),
        Floor("second observation", "the second observation, word by word", second_observation),
    ),
}
WRITTEN = (
    Ceiling(
        "people",
        f"one reference against the others, where there are {ENOUGH}; it has one fewer to match than other "
        "answers, so the ceiling is low",
        one_reference,
    ),
)
