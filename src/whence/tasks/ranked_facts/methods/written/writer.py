"""Explanations written as texts: facts one after another, and back to the facts of a table store.

The cue and the target are those of the expert-ratings paper (A.4.1): `explanation: Q [ANSWER] A [CORE]` and
`fact [AND] fact`, with five orderings of the facts; [CORE] asks for the facts that are rated important, [EXT] for
those that are extra detail.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from whence.errors import UsageError, quoted
from whence.metrics.ranking import IMPORTANT, RELEVANT
from whence.metrics.rouge import Aligner
from whence.models.items import TextItem, Written
from whence.models.learners.writer import WriterJudge
from whence.models.trained import load_model
from whence.progress import Report, unreported
from whence.structures.facts import Fact, FactSet, FactUse, Question
from whence.structures.results import Example
from whence.tasks.method import Explained, Method, Reason, Setup
from whence.tasks.ranked_facts.data.stores import fact_store, role_of, with_role

CORE, EXTRA = "CORE", "EXT"
AND = "[AND]"
ORDERINGS = 5
WRITTEN_FORMS = ("orderings", "single")
"""All facts at once in five orderings, or one fact at a time, as the paper pretrains."""
THRESHOLD = 0.70
"""Of ROUGE-1, below which a written fact has no counterpart (A.4.1)."""
_REFUSED = 5


def cue(question: Question, part: str) -> str:
    """What a writer reads."""
    return f"explanation: {question.question} [ANSWER] {question.answer} [{part}]"


def parts_of(uses: Sequence[FactUse]) -> dict[str, list[str]]:
    """The facts of an explanation by what they are asked for.

    Where facts are rated, [CORE] has those rated important or higher and [EXT] those of extra detail. Where none
    is, [CORE] has the central facts of the gold explanation, and [EXT] the rest of it.
    """
    if any(use.rating is not None for use in uses):
        return {
            CORE: [use.id for use in uses if (use.rating or 0) >= IMPORTANT],
            EXTRA: [use.id for use in uses if RELEVANT <= (use.rating or 0) < IMPORTANT],
        }
    gold = [use for use in uses if use.gold]
    return {
        CORE: [use.id for use in gold if use.role == "CENTRAL"],
        EXTRA: [use.id for use in gold if use.role != "CENTRAL"],
    }


def explanation_items(
    examples: Sequence[Example[Question, Any]], facts: Mapping[str, Fact], form: str, seed: int
) -> Iterator[TextItem]:
    """The texts that explain each question; those of one question are a group."""
    if form not in WRITTEN_FORMS:
        raise UsageError(f"facts are not written in the form {quoted(form)}; there are {', '.join(WRITTEN_FORMS)}")
    known = {name.lower(): fact.text for name, fact in facts.items()}
    for example in examples:
        uses = next((gold.facts for gold in example.golds if isinstance(gold, FactSet)), ())
        for part, ids in parts_of(uses).items():
            texts = list(dict.fromkeys(known[name.lower()] for name in ids if name.lower() in known))
            drawn = random.Random(f"{seed}:{example.id}:{part}")
            for number, text in enumerate(_targets(texts, form, drawn), 1):
                yield TextItem(f"{example.id}/{part}/{number}", cue(example.inputs, part), text, example.id)


def _targets(texts: list[str], form: str, drawn: random.Random) -> list[str]:
    if form == "single" or not texts:
        return texts
    orders = [drawn.sample(texts, len(texts)) for _ in range(ORDERINGS)]
    return list(dict.fromkeys(f" {AND} ".join(order) for order in orders))


def written_facts(texts: Sequence[Written]) -> dict[str, int]:
    """The facts of all texts in order of first mention, each with how many texts have it."""
    found: dict[str, int] = {}
    for written in texts:
        for fact in dict.fromkeys(" ".join(piece.split()) for piece in written.text.split(AND)):
            if fact:
                found[fact] = found.get(fact, 0) + 1
    return found


@dataclass(frozen=True, slots=True)
class WrittenSettings:
    """What a user may set."""

    model: str = ""
    """A model folder that learnt `written`."""
    parts: Literal["CORE", "CORE+EXT"] = "CORE+EXT"
    """Important facts alone, or with those of extra detail."""
    beams: int = 10
    """How many texts are written for each part; their facts are put together."""
    threshold: float = THRESHOLD
    store: str = ""
    """The folder of a table store; else that of the examples, the data folder's, or the bundled one."""


class WrittenExplanations:
    """Facts that a model writes, aligned to those of a store."""

    def __init__(self, judge: WriterJudge, settings: WrittenSettings, facts: Mapping[str, Fact]) -> None:
        self._judge, self._settings = judge.with_beams(settings.beams), settings
        self._facts = list(facts.values())
        self._aligner = Aligner(tuple(fact.text for fact in self._facts))
        self.name = f"{settings.parts}, {settings.beams} beams of {judge.name}, ROUGE-1 from {settings.threshold}"

    def explain(self, examples: Sequence[Example[Question, Any]], report: Report = unreported) -> list[Explained]:
        """All facts of all texts that have a counterpart, each once."""
        parts = self._settings.parts.split("+")
        items = [
            TextItem(f"{example.id}/{part}", cue(example.inputs, part)) for example in examples for part in parts
        ]
        verdicts = iter(self._judge.judge(items, report))
        return [self._explained([text for _ in parts for text in next(verdicts).texts]) for _ in examples]

    def _explained(self, texts: Sequence[Written]) -> Explained:
        counts = written_facts(texts)
        taken: dict[str, Reason] = {}
        uses, refused = [], []
        for line, aligned in zip(counts, self._aligner.align(list(counts)), strict=True):
            told = f"written as “{line}” in {counts[line]} of {len(texts)} texts"
            if aligned is None or aligned.score < self._settings.threshold:
                like = f"most like “{self._facts[aligned.place].text}”" if aligned else "like no fact"
                refused.append(Reason(line, aligned.score if aligned else 0.0, (told, like)))
                continue
            fact = self._facts[aligned.place]
            if fact.id not in taken:
                uses.append(FactUse(fact.id, role_of(fact)))
                taken[fact.id] = Reason(with_role(fact), aligned.score, (told,))
        if not uses:
            return Explained(None, (), tuple(refused[:_REFUSED]))
        chosen = {fact.id: fact for fact in self._facts if fact.id in taken}
        return Explained(FactSet(tuple(uses)), tuple(taken.values()), tuple(refused[:_REFUSED]), chosen)


def written_explanations(settings: WrittenSettings, setup: Setup) -> WrittenExplanations:
    """The writer of a model folder."""
    if not settings.model:
        raise UsageError(
            "say which model writes: --set model=FOLDER, as `whence train worldtree small.written` makes"
        )
    model = load_model(Path(settings.model))
    judge: Any = model.judge(model.lesson("worldtree", "written"))
    return WrittenExplanations(judge, settings, fact_store(settings.store, setup)[1])


METHOD = Method("written", "facts that a model writes, aligned to a store", WrittenSettings, written_explanations)
