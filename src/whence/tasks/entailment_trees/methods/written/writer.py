"""Trees that a language model writes: from given sentences (EntailmentWriter), or from question and answer alone.

What is written is a tree by construction: the model writes within `ProofForm` or `TreeForm`, and what it did not
bring to an end in the tokens it has is ended by the form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from whence.errors import UsageError
from whence.formats.proofs import format_context, format_proof, format_slots, parse_proof
from whence.models.items import TextItem, Verdict
from whence.models.trained import load_model
from whence.progress import Report, unreported
from whence.structures.results import Example
from whence.structures.tree import Claim, Tree, leaves
from whence.tasks.entailment_trees.proof_automaton import ProofForm, TreeForm, parse_tree_text, tree_text
from whence.tasks.head import Head, Source
from whence.tasks.method import Explained, Reason

if TYPE_CHECKING:
    from whence.models.transformer.writing import Constraint


@runtime_checkable
class Writer(Protocol):
    """A model that writes within a constraint."""

    @property
    def name(self) -> str:
        """What it is, with a fingerprint."""

    def write(
        self,
        items: Sequence[TextItem],
        constraint: Callable[[TextItem], Constraint | None],
        report: Report = unreported,
    ) -> list[Verdict]:
        """What it writes after each prompt."""

    def with_beams(self, count: int) -> Writer:
        """The same model, writing so many texts after each prompt."""


def proof_prompt(claim: Claim) -> str:
    """What is given, in the form of the released training lines; it ends with the sentences, which matter most."""
    given = {"question": claim.question, "answer": claim.answer, "hypothesis": claim.hypothesis}
    slots = {name: text for name, text in given.items() if text} | {"context": format_context(claim.context)}
    return format_slots(slots, asked=("proof",))


def question_prompt(claim: Claim) -> str:
    """Question and answer; without an answer the question alone."""
    slots = {"question": claim.question, "answer": claim.answer}
    return format_slots({name: text for name, text in slots.items() if text}, asked=("hypothesis", "proof"))


def proof_items(source: Source) -> Sequence[TextItem]:
    """One prompt an example, with the sentences at hand; gold is the whole proof."""
    return _items(source, proof_prompt, lambda tree, _: format_proof(tree).strip())


def tree_items(source: Source) -> Sequence[TextItem]:
    """One prompt an example, without sentences; gold is hypothesis, sentences and proof."""
    return _items(source, question_prompt, tree_text)


def _items(source: Source, prompt: Callable[[Claim], str], text: Callable[[Tree, Claim], str]) -> list[TextItem]:
    dataset = source.dataset()
    return [
        TextItem(
            f"{example.id}/{line}",
            prompt(example.inputs),
            next((text(gold, example.inputs) for gold in example.golds), None),
            example.id,
        )
        for example, line in zip(dataset.examples, dataset.lines, strict=True)
    ]


def _head(name: str, title: str, items: Callable[[Source], Sequence[TextItem]]) -> Head:
    return Head(name, title, "text", items, "train", "dev", measure="likelihood")


PROOF = _head("proof", "write the tree over given sentences", proof_items)
TREE = _head("tree", "write a tree with all its sentences, from question and answer", tree_items)


@dataclass(frozen=True, slots=True)
class WriterSettings:
    """What a user may set."""

    model: str = ""
    """The folder of a model of the kind `writer` that learnt the head."""


class WrittenTrees:
    """Proofs over given sentences, written all at once."""

    def __init__(self, writer: Writer, *, all_used: bool) -> None:
        self._writer, self._all_used = writer, all_used
        self.name = f"written by {writer.name}"

    def explain(self, examples: Sequence[Example[Claim, Tree]], report: Report = unreported) -> list[Explained]:
        """A tree for each example that has sentences."""
        asked = [example for example in examples if example.inputs.context]
        items = [TextItem(str(place), proof_prompt(example.inputs)) for place, example in enumerate(asked)]
        forms = [ProofForm(_ids(example.inputs), all_used=self._all_used) for example in asked]
        verdicts = self._writer.write(items, lambda item: forms[int(item.id)], report)
        made = iter(
            _told(parse_proof(ended(form, verdict)), verdict)
            for form, verdict in zip(forms, verdicts, strict=True)
        )
        nothing = Explained(None, refused=(Reason("", because=("there are no sentences to make a tree of",)),))
        return [next(made) if example.inputs.context else nothing for example in examples]


class ImaginedTrees:
    """Trees of which the model writes everything; each brings its sentences along."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.name = f"imagined by {writer.name}"

    def explain(self, examples: Sequence[Example[Claim, Tree]], report: Report = unreported) -> list[Explained]:
        """A tree for each example, from its question and answer."""
        for example in examples:
            if not example.inputs.question.strip():
                raise UsageError("a tree is imagined from a question: --question TEXT, and --answer TEXT if known")
        items = [TextItem(str(place), question_prompt(example.inputs)) for place, example in enumerate(examples)]
        form = TreeForm()
        verdicts = self._writer.write(items, lambda _: form, report)
        return [
            _imagined(example.inputs, ended(form, verdict), verdict)
            for example, verdict in zip(examples, verdicts, strict=True)
        ]


def _imagined(claim: Claim, text: str, verdict: Verdict) -> Explained:
    """The tree of a text; its last step words the hypothesis where none was given."""
    hypothesis, tree = parse_tree_text(text)
    if not claim.hypothesis:
        tree = replace(tree, steps=(*tree.steps[:-1], replace(tree.steps[-1], text=hypothesis)))
    found = _told(tree, verdict)
    written = Reason(hypothesis, because=("the hypothesis as it was written",))
    return replace(found, reasons=(written, *found.reasons))


def ended(form: Constraint, verdict: Verdict) -> str:
    """What was written, brought to an end where the tokens did not suffice."""
    return whole_text(form, verdict.texts[0].text if verdict.texts else "")


def whole_text(form: Constraint, text: str) -> str:
    """A text that a form admits, brought to an end."""
    return text + form.way_on(text)


def _told(tree: Tree, verdict: Verdict) -> Explained:
    score = verdict.texts[0].score if verdict.texts else None
    because = (f"{len(tree.steps)} steps over {len(leaves(tree))} sentences",)
    return Explained(tree, (Reason("the whole tree, mean logarithm of a token's probability", score, because),))


def _ids(claim: Claim) -> tuple[str, ...]:
    return tuple(one.id for one in claim.context)


def writer_in(folder: str, task: str, head: str) -> Writer:
    """The model in a folder, which must be one that writes."""
    if not folder:
        raise UsageError(
            "name a model that learnt to write: --set model=FOLDER; "
            f"`whence train {task} small.{head} -o FOLDER` makes one"
        )
    found = load_model(Path(folder))
    judge = found.judge(found.lesson(task, head))
    if not isinstance(judge, Writer):
        raise UsageError(f"{folder} is no model of the kind writer")
    return judge
