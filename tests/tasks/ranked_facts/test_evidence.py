"""Where lists of facts end."""

from __future__ import annotations

from pathlib import Path

import pytest

from whence.models.items import RankItem
from whence.models.learners.sparse import SparseSettings
from whence.models.retrieval.explained import ExplainedTexts
from whence.models.retrieval.index import build_index
from whence.structures.facts import Fact, Question
from whence.structures.results import Example
from whence.tasks import task_named
from whence.tasks.loading import load
from whence.tasks.method import Setup
from whence.tasks.ranked_facts.methods.evidence import WORDS_ALONE, Bound, EvidenceJudge
from whence.tasks.ranked_facts.methods.facts.top_facts import METHOD, NOTHING, FactSettings

BOUND = Bound(least=0.3, share=0.75, naming=0.5)


@pytest.mark.parametrize(
    ("scored", "answer", "expected"),
    [
        ([], "heat", []),
        ([("metal is hard", 0.2)], "metal", []),  # too little evidence, whatever it names
        ([("metal is hard", 0.8), ("wood is soft", 0.61)], "", ["metal is hard", "wood is soft"]),
        ([("metal is hard", 0.8), ("wood is soft", 0.59)], "", ["metal is hard"]),
        ([("metal is hard", 0.8), ("wood is soft", 0.59)], "soft", ["metal is hard", "wood is soft"]),
        ([("metal is soft", 0.8), ("wood is soft", 0.59)], "soft", ["metal is soft"]),  # named before
        (
            [("metal is hard", 0.8), ("wood is soft", 0.39)],
            "soft",
            ["metal is hard"],
        ),  # half of the best is needed
        (
            [("metal is hard", 0.8), ("wood is wet", 0.5), ("a sponge is soft", 0.45)],
            "soft",
            ["metal is hard", "a sponge is soft"],
        ),
    ],
)
def test_facts_are_listed_while_there_is_evidence(
    scored: list[tuple[str, float]], answer: str, expected: list[str]
) -> None:
    facts = [(Fact(text, text), score) for text, score in scored]
    assert [fact.text for fact, _ in BOUND.listed(facts, answer)] == expected


def _judge(*texts: str) -> EvidenceJudge:
    settings = SparseSettings()
    return EvidenceJudge(
        ExplainedTexts(build_index(dict(zip("abc", texts, strict=False))), (), settings.counted),
        settings.focus,
        None,
    )


def test_words_count_less_where_most_of_the_question_is_unknown() -> None:
    judge = _judge("paint keeps water away from iron", "rain falls", "wind blows")
    (plain, strange) = judge.judge(
        [RankItem("1", "paint", None, "1", "iron"), RankItem("2", "Who painted Mona Lisa?", None, "2", "Leonardo")]
    )
    assert plain.ranking[0] == strange.ranking[0] == "a"
    assert strange.scores[0] < WORDS_ALONE.least < plain.scores[0]


def test_a_judge_without_encoder_says_so_and_has_its_own_bound() -> None:
    judge = _judge("rain falls")
    assert judge.bound == WORDS_ALONE
    assert "meaning" not in judge.name
    assert judge.reason(RankItem("1", "rain", None, "1", "falls"), "a").closeness is None


@pytest.fixture
def without_encoder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("WHENCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WHENCE_MODELS", str(tmp_path / "models"))
    return tmp_path / "nowhere"


def test_lists_are_shorter_than_filled_ones_and_no_worse_ordered(without_encoder: Path) -> None:
    dataset = load(task_named("worldtree"), "everyday-dev", lambda: without_encoder)
    setup = Setup(lambda: without_encoder, dataset.facts)
    ended = METHOD.make(FactSettings(), setup).explain(dataset.examples[:12])
    filled = METHOD.make(FactSettings(fill=True), setup).explain(dataset.examples[:12])
    for short, long in zip(ended, filled, strict=True):
        assert len(long.explanation.facts) == 6
        if short.explanation is not None:
            assert 1 <= len(short.explanation.facts) <= 6
            assert short.explanation.facts[0] == long.explanation.facts[0]
    assert sum(len(one.explanation.facts) for one in ended if one.explanation) < 60


def test_a_question_that_no_fact_answers_gets_none(without_encoder: Path) -> None:
    dataset = load(task_named("worldtree"), "everyday-dev", lambda: without_encoder)
    maker = METHOD.make(FactSettings(), Setup(lambda: without_encoder, dataset.facts))
    asked = Example("1", Question("Who painted the Mona Lisa?", "Leonardo da Vinci"))
    (found,) = maker.explain([asked])
    assert found.explanation is None
    assert found.missing == (NOTHING,)
    assert [problem.rule for problem in found.problems] == ["no-evidence"]
    assert 0 < len(found.refused) <= 3
