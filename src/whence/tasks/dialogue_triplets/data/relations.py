"""CIDER's 31 relations, and the names under which the released files have them."""

from __future__ import annotations

from whence.structures.dialogue import Relation

_QUESTIONS = {
    "Attribution": {
        "Capable Of": "What is X capable of?",
        "Depends On": "What does X depend on?",
        "Has A": "What does X have?",
        "Has Property": "What property does X have?",
        "Has Subevent": "What subevent does X have?",
        "Is A": "What is X?",
        "Manner Of": "What is X a manner of?",
        "Not Has Property": "",
        "Not Is A": "",
    },
    "Causal": {
        "Causes": "What does X cause?",
        "Causes Desire": "What desire is caused by X?",
        "Implies": "What is implied by X?",
        "Not Causes": "",
        "Not Causes Desire": "",
        "Not Implies": "",
    },
    "Comparison": {
        "Antonym": "What is an antonym of X?",
        "Distinct From": "What is X distinct from?",
        "Similar To": "What is X similar to?",
        "Synonym": "What is a synonym of X?",
    },
    "Conditional": {"Has Prerequisite": "What prerequisite does X have?"},
    "Intentional": {
        "Desires": "What does X desire?",
        "Motivated By Goal": "Which goal motivates the act/action X?",
        "Obstructed By": "What is X obstructed by?",
        "Used For": "What is X used for?",
        "Not Motivated By Goal": "",
    },
    "Social": {"Social Rule": "What is X the social norm for?"},
    "Spatial": {"At Location": "Where is X located?", "Located Near": "What is X located near?"},
    "Temporal": {
        "Before": "What happens after X?",
        "Happens On": "When does X happen?",
        "Simultaneous": "What does X cooccur with?",
    },
}
"""Categories (Table 1), their relations with the negated ones (Table 9), and the questions (Table 10)."""

_SYMMETRIC = ("Antonym", "Distinct From", "Similar To", "Synonym", "Located Near", "Simultaneous")

CATEGORIES = tuple(_QUESTIONS)

RELATIONS: dict[str, Relation] = {
    name: Relation(name, category, question, name in _SYMMETRIC, name.startswith("Not "))
    for category, relations in _QUESTIONS.items()
    for name, question in relations.items()
}

_OTHER_NAMES = {
    "Simutaneous": "Simultaneous",
    "HappensIn": "Happens On",
    "ResultIn": "Causes",
    "NotResultIn": "Not Causes",
    "AchievedBy": "Causes",
    "LocationOfAction": "At Location",
    "DefinedAs": "Is A",
    "NotDefinedAs": "Not Is A",
    "Should": "Social Rule",
}
"""Names of `cider_main.json` that are not simply a relation's name; found by joining it with the fold files."""

REVERSED = frozenset({"AchievedBy", "LocationOfAction"})
"""Released names whose head and tail are exchanged in the paper's relation."""

LABELS: dict[str, str] = {name: name.lower() for name in RELATIONS} | {
    "Before": "happens before",
    "Happens On": "happens in",
    "Simultaneous": "happens simultaneously",
    "Not Causes": "discourages",
    "Not Causes Desire": "suppresses desire",
    "Not Motivated By Goal": "discouraged by goal",
    "Not Has Property": "doesn't have property",
    "Not Implies": "doesn't imply",
    "Not Is A": "is not a",
}
"""The labels of the released relation task."""

BY_LABEL = {label: name for name, label in LABELS.items()}
_BY_RELEASED = {name.replace(" ", ""): name for name in RELATIONS} | _OTHER_NAMES


def relation_named(released: str) -> str | None:
    """The paper's relation for a name of `cider_main.json`; None for the 18 names that it has not kept."""
    return _BY_RELEASED.get(released)


def question(relation: Relation, head: str) -> str:
    """The question that asks for the tail (Table 10)."""
    return relation.question.replace("X", f"'{head}'")
