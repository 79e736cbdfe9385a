"""Ways to explain what happens in a dialogue, and to answer the questions of the sub-tasks."""

from __future__ import annotations

from whence.tasks.dialogue_triplets.methods.judged.judged import SUBTASK_METHODS
from whence.tasks.dialogue_triplets.methods.llm.prompt import PROMPTS
from whence.tasks.dialogue_triplets.methods.triplets.finder import METHOD as TRIPLETS
from whence.tasks.method import Method
from whence.tasks.prompting import prompted_method

METHODS: dict[str, tuple[Method, ...]] = {
    name: (usual, prompted_method(PROMPTS[name])) for name, usual in {"cider": TRIPLETS, **SUBTASK_METHODS}.items()
}
