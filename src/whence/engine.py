"""Where work is done: here, in several processes, or on a Ray cluster; the results are the same, in order.

Work is cut into chunks by what it is, never by who does it: a chunk is done alike wherever it is done. What every
worker needs (a model that was loaded) is made once a worker. Callers save what they are given, chunk by chunk; so
what was done when work is stopped is not done again, by whichever engine goes on.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from whence.errors import UsageError, WhenceError, quoted
from whence.progress import Report, unreported

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

Do = Callable[[Chunk, Report], Result]
"""Does a chunk, and tells how far it is."""
Make = Callable[[], Do[Chunk, Result]]
"""Makes what does chunks, once a worker. It travels: a function of a module, its arguments bound by `partial`."""

_AHEAD = 2  # chunks a worker that are given out before they are asked for
_TRIES = 3
_DIED = (
    "a worker was ended from outside (was there too little memory?); "
    "give the same command again: what was done and kept is not done anew"
)


class Engine(Protocol):
    """Where chunks are done."""

    def map(
        self, make: Make[Chunk, Result], chunks: Iterable[Chunk], report: Report = unreported, key: str = ""
    ) -> Generator[Result, None, None]:
        """What comes of each chunk, in order. Who stops asking is given no more, and nothing is begun for them.

        `report` is told of the progress within a chunk where that can be seen, which is in this process alone.
        What was made under a key is not made again by a worker that comes upon the same key next.
        """


class Serial:
    """One chunk after the other, in this process."""

    def map(
        self, make: Make[Chunk, Result], chunks: Iterable[Chunk], report: Report = unreported, key: str = ""
    ) -> Generator[Result, None, None]:
        """What comes of each chunk, in order."""
        do = None
        for chunk in chunks:
            do = do or make()
            yield do(chunk, report)


class Processes:
    """Several processes of this machine. They live as long as the engine does."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._strangers: set[BaseProcess] = set()

    def map(
        self, make: Make[Chunk, Result], chunks: Iterable[Chunk], report: Report = unreported, key: str = ""
    ) -> Generator[Result, None, None]:
        """What comes of each chunk, in order."""
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import active_children

        pool, key, packed = self._begun(), key or uuid.uuid4().hex, pickle.dumps(make)
        try:
            yield from _in_order(
                chunks,
                lambda chunk: pool.submit(_work, key, packed, chunk),
                lambda future: future.result(),
                _AHEAD * self._workers,
            )
        except BaseException as error:
            self._pool = None
            for child in set(active_children()) - self._strangers:
                child.terminate()  # nobody waits for what they are doing
            if isinstance(error, BrokenProcessPool):
                raise WhenceError(_DIED) from None
            raise

    def _begun(self) -> ProcessPoolExecutor:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        if self._pool is None:
            self._strangers = set(active_children())
            threads = max(1, (os.cpu_count() or 1) // self._workers)
            self._pool = ProcessPoolExecutor(self._workers, get_context("spawn"), _begin, (threads,))
        return self._pool


@dataclass(frozen=True, slots=True)
class Ray:
    """A Ray cluster: that of an address, of the variable RAY_ADDRESS, or one of this machine, begun here.

    Every node needs this package, and data and models in the same folders. A chunk whose worker dies is done again
    by another one. What was given out when nobody asks any more is done for nothing: cancelling it as it ends
    brings Ray 2.60 down, and it ends with this process anyway.
    """

    address: str = ""

    def map(
        self, make: Make[Chunk, Result], chunks: Iterable[Chunk], report: Report = unreported, key: str = ""
    ) -> Generator[Result, None, None]:
        """What comes of each chunk, in order."""
        ray = self._begun()
        key, packed = key or uuid.uuid4().hex, ray.put(ray.cloudpickle.dumps(make))
        work = ray.remote(max_retries=_TRIES - 1)(_work_in_cluster)
        ahead = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        try:
            yield from _in_order(chunks, lambda chunk: work.remote(key, [packed], chunk), ray.get, ahead)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise WhenceError(f"{_DIED}. Ray says: {_first_line(error)}") from None

    def _begun(self) -> Any:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
        try:
            ray = importlib.import_module("ray")
        except ImportError:
            raise UsageError("the engine ray needs the package ray: pip install 'whence[scale]'") from None
        if not ray.is_initialized():
            where = self.address or os.environ.get("RAY_ADDRESS", "")
            options = {} if where else {"include_dashboard": False}
            try:
                ray.init(where or None, logging_level="ERROR", log_to_driver=False, **options)
            except Exception as error:  # noqa: BLE001 (of a slow machine Ray says so by a plain Exception)
                raise UsageError(f"no Ray cluster at {where or 'this machine'}: {_first_line(error)}") from None
        return ray


SERIAL: Engine = Serial()


def engine_named(text: str) -> Engine:
    """The engine that an option means: `serial`, `processes` or `processes:N`, `ray` or `ray:ADDRESS`."""
    name, _, more = text.partition(":")
    if name == "ray":
        return Ray(more)
    if name == "processes" and (not more or (more.isdecimal() and int(more))):
        return Processes(int(more) if more else os.cpu_count() or 1)
    if text == "serial":
        return SERIAL
    raise UsageError(f"there is no engine {quoted(text)}; there are serial, processes[:NUMBER] and ray[:ADDRESS]")


def chunks_of(items: Sequence[Result], size: int) -> Iterator[Sequence[Result]]:
    """The items in order, so many at a time."""
    return (items[start : start + size] for start in range(0, len(items), size))


def whole_chunks(done: list[Result], size: int, total: int) -> list[Result]:
    """What was done in whole chunks: so the rest is cut as if nothing had been stopped, with the same results."""
    return done if len(done) >= total else done[: len(done) // size * size]


def _in_order(
    chunks: Iterable[Chunk], give: Callable[[Chunk], Any], take: Callable[[Any], Result], ahead: int
) -> Iterator[Result]:
    """Gives out chunks as long as not too many are waited for: they may be more than the memory holds."""
    waiting: deque[Any] = deque()
    for chunk in chunks:
        waiting.append(give(chunk))
        if len(waiting) >= ahead:
            yield take(waiting.popleft())
    while waiting:
        yield take(waiting.popleft())


# In a worker.

_made: tuple[str, Do[Any, Any]] | None = None


def _begin(threads: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts means the process that waits for this one
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))  # before a library for arrays is there


def _work(key: str, packed: bytes, chunk: Any) -> Any:
    global _made
    if _made is None or _made[0] != key:
        _made = None  # what was made for earlier work goes first
        _made = key, pickle.loads(packed)()
    return _made[1](chunk, unreported)


def _work_in_cluster(key: str, packed: list[Any], chunk: Any) -> Any:
    """The same, with what is to be made fetched once a worker."""
    if _made is None or _made[0] != key:
        return _work(key, importlib.import_module("ray").get(packed[0]), chunk)
    return _work(key, b"", chunk)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
