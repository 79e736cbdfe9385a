"""EntailmentBank's proofs, contexts and angles lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.errors import DataError
from whence.formats.proofs import (
    format_context,
    format_proof,
    format_slots,
    parse_context,
    parse_proof,
    parse_slots,
)
from whence.structures.tree import HYPOTHESIS, Sentence, Step, Tree

PUBLISHED = "sent2 & sent5 -> int1: ice floats on water; int1 & sent4 -> hypothesis; "
FLOATING = Step(("sent2", "sent5"), "int1", "ice floats on water")


@pytest.mark.parametrize(
    "text, steps",
    [
        (PUBLISHED, [FLOATING, Step(("int1", "sent4"), HYPOTHESIS)]),
        ("", []),  # task 3's rows have an empty proof
        (" ; ; ", []),
        ("sent1 -> hypothesis", [Step(("sent1",), HYPOTHESIS)]),  # no ';' at the end
        ("sent1 -> hypot;", [Step(("sent1",), HYPOTHESIS)]),  # as the paper writes it
        ("sent1&sent2->int1:x", [Step(("sent1", "sent2"), "int1", "x")]),  # no blanks
        ("  sent1  &  sent2  ->  int1  :  x  y ", [Step(("sent1", "sent2"), "int1", "x  y")]),
        ("sent1 -> int1: a: b", [Step(("sent1",), "int1", "a: b")]),
        (
            "sent1 -> int1: a; b; int1 -> hypothesis",
            [Step(("sent1",), "int1", "a; b"), Step(("int1",), HYPOTHESIS)],
        ),
        ("sent1 -> hypothesis: it is so", [Step(("sent1",), HYPOTHESIS, "it is so")]),
        ("sent1 -> int1:", [Step(("sent1",), "int1")]),
        ("SENT1 -> Hypothesis", [Step(("SENT1",), "Hypothesis")]),  # ids are kept as they stand
        ("hypot -> int1", [Step(("hypot",), "int1")]),  # short only as a conclusion
    ],
)
def test_parse_proof(text, steps):
    assert parse_proof(text) == Tree(tuple(steps))


@pytest.mark.parametrize(
    "text, found",
    [
        ("no proof", "'no proof'"),
        ("sent1 & sent2", "'sent1 & sent2'"),
        ("-> int1", "'-> int1'"),
        ("sent1 ->", "'sent1 ->'"),
        ("sent1 & -> int1", "'sent1 & -> int1'"),
        ("sent1 & & sent2 -> int1", "'sent1 & & sent2 -> int1'"),
        ("sent1 sent2 -> int1", "'sent1 sent2 -> int1'"),
        ("sent1 -> int 1", "'sent1 -> int 1'"),
        ("sent1 -> int1; and so on", "'and so on'"),  # goes on with a text that was not begun
        ("sent1, sent2 -> int1", "'sent1, sent2 -> int1'"),
        ("sent1 -> int1 -> hypothesis", "'sent1 -> int1 -> hypothesis'"),
    ],
)
def test_no_proof(text, found):
    with pytest.raises(DataError) as caught:
        parse_proof(text)
    assert caught.value.found == found


def test_format_proof_writes_as_the_data_does():
    assert format_proof(parse_proof(PUBLISHED)) == PUBLISHED
    assert format_proof(Tree(())) == ""


def test_a_tree_s_own_sentences_are_not_part_of_its_proof():
    assert format_proof(Tree((FLOATING,), (Sentence("sent2", "x"),))) == format_proof(Tree((FLOATING,)))


@pytest.mark.parametrize(
    "step",
    [
        Step((), "int1"),  # from nothing
        Step(("",), "int1"),
        Step(("sent1",), ""),
        Step(("sent 1",), "int1"),
        Step(("sent1 ",), "int1"),
        Step(("sent1&sent2",), "int1"),
        Step(("sent1;",), "int1"),
        Step(("sent1",), "int1:"),
        Step(("sent1",), "hypot"),  # reads back as the hypothesis
        Step(("sent1",), "int1", " a"),
        Step(("sent1",), "int1", "a;b"),  # reads back as 'a; b'
        Step(("sent1",), "int1", "a; b -> c"),
        Step(("sent1",), "int1", "a;"),
        Step(("sent1",), "int1", ";"),
    ],
)
def test_steps_that_cannot_be_written(step):
    with pytest.raises(DataError):
        format_proof(Tree((step,)))


@pytest.mark.parametrize("text", ["a -> b", "a; b", "a: b", "a & b", "->"])
def test_texts_that_can_be_written(text):
    tree = Tree((Step(("sent1",), "int1", text), Step(("int1",), HYPOTHESIS)))
    assert parse_proof(format_proof(tree)) == tree


sentence_ids = st.integers(1, 30).map("sent{}".format)
ids = sentence_ids | st.integers(1, 9).map("int{}".format)
words = st.lists(st.sampled_from(("ice", "melts", "at", "0°C", "(a", "kind", "of)", "/", "sent")), max_size=6).map(
    " ".join
)
steps = st.builds(Step, st.lists(ids, min_size=1, max_size=4).map(tuple), st.just(HYPOTHESIS) | ids, words)


@settings(deadline=None)
@given(st.lists(steps).map(lambda found: Tree(tuple(found))))
def test_a_proof_reads_back(tree):
    assert parse_proof(format_proof(tree)) == tree


# Contexts


@pytest.mark.parametrize(
    "text, sentences",
    [
        ("", []),
        ("  ", []),
        ("sent1: ice melts sent2: heat", [("sent1", "ice melts"), ("sent2", "heat")]),
        ("sent1: a\nsent2: b\n", [("sent1", "a"), ("sent2", "b")]),
        (" sent1:a  sent2:b ", [("sent1", "a"), ("sent2", "b")]),
        ("sent1: sent2: b", [("sent1", ""), ("sent2", "b")]),
        ("sent10: a sent1: b", [("sent10", "a"), ("sent1", "b")]),  # in any order
        ("sent1: absent2: b", [("sent1", "absent2: b")]),  # only a whole word is an id
        ("sent1: a sent2 b", [("sent1", "a sent2 b")]),  # only with its colon
        ("sent1: a : b", [("sent1", "a : b")]),
    ],
)
def test_parse_context(text, sentences):
    assert parse_context(text) == tuple(Sentence(*sentence) for sentence in sentences)


@pytest.mark.parametrize(
    "text", ["ice melts", "ice sent1: melts", "fact1: a", "sent: a", "Sent1: a", "int1: a sent1: b"]
)
def test_no_context(text):
    with pytest.raises(DataError, match="a context like"):
        parse_context(text)


@settings(deadline=None)
@given(st.lists(st.builds(Sentence, sentence_ids, words), min_size=1).map(tuple))
def test_a_context_reads_back(sentences):
    assert parse_context(format_context(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        [Sentence("sent1", "as sent2: says")],  # reads back as two sentences
        [Sentence("sent1", " ice ")],
        [Sentence("fact1", "ice")],  # written, but refused when read
        [Sentence("sent1", "ice"), Sentence("int1", "melts")],  # reads back as one sentence
    ],
)
def test_contexts_that_cannot_be_written(sentences):
    with pytest.raises(DataError):
        format_context(sentences)


# Slots


@pytest.mark.parametrize(
    "text, slots",
    [
        ("$proof$ = sent1 -> hypothesis", {"proof": "sent1 -> hypothesis"}),
        (
            "$proof$ ; $question$ = Why? ; $hypothesis$ = ice melts",  # an angles input: the proof is asked for
            {"proof": "", "question": "Why?", "hypothesis": "ice melts"},
        ),
        ("$a$", {"a": ""}),
        ("$a$ =", {"a": ""}),
        ("$a$ = ", {"a": ""}),
        ("  $a$ = b ", {"a": "b "}),
        ("$a$ = x ; y ; $b$ = z", {"a": "x ; y", "b": "z"}),  # ' ; ' inside a value
        ("$a$ = = ; $b$ = 5 $ and 6 $", {"a": "=", "b": "5 $ and 6 $"}),
        ("$a$ = ; $b$ = ", {"a": "; ", "b": ""}),  # one blank only: the ';' is not a separator
        ("$a$ =  ; $b$ = ", {"a": "", "b": ""}),
        ("$proof$ = sent1 -> hypothesis; ", {"proof": "sent1 -> hypothesis; "}),  # a proof's own end is kept
    ],
)
def test_parse_slots(text, slots):
    assert parse_slots(text) == slots
    assert list(parse_slots(text)) == list(slots)


@pytest.mark.parametrize(
    "text, found",
    [
        ("", "''"),
        ("proof = x", "'proof = x'"),
        ("$$ = x", "'$$ = x'"),
        ("$two words$ = x", "'$two words$ = x'"),
        ("x $a$ = b", "'x $a$ = b'"),
        ("$a$ = b ; $a$ = c", "$a$ twice"),
    ],
)
def test_no_slots(text, found):
    with pytest.raises(DataError) as caught:
        parse_slots(text)
    assert caught.value.found == found


def test_format_slots_puts_what_is_asked_first():
    written = format_slots({"hypothesis": "ice melts", "context": "sent1: a"}, asked=("proof", "answer"))
    assert written == "$proof$ ; $answer$ ; $hypothesis$ = ice melts ; $context$ = sent1: a"


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(("hypothesis", "context", "q_1", "é")), words, min_size=1),
    st.lists(st.sampled_from(("proof", "answer")), unique=True),
)
def test_slots_read_back(slots, asked):
    assert parse_slots(format_slots(slots, asked)) == dict.fromkeys(asked, "") | slots


@pytest.mark.parametrize(
    "slots, asked",
    [
        ({}, ()),
        ({"a": "it costs $5$ or so"}, ()),  # reads back as two slots
        ({"a": "b"}, ("a",)),  # refused when read: $a$ twice
        ({"two words": "b"}, ()),
        ({"": "b"}, ()),
    ],
)
def test_slots_that_cannot_be_written(slots, asked):
    with pytest.raises(DataError):
        format_slots(slots, asked)
