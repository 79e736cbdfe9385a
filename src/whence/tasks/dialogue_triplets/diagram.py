"""Dialogue triplets, and the questions of the sub-tasks, as pictures."""

from __future__ import annotations

from collections.abc import Mapping

from whence.drawing import Diagram, Link, Node
from whence.structures.dialogue import (
    Answer,
    ChoiceQuestion,
    Dialogue,
    DialogueClaim,
    Span,
    SpanPair,
    SpanQuestion,
    Triplets,
)
from whence.structures.facts import Fact
from whence.structures.results import Label
from whence.tasks.dialogue_triplets.data.files import ENTAILED
from whence.tasks.dialogue_triplets.data.relations import RELATIONS

Facts = Mapping[str, Fact]


def triplets_diagram(dialogue: Dialogue, explanation: Triplets | None, _: Facts) -> Diagram:
    """Spans joined by relations; latent spans are dotted."""
    caption = tuple((turn.speaker, " ".join(turn.text.split())) for turn in dialogue.utterances)
    if explanation is None:
        return Diagram((), (), caption=caption)
    spans = {span.text: span for triplet in explanation.triplets for span in (triplet.head, triplet.tail)}
    nodes = tuple(
        Node(text, text, "latent" if span.is_latent else "span", note=_turn(span)) for text, span in spans.items()
    )
    links = tuple(
        _relation_link(triplet.head.text, triplet.relation, triplet.tail.text) for triplet in explanation.triplets
    )
    return Diagram(nodes, links, caption=caption)


def _turn(span: Span) -> str:
    return "" if span.turn is None else f"turn {span.turn + 1}"


def _relation_link(head: str, relation: str, tail: str) -> Link:
    known = RELATIONS.get(relation)
    return Link(head, tail, relation, "negated" if known is not None and known.negated else "plain")


def nli_diagram(inputs: DialogueClaim, label: Label | None, _: Facts) -> Diagram:
    """The claimed triplet, and the verdict."""
    caption = (("dialogue", inputs.context),)
    verdict = (("verdict", label.name),) if label else ()
    nodes = tuple(Node(text, text, "span") for text in dict.fromkeys((inputs.head, inputs.tail)))
    link = _relation_link(inputs.head, inputs.relation, inputs.tail)
    return Diagram(
        nodes, (link,) if label is None or label.name == ENTAILED else (_denied(link),), caption=caption + verdict
    )


def _denied(link: Link) -> Link:
    return Link(link.tail, link.head, f"not: {link.label}", "negated")


def relation_diagram(inputs: SpanPair, label: Label | None, _: Facts) -> Diagram:
    """The two spans, and the relation between them."""
    nodes = tuple(Node(text, text, "span") for text in dict.fromkeys((inputs.head, inputs.tail)))
    links = (_relation_link(inputs.head, label.name, inputs.tail),) if label else ()
    return Diagram(nodes, links, caption=(("dialogue", inputs.context),))


def span_diagram(inputs: SpanQuestion, answer: Answer | None, _: Facts) -> Diagram:
    """The question, and the span that answers it."""
    caption = (("context", inputs.context),)
    question = Node("question", inputs.question, "root")
    if answer is None:
        return Diagram((question,), (), caption=caption)
    return Diagram((question, Node("answer", answer.text, "span")), (Link("question", "answer"),), caption=caption)


def choice_diagram(inputs: ChoiceQuestion, label: Label | None, _: Facts) -> Diagram:
    """The question with its options; the chosen one solid."""
    chosen = label.name if label else None
    options = [(f"option {number}", option, str(number) == chosen) for number, option in enumerate(inputs.options)]
    nodes = tuple(
        Node(name, option, "span" if right else "external", note=name) for name, option, right in options
    )
    links = tuple(Link("question", name, "chosen") for name, _option, right in options if right)
    question = Node("question", inputs.question, "root")
    return Diagram((question, *nodes), links, caption=(("context", inputs.context),))
