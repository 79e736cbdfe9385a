"""Why a sentence? One step from known sentences to it; and of each of those again, as far as a reader wants to
know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from whence.formats.proofs import parse_proof
from whence.models.items import TextItem
from whence.models.learners import Judge
from whence.models.verifier.entailment import Inference, Verifier
from whence.progress import Report, unreported
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.structures.verdict import PartVerdict
from whence.tasks.entailment_trees.heads.grouping import sentence_items
from whence.tasks.entailment_trees.heads.one_step import step_prompt
from whence.tasks.entailment_trees.methods.written.writer import Writer, ended
from whence.tasks.entailment_trees.proof_automaton import ProofForm
from whence.tasks.entailment_trees.verification import VERIFICATION
from whence.tasks.likeness import index_words, nearest
from whence.tasks.method import EMBEDDED, Explained, Reason
from whence.tasks.verification import with_verdicts

AT_HAND = 25
"""Of more sentences than these, only those that share most words are looked at: so many are given in tasks 2 and
3."""
_TRIED = 6
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class OneStepSettings:
    """What a user may set."""

    needed: str = EMBEDDED
    """A model folder of the head `needed`: which sentences may be premises."""
    premises: int = 2
    """The most premises that the step has."""
    writer: str = ""
    """A model folder of the head `one-step`: it then names the premises, in the place of what fits best."""


class OneStep:
    """The premises that entail a sentence best, without anything in between."""

    def __init__(
        self, verifier: Verifier, needed: Judge, settings: OneStepSettings, writer: Writer | None = None
    ) -> None:
        self._verifier, self._needed, self._most, self._writer = verifier, needed, settings.premises, writer
        by = f", written by {writer.name}" if writer else ""
        self.name = f"one step (verifier {verifier.name}, needed {needed.name}, premises {settings.premises}{by})"

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
        needed = self._needed.judge(sentence_items("", claim))
        likely = {one.id: verdict.probabilities[1] for one, verdict in zip(claim.context, needed, strict=True)}
        tried = sorted(claim.context, key=lambda one: -likely[one.id])[:_TRIED]
        sizes = range(min(2, len(tried)), min(self._most, len(tried)) + 1)
        written = self._written(claim)
        fitting = (group for size in sizes for group in combinations(tried, size))
        groups = [*written, *(group for group in fitting if group not in written)]
        entailments = self._verifier.judge(
            [Inference(tuple(one.text for one in group), claim.hypothesis) for group in groups]
        )
        verdicts = [entailment.verdict(self._verifier.name) for entailment in entailments]
        order = sorted(range(len(groups)), key=lambda n: (n >= len(written), -verdicts[n].support, n))
        best = groups[order[0]]
        tree = Tree((Step(tuple(one.id for one in best), HYPOTHESIS),), best if own else ())
        reasons = [self._reason(groups[n], likely, verdicts[n].support) for n in order[: _SHOWN + 1]]
        part = PartVerdict("/steps/0", f"{_texts(best)} -> {claim.hypothesis}", verdicts[order[0]])
        return with_verdicts(VERIFICATION, claim, Explained(tree, (reasons[0],), tuple(reasons[1:])), (part,))

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


def _texts(group: Sequence[Sentence]) -> str:
    return " & ".join(one.text for one in group)


def shortlist(sentence: str, known: Sequence[str]) -> list[str]:
    """All that is known, if it is little; else the sentences that share most words with this one."""
    if len(known) <= AT_HAND:
        return list(known)
    return [known[place] for place in nearest(index_words(known), sentence, AT_HAND)]


def says_the_same(one: str, other: str) -> bool:
    """Whether two sentences are the same but for case, blanks and full stops."""
    first, second = (text.lower().replace(".", " ").split() for text in (one, other))
    return first == second
