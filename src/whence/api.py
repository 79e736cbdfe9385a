"""The Python interface in a few functions; everything else is in the layers below.

`load` examples; `check`, `draw` and `export` an explanation; `explain` an example; `answers` and `score` read and
measure a system's predictions, `judge` one answer; `save` writes either. The scripts in `examples/` use them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whence.checks.rule import check as _check
from whence.drawing import Diagram
from whence.errors import UsageError
from whence.structures.facts import Fact
from whence.structures.results import Example, Problem
from whence.tasks import task_named
from whence.tasks.dataset import AnyDataset, Dataset, Predictions
from whence.tasks.loading import load as _load
from whence.tasks.loading import locate, require_read, rules_of
from whence.tasks.sources import data_folder

if TYPE_CHECKING:
    from whence.pipeline.judge import Judged
    from whence.pipeline.score import ScoreReport
    from whence.tasks.export_forms import ExportForm
    from whence.tasks.method import Explained
    from whence.tasks.saving import Form
    from whence.tasks.scoring import ScoringOptions

_NO_FACTS: Mapping[str, Fact] = {}


def load(task: str, where: str | Path = "samples") -> AnyDataset:
    """The examples of a task: its samples, a published split such as "dev", or a file.

    Published splits are looked for in the folder that `WHENCE_DATA` names.
    """
    chosen = task_named(task)
    path, _ = locate(chosen, str(where), data_folder)
    return require_read(_load(chosen, str(where), data_folder), path)


def check(
    task: str,
    example: Example[Any, Any],
    explanation: Any = None,
    *,
    protocol: str = "official",
    facts: Mapping[str, Fact] = _NO_FACTS,
) -> tuple[Problem, ...]:
    """Problems of an explanation of the example; without one, of its first gold explanation."""
    if explanation is None and not example.golds:
        raise UsageError(f"{example.id} has no gold explanation to check: hand one in")
    rules = rules_of(task_named(task), protocol, Dataset((example,), (1,), facts=facts))
    return _check(example.inputs, example.golds[0] if explanation is None else explanation, rules)


def draw(
    task: str, example: Example[Any, Any], explanation: Any = None, *, facts: Mapping[str, Fact] = _NO_FACTS
) -> Diagram:
    """The example as a picture, which notebooks show; `whence.drawing.to_svg` and `to_text` write it."""
    if explanation is None and example.golds:
        explanation = example.golds[0]
    return task_named(task).diagram(example.inputs, explanation, facts)


def export(
    task: str,
    example: Example[Any, Any],
    explanation: Any = None,
    *,
    form: ExportForm = "mermaid",
    facts: Mapping[str, Fact] = _NO_FACTS,
) -> str:
    """An explanation as text for other tools; without one, the first gold explanation of the example.

    Forms: mermaid of every explanation, graphml and jsonld of argument graphs, paper (the paper's own string) of
    argument graphs and entailment trees.
    """
    from whence.tasks.export_forms import exported

    if explanation is None and not example.golds:
        raise UsageError(f"{example.id} has no gold explanation to export: hand one in")
    chosen = example.golds[0] if explanation is None else explanation
    return exported(chosen, draw(task, example, chosen, facts=facts), form)


def explain(
    task: str,
    example: Example[Any, Any],
    method: str = "",
    *,
    facts: Mapping[str, Fact] = _NO_FACTS,
    **settings: Any,
) -> Explained:
    """What a method makes of the example, with its reasons; without a name, the task's usual method.

    Settings are those of `whence explain --set`. Where the method made no explanation, `problems` and
    `unanswered` say why.
    """
    from whence.pipeline.explain import explainer
    from whence.tasks.method import Setup

    return explainer(task, method, settings, Setup(data_folder, facts)).explain([example])[0]


def answers(
    task: str, path: str | Path, dataset: AnyDataset, *, id_field: str = "", field: str = ""
) -> Predictions[Any]:
    """A system's predictions for the examples, from a published form, our own JSONL, or a language model's texts:
    JSONL, CSV, lines, a folder of texts, a log of inspect_ai or of lm-evaluation-harness.

    `id_field` and `field` name the columns of ids and answers where their names do not say it. What could not be
    read has no explanation, and says why in `problems`.
    """
    from whence.formats.answer_rows import AnswerFields
    from whence.tasks.logged import read_answers

    return read_answers(task_named(task), Path(path), dataset, AnswerFields(id_field, field))


def score(
    task: str,
    dataset: AnyDataset,
    predictions: Predictions[Any],
    *,
    protocol: str = "official",
    lenient: bool = False,
    floors: bool = True,
) -> ScoreReport:
    """The figures of predictions, with intervals, in `measurements`; a value for every item in `scores`.

    Each figure has its floor, what the best trivial answer gets, and its ceiling; without `floors`, neither.
    """
    from whence.pipeline.score import score as _score
    from whence.tasks.scoring import ScoringOptions

    return _score(
        task_named(task),
        dataset,
        predictions,
        ScoringOptions(protocol),
        lenient=lenient,
        floors="without models" if floors else "none",
    )


def judge(
    task: str,
    inputs: Any,
    text: str,
    gold: Any = None,
    metrics: Sequence[str] | None = None,
    *,
    facts: Mapping[str, Fact] = _NO_FACTS,
    options: ScoringOptions | None = None,
) -> Judged:
    """What one answer of a model is worth: a `value` from 0 to 1, all `figures`, the `problems` of its form.

    `inputs` are an `Example`, the task's inputs, or a mapping that has their fields; `gold` is an explanation, its
    fields, its published string or a list of these, and by default the example's. The value is the mean of the
    task's main metrics, or of those that `metrics` names, a distance counted as 1 minus it. It is 0 where the
    answer could not be read or breaks a rule that gold keeps, and None without gold. `options` hands in what
    neural metrics need.
    """
    from whence.pipeline.judge import OFFICIAL
    from whence.pipeline.judge import judge as _judge

    return _judge(task_named(task), inputs, text, gold, metrics, facts=facts, options=options or OFFICIAL)


def save(task: str, given: AnyDataset | Predictions[Any], path: str | Path, form: Form | None = None) -> None:
    """Writes examples or predictions in a form; without one, rows if the name ends in .parquet, else our own."""
    from whence.tasks.saving import form_for, write_records

    write_records(Path(path), task_named(task), given, form_for(Path(path), form))
