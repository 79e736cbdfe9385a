"""Trees in what language models write."""

from __future__ import annotations

from whence.formats.llm_text import Unread
from whence.formats.llm_text.tree import read_tree
from whence.structures.tree import Claim, Tree
from whence.tasks.dataset import Dataset


def read_text(text: str, claim: Claim, _: Dataset[Claim, Tree]) -> Tree | Unread:
    """The tree of an answer."""
    return read_tree(text, claim)
