"""What a model thinks aloud before its answer, taken off."""

from __future__ import annotations

import re

from whence.formats.llm_text.unread import UnreadError

_TAG = re.compile(
    r"<(/?)(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)\s*>|◁(/?)think▷", re.IGNORECASE
)
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*(?:<\|[a-z]+\|>\s*)?<\|message\|>")
_CHANNEL = re.compile(r"<\|channel\|>")
_CHANNEL_END = re.compile(r"<\|(?:end|return)\|>")

UNFINISHED = "the text ends while the model is still thinking"


def without_thinking(text: str) -> tuple[str, bool]:
    """The text without its thoughts, and whether the last thought is open: then what is left is that thought.

    A closing tag without an opening one ends a thought that the prompt began.
    """
    channels = list(_FINAL_CHANNEL.finditer(text))
    if channels:
        end = _CHANNEL_END.search(text, channels[-1].end())
        return text[channels[-1].end() : end.start() if end else None], False
    if _CHANNEL.search(text):
        raise UnreadError(UNFINISHED)
    kept, depth, start = "", 0, 0
    for tag in _TAG.finditer(text):
        closes = bool(tag[1] or tag[2])
        if closes and not depth:
            kept = ""
        elif not depth:
            kept += text[start : tag.start()] + "\n"
        depth = depth - 1 if closes and depth else depth if closes else depth + 1
        if not depth or not closes:
            start = tag.end()
    if not depth:
        return kept + text[start:], False
    return text[start:], True
