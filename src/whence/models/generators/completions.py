"""The form in which chat endpoints are asked and answer: OpenAI's, which llama.cpp, vLLM and most others speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from whence.errors import DataError, quoted
from whence.models.generators import Reply, Request

Structure = Literal["schema", "object", "none"]
"""How an answer's JSON is asked for: by its schema, as some JSON object, or by words alone."""

_FINISHED: Mapping[str, str] = {"length": "length", "content_filter": "refused"}


def body_of(request: Request, model: str = "", structure: Structure = "schema") -> dict[str, Any]:
    """The document that is sent."""
    body: dict[str, Any] = {
        "messages": [{"role": message.role, "content": message.text} for message in request.messages],
        "max_tokens": request.tokens,
        "temperature": request.temperature,
        "seed": request.seed,
    }
    if model:
        body["model"] = model
    if request.grammar:
        body["grammar"] = request.grammar  # llama.cpp's
    elif request.schema is not None and structure == "schema":
        form = {"name": "answer", "strict": True, "schema": dict(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    elif request.schema is not None and structure == "object":
        body["response_format"] = {"type": "json_object"}
    return body


def reply_of(document: Any) -> Reply:
    """The reply in the document that came back; a `DataError` if it is not of this form."""
    try:
        choice = document["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        finish = choice.get("finish_reason") or "stop"
        used = document.get("usage") or {}
        read, written = used.get("prompt_tokens", 0), used.get("completion_tokens", 0)
    except (KeyError, IndexError, TypeError, AttributeError):
        raise DataError(expected="a chat completion", found=quoted(str(document))) from None
    if not isinstance(text, str | None) or not isinstance(read, int) or not isinstance(written, int):
        raise DataError(expected="a chat completion", found=quoted(str(document)))
    if isinstance(refusal, str) and refusal:
        return Reply(refusal, "refused", read, written)
    return Reply(text or "", _FINISHED.get(finish, "stop"), read, written)


def error_of(document: Any) -> str:
    """What an answer that reports an error says; empty if it does not say it in a known way."""
    found = document.get("error", document) if isinstance(document, dict) else document
    if isinstance(found, dict):
        found = found.get("message") or found.get("detail") or ""
    return found if isinstance(found, str) else ""
