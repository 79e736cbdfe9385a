"""A hypothesis for two observations: several are found or written, and the best is chosen."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from whence.models.items import Item, TextItem
from whence.models.learners import Judge
from whence.models.learners.likelihood import LikelihoodJudge, LikelihoodSettings, language_model
from whence.models.learners.writer import WriterSettings, untrained_writer
from whence.models.trained import load_model
from whence.models.vector_cache import cached_encoder
from whence.progress import Report, unreported
from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import Example
from whence.tasks.abduction.data.files import ANLG_SPLITS, read_anlg_training
from whence.tasks.abduction.heads.heads import FORMS, HEADS
from whence.tasks.abduction.heads.writing import PROMPTS, Reader, written_reader
from whence.tasks.abduction.knowledge import Knowledge, TaughtKnowledge, atomic_events, both, deduced
from whence.tasks.abduction.methods.hypotheses.names import names_in
from whence.tasks.abduction.methods.hypotheses.similar_stories import Candidate, Stories, stories
from whence.tasks.abduction.task import ANLG, ANLI
from whence.tasks.head_method import Asked, asked, form_of
from whence.tasks.loading import samples
from whence.tasks.method import EMBEDDED, Explained, Method, Reason, Setup

ATOMIC = "atomic"
_REFUSED = 5
_SENTENCE = re.compile(r"\s*(.+?[.!?])(?=\s|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HypothesisSettings:
    """What a user may set."""

    retrieved: bool = True
    """Whether to try what people wrote about similar observations: ART's training part, or our samples."""
    knowledge: str = ATOMIC
    """Whence inferences come: `atomic` searches ATOMIC's events, a model folder is asked; empty: none."""
    deduced: bool = True
    """Whether to try what the inferences say as a hypothesis; else they are for the writer alone."""
    writer: str = ""
    """A model folder that learnt `hypothesis`; `embedded` is the language model as it is; empty: none writes."""
    prompt: Literal["stories", "because"] = "stories"
    """How a model is asked that did not learn it: after three stories, or as the paper asks GPT-2."""
    candidates: int = 6
    """How many hypotheses a writer writes."""
    chooser: str = EMBEDDED
    """A model folder that learnt anli's `choice`; empty: none chooses."""
    plausibility: str = ""
    """A language model (`embedded`, or a checkpoint) whose likelihood of the whole story counts too."""
    relevance: float = 4.0
    """How much likeness to the observations counts, beside the logarithm of the chooser's probability."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A model that writes hypotheses, and how it is asked."""

    judge: Judge
    reader: Reader | None
    """None: it was not taught, and is asked by a prompt."""
    prompt: str = ""

    @property
    def name(self) -> str:
        """The model's, and of what it is told beside the observations."""
        told = self.reader.knowledge if self.reader else None
        return f"{self.judge.name} told by {told.name}" if told else self.judge.name

    def candidates(self, asked: Sequence[Observations], report: Report) -> list[list[Candidate]]:
        """The first sentence of each text that it writes; what repeats an observation is none."""
        items = self.reader.items(asked) if self.reader else self._prompted(asked)
        found = []
        for inputs, verdict in zip(asked, self.judge.judge(items, report), strict=True):
            texts = dict.fromkeys(first_sentence(one.text) for one in verdict.texts)
            found.append([Candidate(text, "written") for text in texts if text and text not in both(inputs)])
        return found

    def _prompted(self, asked: Sequence[Observations]) -> list[TextItem]:
        return [TextItem(str(place), PROMPTS[self.prompt](inputs)) for place, inputs in enumerate(asked)]


def first_sentence(text: str) -> str:
    """The first sentence of what a model wrote, on one line."""
    line = text.strip().split("\n")[0].strip()
    match = _SENTENCE.match(line)
    return " ".join((match[1] if match else line).split())


@dataclass(frozen=True, slots=True)
class Sources:
    """Whence hypotheses come."""

    stories: Stories | None
    knowledge: Knowledge | None
    writer: Writer | None

    def candidates(self, asked: Sequence[Observations], report: Report) -> list[list[Candidate]]:
        """All of them, for each pair of observations."""
        found = [self.stories.candidates(inputs) if self.stories else [] for inputs in asked]
        if self.knowledge is not None:
            told = self.knowledge.inferences([text for inputs in asked for text in both(inputs)])
            for place, inputs in enumerate(asked):
                made = deduced(told[2 * place : 2 * place + 2], self._who(inputs))
                found[place] += [
                    Candidate(one.text, f"“{one.inference.event}”, {one.inference.relation}") for one in made
                ]
        if self.writer is not None:
            for place, written in enumerate(self.writer.candidates(asked, report)):
                found[place] += written
        return found

    def _who(self, inputs: Observations) -> str:
        common = self.stories.common if self.stories else frozenset[str]()
        named = names_in(" ".join(both(inputs)), common)
        if named:
            return named[0]
        return "I" if re.search(r"\bI\b|\b[Mm]y\b", " ".join(both(inputs))) else "Someone"


class Hypotheses:
    """Candidates from all sources, the best of them chosen."""

    def __init__(
        self, sources: Sources, chooser: Asked | None, plausibility: LikelihoodJudge | None, relevance: float
    ) -> None:
        self._sources, self._chooser = sources, chooser
        self._plausibility, self._relevance = plausibility, relevance
        parts = [
            f"stories@{sources.stories.fingerprint}" if sources.stories else "",
            sources.knowledge.name if sources.knowledge else "",
            sources.writer.name if sources.writer else "",
        ]
        ranked = [
            chooser.judge.name if chooser else "",
            plausibility.name if plausibility else "",
            f"likeness x {relevance}",
        ]
        self.name = f"hypotheses of {', '.join(filter(None, parts))}; by {', '.join(filter(None, ranked))}"

    def explain(
        self, examples: Sequence[Example[Observations, Any]], report: Report = unreported
    ) -> list[Explained]:
        """The best hypothesis for each pair of observations."""
        asked = [example.inputs for example in examples]
        return [_explained(own) for own in self._scored(asked, self._sources.candidates(asked, report))]

    def _scored(self, asked: Sequence[Observations], found: Sequence[Sequence[Candidate]]) -> list[list[Reason]]:
        places = [place for place, own in enumerate(found) if own]
        likeness = self._likeness([asked[p] for p in places], [found[p] for p in places])
        chosen = self._chosen([asked[p] for p in places], [found[p] for p in places])
        likely = self._likely([asked[p] for p in places], [found[p] for p in places])
        reasons: list[list[Reason]] = [[] for _ in found]
        for place, like, choice, log in zip(places, likeness, chosen, likely, strict=True):
            for number, candidate in enumerate(found[place]):
                score = self._relevance * like[number]
                because = [f"like the observations {like[number]:.2f}"] if self._relevance else []
                if choice is not None:
                    score += math.log(max(choice[number], 1e-9))
                    because.append(f"chosen {choice[number]:.3f} of {len(choice)}")
                if log is not None:
                    score += math.log(max(log[number], 1e-9))
                    because.append(f"plausible {log[number]:.3f}")
                reasons[place].append(Reason(candidate.text, score, (*because, candidate.origin)))
        return reasons

    def _likeness(self, asked: Sequence[Observations], found: Sequence[Sequence[Candidate]]) -> list[list[float]]:
        if not self._relevance:
            return [[0.0] * len(own) for own in found]
        encoder = cached_encoder()
        contexts = [" ".join(both(inputs)) for inputs in asked]
        texts = [one.text for own in found for one in own]
        vectors = encoder.sentences([*contexts, *texts])
        ours, theirs = vectors[: len(contexts)], iter(vectors[len(contexts) :])
        return [[float(np.dot(ours[place], next(theirs))) for _ in own] for place, own in enumerate(found)]

    def _chosen(
        self, asked: Sequence[Observations], found: Sequence[Sequence[Candidate]]
    ) -> list[tuple[float, ...] | None]:
        if self._chooser is None:
            return [None] * len(asked)
        items = _items(asked, found, self._chooser.form)
        return [verdict.probabilities for verdict in self._chooser.judge.judge(items)]

    def _likely(
        self, asked: Sequence[Observations], found: Sequence[Sequence[Candidate]]
    ) -> list[tuple[float, ...] | None]:
        if self._plausibility is None:
            return [None] * len(asked)
        items = _items(asked, found, "chain-rule")
        return [verdict.probabilities for verdict in self._plausibility.judge(items)]


def _items(asked: Sequence[Observations], found: Sequence[Sequence[Candidate]], form: str) -> list[Item]:
    """One choice among all candidates for each pair of observations."""
    items = []
    for place, (inputs, own) in enumerate(zip(asked, found, strict=True)):
        pair = HypothesisPair(inputs.obs1, inputs.obs2, "", "")
        items.append(Item(str(place), tuple(FORMS[form](pair, one.text) for one in own)))
    return items


def _explained(reasons: Sequence[Reason]) -> Explained:
    if not reasons:
        return Explained(None, (), (Reason("", None, ("no hypothesis was found or written",)),))
    best, *others = sorted(reasons, key=lambda reason: -(reason.score or 0.0))
    return Explained(Hypothesis(best.text), (best,), tuple(others[:_REFUSED]))


def hypotheses(settings: HypothesisSettings, setup: Setup) -> Hypotheses:
    """The sources and judges that the settings name."""
    knowledge = _knowledge(settings.knowledge, setup)
    sources = Sources(
        _stories(setup) if settings.retrieved else None,
        knowledge if settings.deduced else None,
        _writer(settings, knowledge) if settings.writer else None,
    )
    chooser = asked(ANLI, HEADS["anli"][0], settings.chooser, "", setup) if settings.chooser else None
    plausibility = None
    if settings.plausibility:
        weights = "writer" if settings.plausibility == EMBEDDED else settings.plausibility
        plausibility = LikelihoodJudge(language_model(LikelihoodSettings(weights)), "mean")
    return Hypotheses(sources, chooser, plausibility, settings.relevance)


def _stories(setup: Setup) -> Stories:
    """ART's training part where it is at hand; else our samples."""
    path = ANLG_SPLITS["train"].file(setup.data())
    if path.is_file():
        return stories(read_anlg_training(path).examples, "art", setup.report)
    return stories(samples(ANLG).examples)


def _knowledge(name: str, setup: Setup) -> Knowledge | None:
    if not name:
        return None
    if name == ATOMIC:
        return atomic_events(setup.data(), setup.report)
    model = load_model(Path(name))
    return TaughtKnowledge(model.judge(model.lesson("anlg", "inference")))


def _writer(settings: HypothesisSettings, knowledge: Knowledge | None) -> Writer:
    if settings.writer == EMBEDDED:
        judge = untrained_writer(WriterSettings(samples=settings.candidates, written=24, ends=""))
        return Writer(judge, None, settings.prompt)
    model = load_model(Path(settings.writer))
    lesson = model.lesson("anlg", "hypothesis")
    return Writer(model.judge(lesson), written_reader(form_of(model, lesson), knowledge))


METHOD = Method(
    "hypotheses",
    "what people wrote of similar stories, what everyday knowledge says and what a model writes; the best",
    HypothesisSettings,
    hypotheses,
    {"chooser": "anli/choice"},
)
