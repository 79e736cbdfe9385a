"""ExplaGraphs' floors: a chain of random words of the two texts, under a stance that took no thought."""

from __future__ import annotations

import itertools

from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.results import Example, Prediction
from whence.tasks.dataset import AnyDataset
from whence.tasks.floors import Floor, content_words, most_frequent, random_for, words

RELATION = "capable of"
_WORDS = 2
"""Of each text: as many as the evaluator wants (sec. 3)."""
_OF_GRAPHS = ("SeCA", "G-BS", "G-BLEU", "G-ROUGE", "GED", "EA")


def random_chain(example: Example[Argument, StanceGraph], seed: int) -> Graph:
    """Two words of the belief, then two of the argument, each *capable of* the next."""
    random = random_for(example, seed)
    chosen: list[str] = []
    for wanted, text in ((_WORDS, example.inputs.belief), (2 * _WORDS, example.inputs.argument)):
        # Where content words do not suffice, others do.
        for some in (content_words(text), frozenset(words(text))):
            left = sorted(some - set(chosen))
            chosen += random.sample(left, min(wanted - len(chosen), len(left)))
    return Graph(tuple(Edge(head, RELATION, tail) for head, tail in itertools.pairwise(chosen)))


def majority_stance(dataset: AnyDataset, seed: int) -> list[Prediction[StanceGraph]]:
    """The stance that most gold answers have, with a random chain."""
    stance = most_frequent(example.golds[0].stance for example in dataset.examples)
    return [
        Prediction(example.id, StanceGraph(stance, random_chain(example, seed))) for example in dataset.examples
    ]


def gold_stance(dataset: AnyDataset, seed: int) -> list[Prediction[StanceGraph]]:
    """The gold stance, with a random chain."""
    return [
        Prediction(example.id, StanceGraph(example.golds[0].stance, random_chain(example, seed)))
        for example in dataset.examples
    ]


FLOORS = (
    Floor(
        "majority stance, random chain",
        f"the most frequent stance, and four random words of the texts in a chain of '{RELATION}'",
        majority_stance,
    ),
    Floor(
        "own stance, random chain",
        f"the stances of the answers that are scored, each with four random words of the texts in a chain of "
        f"'{RELATION}': what the graphs add to the stances",
        gold_stance,
        _OF_GRAPHS,
        given="SA",
    ),
)
