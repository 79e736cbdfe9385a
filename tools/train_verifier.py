"""Trains the verifier's adapter over the reader on contrast sets.

    WHENCE_DATA=... python tools/train_verifier.py READER_FOLDER OUT_FOLDER [FROM_STAGE]

Four stages, each on other contrasts: many templates and changed steps of EntailmentBank's train, then other
seeds of both, then twice the worlds written by hand with some of the rest. Each stage is one epoch with a linear
rate. The adapter is written after each stage, and FROM_STAGE, counted from 1, goes on from the one that is there.
`tools/evaluate_verifier.py` sets its temperature and adds the figures.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whence.files import digest_of
from whence.models.adapters import read_adapter, write_adapter
from whence.models.transformer.lora import adapt
from whence.models.verifier.entailment import Inference
from whence.models.verifier.reader import texts_of
from whence.structures.verdict import LABELS
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.given import balance, change, given_steps, given_trees
from whence.tasks.contrast.mixing import family_set, with_distractors
from whence.tasks.contrast.written_worlds import written_set

TRAIN = "train.angles.jsonl"
RANK, SCALE, BATCH, MOST_TOKENS, LONGEST_TREE = 16, 2.0, 32, 256, 90


@dataclass(frozen=True)
class Stage:
    """How many contrasts of which kind, by which seed, and the highest learning rate."""

    seed: int
    steps: int
    trees: int
    families: int
    written: int
    """How often the worlds written by hand are told, each time with other people and negations."""
    rate: float


STAGES = (
    Stage(seed=1, steps=6000, trees=1200, families=8000, written=0, rate=4e-4),
    Stage(seed=2, steps=2400, trees=600, families=6600, written=0, rate=3e-4),
    Stage(seed=3, steps=1000, trees=200, families=1600, written=3, rate=3e-4),
    Stage(seed=4, steps=1500, trees=500, families=900, written=2, rate=2.5e-4),
)


def stage_set(folder: Path, stage: Stage) -> list[Contrast]:
    """The contrasts of a stage in any order."""
    chance = random.Random(11 * stage.seed)
    steps = given_steps(folder / "task_1" / TRAIN)
    by_step, by_tree = change(steps, list(given_trees(folder, TRAIN)), stage.seed)
    by_tree = [c for c in by_tree if len(" ".join(c.premises).split()) < LONGEST_TREE]
    contrasts = balance(by_step, stage.steps, chance) + balance(by_tree, stage.trees, chance)
    contrasts += family_set(stage.families, seed=stage.seed)
    pool = sorted({premise for contrast in written_set(0) for premise in contrast.premises})
    for seed in range(stage.written):
        written = written_set(seed)
        rarest = min(Counter(contrast.label for contrast in written).values())
        for contrast in balance(written, len(LABELS) * rarest, chance):
            contrasts.append(with_distractors(contrast, pool, chance) if chance.random() < 0.5 else contrast)
    chance.shuffle(contrasts)
    return contrasts


def train(base: Path, data: Path, out: Path, first: int = 1) -> None:
    """Train all stages from the first on, and write the adapter after each."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.manual_seed(0)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    tokenizer = AutoTokenizer.from_pretrained(base)
    encoder = AutoModel.from_pretrained(base, add_pooling_layer=False).float()
    adapt(encoder, RANK)
    head = torch.nn.Linear(encoder.config.hidden_size, len(LABELS))
    if first > 1:
        _restore(torch, out, encoder, head)
    learning = [*(p for p in encoder.parameters() if p.requires_grad), *head.parameters()]
    for stage in STAGES[first - 1 :]:
        _train_stage(torch, encoder, head, learning, tokenizer, stage_set(data / "entailmentbank", stage), stage)
        _write(base, out, encoder, head, time.process_time())


def _train_stage(
    torch: Any,
    encoder: Any,
    head: Any,
    learning: list[Any],
    tokenizer: Any,
    contrasts: list[Contrast],
    stage: Stage,
) -> None:
    texts = [texts_of(Inference(contrast.premises, contrast.conclusion)) for contrast in contrasts]
    rows = tokenizer(
        *map(list, zip(*texts, strict=True)), truncation="only_first", max_length=MOST_TOKENS
    ).input_ids
    optimiser = torch.optim.AdamW(learning, lr=stage.rate, weight_decay=0.01)
    batches = list(_batches([len(row) for row in rows], random.Random(stage.seed)))
    warm = max(1, int(len(batches) * 0.06))
    encoder.train()
    for number, batch in enumerate(batches):
        share = min((number + 1) / warm, (len(batches) - number) / max(1, len(batches) - warm))
        for group in optimiser.param_groups:
            group["lr"] = stage.rate * share
        padded = tokenizer.pad({"input_ids": [rows[index] for index in batch]}, return_tensors="pt")
        with torch.autocast("cpu", torch.bfloat16):
            first = encoder(**padded).last_hidden_state[:, 0]
        scores = head(torch.nn.functional.dropout(first.float(), 0.1))
        gold = torch.tensor([LABELS.index(contrasts[index].label) for index in batch])
        loss = torch.nn.functional.cross_entropy(scores, gold)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        if number % 25 == 0:
            sys.stdout.write(f"stage {stage.seed}, batch {number} of {len(batches)}, loss {loss.item():.3f}\n")


def _batches(lengths: Sequence[int], chance: random.Random) -> Iterator[list[int]]:
    """Batches of texts about equally long, in any order."""
    order = list(range(len(lengths)))
    chance.shuffle(order)
    batches = []
    for start in range(0, len(order), BATCH * 40):
        pool = sorted(order[start : start + BATCH * 40], key=lambda index: lengths[index])
        batches += [pool[at : at + BATCH] for at in range(0, len(pool), BATCH)]
    chance.shuffle(batches)
    yield from batches


def _restore(torch: Any, out: Path, encoder: Any, head: Any) -> None:
    """What earlier stages learnt, from the adapter that they left."""
    tensors = {name: torch.tensor(value) for name, value in read_adapter(out).tensors.items()}
    head.load_state_dict({name: tensors[f"head.{name}"] for name in ("weight", "bias")})
    adapted = {f"{name}.weight": value for name, value in tensors.items() if not name.startswith("head.")}
    left = encoder.load_state_dict(adapted, strict=False)
    if left.unexpected_keys:
        raise SystemExit(f"{out}: not an adapter of this reader: {left.unexpected_keys[0]}")


def _write(base: Path, out: Path, encoder: Any, head: Any, seconds: float) -> None:
    tensors = {f"head.{name}": value.detach().numpy() for name, value in head.named_parameters()}
    for name, value in encoder.named_parameters():
        if name.endswith((".down.weight", ".up.weight")):
            tensors[name.removesuffix(".weight")] = value.detach().numpy()
    card = {
        "base": "all-mpnet-base-v2",
        "base_sha256": digest_of(base / "model.safetensors"),
        "scale": SCALE,
        "labels": list(LABELS),
        "pooling": "first",
        "most_tokens": MOST_TOKENS,
        "input": "premises, each a sentence, as the first text; the conclusion as the second",
        "temperature": 1.0,
        "core_seconds": round(seconds),
    }
    write_adapter(out, tensors, card)


if __name__ == "__main__":
    train(Path(sys.argv[1]), Path(os.environ["WHENCE_DATA"]), Path(sys.argv[2]), int([*sys.argv, "1"][3]))
