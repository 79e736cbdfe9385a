"""Which premises belong together, and which sentences are needed at all.

As a choice, trees compete, and what a tree scores is the sum of what its steps score: an option is a tree, and
each of its pairs a step. As a label, a sentence is needed or not. `step_text` writes both so that every kind of
model that reads pairs can learn the same thing. This kind weighs the numbers of `whence.models.bridges` and
`whence.models.relevance`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from whence.errors import DataError, quoted
from whence.models.bridges import Group, Problem, measure_groups, read_problem
from whence.models.items import AnyItem, Item, Pair
from whence.models.learners import Learner
from whence.models.learners.logistic import Logistic, LogisticJudge
from whence.models.learners.logistic_network import Floats, Ints, Questions, Reading
from whence.models.learners.logistic_pairs import option_verdicts
from whence.models.learners.options import as_items
from whence.models.relevance import measure_sentences
from whence.models.vector_cache import CachedEncoder
from whence.progress import Report

_NEXT_PREMISE, _NEXT_SENTENCE = "\n", "\t"


def step_text(problem: Problem, group: Group) -> Pair:
    """A step among all sentences: its premises, a line each, with tabs between the sentences that one rests on;
    and the hypothesis, and the sentences that are left, a line each."""
    premises = _NEXT_PREMISE.join(_NEXT_SENTENCE.join(_chosen(problem, premise)) for premise in group)
    left = _chosen(problem, problem.everything & ~sum(group))
    return premises, _NEXT_PREMISE.join((_one_line(problem.hypothesis), *left))


def _chosen(problem: Problem, members: int) -> list[str]:
    return [_one_line(text) for place, text in enumerate(problem.sentences) if members >> place & 1]


def _one_line(text: str) -> str:
    return " ".join(text.split())


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
    asked = as_items(items)
    read = []
    for done, item in enumerate(asked, 1):
        read.append(_read_item(item, encoder))
        report("reading", done, len(asked))
    table = np.concatenate([one for one, _ in read]) if read else np.zeros((0, 1), dtype=np.float32)
    starts = np.cumsum([0, *(len(one) for one, _ in read)])
    # A step that several trees of an item have is measured once.
    places = np.concatenate(
        [start + own for start, (_, own) in zip(starts, read, strict=False)] or [np.zeros(0, int)]
    )
    questions = Questions(
        rows=np.array([len(option) for item in asked for option in item.options], dtype=np.int64),
        options=np.array([len(item.options) for item in asked], dtype=np.int64),
        gold=np.array([[item.gold or 0] for item in asked], dtype=np.int64).reshape(-1, 1),
        classes=False,
    )

    def rows(chosen: Ints) -> tuple[Floats, Floats]:
        return table[places[chosen]], _nothing(len(chosen))

    return Reading(rows, questions, lambda scores: option_verdicts(asked, questions, scores))


def _read_item(item: Item, encoder: CachedEncoder) -> tuple[Floats, Ints]:
    """The numbers of the different steps of an item, and which of them its pairs are, in order."""
    pairs = [pair for option in item.options for pair in option]
    different = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    problem = _problem(pairs[0])
    place = {text: number for number, text in enumerate(problem.sentences)}
    groups = [_group(pair, problem, place, item.id) for pair in different]
    numbers = measure_groups(read_problem(problem, encoder), groups)
    return numbers, np.array([different[pair] for pair in pairs], dtype=np.int64)


def _problem(pair: Pair) -> Problem:
    hypothesis, *left = pair[1].split(_NEXT_PREMISE)
    used = [text for premise in pair[0].split(_NEXT_PREMISE) for text in premise.split(_NEXT_SENTENCE)]
    return Problem(tuple(sorted((*used, *left))), hypothesis)


def _group(pair: Pair, problem: Problem, place: Mapping[str, int], name: str) -> Group:
    if _problem(pair) != problem:
        raise DataError(expected="steps over the same sentences", found=f"others in {quoted(name)}")
    premises = [premise.split(_NEXT_SENTENCE) for premise in pair[0].split(_NEXT_PREMISE)]
    if len(premises) < 2:
        raise DataError(expected="two premises or more", found=f"one in {quoted(name)}")
    return tuple(sorted(sum(1 << place[text] for text in premise) for premise in premises))


def read_sentences(items: Sequence[AnyItem], encoder: CachedEncoder, report: Report) -> Reading:
    """Sentences to be labelled, each among all that are at hand."""
    asked = as_items(items)
    measured: dict[Problem, Floats] = {}
    rows = []
    for done, item in enumerate(asked, 1):
        pair = item.options[0][0]
        problem = _problem(pair)
        if problem not in measured:
            measured[problem] = measure_sentences(read_problem(problem, encoder))
        rows.append(measured[problem][problem.sentences.index(pair[0])])
        report("reading", done, len(asked))
    table = np.stack(rows) if rows else np.zeros((0, 1), dtype=np.float32)
    ones = np.ones(len(asked), dtype=np.int64)
    gold = np.array([item.gold or 0 for item in asked], dtype=np.int64)
    questions = Questions(rows=ones, options=ones, gold=gold, classes=True)

    def chosen_rows(chosen: Ints) -> tuple[Floats, Floats]:
        return table[chosen], _nothing(len(chosen))

    return Reading(chosen_rows, questions, lambda scores: option_verdicts(asked, questions, scores))


LEARNERS: Mapping[str, Learner] = {"bridges": Logistic("bridges", {"choice": read_steps, "label": read_sentences})}
