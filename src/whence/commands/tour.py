"""`whence tour`: all five kinds of explanation, on the bundled samples, offline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from whence.commands.output import print_lines
from whence.commands.show import drawn_lines

if TYPE_CHECKING:
    from whence.tasks.task import AnyTask


def tour(
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the five pictures to an HTML page.")
    ] = None,
) -> None:
    """Walk through all five kinds of explanation on the bundled samples, offline.

    Example:
      whence tour --html tour.html
    """
    from whence.files import write_text
    from whence.tasks import TASKS

    stops = sorted(
        ((task, task.tour) for task in TASKS.values() if task.tour is not None), key=lambda stop: stop[1].position
    )
    pictures = []
    for number, (task, shown) in enumerate(stops, 1):
        print_lines([f"━━ {number} of {len(stops)} ━━ {task.name}: {shown.caption}", ""])
        pictures.append((f"{task.name}: {shown.caption}", _stop(task, shown.sample)))
        print_lines([""])
    for task, shown in stops:
        if shown.degraded is not None:
            _score_stop(task, shown.degraded)
    for task, shown in stops:
        if shown.asked:
            _explain_stop(task, shown.asked)
    if html is not None:
        write_text(html, _page(pictures))
        print_lines([f"The pictures: {html}"])
    print_lines(
        [
            "Next:",
            "  whence serve                                                all of it in a browser",
            "  whence explain entailmentbank-1 --hypothesis TEXT --fact TEXT --fact TEXT   your own",
            "  whence show entailmentbank-1 samples -n 10 --svg tree.svg   another sample, as a picture",
            "  whence check explagraphs FILE                               problems of your own graphs",
            "  whence score explagraphs FILE --gold dev --html page.html   figures of your own system",
            "  whence train explagraphs                                    models that you can train",
            "  whence data list                                            the papers' data sets",
        ]
    )


def _stop(task: AnyTask, number: int) -> str:
    from whence.drawing import to_svg
    from whence.pipeline.check import check_examples
    from whence.tasks.loading import samples

    dataset = samples(task)
    example = dataset.examples[number - 1]
    diagram = task.diagram(example.inputs, example.golds[0], dataset.facts)
    report = check_examples(task, dataset, "paper")
    rules = len(task.rules("paper", dataset))
    clean = len(report.items) - len(report.faulty)
    print_lines(drawn_lines(diagram))
    print_lines(["", f"checked: {clean} of {len(report.items)} samples keep all {rules} rules of the paper"])
    return to_svg(diagram)


def _score_stop(task: AnyTask, degraded: Callable[[int, Any], Any]) -> None:
    """Score an imagined system, whose answers are made from gold."""
    from whence.commands.score import show_figures
    from whence.pipeline.score import score
    from whence.structures.results import Prediction
    from whence.tasks.dataset import Predictions
    from whence.tasks.loading import samples
    from whence.tasks.scoring import ScoringOptions

    dataset = samples(task)
    answers = [
        Prediction(example.id, degraded(index, example.golds[0])) for index, example in enumerate(dataset.examples)
    ]
    predictions = Predictions(tuple(answers), tuple(range(1, len(answers) + 1)))
    print_lines(["━━ and then ━━ score: a system that forgets the last edge, and every fifth stance", ""])
    show_figures(score(task, dataset, predictions, ScoringOptions(), floors="without models"))
    print_lines([""])


def _explain_stop(task: AnyTask, asked: Sequence[Mapping[str, Sequence[str]]]) -> None:
    """Explain what a user might type: what follows is shown, what does not is refused."""
    from whence.commands.explain import Answer
    from whence.errors import MissingDataError
    from whence.pipeline.explain import explainer
    from whence.tasks import form_inputs
    from whence.tasks.form_inputs import typed_example
    from whence.tasks.method import Setup
    from whence.tasks.sources import data_folder

    print_lines(["━━ and then ━━ explain: what follows is shown, what does not is refused", ""])
    try:
        maker = explainer(task.name, "", {}, Setup(data_folder))
        for texts in asked:
            example = typed_example(form_inputs(task), texts)
            answer = Answer(task, example, maker.explain([example])[0], {}, maker.name, maker.unverified)
            words = " ".join(f'--{name} "{text}"' for name, given in texts.items() for text in given)
            print_lines([f"$ whence explain {task.name} {words}", *answer.lines(answer.is_supported), ""])
    except MissingDataError as error:
        print_lines([f"{error}", ""])


def _page(pictures: list[tuple[str, str]]) -> str:
    from html import escape

    sections = "\n".join(f"<section><h2>{escape(title)}</h2>\n{svg}</section>" for title, svg in pictures)
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>whence tour</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<style>:root{color-scheme:light dark}body{font-family:system-ui,sans-serif;max-width:70rem;"
        "margin:2rem auto;padding:0 1rem}svg{max-width:100%;height:auto}h2{font-size:1.1rem;margin-top:3rem}"
        f"</style></head>\n<body>\n<h1>Five kinds of explanation</h1>\n{sections}\n</body>\n</html>\n"
    )
