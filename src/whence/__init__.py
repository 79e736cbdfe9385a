"""Structured explanations: the graph, tree, facts, triplets or hypothesis that says why.

`load`, `check`, `draw`, `explain`, `score` and a few more are what most users need; see `whence.api`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whence.api import answers, check, draw, explain, export, judge, load, save, score

__version__ = "0.1.0"
__all__ = ["__version__", "answers", "check", "draw", "explain", "export", "judge", "load", "save", "score"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # On first use: `import whence` itself, and so every command, stays light.
    if name in __all__:
        from whence import api

        return getattr(api, name)
    raise AttributeError(f"module 'whence' has no attribute {name!r}")
