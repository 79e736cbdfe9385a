"""Why? One step that explains a sentence of a tree, and of each of its premises again, with the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from starlette.exceptions import HTTPException

from whence.errors import WhenceError
from whence.structures.tree import HYPOTHESIS, Claim, Tree, conclusions, leaves, texts
from whence.tasks import families, methods_of
from whence.tasks.method import Explained
from whence.tasks.task import AnyTask
from whence.web.drawings import Picture, picture
from whence.web.workbench.library import Library

METHOD = "one-step"
"""The method that can be asked why."""
_LONGEST = 40  # steps of a way back


@runtime_checkable
class Asked(Protocol):
    """A method that explains a sentence by others that are known."""

    name: str

    def why(self, sentence: str, known: Sequence[str]) -> Explained:
        """One step to the sentence; its tree brings the premises along."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A sentence, how one came to it, and what it rests on."""

    task: AnyTask
    typed: Mapping[str, str]
    """The inputs that the tree explains, as they were typed."""
    tree: str
    """Where the tree is kept that the way began at."""
    sentence: str
    way: tuple[str, ...]
    """What was asked before, from the hypothesis on."""
    drawn: Picture | None
    premises: tuple[str, ...]
    told: Explained
    by: str
    settings: Mapping[str, str]
    """Those of the method, as they were typed."""


def can_be_asked(task: AnyTask) -> bool:
    """Whether the task's explanations are trees, and there is a method to ask."""
    return task.explanation is Tree and METHOD in methods_of(task.name)


def premises_of(explanation: Any, inputs: Any) -> tuple[str, ...]:
    """The sentences of a tree that can be asked about: all but the hypothesis, as far as they have words."""
    if not isinstance(explanation, Tree):
        return ()
    said = texts(explanation, inputs)
    names = (name for name in (*conclusions(explanation), *leaves(explanation)) if name != HYPOTHESIS)
    return tuple(dict.fromkeys(said[name] for name in names if said.get(name)))


def known_sentences(library: Library, task: AnyTask, claim: Claim) -> tuple[str, ...]:
    """What may be premises: the facts that are given, and the corpus of the data set."""
    corpora = [one for one in families()[task.family] if one.data.has_facts]
    corpus = (fact.text for one in corpora for fact in library.facts(one).values())
    return tuple(dict.fromkeys([*(sentence.text for sentence in claim.context), *corpus]))


def ask(
    library: Library,
    task: AnyTask,
    claim: Claim,
    way: Sequence[str],
    sentence: str,
    typed: Mapping[str, str],
    tree: str,
    settings: Mapping[str, str],
) -> Answered:
    """Asks why of a sentence, by the method as it was set.

    A sentence on the way to it is no premise: that would go round in circles.
    """
    if not can_be_asked(task) or not sentence.strip() or len(way) > _LONGEST:
        raise HTTPException(422, "There is nothing to ask about here.")
    maker = library.explainer(task, METHOD, settings).maker
    if not isinstance(maker, Asked):
        raise WhenceError(f"the method {METHOD} cannot be asked about single sentences")
    known = [text for text in known_sentences(library, task, claim) if text not in way]
    found = maker.why(sentence, known)
    drawn: Picture | None = None
    premises: tuple[str, ...] = ()
    if isinstance(found.explanation, Tree) and found.verdict is not None and found.verdict.is_supported:
        asked = Claim(sentence, ())
        diagram = task.diagram(asked, found.explanation, {})
        if task.verification is not None:
            diagram = task.verification().mark(diagram, found.explanation, found.parts)
        drawn = picture(diagram, "why", "Because")
        premises = premises_of(found.explanation, asked)
    return Answered(task, typed, tree, sentence, tuple(way), drawn, premises, found, maker.name, settings)
