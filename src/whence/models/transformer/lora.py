"""Low-rank adaptation: the weights stay, and each linear layer learns the difference of two small matrices.

Hu et al. 2022: y = W x + (alpha / rank) B A x, with B zero at first.
"""

from __future__ import annotations

from typing import Any

from whence.models.loading import library

_SCALE = 2.0  # alpha / rank


def adapt(model: Any, rank: int) -> None:
    """Puts adapters on all linear layers of a model; nothing else of it will learn."""
    torch = library("torch")
    for parameter in model.parameters():
        parameter.requires_grad = False
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, torch.nn.Linear):
                setattr(module, name, _adapted(torch, child, rank))


def merge(model: Any) -> None:
    """Adds what adapters learnt to the weights, and takes the adapters off."""
    torch = library("torch")
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if hasattr(child, "down") and hasattr(child, "up"):
                with torch.no_grad():
                    child.base.weight += _SCALE * (child.up.weight @ child.down.weight)
                setattr(module, name, child.base)


def _adapted(torch: Any, linear: Any, rank: int) -> Any:
    class Adapted(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.base = linear
            self.down = torch.nn.Linear(linear.in_features, rank, bias=False)
            self.up = torch.nn.Linear(rank, linear.out_features, bias=False)
            torch.nn.init.zeros_(self.up.weight)

        def forward(self, vectors: Any) -> Any:
            return self.base(vectors) + _SCALE * self.up(self.down(vectors))

    return Adapted()
