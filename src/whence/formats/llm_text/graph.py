"""Argument graphs: a stance, and edges in any of the ways in which models write them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from whence.files import Json
from whence.formats.llm_text.blocks import label_of, lines_of, names
from whence.formats.llm_text.candidates import Kind, read
from whence.formats.llm_text.clean import one_line
from whence.formats.llm_text.json_values import member, members
from whence.formats.llm_text.relation_names import RelationNames
from whence.formats.llm_text.triples import Triple, TripleReader
from whence.formats.llm_text.triples_json import LISTS, JsonTriples
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError
from whence.structures.graph import Edge, Graph, StanceGraph

SUPPORT = names(
    "support supports supported supporting supportive pro favor favors favour favours in-favor "
    "in-favour agree agrees "
    "strengthens strengthen affirms"
)
COUNTER = names(
    "counter counters countered countering counter-argument counterargument con oppose opposes opposed opposing "
    "against refute refutes contradict contradicts attack attacks rebut rebuts undermine "
    "undermines disagree disagrees "
    "challenges weakens"
)
_STANCE_KEYS = names(
    "stance label position stance_label verdict classification predicted_stance "
    "stance_prediction answer prediction"
)
_STANCE_LABELS = frozenset(
    {
        "stance",
        "label",
        "position",
        "verdict",
        "classification",
        "final stance",
        "stance label",
        "predicted stance",
        "the stance",
        "my stance",
        "argument stance",
        "relationship",
        "judgement",
        "judgment",
        "answer",
        "final answer",
        "prediction",
        "decision",
    }
)
_LABELS = frozenset({*_STANCE_LABELS, "graph", "explanation graph", "edges", "triples", "explanation"})
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_NEGATION = re.compile(r"\b(?:not|neither|nor|doesn't|don't|isn't|never|cannot|can't)\b")
_SENTENCE = re.compile(
    r"\b(?:argument|it|this)\s+(?:\w+ly\s+)?(?:is\s+)?(?:a\s+)?([a-z-]+)\s+(?:argument\s+)?(?:to\s+|of\s+|for\s+)?"
    r"(?:the|this|that)\s+belief\b"
)
_STANCE_IS = re.compile(
    r"\bstance\s+(?:is|would be|should be|must be)\s+(?:that of\s+|to\s+|a\s+|in\s+)?[\"']?([a-z-]+)"
)


@dataclass(frozen=True, slots=True)
class GraphReader:
    """Reads graphs over the relations of a task."""

    relations: RelationNames
    stances: tuple[str, str]
    """What a supporting and a countering stance are called."""

    def read(self, text: str) -> StanceGraph | Unread:
        """The stance and graph that a text gives."""
        return read(text, Kind("graph", _LABELS, self._from_json, self._from_text, _same))

    def _from_json(self, value: Json, rest: str) -> StanceGraph:
        edges = JsonTriples(TripleReader(self.relations)).triples(value)
        given = member(value, _STANCE_KEYS)
        if edges is None:
            named = members(value)
            if given is None or not self._is_stance(given):
                raise OtherKindError("it has neither stance nor graph")
            if any(name in named for name in LISTS):
                raise UnreadError("its graph has no edges of head, relation and tail")
            raise UnreadError("it has a stance, but no graph")
        stance = self._stance_of(str(given)) if isinstance(given, str) else None
        if isinstance(given, str) and stance is None:
            raise UnreadError(f"'{one_line(given)[:40]}' is neither {self.stances[0]} nor {self.stances[1]}")
        around = self._stated(rest)
        if stance is None and around is None:
            raise UnreadError("it has a graph, but no stance")
        if stance is not None and around is not None and around != stance:
            raise UnreadError(f"its JSON says {stance}, the text around it {around}")
        return _graph(stance or around or "", edges)

    def _from_text(self, text: str) -> StanceGraph:
        text = self._stance_apart(text)
        blocks = TripleReader(self.relations).triples(text)
        stance = self._stated(text)
        if not blocks:
            raise UnreadError("it has a stance, but no graph" if stance else "it has neither stance nor graph")
        if stance is None:
            raise UnreadError("it has a graph, but no stance")
        graphs = {frozenset(block) for block in blocks}
        if len(graphs) > 1:
            raise UnreadError("it gives different graphs, and none is marked as final")
        return _graph(stance, blocks[-1])

    def _stance_apart(self, text: str) -> str:
        """The text with a stance before a graph, as in `support (a; r; b)`, on a line of its own."""
        names = "|".join(map(re.escape, (*self.stances, *SUPPORT, *COUNTER)))
        return re.sub(
            rf"^(\W*(?:stance\W*)?(?:{names})\b)[\s:,;.*|–—-]*(?:graph\s*[:=]\s*)?(?=[(\[<])",
            r"\1\n",
            text,
            flags=re.I | re.M,
        )

    def _stated(self, text: str) -> str | None:
        """The stance that a text states: in a labelled line or one of its own, else in a sentence."""
        labelled = list(self._labelled(text))
        if not labelled:
            labelled = list(self._in_sentences(text))
        finals = [stance for stance, final in labelled if final]
        stances = dict.fromkeys(finals[-1:] or [stance for stance, _ in labelled])
        if len(stances) > 1:
            raise UnreadError("it states two stances, and none is marked as final")
        return next(iter(stances), None)

    def _labelled(self, text: str) -> Iterator[tuple[str, bool]]:
        heading = ""
        for line in lines_of(text):
            label = label_of(line)
            if label and label[0] in _STANCE_LABELS:
                heading = label[0]
                stance = self._stance_of(label[1])
                if stance:
                    yield stance, "final" in label[0]
                elif label[1] and label[0].endswith("stance") and not _NEGATION.search(label[1].casefold()):
                    raise UnreadError(f"'{label[1][:40]}' is neither {self.stances[0]} nor {self.stances[1]}")
            elif len(line.text.split()) <= 2 and (stance := self._stance_of(line.text)):
                yield stance, "final" in heading
                heading = ""

    def _in_sentences(self, text: str) -> Iterator[tuple[str, bool]]:
        said = " ".join(text.casefold().split())
        for sentence in re.split(r"(?<=[.!?])\s", said):
            for pattern in (_SENTENCE, _STANCE_IS):
                for match in pattern.finditer(sentence):
                    stance = self._word(match[1])
                    if stance and not _NEGATION.search(sentence[: match.end()]):
                        yield stance, "final" in sentence

    def _stance_of(self, text: str) -> str | None:
        """The stance that a short text names, remarks in brackets aside; None if it names none or both."""
        said = one_line(text).casefold().partition("(")[0]
        words = _WORD.findall(said)
        stances = {stance for word in words if (stance := self._word(word))}
        return stances.pop() if len(stances) == 1 and len(words) <= 16 and not _NEGATION.search(said) else None

    def _word(self, word: str) -> str | None:
        return self.stances[0] if word in SUPPORT else self.stances[1] if word in COUNTER else None

    def _is_stance(self, value: Json) -> bool:
        return isinstance(value, str) and self._stance_of(value) is not None


def _graph(stance: str, triples: list[Triple]) -> StanceGraph:
    return StanceGraph(stance, Graph(tuple(Edge(*triple) for triple in triples)))


def _same(explanation: StanceGraph) -> Hashable:
    return explanation.stance, frozenset(explanation.graph.edges)
