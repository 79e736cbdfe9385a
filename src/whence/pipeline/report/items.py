"""The browser of items: each with its inputs, its values, gold and prediction side by side, and what differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from whence.checks.rule import Rule, check
from whence.pipeline.report.markup import Html, element, expandable, join, section, shortened
from whence.pipeline.report.outcomes import OUTCOMES, Judge, judges, primary, unjudged
from whence.pipeline.report.pictures import Compared, Picture, compared, marked, picture
from whence.pipeline.score import ScoreReport
from whence.structures.results import Example, Prediction, Problem
from whence.tasks.loading import rules_of
from whence.tasks.verification import show

_EXCERPT, _RAW, _LISTED = 110, 4000, 6
_HALF, _LEAST = 540.0, 0.75
"""The width that a picture has beside another, and how far one shrinks before it must be scrolled instead."""


@dataclass(frozen=True, slots=True)
class _Browser:
    """What the items of one page share."""

    report: ScoreReport
    rules: Sequence[Rule[Any, Any]]
    judges: tuple[Judge, ...]
    outcomes: tuple[str, ...]
    """By the metric that judges first."""
    drawn: int


def items_section(report: ScoreReport, drawn: int) -> Html:
    """Every item; pictures of the first `drawn`."""
    found = judges(report.scores, report.answers)
    chosen = primary(found)
    outcomes = unjudged(report.answers) if chosen is None else found[chosen].outcomes
    # As the report's counts of problems: there are rules of two protocols only.
    rules = rules_of(report.task, "paper" if report.protocol == "paper" else "official", report.dataset)
    browser = _Browser(report, rules, found, outcomes, drawn)
    items = [_item(browser, place) for place in range(len(report.answers))]
    return section(
        "items",
        "Items",
        element("p", *_introduction(browser, chosen)),
        _filters(browser, chosen),
        element("div", *items, id="list"),
    )


def _introduction(browser: _Browser, chosen: int | None) -> Iterator[str]:
    total = len(browser.report.answers)
    yield f"{total:,} items, each with gold and prediction side by side; "
    yield "what is marked + is in the prediction only, − in gold only, ~ is otherwise in gold."
    if chosen is not None:
        judge = browser.judges[chosen]
        yield " Unless another metric is chosen, an item is "
        yield (
            f"right if its {judge.name} is {judge.right:g}."
            if judge.binary
            else f"low, middle or high by the third of the items that its {judge.name} is in."
        )
    if total > browser.drawn:
        yield f" The first {browser.drawn:,} are drawn, the others are listed without pictures."


def _filters(browser: _Browser, chosen: int | None) -> Html:
    """Shown by the script that makes it work."""
    names = [judge.name for judge in browser.judges]
    options = [
        element("option", name, value=str(place), selected=place == chosen) for place, name in enumerate(names)
    ]
    sorting = [element("option", "order of the file", value="")]
    sorting += [element("option", name, value=str(place)) for place, name in enumerate(names)]
    parts = [
        element("fieldset", element("legend", "Outcome"), element("span", id="outcomes")),
        element("label", "judged by ", element("select", *options, id="judge")) if len(names) > 1 else Html(""),
        element("label", "Sort by ", element("select", *sorting, id="sort")),
        element(
            "label",
            "from ",
            element(
                "select",
                element("option", "worst", value="worst"),
                element("option", "best", value="best"),
                id="direction",
            ),
        ),
        element("label", "Search ", element("input", type="search", id="search", placeholder="id or any words")),
        element("output", id="shown", aria_live="polite"),
        element("span", element("kbd", "j"), " next, ", element("kbd", "k"), " previous", class_="soft"),
    ]
    lower = json.dumps([judge.lower_is_better for judge in browser.judges])
    return element(
        "div",
        *parts,
        id="filters",
        role="search",
        aria_label="Items",
        hidden=True,
        data_outcomes=" ".join(OUTCOMES),
        data_lower=lower,
        data_chosen=str(0 if chosen is None else chosen),
    )


def _item(browser: _Browser, place: int) -> Html:
    example, answer = browser.report.dataset.examples[place], browser.report.answers[place]
    outcome = browser.outcomes[place]
    excerpt = next(
        (text if isinstance(text, str) else " ".join(text) for _, text in input_rows(example.inputs)), ""
    )
    summary = element(
        "summary",
        element("span", f"{place + 1}", class_="place"),
        element("span", outcome, class_=f"outcome {outcome}"),
        element("span", example.id, class_="id"),
        element("span", shortened(excerpt, _EXCERPT), class_="excerpt"),
        element("span", *(_chip(judge, place) for judge in browser.judges), *_verdict(answer), class_="values"),
    )
    values = [judge.values[place] for judge in browser.judges]
    return element(
        "details",
        summary,
        element("div", *_body(browser, place, example, answer), class_="body"),
        class_="item",
        id=f"item-{place + 1}",
        data_outcomes=" ".join(judge.outcomes[place] for judge in browser.judges) or outcome,
        data_values=" ".join("-" if value is None else f"{value:.6g}" for value in values) or None,
    )


def _chip(judge: Judge, place: int) -> Html:
    value = judge.values[place]
    shown = "–" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
    return element("span", f"{judge.name} ", element("b", shown))


def _verdict(answer: Prediction[Any] | None) -> Iterator[Html]:
    if answer is not None and answer.verdict is not None:
        yield element("span", "verdict ", element("b", show(answer.verdict)))


def _body(
    browser: _Browser, place: int, example: Example[Any, Any], answer: Prediction[Any] | None
) -> Iterator[Html]:
    report = browser.report
    explanation = None if answer is None else answer.explanation
    pair = compared(report.task, report.dataset, example, explanation)
    yield element("dl", *_inputs(example.inputs), class_="rows")
    if answer is not None and answer.verdict is not None:
        yield element("p", f"Verdict: {show(answer.verdict)}, judged by {answer.verdict.judge}.")
    unread = _unread(answer)
    if place < browser.drawn:
        yield _drawn(tuple(_pictures(pair, place)), unread)
    elif unread:
        yield unread
    if pair.different:
        yield element("h3", "Differences to gold")
        yield element("ul", *(element("li", line) for line in pair.different), class_="several")
    elif not unread and pair.gold is not None and place >= browser.drawn:
        yield element("p", "The prediction and gold are the same picture.", class_="soft")
    if pair.others:
        yield expandable(f"Other gold explanations ({len(pair.others)})", _list(pair.others))
    problems = _problems(browser, example, answer)
    if problems:
        yield element("h3", "Problems of the prediction")
        yield element("ul", *(_problem(problem) for problem in problems))
    yield element("p", element("a", "link to this item", href=f"#item-{place + 1}"), class_="soft")


def _unread(answer: Prediction[Any] | None) -> Html:
    """What stands in the place of a prediction that cannot be shown; nothing if it can."""
    if answer is None:
        return element("p", "There is no answer to this item.", class_="alert")
    if answer.explanation is not None:
        return Html("")
    raw = element("pre", shortened(answer.raw, _RAW) or "(empty)", tabindex="0")
    return element("div", element("p", "The answer could not be read. As it came:", class_="alert"), raw)


def _drawn(pictures: Sequence[Picture], unread: Html) -> Html:
    """Pictures side by side; below each other where one is too wide for that."""
    stacked = any(found.width * _LEAST > _HALF for found in pictures)
    return element("div", *map(_figure, pictures), unread, class_="pair stacked" if stacked else "pair")


def _pictures(pair: Compared, place: int) -> Iterator[Picture]:
    same = pair.gold is not None and pair.predicted is not None and not pair.different
    if pair.gold is not None:
        title = "Gold and prediction, which are the same" if same else "Gold"
        yield picture(pair.gold, f"g{place + 1}", title, described=True)
    prediction = None if same else marked(pair)
    if prediction is not None:
        title = "Prediction, marked where it differs from gold" if pair.gold else "Prediction"
        # What differs is listed in words below.
        yield picture(prediction, f"p{place + 1}", title, described=not pair.different)


def _figure(found: Picture) -> Html:
    least = f"--least:{found.width * _LEAST:.0f}px"
    drawn = element("div", found.svg, class_="wide", tabindex="0", style=least)
    return element("figure", element("figcaption", found.title), drawn)


def _problems(
    browser: _Browser, example: Example[Any, Any], answer: Prediction[Any] | None
) -> tuple[Problem, ...]:
    if answer is None:
        return ()
    if answer.explanation is None:
        return answer.problems
    return (*answer.problems, *check(example.inputs, answer.explanation, browser.rules))


def _problem(problem: Problem) -> Html:
    where = (" ", element("span", problem.where, class_="soft")) if problem.where else ()
    return element("li", element("b", problem.rule), ": ", problem.message, *where)


def _inputs(inputs: Any) -> Iterator[Html]:
    for name, value in input_rows(inputs):
        if isinstance(value, str):
            shown: Html = join(value)
        elif len(value) > _LISTED:
            shown = expandable(f"{len(value)} entries", _list(value))
        else:
            shown = _list(value)
        yield join(element("dt", name), element("dd", shown))


def input_rows(inputs: Any) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """The fields of inputs that are filled: their names, and their texts or lists of texts."""
    for field in fields(inputs):
        value = getattr(inputs, field.name)
        if isinstance(value, tuple):
            yield field.name, tuple(_entry(entry) for entry in value)
        elif value not in ("", None):
            yield field.name, str(value)


def _entry(value: Any) -> str:
    """One of several: `sent1: water boils`, `A: Hello`."""
    if is_dataclass(value) and not isinstance(value, type):
        return ": ".join(str(getattr(value, field.name)) for field in fields(value))
    return ": ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _list(entries: Sequence[str]) -> Html:
    return element("ol", *(element("li", entry) for entry in entries))
