"""Trees cut into single steps: what a writer of one step at a time learns from (sec. 6.3.1 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from whence.errors import UsageError, quoted
from whence.formats.proofs import format_proof
from whence.models.items import TextItem
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.tasks.entailment_trees.proof_automaton import cut_free
from whence.tasks.head import Head, Source


def step_prompt(hypothesis: str, known: Iterable[Sentence]) -> str:
    """What is known, and what is to be shown: `sent1: words; int1: words; hypothesis: words;`.

    Of a prompt that is too long a model reads the end, so that has what matters most.
    """
    given = (*known, Sentence(HYPOTHESIS, hypothesis))
    return " ".join(f"{one.id}: {cut_free(one.text)};" for one in given)


def known_after(claim: Claim, steps: Sequence[Step]) -> tuple[Sentence, ...]:
    """The sentences at hand, and what was concluded."""
    return (*claim.context, *(Sentence(step.conclusion, step.text) for step in steps))


def used_by(steps: Iterable[Step]) -> frozenset[str]:
    """The premises of steps."""
    return frozenset(premise for step in steps for premise in step.premises)


def one_step_items(source: Source) -> Sequence[TextItem]:
    """A prompt and what follows it for each step of the gold trees, put as the form says."""
    form = source.form or next(iter(FORMS))
    if form not in FORMS:
        raise UsageError(f"steps are not written in the form {quoted(form)}; there are {', '.join(FORMS)}")
    dataset = source.dataset()
    return [
        TextItem(f"{example.id}/{line}/{number}", prompt, text, example.id)
        for example, line in zip(dataset.examples, dataset.lines, strict=True)
        for number, (prompt, text) in enumerate(_shreds(example, FORMS[form]), 1)
    ]


_Shred = tuple[str, str]


def _shreds(
    example: Example[Claim, Tree], put: Callable[[Sequence[Step], Claim], Iterator[_Shred]]
) -> Iterator[_Shred]:
    for tree in example.golds[:1]:
        yield from put(_numbered(tree), example.inputs)


def _numbered(tree: Tree) -> tuple[Step, ...]:
    """The steps of a tree, their conclusions named in order, in words that a proof can hold."""
    names = {step.conclusion: f"int{number}" for number, step in enumerate(tree.steps, 1)}
    names[HYPOTHESIS] = HYPOTHESIS
    return tuple(
        Step(
            tuple(names.get(premise, premise) for premise in step.premises),
            names[step.conclusion],
            "" if step.conclusion == HYPOTHESIS else cut_free(step.text),
        )
        for step in tree.steps
    )


def _next(steps: Sequence[Step], claim: Claim) -> Iterator[_Shred]:
    """The next step, of all that no step before it used; a sentence that is used again stays."""
    for number, step in enumerate(steps):
        done = used_by(steps[:number]) - used_by(steps[number:])
        left = [one for one in known_after(claim, steps[:number]) if one.id not in done]
        yield step_prompt(claim.hypothesis, left), format_proof(Tree((step,))).strip()


def _why(steps: Sequence[Step], claim: Claim) -> Iterator[_Shred]:
    """One step to a conclusion, which is the hypothesis now, from anything that was known before."""
    for number, step in enumerate(steps):
        known = known_after(claim, steps[:number])
        last = replace(step, conclusion=HYPOTHESIS, text="")
        yield step_prompt(step.text or claim.hypothesis, known), format_proof(Tree((last,))).strip()


FORMS: dict[str, Callable[[Sequence[Step], Claim], Iterator[_Shred]]] = {"next": _next, "why": _why}
"""`next`: forward, the step that comes next; `why`: backward, one step to whatever is asked about."""

ONE_STEP = Head(
    name="one-step",
    title="write one step: the next one, or one to what is asked about",
    shape="text",
    items=one_step_items,
    train="train",
    test="dev",
    measure="likelihood",
    forms=tuple(FORMS),
)
