"""Scores of argument graphs: rows by hand, and what holds for every graph."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import UsageError
from whence.formats.graphs import parse_graph
from whence.metrics import graph as measures
from whence.metrics.metric import Scores
from whence.metrics.similarity import SIMILARITIES, Pair
from whence.solvers.edit_distance import EditDistance
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.results import Example, Prediction
from whence.tasks import task_named
from whence.tasks.argument_graphs.data.files import RELATIONS
from whence.tasks.argument_graphs.scoring import failure_causes, score, written
from whence.tasks.dataset import Dataset
from whence.tasks.scoring import SCORING_PROTOCOLS, ScoringOptions

NAMES = ["SA", "StCA", "SeCA", "G-BS", "G-BLEU", "G-ROUGE", "GED", "EA"]
TOKEN_F1 = ScoringOptions(similarity=SIMILARITIES["tokf1"])
INPUTS = Argument("Zoos are Cruel to animals.", "Wild animals need space, and zoos are small.")
TOO_FEW = "too few concepts of the belief or the argument"
CHAIN = "(zoos; is a; small)(small; causes; cruel)(cruel; desires; animals)"


def example(
    *golds: str, stance: str = "support", inputs: Argument = INPUTS, name: str = "1"
) -> Example[Argument, StanceGraph]:
    return Example(name, inputs, tuple(StanceGraph(stance, parse_graph(gold)) for gold in golds))


def line(text: str, stance: str = "support") -> Prediction[StanceGraph]:
    """An answer whose graph nobody has read yet."""
    return Prediction("1", None, f"{stance}\t{text}")


def scored(
    examples: Sequence[Example[Argument, StanceGraph]],
    answers: Sequence[Prediction[StanceGraph] | None],
    options: ScoringOptions = TOKEN_F1,
) -> dict[str, Scores]:
    found = score(Dataset(tuple(examples), tuple(range(len(examples)))), answers, options)
    return {scores.metric.name: scores for scores in found}


def first_cause(answer: Prediction[StanceGraph] | None, protocol: str = "official") -> str:
    found = failure_causes(Dataset((example(CHAIN),), (1,)), [answer], ScoringOptions(protocol))
    return next(iter(found), "")


class FakeClassifier:
    """Probabilities from how often a word occurs in the second text; remembers what it was asked."""

    name = "fake"

    def __init__(self, **words: str) -> None:
        self.words = words
        self.calls: list[list[Pair]] = []

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        self.calls.append(list(pairs))
        return [{label: second.split().count(word) for label, word in self.words.items()} for _, second in pairs]


# Texts


@pytest.mark.parametrize(
    "sentence, expected",
    [  # what spaCy 3.8 says
        ("a b; causes; c", ["a", "b", ";", "causes", ";", "c"]),
        (";a;b", [";a", ";", "b"]),
        ("a;;b", ["a", ";", ";", "b"]),
        (";;", [";", ";"]),
        ("x;  y", ["x", ";", " ", "y"]),
        (" a b", [" ", "a", "b"]),
        ("a b ", ["a", "b"]),
        ("a \tb", ["a", "\t", "b"]),
        ("a\t b", ["a", "\t ", "b"]),
        ("", []),
    ],
)
def test_tokens_of_an_edge(sentence, expected):
    assert measures.edge_tokens(sentence) == expected


@pytest.mark.parametrize(
    "candidate, reference, expected",
    [
        ("a ; causes ; b", "a ; causes ; b", 1.0),
        ("a ; causes ; b", "a ; causes ; c", (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
        ("a ; causes ; b", "a ; causes ; b c", math.exp(1 - 6 / 5)),  # too short
        ("a ; causes ; b c", "a ; causes ; b", (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25),  # too long: no penalty
        ("x x x x x", "x y z u v", 0.0),  # no two words in a row are shared
        ("a b", "c d", 0.0),
        ("", "a", 0.0),
        ("a", "", 0.0),
    ],
)
def test_bleu_of_a_sentence(candidate, reference, expected):
    assert measures.EDGE_BLEU.score([(candidate, reference)]) == [pytest.approx(expected, abs=1e-70)]


def test_bleu_without_common_four_words_is_nearly_zero_as_in_nltk():
    (found,) = measures.EDGE_BLEU.score([("a b c x", "a b c y")])
    assert found == pytest.approx(((3 / 4) * (2 / 3) * (1 / 2) * 2.2250738585072014e-308) ** 0.25, rel=1e-12)


@pytest.mark.parametrize(
    "candidate, reference, expected",
    [
        ("factories; causes; harm", "Factory; cause; harm", 1.0),  # stems are equal
        ("a; is a; b", "a; is not a; b", 2 / 3),  # 'a is' and 'a b', not 'is a'
        ("a; is not a; b", "a; is a; b", 2 / 4),
        ("a", "a", 0.0),  # no pair
        ("", "", 0.0),
    ],
)
def test_rouge2_precision(candidate, reference, expected):
    assert measures.EDGE_ROUGE.score([(candidate, reference)]) == [pytest.approx(expected)]


@pytest.mark.parametrize(
    "text, entries, sentences",
    [
        ("(a; r; b)(c; r; d)", ["a; r; b", "c; r; d"], ["a; r; b", "c; r; d"]),
        ("(A; r; b )( c; r; d)", ["A; r; b ", " c; r; d"], ["a; r; b", "c; r; d"]),
        ("(f(x); r; b)", ["f(x); r; b"], ["fx; r; b"]),  # sentences lose every bracket
        ("a; r; b", ["; r; "], ["a; r; b"]),  # entries lose the first and last character, whatever they are
        ("", [""], [""]),
    ],
)
def test_a_linearised_graph_in_parts(text, entries, sentences):
    assert measures.edge_entries(text) == entries
    assert measures.edge_sentences(text) == sentences


@pytest.mark.parametrize(
    "text, expected",
    [
        ("(b; causes; c)(a; causes; b)(a; is a; d)", "(a; causes; b)(b; causes; c)(a; is a; d)"),
        # Both roots reach c; its edge comes once, with the first.
        ("(a; is a; c)(b; is a; c)(c; is a; d)", "(a; is a; c)(c; is a; d)(b; is a; c)"),
        # Of parallel edges the place of the first and the relation of the last.
        ("(a; is a; b)(a; causes; c)(a; desires; b)", "(a; desires; b)(a; causes; c)"),
    ],
)
def test_depth_first(text, expected):
    assert measures.depth_first(parse_graph(text)) == expected


def test_flattened_with_and_without_each_edge():
    text = "(a b; is a; c)(c; causes; d)"
    assert measures.flattened(text) == "a b is a c. c causes d. "
    assert measures.without_each_edge(text) == ["(c; causes; d)", "(a b; is a; c)"]


# Graphs


@pytest.mark.parametrize(
    "predicted, expected",
    [
        (CHAIN, 0),
        (CHAIN.replace("causes", "is a"), 1),  # one relation
        (CHAIN + "(cruel; is a; bad)", 2),  # one node, one edge
        ("(zoos; is a; small)(small; causes; cruel)", 2),
        (CHAIN.replace("(small", "(small; is a; cruel)(small"), 0),  # parallel: the last relation stays
        (CHAIN + "(small; is a; cruel)", 1),
    ],
)
def test_distance(predicted, expected):
    found = measures.graph_distance(parse_graph(predicted), parse_graph(CHAIN))
    assert found == measures.GraphDistance(expected / 24, expected / 24)  # 4 nodes + 3 edges + 17


def test_the_nearest_gold_is_the_one_with_the_smallest_share():
    golds = [parse_graph("(x; is a; y)(y; is a; z)(z; is a; zoos)"), parse_graph(CHAIN)]
    assert measures.nearest_distance(parse_graph(CHAIN), golds).upper == 0


@pytest.mark.parametrize(
    "rows, total, precision, recall, f1",
    [
        ([[1.0, 0.5], [0.9, 0.0]], 1.4, 0.7, 0.7, 0.7),  # by hand: .5 + .9 is more than 1 + 0
        ([[1.0, 0.2, 0.6]], 1.0, 1.0, 1 / 3, 0.5),
        ([[0.0], [0.0]], 0.0, 0.0, 0.0, 0.0),  # the released evaluator divides 0 by 0
    ],
)
def test_best_match(rows, total, precision, recall, f1):
    found = measures.best_match(np.array(rows))
    assert (found.total, found.precision, found.recall, found.f1) == pytest.approx((total, precision, recall, f1))


# The gates


@pytest.mark.parametrize(
    "text, expected",
    [
        (CHAIN, ""),
        (CHAIN.upper(), ""),  # graphs lose their case
        ("(zoos; is a; small)(small; causes; cruel)", "fewer than 3 edges"),
        ("(zoos; is a; small)(zoos; is a; small)(zoos; is a; small)", TOO_FEW),  # the belief has no 'small'
        ("(zoos; is a; small)(small; causes; cruel)(small; causes; cruel)", ""),  # repeated edges count
        ("(zoos; is a; small)(small; cruel)(cruel; desires; animals)", "malformed edge"),
        ("(zoos;is a;small)(small; causes; cruel)(cruel; desires; animals)", "malformed edge"),
        (CHAIN + "(cruel; is a; very very bad thing)", "concept empty or over 3 words"),
        (CHAIN + "(cruel; is a; very  bad)", ""),  # three pieces by single blanks
        (CHAIN + "(cruel; is a; very  bad thing)", "concept empty or over 3 words"),  # four
        (CHAIN + "(; is a; cruel)", "concept empty or over 3 words"),
        (CHAIN + "(cruel; likes; animals)", "unknown relation"),
        ("(zoos; is a; x)(x; is a; y)(y; is a; animals)", ""),  # both texts have both
        ("(zoos; is a; x)(x; is a; q)(q; is a; f)", TOO_FEW),
        ("(zoo; is a; x)(x; is a; y)(y; is a; animal)", ""),  # substrings do
        (CHAIN + "(need; is a; space)", "disconnected"),
        (CHAIN + "(need; is a; need)", "disconnected"),  # and cyclic, which is asked later
        (CHAIN + "(animals; is a; zoos)", "cyclic"),
        (CHAIN + "(zoos; is a; zoos)", "cyclic"),
        (CHAIN + " ", ""),  # the last concept is 'animals)', as the bracket is not the last character
        ("(q; is a; zoos)(q; is a; x)(x; is a; animals) ", TOO_FEW),
        ("", "fewer than 3 edges"),
        ("no graph", "fewer than 3 edges"),
    ],
)
def test_first_cause(text, expected):
    assert first_cause(line(text)) == expected


def test_a_wrong_or_missing_stance_comes_before_any_structure():
    assert first_cause(line("", stance="counter")) == "stance wrong"
    assert first_cause(line(CHAIN, stance="Support")) == "stance wrong"  # stances keep their case
    assert first_cause(Prediction("1", None, "nonsense")) == "unread"
    assert first_cause(Prediction("1", None)) == "unread"  # an answer that says nothing
    assert first_cause(None) == "no answer"


@pytest.mark.parametrize(
    "edges, protocol, expected",
    [(8, "paper", ""), (9, "paper", "more than 8 edges"), (9, "official", ""), (9, "whence", "")],
)
def test_only_the_paper_limits_the_edges(edges, protocol, expected):
    more = "".join(f"(animals; is a; x{number})" for number in range(edges - 3))
    assert first_cause(line(CHAIN + more), protocol) == expected


def test_an_unknown_protocol_is_wrong_use():
    with pytest.raises(UsageError, match="no protocol 'mine'; there are official, paper, whence"):
        scored([example(CHAIN)], [line(CHAIN)], ScoringOptions("mine"))


@pytest.mark.parametrize(
    "explanation, raw, expected",
    [
        (StanceGraph("support", parse_graph("(a; r; b)")), "", ("support", "(a; r; b)")),
        (StanceGraph("support", parse_graph("(a; r; b)")), "support\t (a; r; b)", ("support", " (a; r; b)")),
        # What came was not the line itself, so it says nothing of how the graph is written.
        (StanceGraph("support", parse_graph("(a; r; b)")), "Sure!\tIt is (a; r; b)", ("support", "(a; r; b)")),
        (StanceGraph("support", Graph(())), "", ("support", "")),
        (StanceGraph("support", Graph((Edge("a; b", "r", ")("),))), "", ("support", "(a; b; r; )()")),
        (None, "counter\t(a; b)", ("counter", "(a; b)")),
        (None, "counter", ("counter", "")),
        (None, "", ("", "")),
    ],
)
def test_what_an_answer_says(explanation, raw, expected):
    assert written(Prediction("1", explanation, raw)) == expected


# The scores


def test_all_scores_by_hand():
    examples = [example(CHAIN, name=str(number)) for number in range(4)]
    answers = [line(CHAIN), line(CHAIN.replace("causes", "is a")), line(CHAIN, stance="counter"), None]
    found = scored(examples, answers)
    assert list(found) == NAMES
    assert found["SA"].by_item() == [1, 1, 0, 0]
    assert found["StCA"].by_item() == [1, 1, 0, 0]
    assert found["GED"].by_item() == [0, pytest.approx(1 / 24), 1, 1]
    # 'small; is a; cruel' and 'small; causes; cruel' share 2 of 4 and 2 of 3 words
    assert found["G-BS"].by_item() == pytest.approx([1, (1 + 4 / 7 + 1) / 3, 0, 0])
    # 'small is a cruel' has none of the pairs 'small caus', 'caus cruel'
    assert found["G-ROUGE"].by_item() == pytest.approx([1, 2 / 3, 0, 0])
    # and shares 4 of 6 words, 2 of 5 pairs ('small ;', '; cruel') and no three words
    assert found["G-BLEU"].by_item() == pytest.approx([1, 2 / 3, 0, 0])
    assert found["GED"].figure() == pytest.approx((1 / 24 + 2) / 4)
    assert found["G-BS"].parameters == {"similarity": "tokf1"}


def test_what_needs_a_scorer_is_unmeasured_without():
    found = scored([example(CHAIN)], [line(CHAIN)], ScoringOptions())
    unmeasured = {name: scores.note for name, scores in found.items() if scores.figure() is None}
    assert unmeasured == {
        "SeCA": "needs a graph classifier: --seca MODEL",
        "G-BS": "needs a similarity: --similarity MODEL",
        "EA": "needs a stance classifier: --ea MODEL",
    }


def test_an_example_without_gold_is_unknown():
    found = scored([example(), example(CHAIN)], [line(CHAIN), line(CHAIN)])
    for name in ("SA", "StCA", "G-BS", "G-BLEU", "G-ROUGE", "GED"):
        assert found[name].by_item() == [None, 0 if name == "GED" else 1]
        assert found[name].note == "without gold: 1"


def test_of_two_golds_the_better_one_counts():
    other = "(zoos; is a; bad)(bad; is a; x)(x; is a; y)"
    one, two = (scored([example(*golds)], [line(CHAIN)]) for golds in ([CHAIN], [other, CHAIN]))
    for name in ("G-BS", "G-BLEU", "G-ROUGE", "GED"):
        assert two[name].by_item() == one[name].by_item()


def test_a_match_of_nothing_is_zero_and_counted():
    gold = "(u; v; w)(w; v; x)(x; v; y)"
    for name in ("tokf1", "exact"):  # 0 and less
        found = scored([example(gold)], [line(CHAIN)], ScoringOptions(similarity=SIMILARITIES[name]))["G-BS"]
        assert (found.figure(), found.note) == (0, "no edge is similar to a gold one, so 0: 1")


def test_a_distance_that_was_not_proved_is_an_upper_bound(monkeypatch):
    def stopped(first, second, *, time_limit):
        return EditDistance(3, 12, time_limit, ())

    monkeypatch.setattr(measures.edit_distance, "graph_edit_distance", stopped)
    found = scored([example(CHAIN)], [line(CHAIN)], ScoringOptions(time_limit=0.5))["GED"]
    assert found.figure() == 12 / 24
    assert found.note == "stopped at the time limit, so an upper bound: 1"
    assert found.parameters == {"time_limit": "0.5"}


def test_a_distance_has_a_largest_value():
    far = "".join(f"(zoos; is a; x{number})(animals; is a; x{number})" for number in range(12))
    found = scored([example(CHAIN)], [line(far)])["GED"]
    assert (found.figure(), found.note) == (1, "further than the largest distance, so 1: 1")


# Scores by classifiers


def test_semantic_accuracy_by_hand():
    classifier = FakeClassifier(support="is", counter="causes;", incorrect="desires;")
    rows = [
        ("support", CHAIN),  # one of each: the first label
        ("counter", CHAIN),
        ("counter", CHAIN.replace("is a", "causes")),  # two 'causes;'
        ("support", "(zoos; is a; small)"),  # fails StCA
    ]
    examples = [example(CHAIN, stance=stance) for stance, _ in rows]
    answers = [line(text, stance) for stance, text in rows]
    found = scored(examples, answers, ScoringOptions(graph_classifier=classifier))["SeCA"]
    assert found.by_item() == [1, 0, 1, 0]
    assert found.figure() == 2 / 4
    assert found.parameters == {"graph_classifier": "fake"}
    assert classifier.calls == [
        [  # one call, each pair once, the belief in lower case
            ("zoos are cruel to animals.", CHAIN),
            ("zoos are cruel to animals.", CHAIN.replace("is a", "causes")),
        ]
    ]


def test_edge_importance_by_hand():
    classifier = FakeClassifier(support="causes", counter="desires")
    rows = [
        ("support", CHAIN),  # only 'small causes cruel' holds the word that counts: 1 of 3
        ("counter", CHAIN + "(animals; desires; space)"),  # 2 of 4
        ("counter", CHAIN.replace("desires", "is a")),  # no edge changes anything, which is not less
        ("support", "(zoos; is a; small)"),  # fails StCA
    ]
    examples = [example(CHAIN, stance=stance) for stance, _ in rows]
    answers = [line(text, stance) for stance, text in rows]
    found = scored(examples, answers, ScoringOptions(stance_classifier=classifier))["EA"]
    assert found.by_item() == pytest.approx([1 / 3, 2 / 4, 0, 0])
    assert found.figure() == pytest.approx((1 / 3 + 1 / 2) / 4)
    (asked,) = classifier.calls
    assert len(asked) == len(set(asked))
    assert asked[:4] == [  # belief and argument as they stand
        (INPUTS.belief, f"{INPUTS.argument} zoos is a small. small causes cruel. cruel desires animals. "),
        (INPUTS.belief, f"{INPUTS.argument} small causes cruel. cruel desires animals. "),
        (INPUTS.belief, f"{INPUTS.argument} zoos is a small. cruel desires animals. "),
        (INPUTS.belief, f"{INPUTS.argument} zoos is a small. small causes cruel. "),
    ]


def test_a_classifier_with_other_labels_is_wrong_use():
    with pytest.raises(UsageError, match="the classifier fake has no label 'incorrect'"):
        options = ScoringOptions(graph_classifier=FakeClassifier(support="is", counter="causes"))
        scored([example(CHAIN)], [line(CHAIN)], options)


def test_scorers_are_not_asked_about_nothing():
    classifier = FakeClassifier(support="is", counter="causes", incorrect="desires")
    options = ScoringOptions(graph_classifier=classifier, stance_classifier=classifier)
    found = scored([example(CHAIN)], [None], options)
    assert (found["SeCA"].figure(), found["EA"].figure(), classifier.calls) == (0, 0, [])


def test_slices():
    found = {name: groups(example(CHAIN)) for name, groups in task_named("explagraphs").scoring().slices.items()}
    assert found == {
        "depth": ("low (1-3)",),
        "linear": ("linear",),
        "stance": ("support",),
        "edges": ("3",),
        "relation": ("is a", "causes", "desires"),
        "external": ("without external",),
    }
    assert {groups(example()) for groups in task_named("explagraphs").scoring().slices.values()} == {()}
    wide = example("(zoos; is a; x)(zoos; is a; y)(x; is a; x)")
    found = {name: groups(wide) for name, groups in task_named("explagraphs").scoring().slices.items()}
    assert (found["depth"], found["linear"], found["relation"]) == ((), ("non-linear",), ("is a",))
    assert found["external"] == ("with external",)


# What holds for every graph

WORDS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu")


@st.composite
def argument_graphs(draw: st.DrawFn) -> Graph:
    """Graphs that keep all rules, with no two edges on one pair of concepts."""
    nodes = draw(st.permutations(WORDS))[: draw(st.integers(4, len(WORDS)))]
    joined = [(draw(st.integers(0, later - 1)), later) for later in range(1, len(nodes))]
    others = [(one, two) for two in range(len(nodes)) for one in range(two) if (one, two) not in joined]
    more = draw(st.lists(st.sampled_from(others), unique=True, max_size=2)) if others else []
    pairs = draw(st.permutations(joined + more))
    return Graph(tuple(Edge(nodes[one], draw(st.sampled_from(RELATIONS)), nodes[two]) for one, two in pairs))


def stated(graph: Graph) -> Example[Argument, StanceGraph]:
    return Example("1", Argument(" ".join(WORDS), ", ".join(WORDS)), (StanceGraph("support", graph),))


def explained(graph: Graph) -> Prediction[StanceGraph]:
    return Prediction("1", StanceGraph("support", graph))


def figures(found: Mapping[str, Scores]) -> dict[str, float]:
    return {name: value for name, scores in found.items() if (value := scores.figure()) is not None}


@given(argument_graphs())
@settings(deadline=None)
def test_gold_is_perfect(graph):
    expected = {"SA": 1, "StCA": 1, "G-BS": 1, "G-BLEU": 1, "G-ROUGE": 1, "GED": 0}
    assert figures(scored([stated(graph)], [explained(graph)])) == pytest.approx(expected)


@given(argument_graphs(), argument_graphs(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_the_order_of_edges_does_not_matter(predicted, gold, chance):
    expected = figures(scored([stated(gold)], [explained(predicted)]))
    mixed = Graph(tuple(chance.sample(predicted.edges, len(predicted.edges))))
    mixed_gold = Graph(tuple(chance.sample(gold.edges, len(gold.edges))))
    assert figures(scored([stated(mixed_gold)], [explained(mixed)])) == pytest.approx(expected)


PIECES = st.sampled_from(
    ["(", ")", ")(", "; ", ";", " ", "\t", "ant", "Bee", "cat", "is a", "causes", "support", "ı"]
)
RAW = st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join))
LOOSE_EDGE = st.builds(Edge, *[st.one_of(st.sampled_from([*WORDS, "is a", ""]), st.text(max_size=3))] * 3)


@given(
    st.lists(st.one_of(st.none(), RAW, RAW.map("support\t{}".format), st.lists(LOOSE_EDGE, max_size=5))),
    st.sampled_from(SCORING_PROTOCOLS),
)
@settings(deadline=None, max_examples=50)
def test_whatever_was_answered_is_scored_within_bounds(given_answers, protocol):
    gold = stated(parse_graph("(ant; is a; bee)(bee; causes; cat)(cat; is a; dog)"))
    answers = [
        None
        if answer is None
        else Prediction("1", None, answer)
        if isinstance(answer, str)
        else explained(Graph(tuple(answer)))
        for answer in given_answers
    ]
    classifier = FakeClassifier(support="is", counter="causes", incorrect="bee")
    options = ScoringOptions(protocol, SIMILARITIES["tokf1"], classifier, classifier)
    found = scored([gold] * len(answers), answers, options)
    assert list(found) == NAMES
    for scores in found.values():
        low, high = scores.metric.bounds
        assert all(low <= value <= high for value in scores.by_item() if value is not None)
        assert len(scores.by_item()) == len(answers)
    passed = sum(value or 0 for value in found["StCA"].by_item())
    causes = failure_causes(Dataset((gold,) * len(answers), tuple(range(len(answers)))), answers, options)
    assert causes.total() + passed == len(answers)


@given(st.lists(argument_graphs(), min_size=1, max_size=4), argument_graphs())
@settings(deadline=None, max_examples=50)
def test_graphs_that_pass_are_scored_within_bounds(predicted, gold):
    classifier = FakeClassifier(support="is", counter="causes", incorrect="bee")
    options = ScoringOptions("official", SIMILARITIES["tokf1"], classifier, classifier)
    found = scored([stated(gold)] * len(predicted), [explained(graph) for graph in predicted], options)
    assert found["StCA"].figure() == 1
    for scores in found.values():
        low, high = scores.metric.bounds
        assert all(value is not None and low <= value <= high for value in scores.by_item())
