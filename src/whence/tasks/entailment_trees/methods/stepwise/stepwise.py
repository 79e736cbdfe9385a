"""Trees that a language model writes step by step: each time it sees what is left, and writes what comes next.

The paper names this as a way to steps that hold (sec. 6.3.1), with a module that verifies them (6.3.2). Of several
steps that are written, that is taken which the writer and a model of the head `step` find best together. Every
step is one that a proof may go on with, so what comes of them is one tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

from whence.formats.proofs import parse_proof
from whence.models.items import TextItem, Verdict
from whence.models.learners import Judge
from whence.progress import Report, unreported
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.tasks.entailment_trees.heads.heads import step_pair, validities
from whence.tasks.entailment_trees.heads.one_step import known_after, step_prompt, used_by
from whence.tasks.entailment_trees.methods.search.search import chosen_sentences
from whence.tasks.entailment_trees.methods.written.writer import Writer, whole_text
from whence.tasks.entailment_trees.proof_automaton import ProofForm
from whence.tasks.method import EMBEDDED, Explained, Reason

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class StepwiseSettings:
    """What a user may set."""

    model: str = ""
    """The folder of a model of the kind `writer` that learnt the head `one-step`."""
    beams: int = 1
    """How many next steps are written, of which the best is taken."""
    verified: float = 0.5
    """Of several: how much the validity of a step weighs beside what the writer finds likely."""
    step: str = EMBEDDED
    """A model folder of the head `step`: whether premises entail a conclusion."""
    needed: str = EMBEDDED
    """A model folder of the head `needed`: which sentences are used; `all`: the writer chooses."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A step that may come next."""

    step: Step
    likely: float | None
    """The mean logarithm of a token's probability; None where the form alone made it."""
    valid: float | None = None

    def worth(self, verified: float) -> float:
        """What candidates are compared by."""
        likely = float("-inf") if self.likely is None else self.likely
        return likely if self.valid is None else likely + verified * log(max(self.valid, 1e-6))


@dataclass(frozen=True, slots=True)
class _Growing:
    """A tree as far as it is written."""

    claim: Claim
    all_used: bool
    taken: tuple[_Candidate, ...] = ()
    refused: tuple[_Candidate, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(one.step for one in self.taken)

    @property
    def whole(self) -> bool:
        return bool(self.taken) and self.taken[-1].step.conclusion == HYPOTHESIS

    @property
    def left(self) -> tuple[Sentence, ...]:
        """What no step used, conclusions last."""
        used = used_by(self.steps)
        return tuple(one for one in known_after(self.claim, self.steps) if one.id not in used)

    @property
    def form(self) -> ProofForm:
        """What may be written next."""
        reached = {step.conclusion for step in self.steps}
        names = [one.id for one in self.left]
        return ProofForm(
            tuple(name for name in names if name not in reached),
            self.all_used,
            reached=tuple(name for name in names if name in reached),
            taken=len(self.steps),
            extent="step",
        )

    def worded(self, step: Step) -> tuple[list[str], str]:
        """A next step in words."""
        said = {one.id: one.text for one in self.left}
        return [said[premise] for premise in step.premises], step.text or self.claim.hypothesis


class StepwiseTrees:
    """Proofs over given sentences, a step at a time, all examples side by side."""

    def __init__(
        self,
        writer: Writer,
        step: Judge | None,
        needed: Judge | None,
        settings: StepwiseSettings,
        *,
        all_used: bool,
    ) -> None:
        self._writer, self._step, self._needed = writer, step, needed
        self._verified, self._all_used = settings.verified, all_used
        verified = f", {settings.beams} beams, verified {settings.verified:g} by {step.name}" if step else ""
        chosen = f", needed {needed.name}" if needed else ""
        self.name = f"step by step (written by {writer.name}{verified}{chosen})"

    def explain(self, examples: Sequence[Example[Claim, Tree]], report: Report = unreported) -> list[Explained]:
        """A tree for each example that has sentences."""
        growing = {
            place: self._begun(example.inputs) for place, example in enumerate(examples) if example.inputs.context
        }
        while open_ := [place for place, tree in growing.items() if not tree.whole]:
            report("writing", len(growing) - len(open_), len(growing))
            longer = self._longer([growing[place] for place in open_])
            growing |= dict(zip(open_, longer, strict=True))
        nothing = Explained(None, refused=(Reason("", because=("there are no sentences to make a tree of",)),))
        return [_told(growing[place]) if place in growing else nothing for place in range(len(examples))]

    def _begun(self, claim: Claim) -> _Growing:
        chosen, _ = chosen_sentences(claim, self._needed)
        return _Growing(replace(claim, context=chosen), self._all_used)

    def _longer(self, trees: Sequence[_Growing]) -> list[_Growing]:
        """Each tree with one more step."""
        prompts = [step_prompt(tree.claim.hypothesis, tree.left) for tree in trees]
        forms = [tree.form for tree in trees]
        items = [TextItem(str(place), prompt) for place, prompt in enumerate(prompts)]
        verdicts = self._writer.write(items, lambda item: forms[int(item.id)])
        written = [_candidates(form, verdict) for form, verdict in zip(forms, verdicts, strict=True)]
        if self._step is not None:
            written = self._judged(trees, written, self._step)
        found = []
        for tree, candidates in zip(trees, written, strict=True):
            best, *others = sorted(candidates, key=lambda one: -one.worth(self._verified))
            found.append(replace(tree, taken=(*tree.taken, best), refused=(*tree.refused, *others)))
        return found

    def _judged(
        self, trees: Sequence[_Growing], written: Sequence[Sequence[_Candidate]], step: Judge
    ) -> list[list[_Candidate]]:
        asked = [
            step_pair(*tree.worded(one.step)) for tree, some in zip(trees, written, strict=True) for one in some
        ]
        valid = iter(validities(step, asked))
        return [[replace(one, valid=next(valid)) for one in some] for some in written]


def _candidates(form: ProofForm, verdict: Verdict) -> list[_Candidate]:
    """Different steps that were written, ended where tokens did not suffice; else one that the form makes."""
    # Where fewer tokens fit than there are beams, the others write what no form admits.
    texts = {whole_text(form, one.text): one.score for one in reversed(verdict.texts) if form.may_begin(one.text)}
    return [_Candidate(_step(text), score) for text, score in reversed(texts.items())] or [
        _Candidate(_step(form.way_on("")), None)
    ]


def _step(text: str) -> Step:
    (step,) = parse_proof(text).steps
    return step


def _told(tree: _Growing) -> Explained:
    refused = sorted(tree.refused, key=lambda one: -(one.valid or 0))[:_SHOWN]
    reasons = tuple(_reason(one, tree.claim) for one in tree.taken)
    return Explained(Tree(tree.steps), reasons, tuple(_reason(one, tree.claim) for one in refused))


def _reason(one: _Candidate, claim: Claim) -> Reason:
    step = one.step
    text = f"{' & '.join(step.premises)} -> {step.conclusion}: {step.text or claim.hypothesis}"
    likely = "" if one.likely is None else f"mean logarithm of a token's probability {one.likely:.2f}"
    return Reason(text, one.valid, (likely,) if likely else ("the writer had no step to offer",))
