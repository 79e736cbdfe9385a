"""Finds the weights of structured argument graphs on topics of train that no part has learnt from.

    WHENCE_DATA=... python tools/tune_graphs.py FOLDER [TRIALS]

Beliefs are gathered into topics by the embedded encoder; some topics, 400 examples or so, are held out, the parts
learn from the others, and weights are drawn by chance; the first two trials are those in use, as a chain and as
any graph. It prints how well the parts know the gold graphs; then for each trial the mean edit distance at the
gold stance (lower is better), edges and added concepts a graph, and the weights. Models and splits go to the
folder and are not made again.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Literal

import numpy as np

from whence.metrics.graph import graph_distance
from whence.models.encoder import normalised
from whence.models.trained import CARD, load_model
from whence.models.vector_cache import cached_encoder
from whence.structures.graph import Argument, Graph, external_concepts
from whence.tasks.argument_graphs.data.files import RELATIONS, SPLITS, read
from whence.tasks.argument_graphs.heads.concept_roles import place_questions
from whence.tasks.argument_graphs.heads.edge_questions import EDGE_LABELS, all_edge_questions
from whence.tasks.argument_graphs.heads.texts import gold_graph
from whence.tasks.argument_graphs.methods.structured.decoder import best_graph
from whence.tasks.argument_graphs.methods.structured.evidence import Parts, Weights, gather_evidence
from whence.tasks.argument_graphs.methods.structured.external_concepts import (
    SimilarConcepts,
    added_concepts,
    general_concepts,
)
from whence.tasks.sources import data_folder

_TOPICS, _HELD, _ROUNDS = 53, 400, 50  # train has 53 topics (sec. 4.1)


def main(folder: Path, trials: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    part, held = folder / "part.tsv", folder / "held.tsv"
    if not held.is_file():
        _divide(SPLITS["train"].file(data_folder()), part, held)
    parts = _parts(folder, part)
    examples = read(held).examples
    inputs, stances = [one.inputs for one in examples], [one.golds[0].stance for one in examples]
    golds = [gold_graph(one) for one in examples]
    _tell_parts(parts, inputs, golds)
    evidence = gather_evidence(parts, inputs, stances, most=6, added=2)
    chance = random.Random(0)
    shapes: tuple[Literal["chain", "any"], ...] = ("chain", "any")
    for number in range(trials):
        weights = Weights() if number < len(shapes) else _drawn(chance)
        shape = shapes[number] if number < len(shapes) else "chain"
        made = [best_graph(one, own, weights, shape) for one, own in zip(inputs, evidence, strict=True) if own]
        graphs = [one.graph for one in made if one.graph is not None]
        far = [graph_distance(graph, gold).upper for graph, gold in zip(graphs, golds, strict=True)]
        added = [len(external_concepts(graph, one)) for graph, one in zip(graphs, inputs, strict=True)]
        edges = np.mean([len(graph.edges) for graph in graphs])
        sys.stdout.write(f"{np.mean(far):.4f} {edges:.2f} edges {np.mean(added):.2f} added {shape} {weights}\n")
        sys.stdout.flush()


def _tell_parts(parts: Parts, inputs: Sequence[Argument], golds: Sequence[Graph]) -> None:
    """How well the parts know the gold graphs: every ordered pair of their concepts, and what they add."""
    questions = {"places": place_questions, "edges": partial(all_edge_questions, form=parts.edge_form)}
    named = [(str(number), one, gold.nodes) for number, (one, gold) in enumerate(zip(inputs, golds, strict=True))]
    tables = {
        name: np.array([v.probabilities for v in judge.judge([item for one in named for item in ask(*one)])])
        for (name, ask), judge in zip(questions.items(), (parts.places, parts.edges), strict=True)
    }
    labels = [
        next((RELATIONS.index(e.relation) for e in gold.edges if (e.head, e.tail) == pair), len(RELATIONS))
        for gold in golds
        for pair in permutations(gold.nodes, 2)
    ]
    gold = np.array(labels)
    frequent = np.bincount(gold, minlength=len(EDGE_LABELS)) + 0.5
    tables["frequencies"] = np.tile(frequent / frequent.sum(), (len(gold), 1))
    words = tables["edges"][:, :-1] / tables["edges"][:, :-1].sum(axis=1, keepdims=True)
    tables["places for the edge, words for the relation"] = np.hstack(
        [words * (1 - tables["places"][:, -1:]), tables["places"][:, -1:]]
    )
    joined = gold < len(RELATIONS)
    for name, table in tables.items():
        all_loss = -np.log(table[np.arange(len(gold)), gold]).mean()
        edge_loss = -np.log(np.where(joined, 1 - table[:, -1], table[:, -1])).mean()
        right = (table[joined, :-1].argmax(axis=1) == gold[joined]).mean()
        sys.stdout.write(f"{name}: log-loss {all_loss:.3f}, edge or none {edge_loss:.3f}, relation {right:.1%}\n")
    added = [external_concepts(gold, one) for gold, one in zip(golds, inputs, strict=True)]
    first = [found[0].text for found in parts.proposer.propose(inputs)]
    hits = sum(one in own for one, own in zip(first, added, strict=True))
    sys.stdout.write(f"{hits} of {sum(map(len, added))} added concepts are the first proposal\n")


def _drawn(chance: random.Random) -> Weights:
    return Weights(
        concept=chance.choice([0.5, 0.7, 1, 1.5, 2]),
        added=chance.uniform(-2, 3),
        words=chance.choice([0, 0.2, 0.4, 0.6, 0.8]),
        relation=chance.choice([0.2, 0.4, 0.6, 1]),
        places=chance.choice([0, 0.3, 0.6, 1]),
        size=chance.uniform(-0.5, 2),
    )


def _parts(folder: Path, part: Path) -> Parts:
    judges = {}
    for head in ("concepts", "edges", "places"):
        model = folder / "models" / head
        if not (model / CARD).is_file():
            command = [sys.executable, "-m", "whence", "train", "explagraphs", f"frozen.{head}", "-o", str(model)]
            subprocess.run([*command, "--set", f"split={part}"], check=True)
        judges[head] = load_model(model).judge(f"explagraphs/{head}")
    proposer = SimilarConcepts({**general_concepts(), **added_concepts(read(part).examples)})
    return Parts(judges["concepts"], judges["edges"], "concepts", judges["places"], proposer)


def _divide(train: Path, part: Path, held: Path) -> None:
    lines = [line for line in train.read_text(encoding="utf-8").split("\n") if line]
    topics = _topics([line.split("\t")[0].lower() for line in lines])
    chosen: set[int] = set()
    for topic in np.random.default_rng(0).permutation(_TOPICS).tolist():
        if sum(own in chosen for own in topics) < _HELD:
            chosen.add(topic)
    for path, wanted in ((held, True), (part, False)):
        kept = [line for line, topic in zip(lines, topics, strict=True) if (topic in chosen) is wanted]
        path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")


def _topics(beliefs: Sequence[str]) -> list[int]:
    """Beliefs gathered by likeness: k-means over directions."""
    vectors = normalised(cached_encoder().sentences(list(beliefs)))
    centres = vectors[np.random.default_rng(0).choice(len(vectors), _TOPICS, replace=False)]
    for _ in range(_ROUNDS):
        nearest = (vectors @ centres.T).argmax(axis=1)
        means = [vectors[nearest == topic].mean(axis=0) for topic in range(_TOPICS) if (nearest == topic).any()]
        centres = normalised(np.array(means))
    return [int(topic) for topic in (vectors @ centres.T).argmax(axis=1)]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40)
