"""What the two papers say of adversarial filtering: the candidates, the rules, the schedule."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from whence.models.items import AnyItem, FoundSpan, SpanItem, Verdict
from whence.progress import Report, unreported
from whence.tasks.abduction import hardening as abduction
from whence.tasks.dialogue_triplets import hardening as dialogue
from whence.tasks.dialogue_triplets.data.files import read_choice
from whence.tasks.dialogue_triplets.heads.questions import asked_about
from whence.tasks.dialogue_triplets.phrases import holds, phrases
from whence.tasks.hardening import Chosen, Filtering, Pool, Pools, Wanted, Weighed
from whence.tasks.wording import plain

CHANCE = random.Random(0)
POOL = Pool("pool", ("first", "second"), ("a", "b"), ("x", "y"))
QUESTION = Pool("question", ("", "", ""), ("a",), ("v", "w", "x", "y", "z"))


def _nowhere() -> Path:
    raise AssertionError("the data folder is not needed")


@pytest.mark.parametrize(
    ("iteration", "expected"),
    [
        (0, 1.0),  # t_s, but for e^-11.25
        (37.5, 0.6),  # the middle of the sigmoid: 0.2 + 0.8 / 2
        (49, 0.2 + 0.8 / (1 + 2.718281828459045**3.45)),  # the last of 50: 0.3 * (49 - 37.5) = 3.45
    ],
)
def test_temperature_follows_line_2_of_algorithm_1(iteration: float, expected: float) -> None:
    assert abduction.temperature(iteration, 50) == pytest.approx(expected, abs=1e-4)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("chosen", "right", "wrong", "allowed"),
    [
        (
            Chosen(0, (0,)),
            (-2.0, -1.0),
            (-1.0, -3.0),
            {Chosen(0, (0,))},
        ),  # margin -1: the model is wrong, it stays
        # margin 3; smaller ones are those of (a, y) 2.5, (b, x) 1 and (b, y) 0.5
        (Chosen(0, (0,)), (-1.0, -3.0), (-4.0, -3.5), {Chosen(0, (1,)), Chosen(1, (0,)), Chosen(1, (1,))}),
        (Chosen(1, (1,)), (-1.0, -3.0), (-4.0, -3.5), {Chosen(1, (1,))}),  # 0.5 is the smallest: it stays
    ],
)
def test_pair_is_swapped_for_one_with_a_smaller_margin(
    chosen: Chosen, right: tuple[float, ...], wrong: tuple[float, ...], allowed: set[Chosen]
) -> None:
    found = {abduction.swap_pair(POOL, chosen, Weighed(right, wrong), random.Random(seed)) for seed in range(60)}
    assert found == allowed


@pytest.mark.parametrize(
    ("wrong", "allowed"),
    [
        # Options v, w, x; w is liked least, y is liked even less, z better than w.
        ((-1.0, -5.0, -2.0, -9.0, -4.0), {Chosen(0, (0, 4, 2))}),
        ((-1.0, -5.0, -2.0, -4.0, -4.5), {Chosen(0, (0, 3, 2)), Chosen(0, (0, 4, 2))}),
        ((-1.0, -5.0, -2.0, -6.0, -7.0), {Chosen(0, (0, 1, 2))}),  # nothing is harder
    ],
)
def test_easiest_option_is_replaced_by_a_harder_one(wrong: tuple[float, ...], allowed: set[Chosen]) -> None:
    chosen = Chosen(0, (0, 1, 2))
    found = {
        dialogue.replace_easiest(QUESTION, chosen, Weighed((0.0,), wrong), random.Random(seed))
        for seed in range(40)
    }
    assert found == allowed


def test_pools_of_hypotheses_have_no_text_on_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(
        '{"obs1": "o", "obs2": "p", "plausible": ["It rained.", "it  RAINED."],'
        ' "implausible": ["It rained.", "No."]}\n'
        '{"obs1": "q", "obs2": "r", "plausible": ["Yes."], "implausible": ["yes."]}\n'
    )
    found = abduction.pools(Wanted(str(path), _nowhere))
    assert [(pool.id, pool.right, pool.wrong) for pool in found.pools] == [("mine-1", ("It rained.",), ("No.",))]
    assert {note.name: note.count for note in found.notes} == {
        "repeated": 1,
        "both": 2,
        "one pair": 1,
        "no pair": 1,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Oh, sorry, I missed you.", ["sorry", "missed you"]),
        ("My English class ran late again.", ["My English class ran late again"]),
        # Cut at the connectives nearest to the middle; what only opens or joins is left out.
        (
            "I was looking for you in the dining hall because we wanted to eat",
            ["looking", "in the dining hall", "wanted to eat"],
        ),
        ("and then?", []),
    ],
)
def test_phrases_are_clauses_without_their_openers(text: str, expected: list[str]) -> None:
    assert list(phrases(text)) == expected


def test_plain_texts_hold_whole_words_only() -> None:
    assert plain("It's  LATE!") == "it s late"
    assert holds("ran late again", "late")
    assert not holds("relate", "late")


class _Finder:
    """Finds the first word of every utterance, and the whole of it."""

    name = "finder@0"

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        found = []
        for item in items:
            assert isinstance(item, SpanItem)
            spans = [item.context.split()[0], item.context, "a third one that is too many"]
            found.append(Verdict(item.id, spans=tuple(FoundSpan(0, len(text), text, 0.1) for text in spans)))
        return found


def test_candidates_come_from_triplets_model_phrases_and_elsewhere() -> None:
    plainly = dialogue.pools(Wanted("samples", _nowhere)).pools
    assert {origin for pool in plainly for origin in pool.origins} == {"triplet", "phrase"}
    more = dialogue.pools(Wanted("samples", _nowhere, spans=_Finder(), elsewhere=2)).pools
    assert {origin for pool in more for origin in pool.origins} == {"triplet", "phrase", "model", "elsewhere"}
    assert all(pool.origins.count("elsewhere") <= 2 for pool in more)
    assert not any("too many" in text for pool in more for text in pool.wrong)
    _assert_no_wrong_candidate_is_an_answer(more)


def _assert_no_wrong_candidate_is_an_answer(pools: Sequence[Pool]) -> None:
    answers: dict[tuple[str, ...], set[str]] = {}
    for pool in pools:
        answers.setdefault((pool.group, pool.context[2]), set()).update(map(plain, pool.right))
    for pool in pools:
        right = answers[pool.group, pool.context[2]]
        assert not any(holds(answer, plain(text)) for text in pool.wrong for answer in right)
        assert len(set(map(plain, pool.wrong))) == len(pool.wrong) >= dialogue.WRONG


@pytest.mark.parametrize("filtering", [abduction.FILTERING, dialogue.FILTERING], ids=["anli", "cider-choice"])
def test_filtering_keeps_its_promises(filtering: Filtering) -> None:
    pools = filtering.pools(Wanted("samples", _nowhere)).pools
    assert len({pool.id for pool in pools}) == len(pools) > 10
    assert filtering.asked in filtering.forms
    pool, chosen = pools[0], Chosen(0, tuple(range(filtering.wrong)))
    made = [filtering.example(pool, chosen, random.Random(seed)) for seed in range(30)]
    assert len({example.golds for example in made}) == filtering.wrong + 1  # the right one is in every place
    for form in filtering.forms.values():
        assert form(pool, pool.right[0]) != form(pool, pool.wrong[0])
    assert all(0 < filtering.temperature(number, 50) <= 1 for number in range(50))


@pytest.mark.real_data
def test_published_pools_of_hypotheses(real_data: Path) -> None:
    # Of 15,010 contexts three have nothing but a sentence that is on both sides.
    found = abduction.pools(Wanted("pools", lambda: real_data))
    assert len(found.pools) == 15_007
    assert sum(len(pool.right) * len(pool.wrong) == 1 for pool in found.pools) == 3_120


@pytest.fixture(scope="module")
def cider(real_data: Path) -> Pools:
    return dialogue.pools(Wanted("all", lambda: real_data))


@pytest.mark.real_data
def test_candidates_of_published_dialogues(cider: Pools) -> None:
    # The paper has about 30 candidates a question (sec. 5.4.1), from a model that was not released.
    mean = sum(len(pool.wrong) for pool in cider.pools) / len(cider.pools)
    assert len(cider.pools) == 4_393
    assert 24 < mean < 32
    _assert_no_wrong_candidate_is_an_answer(cider.pools)


@pytest.mark.real_data
def test_released_options_that_ours_would_not_be(real_data: Path) -> None:
    """Why answers, their parts, and heads are no candidates: filtering finds them."""
    held = heads = 0
    for part in ("train", "test"):
        for example in read_choice(real_data / f"cider/multichoice/{part}_iter35_fold0.csv").examples:
            texts = [plain(text) for text in example.inputs.options]
            right = texts.pop(int(example.golds[0].name))
            held += sum(bool(text) and (holds(text, right) or holds(right, text)) for text in texts)
            heads += texts.count(plain(asked_about(example.inputs.question)))
    assert (held, heads) == (343, 464)


@pytest.mark.real_data
def test_questions_and_contexts_are_the_released_ones(cider: Pools, real_data: Path) -> None:
    ours = {(pool.context[0].strip(), pool.context[2]) for pool in cider.pools}
    questions = {question for _, question in ours}
    folder = real_data / "cider/multichoice"
    released = [
        example.inputs
        for part in ("train", "test")
        for example in read_choice(folder / f"{part}_iter35_fold0.csv").examples
    ]
    assert len(released) == 4_230
    assert all(inputs.question in questions for inputs in released)
    # The others differ in which latent spans stand behind the dialogue, or in their order.
    assert sum((inputs.context.strip(), inputs.question) in ours for inputs in released) == 3_893
