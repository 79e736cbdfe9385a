"""Trees found by search: which sentences are needed, which belong together, and what follows from them.

Every tree is one by construction: each chosen sentence is used once, every conclusion is used by a later step,
and the last one is the hypothesis. Which premises belong together is weighed by a model of the head `grouping`;
of the best groupings, that is taken whose steps a model of the head `step` finds valid too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path

from whence.errors import UsageError
from whence.models.items import Group, Problem
from whence.models.learners import Judge
from whence.models.learners.logistic import LogisticJudge
from whence.models.learners.overlap import GroupScorer
from whence.models.overlap_features import content_words
from whence.models.trained import bundled, load_model
from whence.progress import Report, unreported
from whence.solvers.grouping import Grouping, best_groupings
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.tasks.entailment_trees.heads.grouping import sentence_items
from whence.tasks.entailment_trees.heads.heads import step_pair, validities
from whence.tasks.entailment_trees.methods.one_step.drill_down import says_the_same
from whence.tasks.entailment_trees.methods.search.rule_conclusions import Composed, compose
from whence.tasks.entailment_trees.methods.search.written_conclusions import WrittenConclusions
from whence.tasks.entailment_trees.methods.written.writer import writer_in
from whence.tasks.entailment_trees.retrieval import Retriever
from whence.tasks.method import EMBEDDED, Explained, Reason

FEWEST, MOST = 2, 12
"""How many of the sentences at hand a tree uses, where they are to be chosen."""
_SHOWN = 3
RULES = "rules"


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a user may set."""

    grouping: str = EMBEDDED
    """A model folder of the head `grouping`, of the kind `bridges`: which premises belong together."""
    step: str = EMBEDDED
    """A model folder of the head `step`: whether premises entail a conclusion."""
    needed: str = EMBEDDED
    """A model folder of the head `needed`; `all`: every sentence at hand is used."""
    composer: str = RULES
    """`rules`, or a model folder of the head `conclusion`, which then words what follows; where it only repeats,
    the rules do."""
    verified: float = 0.5
    """How much the validity of steps weighs beside what belongs together."""
    trees: int = 4
    """How many of the best groupings have their steps judged."""
    width: int = 15
    """Of more than six sentences: how many beginnings the search keeps."""
    premises: int = 3
    """The most premises that a step has."""


@dataclass(frozen=True, slots=True)
class TreeModels:
    """What the search asks."""

    grouping: GroupScorer
    step: Judge
    needed: Judge | None
    """None: every sentence at hand is used."""
    composer: WrittenConclusions | None = None
    """None: conclusions are composed by rule."""

    @property
    def name(self) -> str:
        """Their names and fingerprints."""
        parts = {"grouping": self.grouping.name, "step": self.step.name}
        parts |= {"needed": self.needed.name} if self.needed else {}
        parts |= {"conclusion": self.composer.name} if self.composer else {}
        return ", ".join(f"{head} {name}" for head, name in parts.items())


def tree_models(settings: SearchSettings) -> TreeModels:
    """The models that the settings name."""
    grouping = judge_of("entailmentbank-1", "grouping", settings.grouping)
    if not isinstance(grouping, LogisticJudge):
        raise UsageError(
            f"{settings.grouping} is no model of the kind bridges: the search needs scores of single steps"
        )
    needed = None if settings.needed == "all" else judge_of("entailmentbank-2", "needed", settings.needed)
    step = judge_of("entailmentbank-1", "step", settings.step)
    return TreeModels(GroupScorer(grouping), step, needed, _composer(settings.composer))


def _composer(model: str) -> WrittenConclusions | None:
    if model == RULES:
        return None
    return WrittenConclusions(writer_in(model, "entailmentbank-1", "conclusion"))


def judge_of(task: str, head: str, model: str) -> Judge:
    """The model in a folder, or the one that ships with this package, for a head."""
    found = bundled(f"{task}/{head}") if model == EMBEDDED else load_model(Path(model))
    return found.judge(found.lesson(task, head))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tree in words, with the score of its grouping and the validity of each step."""

    tree: Tree
    grouping: float
    validity: tuple[float, ...]
    composed: tuple[Composed, ...]

    def worth(self, verified: float) -> float:
        """What trees are compared by."""
        return self.grouping + verified * sum(log(max(value, 1e-6)) for value in self.validity)


@dataclass(frozen=True, slots=True)
class CorpusSettings(SearchSettings):
    """What a user may set where sentences may come from a corpus."""

    retriever: str = "given"
    """`given`: the sentences of the example, and the embedded retriever where it has none; `embedded`, or a model
    folder of the head `sentences`: the best of the corpus in any case."""


class TreeSearch:
    """A method that makes trees without a language model."""

    def __init__(self, models: TreeModels, settings: SearchSettings) -> None:
        self._models, self._settings = models, settings
        self.name = f"search ({models.name}; verified {settings.verified:g}, trees {settings.trees})"

    def explain(self, examples: Sequence[Example[Claim, Tree]], report: Report = unreported) -> list[Explained]:
        """The best tree for each example, and what was not taken."""
        found = []
        for done, example in enumerate(examples, 1):
            found.append(self.explained(example.inputs))
            report("searching", done, len(examples))
        return found

    def explained(self, claim: Claim, *, own: bool = False) -> Explained:
        """The best tree for a claim; `own`: the tree brings its sentences along."""
        if not claim.context:
            return Explained(None, refused=(Reason("", because=("there are no sentences to make a tree of",)),))
        chosen, left = chosen_sentences(claim, self._models.needed)
        if len(chosen) == 1:
            candidates = [self._words(claim, chosen, Grouping(0.0, ((1,),)))]
        else:
            problem = Problem(tuple(one.text for one in chosen), claim.hypothesis)
            trees = best_groupings(
                len(chosen),
                self._models.grouping.scorer(problem),
                width=self._settings.width,
                most=self._settings.premises,
                wanted=self._settings.trees,
            )
            candidates = [self._words(claim, chosen, tree) for tree in trees]
        best, *others = sorted(
            self._judged(claim, candidates), key=lambda one: -one.worth(self._settings.verified)
        )
        tree = replace(best.tree, sentences=tuple(chosen)) if own else best.tree
        return Explained(tree, self._reasons(claim, best), (*self._rivals(claim, best, others), *left))

    def _words(self, claim: Claim, chosen: Sequence[Sentence], grouping: Grouping) -> Candidate:
        """The tree of a grouping, its conclusions worded."""
        names = {1 << place: one.id for place, one in enumerate(chosen)}
        said = {1 << place: one.text for place, one in enumerate(chosen)}
        taken = {one.id for one in claim.context}
        free = (name for number in range(1, 10**6) if (name := f"int{number}") not in taken)
        steps, made = [], []
        for group in grouping.steps:
            whole = sum(group)
            is_last = whole == (1 << len(chosen)) - 1
            parts = [said[part] for part in group]
            composer = compose if is_last or self._models.composer is None else self._models.composer
            made.append(composer(parts, _wanted(claim, chosen, whole)))
            premises = tuple(names[part] for part in _in_order(group))
            names[whole] = HYPOTHESIS if is_last else next(free)
            said[whole] = claim.hypothesis if is_last else made[-1].text
            text = "" if is_last else made[-1].text
            steps.append(Step(premises, names[whole], text))
        return Candidate(Tree(tuple(steps)), grouping.score, (), tuple(made))

    def _judged(self, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates with the validity of their steps; equal steps are judged once."""
        asked = [[step_pair(*_worded(claim, one.tree, step)) for step in one.tree.steps] for one in candidates]
        valid = iter(validities(self._models.step, [pair for pairs in asked for pair in pairs]))
        return [
            replace(one, validity=tuple(next(valid) for _ in pairs))
            for one, pairs in zip(candidates, asked, strict=True)
        ]

    def _reasons(self, claim: Claim, best: Candidate) -> tuple[Reason, ...]:
        return tuple(
            Reason(_written(step, claim), value, _because(claim, best.tree, step, made))
            for step, value, made in zip(best.tree.steps, best.validity, best.composed, strict=True)
        )

    def _rivals(self, claim: Claim, best: Candidate, others: Sequence[Candidate]) -> tuple[Reason, ...]:
        """The first steps that the next best trees have instead."""
        taken = {frozenset(step.premises) for step in best.tree.steps}
        found = []
        for other in others[:_SHOWN]:
            behind = best.worth(self._settings.verified) - other.worth(self._settings.verified)
            pairs = zip(other.tree.steps, other.validity, strict=True)
            different = [pair for pair in pairs if frozenset(pair[0].premises) not in taken]
            for step, value in different[:1]:
                found.append(Reason(_written(step, claim), value, (f"a tree with it scores {behind:.2f} less",)))
        return tuple(found)


class CorpusSearch:
    """A search among sentences that a retriever finds."""

    def __init__(self, search: TreeSearch, retriever: Callable[[], Retriever], *, always: bool) -> None:
        self._search, self._retriever, self._always = search, retriever, always
        self.name = f"{search.name}, retrieved by {retriever().name}" if always else search.name

    def explain(self, examples: Sequence[Example[Claim, Tree]], report: Report = unreported) -> list[Explained]:
        """The best tree for each example."""
        claims = [example.inputs for example in examples]
        asked = [place for place, claim in enumerate(claims) if self._always or not claim.context]
        contexts = self._retriever().contexts([claims[place] for place in asked]) if asked else []
        # What says the same as the hypothesis is no reason for it.
        retrieved = {
            place: tuple(one for one in context if not says_the_same(one.text, claims[place].hypothesis))
            for place, context in zip(asked, contexts, strict=True)
        }
        found = []
        for place, claim in enumerate(claims):
            given = replace(claim, context=retrieved.get(place, claim.context))
            found.append(self._search.explained(given, own=place in retrieved))
            report("searching", place + 1, len(claims))
        return found


def chosen_sentences(claim: Claim, needed: Judge | None) -> tuple[tuple[Sentence, ...], tuple[Reason, ...]]:
    """The sentences to use, in the order of the context, and the likeliest of the others; without a model all."""
    if needed is None:
        return claim.context, ()
    verdicts = needed.judge(sentence_items("", claim))
    probabilities = [verdict.probabilities[1] for verdict in verdicts]
    order = sorted(range(len(probabilities)), key=lambda place: (-probabilities[place], place))
    count = best_count([probabilities[place] for place in order])
    kept = set(order[:count])
    others = [(claim.context[place], probabilities[place]) for place in order[count : count + _SHOWN]]
    left = tuple(Reason(f"{one.id}: {one.text}", value, ("is not needed",)) for one, value in others)
    return tuple(one for place, one in enumerate(claim.context) if place in kept), left


def best_count(probabilities: Sequence[float]) -> int:
    """How many of the likeliest sentences to take for the best F1 to be expected; `probabilities` from high to
    low."""
    everything, so_far, best, count = sum(probabilities), 0.0, -1.0, 0
    for number, value in enumerate(probabilities[:MOST], 1):
        so_far += value
        expected = 2 * so_far / (number + everything)
        if expected > best or number <= FEWEST:
            best, count = expected, number
    return count


def _wanted(claim: Claim, chosen: Sequence[Sentence], used: int) -> frozenset[str]:
    """Words that a conclusion should keep: those of the hypothesis and of sentences that are still to be used."""
    left = [one.text for place, one in enumerate(chosen) if not used >> place & 1]
    return frozenset().union(*map(content_words, (claim.hypothesis, *left)))


def _in_order(group: Group) -> list[int]:
    """Conclusions first, as proofs of the data have them."""
    return sorted(group, key=lambda part: (part.bit_count() == 1, part))


def _worded(claim: Claim, tree: Tree, step: Step) -> tuple[list[str], str]:
    said = {one.id: one.text for one in claim.context}
    said |= {one.conclusion: one.text for one in tree.steps}
    return [said[premise] for premise in step.premises], step.text or claim.hypothesis


def _written(step: Step, claim: Claim) -> str:
    return f"{' & '.join(step.premises)} -> {step.conclusion}: {step.text or claim.hypothesis}"


def _because(claim: Claim, tree: Tree, step: Step, made: Composed) -> tuple[str, ...]:
    """What the premises share, and by which rule the conclusion was composed."""
    premises, _ = _worded(claim, tree, step)
    bags = [content_words(text) for text in premises]
    shared = sorted({word for place, bag in enumerate(bags) for other in bags[:place] for word in bag & other})
    told_words = (f"premises share {', '.join(shared)}",) if shared else ()
    return (*told_words, f"by {made.rule}") if step.conclusion != HYPOTHESIS else told_words
