"""Processes that train one model together, each on its share of every batch.

A launcher (`accelerate launch`, `torchrun`) starts them and says by environment variables how many there are and
how they find each other. Without one there is one process, and nothing here does anything.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, TypeVar

from whence.models.loading import device, library

Value = TypeVar("Value")
_PATIENCE = timedelta(hours=3)
"""How long processes wait for the one that measures; that one has died, the launcher notices at once."""


@dataclass(frozen=True, slots=True)
class Team:
    """One of the processes: its number, and how many there are. The first one measures, saves and tells."""

    number: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this process is the one that measures, saves and tells."""
        return self.number == 0

    def share(self, batch: list[Value]) -> list[Value]:
        """What this process does of a batch; all of it where there is not an item for everybody."""
        return batch if len(batch) < self.size else batch[self.number :: self.size]

    def add_up(self, weights: Sequence[Any]) -> None:
        """Makes the gradients of all processes their sum."""
        if self.size > 1:
            torch = library("torch")
            found = [one.grad for one in weights if one.grad is not None]  # the same ones everywhere
            flat = torch._utils._flatten_dense_tensors(found)
            torch.distributed.all_reduce(flat)
            for own, summed in zip(found, torch._utils._unflatten_dense_tensors(flat, found), strict=True):
                own.copy_(summed)

    def told(self, value: Value | None) -> Value:
        """What the first process says, everywhere."""
        said = [value]
        if self.size > 1:
            library("torch").distributed.broadcast_object_list(said, src=0)
        return said[0]  # type: ignore[return-value]

    def gathered(self, value: Value) -> list[Value]:
        """What every process says, in the order of their numbers."""
        if self.size == 1:
            return [value]
        found: list[Any] = [None] * self.size
        library("torch").distributed.all_gather_object(found, value)
        return found

    def leave(self) -> None:
        """The end, for all at once: a process whose connections others have closed would end in an error."""
        if self.size > 1:
            distributed = library("torch").distributed
            distributed.barrier()
            atexit.unregister(distributed.destroy_process_group)
            distributed.destroy_process_group()


@lru_cache
def team() -> Team:
    """The processes of which this is one; they meet here when it is first asked for."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size < 2:
        return Team()
    torch = library("torch")
    if device() == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    # Its functions have the group of all processes as a default, if there is one when they are read, and
    # optimizers read them: the group would outlive `leave`, and its threads abort a process that ends.
    library("torch.distributed.nn")
    torch.distributed.init_process_group("nccl" if device() == "cuda" else "gloo", timeout=_PATIENCE)
    atexit.register(torch.distributed.destroy_process_group)
    return Team(torch.distributed.get_rank(), size)
