"""Entailment trees whose worth is known: gold, gold made wrong by rule, random sentences.

For judges of steps, each step stands alone with its own sentences. For similarities, the conclusions of gold are
said in other words, and the answers are gold trees whose conclusions are right or wrong. Trees that conclude only
the hypothesis, which is given, are left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from whence.structures.results import Example, Prediction
from whence.structures.tree import Claim, Sentence, Step, Tree
from whence.tasks.controls import GOLD, PERTURBED, RANDOM, Control, Controls, another, negated, shuffled
from whence.tasks.dataset import AnyDataset
from whence.tasks.entailment_trees.heads.wrong_steps import WordedStep, worded_steps

TreeExample = Example[Claim, Tree]
Change = Callable[[WordedStep, random.Random], WordedStep]

_IN_OTHER_WORDS = (
    (r"\bis a kind of\b", "is a type of"),
    (r"\bare a kind of\b", "are a type of"),
    (r"\bis an example of\b", "is an instance of"),
    (r"\bcan be used\b", "may be used"),
    (r"\bcan\b", "is able to"),
    (r"\bcauses\b", "leads to"),
    (r"\brequires\b", "needs"),
    (r"\bneeds\b", "requires"),
    (r"\bcontains\b", "holds"),
    (r"\bmeans\b", "is the same as saying"),
    (r"\bwill\b", "is going to"),
    (r"\boccurs\b", "happens"),
    (r"\bhappens\b", "takes place"),
    (r"\bdecreases?\b", "goes down"),
    (r"\bincreases?\b", "goes up"),
    (r"\bbecause\b", "since"),
    (r"\blocated\b", "found"),
    (r"\bwhen\b", "whenever"),
)
_ARTICLE = re.compile(r"\b(?:a|an|the) ")


def in_other_words(sentence: str) -> str:
    """The sentence by synonyms of common turns, as a headline without articles: it says the same."""
    for pattern, other in _IN_OTHER_WORDS:
        said, changes = re.subn(pattern, other, sentence, count=1)
        if changes:
            return _ARTICLE.sub("", said)
    return f"it holds that {_ARTICLE.sub('', sentence)}"


def step_controls(dataset: AnyDataset, chance: random.Random) -> Sequence[Control]:
    """Steps that hold and steps that do not, for models that judge a step."""
    examples: Sequence[TreeExample] = dataset.examples
    steps = [worded_steps(example.golds[0], example.inputs) for example in examples]
    premises = [text for some in steps for step in some for text in step.premises]
    conclusions = [step.conclusion for some in steps for step in some]

    def other_premise(step: WordedStep, chance: random.Random) -> WordedStep:
        index = chance.randrange(len(step.premises))
        text = another(premises, (*step.premises, *step.sentences), chance)
        return replace(step, premises=(*step.premises[:index], text, *step.premises[index + 1 :]))

    def other_conclusion(step: WordedStep, chance: random.Random) -> WordedStep:
        return replace(step, conclusion=another(conclusions, (step.conclusion, *step.elsewhere), chance))

    def denied(step: WordedStep, chance: random.Random) -> WordedStep:
        return replace(step, conclusion=negated(step.conclusion, chance))

    def anything(step: WordedStep, chance: random.Random) -> WordedStep:
        return WordedStep(tuple(another(premises, (), chance) for _ in step.premises), chance.choice(conclusions))

    kinds: tuple[tuple[str, str, Change], ...] = (
        (GOLD, "gold steps", lambda step, _: step),
        (PERTURBED, "a premise of another tree", other_premise),
        (PERTURBED, "the conclusion of another tree", other_conclusion),
        (PERTURBED, "the conclusion negated", denied),
        (RANDOM, "premises and conclusion of random trees", anything),
    )
    return [
        Control(
            kind,
            name,
            dataset,
            [
                Prediction(example.id, _tree_of([change(step, chance) for step in some]))
                for example, some in zip(examples, steps, strict=True)
            ],
        )
        for kind, name, change in kinds
    ]


def _tree_of(steps: Sequence[WordedStep]) -> Tree:
    """Steps side by side, each with sentences of its own."""
    sentences, made = list[Sentence](), list[Step]()
    for number, step in enumerate(steps, 1):
        own = [Sentence(f"sent{number}.{index}", text) for index, text in enumerate(step.premises, 1)]
        sentences += own
        made.append(Step(tuple(sentence.id for sentence in own), f"int{number}", step.conclusion))
    return Tree(tuple(made), tuple(sentences))


def conclusion_controls(dataset: AnyDataset, chance: random.Random) -> Sequence[Control]:
    """Gold trees with right and wrong conclusions, to be compared with gold in other words."""
    examples: Sequence[TreeExample] = [one for one in dataset.examples if _worded(one.golds[0])]
    known = [step.text for example in examples for step in _worded(example.golds[0])]
    words = [word for text in known for word in text.split()]

    def other(text: str, chance: random.Random) -> str:
        return another(known, (text,), chance)

    def anything(text: str, chance: random.Random) -> str:
        return " ".join(chance.choice(words) for _ in text.split())

    kinds: tuple[tuple[str, str, Callable[[str, random.Random], str]], ...] = (
        (GOLD, "gold conclusions", lambda text, _: text),
        (PERTURBED, "conclusions of another tree", other),
        (PERTURBED, "conclusions negated", negated),
        (PERTURBED, "words of the conclusion in another order", shuffled),
        (RANDOM, "random words", anything),
    )
    reworded = replace(
        dataset,
        examples=tuple(
            replace(example, golds=(_with_texts(example.golds[0], in_other_words),)) for example in examples
        ),
        lines=tuple(range(1, len(examples) + 1)),
    )
    return [
        Control(
            kind,
            name,
            reworded,
            [
                Prediction(example.id, _with_texts(example.golds[0], lambda text: change(text, chance)))  # noqa: B023
                for example in examples
            ],
        )
        for kind, name, change in kinds
    ]


def _worded(tree: Tree) -> list[Step]:
    return [step for step in tree.steps if step.text]


def _with_texts(tree: Tree, change: Callable[[str], str]) -> Tree:
    return replace(
        tree, steps=tuple(replace(step, text=change(step.text)) if step.text else step for step in tree.steps)
    )


CONTROLS = (
    Controls("step_classifier", ("steps.valid",), step_controls, "entailmentbank-1/step"),
    Controls("similarity", ("intermediates.f1", "intermediates.all", "overall.all"), conclusion_controls),
)
