"""Ways to explain an answer by facts of a table store."""

from __future__ import annotations

from whence.tasks.method import Method
from whence.tasks.ranked_facts.methods.facts.top_facts import METHOD as FACTS
from whence.tasks.ranked_facts.methods.llm.prompt import METHOD as LLM
from whence.tasks.ranked_facts.methods.schemas.explainer import METHOD as SCHEMAS
from whence.tasks.ranked_facts.methods.written.writer import METHOD as WRITTEN

METHODS: tuple[Method, ...] = (FACTS, SCHEMAS, WRITTEN, LLM)
