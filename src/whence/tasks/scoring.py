"""What a task's scoring is given and gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from whence.metrics.metric import Scores
from whence.metrics.similarity import Classifier, Similarity
from whence.metrics.text_meteor import Synonyms
from whence.models.calibration import Licence
from whence.structures.results import Example, Prediction
from whence.tasks.dataset import AnyDataset

SCORING_PROTOCOLS = ("official", "paper", "whence")
"""`official` equals the released evaluator to the last digit, `paper` follows the paper's text where the two
differ, `whence` is ours where we are better."""


Measure = Callable[["ScoringOptions", Sequence[Any]], Sequence[Any]]
"""What items are worth: a row for each, of values that JSON has. A function of a module, as it may travel."""

Spread = Callable[[Measure, Sequence[Any], int], Iterator[Sequence[Any]]]
"""Measures items, so many at a time, wherever there is somebody to do it; gives their rows, chunk by chunk."""

CHUNK = 1000
"""Items measured at once: similarities and classifiers see so many together, and memory holds their pairs."""


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How to score: the protocol, and the scorers that were handed in."""

    protocol: str = "official"
    similarity: Similarity | None = None
    """For BERTScore and BLEURT metrics; without one these are unmeasured."""
    graph_classifier: Classifier | None = None
    """For SeCA: labels support, counter, incorrect, of a belief and a graph."""
    stance_classifier: Classifier | None = None
    """For EA: labels support, counter, of a belief and an argument with a graph."""
    synonyms: Synonyms | None = None
    """For METEOR, whose official form pairs WordNet's synonyms too."""
    step_classifier: Classifier | None = None
    """For steps.valid: labels invalid, valid, of premises and a conclusion."""
    time_limit: float | None = None
    """Seconds an exact search may take for one item."""
    licences: Mapping[tuple[str, str], Licence] = field(default_factory=dict)
    """By family of tasks and scorer: whether figures that the scorer measures may be printed."""
    spread: Spread | None = field(default=None, repr=False)
    """Where items are measured; without it, here."""

    def measured(self, measure: Measure, items: Sequence[Any], size: int = 0) -> Iterator[Any]:
        """A row for each item. Chunks are the same wherever they are measured, and so are the rows."""
        size = size or CHUNK
        if self.spread:
            return chain.from_iterable(self.spread(measure, items, size))
        starts = range(0, len(items), size)
        return chain.from_iterable(measure(self, items[start : start + size]) for start in starts)


Answers = Sequence[Prediction[Any] | None]
"""One answer for each example of a data set, in its order; None where there is none, which counts as wrong."""

Slice = Callable[[Example[Any, Any]], tuple[str, ...]]
"""A breakdown: the groups that an example falls into."""

Failures = Callable[[AnyDataset, Answers, ScoringOptions], Counter[str]]
"""Why answers are not right, counted."""

Uses = tuple[str, ...]
"""The fields of `ScoringOptions` by which something may be handed in that a task's metrics are measured with."""

Score = Callable[[AnyDataset, Answers, ScoringOptions], list[Scores]]
"""A task's scoring: one `Scores` a metric, each with one item an example."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """All that a task says of its figures."""

    score: Score
    failures: Failures
    """Why answers are not right."""
    slices: Mapping[str, Slice] = field(default_factory=dict)
    """Breakdowns by name."""
    uses: Uses = ()
    main: tuple[str, ...] = ()
    """The metrics whose mean is what one answer is worth (`whence.judge`); without any, the first one."""
    together: tuple[str, ...] = ()
    """Metrics that mean nothing of one answer alone."""


@dataclass(frozen=True, slots=True)
class TaskMetrics:
    """Metrics that another distribution adds to a task."""

    api: int
    """The version of the plug-in interface that they were made for."""
    task: str
    score: Score
