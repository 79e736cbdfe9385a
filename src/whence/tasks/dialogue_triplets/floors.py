"""CIDER's floors: the most frequent relation or label, the first option, words that stand side by side."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from statistics import median_low

from whence.models.retrieval.words import STOP_WORDS
from whence.structures.dialogue import Answer, Dialogue, Span, SpanQuestion, Triplet, Triplets
from whence.structures.results import Label, Prediction
from whence.tasks.dataset import AnyDataset
from whence.tasks.floors import MAJORITY, Floor, content_words, most_frequent, random_for

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_SENTENCE = re.compile(r"[^.?!]+[.?!]*")


def neighbouring_words(dataset: AnyDataset, seed: int) -> list[Prediction[Triplets]]:
    """As many triplets as gold has in the middle, each of two content words that stand side by side."""
    golds = [example.golds[0].triplets for example in dataset.examples]
    relation = most_frequent(triplet.relation for gold in golds for triplet in gold)
    count = median_low(len(gold) for gold in golds)
    predictions = []
    for example in dataset.examples:
        pairs = list(_neighbours(example.inputs))
        chosen = random_for(example, seed).sample(pairs, min(count, len(pairs)))
        triplets = Triplets(tuple(Triplet(head, relation, tail) for head, tail in chosen))
        predictions.append(Prediction(example.id, triplets))
    return predictions


def _neighbours(dialogue: Dialogue) -> Iterator[tuple[Span, Span]]:
    for turn, utterance in enumerate(dialogue.utterances):
        spans = [
            Span(match[0], turn, match.start())
            for match in _WORD.finditer(utterance.text)
            if match[0].lower() not in STOP_WORDS
        ]
        yield from itertools.pairwise(spans)


def first_option(dataset: AnyDataset, _: int) -> list[Prediction[Label]]:
    """The first option of every question."""
    return [Prediction(example.id, Label("0")) for example in dataset.examples]


def nearest_option(dataset: AnyDataset, _: int) -> list[Prediction[Label]]:
    """The option of whose words the dialogue and the question have the largest share."""
    predictions = []
    for example in dataset.examples:
        said = content_words(f"{example.inputs.context} {example.inputs.question}")
        shares = [_share(option, said) for option in example.inputs.options]
        best = max(range(len(shares)), key=shares.__getitem__, default=0)
        predictions.append(Prediction(example.id, Label(str(best))))
    return predictions


def _share(text: str, said: frozenset[str]) -> float:
    own = content_words(text)
    return len(own & said) / max(len(own), 1)


def last_sentence(dataset: AnyDataset, _: int) -> list[Prediction[Answer]]:
    """The last sentence of the dialogue."""
    return [Prediction(example.id, _sentences(example.inputs)[-1]) for example in dataset.examples]


def nearest_sentence(dataset: AnyDataset, _: int) -> list[Prediction[Answer]]:
    """The sentence of the dialogue that shares most words with the question, the first of equals."""
    predictions = []
    for example in dataset.examples:
        asked = content_words(example.inputs.question)
        near = max(_sentences(example.inputs), key=lambda one: len(content_words(one.text) & asked))
        predictions.append(Prediction(example.id, near))
    return predictions


def _sentences(inputs: SpanQuestion) -> list[Answer]:
    spans = [
        Answer(text, match.start() + match[0].index(text))
        for match in _SENTENCE.finditer(inputs.context)
        if (text := match[0].strip())
    ]
    return spans or [Answer(inputs.context, 0)]


_OF_SPANS = ("em", "nm", "f1", "overlap_f1", "squad_em", "squad_f1")
"""All but `pm`: more partial matches are better than none and worse than exact ones."""

FLOORS: dict[str, tuple[Floor, ...]] = {
    "cider": (
        Floor(
            "neighbouring words",
            "random pairs of content words that stand side by side, joined by the most frequent relation",
            neighbouring_words,
        ),
    ),
    "cider-nli": (MAJORITY,),
    "cider-span": (
        Floor("last sentence", "the last sentence of the dialogue", last_sentence, _OF_SPANS),
        Floor(
            "nearest sentence",
            "the sentence that shares most words with the question",
            nearest_sentence,
            _OF_SPANS,
        ),
    ),
    "cider-choice": (
        Floor("first option", "the first option, always", first_option),
        Floor("nearest option", "the option of whose words most are in the dialogue or question", nearest_option),
    ),
    "cider-relation": (
        Floor("majority", "the most frequent relation of the gold file, always", MAJORITY.answers),
    ),
}
