"""A language model that learns to write one text after another, and writes within constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from whence.models.items import Written
from whence.models.loading import by_length, library

if TYPE_CHECKING:
    from whence.models.transformer.backbone import Backbone

_UNTOLD = -100  # the target of tokens that have none, as torch leaves it out
_TRIED = 400
"""How many tokens, the most probable first, are tried under a constraint before it is asked how to go on."""


class Constraint(Protocol):
    """What a text must be like. A text that may begin one can always be gone on with."""

    def may_begin(self, text: str) -> bool:
        """Whether some text of this kind begins so."""

    def may_end(self, text: str) -> bool:
        """Whether this is a whole text of this kind."""

    def way_on(self, text: str) -> str:
        """Characters that may follow: a way to a whole text, where a model finds none; empty if it is whole."""


@dataclass(frozen=True, slots=True)
class PromptedText:
    """A prompt and what follows it, as tokens."""

    place: int
    prompt: tuple[int, ...]
    text: tuple[int, ...]

    @property
    def length(self) -> int:
        """How many tokens there are."""
        return len(self.prompt) + len(self.text)


class WriterNetwork:
    """What is trained."""

    def __init__(self, backbone: Backbone) -> None:
        self.backbone = backbone
        self.module = library("torch").nn.ModuleDict({"backbone": backbone.model})

    def loss(self, _lesson: str, _shape: str, batch: Sequence[PromptedText]) -> Any:
        """The mean negative log-likelihood of the tokens that are to be written."""
        return -_likelihoods(self, batch).sum() / sum(len(one.text) for one in batch)

    def likelihood(self, items: Sequence[PromptedText], size: int = 16) -> float:
        """The mean logarithm of the probability of a token that should be written."""
        torch = library("torch")
        self.module.eval()
        total = 0.0
        for places in by_length([item.length for item in items], size):
            with torch.inference_mode():
                total += float(_likelihoods(self, [items[place] for place in places]).sum())
        return total / max(1, sum(len(item.text) for item in items))

    def write(
        self, prompts: Sequence[PromptedText], longest: int, beams: int, constraints: Sequence[Constraint | None]
    ) -> list[tuple[Written, ...]]:
        """What the model writes after each prompt: as many texts as there are beams, the best first."""
        torch = library("torch")
        self.module.eval()
        tokenizer, model = self.backbone.tokenizer, self.backbone.model
        width = max(len(one.prompt) for one in prompts)
        # A language model goes on from the end of a row, so shorter prompts are filled up before their start.
        rows = [[*[tokenizer.pad_token_id] * (width - len(one.prompt)), *one.prompt] for one in prompts]
        seen = [[*[0] * (width - len(one.prompt)), *[1] * len(one.prompt)] for one in prompts]
        device = next(model.parameters()).device
        within = _Within(tokenizer, width if self.backbone.is_causal else 1, beams, constraints)
        with torch.inference_mode():
            ids = model.generate(
                input_ids=torch.tensor(rows, device=device),
                attention_mask=torch.tensor(seen, device=device),
                max_new_tokens=longest,
                num_beams=beams,
                num_return_sequences=beams,
                do_sample=False,
                pad_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.eos_token_id,
                logits_processor=[within] if any(one is not None for one in constraints) else [],
            )
        texts = [within.text(row) for row in ids]
        scored = [read_prompted(self.backbone, "", text, 1, place) for place, text in enumerate(texts)]
        scored = [replace(one, prompt=prompts[one.place // beams].prompt) for one in scored]
        with torch.inference_mode():
            logs = _likelihoods(self, scored).split([len(one.text) for one in scored])
        written = [Written(text, float(own.mean())) for text, own in zip(texts, logs, strict=True)]
        return [tuple(written[start : start + beams]) for start in range(0, len(written), beams)]


class _Within:
    """Leaves a model, at every step, only tokens that a constraint allows: as many as there are beams."""

    def __init__(self, tokenizer: Any, start: int, beams: int, constraints: Sequence[Constraint | None]) -> None:
        self._tokenizer, self._start = tokenizer, start
        self._beams, self._constraints = beams, constraints

    def text(self, row: Any) -> str:
        """What was written so far."""
        ids = row[self._start :].tolist()
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))

    def __call__(self, rows: Any, scores: Any) -> Any:
        torch = library("torch")
        allowed = torch.full_like(scores, float("-inf"))
        for number, row in enumerate(rows):
            constraint = self._constraints[number // self._beams]
            tokens = self._allowed(row, scores[number], constraint) if constraint is not None else slice(None)
            allowed[number, tokens] = scores[number, tokens]
        return allowed

    def _allowed(self, row: Any, scores: Any, constraint: Constraint) -> list[int]:
        before, text = row[self._start :].tolist(), self.text(row)
        found: list[int] = []
        for token in scores.topk(min(_TRIED, len(scores))).indices.tolist():
            if token == self._tokenizer.eos_token_id:
                fits = constraint.may_end(text)
            else:
                longer = str(self._tokenizer.decode([*before, token], skip_special_tokens=True))
                fits = len(longer) > len(text) and constraint.may_begin(longer)
            if fits:
                found.append(token)
            if len(found) == self._beams:
                return found
        return found or [self._way_on(text, constraint)]

    def _way_on(self, text: str, constraint: Constraint) -> int:
        rest = constraint.way_on(text)
        if not rest:
            return int(self._tokenizer.eos_token_id)
        return int(self._tokenizer(rest, add_special_tokens=False)["input_ids"][0])


def read_prompted(backbone: Backbone, prompt: str, text: str | None, most: int, place: int) -> PromptedText:
    """Tokens of a prompt, its end if it is too long, and of a text with the sign that ends it."""
    tokenizer = backbone.tokenizer
    if backbone.is_causal:
        ids = tokenizer(f"{prompt}\n", add_special_tokens=False)["input_ids"][-most:]
    else:
        ids = tokenizer(prompt, truncation=True, max_length=most)["input_ids"]
    written = [] if text is None else tokenizer(text, add_special_tokens=False)["input_ids"]
    return PromptedText(place, tuple(ids), (*written, tokenizer.eos_token_id) if text is not None else ())


def _likelihoods(network: WriterNetwork, batch: Sequence[PromptedText]) -> Any:
    """The logarithm of the probability of every token that is to be written, of all items one after another."""
    torch = library("torch")
    model = network.backbone.model
    device = next(model.parameters()).device
    padding = network.backbone.tokenizer.pad_token_id
    texts = _padded([one.text for one in batch], _UNTOLD, device)
    if not network.backbone.is_causal:
        prompts = _padded([one.prompt for one in batch], padding, device)
        mask = _padded([(1,) * len(one.prompt) for one in batch], 0, device)
        logits = model(input_ids=prompts, attention_mask=mask, labels=texts).logits
        logs = torch.log_softmax(logits[texts != _UNTOLD], dim=-1)
        return logs.gather(1, texts[texts != _UNTOLD][:, None])[:, 0]
    ids = _padded([one.prompt + one.text for one in batch], padding, device)
    mask = _padded([(1,) * one.length for one in batch], 0, device)
    hidden = model.base_model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
    rows, columns, wanted = [], [], []
    for row, one in enumerate(batch):
        for offset, token in enumerate(one.text):
            rows.append(row)
            columns.append(len(one.prompt) + offset - 1)
            wanted.append(token)
    # Only what is to be written needs the large output layer.
    logs = torch.log_softmax(model.get_output_embeddings()(hidden[rows, columns]), dim=-1)
    return logs.gather(1, torch.tensor(wanted, device=device)[:, None])[:, 0]


def _padded(rows: Sequence[Sequence[int]], filling: int, device: Any) -> Any:
    longest = max(map(len, rows))
    return library("torch").tensor([[*row, *[filling] * (longest - len(row))] for row in rows], device=device)
