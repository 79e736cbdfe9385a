"""Ways to explain what happens in a dialogue, and to answer the questions of the sub-tasks."""

from __future__ import annotations

from whence.tasks.dialogue_triplets import TASKS
from whence.tasks.dialogue_triplets.judged import judged_methods
from whence.tasks.dialogue_triplets.triplets import TripletSettings, triplet_finder
from whence.tasks.explainers import Method

METHODS: dict[str, tuple[Method, ...]] = {
    "cider": (
        Method(
            "triplets",
            "spans that a model marks, relations that hold between them, claims that the dialogue entails",
            TripletSettings,
            triplet_finder,
        ),
    ),
    **judged_methods(task for task in TASKS if task.name != "cider"),
}
