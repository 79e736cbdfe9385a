"""What models can learn to judge about facts: whether one belongs to an explanation, and how relevant it is."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from whence.errors import MissingDataError, UsageError, quoted
from whence.models.items import Item, Pair, RankItem, TextItem
from whence.structures.facts import Fact, FactSet, FactUse, Question, Ranking
from whence.structures.results import Example
from whence.tasks.dataset import AnyDataset, Note, Notes, Split
from whence.tasks.head import Head, Source
from whence.tasks.likeness import WordIndex, index_words, nearest
from whence.tasks.ranked_facts.data.files import read_fact_base
from whence.tasks.ranked_facts.methods.written.writer import WRITTEN_FORMS, explanation_items
from whence.tasks.task import AnyTask

IRRELEVANT, RELEVANT = 0, 1
RATED = {f"ratings-{part}": Split(f"worldtree/wt-expert-ratings.{part}.json") for part in ("train", "dev")}
"""The expert ratings, named here because questions and explanations have the names `train` and `dev`."""
HARD_POOL = 100
"""Hard wrong facts are drawn from so many of those that share most words with question and answer.

Not the nearest alone: the best of what is not gold are often relevant facts that nobody annotated (A.4.4)."""


@dataclass(frozen=True, slots=True)
class Negatives:
    """How many facts outside the explanation a question is learnt with: any, and ones that share its words."""

    random: int
    hard: int


FORMS: dict[str, Negatives] = {
    "mixed": Negatives(random=5, hard=5),
    "paper": Negatives(random=200, hard=0),  # sec. 4: 200 randomly sampled facts
}


def fact_pair(question: Question, fact: Fact) -> Pair:
    """Question (without options) and right answer, read with the fact."""
    return f"{question.question} {question.answer}".strip(), fact.text


def fact_items(name: str, question: Question, facts: Iterable[Fact]) -> list[Item]:
    """One item for each fact that may explain the answer; what it is worth is to be judged."""
    return [Item(f"{name}/{fact.id}", ((fact_pair(question, fact),),), None, name) for fact in facts]


def relevance_items(source: Source) -> Sequence[Item]:
    """The facts of each gold explanation, and facts outside it: as many as the form says, drawn with the seed.

    Synonymy rows are among both. They are left out of shortlists only (A.2): 17% of gold facts are such, and a
    model that saw them as gold alone would take every one for relevant.
    """
    form = source.form or next(iter(FORMS))
    if form not in FORMS:
        raise UsageError(f"facts are not drawn in the form {quoted(form)}; there are {', '.join(FORMS)}")
    dataset = _with_facts(source)
    known = _by_id(dataset.facts)
    base = _base(dataset.facts.values())
    found: list[Item] = []
    for example in dataset.examples:
        gold = [known[name] for name in _gold(example) if name in known]
        if gold:
            drawn = random.Random(f"{source.seed}:{example.id}")
            others = _others(example, gold, base, FORMS[form], drawn)
            found += _labelled(example, gold, RELEVANT)
            found += _labelled(example, others, IRRELEVANT)
    return found


def rating_items(source: Source) -> Sequence[Item]:
    """The facts that experts rated, each with its rating: the mean of the raters, rounded up (sec. 4)."""
    dataset = _with_facts(source)
    known = _by_id(dataset.facts)
    found = []
    for example in dataset.examples:
        rated = {use.id.lower(): use.rating for use in _uses(example) if use.rating is not None}
        items = fact_items(example.id, example.inputs, (known[name] for name in rated if name in known))
        ratings = [rating for name, rating in rated.items() if name in known]
        found += [replace(item, gold=rating) for item, rating in zip(items, ratings, strict=True)]
    if not found:
        raise UsageError(f"{quoted(source.where)} has no rated facts; the expert ratings are {', '.join(RATED)}")
    return found


def ranking_items(source: Source) -> Sequence[RankItem]:
    """Question, without its options, and right answer as a query, and the facts of the gold explanation."""
    dataset = _with_facts(source)
    known = _by_id(dataset.facts)
    found = []
    for example in dataset.examples:
        gold = tuple(known[name].id for name in _gold(example) if name in known)
        found.append(replace(fact_query(example), gold=gold or None))
    return found


def text_items(source: Source) -> Sequence[TextItem]:
    """The explanations as texts to be written, as the form says."""
    dataset = _with_facts(source)
    form = source.form or WRITTEN_FORMS[0]
    return list(explanation_items(dataset.examples, dataset.facts, form, source.seed))


def fact_query(example: Example[Question, FactSet | Ranking]) -> RankItem:
    """What facts are sought for: the question without its options, and above all the right answer."""
    return RankItem(example.id, example.inputs.question, None, example.id, example.inputs.answer)


def all_facts(source: Source) -> dict[str, str]:
    """The sentences of all facts, by id."""
    return {name: fact.text for name, fact in _with_facts(source).facts.items()}


def left_out(source: Source) -> tuple[Note, ...]:
    """What in the data no item is made of, counted."""
    dataset = _with_facts(source)
    known = _by_id(dataset.facts)
    notes = Notes()
    for example in dataset.examples:
        uses = _uses(example)
        notes.add("no explanation", "questions without explanation", not any(use.gold for use in uses))
        unknown = sum(use.id.lower() not in known for use in uses)
        notes.add("unknown fact", "facts that the table store does not have", unknown)
    return notes.all()


@dataclass(frozen=True, slots=True)
class _Base:
    facts: tuple[Fact, ...]
    index: WordIndex
    places: Mapping[str, tuple[int, ...]]
    """Where a fact stands, by its id in lower case and by its sentence."""


def _base(facts: Iterable[Fact]) -> _Base:
    found = tuple(facts)
    places: dict[str, tuple[int, ...]] = {}
    for place, fact in enumerate(found):
        for key in (fact.id.lower(), fact.text):
            places[key] = (*places.get(key, ()), place)
    return _Base(found, index_words([fact.text for fact in found]), places)


def _with_ratings(task: AnyTask) -> AnyTask:
    return replace(task, data=replace(task.data, splits={**task.data.splits, **RATED}))


def _with_facts(source: Source) -> AnyDataset:
    """The examples with a table store: the one they lie in or, of files elsewhere, that of the data folder."""
    dataset = replace(source, task=_with_ratings(source.task)).dataset()
    if dataset.facts:
        return dataset
    folder = source.folder() / "worldtree"
    if not (folder / "tableindex.txt").exists():
        raise MissingDataError(
            f"the facts of {source.where} are not here: it lies in no table store, and {folder} is none. "
            f"Get it with: whence data get {source.task.source}"
        )
    return replace(dataset, facts=read_fact_base(folder).facts)


def _others(
    example: Example[Question, FactSet], gold: Sequence[Fact], base: _Base, counts: Negatives, drawn: random.Random
) -> list[Fact]:
    """Facts outside the explanation: none of its sentences under another id, none that a rater found relevant."""
    relevant = [use.id.lower() for use in _uses(example) if use.gold or use.rating]
    inside = {place for key in (*relevant, *(fact.text for fact in gold)) for place in base.places.get(key, ())}
    asked = fact_pair(example.inputs, gold[0])[0]
    near = nearest(base.index, asked, HARD_POOL + len(inside)) if counts.hard else []
    near = [place for place in near if place not in inside][:HARD_POOL]
    hard = drawn.sample(near, min(counts.hard, len(near)))
    taken = inside.union(hard)
    drawn_places = drawn.sample(range(len(base.facts)), min(counts.random + len(taken), len(base.facts)))
    rest = [place for place in drawn_places if place not in taken][: counts.random]
    return [base.facts[place] for place in (*rest, *hard)]


def _labelled(example: Example[Question, FactSet], facts: Iterable[Fact], label: int) -> list[Item]:
    return [replace(item, gold=label) for item in fact_items(example.id, example.inputs, facts)]


def _uses(example: Example[Question, FactSet]) -> tuple[FactUse, ...]:
    return next((gold.facts for gold in example.golds if isinstance(gold, FactSet)), ())


def _gold(example: Example[Question, FactSet]) -> list[str]:
    return list(dict.fromkeys(use.id.lower() for use in _uses(example) if use.gold))


def _by_id(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts by id in lower case: the shared task's files and its evaluator differ in case."""
    return {name.lower(): fact for name, fact in facts.items()}


HEADS: tuple[Head, ...] = (
    Head(
        name="facts",
        title="which facts explain the answer, the most relevant first",
        shape="ranking",
        items=ranking_items,
        train="train",
        test="dev",
        measure="MAP",
        answer=lambda _, verdict: Ranking(verdict.ranking),
        figures=("MAP",),
        documents=all_facts,
        examples=_with_facts,
        left_out=left_out,
    ),
    Head(
        name="relevance",
        title="does the fact belong to the explanation of the answer",
        shape="label",
        items=relevance_items,
        train="train",
        test="dev",
        labels=("irrelevant", "relevant"),
        measure="macro_f1",
        forms=tuple(FORMS),
        examples=_with_facts,
        left_out=left_out,
    ),
    Head(
        name="rating",
        title="how relevant is the fact to the answer, from 0 (irrelevant) to 3 (core), as experts rate it",
        shape="label",
        items=rating_items,
        train="ratings-train",
        test="ratings-dev",
        labels=("0", "1", "2", "3"),
        measure="macro_f1",
        examples=_with_facts,
        left_out=left_out,
    ),
    Head(
        name="written",
        title="write the facts that explain the answer, one after another",
        shape="text",
        items=text_items,
        train="train",
        test="dev",
        measure="likelihood",
        forms=WRITTEN_FORMS,
        examples=_with_facts,
        left_out=left_out,
    ),
)
