"""What models can learn about ART: which of two hypotheses is the more plausible, and to write one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whence.errors import UsageError, quoted
from whence.models.items import Item, Pair, Verdict
from whence.structures.hypothesis import HypothesisPair
from whence.structures.results import Example, Label
from whence.tasks.abduction.data.files import CHOICES
from whence.tasks.abduction.heads.writing import WRITTEN_FORMS, hypothesis_items, inference_items
from whence.tasks.head import Head, Source

Option = tuple[Pair, ...]


def _fully_connected(inputs: HypothesisPair, hypothesis: str) -> Option:
    return ((f"{inputs.obs1} {inputs.obs2}", hypothesis),)


def _linear_chain(inputs: HypothesisPair, hypothesis: str) -> Option:
    return ((inputs.obs1, hypothesis), (hypothesis, inputs.obs2))


def _hypothesis_only(_: HypothesisPair, hypothesis: str) -> Option:
    return ((hypothesis, ""),)


def _first_only(inputs: HypothesisPair, hypothesis: str) -> Option:
    return ((inputs.obs1, hypothesis),)


def _second_only(inputs: HypothesisPair, hypothesis: str) -> Option:
    return ((hypothesis, inputs.obs2),)


def _story(inputs: HypothesisPair, hypothesis: str) -> Option:
    return ((f"{inputs.obs1} {hypothesis}", inputs.obs2),)


def _chain_rule(inputs: HypothesisPair, hypothesis: str) -> Option:
    return ((inputs.obs1, hypothesis), (f"{inputs.obs1} {hypothesis}", inputs.obs2))


FORMS: dict[str, Callable[[HypothesisPair, str], Option]] = {
    "fully-connected": _fully_connected,
    "linear-chain": _linear_chain,
    "hypothesis": _hypothesis_only,
    "first": _first_only,
    "second": _second_only,
    "story": _story,  # as Table 7 has it for GPT
    "chain-rule": _chain_rule,  # equation 2, for what knows how likely a text is to follow another
}
"""Which observations a hypothesis is read with, and in which order: the five models of section 3.1 as in Table 7,
GPT's form there, and the factors of equation 2."""


def choice_items(source: Source) -> Sequence[Item]:
    """One question an example: its two hypotheses, read as the form says. Those of one context are a group."""
    form = source.form or next(iter(FORMS))
    if form not in FORMS:
        raise UsageError(f"hypotheses are not read in the form {quoted(form)}; there are {', '.join(FORMS)}")
    return [_item(example, FORMS[form]) for example in source.dataset().examples]


def _item(example: Example[HypothesisPair, Label], read: Callable[[HypothesisPair, str], Option]) -> Item:
    inputs = example.inputs
    options = (read(inputs, inputs.hyp1), read(inputs, inputs.hyp2))
    gold = CHOICES.index(example.golds[0].name) if example.golds else None
    # Training files pair the hypotheses of a context many times over: a context is learnt from or held out whole.
    return Item(example.id, options, gold, group=f"{inputs.obs1}\n{inputs.obs2}")


def _chosen(_: Example[Any, Any], verdict: Verdict) -> Label:
    return Label(CHOICES[verdict.best])


HEADS: dict[str, tuple[Head, ...]] = {
    "anli": (
        Head(
            name="choice",
            title="which of two hypotheses explains the observations better",
            shape="choice",
            items=choice_items,
            train="train",
            test="dev",
            forms=tuple(FORMS),
            answer=_chosen,
        ),
    ),
    "anlg": (
        Head(
            name="hypothesis",
            title="write what happened between the observations",
            shape="text",
            items=hypothesis_items,
            train="train",
            test="dev",
            measure="likelihood",
            forms=WRITTEN_FORMS,
        ),
        Head(
            name="inference",
            title="write what follows from an event or leads to it, as ATOMIC has it (COMeT)",
            shape="text",
            items=inference_items,
            examples=None,
            train="atomic-dev",
            test="atomic-test",
            measure="likelihood",
        ),
    ),
}
