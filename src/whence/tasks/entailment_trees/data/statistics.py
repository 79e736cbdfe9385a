"""EntailmentBank's Table 2 and Figure 4, and the sizes of the out-of-domain sets, counted from the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from whence.structures.results import Example
from whence.structures.tree import Claim, Tree, leaves, node_count, tree_depth
from whence.tasks.entailment_trees.data.files import CORPUS, read, read_chains, read_challenge, read_corpus, splits
from whence.tasks.statistics import StatisticsTable, figures, mean, percentage

_TABLE_2 = {"train": (1313, 4175), "dev": (187, 597), "test": (340, 1109), "all": (1840, 5881)}


def entailmentbank(folder: Path) -> Iterator[StatisticsTable]:
    """The tables of the paper, and what the three tasks give to choose from."""
    trees = {
        name: [tree for example in read(split.file(folder)).examples for tree in example.golds]
        for name, split in splits(1).items()
    }
    everything = {**trees, "all": [tree for found in trees.values() for tree in found]}
    yield figures(
        "Table 2: questions and steps",
        ("questions", "steps"),
        {name: (len(found), sum(len(tree.steps) for tree in found)) for name, found in everything.items()},
        _TABLE_2,
        ("The original train.jsonl is not published beside these files; train is its 'angles' form.",),
    )
    yield figures(
        "Section 3.3: trees",
        ("nodes", "steps", "leaves", "depth", "% with 1-2 steps", "most steps"),
        {name: _shape(found) for name, found in everything.items()},
        {"all": (7.6, 3.2, None, None, 50, 17)},
        (
            "Nodes are the leaves and conclusions of a tree, each once. The paper calls a step's conclusion and "
            "its premises 3 facts.",
        ),
    )
    yield _histogram(trees["train"])
    yield _contexts(folder)


def _shape(trees: Sequence[Tree]) -> tuple[float | None, ...]:
    sizes = [len(tree.steps) for tree in trees]
    return (
        mean([node_count(tree) for tree in trees]),
        mean(sizes),
        mean([len(leaves(tree)) for tree in trees]),
        mean([found for tree in trees if (found := tree_depth(tree)) is not None]),
        percentage([size <= 2 for size in sizes]),
        max(sizes, default=None),
    )


def _histogram(trees: Sequence[Tree]) -> StatisticsTable:
    sizes = Counter(min(len(tree.steps), 10) for tree in trees)
    return figures(
        "Figure 4: steps in a tree of train",
        ("trees", "proportion"),
        {f"{size}{'+' if size == 10 else ''}": (sizes[size], sizes[size] / len(trees)) for size in range(1, 11)},
        remarks=("The paper prints this figure as a picture only.",),
    )


def _contexts(folder: Path) -> StatisticsTable:
    rows: dict[str, tuple[float | None, ...]] = {}
    for task in (1, 2, 3):
        for name, split in splits(task).items():
            examples = read(split.file(folder)).examples
            sizes = [len(example.inputs.context) for example in examples]
            golds = sum(len(example.golds) for example in examples)
            rows[f"task {task} {name}"] = (
                len(examples),
                golds,
                mean(sizes),
                max(sizes),
                _leaves_at_hand(examples),
            )
    corpus = len(read_corpus(folder / "entailmentbank" / CORPUS))
    return figures(
        "Sentences to choose from",
        ("examples", "gold trees", "mean sentences", "most sentences", "% of gold leaves"),
        rows,
        {"task 3 test": (None, None, None, None, 66.1)},
        (
            f"Task 3's corpus has {corpus:,} sentences.",
            "Leaves are compared by letters and digits: task 3's contexts write ';' where gold trees write '/'.",
        ),
    )


def _leaves_at_hand(examples: Sequence[Example[Claim, Tree]]) -> float | None:
    """The share of a gold tree's leaves that are among the sentences to choose from, averaged, of a hundred."""
    from whence.tasks.entailment_trees.retrieval import key_of, leaf_sentences  # imports models

    shares = []
    for example in examples:
        context = {key_of(sentence.text) for sentence in example.inputs.context}
        for tree in example.golds[:1]:
            needed = leaf_sentences(tree, example.inputs)
            shares += [sum(key_of(text) in context for text in needed) / len(needed)] if needed else []
    return None if not shares else 100 * sum(shares) / len(shares)


def challenge300(folder: Path) -> Iterator[StatisticsTable]:
    """Questions by category."""
    examples = list(read_challenge(folder / "challenge300/challenge300-probes-v1.jsonl"))
    categories = Counter(str(example.meta["category"]) for example in examples)
    rows = {"all": [len(examples)], **{name: [count] for name, count in categories.most_common()}}
    yield figures("Questions by category", ("questions",), rows)


def eqasc(folder: Path) -> Iterator[StatisticsTable]:
    """Chains and what people said of them."""
    found = {
        name: list(read_chains(folder / "eqasc" / name))
        for name in ("obqa_chains.tsv.processed.tsv", "turk_modified_test.tsv")
    }
    votes = {
        name: Counter(vote.answer for chain in chains for vote in chain.votes) for name, chains in found.items()
    }
    answers = [answer for answer, _ in sum(votes.values(), Counter[str]()).most_common()]
    yield figures(
        "Two-fact chains, and the answers to 'does it follow?'",
        ("chains", "votes", *answers),
        {
            name: (len(chains), votes[name].total(), *(votes[name][answer] for answer in answers))
            for name, chains in found.items()
        },
    )
