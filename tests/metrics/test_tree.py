from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from whence.errors import UsageError
from whence.formats.proofs import parse_proof
from whence.metrics.similarity import SIMILARITIES, Pair, PairwiseSimilarity
from whence.metrics.tree import Overlap, align, compare, intermediates, micro_f1, overlap
from whence.metrics.tree_reading import in_order, normalised, proof_slot, read_text, read_tree
from whence.structures.results import Example, Prediction
from whence.structures.tree import Claim, Sentence, Step, Tree
from whence.tasks import task_named
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.scoring import NO_CLASSIFIER, NO_GOLD, NO_SIMILARITY
from whence.tasks.loading import samples
from whence.tasks.scoring import Answers, ScoringOptions

GOLD = "sent1 & sent2 -> int1: a is b; int1 & sent3 -> hypothesis; "
CONTEXT = tuple(Sentence(f"sent{number}", f"s {number}") for number in range(1, 6))
EXACT = SIMILARITIES["exact"]
TASK_1, TASK_3 = "entailmentbank-1", "entailmentbank-3"


def dataset(*golds: str) -> Dataset[Claim, Tree]:
    examples = tuple(
        Example(f"e{number}", Claim("b is c", CONTEXT), (parse_proof(gold),) if gold else ())
        for number, gold in enumerate(golds)
    )
    return Dataset(examples, tuple(range(1, len(examples) + 1)))


def answer(text: str) -> Prediction[Tree]:
    return Prediction("e0", parse_proof(text))


def figures(
    data: Dataset[Claim, Tree], answers: Answers, task: str = TASK_1, **options: object
) -> dict[str, object]:
    """All that can be measured with what is handed in."""
    given = ScoringOptions(**{"similarity": EXACT, **options})  # type: ignore[arg-type]
    found = {found.metric.name: found for found in task_named(task).scoring().score(data, answers, given)}
    return {name: one.figure() for name, one in found.items() if one.note != NO_CLASSIFIER}


class Likes:
    """A classifier of steps that finds those valid whose conclusion has a word."""

    name = "likes@1"

    def __init__(self, labels: tuple[str, str] = ("invalid", "valid")) -> None:
        self.labels = labels

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        assert all(premises.endswith(".") for premises, _ in pairs)
        return [
            dict(zip(self.labels, (0.0, 1.0) if "b" in said else (1.0, 0.0), strict=True)) for _, said in pairs
        ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (GOLD, 1.0),
        ("sent1 & sent2 -> int1: x; int1 & sent3 -> hypothesis; ", 0.5),
        ("sent1 & sent2 -> int1; int1 & sent3 -> hypothesis; ", 0.0),  # no step has words for all
        ("sent1 & sent9 -> int1: b; int1 & sent3 -> hypothesis; ", 0.5),  # there is no sent9
    ],
)
def test_steps_are_judged_with_gold_and_without(text: str, value: float) -> None:
    for gold in (GOLD, ""):
        found = figures(dataset(gold), [answer(text)], step_classifier=Likes())
        assert found["steps.valid"] == value
        assert (found["steps.f1"] is None) == (not gold)
    assert figures(dataset(GOLD), [None], step_classifier=Likes())["steps.valid"] == 0
    with pytest.raises(UsageError, match="does not judge steps"):
        figures(dataset(GOLD), [answer(GOLD)], step_classifier=Likes(("a", "b")))


def test_the_steps_of_trees_are_counted() -> None:
    options = ScoringOptions(step_classifier=Likes())
    found = {
        one.metric.name: one
        for one in task_named(TASK_1).scoring().score(dataset(GOLD, GOLD), [answer(GOLD), None], options)
    }
    assert found["steps.valid"].note == "2 steps in 1 trees, 2.00 each"
    assert found["steps.valid"].parameters == {"step_classifier": "likes@1"}


@pytest.mark.parametrize(
    ("line", "proof"),
    [
        ("$proof$ = sent1 -> hypothesis;", "sent1 -> hypothesis"),
        ("  $proof$=sent1 -> hypothesis ; ", "sent1 -> hypothesis"),
        ("$answer$ = x ; $proof$ = sent1 -> hypothesis", "sent1 -> hypothesis"),
        ("$proof$ = a; $proof$ = b", "a ~AND~ b"),
        ("$proof$ = costs $5$ now", "costs"),  # any $word$ starts a slot
        ("$proof$ =", ""),
        ("$PROOF$ = sent1 -> hypothesis", None),
        ("sent1 -> hypothesis", None),
        ("", None),
    ],
)
def test_the_slot_of_a_proof(line: str, proof: str | None) -> None:
    assert proof_slot(line) == proof


def test_a_sentence_is_normalised_once_a_replacement() -> None:
    assert normalised(" A  is    ( a / b ) .\n") == "a is  a / b"  # each pair of blanks becomes one, once


def test_counts_give_precision_and_recall() -> None:
    assert Overlap(1, 2, 1, 4).f1 == pytest.approx(2 * 0.5 * 0.25 / 0.75)
    assert Overlap(0, 0, 0, 0).f1 == 1  # nothing wanted, nothing said
    assert Overlap(0, 0, 0, 2).f1 == 0
    assert overlap(["a", "a"], ["a"]) == Overlap(1, 2, 1, 1)  # what is said twice costs precision
    assert overlap(["a", "a"], ["a", "a"]) == Overlap(1, 2, 1, 2)  # even if gold says it twice
    assert overlap(["a", "a"], ["a", "a"], once=False).all_correct


def test_micro_average_sums_parts() -> None:
    sums = np.array([[3.0, 4, 3, 6], [0, 0, 0, 5]])
    assert micro_f1(sums, np.array([2.0, 1])) == pytest.approx([0.6, 0])  # 3/4 and 3/6
    assert np.isnan(micro_f1(np.zeros((1, 4)), np.zeros(1)))[0]


def test_conclusions_align_by_leaves_and_the_first_of_equals_wins() -> None:
    twice = parse_proof("sent1 & sent2 -> int1: a; int1 -> int2: b; int2 & sent3 -> hypothesis; ")
    proof = read_tree(twice, "h")
    assert align(proof, proof) == [("int1", "int1"), ("int2", "int1"), ("hypothesis", "hypothesis")]
    assert [match for _, match in align(proof, proof, spread_ties=True)] == ["int1", "int2", "hypothesis"]


def test_no_common_leaf_is_no_match() -> None:
    found = compare(read_text("sent8 & sent9 -> hypothesis", "h"), read_text(GOLD, "h"))
    assert dict(found.names) == {"hypothesis": "NO_MATCH"}
    assert intermediates(found, [1.0]).right == 0


def test_the_threshold_is_in_reach_or_not() -> None:
    found = compare(read_text(GOLD, "h"), read_text(GOLD, "h"))
    assert intermediates(found, [0.28, 0.28]).all_correct
    assert not intermediates(found, [0.28, 0.28], strict=True).right


def test_steps_are_put_in_order_and_cycles_stay() -> None:
    last, first = Step(("int1", "sent3"), "hypothesis"), Step(("sent1",), "int1")
    assert in_order([last, first]) == [first, last]
    loop = [Step(("int2",), "int1"), Step(("int1",), "int2")]
    assert in_order(loop) == loop


@pytest.mark.parametrize("task", ["entailmentbank-1", "entailmentbank-2", "entailmentbank-3"])
@pytest.mark.parametrize("protocol", ["official", "paper", "whence"])
def test_gold_is_perfect_on_the_samples(task: str, protocol: str) -> None:
    from whence.tasks import TASKS, task_named

    data = samples(TASKS[task])
    answers = [Prediction(example.id, example.golds[0]) for example in data.examples]
    assert set(figures(data, answers, task, protocol=protocol).values()) == {1.0}
    assert not task_named(task).scoring().failures(data, answers, ScoringOptions(protocol, EXACT))


@pytest.mark.parametrize("protocol", ["official", "paper", "whence"])
@pytest.mark.parametrize(
    "given", [None, Prediction("e0", None, "$proof$ = the answer is 42"), Prediction("e0", None, "")]
)
def test_no_answer_scores_nothing(given: Prediction[Tree] | None, protocol: str) -> None:
    assert set(figures(dataset(GOLD), [given], protocol=protocol).values()) == {0.0}


def test_text_counts_before_the_tree_and_a_tree_without_text_is_written() -> None:
    quirky = Prediction(
        "e0", parse_proof(GOLD), "$proof$ = sent1 & sent2->int1: a is b; int1 & sent3 -> hypothesis;"
    )
    assert figures(dataset(GOLD), [quirky])["steps.f1"] == pytest.approx(
        2 / 3
    )  # `->` without blanks is passed over
    assert figures(dataset(GOLD), [quirky], protocol="whence")["steps.f1"] == 1
    other_form = replace(quirky, raw='{"steps": []}')  # what a model said, in no form that the scorers know
    assert figures(dataset(GOLD), [other_form])["steps.f1"] == 1


def test_a_tree_that_no_text_says_is_still_scored() -> None:
    steps = (Step(("sent1", "sent2"), "int 1", "a is b"), Step(("int 1", "sent3"), "hypothesis"))
    assert figures(dataset(GOLD), [Prediction("e0", Tree(steps))])["overall.all"] == 1


def test_colons_and_semicolons_in_words_are_lost_in_text_only() -> None:
    said = "sent1 & sent2 -> int1: a is: b; int1 & sent3 -> hypothesis; "
    assert figures(dataset(said), [answer(said)])["intermediates.f1"] == pytest.approx(0.5)
    assert figures(dataset(said), [answer(said)], protocol="whence")["intermediates.f1"] == 1


def test_without_a_similarity_words_are_unmeasured() -> None:
    found = {
        part.metric.name: part
        for part in task_named(TASK_1).scoring().score(dataset(GOLD), [answer(GOLD)], ScoringOptions())
    }
    for name in ("intermediates.f1", "intermediates.all", "overall.all"):
        assert found[name].figure() is None
        assert found[name].note == NO_SIMILARITY
    assert found["steps.all"].figure() == 1


def test_without_gold_an_item_is_unknown() -> None:
    found = (
        task_named(TASK_1)
        .scoring()
        .score(dataset(GOLD, ""), [answer(GOLD), answer(GOLD)], ScoringOptions(similarity=EXACT))
    )
    compared = [part for part in found if part.note != NO_CLASSIFIER]
    assert len(compared) == len(found) - 1
    assert all(part.by_item() == [1.0, None] for part in compared)
    assert {part.note for part in compared} == {NO_GOLD}


def test_the_figures_name_what_they_depend_on() -> None:
    for protocol, sign in (("official", ">=0.28"), ("paper", ">0.28")):
        options = ScoringOptions(protocol, EXACT)
        found = {
            part.metric.name: part
            for part in task_named(TASK_1).scoring().score(dataset(GOLD), [answer(GOLD)], options)
        }
        assert found["overall.all"].parameters == {"similarity": "exact", "threshold": sign}
        assert found["leaves.f1"].parameters == {}


def test_paper_averages_over_parts() -> None:
    large = "sent1 & sent2 -> int1: a; int1 & sent3 -> int2: b; int2 & sent4 -> hypothesis; "
    data = dataset("sent1 -> hypothesis; ", large)
    answers = [answer("sent1 -> hypothesis; "), answer("sent5 -> hypothesis; ")]
    assert figures(data, answers)["steps.f1"] == pytest.approx(0.5)
    assert figures(data, answers, protocol="paper")["steps.f1"] == pytest.approx(2 * (1 / 2) * (1 / 4) / (3 / 4))


def test_of_two_rows_with_one_id_the_released_scorer_takes_the_last() -> None:
    first, second = dataset(GOLD, "sent1 & sent2 & sent3 -> hypothesis; ").examples
    data = Dataset((replace(first, id="x"), replace(second, id="x")), (1, 2))
    answers = [Prediction("x", example.golds[0]) for example in data.examples]
    assert figures(data, answers)["steps.all"] == 0.5
    assert figures(data, answers, protocol="whence")["steps.all"] == 1
    assert figures(data, answers)["equivalence.f1"] == 1  # whatever the protocol


def test_task_3_compares_leaves_by_their_texts() -> None:
    gold = replace(parse_proof(GOLD), sentences=CONTEXT)
    claim = Claim("b is c", tuple(Sentence(f"sent{9 - number}", f"s {number}") for number in range(1, 6)))
    data = Dataset((Example("e0", claim, (gold,)),), (1,))
    shifted = answer(GOLD.replace("sent1", "sent8").replace("sent2", "sent7").replace("sent3", "sent6"))
    assert set(figures(data, [shifted], TASK_3).values()) == {1.0}
    own = replace(answer(GOLD), explanation=gold)  # an answer that brings its sentences along
    assert set(figures(data, [own], TASK_3).values()) == {1.0}
    assert figures(data, [answer("sent99 & sent98 -> hypothesis; ")], TASK_3)["leaves.f1"] == 0


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("sent1 & sent2 -> hypothesis; ", "leaves missing"),
        ("sent1 & sent2 & sent3 & sent4 -> hypothesis; ", "leaves extra"),
        ("sent1 & sent4 -> hypothesis; ", "leaves missing and extra"),
        ("sent1 & sent2 & sent3 -> hypothesis; ", "right leaves, steps merged"),
        ("sent1 & sent3 -> int1: a; int1 & sent2 -> hypothesis; ", "right leaves, wrong steps"),
        ("sent1 & sent3 -> int1: a; sent1 & sent2 -> hypothesis; ", "right leaves, conclusions left unused"),
        ("sent1 & sent2 -> int1: x; int1 & sent3 -> hypothesis; ", "right steps, intermediates unlike"),
    ],
)
def test_why_a_tree_is_not_right(text: str, cause: str) -> None:
    assert task_named(TASK_1).scoring().failures(
        dataset(GOLD), [answer(text)], ScoringOptions(similarity=EXACT)
    ) == Counter([cause])


def test_more_reasons_why_a_tree_is_not_right() -> None:
    data, options = dataset("sent1 & sent2 & sent3 -> hypothesis; "), ScoringOptions()
    assert task_named(TASK_1).scoring().failures(data, [None], options) == {"no answer": 1}
    assert task_named(TASK_1).scoring().failures(data, [Prediction("e0", None, "42")], options) == {"unread": 1}
    assert task_named(TASK_1).scoring().failures(data, [answer(GOLD)], options) == {
        "right leaves, steps differ but are equivalent": 1
    }


def test_slices_are_those_of_the_paper() -> None:
    example = dataset(GOLD).examples[0]
    found = {name: say(example) for name, say in task_named(TASK_1).scoring().slices.items()}
    assert found == {"steps": ("2",), "depth": ("2",), "length": ("1-7",), "leaves": ("3-4",)}
    chain = "".join(f"int{n} & sent{n} -> int{n + 1}: x; " for n in range(1, 9))
    assert task_named(TASK_1).scoring().slices["steps"](dataset(chain).examples[0]) == ("≥6",)
    assert task_named(TASK_1).scoring().slices["steps"](dataset("").examples[0]) == ()


def test_the_similarity_is_asked_once_for_all_items() -> None:
    calls: list[int] = []

    class Counting:
        name = "counting"

        def score(self, pairs: object) -> list[float]:
            calls.append(len(list(pairs)))  # type: ignore[call-overload]
            return PairwiseSimilarity("x", lambda *_: 1.0).score([("a", "b")] * calls[-1])  # type: ignore[return-value]

    task_named(TASK_1).scoring().score(
        dataset(GOLD, GOLD), [answer(GOLD)] * 2, ScoringOptions(similarity=Counting())
    )
    assert calls == [2]
