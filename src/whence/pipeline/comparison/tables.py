"""A comparison as a table: for a terminal, as Markdown, as LaTeX, and as rows of CSV.

Systems are rows and metrics columns, as papers print them; where there are more metrics than systems, the other
way round, so that the table stays narrow.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from whence.metrics.metric import Metric
from whence.pipeline.comparison.compare import LEVEL, Comparison, Figure
from whence.structures.results import Measurement

REFERENCES = {"floor": "floor: the best trivial answer", "ceiling": "ceiling: gold or people"}
"""What stands beside systems, where it was measured."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure, or a floor or ceiling, ready to be set."""

    value: str
    interval: tuple[str, str] | None = None
    best: bool = False
    tied: bool = False
    above_floor: bool | None = None
    n: int | None = None
    """Where the figure is of fewer items than there are."""


@dataclass(frozen=True, slots=True)
class Label:
    """The head of a row or column: a system, a reference, or a metric with its direction."""

    text: str
    better: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells under heads; `systems` are rows unless the grid is turned."""

    columns: tuple[Label, ...]
    rows: tuple[tuple[Label, tuple[Cell, ...]], ...]


def grid(compared: Comparison) -> Grid:
    """The table of a comparison."""
    heads = [Label(system.name) for system in compared.systems]
    lines = [
        [_cell(figure, metric, compared.n) for figure, metric in zip(row, compared.metrics, strict=True)]
        for row in compared.figures
    ]
    for name, text in REFERENCES.items():
        values = [compared.reference(index, name) for index in range(len(compared.metrics))]
        if any(value is not None for value in values):
            heads.append(Label(text))
            lines.append([Cell(_number(v, m)) for v, m in zip(values, compared.metrics, strict=True)])
    metrics = [Label(metric.name, metric.better) for metric in compared.metrics]
    if len(metrics) > len(compared.systems):
        return Grid(tuple(heads), tuple(zip(metrics, zip(*lines, strict=True), strict=True)))
    return Grid(tuple(metrics), tuple((head, tuple(line)) for head, line in zip(heads, lines, strict=True)))


def _cell(figure: Figure, metric: Metric, n: int) -> Cell:
    one = figure.measured
    if one.value is None:
        return Cell("-")
    ends = None if one.low is None or one.high is None else (_number(one.low, metric), _number(one.high, metric))
    fewer = one.n if one.n is not None and one.n < n else None
    return Cell(_number(one.value, metric), ends, figure.best, figure.tied, one.above_floor, fewer)


def _number(value: float | None, metric: Metric) -> str:
    """A figure as papers print it: one digit of a hundred, three of one."""
    if value is None:
        return "-"
    return f"{value:.1f}" if metric.bounds[1] * metric.scale > 1 else f"{value:.3f}"


def marks_explained(compared: Comparison) -> list[str]:
    """What the marks in a table mean: one sentence for each mark that occurs."""
    figures = [figure for row in compared.figures for figure in row]
    tested = f"paired tests, p < {LEVEL:g} after Holm's correction for {_tests(compared)}"
    said = [f"Intervals are 95%. * is the best figure ({tested})."]
    if any(figure.tied for figure in figures):
        said.append("= is not significantly different from the best.")
    if any(figure.measured.above_floor is False for figure in figures):
        said.append("† is not significantly better than its floor.")
    return said


def _tests(compared: Comparison) -> str:
    return f"{len(compared.tests):,} test{'' if len(compared.tests) == 1 else 's'}"


def plain_cell(cell: Cell) -> str:
    """A cell in two lines, with its marks."""
    ends = "" if cell.interval is None else f"\n{cell.interval[0]} to {cell.interval[1]}"
    items = "" if cell.n is None else f"\nn = {cell.n:,}"
    return f"{cell.value}{_marks(cell)}{ends}{items}"


def _marks(cell: Cell) -> str:
    return f"{'*' if cell.best else ''}{'=' if cell.tied else ''}{'†' if cell.above_floor is False else ''}"


def plain_label(label: Label) -> str:
    """A head, with an arrow where less is better."""
    return f"{label.text} ↓" if label.better == "lower" else label.text


def markdown(compared: Comparison) -> Iterator[str]:
    """The table as lines of Markdown, with what its marks mean and the signature."""
    table = grid(compared)
    yield "| | " + " | ".join(_markdown_text(plain_label(column)) for column in table.columns) + " |"
    yield "|---|" + "---:|" * len(table.columns)
    for head, cells in table.rows:
        row = " | ".join(_markdown_cell(cell) for cell in cells)
        yield f"| {_markdown_text(plain_label(head))} | {row} |"
    yield ""
    yield f"{_markdown_text(compared.title)}, {compared.n:,} items. " + _markdown_marks(compared)
    for line in remarks(compared):
        yield ""
        yield _markdown_text(line)
    yield ""
    yield f"`{compared.signature}`"


def _markdown_marks(compared: Comparison) -> str:
    said = " ".join(marks_explained(compared))
    return said.replace("* is the best", "Bold is the best").replace("= is not", "Italics are not")


def _markdown_cell(cell: Cell) -> str:
    value = f"**{cell.value}**" if cell.best else f"*{cell.value}*" if cell.tied else cell.value
    dagger = "†" if cell.above_floor is False else ""
    ends = "" if cell.interval is None else f" ({cell.interval[0]} to {cell.interval[1]})"
    items = "" if cell.n is None else f", n = {cell.n:,}"
    return f"{value}{dagger}{ends}{items}"


def _markdown_text(text: str) -> str:
    for character in ("\\", "|", "*", "_", "`", "<"):
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())


def remarks(compared: Comparison) -> Iterator[str]:
    """What a reader must know besides: unread answers, metrics not measured, training data."""
    for system in compared.systems:
        lost = [
            f"{system.reading.get(name, 0):,} {name}" for name in ("unread", "missing") if system.reading.get(name)
        ]
        if lost:
            yield f"{system.name}: {', '.join(lost)} of {compared.n:,} answers, counted as wrong"
        yield from (f"{system.name}: {remark}" for remark in system.remarks)
    for name, why in compared.unmeasured.items():
        yield f"not measured: {name} ({why})"


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def latex_text(text: str) -> str:
    """Text as LaTeX sets it letter by letter; letters that a plain article class lacks become "?"."""
    text = " ".join(text.split()).replace('"', "''")
    # Accented letters of the Latin alphabet are in every LaTeX since 2018; other scripts need packages and fonts.
    return "".join(
        _LATEX.get(letter, letter if letter.isascii() or "À" <= letter <= "ÿ" else "?") for letter in text
    )


_WIDE = 3
"""Columns of figures with intervals that fit a page in letters of the usual size."""


def latex(compared: Comparison) -> Iterator[str]:
    """A table for an article: needs `\\usepackage{booktabs}` and nothing else."""
    table = grid(compared)
    yield f"% {compared.signature}"
    yield r"% needs \usepackage{booktabs}"
    yield r"\begin{table}[t]"
    yield r"\centering"
    if len(table.columns) > _WIDE:
        yield r"\small\setlength{\tabcolsep}{4pt}"
    yield rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield f" & {' & '.join(map(_latex_label, table.columns))} \\\\"
    yield r"\midrule"
    references = set(REFERENCES.values())
    for number, (head, cells) in enumerate(table.rows):
        if head.text in references and number and table.rows[number - 1][0].text not in references:
            yield r"\midrule"
        yield f"{_latex_label(head)} & {' & '.join(map(_latex_value, cells))} \\\\"
        if any(cell.interval is not None for cell in cells):
            yield f" & {' & '.join(map(_latex_interval, cells))} \\\\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield rf"\caption{{{_latex_caption(compared)}}}"
    yield r"\end{table}"
    yield from (f"% {line}" for line in remarks(compared))


def _latex_label(label: Label) -> str:
    text = latex_text(label.text.partition(":")[0] if label.text in REFERENCES.values() else label.text)
    return f"{text} {_ARROWS[label.better]}" if label.better else text


_ARROWS = {"higher": r"$\uparrow$", "lower": r"$\downarrow$"}


def _latex_value(cell: Cell) -> str:
    value = "--" if cell.value == "-" else f"${cell.value}$" if cell.value.startswith("-") else cell.value
    marked = rf"\textbf{{{value}}}" if cell.best else rf"\underline{{{value}}}" if cell.tied else value
    return rf"{marked}$^\dagger$" if cell.above_floor is False else marked


def _latex_interval(cell: Cell) -> str:
    return "" if cell.interval is None else rf"{{\scriptsize [{cell.interval[0]}, {cell.interval[1]}]}}"


def _latex_caption(compared: Comparison) -> str:
    figures = [figure for row in compared.figures for figure in row]
    said = [
        f"{latex_text(compared.title)}, {compared.n:,} items, with 95\\% intervals. Bold: the best figure"
        + ("; underlined: not significantly different from it" if any(one.tied for one in figures) else "")
        + f" (paired tests, $p < {LEVEL:g}$ after Holm's correction for {_tests(compared)})."
    ]
    if any(one.measured.above_floor is False for one in figures):
        said.append(r"$\dagger$: not significantly better than its floor.")
    if any(compared.reference(index, "floor") is not None for index in range(len(compared.metrics))):
        said.append("Floor: the best trivial answer.")
    if any(compared.reference(index, "ceiling") is not None for index in range(len(compared.metrics))):
        said.append("Ceiling: gold answers or people, by the same scorer.")
    said += [latex_text(f"{line}.") for line in remarks(compared) if not line.startswith("not measured")]
    return " ".join(said)


_COLUMNS: dict[str, Callable[[Measurement], object]] = {
    "value": lambda one: one.value,
    "low": lambda one: one.low,
    "high": lambda one: one.high,
    "n": lambda one: one.n,
    "missing": lambda one: one.missing,
    "floor": lambda one: one.floor,
    "ceiling": lambda one: one.ceiling,
    "above_floor": lambda one: one.above_floor,
}


def csv_text(compared: Comparison) -> str:
    """One row for each system and metric, with all digits; `p`: of the difference from the best, corrected."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["system", "metric", "better", *_COLUMNS, "best", "tied", "p"])
    for system, row in zip(compared.systems, compared.figures, strict=True):
        for metric, figure in zip(compared.metrics, row, strict=True):
            values = [read(figure.measured) for read in _COLUMNS.values()]
            writer.writerow([system.name, metric.name, metric.better, *values, figure.best, figure.tied, figure.p])
    return stream.getvalue()


FORMS: dict[str, Callable[[Comparison], str]] = {
    "latex": lambda compared: _joined(list(latex(compared))),
    "csv": csv_text,
    "markdown": lambda compared: _joined(list(markdown(compared))),
}
"""Texts that a comparison can be written as, by name."""


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
