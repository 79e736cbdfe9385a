"""The workbench: explain, browse, compare, leaderboard, and how to collect. It serves its own user; no login."""

from __future__ import annotations

from whence.web.section import Section
from whence.web.workbench.browse import browse_router
from whence.web.workbench.collections import collections_router
from whence.web.workbench.compare import compare_router
from whence.web.workbench.explain import explain_router
from whence.web.workbench.leaderboard import leaderboard_router
from whence.web.workbench.library import Library


def workbench_sections(library: Library) -> list[Section]:
    """The parts of the workbench."""
    return [
        Section("explain", "Explain", "/explain", explain_router(library)),
        Section("browse", "Browse", "/browse", browse_router(library)),
        Section("compare", "Compare", "/compare", compare_router(library)),
        Section("leaderboard", "Leaderboard", "/leaderboard", leaderboard_router(library)),
        Section("collect", "Collect", "/collections", collections_router()),
    ]
