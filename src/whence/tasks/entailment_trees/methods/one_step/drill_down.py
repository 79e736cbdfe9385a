"""Why a sentence? One step from known sentences to it; and of each of those again, as far as a reader wants to
know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

from whence.formats.proofs import parse_proof
from whence.models.items import TextItem
from whence.models.learners import Judge
from whence.progress import Report, unreported
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.tasks.entailment_trees.heads.grouping import sentence_items
from whence.tasks.entailment_trees.heads.heads import step_pair, validities
from whence.tasks.entailment_trees.heads.one_step import step_prompt
from whence.tasks.entailment_trees.methods.written.writer import Writer, ended
from whence.tasks.entailment_trees.proof_automaton import ProofForm
from whence.tasks.likeness import index_words, nearest
from whence.tasks.method import EMBEDDED, Explained, Reason

AT_HAND = 25
"""Of more sentences than these, only those that share most words are looked at: so many are given in tasks 2 and
3."""
_TRIED = 6
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class OneStepSettings:
    """What a user may set."""

    step: str = EMBEDDED
    """A model folder of the head `step`: whether premises entail a conclusion."""
    needed: str = EMBEDDED
    """A model folder of the head `needed`: which sentences may be premises."""
    premises: int = 2
    """The most premises that the step has."""
    writer: str = ""
    """A model folder of the head `one-step`: it then names the premises, in the place of what fits best."""


class OneStep:
    """The premises that entail a sentence best, without anything in between."""

    def __init__(
        self, step: Judge, needed: Judge, settings: OneStepSettings, writer: Writer | None = None
    ) -> None:
        self._step, self._needed, self._most, self._writer = step, needed, settings.premises, writer
        by = f", written by {writer.name}" if writer else ""
        self.name = f"one step (step {step.name}, needed {needed.name}, premises {settings.premises}{by})"

    def explain(self, examples: Sequence[Example[Claim, Tree]], report: Report = unreported) -> list[Explained]:
        """One step for each example."""
        found = []
        for done, example in enumerate(examples, 1):
            found.append(self.explained(example.inputs))
            report("searching", done, len(examples))
        return found

    def why(self, sentence: str, known: Sequence[str]) -> Explained:
        """The step that explains a sentence best. Its tree brings the sentences along, so that each can be asked
        about in turn; what says the same as the sentence is no reason for it."""
        others = [text for text in dict.fromkeys(known) if not says_the_same(text, sentence)]
        kept = shortlist(sentence, others)
        context = tuple(Sentence(f"sent{number}", text) for number, text in enumerate(kept, 1))
        return self.explained(Claim(sentence, context), own=True)

    def explained(self, claim: Claim, *, own: bool = False) -> Explained:
        """The best step from sentences of a claim; `own`: the tree brings them along."""
        if not claim.context:
            return Explained(None, refused=(Reason("", because=("nothing is known that could entail it",)),))
        verdicts = self._needed.judge(sentence_items("", claim))
        likely = {one.id: verdict.probabilities[1] for one, verdict in zip(claim.context, verdicts, strict=True)}
        tried = sorted(claim.context, key=lambda one: -likely[one.id])[:_TRIED]
        sizes = range(min(2, len(tried)), min(self._most, len(tried)) + 1)
        written = self._written(claim)
        fitting = (group for size in sizes for group in combinations(tried, size))
        groups = [*written, *(group for group in fitting if group not in written)]
        pairs = [step_pair([one.text for one in group], claim.hypothesis) for group in groups]
        valid = validities(self._step, pairs)
        order = sorted(
            range(len(groups)), key=lambda n: (n >= len(written), -_worth(groups[n], likely, valid[n]), n)
        )
        best = groups[order[0]]
        tree = Tree((Step(tuple(one.id for one in best), HYPOTHESIS),), best if own else ())
        told = [self._reason(groups[n], likely, valid[n]) for n in order[: _SHOWN + 1]]
        return Explained(tree, (told[0],), tuple(told[1:]))

    def _written(self, claim: Claim) -> list[tuple[Sentence, ...]]:
        """The premises that the writer names, if there is one."""
        if self._writer is None:
            return []
        said = {one.id: one for one in claim.context}
        form = ProofForm(tuple(said), most_premises=self._most, extent="last step")
        item = TextItem("", step_prompt(claim.hypothesis, claim.context))
        (verdict,) = self._writer.write([item], lambda _: form)
        (step,) = parse_proof(ended(form, verdict)).steps
        return [tuple(said[premise] for premise in step.premises)]

    def _reason(self, group: Sequence[Sentence], likely: dict[str, float], valid: float) -> Reason:
        because = tuple(f"{one.id} is needed: {likely[one.id]:.3f}" for one in group)
        return Reason(" & ".join(f"{one.text} ({one.id})" for one in group), valid, because)


def _worth(group: Sequence[Sentence], likely: dict[str, float], valid: float) -> float:
    """Premises that are all needed, and entail the sentence: odds of each, so that more premises cost nothing."""
    needed = sum(log(max(likely[one.id], 1e-6) / max(1 - likely[one.id], 1e-6)) for one in group)
    return needed + log(max(valid, 1e-6) / max(1 - valid, 1e-6))


def shortlist(sentence: str, known: Sequence[str]) -> list[str]:
    """All that is known, if it is little; else the sentences that share most words with this one."""
    if len(known) <= AT_HAND:
        return list(known)
    return [known[place] for place in nearest(index_words(known), sentence, AT_HAND)]


def says_the_same(one: str, other: str) -> bool:
    """Whether two sentences are the same but for case, blanks and full stops."""
    first, second = (text.lower().replace(".", " ").split() for text in (one, other))
    return first == second
