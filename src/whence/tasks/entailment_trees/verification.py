"""Judges trees: each step is an inference from its premises to its conclusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from whence.drawing import Diagram
from whence.models.overlap_features import content_words
from whence.models.verifier.entailment import Inference
from whence.structures.facts import Fact
from whence.structures.tree import HYPOTHESIS, Claim, Tree, leaves, texts
from whence.structures.verdict import CONTRADICTS, PartVerdict
from whence.tasks.verification import InferencePart, Verification, show


def step_parts(claim: Claim, tree: Tree, _: Mapping[str, Fact]) -> list[InferencePart]:
    """The steps as inferences, the one to the hypothesis last. A sentence without words is judged by its id."""
    said = texts(tree, claim)
    parts = [
        (
            step.conclusion == HYPOTHESIS,
            InferencePart(
                f"/steps/{index}",
                Inference(
                    tuple(said.get(premise) or premise for premise in step.premises),
                    said.get(step.conclusion) or step.conclusion,
                ),
            ),
        )
        for index, step in enumerate(tree.steps)
    ]
    return [part for _, part in sorted(parts, key=lambda one: one[0])]


def missing(claim: Claim, tree: Tree, _: Mapping[str, Fact], verdicts: Sequence[PartVerdict]) -> list[str]:
    """The steps that do not follow, and the words of the hypothesis that no sentence at hand has."""
    said = texts(tree, claim)
    known = content_words(" ".join(said.get(name, "") for name in leaves(tree)))
    unknown = [word for word in claim.hypothesis.lower().split() if content_words(word) - known]
    lines = [
        f"this {'contradicts its premises' if one.verdict.label == CONTRADICTS else 'does not follow'}: {one.text}"
        for one in verdicts
        if not one.verdict.is_supported
    ]
    if unknown:
        lines.append(f"nothing is said of: {', '.join(dict.fromkeys(word.strip('.,;') for word in unknown))}")
    return lines


def mark(diagram: Diagram, tree: Tree, verdicts: Sequence[PartVerdict]) -> Diagram:
    """Write under each conclusion whether it follows from its premises."""
    by_part = {one.part: one.verdict for one in verdicts}
    by_name = {
        step.conclusion: by_part[f"/steps/{index}"]
        for index, step in enumerate(tree.steps)
        if f"/steps/{index}" in by_part
    }
    nodes = tuple(
        replace(node, note=f"{node.note} {show(by_name[node.note])}") if node.note in by_name else node
        for node in diagram.nodes
    )
    return replace(diagram, nodes=nodes)


VERIFICATION = Verification(step_parts, missing, mark)
