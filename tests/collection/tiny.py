"""A collection of two stages: a sentence is written, and verified by two, with a third where they differ."""

from __future__ import annotations

from typing import Any

from whence.collection.collection import Collection, new_collection
from whence.collection.importing import add_items

TINY = """
name = "tiny"
title = "Tiny"

[[qualifications]]
name = "trusted"

[[stages]]
name = "write"
title = "Write"
takes = "topic"
shows = ["topic"]
pay = 10
lease = 60
WRITE_MORE

[[stages.write]]
name = "text"

[[stages.makes]]
kind = "sentence"
to = "verify"
payload = { text = "/answer/text" }

[[stages]]
name = "verify"
title = "Verify"
takes = "sentence"
shows = ["text"]
pay = 5
lease = 60
decide = { rule = "majority", records = "verified" }
overlap = VERIFY_OVERLAP
VERIFY_MORE

[stages.ask]
question = "good"
answers = ["yes", "no"]

[[stages.routes]]
when = "yes"
to = "done"

[[stages.routes]]
when = "*"
to = "dropped"

[[sources]]
name = "topics"
kind = "topic"
enters = ["write"]
needs = ["topic"]

[[exports]]
name = "sentences"
of = "sentence"
row = { id = "/name", text = "/item/text", verified = "/item/verified" }
"""


def tiny(write: str = "", verify: str = "", overlap: str = '{ kind = "tie-breaker", count = 2 }') -> str:
    """The configuration, with more keys for its stages."""
    text = TINY.replace("WRITE_MORE", write).replace("VERIFY_MORE", verify)
    return text.replace("VERIFY_OVERLAP", overlap)


def begun(where: str, text: str = "", topics: int = 1, **options: Any) -> Collection:
    """A collection with topics."""
    collection = new_collection(where, text or tiny(), **options)
    items = [{"id": f"t{number}", "topic": f"topic {number}", "secret": "gold"} for number in range(topics)]
    collection.write(lambda tx: add_items(tx, collection.configuration.source("topics"), items))
    return collection


def yes(label: str = "yes") -> dict[str, Any]:
    """An answer of the second stage."""
    return {"answers": {"": label}}
