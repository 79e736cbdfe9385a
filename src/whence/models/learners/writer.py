"""Models that write: the embedded language model, or any that transformers has, taught by prompts and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from whence.errors import DataError, UsageError
from whence.models.items import AnyItem, TextItem, TrainingSet, Verdict
from whence.models.learners import Learner
from whence.models.learners.saved import TENSORS, describe, described, require_shapes, save_tensors, signature
from whence.models.loading import by_length, device, number_type
from whence.models.training import History, Training
from whence.models.training.torch_trainer import FineTuning, TorchTrainer, seeded, trained_tensors
from whence.progress import Report, unreported

if TYPE_CHECKING:
    from whence.models.transformer.backbone import Backbone
    from whence.models.transformer.writing import Constraint, PromptedText, WriterNetwork

_WRITTEN_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class WriterSettings(FineTuning):
    """What a recipe may set."""

    weights: str = "writer"
    """`writer`, the folder of a checkpoint, or a name on transformers' hub; T5 and BART too."""
    tuning: Literal["full", "lora"] = "full"
    rank: int = 16
    freeze: int = 0
    """How many layers, from the first one, stay as they are, with the embeddings."""
    tokens: int = 256
    """The longest prompt."""
    written: int = 160
    """The longest text that is written, in tokens."""
    beams: int = 1
    samples: int = 0
    """Texts to be drawn by chance, with the seed 0, in the place of beams."""
    temperature: float = 0.9
    """Of drawing: 1 as the model has it, lower for likelier texts."""
    ends: str = "\n"
    """What a language model reads between prompt and text."""
    vectors: bool = False
    """Whether the texts that an item knows stand before its prompt as one vector each."""
    epochs: int = 2
    batch: int = 16
    rate: float = 1e-4
    warmup: float = 0.06
    decay: float = 0.01
    patience: int = 2
    precision: Literal["auto", "float32", "bfloat16"] = "auto"


class WriterJudge:
    """A model that learnt to write."""

    def __init__(self, name: str, network: WriterNetwork, settings: WriterSettings) -> None:
        self.name = name
        self._network, self._settings = network, settings

    @property
    def backbone(self) -> Backbone:
        """The language model and its tokenizer."""
        return self._network.backbone

    def with_beams(self, count: int) -> WriterJudge:
        """The same model, writing so many texts after each prompt."""
        if count < 1:
            raise UsageError(f"beams: expected 1 or more, found {count}")
        return WriterJudge(self.name, self._network, replace(self._settings, beams=count))

    def judge(self, items: Sequence[AnyItem], report: Report = unreported) -> list[Verdict]:
        """What it writes after each prompt."""
        return self.write(cast(Sequence[TextItem], items), lambda _: None, report)

    def write(
        self,
        items: Sequence[TextItem],
        constraint: Callable[[TextItem], Constraint | None],
        report: Report = unreported,
        most: int | None = None,
    ) -> list[Verdict]:
        """What it writes after each prompt, within a constraint of each; so many tokens, else as it was told."""
        from whence.models.transformer.writing import Manner

        options = self._settings
        longest = options.written if most is None else most
        manner = Manner(longest, options.beams, options.samples, options.temperature)
        # Every token that is written reads all weights from memory: half as many bytes, half the time or less.
        self._network.module.to(device(), number_type(options.precision))
        read = [_read(self._network, item, self._settings, place, prompt=True) for place, item in enumerate(items)]
        found: dict[int, Verdict] = {}
        for places in by_length([one.length for one in read], _WRITTEN_AT_ONCE):
            some = [items[place] for place in places]
            texts = self._network.write(
                [read[place] for place in places], manner, [constraint(item) for item in some]
            )
            found |= {
                place: Verdict(item.id, texts=own) for place, item, own in zip(places, some, texts, strict=True)
            }
            report("writing", len(found), len(items))
        return [found[place] for place in range(len(items))]


class WriterLearner:
    """The kind `writer`."""

    Settings: type = WriterSettings
    SHAPES: frozenset[str] = frozenset({"text"})

    def train(self, lessons: Sequence[TrainingSet], settings: WriterSettings, training: Training) -> History:
        """Learns all lessons at once; what is watched is the likelihood of held-out texts."""

        require_shapes("writer", self.SHAPES, lessons)
        with seeded(training.seed):
            network = _network(settings, training.start)
            held_out = {lesson.name: _all(network, lesson.dev, settings) for lesson in lessons}
            history = TorchTrainer(
                network,
                lessons,
                [_all(network, lesson.train, settings) for lesson in lessons],
                settings.training,
                training,
                length=lambda item: item.length,
                evaluate=lambda lesson: network.likelihood(held_out[lesson.name]),
                keep=lambda: save_tensors(training.folder / TENSORS, trained_tensors(network.module), "torch"),
            ).run()
        facts = {"settings": asdict(settings), "backbone": network.backbone.name}
        describe(training.folder, "writer", lessons, facts)
        return history

    def load(self, folder: Path, lesson: str) -> WriterJudge:
        """The model in a folder."""
        found = described(folder, "writer", lesson)
        settings = WriterSettings(**found["settings"])
        network = _network(settings, folder)
        if network.backbone.name != found["backbone"]:
            raise DataError(folder, expected=f"weights {found['backbone']}", found=network.backbone.name)
        return WriterJudge(signature(folder, "writer"), network, settings)


def untrained_writer(settings: WriterSettings) -> WriterJudge:
    """A pretrained model as it is."""
    network = _network(settings, None)
    return WriterJudge(f"untrained {network.backbone.name}", network, settings)


def _network(settings: WriterSettings, start: Path | None) -> WriterNetwork:
    """The pretrained model with what a folder says was changed."""
    from safetensors.torch import load_file

    from whence.models.transformer.backbone import load_writer
    from whence.models.transformer.lora import adapt
    from whence.models.transformer.network import freeze_lower
    from whence.models.transformer.writing import WriterNetwork

    backbone = load_writer(settings.weights)
    network = WriterNetwork(backbone, vectors=settings.vectors)
    if settings.tuning == "lora":
        adapt(backbone.model, settings.rank)
    freeze_lower(backbone.model, settings.freeze)
    if start is not None:
        left = network.module.load_state_dict(load_file(start / TENSORS), strict=False)
        if left.unexpected_keys:
            raise UsageError(
                f"{start} has other weights ({left.unexpected_keys[0]}): take the same model and tuning"
            )
    return network


def _all(network: WriterNetwork, items: Sequence[AnyItem], settings: WriterSettings) -> list[PromptedText]:
    return [_read(network, cast(TextItem, item), settings, place) for place, item in enumerate(items)]


def _read(
    network: WriterNetwork, item: TextItem, settings: WriterSettings, place: int, *, prompt: bool = False
) -> PromptedText:
    from whence.models.transformer.writing import read_prompted

    text = None if prompt else item.gold
    read = read_prompted(network.backbone, item.prompt, text, settings.tokens, place, settings.ends)
    return replace(read, known=network.read_known(item.known)) if settings.vectors else read


LEARNERS: Mapping[str, Learner] = {"writer": WriterLearner()}
