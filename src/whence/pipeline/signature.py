"""Signatures: what figures depend on, in named parts, so that only like is compared with like.

    whence:0.1.0|task:explagraphs|data:2-0fed5df6a93a|n:398|protocol:official|similarity:exact

`data` is a digest of the examples as our own JSONL form writes them. Fields that have their default value are not
written there, so that an optional field that is added later changes no signature. The number before the dash is
the version of this rule: digests of different versions say nothing about each other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from whence import __version__
from whence.errors import DataError, quoted
from whence.formats.records import RecordForm, published_fields
from whence.metrics.metric import Scores
from whence.tasks.dataset import AnyDataset
from whence.tasks.scoring import ScoringOptions
from whence.tasks.task import AnyTask

DATA_VERSION = 2
"""Version 1 hashed Python's own form of the examples, and had no number."""
SOFTWARE = "whence"
"""The part that says which version measured: recipes may agree where it does not."""
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Signature:
    """Named parts in order; `str()` prints them."""

    parts: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, parts: Mapping[str, str]) -> Signature:
        """The signature with these parts."""
        return cls(tuple(parts.items()))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that was printed so."""
        parts = [part.partition(":") for part in text.strip().split("|")]
        names = [name for name, _, _ in parts]
        if not all(name and colon for name, colon, _ in parts) or len(set(names)) < len(names):
            raise DataError(expected="a signature such as task:NAME|data:DIGEST", found=quoted(text))
        return cls(tuple((_unescape(name), _unescape(value)) for name, _, value in parts))

    def __str__(self) -> str:
        return "|".join(f"{_escape(name).replace(':', '%3A')}:{_escape(value)}" for name, value in self.parts)

    def __getitem__(self, name: str) -> str:
        return dict(self.parts)[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.parts)

    def only(self, names: Iterable[str]) -> Signature:
        """These parts alone, as far as it has them."""
        kept = set(names)
        return Signature(tuple(part for part in self.parts if part[0] in kept))

    def differences(self, other: Signature) -> tuple[str, ...]:
        """The names of the parts in which two recipes differ; the version of the software is none."""
        one, two = dict(self.parts), dict(other.parts)
        return tuple(name for name in one | two if name != SOFTWARE and one.get(name) != two.get(name))

    def same_recipe(self, other: Signature) -> bool:
        """Whether figures with these signatures may stand side by side."""
        return not self.differences(other)


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("|", "%7C")


def _unescape(text: str) -> str:
    return text.replace("%3A", ":").replace("%7C", "|").replace("%25", "%")


def signature(
    task: AnyTask,
    dataset: AnyDataset,
    options: ScoringOptions,
    scores: Sequence[Scores],
    changed: Mapping[str, str] | None = None,
) -> Signature:
    """What the figures depend on: the software, the data, the protocol, what measured them, and what was changed.

    `changed` says how many answers are not as the system wrote them, such as `{"reread": "3"}`.
    """
    return Signature.of(
        {
            SOFTWARE: __version__,
            "task": task.name,
            "data": data_version(task.form, dataset),
            "n": str(len(dataset.examples)),
            "protocol": options.protocol,
            **{name: value for one in scores for name, value in one.parameters.items()},
            **(changed or {}),
        }
    )


def data_version(form: RecordForm, dataset: AnyDataset) -> str:
    """What tells this data from other data, whatever file form it came in: `2-` and twelve digits."""
    digest = hashlib.sha256()
    for example in dataset.examples:
        line = json.dumps(published_fields(example, form), sort_keys=True, separators=(",", ":"))
        digest.update(line.encode() + b"\n")
    return f"{DATA_VERSION}-{digest.hexdigest()[:_DIGITS]}"
