"""CIDER's confounding options: candidates for a question, and the easiest replaced (sec. 5.4.1, Appendix A)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from whence.formats.dialogues import context_of
from whence.models.items import Pair, SpanItem
from whence.models.learners import Judge
from whence.structures.dialogue import ChoiceQuestion, Dialogue, Triplet, Triplets
from whence.structures.results import Example, Label
from whence.tasks.dataset import Notes
from whence.tasks.dialogue_triplets.data.files import triplet_id
from whence.tasks.dialogue_triplets.data.relations import RELATIONS, question
from whence.tasks.dialogue_triplets.heads.heads import OPTION_FORMS
from whence.tasks.dialogue_triplets.phrases import holds, phrases
from whence.tasks.dialogue_triplets.task import CIDER
from whence.tasks.hardening import Chosen, Filtering, Form, Pool, Pools, Wanted, Weighed
from whence.tasks.loading import load
from whence.tasks.wording import plain

WRONG = 3
_SPANS_A_TURN = 2
"""Of the model of spans: the paper has one or two candidates an utterance."""

Annotated = Example[Dialogue, Triplets]
Candidate = tuple[str, str]
"""A text and where it comes from."""


def replace_easiest(pool: Pool, chosen: Chosen, weighed: Weighed, chance: random.Random) -> Chosen:
    """Another candidate that the model likes better, in the place of the wrong option that it likes least.

    Appendix A, step 4, says "with another option"; that it is a harder one is the rule of SWAG, which it follows.
    """
    easiest = min(chosen.wrong, key=weighed.wrong.__getitem__)
    harder = [
        place
        for place, liked in enumerate(weighed.wrong)
        if place not in chosen.wrong and liked > weighed.wrong[easiest]
    ]
    if not harder:
        return chosen
    other = chance.choice(harder)
    return Chosen(chosen.right, tuple(other if place == easiest else place for place in chosen.wrong))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A triplet whose tail is asked for."""

    id: str
    example: Annotated
    triplet: Triplet
    question: str


def pools(wanted: Wanted) -> Pools:
    """A pool for every triplet whose relation has a question, from dialogues with triplets."""
    dataset = load(CIDER, wanted.where, wanted.folder)
    asked, notes = [], Notes()
    for example in dataset.examples:
        for number, triplet in enumerate(example.golds[0].triplets if example.golds else (), 1):
            relation = RELATIONS.get(triplet.relation)
            if relation is None or not relation.question:
                notes.add("no question", "triplets whose relation has no question, left out")
                continue
            name = triplet_id(example.id, number)
            asked.append(_Asked(name, example, triplet, question(relation, triplet.head.text)))
    found = _found_spans(asked, wanted.spans)
    known = _tails_by_relation(asked)
    whole = []
    for one in asked:
        candidates = _wrong(one, found.get(one.id, ()), _similar(one, known, wanted), notes)
        if len(candidates) < WRONG:
            notes.add("few candidates", f"questions with fewer than {WRONG} wrong candidates, left out")
            continue
        notes.add("no choice", "questions whose options stay as they are", len(candidates) == WRONG)
        whole.append(_pool(one, candidates))
    return Pools(tuple(whole), (*dataset.notes, *notes.all()))


def _pool(asked: _Asked, candidates: Sequence[Candidate]) -> Pool:
    return Pool(
        asked.id,
        (choice_context(asked.example), asked.triplet.relation, asked.question),
        (asked.triplet.tail.text,),
        tuple(text for text, _ in candidates),
        group=asked.example.id,
        origins=tuple(origin for _, origin in candidates),
    )


def choice_context(example: Annotated) -> str:
    """The utterances, and behind them the latent spans that are not in them, as in the released files."""
    text = context_of(example.inputs)
    triplets = example.golds[0].triplets
    latent = [span.text for triplet in triplets for span in (triplet.head, triplet.tail) if span.is_latent]
    return " ".join([text, *dict.fromkeys(span for span in latent if span not in text)])


def _wrong(asked: _Asked, found: Iterable[str], similar: Iterable[str], notes: Notes) -> list[Candidate]:
    """Different candidates that are no answer: nor the head, nor what contains an answer or is contained in one.

    Filtering would seek out just those: a model cannot tell `ran late` from `class ran late again`, nor should it.
    """
    triplets = asked.example.golds[0].triplets
    right = [plain(text) for text in _answers(asked.triplet, triplets)]
    kept: dict[str, Candidate] = {plain(asked.triplet.head.text): ("", "")}
    for text, origin in _candidates(asked.example, found, similar):
        key = plain(text)
        if not key or key in kept:
            continue
        if any(holds(answer, key) or holds(key, answer) for answer in right):
            notes.add("answers", "candidates that are an answer, hold one or are held in one, left out")
            continue
        kept[key] = (text, origin)
    return [candidate for candidate in kept.values() if candidate[0]]


def _candidates(example: Annotated, found: Iterable[str], similar: Iterable[str]) -> Iterator[Candidate]:
    for triplet in example.golds[0].triplets:
        yield triplet.head.text, "triplet"
        yield triplet.tail.text, "triplet"
    yield from ((text, "model") for text in found)
    for turn in example.inputs.utterances:
        yield from ((text, "phrase") for text in phrases(turn.text))
    yield from ((text, "elsewhere") for text in similar)


def _answers(asked: Triplet, triplets: Iterable[Triplet]) -> Iterator[str]:
    """The tails of all triplets with the same head and relation; of symmetric ones read either way."""
    head, symmetric = plain(asked.head.text), RELATIONS[asked.relation].symmetric
    for triplet in triplets:
        if triplet.relation == asked.relation:
            if plain(triplet.head.text) == head:
                yield triplet.tail.text
            if symmetric and plain(triplet.tail.text) == head:
                yield triplet.head.text


def _found_spans(asked: Sequence[_Asked], judge: Judge | None) -> dict[str, list[str]]:
    """What a model of spans finds in each utterance for each question."""
    found: dict[str, list[str]] = {}
    if judge is None:
        return found
    items = [
        SpanItem(f"{one.id}#{number}", one.question, turn.text)
        for one in asked
        for number, turn in enumerate(one.example.inputs.utterances)
    ]
    for item, verdict in zip(items, judge.judge(items), strict=True):
        texts = [span.text.strip() for span in verdict.spans[:_SPANS_A_TURN]]
        found.setdefault(item.id.rpartition("#")[0], []).extend(texts)
    return found


Tails = Mapping[str, Mapping[str, str]]
"""By relation: tails and the dialogues they are from."""


def _tails_by_relation(asked: Iterable[_Asked]) -> Tails:
    found: dict[str, dict[str, str]] = {}
    for one in asked:
        found.setdefault(one.triplet.relation, {}).setdefault(one.triplet.tail.text, one.example.id)
    return found


def _similar(asked: _Asked, known: Tails, wanted: Wanted) -> list[str]:
    """Tails of the same relation elsewhere that share most words with the answer; then the nearest in length."""
    if not wanted.elsewhere:
        return []
    words = set(plain(asked.triplet.tail.text).split())
    chance = random.Random(f"{wanted.seed}:elsewhere:{asked.id}")

    def distance(text: str) -> tuple[float, int, float]:
        others = set(plain(text).split())
        shared = len(words & others) / max(len(words | others), 1)
        return -shared, abs(len(words) - len(others)), chance.random()

    texts = [text for text, dialogue in known[asked.triplet.relation].items() if dialogue != asked.example.id]
    return sorted(texts, key=distance)[: wanted.elsewhere]


def _without_head(pool: Pool, text: str) -> tuple[Pair, ...]:
    """What the paper's discriminator reads: without the head it sees style alone, not inference (Appendix A)."""
    context, relation, _ = pool.context
    return ((f"{relation}. {context}", text),)


def _form(read: Callable[[ChoiceQuestion, str], Pair]) -> Form:
    return lambda pool, text: (read(ChoiceQuestion(pool.context[0], pool.context[2], ()), text),)


def example(pool: Pool, chosen: Chosen, chance: random.Random) -> Example[ChoiceQuestion, Label]:
    """The question with its options."""
    texts = [pool.right[chosen.right], *(pool.wrong[place] for place in chosen.wrong)]
    order = list(range(len(texts)))
    chance.shuffle(order)
    context, _, asked = pool.context
    inputs = ChoiceQuestion(context, asked, tuple(texts[place] for place in order))
    return Example(pool.id, inputs, (Label(str(order.index(0))),))


def _always(_iteration: int, _iterations: int) -> float:
    return 1.0


FILTERING = Filtering(
    task="cider-choice",
    paper="Ghosal et al. 2021, Appendix A",
    wrong=WRONG,
    pools=pools,
    forms={"style": _without_head, **{name: _form(read) for name, read in OPTION_FORMS.items()}},
    asked="window",
    example=example,
    replace=replace_easiest,
    temperature=_always,
    iterations=35,  # Appendix C.3: "around 35 iterations"
    learnt=2 / 3,  # Appendix C.3; Appendix A says 1:2
    patience=10,
    suffix=".csv",
    span_task="cider-span",
)
