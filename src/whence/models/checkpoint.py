"""Any local `transformers` checkpoint by its folder: BERTScore, classifier, regression.

Torch and transformers are the extra `train`; they are imported when a checkpoint is first used, not before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from whence.errors import MissingDataError, UsageError
from whence.metrics.similarity import Pair
from whence.models.bertscore import BertScore
from whence.models.encoder import EncodedText
from whence.models.loading import by_length, library, loaded, most_tokens, whole_model
from whence.models.weights import name_of

# The layers that `bert_score` found best (its `model2layers`), for the checkpoints that people score with.
_BEST_LAYERS = {
    "roberta-large-mnli": 19,
    "deberta-large-mnli": 18,
    "deberta-xlarge-mnli": 40,
}
_BEST_LAYERS_BY_SHAPE = {
    ("bert", 12): 9,
    ("bert", 24): 18,
    ("roberta", 6): 5,
    ("roberta", 12): 10,
    ("roberta", 24): 17,
    ("distilbert", 6): 5,
    ("deberta", 12): 9,
    ("deberta", 24): 16,
}


class CheckpointEncoder:
    """Token vectors of one layer of an encoder such as BERT or RoBERTa.

    Without a number, the layer that the package `bert_score` takes for a model of this shape, else the last.
    """

    def __init__(self, path: Path, layer: int | None = None) -> None:
        self.path = _checkpoint(path)
        self._layer = layer

    @property
    def name(self) -> str:
        """The folder's name, a fingerprint of the weights, and the layer."""
        return f"{self._weights}_L{self.layer}"

    @cached_property
    def layer(self) -> int:
        """Whose vectors are taken; 0 is what goes into the first layer."""
        layers = int(self._config.num_hidden_layers)
        if self._layer is None:
            shape = (self._config.model_type, layers)
            return _BEST_LAYERS.get(self.path.resolve().name) or _BEST_LAYERS_BY_SHAPE.get(shape, layers)
        if not 0 <= self._layer <= layers:
            raise UsageError(f"{self.path}: there is no layer {self._layer}; there are 0 to {layers}")
        return self._layer

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text, by number, with those that frame it."""
        if not texts:
            return []
        limit = most_tokens(self._tokenizer, self._config)
        found = self._tokenizer([self._spaced(text) for text in texts], truncation=True, max_length=limit)
        ids: list[list[int]] = found["input_ids"]
        return ids

    def tokens(self, texts: Sequence[str]) -> list[EncodedText]:
        """The tokens of each text with their vectors in context."""
        torch = library("torch")
        special = [self._tokenizer.cls_token_id, self._tokenizer.sep_token_id]
        ids = self.ids(texts)
        found: dict[int, EncodedText] = {}
        for batch in by_length([len(text) for text in ids]):
            inputs = self._tokenizer.pad({"input_ids": [ids[place] for place in batch]}, return_tensors="pt")
            with torch.inference_mode():
                hidden = self._model(**inputs.to(self._model.device)).last_hidden_state.cpu().numpy()
            for place, vectors in zip(batch, hidden, strict=True):
                numbers = np.asarray(ids[place])
                marks = np.isin(numbers, [token for token in special if token is not None])
                # Tokens stand at the end where a tokenizer pads in front.
                padded_left = self._tokenizer.padding_side == "left"
                own = vectors[-len(numbers) :] if padded_left else vectors[: len(numbers)]
                found[place] = EncodedText(numbers, marks, own.copy())
        return [found[place] for place in range(len(ids))]

    @cached_property
    def _weights(self) -> str:
        return name_of(self.path)

    @cached_property
    def _config(self) -> Any:
        config = loaded("AutoConfig", self.path)
        if config.is_encoder_decoder:
            raise UsageError(f"{self.path}: a {config.model_type} both reads and writes; give an encoder")
        return config

    def _spaced(self, text: str) -> str:
        # As bert_score does. RoBERTa's tokens show blanks: the first word is to be one like any other.
        stripped = text.strip()
        return f" {stripped}" if stripped and self._config.model_type in ("roberta", "gpt2") else stripped

    @cached_property
    def _tokenizer(self) -> Any:
        return loaded("AutoTokenizer", self.path)

    @cached_property
    def _model(self) -> Any:
        layer = self.layer
        config = loaded("AutoConfig", self.path)
        config.num_hidden_layers = layer  # layers above are not even read
        return whole_model("AutoModel", self.path, unused="pooler", config=config)


class CheckpointBertScore(BertScore):
    """BERTScore by a local checkpoint."""

    def __init__(self, path: Path, layer: int | None = None, idf: bool = False) -> None:
        super().__init__(CheckpointEncoder(path, layer), idf)


class _PairReader:
    """A checkpoint with a classification head, which reads two texts."""

    def __init__(self, path: Path) -> None:
        self.path = _checkpoint(path)

    @cached_property
    def _weights(self) -> str:
        return name_of(self.path)

    @cached_property
    def _tokenizer(self) -> Any:
        return loaded("AutoTokenizer", self.path)

    @cached_property
    def _model(self) -> Any:
        return whole_model("AutoModelForSequenceClassification", self.path)

    def _outputs(self, pairs: Sequence[Pair]) -> Iterator[tuple[int, Any]]:
        """The place of each pair and the numbers that the head gives it, in no order."""
        torch = library("torch")
        limit = most_tokens(self._tokenizer, self._model.config)
        for batch in by_length([len(first) + len(second) for first, second in pairs]):
            inputs = self._tokenizer(
                [pairs[place][0] for place in batch],
                [pairs[place][1] for place in batch],
                padding=True,
                truncation=True,
                max_length=limit,
                return_tensors="pt",
            )
            with torch.inference_mode():
                outputs = self._model(**inputs.to(self._model.device)).logits.double().cpu()
            yield from zip(batch, outputs, strict=True)


class CheckpointClassifier(_PairReader):
    """Probabilities of the labels that the checkpoint names, for the two texts in the order given."""

    @property
    def name(self) -> str:
        """The folder's name and a fingerprint of the weights."""
        return f"classifier:{self._weights}"

    def probabilities(self, pairs: Sequence[Pair]) -> Sequence[Mapping[str, float]]:
        """For each pair, the probability of each label."""
        labels = [str(self._model.config.id2label[number]) for number in range(self._model.config.num_labels)]
        if len(set(labels)) < 2:
            raise UsageError(f"{self.path}: a classifier has two labels or more, this has {len(labels)}")
        found = {
            place: dict(zip(labels, output.softmax(dim=-1).tolist(), strict=True))
            for place, output in self._outputs(pairs)
        }
        return [found[place] for place in range(len(pairs))]


class CheckpointRegression(_PairReader):
    """The one number that a head such as BLEURT's gives. It reads the reference first, as BLEURT does."""

    @property
    def name(self) -> str:
        """The folder's name and a fingerprint of the weights."""
        return f"regression:{self._weights}"

    def score(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """One number a pair."""
        outputs = int(self._model.config.num_labels)
        if outputs != 1:
            raise UsageError(f"{self.path}: a regression has one output, this has {outputs}")
        turned = [(reference, candidate) for candidate, reference in pairs]
        found = {place: float(output[0]) for place, output in self._outputs(turned)}
        return [found[place] for place in range(len(pairs))]


def _checkpoint(path: Path) -> Path:
    folder = path.expanduser()
    if not (folder / "config.json").is_file():
        raise MissingDataError(f"{path}: no checkpoint there (a folder with config.json, weights and tokenizer)")
    return folder
