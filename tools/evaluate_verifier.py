"""Measures a verifier on sets of contrasts, beside the share of the conclusion's words that the premises have.

    python tools/evaluate_verifier.py READER_FOLDER ADAPTER_FOLDER SET.jsonl ... [--calibrate]

A set has one contrast a line: premises, conclusion, label, and optionally a kind. For each set it prints the AUC
of the probability of *follows* against contradictions and against unknown claims, with that of the word overlap in
brackets; the accuracy; and the shares of what follows that is accepted and of the rest that is refused. With
`--calibrate`, the temperature that makes the given labels most likely over all sets is written into the card.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from whence.files import dump_json, parse_json_object, read_json, write_text
from whence.models.adapters import CARD
from whence.models.verifier.entailment import Entailment, Inference, softmax
from whence.models.verifier.reader import ReaderVerifier
from whence.structures.verdict import LABELS
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.steps import overlap


def read_set(path: Path) -> list[Contrast]:
    """The contrasts of a file."""
    rows = [parse_json_object(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Contrast(tuple(row["premises"]), row["conclusion"], row["label"], row.get("kind", row["label"]))
        for row in rows
    ]


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The share of pairs in which the positive one scores higher; None without a pair."""
    pairs = [(high > low) + 0.5 * (high == low) for high in positive for low in negative]
    return sum(pairs) / len(pairs) if pairs else None


def report(contrasts: Sequence[Contrast], verdicts: Sequence[Entailment]) -> list[str]:
    """Lines for the set and for each kind of contrast that does not follow."""
    scores, floors = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    refused = defaultdict[str, list[bool]](list)
    for contrast, verdict in zip(contrasts, verdicts, strict=True):
        names = (
            {contrast.label, f"{contrast.label}: {contrast.kind}"} if contrast.label != LABELS[0] else {LABELS[0]}
        )
        for name in names:
            scores[name].append(verdict.follows)
            floors[name].append(overlap(contrast.premises, contrast.conclusion))
            refused[name].append(verdict.label != LABELS[0])
    right = sum(v.label == c.label for c, v in zip(contrasts, verdicts, strict=True)) / len(contrasts)
    accepted = 1 - sum(refused[LABELS[0]]) / max(1, len(refused[LABELS[0]]))
    lines = [f"{len(contrasts)} contrasts, accuracy {right:.3f}, accepted of what follows {accepted:.3f}"]
    for name in sorted(set(scores) - {LABELS[0]}):
        area, floor = auc(scores[LABELS[0]], scores[name]), auc(floors[LABELS[0]], floors[name])
        share = sum(refused[name]) / len(refused[name])
        shown = "no AUC" if area is None or floor is None else f"AUC {area:.3f} ({floor:.3f})"
        lines.append(f"  {name}: {len(scores[name])}, {shown}, refused {share:.3f}")
    return lines


def calibrated(contrasts: Sequence[Contrast], verdicts: Sequence[Entailment]) -> float:
    """The factor of the temperature that makes the labels most likely."""

    def loss(factor: float) -> float:
        total = 0.0
        for contrast, verdict in zip(contrasts, verdicts, strict=True):
            scores = [math.log(max(getattr(verdict, label), 1e-12)) for label in LABELS]
            total -= math.log(max(getattr(softmax(scores, factor), contrast.label), 1e-12))
        return total

    return min((0.5 + 0.05 * step for step in range(71)), key=loss)


def main(base: Path, adapter: Path, paths: Sequence[Path], calibrate: bool) -> None:
    """Print the figures of each set."""
    verifier = ReaderVerifier(base, adapter)
    everything: list[tuple[Contrast, Entailment]] = []
    for path in paths:
        contrasts = read_set(path)
        verdicts = verifier.judge([Inference(contrast.premises, contrast.conclusion) for contrast in contrasts])
        everything += zip(contrasts, verdicts, strict=True)
        sys.stdout.write("\n".join((path.stem, *report(contrasts, verdicts))) + "\n")
    if calibrate:
        card = read_json(adapter / CARD)
        factor = calibrated(*zip(*everything, strict=True))
        card["temperature"] = round(card["temperature"] * factor, 3)
        write_text(adapter / CARD, dump_json(card) + "\n")
        sys.stdout.write(f"temperature {card['temperature']}\n")


if __name__ == "__main__":
    files = [Path(argument) for argument in sys.argv[1:] if argument != "--calibrate"]
    main(files[0], files[1], files[2:], "--calibrate" in sys.argv)
