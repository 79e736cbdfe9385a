"""Entailment trees by a language model: how it is asked, how its answer is read and mended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from whence.errors import DataError, quoted
from whence.files import Json
from whence.structures.tree import HYPOTHESIS, Claim, Step, Tree
from whence.tasks.dataset import Dataset
from whence.tasks.entailment_trees.rules import rules
from whence.tasks.entailment_trees.task import TASKS
from whence.tasks.prompting import Prompt, choice_of, list_of, record, some, text_of, words

MOST_STEPS, MOST_PREMISES = 12, 5

INSTRUCTION = """You prove a hypothesis from given sentences, step by step. A step takes two or more premises, \
sentences (sent1, sent2, ...) or conclusions of earlier steps (int1 is what the first step concludes, int2 the \
second, ...), and concludes what follows from them together, and from nothing else.
Rules:
- Use the sentences that are needed, and no others.
- Every conclusion but the last is used as a premise of a later step.
- A conclusion is a short sentence of its own. The last step concludes the hypothesis itself.
Answer with JSON only: {"steps": [{"premises": ["sent1", "sent2"], "conclusion": "..."}, \
{"premises": ["int1", "sent3"], "conclusion": "the hypothesis"}]}"""

_STEP_NAME = re.compile(r"(?:int|step)\s*(\d+)")


def ask(claim: Claim) -> str:
    """The hypothesis and the sentences at hand."""
    lines = [f"Hypothesis: {claim.hypothesis}"]
    if claim.question:
        lines.append(f"(It says that the answer to “{claim.question}” is: {claim.answer})")
    return "\n".join([*lines, "Sentences:", *(f"{one.id}: {one.text}" for one in claim.context)])


def schema(claim: Claim) -> dict[str, Any]:
    """Steps whose premises are given sentences or earlier steps."""
    most = max(1, min(MOST_STEPS, len(claim.context)))
    names = [*(sentence.id for sentence in claim.context), *(_step_id(number) for number in range(1, most))]
    step = record(premises=some(choice_of(names), 1, MOST_PREMISES), conclusion=words())
    return record(steps=some(step, 1, most))


def show(claim: Claim, tree: Tree) -> Json:
    """A tree as an answer; a `DataError` if it uses sentences that the claim does not have."""
    by_text = {sentence.text: sentence.id for sentence in claim.context}
    own = {sentence.id: by_text.get(sentence.text, "") for sentence in tree.sentences}
    names = {**{sentence.id: sentence.id for sentence in claim.context}, **own}
    steps = []
    for number, step in enumerate(tree.steps, 1):
        premises = [names.get(premise, "") for premise in step.premises]
        if not all(premises):
            raise DataError(expected="premises that are at hand", found=quoted(" ".join(step.premises)))
        text = claim.hypothesis if step.conclusion == HYPOTHESIS else step.text
        steps.append({"premises": premises, "conclusion": text})
        names[step.conclusion] = _step_id(number)
    return {"steps": steps}


def parse(claim: Claim, answer: Json) -> Tree:
    """An answer as a tree: steps are named by their number, and the last one concludes the hypothesis."""
    given = list_of(answer, "steps")
    if not given:
        raise DataError(expected="at least one step", found="none")
    known = {sentence.id for sentence in claim.context}
    steps = []
    for number, step in enumerate(given, 1):
        premises = [_premise(name, known) for name in list_of(step, "premises")]
        last = number == len(given)
        text = "" if last else text_of(step, "conclusion").replace(";", ",")
        steps.append(Step(tuple(dict.fromkeys(premises)), HYPOTHESIS if last else _step_id(number), text))
    return Tree(tuple(steps))


def _premise(name: Json, known: set[str]) -> str:
    text = str(name).strip()
    if text in known:
        return text
    step = _STEP_NAME.fullmatch(text.lower())
    # A blank in an id could not be written; the rule of known ids says what is wrong with it.
    return _step_id(int(step[1])) if step else "-".join(text.split()) or "nothing"


def repair(claim: Claim, tree: Tree) -> Tree:
    """The steps that hold together: premises that are known by then; conclusions that lead to the hypothesis."""
    known = {sentence.id for sentence in claim.context}
    kept: list[Step] = []
    for step in tree.steps:
        premises = tuple(premise for premise in step.premises if premise in known)
        if step.conclusion == HYPOTHESIS and not premises:
            premises = unused(kept)
        if premises and (step.text or step.conclusion == HYPOTHESIS):
            kept.append(Step(premises, step.conclusion, step.text))
            known.add(step.conclusion)
    return renumbered(needed(kept))


def unused(steps: Sequence[Step]) -> tuple[str, ...]:
    """Conclusions that no step uses."""
    used = {premise for step in steps for premise in step.premises}
    return tuple(step.conclusion for step in steps if step.conclusion not in used)


def needed(steps: Sequence[Step]) -> list[Step]:
    """The steps that the hypothesis rests on."""
    wanted = {HYPOTHESIS}
    for step in reversed(steps):
        if step.conclusion in wanted:
            wanted.update(step.premises)
    return [step for step in steps if step.conclusion in wanted]


def renumbered(steps: Sequence[Step]) -> Tree:
    """The tree of these steps, its conclusions named by their order."""
    names = {HYPOTHESIS: HYPOTHESIS}
    for number, step in enumerate(steps, 1):
        names.setdefault(step.conclusion, _step_id(number))
    return Tree(
        tuple(
            Step(
                tuple(names.get(premise, premise) for premise in step.premises), names[step.conclusion], step.text
            )
            for step in steps
        )
    )


def _step_id(number: int) -> str:
    return f"int{number}"


_RULES = rules("paper", Dataset((), ()))

PROMPTS: dict[str, Prompt[Claim, Tree]] = {
    task.name: Prompt(task, INSTRUCTION, ask, schema, show, parse, _RULES, repair) for task in TASKS
}
