"""The task `contrast`: its sets, its figures, what the verifier and language models answer."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from whence.errors import DataError
from whence.formats.llm_text import Unread
from whence.models.verifier.entailment import Entailment, Inference
from whence.structures.results import Example, Label, Prediction
from whence.structures.verdict import CONTRADICTS, FOLLOWS, LABELS, UNKNOWN, Verdict
from whence.tasks.contrast.files import read, read_families, write
from whence.tasks.contrast.floors import bound, word_overlap
from whence.tasks.contrast.judging import VERIFIER, NoSettings
from whence.tasks.contrast.llm_answers import read_verdict_text
from whence.tasks.contrast.scoring import score
from whence.tasks.contrast.task import CONTRAST
from whence.tasks.dataset import Dataset
from whence.tasks.loading import load, samples
from whence.tasks.method import Setup
from whence.tasks.scoring import ScoringOptions

SETS = ("trial", "development", "families")


def _labels(examples: Sequence[Example[Inference, Label]]) -> Counter[str]:
    return Counter(example.golds[0].name for example in examples)


def test_sets_written_by_hand_and_samples_are_apart() -> None:
    sets = [{one.inputs.conclusion for one in load(CONTRAST, name, Path).examples} for name in SETS[:2]]
    sets.append({one.inputs.conclusion for one in samples(CONTRAST).examples})
    assert sum(map(len, sets)) == len(set.union(*sets))


@pytest.mark.parametrize("name", SETS)
def test_bundled_sets_are_balanced_and_the_same_again(name: str) -> None:
    dataset = load(CONTRAST, name, Path)
    assert dataset == load(CONTRAST, name, Path)
    counts = _labels(dataset.examples)
    assert set(counts) == set(LABELS) and max(counts.values()) - min(counts.values()) <= 10
    assert len({example.id for example in dataset.examples}) == len(dataset.examples)
    assert all(example.meta["kind"] for example in dataset.examples)


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["steps-dev", "steps-test"])
def test_steps_are_balanced_and_the_same_again(name: str, real_data: Path) -> None:
    dataset = load(CONTRAST, name, lambda: real_data)
    assert dataset == load(CONTRAST, name, lambda: real_data)
    assert _labels(dataset.examples) == dict.fromkeys(LABELS, 200)


ROW = {"premises": ["birds lay eggs"], "conclusion": "robins lay eggs"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**ROW, "premises": "birds lay eggs"}, "premises"),
        ({**ROW, "premises": []}, "premises"),
        ({**ROW, "premises": [7]}, "premises"),
        ({**ROW, "conclusion": " "}, "conclusion"),
        ({**ROW, "label": "maybe"}, "follows, contradicts, unknown"),
        ({**ROW, "label": None}, "label"),
        ({**ROW, "id": 7}, "id"),
    ],
)
def test_a_row_that_is_no_contrast_is_named(row: dict[str, object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        read(path)
    assert caught.value.line == 2


def test_a_row_without_label_has_no_gold_and_is_written_back(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    dataset = read(path)
    assert dataset.examples == (Example("rows-1", Inference(("birds lay eggs",), "robins lay eggs")),)
    assert [json.loads(line) for line in write(dataset)] == [{"id": "rows-1", **ROW}]


def test_settings_of_families_that_are_no_numbers_are_named(tmp_path: Path) -> None:
    path = tmp_path / "families.json"
    path.write_text('{"count": "many"}', encoding="utf-8")
    with pytest.raises(DataError, match="'count' and 'seed'"):
        read_families(path)


def _dataset(labels: Sequence[str]) -> Dataset[Inference, Label]:
    inputs = Inference(("birds lay eggs",), "robins lay eggs")
    examples = (Example(str(number), inputs, (Label(label),)) for number, label in enumerate(labels))
    return Dataset(tuple(examples), tuple(range(len(labels))))


def _figures(labels: Sequence[str], verdicts: Sequence[Verdict | None]) -> dict[str, float | None]:
    answers = [
        Prediction(str(number), Label(verdict.label), verdict=verdict) if verdict else None
        for number, verdict in enumerate(verdicts)
    ]
    return {one.metric.name: one.figure() for one in score(_dataset(labels), answers, ScoringOptions())}


def _area(positive: Sequence[float], negative: Sequence[float]) -> float:
    pairs = [(high > low) + 0.5 * (high == low) for high in positive for low in negative]
    return sum(pairs) / len(pairs)


@pytest.mark.parametrize(("count", "error"), [(60, 1e-9), (300, 1e-9), (1500, 2e-3)])
@pytest.mark.parametrize("digits", [1, 9])
def test_areas_are_shares_of_pairs_in_their_right_order(count: int, error: float, digits: int) -> None:
    chance = random.Random(count + digits)
    labels = [chance.choice(LABELS) for _ in range(count)]
    verdicts = [Verdict(chance.choice(LABELS), round(chance.random(), digits), "chance") for _ in labels]
    figures = _figures(labels, verdicts)
    support = {
        label: [verdict.support for gold, verdict in zip(labels, verdicts, strict=True) if gold == label]
        for label in LABELS
    }
    for label in (CONTRADICTS, UNKNOWN):
        assert figures[f"auc_{label}"] == pytest.approx(_area(support[FOLLOWS], support[label]), abs=error)


def test_a_missing_answer_is_surest_of_what_is_wrong() -> None:
    labels = (FOLLOWS, FOLLOWS, CONTRADICTS, UNKNOWN)
    sure, unsure = Verdict(FOLLOWS, 0.9, "x"), Verdict(UNKNOWN, 0.8, "x")
    figures = _figures(labels, (sure, None, unsure, None))
    assert (figures["auc_contradicts"], figures["auc_unknown"]) == (0.5, 0.0)
    none = _figures(labels, (None, None, None, None))
    assert (none["auc_contradicts"], none["auc_unknown"], none["accuracy"]) == (None, None, 0.0)


def test_word_overlap_ranks_by_the_share_of_words() -> None:
    examples = (
        Example("all", Inference(("a robin lays eggs",), "robins lay eggs")),
        Example("some", Inference(("a robin lays eggs",), "robins wear blue hats")),
    )
    every, few = word_overlap(Dataset(examples, (1, 2)), 0)
    assert every.verdict and few.verdict
    assert (every.explanation, every.verdict.support) == (Label(FOLLOWS), 1.0)
    assert few.explanation == Label(UNKNOWN) and few.verdict.support == pytest.approx(0.25)
    assert 0.25 < bound() <= 1


class _Judge:
    name = "judge"

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        sure = {"yes": Entailment(0.7, 0.2, 0.1), "no": Entailment(0.1, 0.8, 0.1)}
        return [sure.get(one.conclusion, Entailment(0.4, 0.25, 0.35)) for one in inferences]


def test_the_verifier_answers_with_its_verdict() -> None:
    method = VERIFIER.make(NoSettings(), Setup(Path, verifier=_Judge))
    examples = [Example(text, Inference(("so it is",), text)) for text in ("yes", "no", "perhaps")]
    explained = method.explain(examples)
    assert [one.explanation.name for one in explained] == [FOLLOWS, CONTRADICTS, UNKNOWN]
    assert [one.verdict for one in explained] == [
        Verdict(FOLLOWS, 0.7, "judge"),
        Verdict(CONTRADICTS, 0.8, "judge"),
        Verdict(UNKNOWN, 0.35, "judge"),  # from half on it follows
    ]
    assert [(reason.text, reason.score) for reason in explained[1].reasons] == [(CONTRADICTS, 0.8)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Entailment", FOLLOWS),
        ("true", FOLLOWS),
        ("The claim therefore follows from the facts.", FOLLOWS),
        ("Contradiction.", CONTRADICTS),
        ("The claim contradicts the second fact.", CONTRADICTS),
        ("Neutral", UNKNOWN),
        ("It cannot be determined from the facts.", UNKNOWN),
        ('{"label": "not_enough_information"}', UNKNOWN),
    ],
)
def test_a_language_models_words_for_the_labels(text: str, label: str) -> None:
    assert read_verdict_text(text, Inference(("a",), "b"), Dataset((), ())) == Label(label)


@pytest.mark.parametrize("text", ["", "The claim does not follow.", "It follows or it contradicts.", "Hats."])
def test_what_says_none_of_the_three_is_unread(text: str) -> None:
    assert isinstance(read_verdict_text(text, Inference(("a",), "b"), Dataset((), ())), Unread)
