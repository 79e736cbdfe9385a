"""Triplets for a dialogue: spans proposed, relations guessed, claims checked, a consistent set chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whence.formats.dialogues import context_of
from whence.metrics.span import squad_f1
from whence.progress import Report, unreported
from whence.structures.dialogue import Dialogue, DialogueClaim, SpanPair, SpanQuestion, Triplet, Triplets
from whence.structures.results import Example, Label
from whence.tasks.dialogue_triplets.data.files import ENTAILED
from whence.tasks.dialogue_triplets.data.relations import RELATIONS, question
from whence.tasks.dialogue_triplets.heads.heads import HEADS, VERDICTS
from whence.tasks.dialogue_triplets.heads.joined_spans import JOINED, asked_pairs
from whence.tasks.dialogue_triplets.heads.questions import statement
from whence.tasks.dialogue_triplets.proposals import Proposed, clash, joinable, proposed_spans
from whence.tasks.dialogue_triplets.task import TASKS
from whence.tasks.head import Head
from whence.tasks.head_method import Asked, asked
from whence.tasks.method import EMBEDDED, Explained, Method, Reason, Setup

_TASKS = {task.name: task for task in TASKS}
_HEADS = {
    "spans": "cider",
    "joined": "cider",
    "relation": "cider-relation",
    "claim": "cider-nli",
    "answer": "cider-span",
}
_PAIRS_TRIED = 100
_RELATIONS_TRIED = 2
_ASKED = 40
"""For so many candidates, the best first, the finder of answers is asked whether it finds the tail too."""
_REFUSED = 5
_TELLING = 0.05
"""An answer that is less probable is not told of."""

Features = tuple[float, ...]
NAMES = (
    "joined",
    "entailed",
    "relation",
    "answered",
    "marked head",
    "marked tail",
    "same turn",
    "turns apart",
    "tail first",
    "words of head",
    "words of tail",
)
"""What a candidate is weighed by."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each of `NAMES` counts, as `tools/tune_triplets.py` found on held-out dialogues."""

    bias: float = -4.209
    each: Features = (0.230, 0.216, 0.883, 2.290, 0.084, 0.559, 0.397, -0.236, 0.102, 0.503, 0.458)

    def score(self, features: Features) -> float:
        """The probability that the triplet is one that people state."""
        return _sure(self.bias + sum(w * x for w, x in zip(self.each, features, strict=True)))


TUNED = Weights()
THRESHOLD = 0.025


@dataclass(frozen=True, slots=True)
class TripletSettings:
    """What a user may set: the models, each a folder or `embedded`, and how sure triplets have to be."""

    spans: str = EMBEDDED
    joined: str = EMBEDDED
    relation: str = EMBEDDED
    claim: str = EMBEDDED
    answer: str = EMBEDDED
    threshold: float = THRESHOLD
    most: int = 12
    """The most triplets of a dialogue."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A triplet that may be stated, and what speaks for it."""

    triplet: Triplet
    features: Features

    @property
    def text(self) -> str:
        """The triplet in words."""
        return statement(f"“{self.triplet.head.text}”", self.triplet.relation, f"“{self.triplet.tail.text}”")

    @property
    def because(self) -> tuple[str, ...]:
        """What the models say of it."""
        joined, entailed, relation, answered = self.features[:4]
        told = (
            f"joined {_sure(joined):.2f}",
            f"relation {math.exp(relation):.2f}",
            f"entailed {_sure(entailed):.2f}",
        )
        return (*told, f"tail found as an answer {answered:.2f}") if answered >= _TELLING else told


class TripletFinder:
    """The heads of CIDER's sub-tasks put together."""

    def __init__(self, heads: Mapping[str, Asked], settings: TripletSettings, weights: Weights = TUNED) -> None:
        self._heads, self._settings, self._weights = heads, settings, weights
        judges = dict.fromkeys(one.judge.name for one in heads.values())
        self.name = f"triplets over {settings.threshold} by {', '.join(judges)}"

    def explain(self, examples: Sequence[Example[Dialogue, Any]], report: Report = unreported) -> list[Explained]:
        """A consistent set of triplets for each dialogue; the best one where none is sure enough."""
        found = []
        for number, candidates in enumerate(self.candidates(examples), 1):
            found.append(self.chosen(candidates))
            report("finding triplets", number, len(examples))
        return found

    def candidates(self, examples: Sequence[Example[Dialogue, Any]]) -> list[list[Candidate]]:
        """Triplets that may be stated in each dialogue, and what speaks for them."""
        marks = iter(self._heads["spans"].verdicts([_blind(example) for example in examples]))
        found = []
        for example in examples:
            turns = [next(marks) for turn in example.inputs.utterances if turn.text.split()]
            found.append(self._candidates(_blind(example), proposed_spans(example, turns)))
        return found

    def _candidates(self, example: Example[Dialogue, Triplets], spans: Sequence[Proposed]) -> list[Candidate]:
        pairs = self._joined(list(joinable(spans)))
        context = context_of(example.inputs)
        guessed = self._heads["relation"].verdicts(
            [Example(f"{n}", SpanPair(context, h.span.text, t.span.text)) for n, (h, t, _) in enumerate(pairs)]
        )
        tried = [
            (head, name, tail, (joined, verdict.probabilities[place]))
            for (head, tail, joined), verdict in zip(pairs, guessed, strict=True)
            for place, name in _best_relations(verdict.probabilities)
        ]
        claims: list[Example[DialogueClaim, Label]] = [
            Example(f"{n}", DialogueClaim(context, head.span.text, name, tail.span.text))
            for n, (head, name, tail, _) in enumerate(tried)
        ]
        place = VERDICTS.index(ENTAILED)
        checked = [verdict.probabilities[place] for verdict in self._heads["claim"].verdicts(claims)]
        made = [
            Candidate(
                Triplet(head.span, name, tail.span),
                (_odds(joined), _odds(entailed), math.log(likely), 0.0, *_places(head, tail)),
            )
            for (head, name, tail, (joined, likely)), entailed in zip(tried, checked, strict=True)
        ]
        made.sort(key=lambda one: -self._weights.score(one.features))
        return self._answered(context, made)

    def _joined(self, pairs: Sequence[tuple[Proposed, Proposed]]) -> list[tuple[Proposed, Proposed, float]]:
        """The pairs that are most probably joined, and how probably."""
        items = asked_pairs([(head.span.text, tail.span.text) for head, tail in pairs])
        verdicts = self._heads["joined"].judge.judge(items)
        sure = [verdict.probabilities[JOINED.index("joined")] for verdict in verdicts]
        best = sorted(range(len(pairs)), key=lambda place: -sure[place])[:_PAIRS_TRIED]
        return [(*pairs[place], sure[place]) for place in best]

    def _answered(self, context: str, candidates: list[Candidate]) -> list[Candidate]:
        """With what the finder of answers says of the best ones: asked for the tail, does it find it?"""
        asked = {
            (one.triplet.head.text, one.triplet.relation): question(
                RELATIONS[one.triplet.relation], one.triplet.head.text
            )
            for one in candidates[:_ASKED]
            if RELATIONS[one.triplet.relation].question
        }
        verdicts = self._heads["answer"].verdicts(
            [Example(f"{n}", SpanQuestion(context, text)) for n, text in enumerate(asked.values())]
        )
        answers = dict(zip(asked, verdicts, strict=True))
        found = []
        for one in candidates:
            verdict = answers.get((one.triplet.head.text, one.triplet.relation))
            spans = verdict.spans if verdict else ()
            share = max((s.probability * squad_f1(s.text, one.triplet.tail.text) for s in spans), default=0.0)
            found.append(Candidate(one.triplet, (*one.features[:3], share, *one.features[4:])))
        return found

    def chosen(self, candidates: Sequence[Candidate]) -> Explained:
        """The best candidates that go together."""
        scored = sorted(
            ((self._weights.score(one.features), one) for one in candidates), key=lambda pair: -pair[0]
        )
        taken: list[tuple[float, Candidate]] = []
        refused: list[Reason] = []
        for score, one in scored:
            why = next((why for _, other in taken if (why := clash(one.triplet, other.triplet))), "")
            if not why and taken and score < self._settings.threshold:
                why = f"below the threshold {self._settings.threshold}"
            if not why and len(taken) == self._settings.most:
                why = f"there are {self._settings.most} already"
            if why:
                refused.append(Reason(one.text, score, (*one.because, why)))
            else:
                taken.append((score, one))
        if not taken:
            return Explained(None, (), (Reason("", None, ("no two spans that could be joined",)),))
        reasons = tuple(Reason(one.text, score, one.because) for score, one in taken)
        return Explained(Triplets(tuple(one.triplet for _, one in taken)), reasons, tuple(refused[:_REFUSED]))


def _blind(example: Example[Dialogue, Any]) -> Example[Dialogue, Triplets]:
    return Example(example.id, example.inputs)


def _best_relations(probabilities: Sequence[float]) -> list[tuple[int, str]]:
    order = sorted(range(len(probabilities)), key=lambda place: -probabilities[place])
    return [(place, tuple(RELATIONS)[place]) for place in order[:_RELATIONS_TRIED]]


def _sure(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _odds(probability: float) -> float:
    sure = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(sure / (1 - sure))


def _places(head: Proposed, tail: Proposed) -> Features:
    apart = (tail.span.turn or 0) - (head.span.turn or 0)
    words = [math.log(len(one.span.text.split())) for one in (head, tail)]
    return float(head.marked), float(tail.marked), float(apart == 0), float(abs(apart)), float(apart < 0), *words


def triplet_finder(settings: TripletSettings, setup: Setup) -> TripletFinder:
    """The heads that ship with this package, or those in model folders."""
    heads = {
        name: asked(_TASKS[task], head_of(task, name), getattr(settings, name), "", setup)
        for name, task in _HEADS.items()
    }
    return TripletFinder(heads, settings)


def head_of(task: str, name: str) -> Head:
    """The head of that name."""
    return next(head for head in HEADS[task] if head.name == name)


METHOD = Method(
    "triplets",
    "spans that a model marks, relations that hold between them, claims that the dialogue entails",
    TripletSettings,
    triplet_finder,
    {
        "spans": "cider/spans",
        "joined": "cider/joined",
        "relation": "cider-relation/relation",
        "claim": "cider-nli/claim",
        "answer": "cider-span/answer",
    },
)
