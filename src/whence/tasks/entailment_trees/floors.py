"""EntailmentBank's floors: trees that do not look at what sentences say, or only at which words they share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median_low

from whence.structures.results import Example, Prediction
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree, leaves
from whence.tasks.dataset import AnyDataset
from whence.tasks.floors import Floor, WordOverlap

Shape = Callable[[Claim, tuple[str, ...]], tuple[Step, ...]]


def flat(_: Claim, premises: tuple[str, ...]) -> tuple[Step, ...]:
    """One step from all sentences to the hypothesis."""
    return (Step(premises, HYPOTHESIS),)


def chain(claim: Claim, premises: tuple[str, ...]) -> tuple[Step, ...]:
    """The first two sentences, then one more with each step; conclusions are worded as the hypothesis is."""
    if len(premises) < 3:
        return flat(claim, premises)
    steps, last = [], premises[0]
    for number, premise in enumerate(premises[1:], 1):
        end = number == len(premises) - 1
        conclusion = HYPOTHESIS if end else f"int{number}"
        steps.append(Step((last, premise), conclusion, "" if end else claim.hypothesis))
        last = conclusion
    return tuple(steps)


def all_sentences(shape: Shape, dataset: AnyDataset, _: int) -> list[Prediction[Tree]]:
    """Trees over all sentences of the context, in their order."""
    return [
        _prediction(example, shape, [sentence.id for sentence in example.inputs.context])
        for example in dataset.examples
    ]


def nearest_sentences(shape: Shape, dataset: AnyDataset, _: int) -> list[Prediction[Tree]]:
    """Trees over the sentences that share most words with the hypothesis: as many as gold trees have leaves."""
    size = median_low(len(leaves(example.golds[0])) for example in dataset.examples)
    # Without sentences at hand, all of the corpus are.
    corpus = WordOverlap({fact.id: fact.text for fact in dataset.facts.values()})
    predictions = []
    for example in dataset.examples:
        context = {sentence.id: sentence.text for sentence in example.inputs.context}
        near = (WordOverlap(context) if context else corpus).nearest(example.inputs.hypothesis, size)
        brought = () if context else tuple(Sentence(name, dataset.facts[name].text) for name in near)
        predictions.append(_prediction(example, shape, near or list(context)[:size], brought))
    return predictions


def _prediction(
    example: Example[Claim, Tree], shape: Shape, premises: list[str], sentences: tuple[Sentence, ...] = ()
) -> Prediction[Tree]:
    steps = shape(example.inputs, tuple(premises)) if premises else ()
    return Prediction(example.id, Tree(steps, sentences) if steps else None)


_CHAIN = "from left to right, one more with each step; conclusions are worded as the hypothesis"

LEAVES_GIVEN = (
    Floor("one flat step", "all sentences entail the hypothesis in one step", partial(all_sentences, flat)),
    Floor("chain", f"all sentences {_CHAIN}", partial(all_sentences, chain)),
)
"""Task 1, where the sentences are the leaves."""

AMONG_DISTRACTORS = (
    Floor(
        "one flat step of the nearest",
        "the sentences that share most words with the hypothesis entail it in one step",
        partial(nearest_sentences, flat),
    ),
    Floor(
        "chain of the nearest",
        f"the sentences that share most words with the hypothesis, {_CHAIN}",
        partial(nearest_sentences, chain),
    ),
)
"""Tasks 2 and 3."""
