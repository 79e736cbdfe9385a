"""What everyday knowledge says of an observation: inferences of nine kinds, as ATOMIC has them.

The paper asks COMeT, a model that was trained on ATOMIC. Here ATOMIC's own events are searched for those that have
the observation's words; or a writer that learnt the head `inference` is asked, which is such a model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from whence.errors import MissingDataError
from whence.files import cache_folder
from whence.models.items import TextItem
from whence.models.learners import Judge
from whence.models.retrieval.index import build_index
from whence.models.retrieval.search import Searcher
from whence.models.retrieval.storage import indexed
from whence.models.retrieval.words import query_words
from whence.progress import Report, unreported
from whence.structures.hypothesis import Observations
from whence.tasks.abduction.data.files import ATOMIC_RELATIONS, Inference, read_atomic

FILES = ("v4_atomic_trn.csv", "v4_atomic_dev.csv", "v4_atomic_tst.csv")
"""Of ATOMIC, as published. What is there is searched."""
SAMPLES = Path(__file__).parent / "samples" / "inferences.csv"
_EVENTS = 8
_SOMEBODY = re.compile(r"\bPerson ?([XYZ])\b|_+")
_NOTHING = frozenset({"none", ""})


class Knowledge(Protocol):
    """What can say what follows from an observation, or leads to it."""

    @property
    def name(self) -> str:
        """What it is, with a fingerprint."""

    def inferences(self, observations: Sequence[str]) -> list[tuple[Inference, ...]]:
        """Of each observation one inference a relation at the most, in the order of `ATOMIC_RELATIONS`."""


@dataclass(frozen=True)
class AtomicEvents:
    """ATOMIC's events, found by their words."""

    name: str
    events: Mapping[str, Mapping[str, str]]
    """By event: the inference of each relation that most people wrote."""
    searcher: Searcher

    def inferences(self, observations: Sequence[str]) -> list[tuple[Inference, ...]]:
        """Of the events that have most of the observation's words: the first that says something of a relation."""
        return [self._inferences(text) for text in observations]

    def _inferences(self, observation: str) -> tuple[Inference, ...]:
        found = [hit.id for hit in self.searcher.search(query_words(observation), _EVENTS)]
        told = []
        for relation in ATOMIC_RELATIONS:
            event = next((event for event in found if relation in self.events[event]), None)
            if event is not None:
                told.append(Inference(event, relation, self.events[event][relation]))
        return tuple(told)


@dataclass(frozen=True)
class TaughtKnowledge:
    """A writer that learnt ATOMIC's inferences, as COMeT did."""

    judge: Judge

    @property
    def name(self) -> str:
        """The model's."""
        return f"inferences of {self.judge.name}"

    def inferences(self, observations: Sequence[str]) -> list[tuple[Inference, ...]]:
        """What it writes of each observation and relation."""
        asked = [(text, relation) for text in observations for relation in ATOMIC_RELATIONS]
        items = [TextItem(str(n), inference_prompt(*one)) for n, one in enumerate(asked)]
        written = [verdict.texts[0].text.strip() for verdict in self.judge.judge(items)]
        told = [Inference(*one, text) for one, text in zip(asked, written, strict=True)]
        count = len(ATOMIC_RELATIONS)
        return [
            tuple(one for one in told[start : start + count] if one.text.lower() not in _NOTHING)
            for start in range(0, len(told), count)
        ]


def inference_prompt(event: str, relation: str) -> str:
    """What a writer reads that is to infer."""
    return f"{event} <{relation}>"


def atomic_events(folder: Path | None, report: Report = unreported) -> AtomicEvents:
    """The events of ATOMIC's files in the data folder; our own few where none is there."""
    found = [folder / "atomic" / name for name in FILES] if folder is not None else []
    files = [path for path in found if path.is_file()]
    inferences = [one for path in files or [SAMPLES] for one in read_atomic(path)]
    counted: dict[str, dict[str, Counter[str]]] = {}
    for one in inferences:
        if one.text.strip().lower() not in _NOTHING:
            counted.setdefault(one.event, {}).setdefault(one.relation, Counter())[one.text.strip()] += 1
    events = {
        event: {relation: texts.most_common(1)[0][0] for relation, texts in own.items()}
        for event, own in counted.items()
    }
    texts = {event: _SOMEBODY.sub(" ", event) for event in events}
    index = indexed(cache_folder() / "indexes" / "atomic", texts, report) if files else build_index(texts)
    return AtomicEvents(f"atomic@{index.fingerprint[:8]}", events, Searcher(index))


def require_atomic(folder: Path, name: str) -> Path:
    """A file of ATOMIC."""
    path = folder / "atomic" / name
    if not path.is_file():
        raise MissingDataError(f"{path} is not here. Get it with: whence data get atomic")
    return path


def of_people(text: str, somebody: str) -> str:
    """An inference about PersonX as one about somebody."""
    return " ".join(_SOMEBODY.sub(lambda match: somebody if match[1] == "X" else "someone", text).split())


@dataclass(frozen=True, slots=True)
class Deduced:
    """A hypothesis made of an inference."""

    text: str
    inference: Inference


_TEMPLATES: Mapping[tuple[int, str], str] = {
    (0, "xWant"): "{who} wanted {to}.",
    (0, "xEffect"): "{who} {text}.",
    (1, "xNeed"): "{who} had {to} first.",
    (1, "xIntent"): "{who} wanted {to}.",
    (0, "oReact"): "Others felt {text}.",
}
"""Of the first observation what comes after it, of the second what comes before: what lies between is sought."""


def deduced(told: Sequence[Iterable[Inference]], who: str) -> list[Deduced]:
    """Hypotheses made of the inferences of both observations."""
    found = []
    for place, inferences in enumerate(told):
        for one in inferences:
            template = _TEMPLATES.get((place, one.relation))
            if template is not None:
                text = of_people(one.text, who).rstrip(".")
                to = text if text.lower().startswith("to ") else f"to {text}"
                found.append(Deduced(template.format(who=who, text=text, to=to), one))
    return found


def known_texts(told: Sequence[Iterable[Inference]]) -> tuple[str, ...]:
    """Eighteen texts, one for each relation of each observation; empty where nothing is known."""
    by_relation = [{one.relation: one.text for one in inferences} for inferences in told]
    return tuple(own.get(relation, "") for own in by_relation for relation in ATOMIC_RELATIONS)


def tagged(told: Sequence[Iterable[Inference]]) -> str:
    """The same as text, with a tag for each relation and observation (Table 8)."""
    pieces = []
    for number, inferences in enumerate(told, 1):
        pieces += [f"<{one.relation}{number}> {one.text}" for one in inferences]
    return " ".join(pieces)


def both(inputs: Observations) -> tuple[str, str]:
    """The two observations."""
    return inputs.obs1, inputs.obs2
