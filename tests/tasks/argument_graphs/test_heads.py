"""ExplaGraphs' questions as models read them: the same texts as its evaluator's, the same tags as its release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from whence.checks.rule import check
from whence.errors import DataError, MissingDataError, UsageError
from whence.formats.graphs import parse_graph
from whence.models.items import AnyItem, Item, TextItem, Verdict, WordItem
from whence.models.measures import chunks
from whence.structures.graph import Argument, Edge, StanceGraph, concepts_within
from whence.structures.results import Example, Prediction
from whence.tasks.argument_graphs.data.conceptnet import UNUSED, translated
from whence.tasks.argument_graphs.data.files import RELATIONS, read_conceptnet
from whence.tasks.argument_graphs.heads.concept_tags import (
    CONCEPT_TAGS,
    concept_tags,
    treebank_words,
    words_to_tag,
)
from whence.tasks.argument_graphs.heads.edge_questions import EDGE_LABELS, NO_RELATION, all_edge_questions
from whence.tasks.argument_graphs.heads.heads import HEADS
from whence.tasks.argument_graphs.heads.incorrect_graphs import foreign_facts, make_incorrect, refined_graphs
from whence.tasks.argument_graphs.heads.texts import gold_graph
from whence.tasks.argument_graphs.rules import rules
from whence.tasks.argument_graphs.scoring import score
from whence.tasks.argument_graphs.task import EXPLAGRAPHS
from whence.tasks.dataset import Dataset
from whence.tasks.head import Head, Source, lesson, predictions
from whence.tasks.loading import load, samples
from whence.tasks.scoring import ScoringOptions

EXPLA = {head.name: head for head in HEADS}
ROW = (
    "Marriage helps Families.\tFamilies don't need love.\tcounter\t"
    "(marriage; causes; Love)(Love; part of; Families)(marriage; used for; Families)\n"
)
EVERY_HEAD = pytest.mark.parametrize("head", EXPLA.values(), ids=list(EXPLA))
RECIPES = EXPLAGRAPHS.recipes


def nowhere() -> Path:
    raise AssertionError("no data folder is needed")


def ask(head: str, where: str, form: str = "", seed: int = 0, folder: Any = nowhere) -> list[Item]:
    return cast(list[Item], list(EXPLA[head].items(Source(EXPLAGRAPHS, where, folder, form, seed))))


@pytest.fixture
def row(tmp_path: Path) -> str:
    path = tmp_path / "one.tsv"
    path.write_text(ROW)
    return str(path)


def check_items(head: Head, items: Sequence[AnyItem]) -> None:
    """What holds of the items of every head."""
    assert items
    assert len({item.id for item in items}) == len(items)
    assert all(item.group for item in items)
    for item in items:
        if isinstance(item, WordItem):
            assert head.shape == "tags"
            assert item.gold is None or len(item.gold) == len(item.words)
            assert set(item.gold or ()) <= set(range(len(head.labels)))
        elif isinstance(item, TextItem):
            assert head.shape == "text" and item.prompt and (item.gold is None or item.gold)
        else:
            assert isinstance(item, Item) and head.shape == "label" and len(item.options) == 1
            assert item.gold is None or item.gold in range(len(head.labels))


@EVERY_HEAD
def test_samples_give_items_that_keep_the_contract(head: Head) -> None:
    for form in ("", *head.forms):
        items = head.items(Source(EXPLAGRAPHS, "samples", nowhere, form))
        check_items(head, items)
        assert all(item.gold is not None for item in items)


@EVERY_HEAD
def test_the_seed_decides_all_that_is_drawn(head: Head) -> None:
    one, again, other = ([*head.items(Source(EXPLAGRAPHS, "samples", nowhere, seed=seed))] for seed in (1, 1, 2))
    assert one == again
    assert (one != other) == (head.name in ("ea", "seca", "edges", "conceptnet"))


@EVERY_HEAD
def test_nothing_of_a_group_is_both_learnt_from_and_held_out(head: Head) -> None:
    items = head.items(Source(EXPLAGRAPHS, "samples", nowhere))
    learnt = lesson(f"explagraphs/{head.name}", head, items, held_out=0.3, seed=0)
    assert learnt.train and learnt.dev and len(learnt.train) + len(learnt.dev) == len(items)
    assert not {item.group for item in learnt.train} & {item.group for item in learnt.dev}


def test_a_stance_is_asked_of_the_texts_as_they_stand(row: str) -> None:
    (item,) = ask("stance", row)
    assert item.options == ((("Marriage helps Families.", "Families don't need love."),),)
    assert (item.id, item.gold, item.group) == ("one-1", 1, "marriage helps families.")


def test_a_stance_answers_the_task_so_that_its_accuracy_can_be_scored() -> None:
    dataset = samples(EXPLAGRAPHS)
    items = ask("stance", "samples")
    right = [Verdict(item.id, (1.0 - cast(int, item.gold), float(cast(int, item.gold)))) for item in items]
    wrong_first = [Verdict(items[0].id, tuple(reversed(right[0].probabilities))), *right[1:]]
    answers: list[Prediction[StanceGraph] | None] = [*predictions(EXPLA["stance"], dataset, wrong_first)]
    figures = {each.metric.name: each.figure() for each in score(dataset, answers, ScoringOptions())}
    assert figures["SA"] == 19 / 20
    assert figures["StCA"] == 0.0  # a stance alone has no graph


class _Recorder:
    """A classifier that keeps what it was asked."""

    name = "recorder"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
        self.asked += pairs
        return [{"support": 0.4, "counter": 0.3, "incorrect": 0.3} for _ in pairs]


def test_the_metrics_models_are_taught_the_very_texts_that_scoring_asks_them() -> None:
    dataset = samples(EXPLAGRAPHS)
    gold: list[Prediction[StanceGraph] | None] = [Prediction(each.id, each.golds[0]) for each in dataset.examples]
    seca, ea = _Recorder(), _Recorder()
    score(dataset, gold, ScoringOptions(graph_classifier=seca, stance_classifier=ea))
    taught = [item.options[0][0] for item in ask("seca", "samples") if item.id.endswith("/gold")]
    assert taught == seca.asked
    assert {item.options[0][0] for item in ask("ea", "samples")} < set(ea.asked)
    with_graph = [item.options[0][0] for item in ask("stance-with-graph", "samples")]
    assert with_graph == [item.options[0][0] for item in ask("ea", "samples") if item.id.endswith("/full")]


def test_importance_is_learnt_with_a_graph_and_without_one_edge(row: str) -> None:
    full, without = ask("ea", row)
    text = "marriage causes love. love part of families. marriage used for families. "
    assert full.options[0][0] == ("Marriage helps Families.", f"Families don't need love. {text}")
    sentences = text.split(". ")[:-1]
    gone = int(without.id.removeprefix("one-1/without-"))
    left = "".join(f"{each}. " for place, each in enumerate(sentences) if place != gone)
    assert without.options[0][0] == ("Marriage helps Families.", f"Families don't need love. {left}")


def test_a_stance_that_is_none_is_a_fault_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "odd.tsv"
    path.write_text(ROW.replace("counter", "maybe"))
    with pytest.raises(DataError, match="expected support or counter, found 'maybe' in odd-1"):
        ask("stance", str(path))


def test_a_relation_that_is_none_is_a_fault_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "odd.tsv"
    path.write_text(ROW.replace("part of", "related to"))
    with pytest.raises(DataError, match="expected one of the 28 relations, found 'related to' in odd-1"):
        ask("edges", str(path))


@pytest.mark.parametrize("head", ["edges", "conceptnet"])
def test_an_unknown_form_is_told(head: str) -> None:
    with pytest.raises(UsageError, match="the form 'sideways'; there are context, concepts"):
        ask(head, "samples", "sideways")


def test_refined_graphs_are_incorrect_unless_they_equal_the_last_or_each_other(tmp_path: Path) -> None:
    last, other = "(a; causes; b)(b; causes; c)(c; causes; d)", "(a; desires; b)(b; causes; c)(c; causes; d)"
    path = tmp_path / "rounds.tsv"
    texts = "A, b help.\tC and d."
    path.write_text(f"{texts}\tsupport\t{last}\t{other}\t{last}\n{texts}\tsupport\t{other}\t{other}\t{last}\n")
    found = {item.id: item.gold for item in ask("seca", str(path))}
    assert found == {"rounds-1/gold": 0, "rounds-1/refined-1": 2, "rounds-2/gold": 0, "rounds-2/refined-1": 2}


def test_incorrect_graphs_are_made_by_few_edits_and_are_well_formed() -> None:
    examples = samples(EXPLAGRAPHS).examples
    facts = foreign_facts(examples)
    edits = Counter[str]()
    for example in examples:
        for seed in range(5):
            made, gold = make_incorrect(example, facts, seed), gold_graph(example)
            assert made is not None
            assert not check(example.inputs, StanceGraph("support", made), rules("paper", Dataset((), ())))
            gone, new = {*gold.edges} - {*made.edges}, {*made.edges} - {*gold.edges}
            assert gone or new
            assert len(gone) <= 3 and len(new) <= 3
            kind = ("replaced" if gone else "added") if new else "removed"
            edits[kind] += 1
            # What is added hangs on a concept of the graph or on what was added before.
            assert not new or {*gold.nodes} & {node for edge in new for node in (edge.head, edge.tail)}
    assert set(edits) == {"added", "removed", "replaced"}


def test_with_one_belief_nothing_foreign_can_be_added(row: str) -> None:
    assert [item.id for item in ask("seca", row)] == ["one-1/gold"]  # and 3 edges leave none to remove


@pytest.mark.parametrize(
    ("text", "words"),
    [  # rows of the released tags, dev 3, 4, 25 and more: those of NLTK's word_tokenize, in lower case
        ("Entrapment shouldn't be legalized.", "entrapment should n't be legalized ."),
        ("you're innocent, you can't", "you 're innocent , you ca n't"),
        ("Atheism cannot be forced", "atheism can not be forced"),
        ("Regime's shouldn't punish", "regime 's should n't punish"),
        ("transferred to U.S. soil so that", "transferred to u.s. soil so that"),
        ("he gets organ donation..", "he gets organ donation.."),
        ("majorly struggles. We are", "majorly struggles . we are"),
        ("life-saving breakthroughs.", "life-saving breakthroughs ."),
        ("10,000 people (50%) said: no!", "10,000 people ( 50 % ) said : no !"),
        ("moved to the U.S.", "moved to the u.s ."),
        ("", ""),
    ],
)
def test_words_are_those_of_the_release(text: str, words: str) -> None:
    assert treebank_words(text) == tuple(words.split())


@pytest.mark.parametrize(
    ("graph", "tags"),
    [
        ("(factory farming; causes; banned)", "BIOOOB BIOOO"),  # appendix C.3 has the first six
        ("(factory farming; causes; food)", "BIOOOO BIOOO"),  # food is in neither text
        ("(farming; causes; factory farming)", "BIOOOO BIOOO"),  # the longer one first
        ("(farm; causes; feeds millions)", "OOOOOO OOBIO"),  # words, not parts of them
        ("(Should Not Be; is a; be banned)", "OOBIIO OOOOO"),  # words are tagged once
        ("(should not be banned; is a; banned)", "OOOOOB OOOOO"),  # no concept has four words
        ("(food; is a; banned factory)", "OOOOOO OOOOO"),  # across the two texts it is not verbatim
    ],
)
def test_tags_mark_the_concepts_of_the_graph(graph: str, tags: str) -> None:
    inputs = Argument("Factory farming should not be banned", "Factory farming feeds millions.")
    assert len(words_to_tag(inputs)) == 11
    assert "".join(CONCEPT_TAGS[tag][0] for tag in concept_tags(inputs, parse_graph(graph))) == tags.replace(
        " ", ""
    )


def test_edges_are_asked_with_pairs_that_none_joins(row: str) -> None:
    found = {item.options[0][0]: EDGE_LABELS[cast(int, item.gold)] for item in ask("edges", row)}
    context = "marriage helps families. families don't need love."
    assert found == {
        ("marriage; love", context): "causes",
        ("love; families", context): "part of",
        ("marriage; families", context): "used for",
        ("love; marriage", context): NO_RELATION,  # 3 concepts have 6 ordered pairs: all are asked
        ("families; love", context): NO_RELATION,
        ("families; marriage", context): NO_RELATION,
    }
    alone = [item.options[0][0] for item in ask("edges", row, "concepts")]
    assert [tuple(pair[0].split("; ")) for pair in found] == alone


def test_of_two_relations_on_one_pair_the_last_stays(tmp_path: Path) -> None:
    path = tmp_path / "twice.tsv"
    path.write_text("A.\tB.\tsupport\t(a; causes; b)(a; desires; b)\n")
    assert [(item.id, item.gold) for item in ask("edges", str(path))] == [
        ("twice-1/0-1", RELATIONS.index("desires")),  # as in the released code
        ("twice-1/1-0", EDGE_LABELS.index(NO_RELATION)),
    ]


def test_a_decoder_can_ask_for_every_ordered_pair() -> None:
    concepts = [f"Concept {place}" for place in range(8)]
    found = all_edge_questions("x", Argument("A.", "B."), concepts)
    assert len(found) == 56
    assert found[0] == Item("x/0-1", ((("concept 0; concept 1", "a. b."),),))
    assert found[-1].id == "x/7-6"


@pytest.mark.parametrize(
    ("triple", "edge"),
    [
        (Edge("dog", "CapableOf", "bark"), Edge("dog", "capable of", "bark")),
        (Edge("cat", "HasA", "eye"), Edge("eye", "part of", "cat")),  # said from its other end
        (Edge("chicken", "NotHasA", "lip"), Edge("lip", "not part of", "chicken")),
        (Edge("peace", "RelatedTo", "war"), None),  # too generic, sec. 3
    ],
)
def test_conceptnet_is_said_in_the_relations_of_the_task(triple: Edge, edge: Edge | None) -> None:
    assert translated(triple) == edge


def test_conceptnet_that_is_not_here_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="whence data get conceptnet"):
        ask("conceptnet", "train", folder=lambda: tmp_path)


def test_shuffled_tails_are_not_those_of_known_triples() -> None:
    items = ask("conceptnet", "samples")
    related = {item.options[0][0] for item in items if not item.id.endswith("/shuffled")}
    shuffled = [item for item in items if item.id.endswith("/shuffled")]
    assert len(shuffled) == len(items) / 2 == 101  # the samples have as many facts
    assert {EDGE_LABELS[cast(int, item.gold)] for item in shuffled} == {NO_RELATION}
    assert not related & {item.options[0][0] for item in shuffled}


REAL_ITEMS = {
    "stance": ("train", {"support": 1335, "counter": 1033}),  # Table 1
    "stance-with-graph": ("train", {"support": 1335, "counter": 1033}),
    "ea": ("train", {"support": 2670, "counter": 2066}),  # each twice
    # 1,336 rounds before the last, of which 197 repeat a graph; 3 of 1,478 rows without allow for no edit
    "seca": ("refinement", {"support": 1335, "counter": 1033, "incorrect": 1139 + 1475}),
    "concepts": ("train", {"B-N": 10888, "I-N": 8330, "O": 31955}),
    "edges": ("train", {NO_RELATION: 19899, "capable of": 1477, "not at location": 3}),
    # all ordered pairs of the concepts of each graph
    "places": ("train", {NO_RELATION: 43285, "capable of": 1477, "not at location": 3}),
    "conceptnet": ("dev", {NO_RELATION: 1050, "at location": 230, "part of": 19 + 43}),  # PartOf and HasA
}


@pytest.mark.real_data
@pytest.mark.parametrize("head", [EXPLA[name] for name in REAL_ITEMS], ids=list(REAL_ITEMS))
def test_real_files_give_as_many_items_as_they_should(head: Head, real_data: Path) -> None:
    where, expected = REAL_ITEMS[head.name]
    items = head.items(Source(EXPLAGRAPHS, where, lambda: real_data))
    check_items(head, items)
    places = [
        place
        for item in items
        for place in (item.gold if isinstance(item, WordItem) else [item.gold])  # type: ignore[union-attr]
    ]
    found = Counter(head.labels[cast(int, place)] for place in places)
    assert {label: found[label] for label in expected} == expected
    assert (head.name in ("edges", "places", "conceptnet")) or found.total() == sum(expected.values())


@pytest.mark.real_data
@pytest.mark.parametrize("head", ["stance", "edges"])
def test_training_beliefs_are_not_those_of_dev(head: str, real_data: Path) -> None:
    one, other = (
        {item.group for item in ask(head, where, folder=lambda: real_data)}
        for where in (EXPLA[head].train, EXPLA[head].test)
    )
    assert (len(one), len(other), len(one & other)) == (1894, 363, 0)


@pytest.mark.real_data
def test_hidden_gold_leaves_questions_without_answers(real_data: Path) -> None:
    assert [item.gold for item in ask("stance", "test", folder=lambda: real_data)] == [None] * 400
    assert ask("seca", "test", folder=lambda: real_data) == []  # nothing to ask without a graph


@pytest.mark.real_data
def test_words_and_tags_against_the_released_ones(real_data: Path) -> None:
    """The released words are ours, all of them. Its tags are no gold: its tagger's, a third of them no concept."""
    text = (real_data / "explagraphs/internal_nodes_dev.txt").read_text("utf-8")
    released = [[line.split("\t") for line in item.split("\n")] for item in text.strip().split("\n\n")]
    items = cast(list[WordItem], ask("concepts", "dev", folder=lambda: real_data))
    assert [item.words for item in items] == [tuple(word for word, _ in row) for row in released]
    tags = [tuple(CONCEPT_TAGS.index(tag) for _, tag in row) for row in released]
    pairs = [
        pair for item, row in zip(items, tags, strict=True) for pair in zip(item.gold or (), row, strict=True)
    ]
    assert (sum(one == other for one, other in pairs), len(pairs)) == (6132, 7573)  # 81.0%
    graphs = [example.golds[0].graph for example in load(EXPLAGRAPHS, "dev", lambda: real_data).examples]

    def concepts(rows: Sequence[tuple[int, ...]]) -> tuple[int, int]:
        """How many marked pieces are concepts of their graphs, of how many."""
        marked = [
            " ".join(item.words[start:end]) in {" ".join(treebank_words(node)) for node in graph.nodes}
            for item, row, graph in zip(items, rows, graphs, strict=True)
            for start, end in chunks(row, CONCEPT_TAGS)
        ]
        return sum(marked), len(marked)

    assert concepts(tags) == (1224, 1812)
    assert concepts([item.gold or () for item in items]) == (1812, 1812)


@pytest.mark.real_data
def test_most_internal_concepts_are_found_among_the_words(real_data: Path) -> None:
    """The rest are parts of words, or their words are taken by a longer concept."""
    found = whole = 0
    for example, item in zip(
        load(EXPLAGRAPHS, "train", lambda: real_data).examples,
        cast(list[WordItem], ask("concepts", "train", folder=lambda: real_data)),
        strict=True,
    ):
        marked = {item.words[start:end] for start, end in chunks(item.gold or (), CONCEPT_TAGS)}
        texts = (example.inputs.belief, example.inputs.argument)
        internal = {node.lower() for text in texts for node in concepts_within(example.golds[0].graph.nodes, text)}
        whole += len(internal)
        found += sum(treebank_words(node) in marked for node in internal)
    assert (found, whole) == (8977, 9162)  # 98.0%


@pytest.mark.real_data
def test_every_relation_of_conceptnet_is_translated_or_known_to_be_unused(real_data: Path) -> None:
    triples = [triple for triple, _ in read_conceptnet(real_data / "conceptnet/train_old.txt")]
    unused = Counter(triple.relation for triple in triples if translated(triple) is None)
    assert set(unused) == set(UNUSED)
    assert (unused.total(), len(triples)) == (9767, 100_000)
    said = {edge.relation for triple in triples if (edge := translated(triple))}
    assert said < set(RELATIONS)
    assert len(said) == 19  # no antonyms, contexts, and negations only of six


@pytest.mark.real_data
def test_real_refined_graphs_are_well_formed_as_well(real_data: Path) -> None:
    """So a classifier cannot tell made graphs from them by their shape."""
    examples = cast(
        Sequence[Example[Argument, StanceGraph]], load(EXPLAGRAPHS, "refinement", lambda: real_data).examples
    )
    graphs = [(example, graph) for example in examples for graph in refined_graphs(example)]
    broken = [
        graph
        for example, graph in graphs
        if check(example.inputs, StanceGraph("support", graph), rules("official", Dataset((), ())))
    ]
    # Row 1451 has three edges, two of them on one pair; row 1526 too few concepts of the argument.
    assert (len(broken), len(graphs)) == (2, 1139)
