"""Scores of entailment trees under three protocols, breakdowns, and why trees are not right.

`official` reads the text of an answer as the released scorers do; an answer without text is first written as one.
They take the gold of an id from its last row, so of two examples with one id the first is scored against the
second's gold. Where they crash, an answer scores 0: if it is missing or empty, or has no slot `$proof$` (in small
letters) and no tree.

`paper` reads the tree as it is meant, wants a similarity above the threshold rather than at it, and takes F1 over
the parts of all trees together (sec. 6.1: "micro-averaging"). `whence` reads the same, averages as `official`
does, and aligns conclusions that rest on the same leaves each with its own, so that gold scores 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from whence.errors import DataError, UsageError
from whence.formats.proofs import format_proof, parse_proof
from whence.metrics.metric import Metric, Scores, scores, unmeasured
from whence.metrics.similarity import Classifier, Pair, Similarity, classify_once, score_once
from whence.metrics.tree import (
    INTERMEDIATES_ALL,
    INTERMEDIATES_F1,
    LEAVES_ALL,
    LEAVES_F1,
    OVERALL_ALL,
    STEPS_ALL,
    STEPS_F1,
    STEPS_VALID,
    THRESHOLD,
    Comparison,
    Overlap,
    compare,
    intermediates,
    micro_f1,
)
from whence.metrics.tree_equivalence import EQUIVALENCE_F1, Equivalence, equivalence, renamed
from whence.metrics.tree_reading import Proof, proof_slot, read_text, read_tree
from whence.structures.results import UNREAD, Example, Prediction
from whence.structures.tree import Claim, Step, Tree, conclusions, leaves, texts, tree_depth
from whence.tasks.dataset import AnyDataset
from whence.tasks.entailment_trees.data.files import PROOF_SLOT
from whence.tasks.entailment_trees.heads.wrong_steps import premises_text
from whence.tasks.scoring import Answers, Scoring, ScoringOptions, Slice

TreeExample = Example[Claim, Tree]

NO_SIMILARITY = "needs a similarity: --similarity MODEL"
NO_GOLD = "no gold tree"
NO_CLASSIFIER = "needs a classifier: --step MODEL"
VALID = "valid"


@dataclass(frozen=True, slots=True)
class Convention:
    """What protocols do differently."""

    released: bool
    """Read the text as the released scorers do, and take the gold of an id from its last row."""
    micro: bool
    strict: bool
    """The similarity must be above the threshold."""
    spread_ties: bool


CONVENTIONS = {
    "official": Convention(released=True, micro=False, strict=False, spread_ties=False),
    "paper": Convention(released=False, micro=True, strict=True, spread_ties=False),
    "whence": Convention(released=False, micro=False, strict=False, spread_ties=True),
}


class Row(NamedTuple):
    """What an answer is worth."""

    leaves: Overlap
    steps: Overlap
    words: Overlap | None
    """Of the intermediate conclusions; None without a similarity."""
    equivalence: float
    cause: str
    """Why it is not all right; empty if it is."""


@dataclass(frozen=True, slots=True)
class Item:
    """An answer beside gold."""

    predicted: Tree | None
    """None where no step could be read."""
    gold: Tree
    comparison: Comparison
    equivalence: Equivalence


def score(dataset: AnyDataset, answers: Answers, options: ScoringOptions, *, by_text: bool) -> list[Scores]:
    """The measures of the paper, `equivalence.f1` and `steps.valid`.

    `by_text`: leaves are compared by their texts (task 3).
    """
    convention = CONVENTIONS[options.protocol]
    rows = _rows(dataset, answers, options, by_text=by_text)
    found = [
        *_pair(LEAVES_F1, LEAVES_ALL, [None if row is None else row.leaves for row in rows], convention),
        *_pair(STEPS_F1, STEPS_ALL, [None if row is None else row.steps for row in rows], convention),
    ]
    if options.similarity is None:
        missing = (INTERMEDIATES_F1, INTERMEDIATES_ALL, OVERALL_ALL)
        found += [unmeasured(metric, len(rows), NO_SIMILARITY) for metric in missing]
    else:
        sign = ">" if convention.strict else ">="
        parameters = {"similarity": options.similarity.name, "threshold": f"{sign}{THRESHOLD}"}
        words = [None if row is None else row.words for row in rows]
        found += _pair(INTERMEDIATES_F1, INTERMEDIATES_ALL, words, convention, parameters)
        found.append(_scores(OVERALL_ALL, [_overall(row) for row in rows], parameters))
    found.append(_scores(EQUIVALENCE_F1, [None if row is None else row.equivalence for row in rows]))
    found.append(_validity(dataset, answers, options.step_classifier))
    return found


def failure_causes(
    dataset: AnyDataset, answers: Answers, options: ScoringOptions, *, by_text: bool = False
) -> Counter[str]:
    """Why trees are not all right: for each the first cause that applies, much as sec. 6.3.2 sorts them."""
    rows = _rows(dataset, answers, options, by_text=by_text)
    return Counter(row.cause for row in rows if row is not None and row.cause)


def _cause(answer: Prediction[Tree] | None, item: Item, said: Overlap | None) -> str:
    found = item.comparison
    if answer is None:
        return "no answer"
    if item.predicted is None:
        return UNREAD
    if not found.leaves.all_correct:
        missing, extra = found.leaves.recall < 1, found.leaves.precision < 1
        return "leaves missing and extra" if missing and extra else "leaves missing" if missing else "leaves extra"
    if not found.steps.all_correct:
        return _cause_of_steps(item.predicted, item)
    return "right steps, intermediates unlike" if said and not said.all_correct else ""


def _cause_of_steps(predicted: Tree, item: Item) -> str:
    if item.equivalence.f1 == 1:
        return "right leaves, steps differ but are equivalent"
    used = {premise for step in predicted.steps for premise in step.premises}
    if len(set(conclusions(predicted)) - used) > 1:
        return "right leaves, conclusions left unused"
    if not item.equivalence.wrong:
        return "right leaves, steps merged"
    return "right leaves, wrong steps"


Asked = tuple[TreeExample, TreeExample, Prediction[Tree] | None]
"""An example, the one whose gold the protocol takes for it, and the answer."""


def _rows(
    dataset: AnyDataset, answers: Answers, options: ScoringOptions, *, by_text: bool
) -> Sequence[Row | None]:
    last = {example.id: example for example in dataset.examples} if CONVENTIONS[options.protocol].released else {}
    asked = [
        (example, last.get(example.id, example), answer)
        for example, answer in zip(dataset.examples, answers, strict=True)
    ]
    return [_row(*row) if row else None for row in options.measured(partial(_measure, by_text), asked)]


def _row(
    leaves: Sequence[int], steps: Sequence[int], words: Sequence[int] | None, equivalence: float, cause: str
) -> Row:
    """A row from the numbers that it was told in."""
    return Row(Overlap(*leaves), Overlap(*steps), None if words is None else Overlap(*words), equivalence, cause)


def _measure(by_text: bool, options: ScoringOptions, asked: Sequence[Asked]) -> list[tuple[Any, ...] | None]:
    """The row of each answer, as numbers; the similarity is called once for all."""
    convention = CONVENTIONS[options.protocol]
    items = _items(asked, convention, by_text=by_text)
    known = [None if item is None else item.comparison for item in items]
    words = _intermediates(known, options.similarity, convention) or [None] * len(items)
    return [
        None
        if item is None
        else (
            item.comparison.leaves.counts,
            item.comparison.steps.counts,
            None if said is None else said.counts,
            item.equivalence.f1,
            _cause(answer, item, said),
        )
        for (_, _, answer), item, said in zip(asked, items, words, strict=True)
    ]


def _items(asked: Sequence[Asked], convention: Convention, *, by_text: bool) -> list[Item | None]:
    found: list[Item | None] = []
    for example, source, answer in asked:
        # Of several golds, the one that the answer is nearest to.
        pairs = [
            (replace(example, golds=(gold,)), replace(source, golds=(wanted,)))
            for gold, wanted in zip(example.golds, source.golds, strict=False)
        ]
        items = [_item(*pair, answer, convention, by_text=by_text) for pair in pairs]
        found.append(max(items, key=_nearness, default=None))
    return found


def _nearness(item: Item) -> tuple[float, float, float]:
    return item.comparison.steps.f1, item.comparison.leaves.f1, item.equivalence.f1


def _item(
    example: TreeExample,
    source: TreeExample,
    answer: Prediction[Tree] | None,
    convention: Convention,
    *,
    by_text: bool,
) -> Item:
    """The answer to an example beside the gold that the protocol takes from `source`."""
    tree = _tree(answer)
    claim, gold = source.inputs, source.golds[0]
    said, meant = (_sentences(claim, found) if by_text else None for found in (tree, gold))
    if convention.released:
        predicted = _read_released(_slot(answer), tree, claim, said)
        wanted = _read_released(None, gold, claim, meant)
    else:
        predicted = read_tree(tree, claim.hypothesis, said)
        wanted = read_tree(gold, claim.hypothesis, meant)
    compared = compare(predicted, wanted, by_words=convention.released, spread_ties=convention.spread_ties)
    same = _equivalence(tree, example, by_text=by_text)
    return Item(tree if predicted.conclusions else None, gold, compared, same)


def _tree(answer: Prediction[Tree] | None) -> Tree:
    """The answer's tree; else the steps that only the released scorers can read; else none."""
    if answer is None:
        return Tree(())
    if answer.explanation is not None:
        return answer.explanation
    heads = read_text(_slot(answer) or "", "").heads
    return Tree(tuple(Step(tuple(map(str.strip, premises)), name.strip()) for premises, name in heads))


def _slot(answer: Prediction[Tree] | None) -> str | None:
    """The proof of an answer's line, as the released scorers read it; None if the answer is not such a line."""
    if answer is None or any(problem.rule == UNREAD for problem in answer.problems):
        return None
    mark = PROOF_SLOT.match(answer.raw)
    if mark and answer.explanation is not None:
        try:
            if parse_proof(answer.raw[mark.end() :]).steps != answer.explanation.steps:
                return None
        except DataError:
            return None
    return proof_slot(answer.raw) if mark or answer.explanation is None else None


def _read_released(slot: str | None, tree: Tree, claim: Claim, sentences: Mapping[str, str] | None) -> Proof:
    if slot is not None:
        return read_text(slot, claim.hypothesis, sentences)
    worded = replace(tree, steps=tuple(replace(step, text=" ".join(step.text.split())) for step in tree.steps))
    try:
        return read_text(format_proof(worded), claim.hypothesis, sentences)
    except DataError:  # no text says this tree; the released scorers could not be asked about it
        return read_tree(worded, claim.hypothesis, sentences)


def _equivalence(tree: Tree, example: TreeExample, *, by_text: bool) -> Equivalence:
    gold, claim = example.golds[0], example.inputs
    if by_text:
        return equivalence(renamed(tree, _sentences(claim, tree)), renamed(gold, _sentences(claim, gold)))
    return equivalence(tree, gold)


def _sentences(claim: Claim, tree: Tree) -> dict[str, str]:
    """Texts by id: those of the context, and over them those that the tree brings along."""
    return {sentence.id: sentence.text for sentence in (*claim.context, *tree.sentences)}


def _intermediates(
    items: Sequence[Comparison | None], similarity: Similarity | None, convention: Convention
) -> list[Overlap | None] | None:
    """One call of the similarity for all items; None without one."""
    if similarity is None:
        return None
    values = iter(score_once(similarity, [pair for item in items if item for pair in item.questions]))
    return [
        None
        if item is None
        else intermediates(item, [next(values) for _ in item.questions], strict=convention.strict)
        for item in items
    ]


def _pair(
    f1: Metric,
    every: Metric,
    items: Sequence[Overlap | None],
    convention: Convention,
    parameters: Mapping[str, str] | None = None,
) -> list[Scores]:
    every_correct = _scores(every, [None if item is None else item.all_correct for item in items], parameters)
    if convention.micro:
        rows = [None if item is None else item.counts for item in items]
        return [scores(replace(f1, finish=micro_f1), rows, parameters, every_correct.note), every_correct]
    return [_scores(f1, [None if item is None else item.f1 for item in items], parameters), every_correct]


def _scores(
    metric: Metric, values: Sequence[float | bool | None], parameters: Mapping[str, str] | None = None
) -> Scores:
    rows = [None if value is None else (float(value),) for value in values]
    return scores(metric, rows, parameters, NO_GOLD if None in values else "")


def _overall(row: Row | None) -> bool | None:
    if row is None or row.words is None:
        return None
    return row.leaves.all_correct and row.steps.all_correct and row.words.all_correct


def _validity(dataset: AnyDataset, answers: Answers, classifier: Classifier | None) -> Scores:
    """The mean over the steps of each tree. No tree, and a step without words, have none."""
    if classifier is None:
        return unmeasured(STEPS_VALID, len(answers), NO_CLASSIFIER)
    pairs = [_worded(example.inputs, answer) for example, answer in zip(dataset.examples, answers, strict=True)]
    asked = [pair for steps in pairs for pair in steps if pair is not None]
    judged = iter(classify_once(classifier, asked) if asked else ())
    rows = []
    for steps in pairs:
        values = [0.0 if pair is None else _valid(next(judged), classifier) for pair in steps]
        rows.append((sum(values) / max(1, len(values)),))
    count, trees = sum(map(len, pairs)), sum(map(bool, pairs))
    note = f"{count} steps in {trees} trees, {count / trees:.2f} each" if trees else "no trees"
    return scores(STEPS_VALID, rows, {"step_classifier": classifier.name}, note)


def _worded(claim: Claim, answer: Prediction[Tree] | None) -> list[Pair | None]:
    """Premises and conclusion of each step, as classifiers of steps read them; None where words are missing."""
    if answer is None or answer.explanation is None:
        return []
    said, tree = texts(answer.explanation, claim), answer.explanation
    return [
        (premises_text([said[name] for name in step.premises]), said[step.conclusion])
        if all(said.get(name) for name in (*step.premises, step.conclusion))
        else None
        for step in tree.steps
    ]


def _valid(probabilities: Mapping[str, float], classifier: Classifier) -> float:
    if VALID not in probabilities:
        raise UsageError(f"{classifier.name} does not judge steps: it has the labels {', '.join(probabilities)}")
    return probabilities[VALID]


def _up_to(value: int, most: int) -> str:
    return f"≥{most}" if value >= most else str(value)


def _width(value: int, edges: Sequence[int]) -> str:
    """The bin of a value, for bins that start at these edges."""
    start = max((edge for edge in edges if edge <= value), default=0)
    following = next((edge for edge in edges if edge > value), None)
    return f"≥{start}" if following is None else f"{start}-{following - 1}"


def _of_gold(example: Example[Any, Any], say: Callable[[Tree], str]) -> tuple[str, ...]:
    return tuple(say(gold) for gold in example.golds[:1])


def by_steps(example: Example[Any, Any]) -> tuple[str, ...]:
    """Steps of the gold tree, in the bins of Table A3."""
    return _of_gold(example, lambda tree: _up_to(len(tree.steps), 6))


def by_depth(example: Example[Any, Any]) -> tuple[str, ...]:
    """Depth of the gold tree."""
    return _of_gold(example, lambda tree: _up_to(tree_depth(tree) or 0, 5))


def by_leaves(example: Example[Any, Any]) -> tuple[str, ...]:
    """Leaves of the gold tree."""
    return _of_gold(example, lambda tree: _width(len(leaves(tree)), (1, 3, 5, 7, 10)))


def by_length(example: Example[Any, Any]) -> tuple[str, ...]:
    """Words of the hypothesis."""
    return (_width(len(example.inputs.hypothesis.split()), (1, 8, 12, 16, 20)),)


_SLICES: dict[str, Slice] = {"steps": by_steps, "depth": by_depth, "length": by_length, "leaves": by_leaves}


def _scoring(by_text: bool) -> Scoring:
    return Scoring(
        partial(score, by_text=by_text),
        partial(failure_causes, by_text=by_text),
        _SLICES,
        ("similarity", "step_classifier"),
        (LEAVES_F1.name, STEPS_F1.name),
    )


# Task 3's trees are compared by the texts of their sentences: each names those of its own retrieval.
SCORING, SCORING_BY_TEXT = _scoring(by_text=False), _scoring(by_text=True)
