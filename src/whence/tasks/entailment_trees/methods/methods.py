"""Ways to explain a hypothesis by a tree of entailment steps; the first of a task is the usual one."""

from __future__ import annotations

from whence.tasks.entailment_trees.methods.llm.prompt import PROMPTS
from whence.tasks.entailment_trees.methods.one_step.method import METHOD as ONE_STEP
from whence.tasks.entailment_trees.methods.search import method as search
from whence.tasks.entailment_trees.methods.stepwise import method as stepwise
from whence.tasks.entailment_trees.methods.thoughts.tree_of_thoughts import METHOD as THOUGHTS
from whence.tasks.entailment_trees.methods.written import method as written
from whence.tasks.method import Method
from whence.tasks.prompting import prompted_method

_OWN: dict[str, tuple[Method, ...]] = {
    "entailmentbank-1": (
        search.WITH_ALL_SENTENCES,
        ONE_STEP,
        written.ALL_SENTENCES,
        stepwise.ALL_SENTENCES,
        written.IMAGINE,
    ),
    "entailmentbank-2": (search.METHOD, ONE_STEP, written.CHOSEN_SENTENCES, stepwise.CHOSEN_SENTENCES),
    "entailmentbank-3": (search.IN_CORPUS, ONE_STEP, written.CHOSEN_SENTENCES, stepwise.CHOSEN_SENTENCES),
}
METHODS: dict[str, tuple[Method, ...]] = {
    name: (*methods, prompted_method(PROMPTS[name]), THOUGHTS) for name, methods in _OWN.items()
}
