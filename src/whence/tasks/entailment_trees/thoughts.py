"""Chains of thought as entailment trees: which given sentences and earlier thoughts does each thought rest on?

A thought that says what a given sentence says is that sentence; one that says the hypothesis ends the proof; any
other is a conclusion. It rests on what the text names, on what was said since the last conclusion, and on what
makes it follow best: by the words it takes from its premises and by the bundled judge of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from whence.checks.rule import check
from whence.models.items import Item
from whence.models.learners import Judge
from whence.models.retrieval.words import query_words
from whence.models.trained import bundled
from whence.structures.tree import HYPOTHESIS, Claim, Step, Tree
from whence.tasks.entailment_trees import TASKS
from whence.tasks.entailment_trees.heads import VALID, step_pair
from whence.tasks.entailment_trees.prompted import ask, needed, renumbered
from whence.tasks.entailment_trees.rules import rules
from whence.tasks.explainers import Explained, Method, Reason
from whence.tasks.task import Dataset
from whence.tasks.thinking import Linker, Structure, Thought, failure, linker, thoughts_method

SAME = 0.8
"""Texts that are more alike say the same."""
EQUAL = 0.98
"""So alike must they be where one of them says that it follows from something."""
MARGIN = 0.1
"""A premise more must make a conclusion follow so much better."""
MOST_PREMISES = 3
_POOL = 6
"""Premises that are tried together: the nearest ones."""

INSTRUCTION = """Show that a hypothesis follows from given sentences. Think step by step: state the sentences \
that you use, and after them, in a sentence that begins with “Therefore”, what follows from them. Use only what \
is needed. End with the hypothesis. Write short, plain sentences, one a line, and nothing else."""

Holds = Callable[[Sequence[Sequence[str]], str], Sequence[float]]
"""How surely a conclusion follows from each of several sets of premises."""


@dataclass(slots=True)
class _Proof:
    """What was said so far."""

    claim: Claim
    texts: dict[str, str]
    """What can be a premise, by id."""
    steps: list[Step] = field(default_factory=list)
    stated: list[str] = field(default_factory=list)
    """Given sentences that were said since the last conclusion."""
    listed: dict[str, str] = field(default_factory=dict)
    """Ids by the number under which the text lists them."""
    refused: list[Reason] = field(default_factory=list)
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def unused(self) -> list[str]:
        """What nothing rests on yet: given sentences and conclusions."""
        used = {premise for step in self.steps for premise in step.premises}
        return [name for name in self.texts if name not in used]

    @property
    def open(self) -> list[str]:
        """Conclusions that nothing rests on yet."""
        concluded = {step.conclusion for step in self.steps}
        return [name for name in self.unused if name in concluded]


def tree_of_thoughts(claim: Claim, thoughts: Sequence[Thought], alike: Linker, holds: Holds) -> Explained:
    """The tree that a chain of thought says, with what was left out of it."""
    if not thoughts:
        return failure("the text says nothing")
    proof = _Proof(claim, {sentence.id: sentence.text for sentence in claim.context})
    said = [thought.text for thought in thoughts]
    to_goal = alike.alike(said, [claim.hypothesis])[:, 0]
    to_given = alike.alike(said, [sentence.text for sentence in claim.context])
    # Many texts begin with what is to be shown; it is an end only where it says so, or where the text ends.
    ends = (place for place in range(len(said)) if thoughts[place].concludes or place == len(said) - 1)
    goal = max((place for place in ends if to_goal[place] >= SAME), default=len(said))
    for place, thought in enumerate(thoughts[:goal]):
        nearest = int(to_given[place].argmax()) if claim.context else -1
        enough = EQUAL if thought.concludes else SAME
        if nearest >= 0 and to_given[place, nearest] >= max(enough, to_goal[place]):
            _state(proof, thought, claim.context[nearest].id)
        elif to_goal[place] < enough:
            _conclude(proof, thought, f"int{len(proof.steps) + 1}", alike, holds)
    ending = thoughts[goal] if goal < len(said) else Thought(claim.hypothesis)
    _conclude(proof, Thought(claim.hypothesis, named=ending.named), HYPOTHESIS, alike, holds)
    return _explained(proof)


def _state(proof: _Proof, thought: Thought, name: str) -> None:
    if name not in proof.stated:
        proof.stated.append(name)
    if thought.number is not None:
        proof.listed[f"#{thought.number}"] = name


def _conclude(proof: _Proof, thought: Thought, name: str, alike: Linker, holds: Holds) -> None:
    enough = EQUAL if thought.concludes else SAME
    if name != HYPOTHESIS and (alike.alike([thought.text], [step.text for step in proof.steps]) >= enough).any():
        return  # it was said before
    premises = tuple(dict.fromkeys(_named(proof, thought)))
    score = holds([[proof.texts[one] for one in premises]], thought.text)[0] if premises else 0.0
    if not premises:
        premises, score = _best_premises(proof, thought.text, name, alike, holds)
    if not premises:
        proof.refused.append(Reason(thought.text, because=("nothing at hand supports it",)))
        return
    proof.steps.append(Step(premises, name, "" if name == HYPOTHESIS else thought.text.replace(";", ",")))
    proof.texts[name] = thought.text
    proof.scores[name] = score
    proof.stated = []
    if thought.number is not None:
        proof.listed[f"#{thought.number}"] = name


def _named(proof: _Proof, thought: Thought) -> Iterable[str]:
    for name in thought.named:
        found = proof.listed.get(name, name)
        if found in proof.texts:
            yield found


def _best_premises(
    proof: _Proof, text: str, name: str, alike: Linker, holds: Holds
) -> tuple[tuple[str, ...], float]:
    """What was said since the last conclusion, and what else makes the text follow best."""
    sure = [*(proof.open if name == HYPOTHESIS else ()), *proof.stated]
    pool = [one for one in proof.open if one not in sure]
    if len(sure) + len(pool) < 2:  # the text does not say enough
        pool += [one for one in proof.unused or proof.texts if one not in (*sure, *pool)]
    if pool:
        near = alike.alike([text], [proof.texts[one] for one in pool])[0]
        pool = [pool[place] for place in near.argsort()[::-1][:_POOL]]
    most = max(MOST_PREMISES - len(sure), 1)
    least = max(0, min(2 - len(sure), len(pool)))
    sets = [(*sure, *more) for count in range(least, most + 1) for more in combinations(pool, count)]
    sets = [names for names in sets if names]
    if not sets:
        return (), 0.0
    given = [[proof.texts[one] for one in names] for names in sets]
    follows = holds(given, text)
    worth = [
        value + _covered(text, premises) - MARGIN * len(premises)
        for value, premises in zip(follows, given, strict=True)
    ]
    best = max(range(len(sets)), key=worth.__getitem__)
    return (sets[best], float(follows[best])) if _covered(text, given[best]) else ((), 0.0)


def _covered(text: str, premises: Sequence[str]) -> float:
    """The share of a text's words that its premises have."""
    wanted = set(query_words(text))
    return len(wanted & set(query_words(*premises))) / max(1, len(wanted))


def _explained(proof: _Proof) -> Explained:
    steps = needed(proof.steps)
    left = [step for step in proof.steps if step not in steps]
    refused = [*proof.refused, *(Reason(step.text, because=("nothing rests on it",)) for step in left)]
    tree = renumbered(steps)
    problems = check(proof.claim, tree, rules("paper", Dataset((), ())))
    if problems:
        return Explained(None, (), tuple(refused), problems=problems)
    reasons = [
        Reason(
            step.text or proof.claim.hypothesis,
            proof.scores[before.conclusion],
            tuple(proof.texts[name] for name in before.premises),
        )
        for step, before in zip(tree.steps, steps, strict=True)
    ]
    return Explained(Tree(tree.steps), tuple(reasons), tuple(refused))


@cache
def _judge() -> Judge:
    return bundled("entailmentbank-1/step").judge("entailmentbank-1/step")


def judged(sets: Sequence[Sequence[str]], conclusion: str) -> Sequence[float]:
    """What the bundled judge of steps says."""
    items = [Item(str(place), ((step_pair(premises, conclusion),),)) for place, premises in enumerate(sets)]
    return [verdict.probabilities[VALID] for verdict in _judge().judge(items)]


def by_words(sets: Sequence[Sequence[str]], conclusion: str) -> Sequence[float]:
    """The share of the premises' words that the conclusion or another premise has: links, and nothing beside."""
    found = []
    for premises in sets:
        bags = [set(query_words(text)) for text in premises]
        shares = []
        for place, own in enumerate(bags):
            elsewhere = set(query_words(conclusion)).union(*bags[:place], *bags[place + 1 :])
            shares.append(len(own & elsewhere) / max(1, len(own)))
        found.append(sum(shares) / max(1, len(shares)))
    return found


def structure_of(links: str) -> Structure:
    """What makes it of texts, by the embedded weights or by words alone."""
    alike = linker(links)
    holds = by_words if links == "words" else judged

    def structure(claim: Claim, thoughts: Sequence[Thought]) -> Explained:
        return tree_of_thoughts(claim, thoughts, alike, holds)

    return structure


METHODS: dict[str, tuple[Method, ...]] = {
    task.name: (thoughts_method(INSTRUCTION, ask, structure_of),) for task in TASKS
}
