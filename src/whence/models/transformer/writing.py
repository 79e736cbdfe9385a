"""A language model that learns to write one text after another, and writes within constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from whence.models.items import Written
from whence.models.loading import by_length, library

if TYPE_CHECKING:
    from whence.models.transformer.backbone import Backbone

_UNTOLD = -100  # the target of tokens that have none, as torch leaves it out
_LIKELIEST = 0.9
"""Tokens that are drawn by chance are among the likeliest, whose probabilities add up to this."""
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


@runtime_checkable
class Finishing(Protocol):
    """A constraint that knows what to hold a model to once it would end too early."""

    def finishing(self, text: str) -> Constraint:
        """What the text must be like from where the model would have ended."""


@dataclass(frozen=True, slots=True)
class PromptedText:
    """A prompt and what follows it, as tokens."""

    place: int
    prompt: tuple[int, ...]
    text: tuple[int, ...]
    known: tuple[tuple[int, ...], ...] = ()
    """Texts that are read before the prompt, each as one vector."""

    @property
    def length(self) -> int:
        """How many tokens there are."""
        return len(self.prompt) + len(self.text)


@dataclass(frozen=True, slots=True)
class Manner:
    """How texts are written: how long at the most, and how many of them, by beams or by chance."""

    longest: int
    beams: int = 1
    samples: int = 0
    temperature: float = 1.0

    @property
    def texts(self) -> int:
        """How many are written after each prompt."""
        return self.samples or self.beams

    @property
    def options(self) -> dict[str, Any]:
        """As transformers asks for it."""
        if self.samples:
            return {"do_sample": True, "temperature": self.temperature, "top_p": _LIKELIEST, "num_beams": 1}
        return {"do_sample": False, "num_beams": self.beams}


class WriterNetwork:
    """What is trained."""

    def __init__(self, backbone: Backbone, *, vectors: bool = False) -> None:
        torch = library("torch")
        self.backbone = backbone
        self.module = torch.nn.ModuleDict({"backbone": backbone.model})
        if vectors:
            # It begins as what leaves a vector as it is: the mean of its words is a sensible first guess.
            self.module["known"] = torch.nn.Linear(backbone.width, backbone.width, bias=False)
            torch.nn.init.eye_(self.module["known"].weight)

    def read_known(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Tokens of texts that are to be known; of an empty one the sign that ends texts."""
        tokenizer = self.backbone.tokenizer
        read = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
        return tuple(tuple(ids) or (tokenizer.eos_token_id,) for ids in read)

    def embedded(self, ids: Any, mask: Any, batch: Sequence[PromptedText]) -> tuple[dict[str, Any], int]:
        """What the model reads: tokens, and before them what is known, a vector each; and how many vectors."""
        most = max(len(one.known) for one in batch)
        if not most:
            return {"input_ids": ids, "attention_mask": mask}, 0
        torch = library("torch")
        words = self.backbone.model.get_input_embeddings()
        before = torch.zeros(len(batch), most, self.backbone.width, device=ids.device, dtype=words.weight.dtype)
        seen = torch.zeros(len(batch), most, dtype=mask.dtype, device=ids.device)
        for row, one in enumerate(batch):
            for place, text in enumerate(one.known, most - len(one.known)):
                mean = words(torch.tensor(text, device=ids.device)).mean(dim=0)
                before[row, place] = self.module["known"](mean)
                seen[row, place] = 1
        vectors = torch.cat([before, words(ids)], dim=1)
        return {"inputs_embeds": vectors, "attention_mask": torch.cat([seen, mask], dim=1)}, most

    def loss(self, _lesson: str, _shape: str, batch: Sequence[PromptedText]) -> Any:
        """The mean negative log-likelihood of the tokens that are to be written."""
        return -_likelihoods(self, batch).sum() / self.weight(batch)

    def weight(self, batch: Sequence[PromptedText]) -> int:
        """What the loss is a mean over."""
        return sum(len(one.text) for one in batch)

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
        self, prompts: Sequence[PromptedText], manner: Manner, constraints: Sequence[Constraint | None]
    ) -> list[tuple[Written, ...]]:
        """What the model writes after each prompt: as many texts as are wanted, the best first."""
        torch = library("torch")
        count = manner.texts
        if manner.samples:
            torch.manual_seed(0)
        self.module.eval()
        tokenizer, model = self.backbone.tokenizer, self.backbone.model
        width = max(len(one.prompt) for one in prompts)
        # A language model goes on from the end of a row, so shorter prompts are filled up before their start.
        rows = [[*[tokenizer.pad_token_id] * (width - len(one.prompt)), *one.prompt] for one in prompts]
        seen = [[*[0] * (width - len(one.prompt)), *[1] * len(one.prompt)] for one in prompts]
        device = next(model.parameters()).device
        with torch.inference_mode():
            read, before = self.embedded(
                torch.tensor(rows, device=device), torch.tensor(seen, device=device), prompts
            )
            # What is given as vectors is not given back.
            start = (0 if before else width) if self.backbone.is_causal else 1
            within = Within(tokenizer, start, count, constraints)
            ids = model.generate(
                **read,
                **manner.options,
                max_new_tokens=manner.longest,
                num_return_sequences=count,
                pad_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.eos_token_id,
                logits_processor=[within] if any(one is not None for one in constraints) else [],
            )
        texts = [within.text(row) for row in ids]
        scored = [read_prompted(self.backbone, "", text, 1, place) for place, text in enumerate(texts)]
        given = [prompts[one.place // count] for one in scored]
        scored = [replace(one, prompt=own.prompt, known=own.known) for one, own in zip(scored, given, strict=True)]
        with torch.inference_mode():
            logs = _likelihoods(self, scored).split([len(one.text) for one in scored])
        written = [Written(text, float(own.mean())) for text, own in zip(texts, logs, strict=True)]
        several = [written[start : start + count] for start in range(0, len(written), count)]
        if manner.samples:
            several = [sorted(own, key=lambda one: -one.score) for own in several]
        # Of the other beams, those that went astray are left out.
        return [
            (own[0], *(one for one in own[1:] if limit is None or limit.may_begin(one.text)))
            for own, limit in zip(several, constraints, strict=True)
        ]


class Within:
    """Leaves a model, at every step, only tokens that a constraint allows: as many as there are beams."""

    def __init__(self, tokenizer: Any, start: int, beams: int, constraints: Sequence[Constraint | None]) -> None:
        self._tokenizer, self._start = tokenizer, start
        self._beams, self._constraints = beams, constraints
        self._hurried: list[dict[str, Constraint]] = [{} for _ in constraints]

    def text(self, row: Any) -> str:
        """What was written so far."""
        ids = row[self._start :].tolist()
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))

    def __call__(self, rows: Any, scores: Any) -> Any:
        """The scores of every row's next token, those that are not allowed out of the question."""
        torch = library("torch")
        allowed = torch.full_like(scores, float("-inf"))
        for number, row in enumerate(rows):
            item = number // self._beams
            constraint = self._constraints[item]
            tokens = (
                self._allowed(item, row, scores[number], constraint) if constraint is not None else slice(None)
            )
            allowed[number, tokens] = scores[number, tokens]
        return allowed

    def _narrowed(self, item: int, text: str, scores: Any, constraint: Constraint) -> Constraint:
        """The constraint, or a narrower one since the model would have ended."""
        known = self._hurried[item]
        for since, narrower in known.items():
            if text.startswith(since) and narrower.may_begin(text):
                return narrower
        would_end = int(scores.argmax()) == self._tokenizer.eos_token_id
        if would_end and isinstance(constraint, Finishing) and not constraint.may_end(text):
            return known.setdefault(text, constraint.finishing(text))
        return constraint

    def _allowed(self, item: int, row: Any, scores: Any, constraint: Constraint) -> list[int]:
        before, text = row[self._start :].tolist(), self.text(row)
        if not constraint.may_begin(text):  # a beam for which no allowed token was left: it is as good as ended
            return [int(self._tokenizer.eos_token_id)]
        constraint = self._narrowed(item, text, scores, constraint)
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


def read_prompted(
    backbone: Backbone, prompt: str, text: str | None, most: int, place: int, ends: str = "\n"
) -> PromptedText:
    """Tokens of a prompt, its end if it is too long, and of a text with the sign that ends it."""
    tokenizer = backbone.tokenizer
    if backbone.is_causal:
        ids = tokenizer(f"{prompt}{ends}", add_special_tokens=False)["input_ids"][-most:]
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
        read, _ = network.embedded(prompts, mask, batch)
        logits = model(**read, labels=texts).logits
        logs = torch.log_softmax(logits[texts != _UNTOLD].float(), dim=-1)
        return logs.gather(1, texts[texts != _UNTOLD][:, None])[:, 0]
    ids = _padded([one.prompt + one.text for one in batch], padding, device)
    mask = _padded([(1,) * one.length for one in batch], 0, device)
    read, before = network.embedded(ids, mask, batch)
    hidden = model.base_model(**read, use_cache=False).last_hidden_state
    rows, columns, wanted = [], [], []
    for row, one in enumerate(batch):
        for offset, token in enumerate(one.text):
            rows.append(row)
            columns.append(before + len(one.prompt) + offset - 1)
            wanted.append(token)
    # Only what is to be written needs the large output layer.
    logs = torch.log_softmax(model.get_output_embeddings()(hidden[rows, columns]).float(), dim=-1)
    return logs.gather(1, torch.tensor(wanted, device=device)[:, None])[:, 0]


def _padded(rows: Sequence[Sequence[int]], filling: int, device: Any) -> Any:
    longest = max(map(len, rows))
    return library("torch").tensor([[*row, *[filling] * (longest - len(row))] for row in rows], device=device)
