"""Prints where lists of facts should end (the bounds of the method `facts`), and how good the lists are then.

    python tools/tune_facts.py                  # other bounds, on the questions of everyday-dev
    python tools/tune_facts.py --held-out       # the bounds that ship, on everyday-test, beside trivial answers
    python tools/tune_facts.py --worldtree      # the bound with similar questions; WHENCE_DATA names the data

A bound has three numbers: the least evidence, the share of the best fact's, and the share for a fact that names a
word of the answer which no better one names. Questions that no fact answers are there to be refused.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from whence.models.items import Verdict
from whence.models.learners.sparse import SparseSettings
from whence.models.retrieval.explained import ExplainedTexts
from whence.models.retrieval.index import build_index
from whence.models.retrieval.words import query_words
from whence.structures.facts import Fact, Question
from whence.structures.results import Example
from whence.tasks import task_named
from whence.tasks.dataset import AnyDataset
from whence.tasks.loading import load
from whence.tasks.method import EMBEDDED, Setup
from whence.tasks.ranked_facts.data.stores import role_of
from whence.tasks.ranked_facts.heads.heads import fact_query
from whence.tasks.ranked_facts.methods import ranker as rankers
from whence.tasks.ranked_facts.methods.evidence import Bound, EvidenceJudge
from whence.tasks.sources import data_folder

MOST = 6
UNANSWERABLE = {
    "everyday-dev": (
        ("Who painted the Mona Lisa?", "Leonardo da Vinci"),
        ("Why did the price of bread rise last year?", "The harvest was insured in another currency."),
        ("What is the capital of Australia?", "Canberra"),
        ("How do I reset my password?", "Click on the link in the e-mail."),
        ("Why did Macbeth kill the king?", "He wanted the throne."),
        ("Which chess piece moves only diagonally?", "the bishop"),
        ("Why is a violin sonata in three movements?", "It is a tradition of the classical period."),
        ("How many players are in a basketball team?", "five on the court"),
        ("Why was the treaty signed in 1648?", "to end the Thirty Years' War"),
        ("What does a lawyer do?", "gives advice about the law"),
        ("Why do superconductors have no resistance?", "Their electrons form Cooper pairs."),
        ("What is the derivative of x squared?", "two x"),
    ),
    "everyday-test": (
        ("Who wrote Don Quixote?", "Miguel de Cervantes"),
        ("Why did the bank raise its interest rate?", "to slow inflation"),
        ("Which river flows through Paris?", "the Seine"),
        ("How do I attach a file to a message?", "Drag it into the window."),
        ("Why did Romeo leave Verona?", "The prince banished him."),
        ("What is an offside in football?", "a player too near the goal line when the ball is passed"),
        ("Why is the verb at the end of a German clause?", "The grammar of subordinate clauses demands it."),
        ("How many strings are tuned in a quartet of four cellos?", "sixteen"),
        ("Why did the parliament move to another city?", "A revolt made the capital unsafe."),
        ("What does an accountant do?", "keeps the books of a company"),
        ("Why is the proton made of three quarks?", "The strong interaction confines them."),
        ("What is the square root of eighty-one?", "nine"),
    ),
}

Lists = Sequence[Sequence[str]]


def main() -> None:
    if "--worldtree" in sys.argv:
        dataset = load(task_named("worldtree"), "dev", data_folder)
        halves = {"worldtree dev, odd": dataset.examples[::2], "worldtree dev, even": dataset.examples[1::2]}
        maker = rankers.chosen_ranker(EMBEDDED, "", Setup(data_folder))
        for name, examples in halves.items():
            tune(name, maker, [one for one in examples if one.golds], off_topic("everyday-dev"), grid(0.39, 0.5))
        roles("worldtree dev", dataset)
        return
    held_out = "--held-out" in sys.argv
    split = "everyday-test" if held_out else "everyday-dev"
    dataset = load(task_named("worldtree"), split, lambda: Path("nowhere"))
    maker = rankers.chosen_ranker(EMBEDDED, "", Setup(lambda: Path("nowhere"), dataset.facts))
    for title, one in (("words and meaning", maker), ("words alone", words_alone(dataset))):
        own = one.bound or Bound(0.0, 0.0, 0.0)
        bounds = [own] if held_out else grid(own.least, own.share, own.naming)
        tune(f"{split}, {title}", one, dataset.examples, off_topic(split), bounds)
    if held_out:
        floors(dataset)
    else:
        roles(split, dataset)


def words_alone(dataset: AnyDataset) -> rankers.Ranker:
    """The ranker as it is where the encoder is not."""
    settings = SparseSettings()
    index = build_index({name: fact.text for name, fact in dataset.facts.items()})
    judge = EvidenceJudge(ExplainedTexts(index, (), settings.counted), settings.focus, None)
    return rankers.Ranker(judge, dataset.facts, {}, judge.bound)


def grid(least: float, share: float, naming: float | None = None) -> list[Bound]:
    """Bounds around one: each of its numbers changed."""
    naming = share if naming is None else naming
    others = [Bound(least + step, share, naming) for step in (-0.06, -0.03, 0.03, 0.06)]
    others += [Bound(least, share + step, min(share + step, naming)) for step in (-0.15, -0.1, -0.05, 0.05, 0.1)]
    others += [Bound(least, share, other) for other in (0.45, 0.65, share) if other <= share]
    return [Bound(least, share, naming), *others]


def off_topic(split: str) -> list[Example[Question, Any]]:
    return [Example(f"off-{n}", Question(*one)) for n, one in enumerate(UNANSWERABLE[split], 1)]


def tune(
    title: str,
    maker: rankers.Ranker,
    examples: Sequence[Example[Question, Any]],
    others: Sequence[Example[Question, Any]],
    bounds: Iterable[Bound],
) -> None:
    verdicts = maker.judge.judge([fact_query(one) for one in examples])
    strange = maker.judge.judge([fact_query(one) for one in others])
    write(f"{title}: {len(examples)} questions, {len(others)} that no fact answers")
    for bound in bounds:
        lists = [listed(maker, bound, one, verdict) for one, verdict in zip(examples, verdicts, strict=True)]
        wrong = sum(bool(listed(maker, bound, one, verdict)) for one, verdict in zip(others, strange, strict=True))
        refused = f"{len(others) - wrong} of {len(others)} refused"
        write(f"  {bound.least:.2f} {bound.share:.2f} {bound.naming:.2f}   {figures(examples, lists)}   {refused}")
    for count in (3, MOST):
        write(f"  always {count}          {figures(examples, [one.ranking[:count] for one in verdicts])}")


def listed(maker: rankers.Ranker, bound: Bound, example: Example[Question, Any], verdict: Verdict) -> list[str]:
    scored = ((maker.facts[name], score) for name, score in zip(verdict.ranking, verdict.scores, strict=True))
    return [fact.id for fact, _ in islice(bound.listed(scored, example.inputs.answer), MOST)]


def roles(title: str, dataset: AnyDataset) -> None:
    """Print how often gold facts have the role that their table or wording tells."""
    known = {name.lower(): fact for name, fact in dataset.facts.items()}
    counts: dict[str, Counter[str]] = {}
    for use in (use for one in dataset.examples for gold in one.golds for use in gold.facts if use.gold):
        if use.id.lower() in known:
            counts.setdefault(role_of(known[use.id.lower()]) or "none", Counter())[use.role] += 1
    for role, own in sorted(counts.items()):
        write(f"{title}, {role} by table or wording: {dict(own.most_common(3))} of {own.total()}")


def floors(dataset: AnyDataset) -> None:
    """Answers that need no thought: the facts that dev questions use most, and those that share most words."""
    known = load(task_named("worldtree"), "everyday-dev", lambda: Path("nowhere"))
    used = Counter(use.id for one in known.examples for use in one.golds[0].facts)
    most_used = [name for name, _ in used.most_common(MOST)]
    write(f"  most used facts   {figures(dataset.examples, [most_used] * len(dataset.examples))}")
    lists = [most_shared(one.inputs, dataset.facts.values()) for one in dataset.examples]
    write(f"  most shared words {figures(dataset.examples, lists)}")


def most_shared(asked: Question, facts: Iterable[Fact]) -> list[str]:
    words = query_words(asked.question, asked.answer).keys()
    return [fact.id for fact in sorted(facts, key=lambda fact: -len(words & query_words(fact.text).keys()))[:MOST]]


def figures(examples: Sequence[Example[Question, Any]], lists: Lists) -> str:
    """Mean F1, precision and recall of facts, the share of questions with all gold facts listed, the length."""
    rows = []
    for example, names in zip(examples, lists, strict=True):
        gold = {use.id.lower() for use in example.golds[0].facts if use.gold}
        taken = {name.lower() for name in names}
        right = len(gold & taken)
        precision = right / len(taken) if taken else 0.0
        rows.append(
            (2 * right / (len(gold) + len(taken)), precision, right / len(gold), gold <= taken, len(taken))
        )
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return "F1 {:.3f}  precision {:.3f}  recall {:.3f}  complete {:.3f}  facts {:.1f}".format(*means)


def write(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
