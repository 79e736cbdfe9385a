"""Explanations as lines that people edit: one edge, step, fact or triplet a line, forgiving about white space.

What is written here reads back as the same explanation, but for what only raters and editors say of it (ratings of
facts, what a hypothesis was made from).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, get_args, get_type_hints

from whence.errors import DataError, quoted
from whence.files import Json, parse_json
from whence.formats.proofs import format_proof, parse_proof
from whence.structures.dialogue import Answer, Dialogue, Span, Triplet, Triplets
from whence.structures.facts import Fact, FactSet, FactUse, Ranking
from whence.structures.graph import Edge, Graph, StanceGraph
from whence.structures.hypothesis import Hypothesis
from whence.structures.results import Label
from whence.structures.tree import Sentence, Step, Tree

Facts = Mapping[str, Fact]
_PLACE = re.compile(r"\[(latent|\d+(?:@\d+)?)\]\s*")
_LATENT = "latent"
_OWN = re.compile(r"(\w+): (.+)")
"""A sentence that a tree brings along."""


@dataclass(frozen=True, slots=True)
class LineForm:
    """How one kind of explanation is written; both directions know the inputs and the facts at hand."""

    write: Callable[[Any, Any, Facts], str]
    read: Callable[[str, Any, Facts], Any]
    hint: str
    """What a line is, for the person who edits."""
    short: bool = False
    """Whether it is a line or two at the most."""


def form_of(explanation: Any) -> LineForm:
    """The form of an explanation, or of a type of explanations; of a union, that of its first member."""
    kind = explanation if isinstance(explanation, type) or get_args(explanation) else type(explanation)
    first = (get_args(kind) or (kind,))[0]
    return _FORMS.get(first) or _fields_form(first)


def format_lines(explanation: Any, inputs: Any, facts: Facts) -> str:
    """The explanation as text."""
    return form_of(explanation).write(explanation, inputs, facts)


def parse_lines(kind: Any, text: str, inputs: Any, facts: Facts) -> Any:
    """The explanation of that type that a text says."""
    return form_of(kind).read(text, inputs, facts)


def _lines(text: str) -> list[tuple[int, str]]:
    """Lines that say something, with their numbers."""
    numbered = enumerate(text.splitlines(), 1)
    return [(number, " ".join(line.split())) for number, line in numbered if line.strip()]


def _parts(number: int, line: str, expected: str) -> tuple[str, str, str]:
    parts = [part.strip() for part in line.split(";")]
    if len(parts) != 3 or not all(parts):
        raise DataError(line=number, expected=expected, found=quoted(line))
    return parts[0], parts[1], parts[2]


def _write_graph(explanation: StanceGraph, _: Any, __: Facts) -> str:
    edges = (f"{edge.head}; {edge.relation}; {edge.tail}" for edge in explanation.graph.edges)
    return "\n".join([explanation.stance, *edges])


def _read_graph(text: str, _: Any, __: Facts) -> StanceGraph:
    # The published form has all edges on one line: (a; relation; b)(c; relation; d).
    lines = _lines(re.sub(r"\)\s*\(", "\n", text))
    if not lines:
        raise DataError(line=1, expected="a stance, then an edge a line", found="nothing")
    if ";" in lines[0][1]:
        raise DataError(line=lines[0][0], expected="the stance, alone", found=quoted(lines[0][1]))
    found = (_parts(number, line.strip("()"), "head; relation; tail") for number, line in lines[1:])
    return StanceGraph(lines[0][1], Graph(tuple(Edge(*parts) for parts in found)))


def _write_tree(tree: Tree, _: Any, __: Facts) -> str:
    own = [f"{sentence.id}: {sentence.text}" for sentence in tree.sentences]
    return "\n".join([*own, *(format_proof(Tree((step,))).strip().removesuffix(";") for step in tree.steps)])


def _read_tree(text: str, _: Any, __: Facts) -> Tree:
    steps: list[Step] = []
    sentences: list[Sentence] = []
    for number, line in _lines(text):
        own = None if "->" in line else _OWN.fullmatch(line)
        try:
            if own:
                sentences.append(Sentence(own[1], own[2]))
            else:
                steps += parse_proof(line).steps
        except DataError as error:
            raise error.at(None, number) from None
    return Tree(tuple(steps), tuple(sentences))


def _write_facts(explanation: FactSet, _: Any, facts: Facts) -> str:
    return "\n".join(_fact_line(use.id, use.role, facts) for use in explanation.facts if use.gold)


def _fact_line(name: str, role: str, facts: Facts) -> str:
    return " | ".join(part for part in (name, role, facts[name].text if name in facts else "") if part)


def _read_facts(text: str, _: Any, facts: Facts) -> FactSet:
    uses = []
    for _number, line in _lines(text):
        name, *rest = (part.strip() for part in line.split("|"))
        uses.append(FactUse(_fact_named(name, facts), rest[0] if rest and rest[0].isupper() else ""))
    return FactSet(tuple(uses))


def _fact_named(name: str, facts: Facts) -> str:
    """The id itself, or that of the fact which says just that."""
    if name in facts:
        return name
    return next((fact.id for fact in facts.values() if fact.text.casefold() == name.casefold()), name)


def _write_ranking(explanation: Ranking, _: Any, facts: Facts) -> str:
    return "\n".join(_fact_line(name, "", facts) for name in explanation.ids)


def _read_ranking(text: str, inputs: Any, facts: Facts) -> Ranking:
    return Ranking(tuple(use.id for use in _read_facts(text, inputs, facts).facts))


def _write_triplets(explanation: Triplets, dialogue: Dialogue, _: Facts) -> str:
    return "\n".join(
        f"{_placed(one.head, dialogue)}; {one.relation}; {_placed(one.tail, dialogue)}"
        for one in explanation.triplets
    )


def _placed(span: Span, dialogue: Dialogue) -> str:
    """The span, with as much about its place as it takes to find it again."""
    if _found(span.text, dialogue) == span:
        return span.text
    if span.turn is None:
        return f"[{_LATENT}] {span.text}"
    first = dialogue.utterances[span.turn].text.find(span.text)
    start = "" if span.start == first else f"@{span.start}"
    return f"[{span.turn + 1}{start}] {span.text}"


def _found(text: str, dialogue: Dialogue) -> Span:
    """Where the words stand first; latent if nowhere."""
    places = ((turn, said.text.find(text)) for turn, said in enumerate(dialogue.utterances))
    return next((Span(text, turn, start) for turn, start in places if start >= 0), Span(text))


def _read_triplets(text: str, dialogue: Dialogue, _: Facts) -> Triplets:
    triplets = []
    for number, line in _lines(text):
        head, relation, tail = _parts(number, line, "span; relation; span")
        triplets.append(Triplet(_span(head, dialogue, number), relation, _span(tail, dialogue, number)))
    return Triplets(tuple(triplets))


def _span(text: str, dialogue: Dialogue, line: int) -> Span:
    place = _PLACE.match(text)
    if place is None:
        return _found(text, dialogue)
    words = text[place.end() :]
    if place[1] == _LATENT:
        return Span(words)
    number, _, given = place[1].partition("@")
    said = dialogue.utterances[int(number) - 1].text if 0 < int(number) <= len(dialogue.utterances) else ""
    start = int(given) if given else said.find(words)
    if start < 0 or said[start : start + len(words)] != words:
        raise DataError(line=line, expected=f"words of turn {number}", found=quoted(words))
    return Span(words, int(number) - 1, start)


def _write_answer(explanation: Answer, _: Any, __: Facts) -> str:
    return explanation.text


def _read_answer(text: str, inputs: Any, _: Facts) -> Answer:
    words = " ".join(text.split())
    start = inputs.context.find(words)
    return Answer(words, start if words and start >= 0 else None)


@cache
def _fields_form(kind: type) -> LineForm:
    """The form of any other dataclass: a field a line, a text as it is and whatever else as JSON."""
    from pydantic import TypeAdapter, ValidationError

    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    names = tuple(field.name for field in fields(kind))
    texts = {name for name, hint in get_type_hints(kind).items() if hint is str}

    def write(explanation: Any, _: Any, __: Facts) -> str:
        values = adapter.dump_python(explanation, mode="json", exclude_defaults=True)
        return "\n".join(
            f"{name}: {value if name in texts and _is_plain(value) else json.dumps(value)}"
            for name, value in values.items()
        )

    def read(text: str, _: Any, __: Facts) -> Any:
        values: dict[str, Json] = {}
        for number, line in enumerate(text.splitlines(), 1):
            name, colon, value = (part.strip() for part in line.partition(":"))
            if not (name or colon):
                continue
            if not colon or name not in names or name in values:
                raise DataError(line=number, expected=f"one of {', '.join(names)}, each once", found=quoted(line))
            is_text = name in texts and not value.startswith('"')
            values[name] = " ".join(value.split()) if is_text else _json_value(value, number)
        try:
            return adapter.validate_python(values)
        except ValidationError as error:
            fault = error.errors(include_url=False, include_context=False)[0]
            where = ".".join(map(str, fault["loc"]))
            raise DataError(
                expected=f"a line for each of {', '.join(names)}", found=f"{where}: {fault['msg'].lower()}"
            ) from None

    return LineForm(write, read, f"A line each: {', '.join(f'{name}: …' for name in names)}")


def _is_plain(text: str) -> bool:
    """Whether a text can stand in a line as it is: its blanks are single ones, and it is no JSON text."""
    return text == " ".join(text.split()) and not text.startswith('"')


def _json_value(text: str, line: int) -> Json:
    try:
        return parse_json(text)
    except DataError as error:
        raise DataError(line=line, expected=error.expected, found=error.found) from None


_FORMS: dict[Any, LineForm] = {
    StanceGraph: LineForm(
        _write_graph, _read_graph, "First the stance; then an edge a line: head; relation; tail"
    ),
    Tree: LineForm(
        _write_tree,
        _read_tree,
        "A step a line: sent1 & sent2 -> int1: what follows. The last leads to -> hypothesis",
    ),
    FactSet: LineForm(_write_facts, _read_facts, "A fact a line: its id, or its words; then, if you like, | ROLE"),
    Ranking: LineForm(_write_ranking, _read_ranking, "A fact a line, by id or by its words, the best first"),
    Triplets: LineForm(
        _write_triplets,
        _read_triplets,
        "A triplet a line: span; relation; span. [2] before a span says of which turn it is, [latent] of none",
    ),
    Answer: LineForm(_write_answer, _read_answer, "Words of the dialogue", short=True),
    Label: LineForm(
        lambda label, _, __: str(label.name), lambda text, _, __: Label(" ".join(text.split())), "One answer", True
    ),
    Hypothesis: LineForm(
        lambda found, _, __: str(found.text),
        lambda text, _, __: Hypothesis(" ".join(text.split())),
        "A sentence",
        True,
    ),
}
