"""How much of gold comes back when it is told as a chain of thought: EntailmentBank's trees, ExplaGraphs' graphs.

    WHENCE_DATA=... python benchmarks/told_thoughts.py words
    WHENCE_DATA=... python benchmarks/told_thoughts.py embedded 30

A tree is told sentence by sentence (`whole`: the given sentences of each step, then what follows; `bare`: only
what follows), a graph edge by edge. The second argument is how many examples of dev are taken, else all.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from whence.pipeline.explain import explained_scores
from whence.structures.graph import Edge, StanceGraph
from whence.structures.results import Example, Prediction
from whence.structures.tree import Claim, Tree
from whence.structures.tree import texts as texts_of
from whence.tasks import task_named
from whence.tasks.argument_graphs.methods.thoughts.graph_of_thoughts import structure_of as graph_structure
from whence.tasks.entailment_trees.methods.thoughts.tree_of_thoughts import structure_of as tree_structure
from whence.tasks.loading import load
from whence.tasks.sources import data_folder
from whence.tasks.thinking import Structure, thoughts_of

SAID = {
    "antonym of": "is the opposite of",
    "synonym of": "is the same as",
    "at location": "is located at",
    "not at location": "is not located at",
    "has subevent": "involves",
    "not has subevent": "does not involve",
    "not causes": "does not cause",
    "not desires": "does not desire",
    "has property": "has",
    "not has property": "has no",
    **{name: f"is {name}" for name in ("capable of", "part of", "made of", "created by", "used for")},
    **{f"not {name}": f"is not {name}" for name in ("capable of", "part of", "made of", "created by", "used for")},
}


def tell_tree(example: Example[Claim, Tree], *, whole: bool) -> str:
    tree = example.golds[0]
    known, said, lines = texts_of(tree, example.inputs), set(), []
    for step in tree.steps:
        fresh = [one for one in step.premises if one.startswith("sent") and one not in said and whole]
        said.update(fresh)
        lines += [f"{known[one]}." for one in fresh]
        lines.append(f"Therefore, {known[step.conclusion]}.")
    return "\n".join(lines)


def tell_graph(example: Example[Any, StanceGraph]) -> str:
    gold = example.golds[0]
    lines = [f"{edge.head} {SAID.get(edge.relation, edge.relation)} {edge.tail}." for edge in gold.graph.edges]
    return "\n".join([*lines, f"It {gold.stance}s the belief."])


def measure(task: str, how: str, tell: Callable[[Any], str], structure: Structure, most: int | None) -> None:
    found = load(task_named(task), "dev", data_folder)
    examples = tuple(example for example in found.examples if example.golds)[:most]
    dataset = replace(found, examples=examples, lines=found.lines[: len(examples)])
    begun = time.process_time()
    made = [structure(example.inputs, thoughts_of(tell(example))).explanation for example in examples]
    seconds = time.process_time() - begun
    answers = [Prediction(example.id, one) for example, one in zip(examples, made, strict=True)]
    scores = explained_scores(task_named(task), dataset, answers)
    figures = {one.metric.name: one.figure() for one in scores}
    shown = [f"{name} {value:.3f}" for name, value in figures.items() if value is not None]
    if task == "explagraphs":
        shown.append(f"edges {edges_back(examples, made):.3f}")
    none = sum(one is None for one in made)
    print(
        f"{task} {how}: {len(examples)} examples, {none} without; {', '.join(shown)}; {seconds:.1f} core seconds"
    )


def edges_back(examples: tuple[Example[Any, StanceGraph], ...], made: list[StanceGraph | None]) -> float:
    kept = total = 0
    for example, one in zip(examples, made, strict=True):
        gold = {Edge(edge.head.lower(), edge.relation, edge.tail.lower()) for edge in example.golds[0].graph.edges}
        kept += len(gold & set(one.graph.edges)) if one else 0
        total += len(gold)
    return kept / total


def main(links: str, most: int | None) -> None:
    trees, graphs = tree_structure(links), graph_structure(links)
    for task in ("entailmentbank-1", "entailmentbank-2"):
        measure(task, "whole", lambda example: tell_tree(example, whole=True), trees, most)
        measure(task, "bare", lambda example: tell_tree(example, whole=False), trees, most)
    measure("explagraphs", "edge by edge", tell_graph, graphs, most)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
