"""Scores of CIDER: of the triplets of a dialogue, and of the four sub-tasks as released evaluators have them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from whence.metrics import span as spans
from whence.metrics.classification import (
    F1,
    MACRO_F1,
    MACRO_PRECISION,
    MACRO_RECALL,
    PRECISION,
    RECALL,
    WEIGHTED_F1,
    accuracy,
    by_class,
    by_match,
    by_set,
)
from whence.metrics.metric import Scores
from whence.structures.dialogue import Answer, Dialogue, Triplet, Triplets
from whence.structures.results import UNREAD, Example, Label, Prediction
from whence.tasks.dataset import AnyDataset
from whence.tasks.dialogue_triplets.data.files import ENTAILED, NOT_ENTAILED
from whence.tasks.dialogue_triplets.data.relations import RELATIONS
from whence.tasks.scoring import Answers, Failures, Scoring, ScoringOptions, Slice

Cause = Callable[[Example[Any, Any], Any], str]

_PERCENT = 100
"""The released evaluators of `cider-nli` and `cider-span` print percentages, that of `cider-relation` shares."""
_EXCHANGED = "the released evaluator prints precision and recall exchanged; here each stands under its own name"


# Sub-tasks.


def score_nli(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> list[Scores]:
    """Macro and weighted F1 over both verdicts, precision and recall of `entailed`, accuracy."""
    golds, labels = _gold_labels(dataset), [_label(answer) for answer in answers]
    of_entailed = [
        replace(PRECISION, meaning=f"share of the claims called '{ENTAILED}' that are"),
        replace(RECALL, meaning=f"share of the entailed claims that are called '{ENTAILED}'"),
    ]
    return [
        *by_class([MACRO_F1, WEIGHTED_F1], golds, labels, (ENTAILED, NOT_ENTAILED), scale=_PERCENT),
        *by_class(of_entailed, golds, labels, (ENTAILED,), scale=_PERCENT),
        accuracy(golds, labels, scale=_PERCENT),
    ]


def score_choice(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> list[Scores]:
    """The share of right options."""
    return [accuracy(_gold_labels(dataset), [_label(answer) for answer in answers])]


def score_relation(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> list[Scores]:
    """Accuracy, and precision, recall and F1 as means over the relations that occur in gold or answers."""
    golds, labels = _gold_labels(dataset), [_label(answer) for answer in answers]
    classes = dict.fromkeys([*RELATIONS, *(gold for gold in golds if gold is not None)])
    note = _EXCHANGED if options.protocol == "official" else ""
    return [
        accuracy(golds, labels),
        *by_class([MACRO_PRECISION, MACRO_RECALL], golds, labels, classes, note=note),
        *by_class([MACRO_F1], golds, labels, classes),
    ]


def score_span(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> list[Scores]:
    """Exact, partial and no match and F1 as released, or as the paper defines them; and SQuAD's own."""
    measures = spans.OFFICIAL if options.protocol == "official" else spans.PAPER
    golds = [[gold.text for gold in example.golds] for example in dataset.examples]
    return spans.span_scores(measures, golds, [_answer_text(answer) for answer in answers])


def _gold_labels(dataset: AnyDataset) -> list[str | None]:
    return [example.golds[0].name if example.golds else None for example in dataset.examples]


def _label(answer: Prediction[Label] | None) -> str | None:
    return answer.explanation.name if answer and answer.explanation else None


def _answer_text(answer: Prediction[Answer] | None) -> str:
    return answer.explanation.text if answer and answer.explanation else ""


# Triplets of a dialogue.

_PAIRS_F1 = replace(
    F1,
    name="pairs.f1",
    meaning="F1 of the pairs of spans that some triplet joins, whatever its relation and whichever way round",
)
_TRIPLET_METRICS = (
    replace(PRECISION, meaning="share of the predicted triplets that are gold, over all dialogues"),
    replace(RECALL, meaning="share of the gold triplets that were predicted, over all dialogues"),
    F1,
)
_OVERLAP = "triplets paired one to one, of the same relation, each span sharing half its words with the other's"
_OVERLAP_METRICS = (
    replace(
        PRECISION, name="overlap.precision", meaning=f"share of the predicted triplets that match: {_OVERLAP}"
    ),
    replace(RECALL, name="overlap.recall", meaning=f"share of the gold triplets that are matched: {_OVERLAP}"),
    replace(F1, name="overlap.f1", meaning=f"F1 of matches: {_OVERLAP}"),
)
HALF = 0.5
"""The least F1 of the words (SQuAD's) of two spans that overlap."""
Key = tuple[str, str, str]
Pair = tuple[str, str]


def score_triplets(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> list[Scores]:
    """Precision, recall and F1 of triplets, counted over all dialogues, and F1 of the pairs of spans they join.

    Spans are compared as texts without regard to case, and symmetric relations may stand either way round. The
    figures of overlap take spans for the same that share half of their words.
    """
    golds = [example.golds[0].triplets if example.golds else None for example in dataset.examples]
    found = [_triplets(answer) for answer in answers]
    return [
        *by_set(_TRIPLET_METRICS, [None if gold is None else _keys(gold) for gold in golds], [*map(_keys, found)]),
        *by_set([_PAIRS_F1], [None if gold is None else _pairs(gold) for gold in golds], [*map(_pairs, found)]),
        *by_match(
            _OVERLAP_METRICS,
            [None if gold is None else sorted(_keys(gold)) for gold in golds],
            [sorted(_keys(triplets)) for triplets in found],
            overlap,
        ),
    ]


def overlap(one: Key, two: Key) -> bool:
    """Whether two triplets have the same relation, and spans that share half of their words."""
    if one[1] != two[1]:
        return False
    ways = [(two[0], two[2])]
    if one[1] in RELATIONS and RELATIONS[one[1]].symmetric:
        ways.append((two[2], two[0]))
    return any(_half(one[0], head) and _half(one[2], tail) for head, tail in ways)


def _half(one: str, two: str) -> bool:
    return spans.squad_f1(one, two) >= HALF


def _triplets(answer: Prediction[Triplets] | None) -> tuple[Triplet, ...]:
    return answer.explanation.triplets if answer and answer.explanation else ()


def _normal(text: str) -> str:
    return " ".join(text.lower().split())


def key(triplet: Triplet) -> Key:
    """What two triplets have in common that say the same."""
    head, tail = _normal(triplet.head.text), _normal(triplet.tail.text)
    relation = RELATIONS.get(triplet.relation)
    if relation and relation.symmetric:
        head, tail = sorted((head, tail))
    return head, triplet.relation, tail


def _keys(triplets: Iterable[Triplet]) -> set[Key]:
    return {key(triplet) for triplet in triplets}


def _pair(key: Key) -> Pair:
    first, second = sorted((key[0], key[2]))
    return first, second


def _pairs(triplets: Iterable[Triplet]) -> set[Pair]:
    return {_pair(key) for key in _keys(triplets)}


# Slices: by relation and its category (Table 6), latent spans, and how far apart the spans are (Table 2).

_QUESTIONS = [
    (re.compile(re.escape(relation.question).replace("X", "'(.*)'")), name)
    for name, relation in RELATIONS.items()
    if relation.question
]
_LAST_SENTENCE = re.compile(r".*[.?!]", re.DOTALL)
LATENT, NOT_LATENT = "latent", "not latent"


def asked(question: str) -> tuple[str, str] | None:
    """The relation that a question asks for and the head it names (Table 10); None if it is no such question."""
    found = ((pattern.fullmatch(question.strip()), name) for pattern, name in _QUESTIONS)
    return next(((name, match[1]) for match, name in found if match), None)


def _of_question(example: Example[Any, Any]) -> tuple[str, ...]:
    found = asked(example.inputs.question)
    return (found[0],) if found else ()


def _of_claim(example: Example[Any, Any]) -> tuple[str, ...]:
    return (example.inputs.relation,)


def _of_gold(example: Example[Any, Label]) -> tuple[str, ...]:
    return tuple(gold.name for gold in example.golds[:1])


def _gold_triplets(example: Example[Dialogue, Triplets]) -> tuple[Triplet, ...]:
    return tuple(triplet for gold in example.golds[:1] for triplet in gold.triplets)


def _of_triplets(example: Example[Dialogue, Triplets]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(triplet.relation for triplet in _gold_triplets(example)))


def _category(relations: Slice) -> Slice:
    """The categories of the relations that a slice gives; relations that are none of the paper's have none."""

    def categories(example: Example[Any, Any]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(RELATIONS[name].category for name in relations(example) if name in RELATIONS))

    return categories


def _claim_latent(example: Example[Any, Any]) -> tuple[str, ...]:
    return _latent(example.inputs.context, (example.inputs.head, example.inputs.tail))


def _span_latent(example: Example[Any, Answer]) -> tuple[str, ...]:
    return _question_latent(example, [gold.text for gold in example.golds[:1]])


def _choice_latent(example: Example[Any, Label]) -> tuple[str, ...]:
    options = {str(number): option for number, option in enumerate(example.inputs.options)}
    return _question_latent(example, [options[gold.name] for gold in example.golds[:1] if gold.name in options])


def _question_latent(example: Example[Any, Any], answers: list[str]) -> tuple[str, ...]:
    # Latent spans are appended to these contexts, behind the last sentence, and mostly without a full stop.
    match = _LAST_SENTENCE.match(example.inputs.context)
    found = asked(example.inputs.question)
    return _latent(match[0] if match else example.inputs.context, [*answers, *([found[1]] if found else [])])


def _latent(said: str, texts: Iterable[str]) -> tuple[str, ...]:
    context = " ".join(said.split())
    return (LATENT if any(" ".join(text.split()) not in context for text in texts) else NOT_LATENT,)


def _triplets_latent(example: Example[Dialogue, Triplets]) -> tuple[str, ...]:
    latent = any(triplet.head.is_latent or triplet.tail.is_latent for triplet in _gold_triplets(example))
    return (LATENT if latent else NOT_LATENT,)


def _distance(example: Example[Dialogue, Triplets]) -> tuple[str, ...]:
    """How many turns apart the spans of the triplets are, those with latent spans left out."""
    bins = {"0 turns": 0, "1 turn": 1, "2-5 turns": 5, "6-8 turns": 8}
    found = [
        next(
            (name for name, most in bins.items() if abs(triplet.head.turn - triplet.tail.turn) <= most),
            "9 and more",
        )
        for triplet in _gold_triplets(example)
        if triplet.head.turn is not None and triplet.tail.turn is not None
    ]
    return tuple(dict.fromkeys(found))


_SLICES: dict[str, dict[str, Slice]] = {
    # A dialogue is in every slice that one of its gold triplets is in.
    "cider": {
        "category": _category(_of_triplets),
        "relation": _of_triplets,
        "latent": _triplets_latent,
        "distance": _distance,
    },
    "cider-nli": {"category": _category(_of_claim), "relation": _of_claim, "latent": _claim_latent},
    "cider-span": {"category": _category(_of_question), "relation": _of_question, "latent": _span_latent},
    "cider-choice": {"category": _category(_of_question), "relation": _of_question, "latent": _choice_latent},
    "cider-relation": {"category": _category(_of_gold), "relation": _of_gold},
}


# Why answers are wrong.


def _failures(cause: Cause) -> Failures:
    """Counts the causes of single answers; an empty cause is a right answer."""

    def causes(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> Counter[str]:
        found: Counter[str] = Counter()
        for example, answer in zip(dataset.examples, answers, strict=True):
            if not example.golds:
                continue
            if answer is None or answer.explanation is None:
                found["no answer" if answer is None else UNREAD] += 1
            else:
                found[cause(example, answer.explanation)] += 1
        del found[""]
        return found

    return causes


def _verdict_cause(example: Example[Any, Label], label: Label) -> str:
    gold = example.golds[0].name
    return "" if label.name == gold else f"'{gold}' called '{label.name}'"


def _relation_cause(example: Example[Any, Label], label: Label) -> str:
    gold = example.golds[0].name
    if label.name == gold:
        return ""
    if label.name not in RELATIONS or gold not in RELATIONS:
        return "no relation of the 31"
    if RELATIONS[label.name].category == RELATIONS[gold].category:
        return f"other relation of the right category ({RELATIONS[gold].category})"
    return f"{RELATIONS[label.name].category} instead of {RELATIONS[gold].category}"


def _span_cause(example: Example[Any, Answer], answer: Answer) -> str:
    text, gold = answer.text.strip(), example.golds[0].text.strip()
    if text == gold:
        return ""
    if not text:
        return "empty"
    if spans.squad_em(text, gold):
        return "other case, punctuation or article"
    if text in gold or gold in text:
        return "too short" if text in gold else "too long"
    if text not in example.inputs.context:
        return "not in the context"
    return "overlaps" if spans.squad_f1(text, gold) else "another span"


def triplet_failures(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> Counter[str]:
    """What is wrong with predicted triplets, and how many gold ones are missing."""
    causes: Counter[str] = Counter()
    for example, answer in zip(dataset.examples, answers, strict=True):
        if not example.golds:
            continue
        if answer is None or answer.explanation is None:
            causes["no answer" if answer is None else UNREAD] += 1
        gold, found = _keys(example.golds[0].triplets), _keys(_triplets(answer))
        causes.update(_triplet_cause(key, gold) for key in found - gold)
        causes["gold triplet missing"] += len(gold - found)
    return +causes


def _triplet_cause(key: Key, gold: set[Key]) -> str:
    head, relation, tail = key
    if (tail, relation, head) in gold:
        return "head and tail exchanged"
    if _pair(key) in {_pair(other) for other in gold}:
        return "right spans, other relation"
    if any(other[0] in (head, tail) or other[2] in (head, tail) for other in gold):
        return "one span of a gold triplet"
    return "no span of a gold triplet"


SCORING: dict[str, Scoring] = {
    "cider": Scoring(score_triplets, triplet_failures, _SLICES["cider"], main=("f1",)),
    "cider-nli": Scoring(score_nli, _failures(_verdict_cause), _SLICES["cider-nli"], main=("accuracy",)),
    "cider-span": Scoring(score_span, _failures(_span_cause), _SLICES["cider-span"], main=("f1",)),
    "cider-choice": Scoring(
        score_choice,
        _failures(lambda example, label: "" if label == example.golds[0] else "other option"),
        _SLICES["cider-choice"],
        main=("accuracy",),
    ),
    "cider-relation": Scoring(
        score_relation, _failures(_relation_cause), _SLICES["cider-relation"], main=("accuracy",)
    ),
}
