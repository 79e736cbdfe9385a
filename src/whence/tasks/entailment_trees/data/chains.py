"""The out-of-domain trials: chains of eQASC and eOBQA as one-step trees, and the questions of Challenge300."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from whence.files import read_jsonl
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.tasks.dataset import Dataset, Notes, Split
from whence.tasks.entailment_trees.data import files as data
from whence.tasks.entailment_trees.data.files import Chain, read_chains

INVALID, VALID = 0, 1
CHAINS = {
    "eqasc-perturbed": Split("eqasc/turk_modified_test.tsv", source="eqasc"),
    "eobqa": Split("eqasc/obqa_chains.tsv.processed.tsv", source="eqasc"),
}
"""Two-fact chains beside the task's own parts: valid ones that people reworded, and retrieved ones with votes."""
QUESTIONS = {
    1: {"challenge300": Split("challenge300/challenge300-probes-v1.jsonl", source="challenge300")},
    2: {"eobqa": CHAINS["eobqa"]},
}
"""The trials as parts of tasks 1 and 2: questions without sentences, and the facts of all chains of a question."""
VOTES: Mapping[str, int] = {
    "yes": VALID,
    # It follows from one of the facts alone: not a chain of two, but the conclusion is entailed.
    "fact1": VALID,
    "fact2": VALID,
    "fact12": VALID,
    "no": INVALID,
    "not-quite": INVALID,
    "bad-answer": INVALID,
}
"""What a vote on a chain says of it. `unsure` says nothing."""


def verdict_of(votes: Sequence[str]) -> int | None:
    """What more than half of the votes say; None if they are divided."""
    counts = Counter(VOTES[vote] for vote in votes if vote in VOTES)
    return next((label for label, count in counts.items() if 2 * count > counts.total()), None)


def read(path: Path) -> Dataset[Claim, Tree]:
    """Any file of the task: rows, angles lines, chains by question, or the questions of Challenge300."""
    if path.suffix == ".tsv":
        return read_questions(path)
    first = next((row for _, row in read_jsonl(path)), {})
    is_challenge = {"question", "category"} <= first.keys() and "hypothesis" not in first
    return read_challenges(path) if is_challenge else data.read(path)


def read_challenges(path: Path) -> Dataset[Claim, Tree]:
    """Questions alone, without hypothesis, sentences or gold: a tree of these is imagined (sec. 7)."""
    asked = list(data.read_challenge(path))
    examples: list[Example[Claim, Tree]] = [
        Example(one.id, Claim("", (), one.inputs), (), one.meta) for one in asked
    ]
    return Dataset(tuple(examples), tuple(range(1, len(examples) + 1)))


def read_questions(path: Path) -> Dataset[Claim, Tree]:
    """One example a question: the facts of all its chains, and as gold every chain that people found valid.

    A question without a valid chain has no answer to find, and is counted but left out.

    This is the paper's trial on chains (sec. 7): can a tree be found among retrieved facts that were not written
    for it?
    """
    questions: dict[str, list[Chain]] = {}
    for chain in read_chains(path):
        questions.setdefault(chain.id.rpartition("-")[0], []).append(chain)
    every = [_example(name, chains) for name, chains in questions.items()]
    examples = [one for one in every if one.golds]
    notes = Notes()
    notes.add("no valid chain", "questions left out, as no chain was found valid", len(every) - len(examples))
    return Dataset(tuple(examples), tuple(range(1, len(examples) + 1)), notes.all())


def _example(name: str, chains: Sequence[Chain]) -> Example[Claim, Tree]:
    facts = dict.fromkeys(one.text for chain in chains for one in chain.claim.context)
    names = {text: f"sent{number}" for number, text in enumerate(facts, 1)}
    context = tuple(Sentence(id_, text) for text, id_ in names.items())
    first = chains[0].claim
    golds = {
        _one_step([names[one.text] for one in chain.claim.context]): None
        for chain in chains
        if verdict_of([vote.answer for vote in chain.votes]) == VALID
    }
    return Example(name, Claim(first.hypothesis, context, first.question, first.answer), tuple(golds))


def _one_step(premises: Sequence[str]) -> Tree:
    return Tree((Step(tuple(dict.fromkeys(premises)), HYPOTHESIS),))
