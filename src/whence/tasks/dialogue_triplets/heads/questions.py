"""What models are asked about spans, in words."""

from __future__ import annotations

import re

STATEMENTS = {
    "Capable Of": "is capable of",
    "Depends On": "depends on",
    "Has A": "has",
    "Has Property": "has the property",
    "Has Subevent": "has the subevent",
    "Is A": "is",
    "Manner Of": "is a manner of",
    "Not Has Property": "does not have the property",
    "Not Is A": "is not",
    "Causes": "causes",
    "Causes Desire": "causes the desire",
    "Implies": "implies",
    "Not Causes": "does not cause",
    "Not Causes Desire": "does not cause the desire",
    "Not Implies": "does not imply",
    "Antonym": "is the opposite of",
    "Distinct From": "is distinct from",
    "Similar To": "is similar to",
    "Synonym": "means the same as",
    "Has Prerequisite": "requires",
    "Desires": "desires",
    "Motivated By Goal": "is motivated by the goal",
    "Obstructed By": "is obstructed by",
    "Used For": "is used for",
    "Not Motivated By Goal": "is not motivated by the goal",
    "Social Rule": "is the social norm for",
    "At Location": "is located at",
    "Located Near": "is located near",
    "Before": "happens before",
    "Happens On": "happens during",
    "Simultaneous": "happens at the same time as",
}
"""Each relation as it is said between head and tail, after Table 1's explanations."""

_QUOTED = re.compile(r"'(.*)'", re.DOTALL)
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def statement(head: str, relation: str, tail: str) -> str:
    """A triplet as a sentence without a full stop; a relation that is none of the paper's by its name."""
    said = STATEMENTS.get(relation) or _CAPITAL.sub(" ", relation).lower()
    return f"{head} {said} {tail}"


def relation_question(head: str, tail: str) -> str:
    """The question that asks for the relation."""
    return f"How is '{head}' related to '{tail}'?"


def asked_about(question: str) -> str:
    """The head that a question of Table 10 is about: what stands in quotes; all of it where nothing does."""
    found = _QUOTED.search(question)
    return found.group(1) if found else question
