"""`whence score`: figures of a system's predictions, with intervals."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import (
    EngineOption,
    JsonOption,
    TaskArgument,
    print_json,
    print_lines,
    print_notes,
    print_table,
)
from whence.errors import MissingDataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from whence.formats.answer_rows import AnswerFields
    from whence.metrics.similarity import Classifier
    from whence.metrics.text_meteor import Synonyms
    from whence.pipeline.correct import Correction
    from whence.pipeline.score import Floors, ScoreReport
    from whence.structures.results import Measurement
    from whence.tasks.dataset import AnyDataset, Predictions
    from whence.tasks.scoring import ScoringOptions
    from whence.tasks.task import AnyTask

SIMILARITY_HELP = (
    "For G-BS, BERTScore and intermediates: embedded, embedded-cosine, exact, tokf1, or a checkpoint's folder."
)


PredictionsArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PREDICTIONS",
        help="Answers: a file of any common form, a run folder, a folder of texts, an inspect_ai or lm-eval log.",
    ),
]
GoldOption = Annotated[
    str, typer.Option(metavar="FILE", help="The examples: a file, a split such as 'dev', or 'samples'.")
]
ProtocolOption = Annotated[
    str, typer.Option(help="official (as the released evaluator), paper (as the paper's text) or whence (ours).")
]
SimilarityOption = Annotated[str | None, typer.Option(metavar="NAME", help=SIMILARITY_HELP)]
SecaOption = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="The model behind SeCA: embedded, or the folder of a model."),
]
EaOption = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="The model behind EA: embedded, or the folder of a model."),
]
StepOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="The model behind steps.valid: reader, large or both (verifiers), or a model's folder.",
    ),
]
UncalibratedOption = Annotated[
    bool,
    typer.Option(
        "--uncalibrated", help="Print figures of models that have no licence for them too, with a warning."
    ),
]
WordnetOption = Annotated[
    bool, typer.Option("--wordnet", help="Let METEOR match synonyms by WordNet (needs nltk and its data).")
]
ContextsOption = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Take the inputs of the same examples from this file (entailmentbank-3)."),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Break the figures down, for example by depth. Can be repeated."),
]
AgainstOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Another system's predictions, to test the difference.")
]
JudgementsOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Human judgements of some items, to correct the figures.")
]
HtmlOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a report, one HTML page.")]
RunOption = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FOLDER", help="Also keep answers and figures as a run, for the leaderboard."
    ),
]
LenientOption = Annotated[
    bool,
    typer.Option(
        "--lenient",
        help="Count missing predictions as wrong and keep the first of repeated ones, instead of refusing them.",
    ),
]
IdFieldOption = Annotated[str, typer.Option(metavar="NAME", help="The column with the ids of the examples.")]
FieldOption = Annotated[
    str, typer.Option(metavar="NAME", help="The column with the answers; may be a path such as response.text.")
]
UnreadOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write answers that could not be read here: id, raw, reason.")
]
RereadOption = Annotated[
    str,
    typer.Option(
        metavar="MODEL", help="Let a language model restate unread answers: embedded, a GGUF file, or a name."
    ),
]
RereadEndpointOption = Annotated[
    str, typer.Option(metavar="ADDRESS", help="The OpenAI-compatible endpoint that has the model of --reread.")
]
SamplesOption = Annotated[int, typer.Option(help="How many bootstrap resamples.", min=100)]
SeedOption = Annotated[int, typer.Option(help="The seed of the resampling.")]
FloorsOption = Annotated[
    bool | None,
    typer.Option(
        "--floors/--no-floors",
        help="Floors and ceilings: by default of metrics that need no model; of all, or of none.",
        show_default=False,
    ),
]
WorkOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Keep measurements here, so that the same command continues after a stop."
    ),
]


def score(
    task: TaskArgument,
    predictions: PredictionsArgument,
    gold: GoldOption,
    protocol: ProtocolOption = "official",
    similarity: SimilarityOption = None,
    seca: SecaOption = None,
    ea: EaOption = None,
    step: StepOption = None,
    uncalibrated: UncalibratedOption = False,
    wordnet: WordnetOption = False,
    contexts: ContextsOption = None,
    by: ByOption = None,
    against: AgainstOption = None,
    judgements: JudgementsOption = None,
    html: HtmlOption = None,
    output: RunOption = None,
    lenient: LenientOption = False,
    id_field: IdFieldOption = "",
    field: FieldOption = "",
    unread: UnreadOption = None,
    reread: RereadOption = "",
    reread_endpoint: RereadEndpointOption = "",
    samples: SamplesOption = 1000,
    seed: SeedOption = 0,
    floors: FloorsOption = None,
    engine: EngineOption = "serial",
    work: WorkOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score predictions: the paper's metrics, with intervals, breakdowns, comparison and causes of failure.

    Examples:
      whence score explagraphs predictions.tsv --gold dev
      whence score explagraphs mine.tsv --gold dev --by depth --html report.html
      whence score entailmentbank-1 mine.tsv --gold dev --against theirs.tsv
      whence score explagraphs replies.jsonl --gold dev --field response --unread unread.jsonl
      whence score explagraphs theirs.tsv --gold dev -o runs/theirs
    """
    from whence.commands.progress import work_progress
    from whence.engine import engine_named
    from whence.formats.answer_rows import AnswerFields
    from whence.pipeline import score as scoring
    from whence.pipeline.correct import correct, read_judgements
    from whence.pipeline.outside import outside_run, require_free, write_outside_run
    from whence.pipeline.spread import spread
    from whence.tasks import task_named

    chosen = task_named(task)
    given = {"similarity": similarity, "seca": seca, "ea": ea, "step": step, "wordnet": wordnet}
    refuse_unused(chosen, given)
    dataset = read_examples(chosen, gold, contexts)
    answers = read_system(chosen, predictions, dataset, AnswerFields(id_field, field))
    if reread or reread_endpoint:
        answers = _reread(chosen, dataset, answers, reread, reread_endpoint)
    about: dict[str, Any] = {}
    if output is not None:
        settings = {"protocol": protocol, **{name: value for name, value in given.items() if value}}
        about = outside_run(chosen, dataset, answers, gold, predictions.name, settings, contexts or "")
        require_free(output, about)
    judged = () if judgements is None else read_judgements(judgements)
    with work_progress() as told:
        report = scoring.score(
            chosen,
            dataset,
            answers,
            spread(
                engine_named(engine),
                partial(scoring_options, task, protocol, similarity, seca, ea, wordnet, step, uncalibrated),
                work,
                told,
            ),
            lenient=lenient,
            by=by or (),
            against=None if against is None else read_system(chosen, against, dataset),
            judgements=judged,
            samples=samples,
            seed=seed,
            floors=_FLOORS[floors],
        )
    corrections = correct(report.scores, report.dataset, judged)
    if unread is not None:
        _write_unread(unread, report)
    if html is not None:
        _write_page(html, report, corrections, f"{predictions.name} on {gold}")
    if output is not None:
        write_outside_run(output, about, report, corrections)
    if as_json:
        print_json(scoring.as_json(report, corrections))
        return
    show_figures(report)
    _show_corrections(corrections)
    if html is not None:
        print_lines([f"report: {html}"])
    if output is not None:
        print_lines([f"run: {output}. Next: whence serve --runs {output.parent}"])


_FLOORS: dict[bool | None, Floors] = {None: "without models", True: "with models", False: "none"}

_HANDED_IN = {
    "similarity": "similarity",
    "seca": "graph_classifier",
    "ea": "stance_classifier",
    "step": "step_classifier",
    "wordnet": "synonyms",
}
"""Options, and what of `ScoringOptions` they hand in."""


def refuse_unused(task: AnyTask, given: Mapping[str, object]) -> None:
    """Refuses options that no metric of the task uses."""
    uses = task.scoring().uses
    for name, value in given.items():
        if value and _HANDED_IN[name] not in uses:
            raise UsageError(f"{task.name} has no metric that uses --{name}")


def read_examples(task: AnyTask, gold: str, contexts: str | None) -> AnyDataset:
    """The examples that answers are for, with the inputs of another file where one is named."""
    from whence.pipeline.score import with_contexts
    from whence.tasks.loading import load
    from whence.tasks.sources import data_folder

    dataset = load(task, gold, data_folder)
    return dataset if contexts is None else with_contexts(dataset, load(task, contexts, data_folder))


def read_system(
    task: AnyTask, path: Path, dataset: AnyDataset, fields: AnswerFields | None = None
) -> Predictions[Any]:
    """A system's answers: a file of any form, or a run folder."""
    from whence.formats.answer_rows import AnswerFields
    from whence.tasks.logged import read_answers

    if not path.exists():
        raise MissingDataError(f"{path}: no such file")
    inside = path / "predictions.jsonl"  # of a run folder
    return read_answers(task, inside if inside.is_file() else path, dataset, fields or AnswerFields())


def _reread(
    task: AnyTask, dataset: AnyDataset, answers: Predictions[Any], model: str, endpoint: str
) -> Predictions[Any]:
    from whence.models.generators.choice import EMBEDDED, GeneratorSettings, generator
    from whence.pipeline.reread import reread

    return reread(task, dataset, answers, generator(GeneratorSettings(endpoint, model or EMBEDDED)))


def _write_unread(path: Path, report: ScoreReport) -> None:
    from whence.files import dump_json, write_lines
    from whence.pipeline.score import why_unread

    rows = ({"id": answer.id, "raw": answer.raw, "reason": why_unread(answer)} for answer in report.unread)
    write_lines(path, map(dump_json, rows))


def _write_page(path: Path, report: ScoreReport, corrections: Sequence[Correction], title: str) -> None:
    from whence.files import write_text
    from whence.pipeline.report import report_page

    write_text(path, report_page(report, corrections, title=title))


def scoring_options(
    task: str,
    protocol: str,
    similarity: str | None,
    seca: str | None,
    ea: str | None,
    wordnet: bool,
    step: str | None,
    uncalibrated: bool,
) -> ScoringOptions:
    """How to score, from what a user names."""
    from whence.pipeline.licences import licensed
    from whence.tasks import task_named
    from whence.tasks.scoring import ScoringOptions

    synonyms = _synonyms() if wordnet else None
    options = ScoringOptions(protocol, *scorers(similarity, seca, ea), synonyms, _step_classifier(step))
    given = {"similarity": similarity, "seca": seca, "ea": ea, "step": step}
    models = {_HANDED_IN[name]: model for name, model in given.items()}
    return licensed(task_named(task), options, models, uncalibrated=uncalibrated)


def scorers(similarity: str | None, seca: str | None, ea: str | None) -> tuple[Any, Any, Any]:
    """What measures G-BS, SeCA and EA, by name."""
    if similarity is None and seca is None and ea is None:
        return None, None, None
    from whence.models.similarity import classifier_named, similarity_named

    return (
        None if similarity is None else similarity_named(similarity),
        None if seca is None else classifier_named(seca, "explagraphs/seca"),
        None if ea is None else classifier_named(ea, "explagraphs/ea"),
    )


def _step_classifier(step: str | None) -> Classifier | None:
    if step is None:
        return None
    from whence.models.similarity import STEPS, classifier_named

    return classifier_named(step, STEPS)


def _synonyms() -> Synonyms:
    from whence.metrics.text_meteor import wordnet

    found = wordnet()
    if found is None:
        raise MissingDataError("WordNet is not here: it needs the package nltk and its data 'wordnet'")
    return found


def show_figures(report: ScoreReport) -> None:
    """All that a run says, as tables and lines."""
    digits = {found.metric.name: 2 if found.metric.scale == 100 else 4 for found in report.scores}
    title = f"{report.task.name}, {report.protocol}"
    _show_measurements(title, "metric", [(found, digits[found.name]) for found in report.measurements])
    _show_bounds(report)
    print_lines([f"answers: {', '.join(f'{count:,} {name}' for name, count in report.reading.items())}"])
    known = [(found, digits[found.name]) for found in report.before if found.value is not None]
    if known:
        _show_measurements(f"before {report.reading['mended']:,} answers were mended", "metric", known)
    _show_supported(report, digits)
    measured = [found.name for found in report.measurements if found.value is not None]
    for name, parts in report.slices.items():
        rows = [
            [part.group, str(part.n)]
            + [_value(found.value, digits[found.name]) for found in part.measurements if found.name in measured]
            for part in parts
        ]
        print_table((name, "items", *measured), rows, title=f"by {name}")
    _show_comparison(report, digits)
    for title, people in report.people.items():
        _show_measurements(title, "", [(found, 4) for found in people])
    _show_counts("failure causes", report.causes)
    _show_counts("problems by rule", report.problems)
    print_notes(report.notes)
    print_lines([str(report.signature)])


def _show_measurements(title: str, name: str, measured: Sequence[tuple[Measurement, int]]) -> None:
    bounded = any(found.floor is not None or found.ceiling is not None for found, _ in measured)
    columns = (name, "value", "95% interval", *(("floor", "ceiling") if bounded else ()), "items", "")
    rows = [
        (
            found.name,
            _value(found.value, digits),
            _interval(found, digits),
            *((_value(found.floor, digits), _value(found.ceiling, digits)) if bounded else ()),
            str(found.n),
            "; ".join(
                [*(["not above its floor"] if found.above_floor is False else []), *filter(None, [found.note])]
            ),
        )
        for found, digits in measured
    ]
    print_table(columns, rows, title=title)


def _show_supported(report: ScoreReport, digits: Mapping[str, int]) -> None:
    """The figures of the answers that follow, beside those of all; nothing where no answer was judged."""
    supported = report.supported
    if supported is None:
        return
    coverage = supported.coverage
    share = f"coverage {_value(coverage.value, 4)}, 95% interval {_interval(coverage, 4)}"
    print_lines([f"verdicts: {supported.n:,} of {len(report.answers):,} answers follow ({share})"])
    known = [(found, digits[found.name]) for found in supported.measurements if found.value is not None]
    if known:
        _show_measurements(f"the {supported.n:,} supported answers alone", "metric", known)


def _show_bounds(report: ScoreReport) -> None:
    """Whose answers the floors and ceilings are."""
    from whence.pipeline.score import SCORER_PARAMETERS

    described = {floor.name: floor.description for floor in report.task.floors()}
    described |= {ceiling.name: ceiling.description for ceiling in report.task.ceilings()}
    for kind, by in (("floor", "floor_by"), ("ceiling", "ceiling_by")):
        metrics: dict[str, list[str]] = {}
        for found in report.measurements:
            metrics.setdefault(getattr(found, by), []).append(found.name)
        unknown = metrics.pop("", [])
        if kind == "floor" and metrics:
            models = {
                scores.metric.name for scores in report.scores if scores.parameters.keys() & set(SCORER_PARAMETERS)
            }
            left = [name for name in unknown if name in models]
            print_lines([f"no floor of {', '.join(left)} yet: --floors measures it too"] if left else [])
        print_lines(
            f"{kind} of {', '.join(names)}: {described.get(name, name)}" for name, names in metrics.items()
        )


def _show_comparison(report: ScoreReport, digits: Mapping[str, int]) -> None:
    rows = [
        (
            found.name,
            _value(found.first, digits[found.name]),
            _value(found.second, digits[found.name]),
            _value(found.difference, digits[found.name], sign=True),
            _p(found.p),
            _p(found.p_corrected),
            found.test,
        )
        for found in report.comparison
        if found.difference is not None
    ]
    if rows:
        columns = ("metric", "other", "this", "difference", "p", "p corrected", "test")
        print_table(columns, rows, title="comparison")


def _show_counts(title: str, counts: Mapping[str, int]) -> None:
    if counts:
        ordered = sorted(counts.items(), key=lambda item: -item[1])
        print_lines([f"{title}:", *(f"{count:>7,} {name}" for name, count in ordered)])


def _show_corrections(corrections: Sequence[Correction]) -> None:
    rows = [
        (
            found.name,
            str(found.judged),
            _value(found.automatic, 3),
            _value(found.manual, 3),
            _value(found.underestimate, 3, sign=True),
            f"{_value(found.corrected, 3)} ({_value(found.low, 3)} to {_value(found.high, 3)})",
            "?" if found.needed is None else f"{found.needed:,}",
        )
        for found in corrections
    ]
    if rows:
        columns = (
            "metric",
            "judged",
            "automatic",
            "manual",
            "underestimate",
            "corrected, all items",
            "needed for ±2",
        )
        print_table(columns, rows, title="human correction")


def _value(value: float | None, digits: int, *, sign: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"


def _interval(found: Measurement, digits: int) -> str:
    return "" if found.low is None else f"{_value(found.low, digits)} to {_value(found.high, digits)}"


def _p(value: float | None) -> str:
    return "-" if value is None else "< .001" if value < 0.001 else f"{value:.3f}"
