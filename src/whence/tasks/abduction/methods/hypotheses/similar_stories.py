"""Hypotheses without a language model: what people wrote about similar observations, told of other people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from whence.files import cache_folder
from whence.models.retrieval.index import build_index
from whence.models.retrieval.search import Searcher
from whence.models.retrieval.storage import indexed
from whence.models.retrieval.words import query_words
from whence.progress import Report, unreported
from whence.structures.hypothesis import Hypothesis, Observations
from whence.structures.results import Example
from whence.tasks.abduction.methods.hypotheses.names import common_words, names_in, retold

_STORIES = 12
_HYPOTHESES = 24


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hypothesis that may be the answer, and where it comes from."""

    text: str
    origin: str


@dataclass(frozen=True)
class Stories:
    """Observations with the hypotheses that people wrote, found by their words."""

    examples: tuple[Example[Observations, Hypothesis], ...]
    common: frozenset[str]
    contexts: Searcher
    hypotheses: Searcher
    written: dict[str, tuple[Example[Observations, Hypothesis], str]] = field(repr=False, default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """Of all that was written."""
        return self.hypotheses.index.fingerprint[:8]

    def candidates(self, inputs: Observations) -> list[Candidate]:
        """What was written about similar stories, and what has the words of this one, the most similar first.

        A story with the same observations is left out: its hypotheses would be the answer.
        """
        ours = _context(inputs)
        wanted = query_words(_nameless(ours, self.common))
        found: dict[str, Candidate] = {}
        stories = [int(hit.id) for hit in self.contexts.search(wanted, _STORIES)]
        pairs = [(self.examples[place], gold.text) for place in stories for gold in self.examples[place].golds]
        pairs += [self.written[hit.id] for hit in self.hypotheses.search(wanted, _HYPOTHESES)]
        for example, text in pairs:
            if example.inputs == inputs:
                continue
            told = retold(text, f"{_context(example.inputs)} {text}", ours, self.common)
            if told is not None and not repeats(told, inputs):
                origin = f"written about “{example.inputs.obs1}” … “{example.inputs.obs2}”"
                found.setdefault(told.casefold(), Candidate(told, origin))
        return list(found.values())


def stories(
    examples: Iterable[Example[Observations, Hypothesis]], folder: str = "", report: Report = unreported
) -> Stories:
    """The stories, indexed. With a name, the indexes are kept in the user's cache and follow the stories."""
    known = tuple(examples)
    common = common_words(text for one in known for text in (one.inputs.obs1, one.inputs.obs2, *_texts(one)))
    contexts = {str(place): _nameless(_context(one.inputs), common) for place, one in enumerate(known)}
    written = {
        f"{place}-{number}": (one, text)
        for place, one in enumerate(known)
        for number, text in enumerate(_texts(one))
    }
    texts = {name: _nameless(text, common) for name, (_, text) in written.items()}
    if not folder:
        return Stories(known, common, Searcher(build_index(contexts)), Searcher(build_index(texts)), written)
    place: Path = cache_folder() / "indexes"
    return Stories(
        known,
        common,
        Searcher(indexed(place / f"{folder}-contexts", contexts, report)),
        Searcher(indexed(place / f"{folder}-hypotheses", texts, report)),
        written,
    )


def repeats(text: str, inputs: Observations) -> bool:
    """Whether a text says nothing that one of the observations does not say: all its telling words are there."""
    own = query_words(text).keys()
    return any(own <= query_words(observation).keys() for observation in (inputs.obs1, inputs.obs2))


def _texts(example: Example[Observations, Hypothesis]) -> Sequence[str]:
    return [gold.text for gold in example.golds]


def _context(inputs: Observations) -> str:
    return f"{inputs.obs1} {inputs.obs2}"


def _nameless(text: str, common: frozenset[str]) -> str:
    """Without names: stories are similar by what happens, not by whom it happens to."""
    for name in names_in(text, common):
        text = text.replace(name, "")
    return text
