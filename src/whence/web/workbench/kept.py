"""What was made once and may be asked for again."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Values by key, the last used ones. A value that several ask for at once is made once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def seen(self, key: Hashable) -> Value | None:
        """The value that was kept, if it still is."""
        with self._lock:
            return self._values.get(key)

    def keep(self, value: Value) -> str:
        """Keeps a value under a new key that cannot be guessed."""
        key = secrets.token_urlsafe(12)
        self.get(key, lambda: value)
        return key

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value that was kept, or a new one."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            try:
                value = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
            with self._lock:
                self._values[key] = value
                while len(self._values) > self._most:
                    self._values.popitem(last=False)
            return value
