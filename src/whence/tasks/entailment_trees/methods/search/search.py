"""Trees found by search: which sentences are needed, which belong together, and what follows from them.

Every tree is one by construction: each chosen sentence is used once, every conclusion is used by a later step,
and the last one is the hypothesis. Which premises belong together is weighed by a model of the head `grouping`;
what follows from them is proposed by rules or a writer and judged by the verifier. A group without a conclusion
that follows hands its premises on to the step above. Of the best groupings, the first is taken whose steps
all follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from math import log
from pathlib import Path

from whence.errors import UsageError
from whence.models.items import Group, Problem
from whence.models.learners import Judge
from whence.models.learners.logistic import LogisticJudge
from whence.models.learners.overlap import GroupScorer
from whence.models.overlap_features import content_words
from whence.models.trained import bundled, load_model
from whence.models.verifier.entailment import Inference, Verifier
from whence.progress import Report, unreported
from whence.solvers.grouping import Grouping, best_groupings
from whence.structures.results import Example
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree
from whence.structures.verdict import PartVerdict, Verdict
from whence.tasks.entailment_trees.heads.grouping import sentence_items
from whence.tasks.entailment_trees.methods.one_step.drill_down import says_the_same
from whence.tasks.entailment_trees.methods.search.conclusions import Conclusions, Writer
from whence.tasks.entailment_trees.methods.written.writer import writer_in
from whence.tasks.entailment_trees.retrieval import Retriever
from whence.tasks.entailment_trees.verification import VERIFICATION
from whence.tasks.method import EMBEDDED, Explained, Reason
from whence.tasks.verification import with_verdicts

FEWEST, MOST = 2, 12
"""How many of the sentences at hand a tree uses, where they are to be chosen."""
_SHOWN = 3
BEST, RULES, LARGE = "best", "rules", "large"
_ADVICE = "Conclusions between facts and hypothesis are written by the large model: whence models get large"


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a user may set."""

    grouping: str = EMBEDDED
    """A model folder of the head `grouping`, of the kind `bridges`: which premises belong together."""
    needed: str = EMBEDDED
    """A model folder of the head `needed`; `all`: every sentence at hand is used."""
    composer: str = BEST
    """Who proposes conclusions: `large`, the large language model, a second or two each; `rules`; or a model
    folder of the head `conclusion`. `best`: the large model if it is here, else rules."""
    trees: int = 3
    """How many of the best groupings are put into words, until one follows."""
    width: int = 15
    """Of more than six sentences: how many beginnings the search keeps."""
    premises: int = 3
    """The most premises that a step of a grouping has."""


@dataclass(frozen=True, slots=True)
class TreeModels:
    """What the search asks."""

    grouping: GroupScorer
    verifier: Verifier
    needed: Judge | None
    """None: every sentence at hand is used."""
    writer: Writer | None = None
    """None: conclusions are proposed by rules alone."""

    @property
    def name(self) -> str:
        """Their names and fingerprints."""
        parts = {"grouping": self.grouping.name, "verifier": self.verifier.name}
        parts |= {"needed": self.needed.name} if self.needed else {}
        parts |= {"conclusion": self.writer.name} if self.writer else {}
        return ", ".join(f"{head} {name}" for head, name in parts.items())


def tree_models(settings: SearchSettings, verifier: Verifier) -> TreeModels:
    """The models that the settings name."""
    grouping = judge_of("entailmentbank-1", "grouping", settings.grouping)
    if not isinstance(grouping, LogisticJudge):
        raise UsageError(
            f"{settings.grouping} is no model of the kind bridges: the search needs scores of single steps"
        )
    needed = None if settings.needed == "all" else judge_of("entailmentbank-2", "needed", settings.needed)
    return TreeModels(GroupScorer(grouping), verifier, needed, _writer(settings.composer))


def _writer(composer: str) -> Writer | None:
    from whence.tasks.entailment_trees.methods.search.written_conclusions import LanguageModelWriter, TrainedWriter

    if composer == BEST:
        from whence.models.weights import WEIGHTS, is_here, models_folder

        usable = is_here(WEIGHTS[LARGE], models_folder()) and find_spec("xllamacpp") is not None
        composer = LARGE if usable else RULES
    if composer == RULES:
        return None
    if composer == LARGE:
        from whence.models.generators.embedded import LocalSettings
        from whence.models.weights import located

        return LanguageModelWriter(LocalSettings(located(LARGE), context=2048))
    return TrainedWriter(writer_in(composer, "entailmentbank-1", "conclusion"))


def judge_of(task: str, head: str, model: str) -> Judge:
    """The model in a folder, or the one that ships with this package, for a head."""
    found = bundled(f"{task}/{head}") if model == EMBEDDED else load_model(Path(model))
    return found.judge(found.lesson(task, head))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tree in words, with the score of its grouping and a verdict on each step."""

    tree: Tree
    grouping: float
    verdicts: tuple[Verdict, ...]
    rules: tuple[str, ...]
    """How the conclusion of each step was made; empty for the hypothesis."""

    @property
    def is_supported(self) -> bool:
        """Whether every step follows."""
        return all(verdict.is_supported for verdict in self.verdicts)

    @property
    def worth(self) -> float:
        """What trees are compared by: grouping, and how sure the steps are."""
        return self.grouping + 0.5 * sum(log(max(verdict.support, 1e-6)) for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class CorpusSettings(SearchSettings):
    """What a user may set where sentences may come from a corpus."""

    retriever: str = "given"
    """`given`: the sentences of the example, and the embedded retriever where it has none; `embedded`, or a model
    folder of the head `sentences`: the best of the corpus in any case."""


class TreeSearch:
    """A method that makes trees whose steps follow, or says which do not."""

    def __init__(self, models: TreeModels, settings: SearchSettings) -> None:
        self._models, self._settings = models, settings
        self._conclusions = Conclusions(models.verifier, models.writer)
        self.name = f"search ({models.name}; trees {settings.trees})"

    def explain(self, examples: Sequence[Example[Claim, Tree]], report: Report = unreported) -> list[Explained]:
        """The best tree for each example, and what was not taken."""
        explained = []
        for done, example in enumerate(examples, 1):
            explained.append(self.explained(example.inputs))
            report("searching", done, len(examples))
        return explained

    def explained(self, claim: Claim, *, own: bool = False) -> Explained:
        """The best tree for a claim; `own`: the tree brings its sentences along."""
        if not claim.context:
            return Explained(None, refused=(Reason("", because=("there are no sentences to make a tree of",)),))
        chosen, left = chosen_sentences(claim, self._models.needed)
        candidates = self._candidates(claim, chosen)
        best, *others = sorted(candidates, key=lambda one: (-one.is_supported, -one.worth))
        tree = replace(best.tree, sentences=tuple(chosen)) if own else best.tree
        advice = _ADVICE if self._models.writer is None and len(chosen) > len(best.tree.steps) + 1 else ""
        explained = Explained(tree, _reasons(claim, best), (*_rivals(claim, best, others), *left), advice=advice)
        parts = tuple(
            PartVerdict(f"/steps/{index}", _written(step, claim), verdict)
            for index, (step, verdict) in enumerate(zip(best.tree.steps, best.verdicts, strict=True))
        )
        return with_verdicts(VERIFICATION, claim, explained, parts)

    def _candidates(self, claim: Claim, chosen: Sequence[Sentence]) -> list[Candidate]:
        """Trees of the best groupings until one follows; then, if none does, one step from all sentences."""
        candidates: list[Candidate] = []
        for grouping in self._groupings(claim, chosen):
            candidates.append(self._words(claim, chosen, grouping))
            if candidates[-1].is_supported:
                return candidates
        flat = Tree((Step(tuple(one.id for one in chosen), HYPOTHESIS),))
        if flat not in [one.tree for one in candidates]:
            worst = min(one.grouping for one in candidates)
            direct = self._verdict([one.text for one in chosen], claim.hypothesis)
            candidates.append(Candidate(flat, worst - 1, (direct,), ("",)))
        return candidates

    def _groupings(self, claim: Claim, chosen: Sequence[Sentence]) -> Sequence[Grouping]:
        if len(chosen) == 1:
            return [Grouping(0.0, ((1,),))]
        problem = Problem(tuple(one.text for one in chosen), claim.hypothesis)
        return best_groupings(
            len(chosen),
            self._models.grouping.scorer(problem),
            width=self._settings.width,
            most=self._settings.premises,
            wanted=self._settings.trees,
        )

    def _words(self, claim: Claim, chosen: Sequence[Sentence], grouping: Grouping) -> Candidate:
        """The tree of a grouping; what a group without conclusion has goes to the step above."""
        stands = {1 << index: [one] for index, one in enumerate(chosen)}
        taken = {one.id for one in claim.context}
        free = (name for number in range(1, 10**6) if (name := f"int{number}") not in taken)
        steps, verdicts, rules = [], [], []
        for group in grouping.steps:
            whole = sum(group)
            parts = [sentence for part in _in_order(group) for sentence in stands[part]]
            premises, texts = tuple(one.id for one in parts), [one.text for one in parts]
            if whole == (1 << len(chosen)) - 1:
                steps.append(Step(premises, HYPOTHESIS))
                verdicts.append(self._verdict(texts, claim.hypothesis))
                rules.append("")
            elif conclusion := self._conclusions.conclude(texts, _wanted(claim, chosen, whole)):
                stands[whole] = [Sentence(next(free), conclusion.text)]
                steps.append(Step(premises, stands[whole][0].id, conclusion.text))
                verdicts.append(conclusion.verdict)
                rules.append(conclusion.rule)
            else:
                stands[whole] = parts
        return Candidate(Tree(tuple(steps)), grouping.score, tuple(verdicts), tuple(rules))

    def _verdict(self, premises: Sequence[str], conclusion: str) -> Verdict:
        [entailment] = self._models.verifier.judge([Inference(tuple(premises), conclusion)])
        return entailment.verdict(self._models.verifier.name)


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


def _written(step: Step, claim: Claim) -> str:
    return f"{' & '.join(step.premises)} -> {step.conclusion}: {step.text or claim.hypothesis}"


def _reasons(claim: Claim, best: Candidate) -> tuple[Reason, ...]:
    return tuple(
        Reason(_written(step, claim), verdict.support, _because(claim, best.tree, step, rule))
        for step, verdict, rule in zip(best.tree.steps, best.verdicts, best.rules, strict=True)
    )


def _rivals(claim: Claim, best: Candidate, others: Sequence[Candidate]) -> tuple[Reason, ...]:
    """The first steps that the next best trees have instead."""
    taken = {frozenset(step.premises) for step in best.tree.steps}
    rivals = []
    for other in others[:_SHOWN]:
        pairs = zip(other.tree.steps, other.verdicts, strict=True)
        different = [pair for pair in pairs if frozenset(pair[0].premises) not in taken]
        for step, verdict in different[:1]:
            reason = f"a tree with it scores {best.worth - other.worth:.2f} less"
            rivals.append(Reason(_written(step, claim), verdict.support, (reason,)))
    return tuple(rivals)


def _because(claim: Claim, tree: Tree, step: Step, rule: str) -> tuple[str, ...]:
    """What the premises share, and how the conclusion was made."""
    said = {one.id: one.text for one in claim.context}
    said |= {one.conclusion: one.text for one in tree.steps}
    bags = [content_words(said[premise]) for premise in step.premises]
    shared = sorted({word for index, bag in enumerate(bags) for other in bags[:index] for word in bag & other})
    lines = (f"premises share {', '.join(shared)}",) if shared else ()
    return (*lines, f"by {rule}") if rule else lines
