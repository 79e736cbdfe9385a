"""`write` and `imagine`: a trained language model writes the whole tree.

hypothesis, sentences  -> prompt -> proof text, held to a connected tree    writer.py, proof_automaton.py
question, answer alone -> prompt -> a tree with sentences of its own        writer.py
"""

from __future__ import annotations

from functools import partial

from whence.tasks.entailment_trees.methods.written.writer import (
    ImaginedTrees,
    WriterSettings,
    WrittenTrees,
    writer_in,
)
from whence.tasks.method import Method, Setup


def _written(settings: WriterSettings, _: Setup, *, task: str, all_used: bool) -> WrittenTrees:
    return WrittenTrees(writer_in(settings.model, task, "proof"), all_used=all_used)


def _imagined(settings: WriterSettings, _: Setup) -> ImaginedTrees:
    return ImaginedTrees(writer_in(settings.model, "entailmentbank-1", "tree"))


ALL_SENTENCES, CHOSEN_SENTENCES = (
    Method("write", "a tree that a language model writes over the sentences", WriterSettings, make)
    for make in (
        partial(_written, task="entailmentbank-1", all_used=True),
        partial(_written, task="entailmentbank-2", all_used=False),
    )
)
IMAGINE = Method("imagine", "a tree that a language model writes, sentences and all", WriterSettings, _imagined)
