"""The tasks that this package registers itself: its documentation speaks of these, whatever else is installed."""

from __future__ import annotations

from whence import plugins
from whence.tasks import TASKS

BUILT_IN = {name: task for name, task in TASKS.items() if plugins.is_own(plugins.registered(plugins.TASKS)[name])}
