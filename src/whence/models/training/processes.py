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
_TIMEOUT = timedelta(hours=3)
"""How long processes wait for the one that evaluates; if that one has died, the launcher notices at once."""


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """One of the processes: its rank, and how many there are. The first one evaluates, saves and reports."""

    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this process is the one that evaluates, saves and reports."""
        return self.rank == 0

    def share(self, batch: list[Value]) -> list[Value]:
        """What this process does of a batch; all of it where there is not an item for every process."""
        return batch if len(batch) < self.size else batch[self.rank :: self.size]

    def all_reduce(self, weights: Sequence[Any]) -> None:
        """Makes the gradients of all processes their sum."""
        if self.size > 1:
            torch = library("torch")
            gradients = [one.grad for one in weights if one.grad is not None]  # the same ones everywhere
            flat = torch._utils._flatten_dense_tensors(gradients)
            torch.distributed.all_reduce(flat)
            for own, summed in zip(gradients, torch._utils._unflatten_dense_tensors(flat, gradients), strict=True):
                own.copy_(summed)

    def broadcast(self, value: Value) -> Value:
        """The first process's value, in every process."""
        values = [value]
        if self.size > 1:
            library("torch").distributed.broadcast_object_list(values, src=0)
        return values[0]

    def all_gather(self, value: Value) -> list[Value]:
        """The values of all processes, in the order of their ranks."""
        if self.size == 1:
            return [value]
        values: list[Any] = [None] * self.size
        library("torch").distributed.all_gather_object(values, value)
        return values

    def leave(self) -> None:
        """Ends the group for all at once: a process whose connections others closed would end in an error."""
        if self.size > 1:
            distributed = library("torch").distributed
            distributed.barrier()
            atexit.unregister(distributed.destroy_process_group)
            distributed.destroy_process_group()


@lru_cache
def process_group() -> ProcessGroup:
    """The processes of which this is one; they meet here when it is first asked for."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size < 2:
        return ProcessGroup()
    torch = library("torch")
    if device() == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    # Its functions have the group of all processes as a default, if there is one when they are read, and
    # optimizers read them: the group would outlive `leave`, and its threads abort a process that ends.
    library("torch.distributed.nn")
    torch.distributed.init_process_group("nccl" if device() == "cuda" else "gloo", timeout=_TIMEOUT)
    atexit.register(torch.distributed.destroy_process_group)
    return ProcessGroup(torch.distributed.get_rank(), size)
