"""Structured explanations: the graph, tree, facts, triplets or hypothesis that says why.

`load`, `check` and `draw` are what most users need; see `whence.api`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whence.api import check, draw, load

__version__ = "0.1.0"
__all__ = ["__version__", "check", "draw", "load"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # On first use: `import whence` itself, and so every command, stays light.
    if name in ("check", "draw", "load"):
        from whence import api

        return getattr(api, name)
    raise AttributeError(f"module 'whence' has no attribute {name!r}")
