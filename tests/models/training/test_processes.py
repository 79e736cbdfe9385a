"""Several processes, started by `accelerate launch`, learn what one learns with the same batches."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from whence.models.training.processes import ProcessGroup, process_group
from whence.pipeline.recipes import recipe_named
from whence.pipeline.train import train
from whence.tasks import task_named
from whence.tasks.sources import data_folder

SETTINGS = {
    "head": '"choice"',
    "kind": '"transformer"',
    "split": '"samples"',
    "batch": 5,
    "epochs": 3,
    "rate": 1e-3,
    "dropout": 0.0,
    "patience": 9,
    "precision": '"float32"',
}


def test_one_process_is_a_group_of_its_own() -> None:
    alone = process_group()
    assert (alone, alone.is_first) == (ProcessGroup(0, 1), True)
    assert alone.share([1, 2, 3]) == [1, 2, 3]
    assert alone.broadcast(4) == 4
    assert alone.all_gather(5) == [5]


def test_shares_are_all_of_a_batch() -> None:
    batch = list(range(7))
    shares = [ProcessGroup(number, 3).share(batch) for number in range(3)]
    assert sorted(item for share in shares for item in share) == batch
    assert ProcessGroup(2, 3).share([1, 2]) == [1, 2]  # too few for everybody: all do all


class _StopError(Exception):
    """Stands in for a kill."""


def _stop(_what: str, done: int, total: int) -> None:
    if done > total // 2:
        raise _StopError


def _without_dropout(checkpoint: Path, folder: Path) -> Path:
    """The same weights, of which nothing is left out by chance."""
    shutil.copytree(checkpoint, folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def _launched(recipe: Path, folder: Path) -> dict[str, Any]:
    pytest.importorskip("accelerate", reason="needs the extra `train`")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    launcher = ["accelerate.commands.accelerate_cli", "launch", "--multi_gpu", "--num_processes=2"]
    launcher += ["--num_machines=1", "--mixed_precision=no", "--dynamo_backend=no", f"--main_process_port={port}"]
    train = ["-m", "whence", "train", "anli", str(recipe), "-o", str(folder), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", *launcher, *train],
        capture_output=True,
        text=True,
        timeout=400,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # one object: only one of the two tells


@pytest.mark.slow
def test_two_processes_learn_what_one_learns(tiny_encoder: str, tmp_path: Path, monkeypatch: Any) -> None:
    from whence.models.training import torch_trainer

    recipe, weights = tmp_path / "tiny.toml", _without_dropout(Path(tiny_encoder), tmp_path / "tiny")
    lines = [f"{name} = {value}" for name, value in (SETTINGS | {"weights": f'"{weights}"'}).items()]
    recipe.write_text("\n".join(["[anli.tiny]", *lines]), encoding="utf-8")
    recipes = [recipe_named(task_named("anli"), str(recipe))]
    alone = train(recipes, tmp_path / "alone", data_folder)
    monkeypatch.setattr(torch_trainer, "_SAVE_EVERY", 0.0)  # save after every step
    with pytest.raises(_StopError):
        train(recipes, tmp_path / "stopped", data_folder, _stop)
    for name in ("together", "stopped"):
        card = _launched(recipe, tmp_path / name)
        assert (card["dev"], card["kept"]) == (alone.card["dev"], alone.card["kept"])
        assert _differing(tmp_path / "alone", tmp_path / name) < 0.02
        assert not (tmp_path / name / "training.pt").exists()
    other = [recipe_named(task_named("anli"), str(recipe), ["batch=3"])]
    train(other, tmp_path / "other", data_folder)
    assert _differing(tmp_path / "alone", tmp_path / "other") > 0.5


def _differing(one: Path, two: Path) -> float:
    """The share of weights that are not the same.

    Adam makes steps of one size whatever the gradient is: where it is nothing but rounding, so is the step.
    """
    first, second = (load_file(folder / "weights.safetensors") for folder in (one, two))
    assert first.keys() == second.keys()
    apart = [np.abs(first[name] - second[name]).ravel() > 2e-5 for name in first]
    return float(np.concatenate(apart).mean())


LEAVING = """
from pathlib import Path
import torch
from whence.models.training.processes import process_group
together = process_group()
torch.optim.AdamW(torch.nn.Linear(1, 1).parameters())
assert together.all_gather(together.rank) == [0, 1]
together.leave()
print(*(name.read_text().strip() for name in Path("/proc/self/task").glob("*/comm")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are listed in /proc")
def test_no_thread_is_left_that_would_abort_the_end() -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    with socket.create_server(("127.0.0.1", 0)) as free:
        meeting = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free.getsockname()[1]), "WORLD_SIZE": "2"}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", LEAVING],
            env=os.environ | meeting | {"RANK": str(number)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in (0, 1)
    ]
    for one in both:
        said, _ = one.communicate(timeout=100)
        assert one.returncode == 0
        assert said and "gloo" not in said


@pytest.mark.slow
def test_what_one_process_trains_is_refused_to_several(tmp_path: Path) -> None:
    launcher = ["torch.distributed.run", "--nproc_per_node=2", "--standalone"]
    words = [
        "-m",
        "whence",
        "train",
        "anli",
        "small.majority",
        "-o",
        str(tmp_path / "model"),
    ]
    done = subprocess.run([sys.executable, "-m", *launcher, *words], capture_output=True, text=True, timeout=400)
    assert done.returncode != 0
    assert "majority models are trained by one process" in done.stderr
    assert not (tmp_path / "model").exists()
