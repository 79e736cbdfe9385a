"""Which premises belong together, and which sentences are needed at all: the kind `bridges`.

As a choice, trees compete, and what a tree scores is the sum of what its steps score. As a label, a sentence is
needed or not. The features are those of `whence.models.overlap_features` and `whence.models.relevance`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from whence.errors import UsageError
from whence.models.items import AnyItem, Group, Problem, StepItem
from whence.models.learners import Learner
from whence.models.learners.logistic import Logistic, LogisticJudge
from whence.models.learners.logistic_network import Questions, Reading
from whence.models.learners.logistic_pairs import option_verdicts
from whence.models.overlap_features import measure_groups, read_problem
from whence.models.relevance import measure_sentences
from whence.models.training.numpy_trainer import Floats, Ints
from whence.models.vector_cache import CachedEncoder
from whence.progress import Report


@dataclass(frozen=True, slots=True)
class GroupScorer:
    """What a model of this kind gives for steps: the more, the likelier their premises belong together."""

    judge: LogisticJudge

    @property
    def name(self) -> str:
        """The model's name and fingerprint."""
        return self.judge.name

    def scorer(self, problem: Problem) -> _ScoredProblem:
        """A function from the groups of a problem to their scores."""
        return _ScoredProblem(problem, self.judge)


class _ScoredProblem:
    def __init__(self, problem: Problem, judge: LogisticJudge) -> None:
        self._network = judge.network
        self._read = read_problem(problem, judge.encoder)

    def __call__(self, groups: Sequence[Group]) -> list[float]:
        rows = measure_groups(self._read, groups)
        return [float(score) for score in self._network.scores(rows, _nothing(len(rows)))[:, 0]]


def _nothing(count: int) -> Floats:
    """The second vector of a row: there is none."""
    return np.zeros((count, 0), dtype=np.float32)


def read_steps(items: Sequence[AnyItem], encoder: CachedEncoder, report: Report) -> Reading:
    """Trees to choose from, a row a step."""
    asked = _step_items(items)
    tables, rows, start = [np.zeros((0, 1), dtype=np.float32)], [], 0
    for done, item in enumerate(asked, 1):
        steps = [step for tree in item.trees for step in tree]
        different = {step: start + number for number, step in enumerate(dict.fromkeys(steps))}
        tables.append(measure_groups(read_problem(item.problem, encoder), list(different)))
        rows += [different[step] for step in steps]
        start += len(different)
        report("reading", done, len(asked))
    questions = Questions(
        rows=np.array([len(tree) for item in asked for tree in item.trees], dtype=np.int64),
        options=np.array([len(item.trees) for item in asked], dtype=np.int64),
        gold=np.array([[item.gold or 0] for item in asked], dtype=np.int64).reshape(-1, 1),
        classes=False,
    )
    return _reading(asked, np.concatenate(tables[1:] or tables), np.array(rows, dtype=np.int64), questions)


def read_sentences(items: Sequence[AnyItem], encoder: CachedEncoder, report: Report) -> Reading:
    """Sentences to be labelled, each among all that are at hand."""
    asked = _step_items(items)
    measured: dict[Problem, Floats] = {}
    rows = []
    for done, item in enumerate(asked, 1):
        if item.problem not in measured:
            measured[item.problem] = measure_sentences(read_problem(item.problem, encoder))
        rows.append(measured[item.problem][item.trees[0][0][0].bit_length() - 1])
        report("reading", done, len(asked))
    ones = np.ones(len(asked), dtype=np.int64)
    gold = np.array([item.gold or 0 for item in asked], dtype=np.int64)
    table = np.stack(rows) if rows else np.zeros((0, 1), dtype=np.float32)
    return _reading(asked, table, np.arange(len(asked)), Questions(ones, ones, gold, classes=True))


def _step_items(items: Sequence[AnyItem]) -> list[StepItem]:
    for item in items:
        if not isinstance(item, StepItem):
            raise UsageError(f"{item.id}: texts, where steps of trees over sentences were expected")
    return [item for item in items if isinstance(item, StepItem)]


def _reading(items: Sequence[StepItem], table: Floats, rows: Ints, questions: Questions) -> Reading:
    """Items whose rows are given by their indices in a table of features."""

    def features(chosen: Ints) -> tuple[Floats, Floats]:
        return table[rows[chosen]], _nothing(len(chosen))

    return Reading(features, questions, lambda scores: option_verdicts(items, questions, scores))


LEARNERS: Mapping[str, Learner] = {"bridges": Logistic("bridges", {"choice": read_steps, "label": read_sentences})}
