"""`one-step`: the sentences that entail a statement best, in one step; asked again, it answers *why?* of each.

statement, sentences
  -> a shortlist of sentences                          drill_down.py (head `needed`)
  -> groups of them as premises of one step            drill_down.py (or a trained writer's)
  -> the step that follows most surely                 drill_down.py (the verifier)
"""

from __future__ import annotations

from whence.tasks.entailment_trees.methods.one_step.drill_down import OneStep, OneStepSettings
from whence.tasks.entailment_trees.methods.search.search import judge_of
from whence.tasks.entailment_trees.methods.written.writer import writer_in
from whence.tasks.method import Method, Setup


def _one_step(settings: OneStepSettings, setup: Setup) -> OneStep:
    writer = writer_in(settings.writer, "entailmentbank-1", "one-step") if settings.writer else None
    return OneStep(setup.verifier(), judge_of("entailmentbank-2", "needed", settings.needed), settings, writer)


METHOD = Method("one-step", "the sentences that entail it best, in one step", OneStepSettings, _one_step)
