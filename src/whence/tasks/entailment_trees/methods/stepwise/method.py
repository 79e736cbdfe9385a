"""`stepwise`: a trained language model writes the tree step by step, and sees each time what is left.

hypothesis, sentences
  -> the sentences that are needed                     search.py (head `needed`; task 1 takes all)
  -> again and again, one step                         stepwise.py (head `one-step`), proof_automaton.py
  -> among beams, the tree of the best judged steps    stepwise.py (head `step`)
"""

from __future__ import annotations

from functools import partial

from whence.tasks.entailment_trees.methods.search.search import judge_of
from whence.tasks.entailment_trees.methods.stepwise.stepwise import StepwiseSettings, StepwiseTrees
from whence.tasks.entailment_trees.methods.written.writer import writer_in
from whence.tasks.method import EMBEDDED, Method, Setup


def _stepwise(settings: StepwiseSettings, _: Setup, *, all_used: bool) -> StepwiseTrees:
    """Of sentences that were chosen, or are just those of the tree (task 1), all are used."""
    writer = writer_in(settings.model, "entailmentbank-1", "one-step").with_beams(settings.beams)
    step = judge_of("entailmentbank-1", "step", settings.step) if settings.beams > 1 else None
    alone = all_used and settings.needed == EMBEDDED
    needed = None if alone or settings.needed == "all" else judge_of("entailmentbank-2", "needed", settings.needed)
    return StepwiseTrees(writer, step, needed, settings, all_used=all_used or needed is not None)


ALL_SENTENCES, CHOSEN_SENTENCES = (
    Method(
        "stepwise",
        "a tree that a language model writes step by step",
        StepwiseSettings,
        partial(_stepwise, all_used=all_used),
    )
    for all_used in (True, False)
)
