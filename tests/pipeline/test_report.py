"""The report page: well-formed, self-contained, escaped, complete, the same every time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from whence.metrics.metric import Metric, Scores, scores, unmeasured
from whence.metrics.significance import bootstrap_weights
from whence.pipeline.correct import Correction
from whence.pipeline.report import report_page
from whence.pipeline.report.figures import p_value, verdict
from whence.pipeline.report.markup import Html, element, join, number
from whence.pipeline.report.outcomes import judges, primary, terciles
from whence.pipeline.report.page import POLICY
from whence.pipeline.report.plots import scale_of
from whence.pipeline.score import Difference, ScoreReport, Slice, measure
from whence.pipeline.signature import Signature
from whence.structures.graph import Argument, Edge, Graph, StanceGraph
from whence.structures.results import Example, Prediction, Problem
from whence.tasks import TASKS
from whence.tasks.dataset import AnyDataset, Dataset, Note
from whence.tasks.loading import samples
from whence.tasks.task import AnyTask

VOID = {"meta", "input", "br"}
SIGNATURE = Signature.of({"whence": "0", "n": "1"})
ATTACK = "'\"><script>alert(1)</script><img src=x onerror=alert(1)></title></style><!-- &amp; ]]>"

RIGHT = Metric("SA", "higher", (0, 1), "a paper", "Whether the stance is right.", scale=100)
DISTANCE = Metric("GED", "lower", (0, 1), "a paper", "How far the graph is.")
NEURAL = Metric("SeCA", "higher", (0, 1), "a paper", "Needs a model.")


class Page(HTMLParser):
    """What a browser would find: elements with attributes, in balance, and the text outside style and script."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute of {tag} is repeated"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.text.append(data)

    def named(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        return [found for name, found in self.elements if name == tag and attributes.items() <= found.items()]

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


def build(
    task: AnyTask,
    dataset: AnyDataset,
    answers: Sequence[Prediction[Any] | None],
    found: Sequence[Scores],
    **more: Any,
) -> ScoreReport:
    weights = bootstrap_weights(len(answers), 100, 0)
    measured = tuple(measure(one, weights) for one in found)
    empty: dict[str, Any] = {"problems": Counter(), "causes": Counter(), "notes": ()}
    return ScoreReport(
        task,
        dataset,
        answers,
        "official",
        SIGNATURE,
        tuple(found),
        measured,
        **{**empty, **more},
    )


def gold_answers(dataset: AnyDataset) -> list[Prediction[Any] | None]:
    return [Prediction(example.id, example.golds[0]) for example in dataset.examples]


def full_report(size: int = 20) -> ScoreReport:
    """Every part of a report: right, wrong, unreadable and missing answers, slices, a comparison, causes."""
    task = TASKS["explagraphs"]
    dataset = samples(task)
    examples = dataset.examples[:size]
    dataset = replace(dataset, examples=examples, lines=dataset.lines[:size])
    answers = gold_answers(dataset)
    answers[1] = Prediction(examples[1].id, examples[2].golds[0])
    answers[2] = None
    answers[3] = Prediction(examples[3].id, None, "no graph at all", (Problem("format", "", "expected a graph"),))
    right = [place not in (1, 2, 3) for place in range(size)]
    found = (
        scores(RIGHT, right),
        unmeasured(NEURAL, size, "needs a classifier: --seca FOLDER"),
        scores(
            DISTANCE, [None if place == 5 else 1 - kept * 0.9 for place, kept in enumerate(right)], note="slow"
        ),
    )
    weights = bootstrap_weights(size, 100, 0)
    parts = tuple(
        Slice(group, size, tuple(measure(one, weights) for one in found)) for group in ("support", "counter")
    )
    comparison = (
        Difference("SA", 80.0, 85.0, 5.0, -2.0, 12.0, 0.2, "McNemar", 0.4),
        Difference("SeCA", None, None, None, None, None, None, "", None),
        Difference("GED", 0.5, 0.2, -0.3, -0.4, -0.2, 0.0001, "paired t", 0.0002),
    )
    return build(
        task,
        dataset,
        answers,
        found,
        causes=Counter({"stance wrong": 3, "cyclic": 7}),
        problems=Counter({"connected": 2}),
        notes=(Note("missing", 1, "examples without a prediction"),),
        slices={"stance": parts},
        comparison=comparison,
    )


CORRECTIONS = (Correction("SA", 12, 80.0, 85.0, 5.0, 84.0, 80.0, 88.0, None),)


def test_page_has_every_part() -> None:
    page = Page(report_page(full_report(), CORRECTIONS, title="run 7"))
    assert [found["id"] for found in page.named("section")] == [
        "figures", "comparison", "slices", "failures", "unread", "correction", "items", "notes",
    ]  # fmt: skip
    for words in (
        "run 7",
        "whence:0|n:1",
        "lower is better",
        "needs a classifier: --seca FOLDER",
        "Whether the stance is right.",
        "no significant difference",
        "this one is better",
        "cannot be compared",
        "< .001",
        "By stance",
        "stance wrong",
        "cannot be said",
        "an item is right if its SA is 100.",
        "There is no answer to this item.",
        "no graph at all",
        "expected a graph",
        "Gold and prediction, which are the same",
        "Prediction, marked where it differs from gold",
        "1 missing : examples without a prediction",
    ):
        assert words in page.words, words


def test_outcomes_stand_at_the_items() -> None:
    page = Page(report_page(full_report(), title="run"))
    items = page.named("details", **{"class": "item"})
    assert [str(found["data-outcomes"]).split()[0] for found in items[:5]] == [
        "right", "wrong", "missing", "unread", "right",
    ]  # fmt: skip
    assert [found["id"] for found in items] == [f"item-{place}" for place in range(1, 21)]
    assert items[5]["data-values"] == "100 -"


def test_headings_are_in_order_and_ids_differ() -> None:
    page = Page(report_page(full_report(), CORRECTIONS, title="run"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))
    links = [str(found["href"]) for found in page.named("a")]
    assert {link.removeprefix("#") for link in links} <= set(ids)
    labels = [name for _, found in page.elements for name in str(found.get("aria-labelledby") or "").split()]
    assert set(labels) <= set(ids)
    assert all(found.get("scope") for found in page.named("th"))
    assert len(page.named("caption")) == len(page.named("table"))


def test_page_asks_for_nothing_outside() -> None:
    page = report_page(full_report(), CORRECTIONS, title="run")
    assert not re.search(r"https?://|//[a-z]|@import|url\(", page.replace("http://www.w3.org/2000/svg", ""))
    parsed = Page(page)
    assert not {tag for tag, _ in parsed.elements} & {"link", "img", "iframe", "object", "embed", "base", "form"}
    assert not [found for _, found in parsed.elements if "src" in found]
    assert POLICY in [found.get("content") for found in parsed.named("meta")]


def test_same_report_same_bytes() -> None:
    first = report_page(full_report(), CORRECTIONS, title="run")
    shuffled = replace(full_report(), causes=Counter({"cyclic": 7, "stance wrong": 3}))
    assert first == report_page(shuffled, CORRECTIONS, title="run")


def attacked() -> tuple[ScoreReport, Correction]:
    """A report with markup wherever a text can stand."""
    graph = Graph((Edge(ATTACK, ATTACK, "b"), Edge("b", "causes", "\0\ud800\u202e" + ATTACK)))
    example = Example(ATTACK, Argument(ATTACK, ATTACK), (StanceGraph(ATTACK, graph),))
    dataset = Dataset((example,) * 3, (1, 2, 3))
    answers: list[Prediction[Any] | None] = [
        Prediction(ATTACK, StanceGraph(ATTACK, Graph((Edge(ATTACK * 2, ATTACK, "c"),)))),
        Prediction(ATTACK, None, ATTACK, (Problem(ATTACK, ATTACK, ATTACK),)),
        None,
    ]
    metric = Metric(ATTACK, "lower", (0, 1), ATTACK, ATTACK)
    found = (scores(metric, [True, False, None], note=ATTACK), unmeasured(metric, 3, ATTACK))
    report = build(
        TASKS["explagraphs"],
        dataset,
        answers,
        found,
        causes=Counter({ATTACK: 1}),
        problems=Counter({ATTACK: 1}),
        notes=(Note(ATTACK, 1, ATTACK),),
        comparison=(Difference(ATTACK, 0.1, 0.2, 0.1, 0.0, 0.2, 0.5, ATTACK, 0.5),),
    )
    report = replace(
        report,
        protocol=ATTACK,
        signature=Signature.of({"task": ATTACK}),
        slices={ATTACK: (Slice(ATTACK, 3, report.measurements),)},
    )
    return report, Correction(ATTACK, 1, 0.1, 0.2, 0.1, 0.3, 0.2, 0.4, 7)


def test_floors_and_ceilings_are_ticks_and_columns() -> None:
    report = full_report()
    bare = Page(report_page(report, title="run"))
    assert not bare.named("path", **{"class": "floor"}) and "ceiling" not in bare.words
    measured = (
        replace(report.measurements[0], floor=40.0, floor_by="majority", ceiling=90.0, ceiling_by="people"),
        *report.measurements[1:],
    )
    page = Page(report_page(replace(report, measurements=measured), title="run"))
    assert len(page.named("path", **{"class": "floor"})) == len(page.named("path", **{"class": "ceiling"})) == 1
    assert "40.00 majority 90.00 people" in page.words and "not above it" not in page.words
    below = (replace(measured[0], above_floor=False), *measured[1:])
    assert "not above it" in Page(report_page(replace(report, measurements=below), title="run")).words


def test_markup_in_texts_stays_text() -> None:
    # "paper" and "official" are the protocols that have rules; any other is checked by the official ones.
    report, correction = attacked()
    page = report_page(report, (correction,), title=ATTACK)
    page.encode("utf-8")
    assert "\0" not in page and "\u202e" not in page
    parsed = Page(page)
    tags = Counter(tag for tag, _ in parsed.elements)
    assert tags["script"] == tags["style"] == 1
    assert not tags["img"]
    assert not [name for _, found in parsed.elements for name in found if name.startswith("on")]
    assert page.count("<script>") == page.count("</script>") == 1
    assert ATTACK in "".join(parsed.text)


@pytest.mark.parametrize("name", TASKS)
def test_every_task_has_a_page(name: str) -> None:
    task = TASKS[name]
    dataset = samples(task)
    answers = gold_answers(dataset)
    answers[0] = None
    answers[1] = Prediction(dataset.examples[1].id, None, "nonsense", (Problem("format", "", "unreadable"),))
    answers[2] = Prediction(dataset.examples[2].id, dataset.examples[3].golds[0])
    found = scores(RIGHT, [place > 2 for place in range(len(answers))])
    page = report_page(build(task, dataset, answers, [found]), title=name)
    parsed = Page(page)
    assert len(parsed.named("details", **{"class": "item"})) == len(answers)
    assert all(example.id in parsed.words for example in dataset.examples)
    assert "<style>" not in page[page.index("</head>") :]


def test_items_beyond_the_drawn_are_listed() -> None:
    report = full_report()
    whole, part = (report_page(report, title="run", drawn=drawn) for drawn in (500, 3))
    assert "The first 3 are drawn, the others are listed without pictures." in Page(part).words
    assert "are drawn, the others" not in Page(whole).words
    assert part.count('class="whence-drawing"') == 4  # same; gold and prediction; gold without an answer
    assert all(example.id in part for example in report.dataset.examples)


def test_pages_stay_small() -> None:
    report = full_report()
    pages = (report_page(replace_count(report, count), title="run") for count in (10, 20))
    small, large = (len(page.encode()) for page in pages)
    assert large - small < 10 * 15_000  # ten more items, each under 15 KB


def replace_count(report: ScoreReport, count: int) -> ScoreReport:
    dataset = replace(report.dataset, examples=report.dataset.examples[:count], lines=report.dataset.lines[:count])
    found = [
        Scores(one.metric, one.statistics[:count], one.known[:count], one.parameters, one.note)
        for one in report.scores
    ]
    return replace(report, dataset=dataset, answers=report.answers[:count], scores=tuple(found))


def test_no_metric_and_no_item() -> None:
    task = TASKS["anlg"]
    dataset = samples(task)
    page = Page(report_page(build(task, dataset, gold_answers(dataset), []), title="run"))
    assert "No metric could be measured." in page.words
    empty = Page(report_page(build(task, Dataset((), ()), [], []), title="run"))
    assert "0 items" in empty.words


def test_nearest_gold_is_compared() -> None:
    task = TASKS["anlg"]
    dataset = samples(task)
    example = dataset.examples[0]
    dataset = replace(dataset, examples=(example,), lines=(1,))
    answers = [Prediction(example.id, example.golds[1])]
    page = Page(report_page(build(task, dataset, answers, [scores(RIGHT, [True])]), title="run"))
    assert "Gold and prediction, which are the same" in page.words
    assert f"Other gold explanations ({len(example.golds) - 1})" in page.words
    assert example.golds[0].text in page.words


@pytest.mark.parametrize(
    "values, expected",
    [
        ([], ()),
        ([None], ("unknown",)),
        ([0.5, 0.5, 0.5], ("middle", "middle", "middle")),  # equal values are in the same third
        ([3, 1, 2], ("high", "low", "middle")),
        ([1, 2, 3, 4, 5, 6, None], ("low", "low", "middle", "middle", "high", "high", "unknown")),
    ],
)
def test_terciles(values: list[float | None], expected: tuple[str, ...]) -> None:
    assert terciles(values) == expected


def test_first_metric_of_right_and_wrong_judges() -> None:
    answers = [Prediction("a", 1), Prediction("b", 1)]
    error = replace(DISTANCE, name="error")
    found = judges((unmeasured(NEURAL, 2, ""), scores(DISTANCE, [0.5, 0.2]), scores(error, [0, 1])), answers)
    assert [judge.name for judge in found] == ["GED", "error"]
    assert primary(found) == 1
    assert found[1].outcomes == ("right", "wrong")  # of an error, 0 is right
    assert primary(found[:1]) == 0
    assert primary(()) is None


@pytest.mark.parametrize(
    "difference, p, metric, expected",
    [
        (5.0, 0.01, RIGHT, "this one is better"),
        (-5.0, 0.01, RIGHT, "this one is worse"),
        (-0.1, 0.01, DISTANCE, "this one is better"),
        (5.0, 0.05, RIGHT, "no significant difference"),
        (None, None, RIGHT, "cannot be compared"),
    ],
)
def test_verdict(difference: float | None, p: float | None, metric: Metric, expected: str) -> None:
    assert verdict(Difference("", None, None, difference, None, None, p, "", p), metric) == expected


@pytest.mark.parametrize(
    "bounds, scale, values, expected",
    [
        ((0, 1), 100, [50.0], (0, 100)),
        ((-1, 1), 1, [0.2, None], (0, 1)),  # a cosine that is never negative
        ((-1, 1), 1, [-0.2], (-1, 1)),
        ((0, float("inf")), 1, [3.1], (0, 5)),
        ((float("-inf"), 0), 1, [-3.0], (-3, 0)),
        ((0, float("inf")), 1, [], (0, 1)),
    ],
)
def test_scale(bounds: tuple[float, float], scale: float, values: list[float | None], expected: Any) -> None:
    assert scale_of(Metric("m", "higher", bounds, "", "", scale=scale), values) == expected


def test_markup_escapes_all_but_markup() -> None:
    assert join("<b>", Html("<b>")) == "&lt;b&gt;<b>"
    assert element("a", "x", href='"&', hidden=True, title=None) == '<a href="&quot;&amp;" hidden>x</a>'
    assert element("input", data_id=1.25) == '<input data-id="1.2">'
    assert (number(None), number(-0.5), number(50, whole=True, sign=True)) == ("–", "−0.5000", "+50.00")
    assert (p_value(None), p_value(0.0004), p_value(0.5), p_value(1.0)) == ("–", "< .001", ".500", "1.000")
