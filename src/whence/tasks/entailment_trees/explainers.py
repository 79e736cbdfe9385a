"""Ways to explain a hypothesis by a tree of entailment steps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from whence.tasks.entailment_trees.drill_down import OneStep, OneStepSettings
from whence.tasks.entailment_trees.retrieving import retriever
from whence.tasks.entailment_trees.searching import (
    CorpusSearch,
    CorpusSettings,
    SearchSettings,
    TreeSearch,
    judge_of,
    tree_models,
)
from whence.tasks.entailment_trees.stepwise import StepwiseSettings, StepwiseTrees
from whence.tasks.entailment_trees.written import ImaginedTrees, WriterSettings, WrittenTrees, writer_in
from whence.tasks.explainers import EMBEDDED, Method, Setup


def _search(settings: SearchSettings, _: Setup) -> TreeSearch:
    return TreeSearch(tree_models(settings), settings)


def _search_in_corpus(settings: CorpusSettings, setup: Setup) -> CorpusSearch:
    """Task 3 may give no sentences: then they come from its corpus."""
    always = settings.retriever != "given"
    find = cache(lambda: retriever(settings.retriever if always else EMBEDDED, setup))
    return CorpusSearch(_search(settings, setup), find, always=always)


def _one_step(settings: OneStepSettings, _: Setup) -> OneStep:
    step = judge_of("entailmentbank-1", "step", settings.step)
    writer = writer_in(settings.writer, "entailmentbank-1", "one-step") if settings.writer else None
    return OneStep(step, judge_of("entailmentbank-2", "needed", settings.needed), settings, writer)


def _search_with_all(settings: SearchSettings, setup: Setup) -> TreeSearch:
    """Task 1 gives just the sentences of the tree."""
    return _search(replace(settings, needed="all") if settings.needed == EMBEDDED else settings, setup)


def _written(settings: WriterSettings, _: Setup, *, task: str, all_used: bool) -> WrittenTrees:
    return WrittenTrees(writer_in(settings.model, task, "proof"), all_used=all_used)


def _stepwise(settings: StepwiseSettings, _: Setup, *, all_used: bool) -> StepwiseTrees:
    """Of sentences that were chosen, or are just those of the tree (task 1), all are used."""
    writer = writer_in(settings.model, "entailmentbank-1", "one-step").with_beams(settings.beams)
    step = judge_of("entailmentbank-1", "step", settings.step) if settings.beams > 1 else None
    alone = all_used and settings.needed == EMBEDDED
    needed = None if alone or settings.needed == "all" else judge_of("entailmentbank-2", "needed", settings.needed)
    return StepwiseTrees(writer, step, needed, settings, all_used=all_used or needed is not None)


def _imagined(settings: WriterSettings, _: Setup) -> ImaginedTrees:
    return ImaginedTrees(writer_in(settings.model, "entailmentbank-1", "tree"))


_SEARCH = Method("search", "the best tree by search over steps, conclusions by rule", SearchSettings, _search)
_ONE_STEP = Method("one-step", "the sentences that entail it best, in one step", OneStepSettings, _one_step)
_WRITE_ALL, _WRITE = (
    Method("write", "a tree that a language model writes over the sentences", WriterSettings, make)
    for make in (
        partial(_written, task="entailmentbank-1", all_used=True),
        partial(_written, task="entailmentbank-2", all_used=False),
    )
)
_STEPWISE_ALL, _STEPWISE = (
    Method(
        "stepwise",
        "a tree that a language model writes step by step",
        StepwiseSettings,
        partial(_stepwise, all_used=all_used),
    )
    for all_used in (True, False)
)
_IMAGINE = Method("imagine", "a tree that a language model writes, sentences and all", WriterSettings, _imagined)

METHODS: dict[str, tuple[Method, ...]] = {
    "entailmentbank-1": (replace(_SEARCH, make=_search_with_all), _ONE_STEP, _WRITE_ALL, _STEPWISE_ALL, _IMAGINE),
    "entailmentbank-2": (_SEARCH, _ONE_STEP, _WRITE, _STEPWISE),
    "entailmentbank-3": (
        replace(_SEARCH, settings=CorpusSettings, make=_search_in_corpus),
        _ONE_STEP,
        _WRITE,
        _STEPWISE,
    ),
}
