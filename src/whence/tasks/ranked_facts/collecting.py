"""What is special about explanations by facts where people rate them."""

from __future__ import annotations

from collections.abc import Mapping

from whence.files import Json
from whence.tasks.task import Collecting


def _mark_gold_facts(value: Mapping[str, Json]) -> dict[str, Json]:
    """Say which of the rated facts are part of the explanation that was known before."""
    meta = dict(value["meta"])
    known = {use["id"] for use in meta.pop("gold", []) if use.get("gold", True)}
    golds = [{"facts": [{**use, "gold": use["id"] in known} for use in gold["facts"]]} for gold in value["golds"]]
    return {**value, "meta": meta, "golds": golds}


COLLECTING = Collecting(finish=_mark_gold_facts)
