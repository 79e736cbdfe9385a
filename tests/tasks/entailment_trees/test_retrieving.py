"""Sentences for trees: what is asked, what is found, on our own samples and on the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.errors import MissingDataError
from whence.structures.facts import Fact
from whence.tasks import task_named
from whence.tasks.entailment_trees.retrieval import (
    MOST,
    different,
    key_of,
    leaf_sentences,
    retriever,
    sentence_items,
)
from whence.tasks.head import Source
from whence.tasks.loading import load, samples
from whence.tasks.method import EMBEDDED, Setup
from whence.tasks.sources import data_folder

TASK = task_named("entailmentbank-3")


def test_sentences_that_are_alike_are_ranked_once() -> None:
    corpus = {
        "1": Fact("1", "to happen; to occur"),
        "2": Fact("2", "To happen / to occur"),
        "3": Fact("3", "DUMMY"),
    }
    assert different(corpus) == {"1": "to happen; to occur"}
    assert key_of("a (kind) of; thing") == "a kind of thing"


def test_sample_leaves_are_in_the_sample_corpus_and_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path))
    dataset = samples(TASK)
    found = retriever(EMBEDDED, Setup(lambda: tmp_path, dataset.facts))
    claims = [example.inputs for example in dataset.examples]
    contexts = found.contexts(claims)
    assert found.contexts(claims, most=3) == [context[:3] for context in contexts]
    shares = []
    for example, context in zip(dataset.examples, contexts, strict=True):
        assert len({key_of(sentence.text) for sentence in context}) == len(context) <= MOST
        assert [sentence.id for sentence in context] == [f"sent{n}" for n in range(1, len(context) + 1)]
        needed = {key_of(text) for text in leaf_sentences(example.golds[0], example.inputs)}
        shares.append(len(needed & {key_of(sentence.text) for sentence in context}) / len(needed))
    assert sum(shares) / len(shares) > 0.7  # by words alone; chance: 0.2


def test_where_there_is_no_corpus_that_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="whence data get entailmentbank"):
        retriever(EMBEDDED, Setup(lambda: tmp_path))


@pytest.mark.real_data
def test_published_examples_have_queries_with_their_leaves() -> None:
    items = sentence_items(Source(TASK, "test", data_folder))
    assert len(items) == len({item.id for item in items}) == 340
    dataset = load(TASK, "test", data_folder)
    known = different(dataset.facts).keys()
    needed = [name for item in items for name in item.gold or ()]
    assert len(needed) == 1526  # leaves of the gold trees
    assert sum(name in known for name in needed) / len(needed) == pytest.approx(0.947, abs=0.001)
