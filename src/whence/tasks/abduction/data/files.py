"""ART's files: pairs, labels, pools, human votes, references, generations; and ATOMIC's inferences."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.errors import DataError, quoted
from whence.files import Json, dump_json, parse_json, read_csv, read_json, read_jsonl, read_lines
from whence.structures.hypothesis import Hypothesis, HypothesisPair, HypothesisPools, Observations
from whence.structures.results import Example, Judgement, Label, Prediction
from whence.tasks.answers import label_among, read_answers_by_id_or_line
from whence.tasks.dataset import AnyDataset, Dataset, Fault, Notes, Predictions, Split
from whence.tasks.wording import plain

CHOICES = ("1", "2")
_RESERVED = ("anlg/dev_cleanup.json", "anlg/test_cleanup_ref.json")
POOLS = "art/pools_part.jsonl"
VOTES = "art/chaosNLI_alphanli.jsonl"

_EDIT = 1 / 3  # of their words: two hypotheses that have more in common are edits of one another

ATOMIC_RELATIONS = ("oEffect", "oReact", "oWant", "xAttr", "xEffect", "xIntent", "xNeed", "xReact", "xWant")


def read_anli(path: Path) -> Dataset[HypothesisPair, Label]:
    """Rows of two observations and two hypotheses; the label is in the row, or in `NAME-labels.lst` beside."""
    examples, lines, faults = [], [], []
    notes = Notes()
    labels, votes = _labels_beside(path), _votes_beside(path)
    for number, row in read_jsonl(path):
        inputs = HypothesisPair(*(_text(row, name, path, number) for name in ("obs1", "obs2", "hyp1", "hyp2")))
        name = str(row.get("story_id") or f"{path.stem}-{number}")
        label = str(row["label"]) if "label" in row else labels.get(number, "")
        if label and label not in CHOICES:
            error = DataError(expected="the label 1 or 2", found=quoted(label))
            faults.append(Fault(number, name, error))
        golds = (Label(label),) if label in CHOICES else ()
        meta: dict[str, Any] = {}
        if "label" in row and "story_id" not in row:
            meta["without_id"] = True
        if name in votes:
            meta["votes"] = votes[name]
        examples.append(Example(name, inputs, golds, meta))
        lines.append(number)
    if labels and len(labels) != len(examples):
        raise DataError(
            _labels_file(path), expected=f"{len(examples)} labels, one for each row", found=str(len(labels))
        )
    notes.add("no gold", "examples without a label", sum(not e.golds for e in examples) - len(faults))
    notes.add(
        "no id",
        "examples named by their line",
        sum(e.id == f"{path.stem}-{n}" for e, n in zip(examples, lines, strict=True)),
    )
    return Dataset(tuple(examples), tuple(lines), notes.all(), tuple(faults))


def _text(row: dict[str, Json], name: str, path: Path, number: int) -> str:
    text = row.get(name)
    if not isinstance(text, str):
        raise DataError(path, number, expected=f"the text '{name}'", found=quoted(", ".join(row)))
    return text


def _labels_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}-labels.lst")


def _labels_beside(path: Path) -> dict[int, str]:
    beside = _labels_file(path)
    return {number: line.strip() for number, line in read_lines(beside)} if beside.exists() else {}


def _votes_beside(path: Path) -> dict[str, dict[str, int]]:
    """How many people chose each hypothesis, by item, where ChaosNLI's file lies beside the examples."""
    beside = path.with_name(Path(VOTES).name)
    found: dict[str, dict[str, int]] = {}
    for vote in read_votes(beside) if beside.exists() else ():
        found.setdefault(vote.item, {})[vote.answer] = vote.count
    return found


def write_anli(dataset: Dataset[HypothesisPair, Label]) -> Iterator[str]:
    """The rows again, with their labels; `write_labels` has those that are published in a file of their own."""
    for example in dataset.examples:
        inputs = example.inputs
        row: dict[str, Any] = {"obs1": inputs.obs1, "obs2": inputs.obs2, "hyp1": inputs.hyp1, "hyp2": inputs.hyp2}
        if not example.meta.get("without_id"):
            row = {"story_id": example.id, **row}
        if example.golds:
            row["label"] = int(example.golds[0].name)
        yield dump_json(row)


def write_labels(dataset: Dataset[HypothesisPair, Label]) -> Iterator[str]:
    """The lines of `NAME-labels.lst`."""
    for example in dataset.examples:
        yield example.golds[0].name


def read_anli_predictions(path: Path, gold: AnyDataset) -> Predictions[Label]:
    """1 or 2 on each line, in the order of the examples."""
    return read_answers_by_id_or_line(path, gold, label_among(CHOICES))


def read_anlg(path: Path) -> Dataset[Observations, Hypothesis]:
    """References by id, with the observations or without; or released generations, which carry references."""
    if path.suffix == ".jsonl":
        return _read_generations(path)
    document = read_json(path)
    if not isinstance(document, dict):
        raise DataError(path, expected="a JSON object of references by id", found=type(document).__name__)
    notes = Notes()
    examples = [_references(name, entry, path) for name, entry in document.items()]
    bare = sum(not example.inputs.obs1 for example in examples)
    notes.add("no observations", "examples whose observations are not in the file", bare)
    return Dataset(tuple(examples), tuple(range(1, len(examples) + 1)), notes.all())


def read_anlg_training(path: Path) -> Dataset[Observations, Hypothesis]:
    """The right hypotheses of `anli`'s training pairs, without the contexts of `anlg`'s dev and test.

    The published test file has no observations: there a context is known by a hypothesis among the references.
    """
    dataset, notes = _read_generations(path), Notes()
    files = [path.parent / name for name in _RESERVED if (path.parent / name).is_file()]
    asked = [example for file in files for example in read_anlg(file).examples]
    contexts = {(example.inputs.obs1, example.inputs.obs2) for example in asked}
    references = {gold.text for example in asked if not example.inputs.obs1 for gold in example.golds}
    kept = [
        (example, line)
        for example, line in zip(dataset.examples, dataset.lines, strict=True)
        if (example.inputs.obs1, example.inputs.obs2) not in contexts
        and not any(gold.text in references for gold in example.golds)
    ]
    notes.add(
        "reserved", "contexts left out: they are asked for in dev or test", len(dataset.examples) - len(kept)
    )
    return Dataset(
        tuple(example for example, _ in kept), tuple(line for _, line in kept), (*dataset.notes, *notes.all())
    )


def _read_generations(path: Path) -> Dataset[Observations, Hypothesis]:
    """The references in a file of released generations: of each row the hypothesis that its label names.

    Rows with the same observations are one example, named by the first; its references are those of all its rows.
    """
    found: dict[tuple[str, str], Example[Observations, Hypothesis]] = {}
    lines: dict[tuple[str, str], int] = {}
    notes = Notes()
    for number, row in read_jsonl(path):
        label = str(row.get("label"))
        if label not in CHOICES:
            raise DataError(path, number, expected="the label 1 or 2", found=quoted(label))
        first, second, reference = (_text(row, name, path, number) for name in ("obs1", "obs2", f"hyp{label}"))
        key = (first, second)
        notes.add("repeated context", "rows that add a reference to an earlier one's", key in found)
        known = found.get(key) or Example(str(row.get("story_id") or f"{path.stem}-{number}"), Observations(*key))
        found[key] = Example(known.id, known.inputs, (*known.golds, Hypothesis(reference)))
        lines.setdefault(key, number)
    return Dataset(tuple(found.values()), tuple(lines.values()), notes.all())


def _references(name: str, entry: Json, path: Path) -> Example[Observations, Hypothesis]:
    row = entry if isinstance(entry, dict) else {"gold_labels": entry, "obs1": "", "obs2": ""}
    texts = row.get("gold_labels")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DataError(
            path, expected="'gold_labels' as a list of texts", found=f"{quoted(str(entry))}, in {name}"
        )
    inputs = Observations(str(row.get("obs1", "")), str(row.get("obs2", "")))
    return Example(name, inputs, tuple(Hypothesis(text) for text in texts))


def write_anlg(dataset: Dataset[Observations, Hypothesis]) -> Iterator[str]:
    """One JSON document of references by id."""
    document: dict[str, Json] = {}
    for example in dataset.examples:
        texts = [gold.text for gold in example.golds]
        inputs = example.inputs
        known = {"gold_labels": texts, "obs1": inputs.obs1, "obs2": inputs.obs2}
        document[example.id] = known if inputs.obs1 else texts
    yield json.dumps(document)


def read_anlg_predictions(path: Path, gold: Dataset[Observations, Hypothesis]) -> Predictions[Hypothesis]:
    """Released generations (JSONL rows with the observations and `generations`), texts by id, or one a line.

    Of several rows with the same observations the last one's first generation counts, as in the released scorer.
    """
    if path.suffix != ".jsonl":
        return read_answers_by_id_or_line(path, gold, Hypothesis)
    ids = {(example.inputs.obs1, example.inputs.obs2): example.id for example in gold.examples}
    found: dict[str, tuple[int, str]] = {}
    notes = Notes()
    for number, row in read_jsonl(path):
        context = (_text(row, "obs1", path, number), _text(row, "obs2", path, number))
        written = [text for texts in row.get("generations", {}).values() for text in texts]
        if context not in ids:
            notes.add("unknown context", "rows whose observations are not in the gold file, left out")
        elif not written:
            notes.add("no generation", "rows without a generation, left out")
        else:
            notes.add("repeated context", "rows replaced by a later one", ids[context] in found)
            found[ids[context]] = (number, str(written[0]))
    predictions = tuple(Prediction(name, Hypothesis(text), text) for name, (_, text) in found.items())
    return Predictions(predictions, tuple(number for number, _ in found.values()), notes.all())


def read_pools(path: Path) -> Iterator[HypothesisPools]:
    """All plausible and implausible hypotheses of each pair of observations."""
    for number, row in read_jsonl(path):
        pools = [row.get(name) for name in ("plausible", "implausible")]
        if not all(isinstance(pool, list) for pool in pools):
            raise DataError(
                path, number, expected="the lists 'plausible' and 'implausible'", found=quoted(str(row))
            )
        plausible, implausible = (tuple(str(text) for text in pool or ()) for pool in pools)
        yield HypothesisPools(
            _text(row, "obs1", path, number), _text(row, "obs2", path, number), plausible, implausible
        )


def read_unlike_pairs(path: Path) -> Dataset[HypothesisPair, Label]:
    """Of each context's pools the plausible and the implausible hypothesis that have the fewest words in common.

    The published training pairs are mostly a sentence and an edit of it; those of dev are not, since they were
    chosen by filtering. Contexts that have nothing but edits are left out.
    """
    examples, lines, notes = [], [], Notes()
    for number, pools in enumerate(read_pools(path), 1):
        pairs = [(words_in_both(r, w), r, w) for r in pools.plausible for w in pools.implausible]
        if not pairs:
            notes.add("no pair", "contexts without a pair of hypotheses, left out")
            continue
        share, right, wrong = min(pairs, key=lambda pair: pair[0])
        if share > _EDIT:
            notes.add("edits", "contexts whose hypotheses are edits of one another, left out")
            continue
        name = f"{path.stem}-{number}"
        label = random.Random(name).choice(CHOICES)
        one, other = (right, wrong) if label == CHOICES[0] else (wrong, right)
        inputs = HypothesisPair(pools.obs1, pools.obs2, one, other)
        examples.append(Example(name, inputs, (Label(label),)))
        lines.append(number)
    return Dataset(tuple(examples), tuple(lines), notes.all())


def words_in_both(one: str, other: str) -> float:
    """Of the words of two texts, the share that is in both."""
    first, second = (set(plain(text).split()) for text in (one, other))
    return len(first & second) / max(1, len(first | second))


def write_pools(pools: Iterable[HypothesisPools]) -> Iterator[str]:
    """The rows again."""
    for pool in pools:
        yield dump_json(
            {
                "obs1": pool.obs1,
                "obs2": pool.obs2,
                "plausible": list(pool.plausible),
                "implausible": list(pool.implausible),
            }
        )


def read_votes(path: Path) -> Iterator[Judgement]:
    """ChaosNLI: how many of 100 people chose each hypothesis of a dev item."""
    for number, row in read_jsonl(path):
        counts = row.get("label_counter")
        if not isinstance(counts, dict):
            raise DataError(path, number, expected="'label_counter' by label", found=quoted(str(counts)))
        for label, count in counts.items():
            yield Judgement(_text(row, "uid", path, number), "which is more plausible?", label, count=int(count))


ANLI_SPLITS = {
    "train": Split("art/train.jsonl", instead="art/train_part.jsonl"),
    "pools": Split(POOLS, read=read_unlike_pairs),
    "dev": Split("art/dev.jsonl"),
}
ANLG_SPLITS = {
    "train": Split("art/train.jsonl", instead="art/train_part.jsonl", read=read_anlg_training),
    "dev": Split("art/anlg/dev_cleanup.json"),
    "test": Split("art/anlg/test_cleanup_ref.json"),
}


@dataclass(frozen=True, slots=True)
class Inference:
    """What follows from, leads to, or is felt about an event of ATOMIC."""

    event: str
    relation: str
    text: str


def read_atomic(path: Path) -> Iterator[Inference]:
    """ATOMIC v4: rows of an event and, for each relation, a JSON list of inferences; `none` is one too."""
    for number, row in read_csv(path, ("event", *ATOMIC_RELATIONS)):
        for relation in ATOMIC_RELATIONS:
            try:
                texts = parse_json(row[relation])
            except DataError as error:
                raise DataError(
                    path, number, expected=f"a JSON list under {relation}", found=error.found
                ) from None
            for text in texts:
                yield Inference(row["event"], relation, text)
