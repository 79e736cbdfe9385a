"""What models can learn to judge about ExplaGraphs.

The stance, from the texts alone or with a graph; whether a graph says it (SeCA) and which of its edges matter
(EA); and what the paper's structured model is built of: concepts, edges, and ConceptNet before edges.

Items of one belief are one group: beliefs come with several arguments, and the published splits too share none.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from whence.errors import DataError, quoted
from whence.models.items import Item, Pair, TextItem, Verdict, WordItem
from whence.structures.graph import Graph, StanceGraph
from whence.structures.results import Example
from whence.tasks.argument_graphs.data.conceptnet import FILES, translated_triples
from whence.tasks.argument_graphs.data.files import STANCES
from whence.tasks.argument_graphs.heads.concept_roles import gold_place_questions
from whence.tasks.argument_graphs.heads.concept_tags import CONCEPT_TAGS, concept_tags, words_to_tag
from whence.tasks.argument_graphs.heads.edge_questions import (
    EDGE_FORMS,
    EDGE_LABELS,
    gold_edge_questions,
    triple_questions,
)
from whence.tasks.argument_graphs.heads.incorrect_graphs import foreign_facts, make_incorrect, refined_graphs
from whence.tasks.argument_graphs.heads.texts import (
    ArgumentExample,
    gold_graph,
    semantic_pair,
    stance_pair,
    stance_pairs,
)
from whence.tasks.argument_graphs.methods.written.writer import WRITING_FORMS, written_item
from whence.tasks.argument_graphs.scoring import GRAPH_LABELS
from whence.tasks.head import Head, Source


def stance_items(source: Source) -> list[Item]:
    """One question an example: the belief and the argument."""
    return [
        _labelled(example, "", (example.inputs.belief, example.inputs.argument), _stance(example))
        for example in source.dataset().examples
    ]


def stance_with_graph_items(source: Source) -> list[Item]:
    """One question an example that has a graph: the belief; the argument and the graph."""
    return [
        _labelled(example, "", stance_pair(example.inputs, gold_graph(example)), _stance(example))
        for example in _with_graphs(source)
    ]


def importance_items(source: Source) -> list[Item]:
    """Two questions an example that has a graph: with all of it, and without one of its edges.

    EA compares the answers to just these. The paper tells of no training on graphs with an edge left out; a model
    that never saw one might be less sure of them for that alone, and every edge would seem to matter.
    """
    items = []
    for example in _with_graphs(source):
        full, *without = stance_pairs(example.inputs, gold_graph(example))
        gone = random.Random(f"{source.seed}:{example.id}").randrange(len(without))
        items.append(_labelled(example, "/full", full, _stance(example)))
        items.append(_labelled(example, f"/without-{gone}", without[gone], _stance(example)))
    return items


def semantic_items(source: Source) -> list[Item]:
    """The gold graph of each example with its stance, and incorrect graphs: the refined ones, or else one made."""
    examples = _with_graphs(source)
    facts = foreign_facts(examples)
    incorrect = GRAPH_LABELS.index("incorrect")
    items = []
    for example in examples:
        graphs = {f"/refined-{place}": graph for place, graph in enumerate(refined_graphs(example), 1)}
        made = None if graphs else make_incorrect(example, facts, source.seed)
        if made is not None:
            graphs["/made"] = made
        items.append(
            _labelled(example, "/gold", semantic_pair(example.inputs, gold_graph(example)), _stance(example))
        )
        items += [
            _labelled(example, name, semantic_pair(example.inputs, graph), incorrect)
            for name, graph in graphs.items()
        ]
    return items


def concept_items(source: Source) -> list[WordItem]:
    """One item an example: the words of belief and argument; tagged if there is a graph."""
    return [
        WordItem(
            example.id,
            words_to_tag(example.inputs),
            concept_tags(example.inputs, example.golds[0].graph) if example.golds else None,
            group=_group(example),
        )
        for example in source.dataset().examples
    ]


def edge_items(source: Source) -> list[Item]:
    """The edges of each gold graph, and pairs of its concepts without one."""
    return [
        item
        for example in _with_graphs(source)
        for item in gold_edge_questions(
            example.id, example.inputs, gold_graph(example).edges, source.form, source.seed
        )
    ]


def place_items(source: Source) -> list[Item]:
    """Every ordered pair of concepts of each gold graph, by where they stand."""
    return [
        item
        for example in _with_graphs(source)
        for item in gold_place_questions(
            example.id, example.inputs, gold_graph(example).edges, example.golds[0].stance
        )
    ]


def graph_items(source: Source) -> list[TextItem]:
    """One item an example: the texts, with the stance or without, and the graph in some order of edges."""
    return [written_item(example, source.form, source.seed) for example in source.dataset().examples]


def conceptnet_items(source: Source) -> list[Item]:
    """The triples of ConceptNet's part of that name; elsewhere, as in the samples, the facts of the graphs."""
    if source.where in FILES:
        triples = list(translated_triples(source.where, source.folder()))
    else:
        triples = [
            (f"{example.id}/{place}", edge)
            for example in _with_graphs(source)
            for place, edge in enumerate(gold_graph(example).edges)
        ]
    return triple_questions(triples, source.form, source.seed)


def _with_graphs(source: Source) -> Sequence[ArgumentExample]:
    return [example for example in source.dataset().examples if gold_graph(example).edges]


def _labelled(example: ArgumentExample, part: str, pair: Pair, gold: int | None) -> Item:
    return Item(f"{example.id}{part}", ((pair,),), gold, group=_group(example))


def _group(example: ArgumentExample) -> str:
    return example.inputs.belief.lower()


def _stance(example: ArgumentExample) -> int | None:
    if not example.golds:
        return None
    stance = example.golds[0].stance
    if stance not in STANCES:
        raise DataError(expected=" or ".join(STANCES), found=f"{quoted(stance)} in {example.id}")
    return STANCES.index(stance)


def _answered(_: Example[Any, Any], verdict: Verdict) -> StanceGraph:
    """The stance without a graph: SA can be scored, and all that asks for a graph fails."""
    return StanceGraph(STANCES[verdict.best], Graph(()))


HEADS: tuple[Head, ...] = (
    Head(
        name="stance",
        title="does the argument support or counter the belief",
        shape="label",
        items=stance_items,
        train="train",
        test="dev",
        labels=STANCES,
        answer=_answered,
        figures=("SA",),
    ),
    Head(
        name="stance-with-graph",
        title="the stance, with the graph that explains it read along",
        shape="label",
        items=stance_with_graph_items,
        train="train",
        test="dev",
        labels=STANCES,
    ),
    Head(
        name="ea",
        title="the stance with all of a graph and without one edge: the model behind EA",
        shape="label",
        items=importance_items,
        train="train",
        test="dev",
        labels=STANCES,
    ),
    Head(
        name="seca",
        title="does a graph support or counter the belief, or is it incorrect: the model behind SeCA",
        shape="label",
        items=semantic_items,
        train="refinement",
        test="dev",
        labels=GRAPH_LABELS,
        measure="macro_f1",
    ),
    Head(
        name="concepts",
        title="which words of belief and argument are concepts of the graph",
        shape="tags",
        items=concept_items,
        train="train",
        test="dev",
        labels=CONCEPT_TAGS,
        measure="f1",
    ),
    Head(
        name="edges",
        title="which relation, if any, leads from one concept to another",
        shape="label",
        items=edge_items,
        train="train",
        test="dev",
        labels=EDGE_LABELS,
        measure="macro_f1",
        forms=tuple(EDGE_FORMS),
    ),
    Head(
        name="places",
        title="which relation, if any, leads from one concept to another, by where they stand",
        shape="label",
        items=place_items,
        train="train",
        test="dev",
        labels=EDGE_LABELS,
        measure="likelihood",  # graphs are decoded from its probabilities; most places have no edge
    ),
    Head(
        name="conceptnet",
        title="which relation, if any, ConceptNet has from one concept to another",
        shape="label",
        items=conceptnet_items,
        examples=None,
        train="train",
        test="dev",
        labels=EDGE_LABELS,
        measure="macro_f1",
        forms=tuple(EDGE_FORMS),
    ),
    Head(
        name="graph",
        title="the graph that explains the stance, written out",
        shape="text",
        items=graph_items,
        train="train",
        test="dev",
        measure="likelihood",
        forms=WRITING_FORMS,
    ),
)
