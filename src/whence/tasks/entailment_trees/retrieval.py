"""Task 3's first step: the sentences of a corpus that a tree may need, for its hypothesis, question and answer."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from whence.errors import MissingDataError
from whence.files import cache_folder
from whence.models.items import RankItem
from whence.models.learners import Judge
from whence.models.learners.sparse import SparseJudge, SparseSettings, explained_cases
from whence.models.retrieval.explained import ExplainedTexts
from whence.models.retrieval.storage import indexed
from whence.models.trained import load_model
from whence.progress import Report, unreported
from whence.structures.facts import Fact
from whence.structures.results import Example
from whence.structures.tree import Claim, Sentence, Tree, leaves
from whence.tasks.dataset import AnyDataset
from whence.tasks.entailment_trees.data.files import CORPUS, read, read_corpus, splits
from whence.tasks.head import Head, Source
from whence.tasks.method import EMBEDDED, Setup

MOST = 25
"""Sentences a tree is built from, as in the paper's task 3."""
POWER = 0.6
_TOKEN = re.compile(r"[^a-z0-9]+")
_PLACEHOLDER = "DUMMY"  # the corpus has one such entry


def key_of(sentence: str) -> str:
    """A sentence by its letters and digits: contexts write `;` where gold trees write `/`."""
    return _TOKEN.sub(" ", sentence.lower()).strip()


def different(corpus: Mapping[str, Fact]) -> dict[str, str]:
    """The sentences of a corpus by id, of those that are alike the first: 5% are there twice."""
    found: dict[str, tuple[str, str]] = {}
    for name, fact in corpus.items():
        if fact.text != _PLACEHOLDER:
            found.setdefault(key_of(fact.text), (name, fact.text))
    return dict(found.values())


def claim_query(name: str, claim: Claim) -> RankItem:
    """What sentences are sought for: question and answer, and above all the hypothesis that declares them."""
    return RankItem(name, f"{claim.question} {claim.answer}".strip(), None, name, claim.hypothesis)


def leaf_sentences(tree: Tree, claim: Claim) -> list[str]:
    """The sentences at the leaves of a tree."""
    texts = {sentence.id: sentence.text for sentence in (*claim.context, *tree.sentences)}
    return [texts[name] for name in leaves(tree) if name in texts]


def sentence_items(source: Source) -> Sequence[RankItem]:
    """A query an example, with the leaves of its gold tree.

    A leaf that the corpus does not have (one of twenty) is named by its own words: no ranking can have it.
    """
    dataset = source.dataset()
    return _items(dataset.examples, different(_corpus(dataset, source.folder() / "entailmentbank" / CORPUS)))


def _items(examples: Iterable[Example[Claim, Tree]], texts: Mapping[str, str]) -> list[RankItem]:
    names = {key_of(text): name for name, text in texts.items()}
    seen: Counter[str] = Counter()
    found = []
    for example in examples:
        seen[example.id] += 1
        name = example.id if seen[example.id] == 1 else f"{example.id} ({seen[example.id]})"
        asked = claim_query(name, example.inputs)
        sentences = [text for tree in example.golds[:1] for text in leaf_sentences(tree, example.inputs)]
        gold = tuple(dict.fromkeys(names.get(key_of(text), text) for text in sentences))
        found.append(RankItem(asked.id, asked.query, gold or None, example.id, asked.focus))
    return found


def corpus_sentences(source: Source) -> dict[str, str]:
    """The sentences that are ranked, by id."""
    return different(_corpus(source.dataset(), source.folder() / "entailmentbank" / CORPUS))


def _corpus(dataset: AnyDataset, path: Path) -> Mapping[str, Fact]:
    """The corpus that lies with the examples, else that of the data folder."""
    if dataset.facts:
        return dataset.facts
    if not path.is_file():
        raise MissingDataError(f"the corpus {path} is not here. Get it with: whence data get entailmentbank")
    return read_corpus(path)


class Retriever:
    """Finds the sentences that a tree may need."""

    def __init__(self, judge: Judge, texts: Mapping[str, str]) -> None:
        self.name = judge.name
        self._judge, self._texts = judge, texts

    def contexts(
        self, claims: Sequence[Claim], most: int = MOST, report: Report = unreported
    ) -> list[tuple[Sentence, ...]]:
        """For each claim the best sentences of the corpus, under the ids `sent1`, `sent2`, …, the best first."""
        asked = [claim_query(str(number), claim) for number, claim in enumerate(claims)]
        rankings = [verdict.ranking[:most] for verdict in self._judge.judge(asked, report)]
        return [
            tuple(Sentence(f"sent{place}", self._texts[name]) for place, name in enumerate(ranking, 1))
            for ranking in rankings
        ]


def retriever(model: str, setup: Setup) -> Retriever:
    """The retriever that a model folder holds; `embedded` ranks by words and by what training trees used."""
    path = setup.data() / "entailmentbank" / CORPUS
    if not setup.facts and not path.is_file():
        raise MissingDataError(f"the corpus {path} is not here. Get it with: whence data get entailmentbank")
    texts = different(setup.facts or read_corpus(path))
    if model != EMBEDDED:
        loaded = load_model(Path(model))
        return Retriever(loaded.judge(loaded.lesson("entailmentbank-3", "sentences")), texts)
    training = splits(3)["train"].file(setup.data())
    items = _items(read(training).examples, texts) if training.is_file() else []
    folder = cache_folder() / "indexes" / hashlib.sha256("\0".join(sorted(texts)).encode()).hexdigest()[:16]
    index = indexed(folder, texts, setup.report)
    settings = SparseSettings(power=POWER)
    found = ExplainedTexts(index, explained_cases(items, settings.focus), settings.counted)
    return Retriever(SparseJudge(f"words@{index.fingerprint[:8]}", found, settings.focus), texts)


SENTENCES = Head(
    name="sentences",
    title="which sentences of the corpus the tree needs",
    shape="ranking",
    items=sentence_items,
    train="train",
    test="test",
    measure="recall25",
    documents=corpus_sentences,
)
