"""BLEU, METEOR, ROUGE-L, CIDEr and BERTScore: rows by hand; parity with the released scorers is in `golden`."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.metrics.metric import Scores
from whence.metrics.similarity import SIMILARITIES
from whence.metrics.text import bertscore, bleu, cider, rouge_l
from whence.metrics.text_meteor import meteor, wordnet
from whence.metrics.text_stemmer import stem
from whence.structures.hypothesis import Hypothesis
from whence.structures.results import Prediction
from whence.tasks import TASKS, task_named
from whence.tasks.dataset import Dataset
from whence.tasks.loading import samples
from whence.tasks.scoring import SCORING_PROTOCOLS, ScoringOptions

TOKEN_F1 = SIMILARITIES["tokf1"]
E = math.exp(-1)


def _all(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> list[Scores]:
    return [
        *bleu(candidates, references),
        meteor(candidates, references),
        rouge_l(candidates, references),
        cider(candidates, references),
        bertscore(candidates, references, TOKEN_F1),
    ]


@pytest.mark.parametrize(
    ("candidate", "references", "expected"),
    [
        ("a b c d", ["a b c d"], (1, 1, 1, 1)),
        ("a b x d", ["a b c d"], (3 / 4, math.sqrt(3 / 4 * 1 / 3), 0, 0)),
        ("a a a", ["a b c"], (1 / 3, 0, 0, 0)),  # clipped
        ("a a", ["a b", "a a c"], (1, 1, 0.01, 0.001)),  # by the reference that has most; no runs of 3 give 1e-6
        ("a b", ["a b c d"], (E, E, E * 0.01, E * 0.001)),  # brevity: 1 - 4/2
        ("a b c", ["a b", "a b c d"], (1, 1, 1, 1e-6 ** (1 / 4))),  # of two equally close lengths, the shorter
        ("A b", ["a b"], (1 / 2, 0, 0, 0)),  # case counts
        ("", ["a"], (0, 0, 0, 0)),
    ],
)
def test_bleu(candidate: str, references: list[str], expected: tuple[float, ...]) -> None:
    assert [scores.figure() for scores in bleu([candidate], [references])] == pytest.approx(expected, abs=1e-5)


def test_bleu_of_a_corpus_is_of_sums() -> None:
    found = bleu(["a b", "c"], [["a b"], ["d"]])
    assert found[0].figure() == pytest.approx(2 / 3)
    assert found[1].figure() == pytest.approx(math.sqrt(2 / 3 * 1))
    # The second item twice is the second item drawn twice.
    again = bleu(["a b", "c", "c"], [["a b"], ["d"], ["d"]])
    assert [one.figures(np.array([[1.0, 2.0]]))[0] for one in found] == [one.figure() for one in again]


@pytest.mark.parametrize(
    ("candidate", "references", "precision", "recall"),
    [
        ("a b c", ["a b c"], 1, 1),
        ("a c", ["a b c"], 1, 2 / 3),
        ("c a", ["a b c"], 1 / 2, 1 / 3),  # in order
        ("a  b", ["a b"], 2 / 3, 1),  # two blanks hold an empty word
        ("a b c d", ["a b c x y z", "a"], 3 / 4, 1),  # the best of each, of different references
        ("x", ["a"], 0, 0),
        ("", ["a"], 0, 0),
    ],
)
def test_rouge_l(candidate: str, references: list[str], precision: float, recall: float) -> None:
    beta = 1.2**2
    expected = (1 + beta) * precision * recall / (recall + beta * precision) if precision else 0
    assert rouge_l([candidate], [references]).figure() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("candidate", "references", "expected"),
    [
        ("a b", ["a b"], 1 - 0.5 * (1 / 2) ** 3),  # one chunk of two
        ("b a", ["a b"], 0.5),  # two chunks of two
        ("A B", ["a b"], 1 - 0.5 / 8),  # lower case
        ("walks", ["walked"], 0.5),  # by stem
        ("a x", ["a b c", "a b"], 0.5 * 0.5),  # the best reference
        ("a x", ["a b c"], 0.5 * (1 / 6) / (0.9 * 0.5 + 0.1 / 3)),  # recall weighs nine times
        ("x", ["a"], 0),
        ("", ["a"], 0),
        ("a", [""], 0),
    ],
)
def test_meteor(candidate: str, references: list[str], expected: float) -> None:
    assert meteor([candidate], [references]).figure() == pytest.approx(expected)
    assert meteor([candidate], [references], digits=4).figure() == round(expected, 4)


@dataclass(frozen=True)
class Some:
    name: str = "some"

    def of(self, word: str) -> Collection[str]:
        return {"happy": {"glad"}, "walked": {"walk"}}.get(word, ())


def test_meteor_with_synonyms() -> None:
    assert meteor(["glad"], [["happy"]], Some()).figure() == 0  # synonyms of the candidate's words only
    found = meteor(["happy"], [["glad"]], Some())
    assert found.figure() == 0.5
    assert found.parameters == {"meteor": "nltk-3.4.5", "synonyms": "some"}
    # As NLTK 3.4.5: paired by stem and again by synonym, so both shares are 2, in two chunks.
    twice = meteor(["walked"], [["walk"]], Some())
    assert twice.figure() == pytest.approx(2 * 0.5)
    assert twice.metric.bounds == (0, 2)


def test_wordnet_is_none_or_has_synonyms() -> None:
    found = wordnet()
    assert found is None or "car" in found.of("auto")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # Porter's own examples
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"), ("agreed", "agre"),
        ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"), ("sing", "sing"), ("hopping", "hop"),
        ("falling", "fall"), ("fizzed", "fizz"), ("filing", "file"), ("happy", "happi"), ("relational", "relat"),
        ("conditional", "condit"), ("digitizer", "digit"), ("formalize", "formal"), ("goodness", "good"),
        ("replacement", "replac"), ("adoption", "adopt"), ("rate", "rate"), ("cease", "ceas"), ("roll", "roll"),
        ("controlling", "control"), ("generalizations", "gener"), ("oscillators", "oscil"),
        # NLTK's changes
        ("dies", "die"), ("died", "die"), ("spied", "spi"), ("enjoy", "enjoy"), ("fly", "fli"), ("skies", "sky"),
        ("news", "news"), ("is", "is"), ("geologies", "geolog"), ("hopefully", "hope"), ("uses", "use"),
        # what METEOR meets: words with their punctuation
        ("walked.", "walked."), ("", ""), ("it's", "it'"), ("42", "42"),
    ],
)  # fmt: skip
def test_stem(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_cider_by_hand() -> None:
    # Two items; 'a' is in the references of both, so its weight is 0. 'b' and 'c' have log 2.
    found = cider(["a b", "a b"], [["a b"], ["a c"]])
    # First: runs of 1 and 2 words agree fully, of 3 and 4 there are none. Second: nothing rare agrees.
    assert found.by_item() == pytest.approx([10 * (1 + 1) / 4, 0])
    # Repeating does not help, and a different length costs exp(-d^2 / 72), in pairs of words.
    repeated = cider(["b b b", "x"], [["b"], ["c"]]).by_item()[0]
    assert repeated == pytest.approx(10 / 4 * (1 / 3) * math.exp(-4 / 72))


def test_cider_of_one_item_is_zero() -> None:
    assert cider(["a b c"], [["a b c"]]).figure() == 0  # nothing is rare among the references of one item


def test_bertscore_is_a_mean_over_references() -> None:
    found = bertscore(["a b", " "], [["a b", "a c"], ["a"]], TOKEN_F1)
    assert found.by_item() == [0.75, 0]
    assert found.parameters == {"similarity": "tokf1"}
    missing = bertscore(["a b"], [["a b"]], None)
    assert missing.figure() is None
    assert missing.note


def test_no_references_and_no_items_are_unknown() -> None:
    for scores in _all(["a b", "a b"], [[], ["a b"]]):
        assert scores.by_item()[0] is None
        assert scores.by_item()[1] is not None
        assert scores.note
    for scores in [*_all([], []), *_all(["a"], [[]])]:
        assert scores.figure() is None


WORDS = st.lists(st.sampled_from(["a", "b", "walks", "walked", "A", "."]), max_size=6).map(" ".join)
ITEMS = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=6)


@given(ITEMS)
def test_bounds_and_order_of_items(items: list[tuple[str, list[str]]]) -> None:
    backwards = items[::-1]
    ours = _all([text for text, _ in items], [texts for _, texts in items])
    others = _all([text for text, _ in backwards], [texts for _, texts in backwards])
    for one, other in zip(ours, others, strict=True):
        low, high = one.metric.bounds
        values = [*one.by_item(), one.figure()]
        assert all(value is not None and low <= value <= high for value in values)
        assert other.figure() == pytest.approx(one.figure(), abs=1e-12)
        assert other.by_item() == pytest.approx(one.by_item()[::-1], abs=1e-12)


# The task.


@pytest.mark.parametrize("protocol", SCORING_PROTOCOLS)
def test_gold_is_perfect(protocol: str) -> None:
    dataset = samples(TASKS["anlg"])
    first = tuple(replace(example, golds=example.golds[:1]) for example in dataset.examples)
    one_each = replace(dataset, examples=first)
    answers = [Prediction(example.id, example.golds[0]) for example in dataset.examples]
    options = ScoringOptions(protocol, similarity=TOKEN_F1)
    found = {
        scores.metric.name: scores.figure()
        for scores in task_named("anlg").scoring().score(one_each, answers, options)
    }
    assert list(found) == ["bleu1", "bleu2", "bleu3", "bleu4", "meteor", "rougeL", "cider", "bertscore"]
    assert found.pop("cider") == pytest.approx(10)
    assert found.pop("meteor") == pytest.approx(1, abs=5e-3)  # even a perfect text is one chunk
    assert list(found.values()) == pytest.approx([1] * 6, abs=1e-8)
    assert not task_named("anlg").scoring().failures(dataset, answers, options)


@pytest.mark.parametrize("answer", [None, Prediction("x", None, "?"), Prediction("x", Hypothesis("")), "blank"])
def test_no_answers_never_crash(answer: Prediction[Hypothesis] | str | None) -> None:
    dataset = samples(TASKS["anlg"])
    given = Prediction("x", Hypothesis(" \t")) if isinstance(answer, str) else answer
    answers = [given] * len(dataset.examples)
    for scores in task_named("anlg").scoring().score(dataset, answers, ScoringOptions(similarity=TOKEN_F1)):
        assert scores.figure() == pytest.approx(0)
    assert task_named("anlg").scoring().failures(dataset, answers, ScoringOptions()).total() == len(answers)


def test_only_official_meteor_is_rounded() -> None:
    dataset = samples(TASKS["anlg"])
    answers = [Prediction(example.id, Hypothesis("the dog ate it")) for example in dataset.examples]
    values = {
        protocol: next(
            scores.by_item()
            for scores in task_named("anlg").scoring().score(dataset, answers, ScoringOptions(protocol))
            if scores.metric.name == "meteor"
        )
        for protocol in SCORING_PROTOCOLS
    }
    assert values["official"] == [round(value or 0, 4) for value in values["paper"]]
    assert values["official"] != values["paper"] == values["whence"]


def test_failures() -> None:
    example = samples(TASKS["anlg"]).examples[0]
    dataset = Dataset((example,) * 3, (1, 2, 3))
    texts = (example.inputs.obs1, "xyz", example.golds[0].text)
    causes = (
        task_named("anlg")
        .scoring()
        .failures(dataset, [Prediction("x", Hypothesis(text)) for text in texts], ScoringOptions())
    )
    assert causes["no word of any reference"] == 1
    assert causes["repeats an observation"] == 1


def test_length_slices() -> None:
    example = samples(TASKS["anlg"]).examples[0]
    for words, expected in ((5, "1-5 words"), (6, "6-8 words"), (11, "9-11 words"), (12, "12 words and more")):
        long = replace(example, golds=(Hypothesis("word " * words),))
        assert task_named("anlg").scoring().slices["length"](long) == (expected,)
    assert task_named("anlg").scoring().slices["length"](replace(example, golds=())) == ()
