"""Beliefs and arguments as users type them."""

from __future__ import annotations

from whence.structures.graph import Argument
from whence.tasks.typed import Text, Typed

_TEXTS = (Text("belief", "the belief"), Text("argument", "the argument for or against it"))

TYPED: dict[str, Typed] = {"explagraphs": Typed(_TEXTS, Argument)}
