"""Ways to explain how an argument bears on a belief; the first is the usual one."""

from __future__ import annotations

from whence.tasks.argument_graphs.methods.llm.prompt import METHOD as LLM
from whence.tasks.argument_graphs.methods.structured.method import METHOD as STRUCTURED
from whence.tasks.argument_graphs.methods.thoughts.graph_of_thoughts import METHOD as THOUGHTS
from whence.tasks.argument_graphs.methods.written.method import METHOD as WRITTEN
from whence.tasks.method import Method

METHODS: tuple[Method, ...] = (STRUCTURED, WRITTEN, LLM, THOUGHTS)
