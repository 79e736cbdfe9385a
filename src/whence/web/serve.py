"""Serves an application until it is told to stop."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from whence.errors import UsageError
from whence.web.security.guard import is_loopback


def listen(host: str, port: int) -> socket.socket:
    """A socket at the address; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
    except (OSError, OverflowError) as error:
        opened.close()
        advice = "" if port == 0 else " Another --port may be free."
        raise UsageError(
            f"cannot listen at {host} port {port}: {getattr(error, 'strerror', None) or error}.{advice}"
        ) from None
    return opened


def address_of(opened: socket.socket) -> str:
    """What to type into a browser."""
    host, port = opened.getsockname()[:2]
    shown = "localhost" if is_loopback(host) else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def serve(app: FastAPI, opened: socket.socket, begun: Callable[[], None]) -> None:
    """Answers requests at the socket until it is interrupted; then finishes those that are under way."""

    class Server(uvicorn.Server):
        """Tells when it answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            """Starts, and tells so."""
            await super().startup(sockets)
            begun()

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=5
    )
    Server(config).run(sockets=[opened])
