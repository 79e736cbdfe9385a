"""How alike two argument graphs are, and what each edge adds to one (ExplaGraphs, sec. 6).

The released evaluator works on linearised graphs, `(a; relation; b)(c; relation; d)`, and some of its figures
depend on how a graph was written. So what is measured here is often the text, split as it splits it.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from whence.formats.graphs import ordered
from whence.metrics.metric import Array, Metric
from whence.metrics.similarity import Pair
from whence.metrics.text import Ngram, ngrams
from whence.metrics.text_stemmer import stem
from whence.solvers import edit_distance
from whence.solvers.assignment import best_assignment
from whence.structures.graph import Edge, Graph

_PAPER = "saha2021"
_RELEASED = "saha2021, released evaluator"

STANCE_ACCURACY = Metric("SA", "higher", (0, 1), _PAPER, "The share of answers whose stance is the gold one.")
STRUCTURE_ACCURACY = Metric(
    "StCA",
    "higher",
    (0, 1),
    _PAPER,
    "The share of answers with the right stance and a well-formed graph: a connected DAG of enough edges, known "
    "relations, short concepts, two of them from each text.",
)
SEMANTIC_ACCURACY = Metric(
    "SeCA",
    "higher",
    (0, 1),
    _PAPER,
    "The share of answers that pass StCA and from whose graph a classifier infers the gold stance of the belief.",
)
G_BERTSCORE = Metric(
    "G-BS",
    "higher",
    (0, 1),
    _PAPER,
    "F1 of the best matching of predicted and gold edges by a similarity of texts, BERTScore in the paper; 0 for "
    "answers that fail StCA.",
)
G_BLEU = Metric(
    "G-BLEU",
    "higher",
    (0, 1),
    _RELEASED,
    "F1 of the best matching of predicted and gold edges by unsmoothed BLEU-4; 0 for answers that fail StCA.",
)
G_ROUGE = Metric(
    "G-ROUGE",
    "higher",
    (0, 1),
    _RELEASED,
    "F1 of the best matching of predicted and gold edges by the precision of ROUGE-2 on stems; 0 for answers that "
    "fail StCA.",
)
GRAPH_EDIT_DISTANCE = Metric(
    "GED",
    "lower",
    (0, 1),
    _PAPER,
    "The least number of edits that turn the predicted graph into the gold one, as a share of the most that there "
    "could be; 1 for answers that fail StCA.",
)
EDGE_IMPORTANCE = Metric(
    "EA",
    "higher",
    (0, 1),
    _PAPER,
    "The share of a graph's edges without which a classifier is less sure of the gold stance; 0 for answers that "
    "fail StCA.",
)


def linearised(graph: Graph) -> str:
    """The graph on one line, whatever its concepts hold, even what would read back differently."""
    return "".join(f"({edge.head}; {edge.relation}; {edge.tail})" for edge in graph.edges)


def edge_entries(text: str) -> list[str]:
    """What stands between the brackets: the text without its first and last character, split."""
    return text[1:-1].split(")(")


def edge_sentences(text: str) -> list[str]:
    """Each edge as a sentence, `a; relation; b`, in lower case and without any bracket."""
    return [re.sub("[()]", "", piece.lower().strip()) for piece in text.split(")(")]


def with_last_relations(graph: Graph) -> Graph:
    """The graph with one edge a pair of concepts: the first in place, the last in relation."""
    relations = {(edge.head, edge.tail): edge.relation for edge in graph.edges}
    return Graph(tuple(Edge(head, relation, tail) for (head, tail), relation in relations.items()))


def depth_first(graph: Graph) -> str:
    """The graph on one line, depth first from the concepts that no edge leads to: what classifiers read."""
    return linearised(ordered(with_last_relations(graph), "dfs"))


def flattened(text: str) -> str:
    """A linearised graph as sentences: `a relation b. c relation d. `, with the blank at the end."""
    return text.replace("(", "").replace(";", "").replace(")", ". ")


def without_each_edge(text: str) -> list[str]:
    """The linearised graph without its first edge, without its second, and so on."""
    return [text.replace(f"({entry})", "") for entry in edge_entries(text)]


_LARGEST_PREDICTION = 17
"""A chain of 8 edges has 9 nodes: deleting it and building the gold graph is the most that the paper foresees."""


@dataclass(frozen=True, slots=True)
class GraphDistance:
    """An edit distance as a share of the largest one, between bounds that are equal if the search was finished."""

    lower: float
    upper: float


def graph_distance(predicted: Graph, gold: Graph, time_limit: float | None = None) -> GraphDistance:
    """The edit distance of two graphs over |V| + |E| + 17 of the gold one.

    It is over 1 where a prediction is far larger than the paper allows; the released evaluator stops there.
    """
    one, other = edit_distance.from_graph(gold), edit_distance.from_graph(predicted)
    found = edit_distance.graph_edit_distance(one, other, time_limit=time_limit)
    most = len(one.nodes) + len(one.edges) + _LARGEST_PREDICTION
    return GraphDistance(found.lower / most, found.upper / most)


def nearest_distance(predicted: Graph, golds: Sequence[Graph], time_limit: float | None = None) -> GraphDistance:
    """The smallest share over several gold graphs, each with its own largest distance; they share the time."""
    each_limit = None if time_limit is None else time_limit / len(golds)
    found = [graph_distance(predicted, gold, each_limit) for gold in golds]
    return GraphDistance(min(each.lower for each in found), min(each.upper for each in found))


@dataclass(frozen=True, slots=True)
class EdgeMatch:
    """The best one-to-one matching of predicted and gold edges."""

    total: float
    """The sum of the similarities of matched edges."""
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """The similarity that an edge of the prediction finds on average."""
        return self.total / self.predicted

    @property
    def recall(self) -> float:
        """The similarity that an edge of the gold graph finds on average."""
        return self.total / self.gold

    @property
    def f1(self) -> float:
        """The harmonic mean of the two, 2 P R / (P + R), which is this; and 0 where that is 0/0."""
        return 2 * self.total / (self.predicted + self.gold)


def best_match(similarities: Array) -> EdgeMatch:
    """The matching with the largest sum, of predicted edges (rows) and gold edges (columns)."""
    rows, columns = best_assignment(similarities)
    return EdgeMatch(float(similarities[rows, columns].sum()), *similarities.shape)


Prepared = TypeVar("Prepared")


@dataclass(frozen=True, slots=True)
class PreparedSimilarity(Generic[Prepared]):
    """A similarity of two texts each of which has to be taken apart first, once."""

    name: str
    prepare: Callable[[str], Prepared]
    compare: Callable[[Prepared, Prepared], float]

    def score(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """One score a pair."""
        prepared = {text: self.prepare(text) for text in dict.fromkeys(text for pair in pairs for text in pair)}
        return [self.compare(prepared[candidate], prepared[reference]) for candidate, reference in pairs]


_TOKEN = re.compile(
    r"^\s+|(?<=\s)\s+|(?<=\S)[^\S ]\s*"  # white space, except one blank after a word
    r"|(?<!\S)\S[^\s;]*"  # the start of a word, even if it is a semicolon
    r"|;|[^\s;]+"
)
_LONGEST_NGRAM = 4
_LOG_OF_NO_PRECISION = math.log(sys.float_info.min) / _LONGEST_NGRAM
"""NLTK takes the smallest float for a precision of 0, so that its logarithm exists: about 1e-77 instead of 0."""


def edge_tokens(sentence: str) -> list[str]:
    """Words and semicolons as spaCy's tokenizer gives them when `;` is its only infix, which the evaluator uses.

    A semicolon at the start of a word stays with it, and white space beyond one blank is a token.
    """
    return _TOKEN.findall(sentence)


@dataclass(frozen=True, slots=True)
class _Counted:
    """How many tokens there are, and how often each n-gram of 1 to 4 of them."""

    length: int
    ngrams: tuple[Counter[Ngram], ...]


@lru_cache(1024)  # several answers are compared with one gold graph
def _count_edge_ngrams(sentence: str) -> _Counted:
    tokens = edge_tokens(sentence)
    return _Counted(len(tokens), tuple(ngrams(tokens, order) for order in range(1, _LONGEST_NGRAM + 1)))


def _common(one: Counter[Ngram], other: Counter[Ngram]) -> int:
    """How many n-grams two texts share, `(one & other).total()`: most pairs of edges share none or few."""
    return sum([min(one[ngram], other[ngram]) for ngram in one.keys() & other.keys()])


def _compare_ngrams(candidate: _Counted, reference: _Counted) -> float:
    shared: list[int] = []
    for one, other in zip(candidate.ngrams, reference.ngrams, strict=True):
        if one.keys().isdisjoint(other):
            break  # texts that share no n-gram share no longer one
        shared.append(_common(one, other))
    if not shared:
        return 0.0
    logarithms = [
        math.log(count / (candidate.length - order)) / _LONGEST_NGRAM for order, count in enumerate(shared)
    ]
    logarithms += [_LOG_OF_NO_PRECISION] * (_LONGEST_NGRAM - len(shared))
    shorter = candidate.length < reference.length
    brevity = math.exp(1 - reference.length / candidate.length) if shorter else 1.0
    return brevity * math.exp(math.fsum(logarithms))


@lru_cache(1024)
def _count_stem_pairs(sentence: str) -> Counter[Ngram]:
    words = re.findall("[a-z0-9]+", sentence.lower())
    # rouge-score leaves words of up to three letters as they are
    return ngrams([stem(word) if len(word) > 3 else word for word in words], 2)


def _compare_stem_pairs(candidate: Counter[Ngram], reference: Counter[Ngram]) -> float:
    if candidate.keys().isdisjoint(reference):
        return 0.0
    return _common(candidate, reference) / candidate.total()


EDGE_BLEU = PreparedSimilarity("bleu4", _count_edge_ngrams, _compare_ngrams)
EDGE_ROUGE = PreparedSimilarity("rouge2-precision", _count_stem_pairs, _compare_stem_pairs)
