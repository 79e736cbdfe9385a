"""A chat endpoint on this machine that answers, or fails in a way that a test wants."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], str]


def completion(text: str, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """What an endpoint answers."""
    return {
        "choices": [{"finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    }


@dataclass
class Chat:
    """What the server saw, and what it shall do."""

    answer: Answer
    faults: dict[int, str] = field(default_factory=dict)
    """What goes wrong with the requests of these numbers, from 1; 0: with all of them."""
    seen: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    """What was asked by each request that was answered whole."""
    at_once: int = 0
    most_at_once: int = 0
    hold: threading.Event = field(default_factory=threading.Event)
    """While it is clear, requests with the fault `hold` wait."""
    held: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    url: str = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    chat: Chat

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        body, chat = json.loads(raw), self.chat
        with chat.lock:
            chat.seen.append(body)
            chat.headers.append(dict(self.headers))
            chat.times.append(time.monotonic())
            fault = chat.faults.get(len(chat.seen), chat.faults.get(0, ""))
            chat.at_once += 1
            chat.most_at_once = max(chat.most_at_once, chat.at_once)
        self._counted = True
        try:
            self._act(fault, body, raw)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self._uncount()

    def _uncount(self) -> None:
        """No longer at work: before the answer goes out, for with it the client may begin another request."""
        if self._counted:
            self._counted = False
            with self.chat.lock:
                self.chat.at_once -= 1

    def _act(self, fault: str, body: dict[str, Any], raw: bytes) -> None:
        name, _, detail = fault.partition(" ")
        whole = json.dumps(completion(self.chat.answer(body))).encode()
        if name == "hold" and not self.chat.hold.is_set():
            with self.chat.lock:
                self.chat.held += 1
            self.chat.hold.wait(30)
            self.close_connection = True
        elif name == "status":
            code, _, wait = detail.partition(" ")
            self._send(int(code), json.dumps({"error": {"message": f"it says {code}"}}).encode(), wait)
        elif name == "garbage":
            self._send(200, b"<html>no \xff json</html>")
        elif name == "half":
            self._send(200, whole[: len(whole) // 2])
        elif name == "other":
            self._send(200, b'{"object": "list", "choices": []}')
        elif name == "cut":
            self._send(200, whole[:20], length=len(whole))
        elif name == "close":
            self.close_connection = True
            self.connection.close()
        elif name == "slow":
            time.sleep(float(detail))
            self._send(200, whole)
        elif name == "trickle":
            self._send(200, b"", length=len(whole))
            for letter in whole:
                self.wfile.write(bytes([letter]))
                time.sleep(float(detail))
        elif name == "refusing":
            self._send(200, json.dumps(completion("", refusal="I cannot help with that.")).encode())
        elif name == "moved":
            self._send(307, b"", location="http://127.0.0.1:9/elsewhere")
        else:
            time.sleep(float(detail) if name == "work" else 0)
            self._send(200, whole)
            with self.chat.lock:
                self.chat.answered.append(raw.decode())

    def _send(self, code: int, body: bytes, wait: str = "", length: int | None = None, location: str = "") -> None:
        self._uncount()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if wait:
            self.send_header("Retry-After", wait)
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        if length is not None:
            self.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False


@contextmanager
def chat_server(answer: Answer, **faults: str) -> Iterator[Chat]:
    """A server with these faults: `all="status 500"`, or by number, `n1="cut"`."""
    chat = Chat(answer, {0 if name == "all" else int(name[1:]): fault for name, fault in faults.items()})
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"chat": chat}))
    chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        chat.hold.set()
        server.shutdown()
        server.server_close()
        thread.join()
