"""What premises entail, in the words of a model that learnt to conclude; by rule where it only repeats."""

from __future__ import annotations

from collections.abc import Sequence

from whence.models.items import TextItem
from whence.tasks.entailment_trees.heads.wrong_steps import premises_text
from whence.tasks.entailment_trees.methods.one_step.drill_down import says_the_same
from whence.tasks.entailment_trees.methods.search.rule_conclusions import Composed, compose
from whence.tasks.entailment_trees.methods.written.writer import Writer, ended
from whence.tasks.entailment_trees.proof_automaton import WordsForm


class WrittenConclusions:
    """Conclusions by a writer of the head `conclusion`. What was written once is kept."""

    def __init__(self, writer: Writer) -> None:
        self.name = writer.name
        self._writer = writer
        self._kept: dict[tuple[str, ...], str] = {}

    def __call__(self, premises: Sequence[str], wanted: frozenset[str] = frozenset()) -> Composed:
        """What the premises entail together; to repeat one of them concludes nothing (sec. 6.3.1)."""
        key = tuple(premises)
        if key not in self._kept:
            form = WordsForm()
            (verdict,) = self._writer.write([TextItem("", premises_text(premises))], lambda _: form)
            self._kept[key] = ended(form, verdict)
        text = self._kept[key]
        repeats = any(says_the_same(text, premise) for premise in premises)
        return compose(premises, wanted) if repeats else Composed(text, "a writer")
