"""One module for each way to write an answer. `EDITORS` has them by the name that configurations use.

An editor is a form that works without a script: what is in its fields is the answer so far, and its buttons change
it. A script of the same name, where there is one, makes it quicker to use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from whence.collection.configuration import Editor, Write
from whence.files import Json
from whence.tasks.task import Relation
from whence.web.collect.editors import graph, text, tree, triplets, worksheet
from whence.web.collect.fields import Fields


class EditorModule(Protocol):
    """What a module here has."""

    def read(self, fields: Fields, item: Mapping[str, Json], operation: str) -> Json:
        """The value that the fields amount to, after what a button asks for; None where there is nothing yet."""

    def view(
        self, field: Write, value: Json, item: Mapping[str, Json], operation: str, relations: Sequence[Relation]
    ) -> Any:
        """What the template of the editor shows of a value, whatever its shape: a draft may be unfinished."""


EDITORS: Mapping[Editor, EditorModule] = {
    "text": text,
    "graph": graph,
    "triplets": triplets,
    "tree": tree,
    "worksheet": worksheet,
}
SCRIPTS: Mapping[Editor, str] = {"graph": "graph.js", "triplets": "triplets.js", "tree": "tree.js"}
"""Editors with more of a script than the one that all have."""
