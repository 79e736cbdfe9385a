"""EntailmentBank's texts: proofs, contexts, and the slots of "angles" lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from whence.errors import DataError, quoted
from whence.formats.lossless import one_line
from whence.structures.tree import HYPOTHESIS, Sentence, Step, Tree

_ARROW = " -> "
_SENTENCE_START = re.compile(r"(?:(?<=\s)|^)(sent\d+): ?")
_SLOT = re.compile(r"\$(\w+)\$(?: =(?: |$))?")


def parse_proof(text: str) -> Tree:
    """A proof such as `sent2 & sent5 -> int1: ice floats on water; int1 & sent4 -> hypothesis; `.

    The paper writes `hypot` where the data writes `hypothesis`; both are read. A conclusion's own text may
    hold `;` only where no step follows that could be meant.
    """
    pieces = [piece.strip() for piece in text.split(";")]
    steps: list[Step] = []
    for piece in pieces:
        if not piece:
            continue
        if "->" in piece:
            steps.append(_parse_step(piece))
        elif steps and steps[-1].text:
            last = steps[-1]
            steps[-1] = Step(last.premises, last.conclusion, f"{last.text}; {piece}")
        else:
            raise DataError(expected="a step like 'sent1 & sent2 -> int1: text'", found=quoted(piece))
    return Tree(tuple(steps))


def _parse_step(piece: str) -> Step:
    left, _, right = piece.partition("->")
    premises = tuple(premise.strip() for premise in left.split("&"))
    name, _, text = right.partition(":")
    name = name.strip()
    if any(len(part.split()) != 1 for part in (*premises, name)):
        raise DataError(expected="a step like 'sent1 & sent2 -> int1: text'", found=quoted(piece))
    return Step(premises, HYPOTHESIS if name == "hypot" else name, text.strip())


def format_proof(tree: Tree) -> str:
    """The proof as the data writes it, with `; ` after every step. Sentences of the tree's own are not in it."""
    text = "".join(f"{_format_step(step)}; " for step in tree.steps)
    expected = "steps whose ids have no blanks and whose texts read back"
    return one_line(text, lambda written: parse_proof(written).steps, tree.steps, expected)


def _format_step(step: Step) -> str:
    head = f"{' & '.join(step.premises)}{_ARROW}{step.conclusion}"
    return f"{head}: {step.text}" if step.text else head


def parse_context(text: str) -> tuple[Sentence, ...]:
    """The sentences of `sent1: ... sent2: ...`."""
    starts = list(_SENTENCE_START.finditer(text))
    if text.strip() and (not starts or text[: starts[0].start()].strip()):
        raise DataError(expected="a context like 'sent1: text sent2: text'", found=quoted(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return tuple(
        Sentence(start[1], text[start.end() : end].strip()) for start, end in zip(starts, ends, strict=False)
    )


def format_context(sentences: Iterable[Sentence]) -> str:
    """Sentences on one line, each behind its id."""
    given = tuple(sentences)
    text = " ".join(f"{sentence.id}: {sentence.text}" for sentence in given)
    expected = "ids like sent1, and texts without such ids and without blank edges"
    return one_line(text, parse_context, given, expected)


def parse_slots(text: str) -> dict[str, str]:
    """The slots of an angles line: `$proof$ ; $question$ = ... ; $hypothesis$ = ...`. A bare slot is empty."""
    marks = list(_SLOT.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        raise DataError(expected="slots like '$hypothesis$ = text ; $context$ = text'", found=quoted(text))
    slots: dict[str, str] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        if mark[1] in slots:
            raise DataError(expected="each slot once", found=f"${mark[1]}$ twice")
        value = text[mark.end() : following.start() if following else None]
        slots[mark[1]] = value.removesuffix(" ; ") if following else value
    return slots


def format_slots(slots: Mapping[str, str], asked: Iterable[str] = ()) -> str:
    """An angles line: the slots that are asked for, bare, then those that are given."""
    wanted = dict.fromkeys(asked, "")
    bare = [f"${name}$" for name in wanted]
    filled = [f"${name}$ = {value}" for name, value in slots.items()]
    expected = "one slot or more, each once, with names of letters and values without such names"
    return one_line(" ; ".join(bare + filled), _pairs, (*wanted.items(), *slots.items()), expected)


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(parse_slots(text).items())
