"""A checkpoint that transformers reads, or a model that `whence train` taught to write, asked like any other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from whence.errors import UsageError
from whence.models.generators import Message, Reply, Request, Told, untold
from whence.models.generators.json_text import JsonText
from whence.models.items import TextItem
from whence.models.learners.writer import WriterJudge, WriterSettings
from whence.models.trained import CARD, load_model

if TYPE_CHECKING:
    from whence.models.transformer.backbone import Backbone
    from whence.models.transformer.writing import Constraint

_AT_ONCE = 8
"""Requests that are written together; between two such lots, replies are told."""


class CheckpointGenerator:
    """A model of the kind `writer`. It takes the most probable way, within a schema if one is given."""

    def __init__(self, weights: str, context: int = 2048) -> None:
        self._judge, self._backbone = _loaded(weights, context)
        self.name = self._judge.name

    def replies(self, requests: Sequence[Request], told: Told = untold) -> list[Reply]:
        """The reply to each request."""
        found: list[Reply] = []
        for start in range(0, len(requests), _AT_ONCE):
            for reply in self._written(requests[start : start + _AT_ONCE]):
                told(len(found), reply)
                found.append(reply)
        return found

    def _written(self, requests: Sequence[Request]) -> list[Reply]:
        for request in requests:
            if request.temperature or request.grammar:
                raise UsageError("a checkpoint is asked without temperature and without grammar: it has neither")
        items = [
            TextItem(str(place), prompt_text(self._backbone.tokenizer, request.messages))
            for place, request in enumerate(requests)
        ]
        most = max(request.tokens for request in requests)

        def constraint(item: TextItem) -> Constraint | None:
            schema = requests[int(item.id)].schema
            return JsonText(schema) if schema is not None else None

        verdicts = self._judge.write(items, constraint, most=most)
        return [
            self._reply(item, verdict.texts[0].text, most) for item, verdict in zip(items, verdicts, strict=True)
        ]

    def _reply(self, item: TextItem, text: str, most: int) -> Reply:
        read, written = self._count(item.prompt), self._count(text)
        return Reply(text, "length" if written >= most else "stop", read, written)

    def _count(self, text: str) -> int:
        return len(self._backbone.tokenizer(text, add_special_tokens=False)["input_ids"])


def _loaded(weights: str, context: int) -> tuple[WriterJudge, Backbone]:
    from whence.models.transformer.backbone import load_writer
    from whence.models.transformer.writing import WriterNetwork

    folder = Path(weights).expanduser()
    if (folder / CARD).is_file():
        model = load_model(folder)
        if model.card["kind"] != "writer":
            raise UsageError(f"{folder}: a model of the kind {model.card['kind']} does not write")
        judge = cast(WriterJudge, model.judge(model.lessons[0]))
        return judge, judge.backbone
    backbone = load_writer(weights)
    settings = WriterSettings(weights=weights, tokens=context)
    return WriterJudge(backbone.name, WriterNetwork(backbone), settings), backbone


def prompt_text(tokenizer: Any, messages: Sequence[Message]) -> str:
    """Messages as one text: by the tokenizer's own template, else one after the other."""
    if getattr(tokenizer, "chat_template", None):
        turns = [{"role": message.role, "content": message.text} for message in messages]
        text = str(tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))
        return text.removesuffix("\n")  # a line end is added when it is read
    return "\n\n".join(message.text for message in messages)
