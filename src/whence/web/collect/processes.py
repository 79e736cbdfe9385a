"""Several processes that serve one collection: one socket, one store, nothing else in common."""

from __future__ import annotations

import multiprocessing
import socket
from collections.abc import Iterable

from whence.collection.collection import open_collection
from whence.web.collect.application import collection_app
from whence.web.serve import serve


def serve_in_processes(store: str, opened: socket.socket, count: int, hosts: frozenset[str]) -> None:
    """Serves until it is interrupted; a process that dies takes nothing with it but its own requests."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_serve, args=(store, opened, hosts)) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        for process in processes:
            process.join()
    finally:
        _end(processes)


def _serve(store: str, opened: socket.socket, hosts: frozenset[str]) -> None:
    try:
        serve(collection_app(open_collection(store), hosts), opened, begun=lambda: None)
    except KeyboardInterrupt:
        return  # the process that started this one says so


def _end(processes: Iterable[multiprocessing.process.BaseProcess]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(timeout=10)
