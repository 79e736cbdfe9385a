"""Questions and answers as users type them."""

from __future__ import annotations

from whence.structures.facts import Question
from whence.tasks.typed import Text, Typed

_TEXTS = (Text("question", "the question"), Text("answer", "the right answer"))

TYPED: dict[str, Typed] = {"worldtree": Typed(_TEXTS, Question)}
