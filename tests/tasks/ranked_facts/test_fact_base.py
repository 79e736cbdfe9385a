"""The facts and questions that ship with the package: what anybody may rely on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whence
from whence.files import read_json, read_lines
from whence.structures.facts import Fact
from whence.tasks import task_named
from whence.tasks.loading import samples
from whence.tasks.ranked_facts.data.files import EVERYDAY, ROLES, read_fact_base, table_files
from whence.tasks.ranked_facts.data.stores import role_of

STORE = task_named("worldtree").data.samples.parent / "facts"
BASE = read_fact_base(STORE)
FACTS = BASE.facts
TOPICS = [path.stem for path in table_files(STORE) if not path.stem.isupper()]
EXAMPLES = [example for split in EVERYDAY for example in whence.load("worldtree", split).examples]


def normalised(text: str) -> str:
    """Letters and digits, without articles."""
    return " ".join(word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in ("a", "an", "the"))


def test_the_base_is_large_and_covers_its_topics() -> None:
    assert len(FACTS) >= 1000
    counts = Counter(fact.table for fact in FACTS.values())
    assert len(TOPICS) >= 20
    assert all(counts[topic] >= 25 for topic in TOPICS)


def test_ids_are_unique_and_name_their_topic() -> None:
    assert BASE.dropped["repeated id"] == 0
    for topic in TOPICS:
        own = [fact.id for fact in FACTS.values() if fact.table == topic]
        assert own == [f"{topic}-{number:03}" for number in range(1, len(own) + 1)]


def test_no_fact_is_there_twice() -> None:
    counts = Counter(normalised(fact.text) for fact in FACTS.values())
    assert [text for text, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_facts_are_plain_sentences(topic: str) -> None:
    for fact in (one for one in FACTS.values() if one.table == topic):
        words = fact.text.split()
        assert 3 <= len(words) <= 22, fact
        assert fact.text == " ".join(words) and not fact.text.endswith("."), fact
        assert re.fullmatch(r"[A-Za-z0-9 ,'-]+", fact.text), fact
        assert (
            fact.text[0].islower()
            or words[0] in ("Mars", "Jupiter", "Mercury", "Venus", "Neptune", "Saturn")
            or (words[0].startswith("X-ray"))
        ), fact


def test_questions_are_many_and_their_facts_are_there() -> None:
    assert len(EXAMPLES) >= 120
    assert len({example.id for example in EXAMPLES}) == len(EXAMPLES)
    assert {example.meta["topic"] for example in EXAMPLES} == set(TOPICS)
    for example in EXAMPLES:
        (gold,) = example.golds
        assert gold.facts and all(use.id in FACTS and use.role in ROLES for use in gold.facts), example.id
        assert len({use.id for use in gold.facts}) == len(gold.facts)
        assert any(use.role == "CENTRAL" for use in gold.facts) or example.inputs.answer
        options = [text for _, text in example.inputs.options]
        assert len(options) == len(set(options)) == 4 and example.inputs.answer in options, example.id


def test_the_halves_share_no_question_and_both_cover_all_topics() -> None:
    dev, test = (whence.load("worldtree", split).examples for split in EVERYDAY)
    assert abs(len(dev) - len(test)) <= 10
    assert not {one.inputs.question for one in dev} & {one.inputs.question for one in test}
    for half in (dev, test):
        assert {one.meta["topic"] for one in half} == set(TOPICS)


def test_samples_and_everyday_questions_speak_of_the_same_facts() -> None:
    assert samples(task_named("worldtree")).facts == FACTS == whence.load("worldtree", "everyday-dev").facts


@pytest.mark.parametrize(
    ("fact", "role"),
    [
        (Fact("1", "brass is a kind of metal", "KINDOF"), "GROUNDING"),
        (Fact("1", "opaque means blocking all light", "SYNONYMY"), "LEXGLUE"),
        (Fact("1", "a drought means a long time with too little rain", "IFTHEN"), ""),  # its table tells nothing
        (Fact("1", "an ant is a kind of insect", "animals"), "GROUNDING"),
        (Fact("1", "wind means moving air", "weather"), "LEXGLUE"),
        (Fact("1", "rain falls", "weather"), ""),  # central or not: no rule says so
    ],
)
def test_roles_are_given_where_table_or_wording_tells_them(fact: Fact, role: str) -> None:
    assert role_of(fact) == role


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from (value, *re.split(r"(?:sent|int)\d+:|;", value))
    elif isinstance(value, dict):
        yield from (text for part in value.values() for text in _texts(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in _texts(part))


@pytest.mark.real_data
def test_no_longer_fact_of_ours_is_a_published_one(real_data: Path) -> None:
    published = {normalised(fact.text) for fact in read_fact_base(real_data / "worldtree").facts.values()}
    corpus = read_json(real_data / "entailmentbank" / "worldtree_corpus_sentences_extended.json")
    published |= {normalised(text) for text in _texts(corpus)}
    for path in sorted((real_data / "entailmentbank").glob("task_*/*.jsonl")):
        published |= {
            normalised(part) for _, line in read_lines(path) for part in re.split(r'"|sent\d+:|int\d+:|;', line)
        }
    assert len(published) > 10_000
    own = [fact.text for fact in FACTS.values() if len(fact.text.split()) > 6]
    assert [text for text in own if normalised(text) in published] == []
