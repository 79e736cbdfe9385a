"""Chains of thought as entailment trees: which given sentences and earlier thoughts does each thought rest on?

A thought that says what a given sentence says is that sentence; one that says the hypothesis ends the proof; any
other is a conclusion. It rests on what the text names, on what was said since the last conclusion, and on what
shares most words with it. The bundled judge of steps says how surely each step holds. It does not choose premises:
where it did, fewer of them were right.
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
from whence.structures.tree import HYPOTHESIS, Claim, Step
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.data.chains import VALID
from whence.tasks.entailment_trees.heads.heads import step_pair
from whence.tasks.entailment_trees.methods.llm.prompt import ask, needed, renumbered
from whence.tasks.entailment_trees.rules import rules
from whence.tasks.method import Explained, Reason
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

Sure = Callable[[Sequence[str], str], float]
"""How surely a conclusion follows from premises."""


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


def tree_of_thoughts(claim: Claim, thoughts: Sequence[Thought], alike: Linker, sure: Sure) -> Explained:
    """The tree that a chain of thought says, with how surely each step holds and what was left out of it."""
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
            _conclude(proof, thought, f"int{len(proof.steps) + 1}", alike)
    ending = thoughts[goal] if goal < len(said) else Thought(claim.hypothesis)
    _conclude(proof, Thought(claim.hypothesis, named=ending.named), HYPOTHESIS, alike)
    return _explained(proof, sure)


def _state(proof: _Proof, thought: Thought, name: str) -> None:
    if name not in proof.stated:
        proof.stated.append(name)
    if thought.number is not None:
        proof.listed[f"#{thought.number}"] = name


def _conclude(proof: _Proof, thought: Thought, name: str, alike: Linker) -> None:
    enough = EQUAL if thought.concludes else SAME
    if name != HYPOTHESIS and (alike.alike([thought.text], [step.text for step in proof.steps]) >= enough).any():
        return  # it was said before
    premises = tuple(dict.fromkeys(_named(proof, thought))) or _best_premises(proof, thought.text, name, alike)
    if not premises:
        proof.refused.append(Reason(thought.text, because=("nothing at hand supports it",)))
        return
    proof.steps.append(Step(premises, name, "" if name == HYPOTHESIS else thought.text.replace(";", ",")))
    proof.texts[name] = thought.text
    proof.stated = []
    if thought.number is not None:
        proof.listed[f"#{thought.number}"] = name


def _named(proof: _Proof, thought: Thought) -> Iterable[str]:
    for name in thought.named:
        found = proof.listed.get(name, name)
        if found in proof.texts:
            yield found


def _best_premises(proof: _Proof, text: str, name: str, alike: Linker) -> tuple[str, ...]:
    """What was said since the last conclusion, and what else makes the text follow best; none if nothing does."""
    said = [*(proof.open if name == HYPOTHESIS else ()), *proof.stated]
    pool = [one for one in proof.open if one not in said]
    if len(said) + len(pool) < 2:  # the text does not say enough
        pool += [one for one in proof.unused or proof.texts if one not in (*said, *pool)]
    if pool:
        near = alike.alike([text], [proof.texts[one] for one in pool])[0]
        pool = [pool[place] for place in near.argsort()[::-1][:_POOL]]
    most = max(MOST_PREMISES - len(said), 1)
    least = max(0, min(2 - len(said), len(pool)))
    sets = [(*said, *more) for count in range(least, most + 1) for more in combinations(pool, count)]

    def worth(names: Sequence[str]) -> float:
        premises = [proof.texts[one] for one in names]
        return linked(premises, text) + _covered(text, premises) - MARGIN * len(premises)

    best = max((names for names in sets if names), key=worth, default=())
    return best if _covered(text, [proof.texts[one] for one in best]) else ()


def _covered(text: str, premises: Sequence[str]) -> float:
    """The share of a text's words that its premises have."""
    wanted = set(query_words(text))
    return len(wanted & set(query_words(*premises))) / max(1, len(wanted))


def _explained(proof: _Proof, sure: Sure) -> Explained:
    steps = needed(proof.steps)
    left = [step for step in proof.steps if step not in steps]
    refused = [*proof.refused, *(Reason(step.text, because=("nothing rests on it",)) for step in left)]
    tree = renumbered(steps)
    problems = check(proof.claim, tree, rules("paper", Dataset((), ())))
    if problems:
        return Explained(None, (), tuple(refused), problems=problems)
    reasons = []
    for step in steps:
        premises, conclusion = tuple(proof.texts[name] for name in step.premises), proof.texts[step.conclusion]
        reasons.append(Reason(conclusion, sure(premises, conclusion), premises))
    return Explained(tree, tuple(reasons), tuple(refused))


@cache
def _judge() -> Judge:
    return bundled("entailmentbank-1/step").judge("entailmentbank-1/step")


def judged(premises: Sequence[str], conclusion: str) -> float:
    """What the bundled judge of steps says."""
    (verdict,) = _judge().judge([Item("step", ((step_pair(premises, conclusion),),))])
    return verdict.probabilities[VALID]


def linked(premises: Sequence[str], conclusion: str) -> float:
    """The share of the premises' words that the conclusion or another premise has: links, and nothing beside."""
    bags = [set(query_words(text)) for text in premises]
    shares = []
    for place, own in enumerate(bags):
        elsewhere = set(query_words(conclusion)).union(*bags[:place], *bags[place + 1 :])
        shares.append(len(own & elsewhere) / max(1, len(own)))
    return sum(shares) / max(1, len(shares))


def structure_of(links: str) -> Structure:
    """What makes it of texts, by the embedded weights or by words alone."""
    alike = linker(links)
    sure = linked if links == "words" else judged

    def structure(claim: Claim, thoughts: Sequence[Thought]) -> Explained:
        return tree_of_thoughts(claim, thoughts, alike, sure)

    return structure


METHOD = thoughts_method(INSTRUCTION, ask, structure_of)
