"""`search`: the best tree by search over steps, every one of them judged by the verifier.

hypothesis, sentences (task 3: retrieved from the corpus)
  -> the sentences that are needed                     search.py (head `needed`; task 1 takes all)
  -> groups of premises                                search.py (head `grouping`, whence.solvers.grouping)
  -> what each group entails, in words                 rule_conclusions.py, written_conclusions.py
  -> what of that follows and may be shown             conclusions.py (the verifier)
  -> the first tree whose steps all follow             search.py
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from whence.tasks.entailment_trees.methods.search.search import (
    CorpusSearch,
    CorpusSettings,
    SearchSettings,
    TreeSearch,
    tree_models,
)
from whence.tasks.entailment_trees.retrieval import retriever
from whence.tasks.method import EMBEDDED, Method, Setup


def _search(settings: SearchSettings, setup: Setup) -> TreeSearch:
    return TreeSearch(tree_models(settings, setup.verifier()), settings)


def _search_in_corpus(settings: CorpusSettings, setup: Setup) -> CorpusSearch:
    """Task 3 may give no sentences: then they come from its corpus."""
    always = settings.retriever != "given"
    find = cache(lambda: retriever(settings.retriever if always else EMBEDDED, setup))
    return CorpusSearch(_search(settings, setup), find, always=always)


def _search_with_all(settings: SearchSettings, setup: Setup) -> TreeSearch:
    """Task 1 gives just the sentences of the tree."""
    return _search(replace(settings, needed="all") if settings.needed == EMBEDDED else settings, setup)


METHOD = Method(
    "search",
    "the best tree by search over steps, each judged by the verifier",
    SearchSettings,
    _search,
    {
        "grouping": "entailmentbank-1/grouping",
        "needed": "entailmentbank-2/needed",
    },
)
WITH_ALL_SENTENCES = replace(METHOD, make=_search_with_all)
IN_CORPUS = replace(METHOD, settings=CorpusSettings, make=_search_in_corpus)
