"""What a collection is: its stages, who may do what, what is asked, what it pays. Read from one TOML file.

Everything about a collection that is not an item or an answer stands here, so that the five papers' collections
are five files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from whence.errors import UsageError, quoted
from whence.files import Json

DONE, DROPPED = "done", "dropped"
"""Where the way of an artifact ends."""

_ONLY_KNOWN_KEYS: Mapping[str, Any] = {"extra": "forbid"}

Editor = Literal["text", "graph", "triplets", "tree", "worksheet"]
"""What a field is written with: each is one editor of the web pages and one shape of value."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with a few possible answers, of the whole item or of each of its parts."""

    question: str
    """Its short name, under which judgements are kept; no two stages share one."""
    answers: tuple[str, ...]
    text: str = ""
    """What people read."""
    parts: str = ""
    """Points at the list whose elements are judged one by one; empty: the item as a whole."""
    remarks: bool = False
    """Whether a remark may be added to each answer, such as a suggested edit."""
    explained: Mapping[str, str] = field(default_factory=dict)
    """What each answer means, in words."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Write:
    """Something that a person writes or builds."""

    name: str
    editor: Editor = "text"
    text: str = ""
    """What people read."""
    when: str = ""
    """Asked for only where the stage's question has this answer; empty: always."""
    options: tuple[str, ...] = ()
    """Names to choose from: the categories of a worksheet."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Rules:
    """Which rules of a task an answer keeps, and how item and answer become what the task checks."""

    task: str
    inputs: Mapping[str, Json]
    explanation: Mapping[str, Json]
    protocol: Literal["official", "paper"] = "paper"
    warn: tuple[str, ...] = ()
    """Rules whose problems are told but do not block."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many people do the same job."""

    kind: Literal["fixed", "tie-breaker", "margin", "everyone"] = "fixed"
    """So many; two and a third if they differ; until one answer leads; each person once, as in a test."""
    count: int = 1
    """How many; of a margin, the least."""
    most: int = 0
    """Of a margin: no more than these."""
    margin: int = 0
    """Of a margin: how many votes the first answer must be ahead of the second."""
    by: str = ""
    """Points at a part of the item by which `counts` tells another number, such as two graphs a test sample."""
    counts: Mapping[str, int] = field(default_factory=dict)
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Workers:
    """Who may do it."""

    requires: tuple[str, ...] = ()
    """Qualifications, all of them."""
    own: bool = False
    """Whether people may work on what they themselves made, anywhere along its lineage."""
    same_as: str = ""
    """Only those who did this earlier stage of the same artifact; a tie is broken by another person."""
    other_than: tuple[str, ...] = ()
    """Nobody who did one of these stages of the same artifact."""
    cap: int = 0
    """At most so many a person; 0: any number."""
    probation: int = 0
    """The first so many of a person are looked at by hand before there are more."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class ModelInLoop:
    """A model that is to be fooled: an answer on which it is right comes back, so many times."""

    lesson: str
    """What the model learnt, such as `explagraphs/stance`."""
    texts: tuple[str, str]
    """Two pointers: what it reads."""
    target: str
    """Points at the label that the answer was to have."""
    tries: int = 3
    folder: str = ""
    """Of a trained model; empty: the small one that ships with the package."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Test:
    """A test: answers are compared with known ones, or looked at by hand, and a qualification is earned."""

    earns: str
    gold: str = ""
    """Points at the right answers by part, which are never shown; empty: it is looked at by hand."""
    share: float = 1.0
    """The share of right answers that passes."""
    within: float = 0.0
    """How far a rating may be from the known one and still be right."""
    tries: int = 1
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Decide:
    """How answers become an outcome."""

    rule: Literal["majority", "mean-rounded-up", "all"] = "majority"
    """More than half say so; the mean of each part; every part has the answer `good` or not."""
    against: str = ""
    """Points at the label that a majority is compared with: the outcome is then `matches` or `differs`."""
    good: str = ""
    """Of the rule `all`."""
    records: str = ""
    """Under which name the artifact goes on with what was decided; empty: it goes on as it is."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Make:
    """An artifact that an answer makes: what it worked on, with these parts added or replaced."""

    kind: str
    to: str
    """The stage it goes to, or `done`."""
    payload: Mapping[str, Json]
    """A template over `/item`, `/answer` and, of several, `/each`."""
    each: str = ""
    """Points at a list: one artifact for each of its elements."""
    when: str = ""
    """Only where the answer to the stage's question is this one."""
    if_decided: str = ""
    """Only where this is the outcome of the job."""
    suffix: str = ""
    """Added to the name of what it was made from; with `each` the part is told instead."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Route:
    """Where an artifact goes after a decision."""

    when: str
    """The outcome; `*` is any other."""
    to: str
    at_most: int = 0
    """So often may it have been there; 0: any number."""
    then: str = DROPPED
    """Where it goes instead."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the work: what is shown, what is asked, of whom, and what comes of it."""

    name: str
    title: str
    takes: str = ""
    """The kind of artifact that it works on."""
    shows: tuple[str, ...] = ()
    """The parts of the artifact that people see. Nothing else leaves the server."""
    called: Mapping[str, str] = field(default_factory=dict)
    """What people read above a part; else its name."""
    instructions: str = ""
    ask: Ask | None = None
    write: tuple[Write, ...] = ()
    rules: Rules | None = None
    overlap: Overlap = Overlap()
    workers: Workers = Workers()
    model: ModelInLoop | None = None
    test: Test | None = None
    decide: Decide | None = None
    makes: tuple[Make, ...] = ()
    routes: tuple[Route, ...] = ()
    accept: Literal["at once", "by hand"] = "at once"
    pay: int = 0
    """For each submission, in minor units of the currency."""
    lease: int = 3600
    """Seconds until a slot that was taken and left alone is free again."""
    open: bool = True
    """Whether people may start at once, or an administrator opens the stage later."""
    machine: str = ""
    """The machine that does this stage instead of people, such as `harden`."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS

    @property
    def is_test(self) -> bool:
        """Whether people take it for themselves: it earns a qualification and no data."""
        return self.test is not None


@dataclass(frozen=True, slots=True)
class Qualification:
    """What a person must have shown. One without conditions is earned by a test or given by hand."""

    name: str
    title: str = ""
    made_at: str = ""
    """Earned by what the person made at this stage ..."""
    judged_at: str = ""
    """... and what was decided about it at that one:"""
    outcome: str = ""
    """this outcome,"""
    least: int = 0
    """so many times at least,"""
    share: float = 0.0
    """and for this share at least."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Source:
    """Where items come from, and where they enter."""

    name: str
    kind: str
    enters: tuple[str, ...]
    needs: tuple[str, ...] = ()
    """Parts that every item must have."""
    task: str = ""
    """Items may be examples of this task too: their inputs become the parts."""
    parts: Mapping[str, Json] = field(default_factory=dict)
    """A template over `/id`, `/inputs`, `/golds`, `/meta` and `/shortlist` of an example; empty: its inputs."""
    shortlist: int = 0
    """How many facts the machine offers for each question; 0: none."""
    items: tuple[Mapping[str, Json], ...] = ()
    """Items that stand in the configuration itself, such as those of a test."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Export:
    """A file that comes out: examples of a task, or rows by a template."""

    name: str
    """Of the file, without its ending."""
    of: str
    """The kind of artifact, as far as it is done."""
    task: str = ""
    per: str = ""
    """One record for each ancestor of this kind; empty: one for each artifact."""
    inputs: Mapping[str, Json] = field(default_factory=dict)
    golds: Json = None
    meta: Mapping[str, Json] = field(default_factory=dict)
    row: Mapping[str, Json] = field(default_factory=dict)
    """Instead of the above: a template for one JSON object."""
    split: str = ""
    """Points at a part by whose value the records go to different files."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS


@dataclass(frozen=True, slots=True)
class Configuration:
    """A whole collection."""

    name: str
    title: str
    stages: tuple[Stage, ...]
    sources: tuple[Source, ...]
    exports: tuple[Export, ...] = ()
    qualifications: tuple[Qualification, ...] = ()
    currency: str = "USD"
    paper: str = ""
    """Whose collection this is, and what it leaves open."""
    __pydantic_config__: ClassVar[Mapping[str, Any]] = _ONLY_KNOWN_KEYS

    def stage(self, name: str) -> Stage:
        """The stage of that name."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise UsageError(
            f"{self.name} has no stage {quoted(name)}; it has {', '.join(s.name for s in self.stages)}"
        )

    def source(self, name: str) -> Source:
        """The source of that name."""
        for source in self.sources:
            if source.name == name:
                return source
        known = ", ".join(source.name for source in self.sources)
        raise UsageError(f"{self.name} has no source {quoted(name)}; it has {known}")
