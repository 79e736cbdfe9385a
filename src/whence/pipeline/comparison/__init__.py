"""Any number of systems on the same items: figures, which is best, and which do not differ from it."""

from whence.pipeline.comparison.compare import (
    LEVEL,
    Comparison,
    Figure,
    PairTest,
    System,
    as_json,
    compare,
    compare_runs,
    system_of_report,
)

__all__ = [
    "LEVEL",
    "Comparison",
    "Figure",
    "PairTest",
    "System",
    "as_json",
    "compare",
    "compare_runs",
    "system_of_report",
]
