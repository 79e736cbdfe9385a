"""What importing and scoring load: no scipy, which takes longer to import than all else together."""

from __future__ import annotations

import subprocess
import sys

import pytest

from whence.tasks import TASKS

LIMIT = 1.0
"""Seconds of the processor; it takes a fifth of that, but machines differ."""


def _run(code: str) -> str:
    """What a fresh Python prints at the end of the code: modules of scipy that it has loaded."""
    after = "import sys; print([name for name in sys.modules if name.split('.')[0] == 'scipy'])"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{after}"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    "code",
    [
        "import whence, whence.api",
        "import whence.pipeline.score, whence.pipeline.leaderboard",
        "import whence.metrics.agreement, whence.metrics.correction, whence.metrics.rouge",
        "import whence.solvers.edit_distance, whence.models.retrieval.explained",
        "import whence; whence.load('explagraphs')",
        "import whence; whence.judge('explagraphs', whence.load('explagraphs').examples[0], 'no idea')",
    ],
)
def test_imports_wait_for_scipy(code: str) -> None:
    assert _run(code) == "[]"


@pytest.mark.parametrize("task", TASKS)
def test_samples_are_scored_without_scipy(task: str) -> None:
    code = f"""
import whence
from whence.structures.results import Prediction
from whence.tasks.dataset import Predictions

dataset = whence.load("{task}")
golds = [example.golds[0] for example in dataset.examples]
answers = [Prediction(example.id, gold) for example, gold in zip(dataset.examples, [*golds[1:], golds[0]])]
report = whence.score("{task}", dataset, Predictions(tuple(answers), tuple(range(len(answers)))))
assert any(measured.value is not None for measured in report.measurements)
"""
    assert _run(code) == "[]"


@pytest.mark.parametrize("code", ["import whence", "import whence.commands.application"])
def test_importing_is_quick(code: str) -> None:
    told = _run(f"{code}\nimport time; print(time.process_time())").splitlines()
    assert float(told[0]) < LIMIT
