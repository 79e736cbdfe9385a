"""A second judge: a language model in a GGUF file is asked for true, false or unknown after eight examples.

What stands before the inference is the same each time, so llama.cpp keeps it and reads only the inference itself.
What it keeps changes the last digits of what it computes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from whence.errors import DataError
from whence.files import digest_of
from whence.models.generators.embedded import LocalSettings, server
from whence.models.verifier.entailment import Entailment, Inference, sentence

ANSWERS = ("true", "false", "unknown")
"""The words for `LABELS`, in their order."""

_TASK = (
    "Judge whether the statement is true, false or unknown, from the facts alone. True: it must hold if the facts "
    "hold. False: it cannot hold if the facts hold. Unknown: the facts do not say."
)
_EXAMPLES = (
    (Inference(("a trout is a kind of fish", "fish have gills"), "a trout has gills"), "true"),
    (Inference(("the pool is closed on Sundays", "today is Sunday"), "the pool is open today"), "false"),
    (Inference(("Jan is a baker", "bakers get up early"), "Jan has two sisters"), "unknown"),
    (Inference(("all cups are in the box", "the box is in the attic"), "the cups are in the cellar"), "false"),
    (Inference(("Mona is older than Pia", "Pia is older than Karl"), "Karl is younger than Mona"), "true"),
    (Inference(("some of the guests have left",), "all of the guests have left"), "unknown"),
    (Inference(("copper conducts heat", "the wire is made of copper"), "the wire does not conduct heat"), "false"),
    (Inference(("only members may row", "Ute is no member", "Ute likes tea"), "Ute may not row"), "true"),
)
_CANDIDATES = 20  # next tokens among which the answers are looked for
_LEAST = 1e-6  # the probability of an answer that is not among them


class LanguageModelVerifier:
    """Judges by the probabilities of a language model's next word."""

    def __init__(self, settings: LocalSettings) -> None:
        self._settings = settings

    @property
    def name(self) -> str:
        """The file with a fingerprint."""
        return f"{self._settings.file.stem}@{digest_of(self._settings.file)[:8]}"

    def judge(self, inferences: Sequence[Inference]) -> list[Entailment]:
        """The probabilities for each inference, one request after the other."""
        return [self._entailment(inference) for inference in inferences]

    def _entailment(self, inference: Inference) -> Entailment:
        request = {
            "prompt": f"{_TASK}\n\n{_examples()}{question(inference)}",
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": _CANDIDATES,
            "cache_prompt": True,
        }
        document = server(self._settings).handle_completions(request)
        return entailment_of(_candidates(document, self._settings))


def question(inference: Inference) -> str:
    """An inference as the model is asked for it."""
    facts = "".join(f"- {sentence(premise)}\n" for premise in inference.premises)
    return f"Facts:\n{facts}Statement: {sentence(inference.conclusion)}\nAnswer:"


def entailment_of(candidates: Mapping[str, float]) -> Entailment:
    """Probabilities of the three answers from those of next words; a word may be the beginning of an answer."""
    sums = dict.fromkeys(ANSWERS, _LEAST)
    for token, probability in candidates.items():
        word = token.strip().lower()
        for answer in ANSWERS:
            if len(word) > 1 and answer.startswith(word):
                sums[answer] += probability
    total = sum(sums.values())
    return Entailment(*(sums[answer] / total for answer in ANSWERS))


def _examples() -> str:
    return "".join(f"{question(inference)} {answer}\n\n" for inference, answer in _EXAMPLES)


def _candidates(document: Any, settings: LocalSettings) -> dict[str, float]:
    try:
        [choice] = document["choices"]
        tokens = choice["logprobs"]["content"][0]["top_logprobs"]
        return {str(token["token"]): math.exp(token["logprob"]) for token in tokens}
    except (KeyError, IndexError, TypeError, ValueError):
        raise DataError(
            settings.file, expected="probabilities of the next word", found=str(document)[:200]
        ) from None
