"""Ways to explain a hypothesis by a tree of entailment steps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from whence.structures.tree import Claim, Sentence
from whence.tasks.entailment_trees.data import corpus_of
from whence.tasks.entailment_trees.drill_down import OneStep, OneStepSettings
from whence.tasks.entailment_trees.searching import SearchSettings, TreeSearch, judge_of, tree_models
from whence.tasks.explainers import EMBEDDED, Method, Setup
from whence.tasks.typed import Given, Typed


def _search(settings: SearchSettings, _: Setup) -> TreeSearch:
    return TreeSearch(tree_models(settings), settings)


def _search_in_corpus(settings: SearchSettings, setup: Setup) -> TreeSearch:
    """Task 3 may give no sentences: then they come from its corpus."""
    facts = setup.facts or corpus_of(setup.data() / "entailmentbank" / "task_3")
    return TreeSearch(tree_models(settings), settings, [fact.text for fact in facts.values()])


def _one_step(settings: OneStepSettings, _: Setup) -> OneStep:
    step = judge_of("entailmentbank-1", "step", settings.step)
    return OneStep(step, judge_of("entailmentbank-2", "needed", settings.needed), settings)


def _search_with_all(settings: SearchSettings, setup: Setup) -> TreeSearch:
    """Task 1 gives just the sentences of the tree."""
    return _search(replace(settings, needed="all") if settings.needed == EMBEDDED else settings, setup)


def _typed_claim(given: Given, least: int = 1) -> Claim:
    hypothesis = given.one("hypothesis")
    facts = given.several("fact", least=least)
    sentences = tuple(Sentence(f"sent{number}", text.strip()) for number, text in enumerate(facts, 1))
    return Claim(hypothesis.strip(), sentences, given.maybe("question"), given.maybe("answer"))


_SEARCH = Method("search", "the best tree by search over steps, conclusions by rule", SearchSettings, _search)
_ONE_STEP = Method("one-step", "the sentences that entail it best, in one step", OneStepSettings, _one_step)

METHODS: dict[str, tuple[Method, ...]] = {
    "entailmentbank-1": (replace(_SEARCH, make=_search_with_all), _ONE_STEP),
    "entailmentbank-2": (_SEARCH, _ONE_STEP),
    "entailmentbank-3": (replace(_SEARCH, make=_search_in_corpus), _ONE_STEP),
}
TYPED: dict[str, Typed] = {
    "entailmentbank-1": _typed_claim,
    "entailmentbank-2": _typed_claim,
    "entailmentbank-3": partial(_typed_claim, least=0),
}
