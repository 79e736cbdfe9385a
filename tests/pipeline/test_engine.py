"""The same results, in the same order, wherever chunks are done; what was stopped goes on anywhere."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from multiprocessing.connection import wait
from pathlib import Path

import pytest
from tests.commands.conftest import Run, assert_one_clear_line, run  # noqa: F401
from tests.pipeline.chunk_work import doubling

from whence.engine import SERIAL, Engine, Processes, Ray, chunks_of, engine_named, whole_chunks
from whence.errors import DataError, UsageError, WhenceError
from whence.files import write_lines
from whence.formats import records
from whence.pipeline import explain, runs
from whence.pipeline.harden import adversaries
from whence.pipeline.recipes import recipe_named
from whence.pipeline.train import train
from whence.progress import unreported
from whence.structures.results import Prediction
from whence.tasks import TASKS, scoring, task_named
from whence.tasks.loading import samples
from whence.tasks.ranked_facts import scoring as fact_scoring
from whence.tasks.sources import data_folder

NUMBERS = list(range(40))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Ray]:
    ray = pytest.importorskip("ray", reason="needs the extra `scale`")
    engine = Ray()
    assert [numbers for numbers, _ in engine.map(doubling, [[1]])] == [[2]]  # its cluster begins here
    yield engine
    ray.shutdown()


@pytest.fixture(scope="module")
def processes() -> Processes:
    return Processes(2)


@pytest.fixture(
    params=[
        "serial",
        "processes",
        pytest.param("cluster", marks=[pytest.mark.slow, pytest.mark.filterwarnings("ignore")]),
    ]
)
def engine(request: pytest.FixtureRequest) -> Engine:
    return SERIAL if request.param == "serial" else request.getfixturevalue(request.param)


@pytest.fixture(params=["processes", "cluster"])
def elsewhere(request: pytest.FixtureRequest) -> Engine:
    return request.getfixturevalue(request.param)


def test_results_come_in_order_and_workers_are_made_once(engine: Engine) -> None:
    found = list(engine.map(doubling, chunks_of(NUMBERS, 3)))
    assert [number for numbers, _ in found for number in numbers] == [2 * number for number in NUMBERS]
    assert len({worker for _, worker in found}) <= 2
    again = list(engine.map(doubling, chunks_of(NUMBERS, 3)))
    assert not {worker for _, worker in found} & {worker for _, worker in again}


def test_what_was_made_under_a_key_is_kept(engine: Engine) -> None:
    if engine is SERIAL:
        return  # a loop of one process makes it in every call, and callers hand in what they have
    first = {worker for _ in range(8) for _, worker in engine.map(doubling, [[1]], key="k")}
    assert len(first) <= 2


def test_an_error_comes_back_as_it_was(engine: Engine) -> None:
    with pytest.raises(DataError, match=r"numbers\.txt, line 3: expected a number, found -1"):
        list(engine.map(doubling, [[1], [-1], [2]]))


def test_chunks_are_not_made_before_somebody_may_do_them(engine: Engine) -> None:
    given = []
    results = engine.map(doubling, (given.append(number) or [number] for number in NUMBERS))
    next(results)
    results.close()
    assert len(given) <= 4


def test_a_worker_that_dies_is_one_clear_error_and_its_engine_lives() -> None:
    engine = Processes(2)
    with pytest.raises(WhenceError, match="ended from outside") as caught:
        list(engine.map(doubling, [[1], [-2], [2]]))
    assert "\n" not in str(caught.value)
    assert [numbers for numbers, _ in engine.map(doubling, [[1], [2]])] == [[2], [4]]


@pytest.mark.slow
def test_a_chunk_whose_worker_dies_is_done_again(cluster: Ray, tmp_path: Path) -> None:
    found = list(cluster.map(partial(doubling, str(tmp_path / "died")), [[1], [-2], [2]]))
    assert [numbers for numbers, _ in found] == [[2], [-4], [4]]


@pytest.mark.slow
def test_a_chunk_that_kills_every_worker_is_one_clear_error(cluster: Ray) -> None:
    with pytest.raises(WhenceError, match="ended from outside"):
        list(cluster.map(doubling, [[1], [-2], [2]]))


def test_workers_end_when_nobody_asks_any_more() -> None:
    before = set(active_children())
    engine = Processes(2)
    results = engine.map(doubling, ([number] for number in NUMBERS))
    next(results)
    mine = set(active_children()) - before
    assert mine
    results.close()
    left = {child.sentinel for child in mine}  # `is_alive` errs while the pool's thread waits for it too
    until = time.monotonic() + 30
    while left and time.monotonic() < until:
        left -= set(wait(left, timeout=1))
    assert not left


def test_names_of_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_named("serial") is SERIAL
    assert isinstance(engine_named("processes:3"), Processes)
    assert engine_named("ray:10.0.0.7:6379") == Ray("10.0.0.7:6379")
    for wrong in ("threads", "processes:none", "processes:0", "serial:2", ""):
        with pytest.raises(UsageError, match="there is no engine"):
            engine_named(wrong)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"pip install 'whence\[scale\]'"):
        list(engine_named("ray").map(doubling, [[1]]))


def test_what_is_left_is_cut_as_if_nothing_had_been_stopped() -> None:
    assert whole_chunks(NUMBERS[:7], 3, 40) == NUMBERS[:6]
    assert whole_chunks(NUMBERS, 3, 40) == NUMBERS


# The verbs.


class StoppedError(Exception):
    """Somebody stopped a run."""


def _stop(what: str, done: int, total: int) -> None:
    if done >= total // 2:
        raise StoppedError


def _explained(folder: Path, engine: Engine, report: Callable[[str, int, int], None] = unreported) -> None:
    explain.explain_split("worldtree", "facts", {"count": 3}, "samples", folder, data_folder, report, engine)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((explain, "_CHUNK"), (runs, "_CHUNK"), (adversaries, "_CHUNK"), (scoring, "CHUNK")):
        monkeypatch.setattr(module, name, 3)
    monkeypatch.setattr(fact_scoring, "_CHUNK", 3)


def _written(folder: Path, *names: str) -> list[bytes]:
    return [(folder / name).read_bytes() for name in names]


EXPLAINED = ("predictions.jsonl", "reasons.jsonl", "scores.json")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("small_chunks")
def test_explanations_are_the_same_bytes_and_go_on_elsewhere(elsewhere: Engine, tmp_path: Path) -> None:
    _explained(tmp_path / "whole", SERIAL)
    wanted = _written(tmp_path / "whole", *EXPLAINED)
    for name, first, second in (("there", elsewhere, SERIAL), ("back", SERIAL, elsewhere)):
        with pytest.raises(StoppedError):
            _explained(tmp_path / name, first, _stop)
        done = (tmp_path / name / "predictions.jsonl").read_text(encoding="utf-8").count("\n")
        assert 0 < done < len(samples(task_named("worldtree")).examples)
        _explained(tmp_path / name, second)
        assert _written(tmp_path / name, *EXPLAINED) == wanted


@pytest.mark.usefixtures("small_chunks")
def test_verdicts_are_the_same_bytes_and_go_on_elsewhere(engine: Engine, tmp_path: Path) -> None:
    recipe = recipe_named(task_named("anli"), "small.random", ["split=samples"])
    model = train([recipe], tmp_path / "model", data_folder)

    def judged(folder: Path, where: Engine, report: Callable[[str, int, int], None] = unreported) -> list[bytes]:
        runs.predict(model, "anli/choice", "samples", folder, data_folder, report, engine=where)
        return _written(folder, "verdicts.jsonl", "predictions.jsonl", "scores.json")

    wanted = judged(tmp_path / "whole", SERIAL)
    with pytest.raises(StoppedError):
        judged(tmp_path / "run", engine, _stop)
    assert judged(tmp_path / "run", engine) == wanted


def _answers(task: str, folder: Path) -> tuple[Path, Path]:
    """The samples twice, and answers of which some are of another example, as files."""
    chosen, chance = TASKS[task], random.Random(0)
    found = samples(chosen).examples
    twice = [replace(one, id=f"{one.id}-{turn}") for turn in range(2) for one in found]
    gold, answers = folder / "gold.jsonl", folder / "answers.jsonl"
    write_lines(gold, (records.format_record(one, chosen.form) for one in twice))
    given = [Prediction(one.id, chance.choice([one, chance.choice(twice)]).golds[0]) for one in twice]
    write_lines(answers, (records.format_record(one, chosen.form) for one in given))
    return gold, answers


NAMES = {"serial": "serial", "processes": "processes:2", "cluster": "ray"}


@pytest.mark.parametrize("task", ["explagraphs", "entailmentbank-1", "worldtree", "anlg", "cider-relation"])
@pytest.mark.usefixtures("small_chunks")
def test_figures_are_the_same_bytes(
    task: str,
    engine: Engine,
    run: Run,  # noqa: F811
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("whence.engine.engine_named", lambda name: SERIAL if name == "serial" else engine)
    gold, answers = _answers(task, tmp_path)
    words = ["score", task, answers, "--gold", gold, "--json", "--samples", "100"]
    words += (
        ["--similarity", "tokf1", "--uncalibrated"] if task in ("explagraphs", "entailmentbank-1", "anlg") else []
    )
    wanted = run(*words)
    assert wanted.code == 0, wanted.err
    work = ("--work", tmp_path / "work", "--engine", NAMES[request.node.callspec.params["engine"]])
    assert run(*words, *work).out == wanted.out
    measured = tmp_path / "work" / "measured.jsonl"
    if task == "cider-relation":  # only its rules are looked at one by one
        assert measured.exists()
        return
    lines = measured.read_bytes().splitlines(keepends=True)
    measured.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:50])  # as a stop leaves it
    assert run(*words, *work).out == wanted.out
    assert sorted(measured.read_bytes().splitlines(keepends=True)) == sorted(lines)
    whole = measured.read_bytes()
    assert run(*words, "--work", tmp_path / "work").out == wanted.out
    assert measured.read_bytes() == whole  # nothing was measured again


@pytest.mark.usefixtures("small_chunks")
def test_hardened_questions_are_the_same_bytes(
    engine: Engine,
    run: Run,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("whence.engine.engine_named", lambda name: SERIAL if name == "serial" else engine)
    words = ("harden", "anli", "samples", "--adversary", "random", "--check", "majority", "--iterations", 3)
    assert run(*words, "-o", tmp_path / "here").code == 0
    assert run(*words, "-o", tmp_path / "there", "--engine", "elsewhere").code == 0
    wanted = _written(tmp_path / "here", "before.jsonl", "after.jsonl", "curve.svg")
    assert _written(tmp_path / "there", "before.jsonl", "after.jsonl", "curve.svg") == wanted


def test_no_such_engine_is_one_clear_line(run: Run, tmp_path: Path) -> None:  # noqa: F811
    outcome = run("predict", "worldtree", "facts", "samples", "-o", tmp_path / "run", "--engine", "threads")
    assert_one_clear_line(outcome, "there is no engine 'threads'", "ray[:ADDRESS]")
