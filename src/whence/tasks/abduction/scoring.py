"""Scores of ART: accuracy of `anli`; BLEU, METEOR, ROUGE-L, CIDEr and BERTScore of `anlg`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Any

from whence.metrics.classification import accuracy
from whence.metrics.metric import Scores, scores
from whence.metrics.text import bertscore, bleu, cider, note_on_references, rouge_l
from whence.metrics.text_meteor import meteor
from whence.structures.hypothesis import Hypothesis, HypothesisPair, Observations
from whence.structures.results import UNREAD, Example, Label, Prediction
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import Answers, Scoring, ScoringOptions, Slice


def score_anli(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> list[Scores]:
    """The share of right choices."""
    golds = [example.golds[0].name if example.golds else None for example in dataset.examples]
    return [accuracy(golds, [_chosen(answer) for answer in answers])]


def _chosen(answer: Prediction[Label] | None) -> str | None:
    return answer.explanation.name if answer and answer.explanation else None


def score_anlg(dataset: AnyDataset, answers: Answers, options: ScoringOptions) -> list[Scores]:
    """The released text metrics; METEOR pairs synonyms only if they are handed in, BERTScore needs a similarity.

    The released scorer rounds METEOR of each item to four digits; other protocols do not.
    """
    written = [_written(answer) for answer in answers]
    references = [[gold.text for gold in example.golds] for example in dataset.examples]
    texts = list(zip(written, references, strict=True))
    rows = list(options.measured(_measure, texts))
    *found, similar = (
        scores(
            none.metric, [row[place] for row in rows], none.parameters, none.note or note_on_references(references)
        )
        for place, none in enumerate(_one_by_one(options, ()))
    )
    # How rare n-grams are, only all texts together tell.
    return [*found, cider(written, references), similar]


def _one_by_one(options: ScoringOptions, texts: Sequence[tuple[str, Sequence[str]]]) -> list[Scores]:
    written, references = [text for text, _ in texts], [golds for _, golds in texts]
    return [
        *bleu(written, references),
        meteor(written, references, options.synonyms, digits=4 if options.protocol == "official" else None),
        rouge_l(written, references),
        bertscore(written, references, options.similarity),
    ]


def _measure(options: ScoringOptions, texts: Sequence[tuple[str, Sequence[str]]]) -> list[Sequence[Any]]:
    """For each text the statistics of each metric; None where one is unknown."""
    found = _one_by_one(options, texts)
    columns = [
        [row if known else None for row, known in zip(one.statistics.tolist(), one.known.tolist(), strict=True)]
        for one in found
    ]
    return list(zip(*columns, strict=True))


def _written(answer: Prediction[Hypothesis] | None) -> str:
    return answer.explanation.text if answer and answer.explanation else ""


# Slices. Table 3 names three kinds of commonsense and gives no list of words: these are ours.

_KEY_WORDS = {
    # "reasoning about numerical quantities"
    "numerical": "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred "
    "hundreds thousand thousands million dozen dozens half double twice several few many number counted amount",
    # "the spatial location of agents and objects"
    "spatial": "above across along around away behind below beneath beside between bottom corner downstairs far "
    "front inside near onto outside through top toward towards under underneath upstairs north east south west",
    # "strong textual cues about emotions and sentiments"
    "emotional": "afraid angry annoyed anxious ashamed bored cried cry depressed disappointed embarrassed excited "
    "frustrated furious glad happy hate hated jealous lonely love loved mad nervous proud relieved sad scared shy "
    "surprised terrified upset worried",
}
_CATEGORIES = {name: frozenset(words.split()) for name, words in _KEY_WORDS.items()}
_SHARES = {50: "0-49%", 75: "50-74%", 90: "75-89%", 101: "90-100%"}


def by_category(example: Example[HypothesisPair, Label]) -> tuple[str, ...]:
    """The kinds of commonsense (Table 3) of which a hypothesis has a key word; a number in digits is numerical."""
    words = set(re.findall(r"[a-z]+|\d+", f"{example.inputs.hyp1} {example.inputs.hyp2}".lower()))
    words |= {"number" for word in words if word.isdigit()}
    return tuple(name for name, keys in _CATEGORIES.items() if keys & words) or ("other",)


def by_length_of_hypotheses(example: Example[HypothesisPair, Label]) -> tuple[str, ...]:
    """The mean number of words of the two hypotheses."""
    return _length((example.inputs.hyp1, example.inputs.hyp2))


def by_length_of_references(example: Example[Observations, Hypothesis]) -> tuple[str, ...]:
    """The mean number of words of the references."""
    return _length(gold.text for gold in example.golds)


def _length(texts: Iterable[str]) -> tuple[str, ...]:
    sizes = [len(text.split()) for text in texts]
    if not sizes:
        return ()
    mean = round(fmean(sizes))
    bins = {"1-5 words": 5, "6-8 words": 8, "9-11 words": 11}
    return (next((name for name, most in bins.items() if mean <= most), "12 words and more"),)


def by_votes(example: Example[HypothesisPair, Label]) -> tuple[str, ...]:
    """The share of people who chose the gold hypothesis, where `meta["votes"]` has their number by label."""
    votes = example.meta.get("votes")
    if not isinstance(votes, dict) or not example.golds or not sum(votes.values()):
        return ()
    share = 100 * votes.get(example.golds[0].name, 0) / sum(votes.values())
    return (next(name for below, name in _SHARES.items() if share < below),)


_SLICES: dict[str, dict[str, Slice]] = {
    "anli": {"category": by_category, "length": by_length_of_hypotheses, "votes": by_votes},
    "anlg": {"length": by_length_of_references},
}


# Why answers are wrong.


def anli_failures(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> Counter[str]:
    """Wrong choices, by what was chosen."""
    causes: Counter[str] = Counter()
    for example, answer in zip(dataset.examples, answers, strict=True):
        chosen = _chosen(answer)
        if not example.golds or chosen == example.golds[0].name:
            continue
        causes[_unanswered(answer) or f"chose {chosen}, right is {example.golds[0].name}"] += 1
    return causes


def anlg_failures(dataset: AnyDataset, answers: Answers, _: ScoringOptions) -> Counter[str]:
    """Hypotheses that cannot be right, or have nothing of the references."""
    return Counter(
        cause
        for example, answer in zip(dataset.examples, answers, strict=True)
        if example.golds
        for cause in _written_causes(example, answer)
    )


def _written_causes(
    example: Example[Observations, Hypothesis], answer: Prediction[Hypothesis] | None
) -> Iterator[str]:
    text = _written(answer).strip()
    unanswered = _unanswered(answer)
    if unanswered or not text:
        yield unanswered or "empty"
        return
    if text in (example.inputs.obs1.strip(), example.inputs.obs2.strip()):
        yield "repeats an observation"
    words = {word for gold in example.golds for word in gold.text.lower().split()}
    if not words & set(text.lower().split()):
        yield "no word of any reference"


def _unanswered(answer: Prediction[Any] | None) -> str:
    if answer is None:
        return "no answer"
    return UNREAD if answer.explanation is None else ""


SCORING: dict[str, Scoring] = {
    "anli": Scoring(score_anli, anli_failures, _SLICES["anli"], main=("accuracy",)),
    "anlg": Scoring(
        score_anlg, anlg_failures, _SLICES["anlg"], ("similarity", "synonyms"), ("rougeL",), ("cider",)
    ),
}
