"""BERTScore: against the definition, and against the package bert_score by stored numbers."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest

from whence.metrics.similarity import Similarity
from whence.models import bertscore
from whence.models.bertscore import BertScore, EmbeddedBertScore, EmbeddedCosine, rarities
from whence.models.encoder import EncodedText, Encoder

VECTORS = {"[": (0.0, 2.0), "]": (0.0, -1.0), "a": (1.0, 0.0), "b": (0.6, 0.8), "c": (-3.0, 0.0), "d": (0.8, -0.6)}
"""A vector a letter; brackets frame every text, as [CLS] and [SEP] do."""


class Letters:
    """An encoder whose tokens are letters."""

    name = "letters@1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def ids(self, texts: object) -> list[list[int]]:
        return [[ord(letter) for letter in f"[{text}]"] for text in texts]  # type: ignore[attr-defined]

    def tokens(self, texts: object) -> list[EncodedText]:
        self.seen += texts  # type: ignore[operator]
        return [
            EncodedText(
                np.array(ids),
                np.isin(ids, [ord("["), ord("]")]),
                np.array([VECTORS[chr(letter)] for letter in ids], dtype=np.float32),
            )
            for ids in self.ids(texts)
        ]


@pytest.mark.parametrize(
    ("candidate", "reference", "precision", "recall"),
    [
        ("a", "a", 1.0, 1.0),
        ("ab", "a", 0.9, 1.0),  # b meets [ at 0.8, which frames the reference, rather than a at 0.6
        ("a", "ab", 1.0, 0.9),
        ("a", "c", 0.0, 0.0),  # opposite, so each meets a bracket, at a right angle
        ("ad", "ab", (1 + 0.8) / 2, (1 + 0.8) / 2),  # b and [, d and a
        ("", "a", 0.0, 0.0),  # an empty text scores nothing,
        ("a", "", 0.0, 0.0),
        ("", "", 0.0, 0.0),  # even beside another
    ],
)
def test_matching_by_hand(candidate: str, reference: str, precision: float, recall: float) -> None:
    (match,) = BertScore(Letters()).matches([(candidate, reference)])
    assert match.precision == pytest.approx(precision, abs=1e-6)
    assert match.recall == pytest.approx(recall, abs=1e-6)
    total = precision + recall
    assert match.f1 == pytest.approx(2 * precision * recall / total if total else 0, abs=1e-6)


def test_rarity_is_inverse_document_frequency() -> None:
    found = rarities([[1, 2, 2], [1, 3]])
    assert found[1] == 0  # in both: log(3 / 3)
    assert found[2] == pytest.approx(log(3 / 2))  # in one, though twice
    assert found[9] == pytest.approx(log(3))  # in none


def test_idf_weights_rare_tokens_more() -> None:
    pairs = [("ab", "ab"), ("ab", "ac")]
    _, match = BertScore(Letters(), idf=True).matches(pairs)
    # a is in both references: weight 0. b (of the candidate) meets [ at 0.8; c (of the reference) meets [ at 0.
    assert match.precision == pytest.approx(0.8, abs=1e-6)
    assert match.recall == pytest.approx(0, abs=1e-6)


def test_each_text_is_encoded_once_and_order_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("a", "b"), ("b", "a"), ("a", "b"), ("ab", "b"), ("abc", "a"), ("b", "dd")]
    letters = Letters()
    together = BertScore(letters).score(pairs)
    assert sorted(letters.seen) == sorted({text for pair in pairs for text in pair})
    assert together == pytest.approx([BertScore(Letters()).score([pair])[0] for pair in pairs])
    monkeypatch.setattr(bertscore, "_MOST_TEXTS", 4)  # in several chunks
    assert BertScore(Letters()).score(pairs) == pytest.approx(together)


def test_no_pairs_no_scores(tiny_folder: Path) -> None:
    tiny = Encoder(tiny_folder)
    assert EmbeddedBertScore(tiny).score([]) == []
    assert EmbeddedBertScore(tiny, idf=True).score([]) == []
    assert EmbeddedCosine(tiny).score([]) == []


def test_names_tell_scorers_apart(tiny_folder: Path) -> None:
    tiny = Encoder(tiny_folder)
    scorers: list[Similarity] = [EmbeddedBertScore(tiny), EmbeddedBertScore(tiny, idf=True), EmbeddedCosine(tiny)]
    assert [scorer.name for scorer in scorers] == [
        f"bertscore-f1:{tiny.name}",
        f"bertscore-f1:{tiny.name}+idf",
        f"cosine:{tiny.name}",
    ]


def test_equal_texts_score_one_and_none_more(tiny_folder: Path) -> None:
    tiny = Encoder(tiny_folder)
    pairs = [(text, text) for text in ("the dog barks", "a cat", "health")]
    for scorer in (EmbeddedBertScore(tiny), EmbeddedBertScore(tiny, idf=True), EmbeddedCosine(tiny)):
        scores = scorer.score(pairs)
        assert scores == pytest.approx([1, 1, 1], abs=1e-6)
        assert max(scores) <= 1


PAIRS = [
    ("A dog barks at the cat.", "The cat is barked at by a dog."),
    ("Smoking harms health.", "Smoking is bad for your health."),
    ("Plants need light to grow.", "Stones sink in water."),
    ("", "Plants need light to grow."),
]


# Produced once with bert_score 0.3.13: model_type=<folder of the encoder>, num_layers=6.
@pytest.mark.parametrize(
    ("idf", "expected"),
    [
        (False, [0.79334, 0.784613, 0.234113, 0.0]),
        (True, [0.767749, 0.747278, 0.172704, 0.0]),
    ],
)
def test_equal_to_bert_score(idf: bool, expected: list[float], encoder: Encoder) -> None:
    assert EmbeddedBertScore(encoder, idf).score(PAIRS) == pytest.approx(expected, abs=1e-5)


def test_cosine_by_the_embedded_encoder(encoder: Encoder) -> None:
    # Produced once with torch, as in test_encoder.py.
    assert EmbeddedCosine(encoder).score(PAIRS[:3]) == pytest.approx([0.852521, 0.884145, 0.218729], abs=1e-5)
