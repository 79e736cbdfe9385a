"""What a task says of shortlists: which facts people look at for a question, from what rankers put first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.structures.facts import Fact, Ranking
from whence.structures.results import Example
from whence.tasks.dataset import AnyDataset
from whence.tasks.statistics import StatisticsTable

Ranked = Mapping[str, Sequence[str]]
"""Ids of facts by question, the best first."""


@dataclass(frozen=True, slots=True)
class Shortlists:
    """How facts are shortlisted."""

    question: Callable[[str, str], Any]
    """The inputs of a question and its answer."""
    rank: Callable[
        [Sequence[Example[Any, Any]], int, Mapping[str, Fact], Callable[[], Path]],
        tuple[Ranked, Mapping[str, Fact]],
    ]
    """The best so many facts of each question by the task's usual method, and those facts, given known ones and
    the data folder."""
    choose: Callable[[AnyDataset, Sequence[Mapping[str, Ranking]], int], list[Example[Any, Any]]]
    """Every question with the best so many facts of each ranking, and gold ones, to be rated."""
    describe: Callable[[Sequence[Example[Any, Any]], Sequence[Mapping[str, Ranking]]], StatisticsTable]
    """How long shortlists are, and how much of the gold explanations the rankers found."""
