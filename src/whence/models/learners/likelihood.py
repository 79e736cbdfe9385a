"""A language model's own opinion, without training: how likely a text is to follow another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, Protocol

from whence.errors import UsageError, quoted
from whence.models.items import AnyItem, Pair, TrainingSet, Verdict
from whence.models.learners import Judge, Learner
from whence.models.learners.options import as_items, softmax
from whence.models.learners.saved import describe, described, refuse_start, require_shapes
from whence.models.loading import by_length, device, library, loaded, most_tokens
from whence.models.training import History, Training
from whence.models.transformer.backbone import writer_checkpoint
from whence.models.weights import name_of
from whence.progress import Report, unreported

_KIND = "likelihood"


@dataclass(frozen=True)
class LikelihoodSettings:
    """What a recipe may set."""

    weights: str = "writer"
    """`writer` for the embedded language model, the folder of a checkpoint, or a name on transformers' hub."""
    score: Literal["sum", "mean", "gain"] = "mean"
    """Of the log-likelihoods of the second text's tokens the sum, the mean, or what the first adds to the sum."""
    batch: int = 16


@dataclass(frozen=True)
class Likelihood:
    """How likely a text is: the logarithm, and of how many tokens it is the sum."""

    log: float
    tokens: int


class LanguageModel(Protocol):
    """What can say how likely one text is to follow another."""

    @property
    def name(self) -> str:
        """Which model it is, with a fingerprint."""

    def likelihoods(self, pairs: Sequence[Pair], report: Report = unreported) -> list[Likelihood]:
        """Of the second text of each pair, given the first; given nothing where that is empty."""


@dataclass(frozen=True)
class CausalModel:
    """A causal checkpoint as transformers reads it."""

    name: str
    model: Any
    tokenizer: Any
    batch: int

    def likelihoods(self, pairs: Sequence[Pair], report: Report = unreported) -> list[Likelihood]:
        """Every pair is read once, those of similar length together."""
        torch = library("torch")
        read = [self._read(first, second) for first, second in pairs]
        found: dict[int, Likelihood] = {}
        for places in by_length([len(ids) for ids, _ in read], self.batch):
            with torch.inference_mode():
                found.update(zip(places, self._likelihoods(torch, [read[place] for place in places]), strict=True))
            report("reading", len(found), len(read))
        return [found[place] for place in range(len(read))]

    def _read(self, first: str, second: str) -> tuple[list[int], int]:
        """The tokens of both texts, and how many of them are the second's. What is too long loses its start."""
        start = self.tokenizer.bos_token_id
        before = [self.tokenizer.eos_token_id if start is None else start]
        before += self.tokenizer(first, add_special_tokens=False)["input_ids"]
        follows = self.tokenizer(f" {second}" if first else second, add_special_tokens=False)["input_ids"]
        longest = most_tokens(self.tokenizer, self.model.config)
        return [*before, *follows][-longest:], min(len(follows), longest - 1)

    def _likelihoods(self, torch: Any, read: Sequence[tuple[list[int], int]]) -> Iterator[Likelihood]:
        longest = max(len(ids) for ids, _ in read)
        rows = torch.zeros(len(read), longest, dtype=torch.long)
        mask = torch.zeros_like(rows)
        for row, (ids, _) in enumerate(read):
            rows[row, : len(ids)] = torch.tensor(ids)
            mask[row, : len(ids)] = 1
        logits = self.model(input_ids=rows.to(device()), attention_mask=mask.to(device())).logits
        for row, (ids, count) in enumerate(read):
            # What stands at a place foretells the next one.
            own = logits[row, len(ids) - count - 1 : len(ids) - 1].float().log_softmax(dim=-1)
            follows = torch.tensor(ids[len(ids) - count :], device=own.device)
            yield Likelihood(float(own.gather(1, follows[:, None]).double().sum()), count)


def language_model(settings: LikelihoodSettings) -> LanguageModel:
    """The model that a recipe names."""
    if settings.weights == "encoder":
        raise UsageError("encoder: not a language model that reads from left to right")
    folder = writer_checkpoint() if settings.weights == "writer" else Path(settings.weights).expanduser()
    where: Path | str = folder if folder.is_dir() else settings.weights
    config = loaded("AutoConfig", where)
    if config.is_encoder_decoder:
        raise UsageError(f"{settings.weights}: not a language model that reads from left to right")
    model = loaded("AutoModelForCausalLM", where).eval().float().to(device())
    name = name_of(where) if isinstance(where, Path) else settings.weights
    return CausalModel(name, model, loaded("AutoTokenizer", where), settings.batch)


def _sums(model: LanguageModel, pairs: Sequence[Pair], report: Report) -> list[float]:
    return [found.log for found in model.likelihoods(pairs, report)]


def _means(model: LanguageModel, pairs: Sequence[Pair], report: Report) -> list[float]:
    return [found.log / max(1, found.tokens) for found in model.likelihoods(pairs, report)]


def _gains(model: LanguageModel, pairs: Sequence[Pair], report: Report) -> list[float]:
    """How much likelier the second text is after the first than by itself."""
    alone = list(dict.fromkeys(second for _, second in pairs))
    by_itself = dict(zip(alone, _sums(model, [("", text) for text in alone], report), strict=True))
    sums = _sums(model, pairs, report)
    return [log - by_itself[second] for log, (_, second) in zip(sums, pairs, strict=True)]


SCORES: Mapping[str, Callable[[LanguageModel, Sequence[Pair], Report], list[float]]] = {
    "sum": _sums,
    "mean": _means,
    "gain": _gains,
}
"""Ways from likelihoods to the score of a pair."""


@dataclass(frozen=True)
class LikelihoodJudge:
    """A language model that chooses the option whose pairs score highest together."""

    model: LanguageModel
    score: str

    @property
    def name(self) -> str:
        """The model, and what is made of its likelihoods."""
        return f"{_KIND}-{self.score}:{self.model.name}"

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What the model finds likely; the probabilities are those of the options' scores."""
        asked = as_items(items)
        pairs = list(dict.fromkeys(pair for item in asked for option in item.options for pair in option))
        scores = dict(zip(pairs, SCORES[self.score](self.model, pairs, report), strict=True))
        return [
            Verdict(item.id, softmax([sum(scores[pair] for pair in option) for option in item.options]))
            for item in asked
        ]


class LikelihoodLearner:
    """The kind of model. There is nothing to learn, so nothing is watched either."""

    Settings: type = LikelihoodSettings
    SHAPES: frozenset[str] = frozenset({"choice"})

    def train(self, lessons: Sequence[TrainingSet], settings: LikelihoodSettings, training: Training) -> History:
        """Keeps which model it is."""
        started = perf_counter()
        refuse_start(_KIND, training)
        require_shapes(_KIND, self.SHAPES, lessons)
        if settings.score not in SCORES:
            raise UsageError(
                f"likelihoods are not scored by {quoted(settings.score)}; there are {', '.join(SCORES)}"
            )
        describe(training.folder, _KIND, lessons, {"settings": asdict(settings)})
        return History(seconds=perf_counter() - started)

    def load(self, folder: Path, lesson: str) -> Judge:
        """The language model that the folder names."""
        settings = LikelihoodSettings(**described(folder, _KIND, lesson)["settings"])
        return LikelihoodJudge(language_model(settings), settings.score)


LEARNERS: Mapping[str, Learner] = {_KIND: LikelihoodLearner()}
