"""What a language model may write as a proof: one connected tree over known sentences that ends in the hypothesis.

A proof is read step by step, `sent1 & int1 -> int2: words; ` up to `... -> hypothesis; `. Every sentence is used
at most once, every conclusion exactly once and after it was reached, so that a proof that is whole is always one
tree. Whatever may begin a proof can be brought to an end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from whence.structures.tree import HYPOTHESIS

_AND, _ARROW, _END = " & ", " -> ", "; "
_LAST = f"{HYPOTHESIS}{_END}"
_WORDS = re.compile(r"[^;:\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*")  # no mark that cuts a proof, and no new line
_LEAST, _GO_ON = "it follows", "so"
"""What a conclusion says where a model says nothing, and how one goes on that stopped behind a blank."""


@dataclass(frozen=True, slots=True)
class ProofForm:
    """A `Constraint`: proofs over sentences of these ids."""

    sentences: tuple[str, ...]
    all_used: bool = False
    """Whether every sentence must be used, as in task 1."""
    most_premises: int = 5
    longest: int = 200
    """Characters of a conclusion."""

    def may_begin(self, text: str) -> bool:
        """Whether some proof begins so."""
        return _read(self, text) is not None

    def may_end(self, text: str) -> bool:
        """Whether this is a whole proof."""
        state = _read(self, text)
        return state is not None and state.whole

    def way_on(self, text: str) -> str:
        """A way to the end of a proof: the step that is begun, then others as short as can be."""
        written = text
        while (state := _read(self, written)) is not None and not state.whole:
            written += _fragment(self, state)
        return written[len(text) :]


@dataclass(frozen=True, slots=True)
class _State:
    """How far a proof is."""

    fresh: tuple[str, ...]
    """Sentences that were not used."""
    waiting: tuple[str, ...]
    """Conclusions that were reached and not used."""
    steps: int
    premises: tuple[str, ...]
    """Of the step that is being written."""
    rest: str
    """What was written behind these, and is not whole."""
    part: str
    """`premise`, `joint`, `conclusion` or `words`."""
    whole: bool = False

    @property
    def open(self) -> tuple[str, ...]:
        """What may be a premise next."""
        return tuple(name for name in (*self.waiting, *self.fresh) if name not in self.premises)

    @property
    def next_name(self) -> str:
        """That of the conclusion, unless it is the hypothesis."""
        return f"int{self.steps + 1}"


def _read(form: ProofForm, text: str) -> _State | None:
    """The state after a text; None if no proof begins so."""
    state = _State(form.sentences, (), 0, (), "", "premise")
    while True:
        following = _PARTS[state.part](form, state, text)
        if following is None:
            return None
        state, text = following
        if not text:
            return state


_Following = tuple[_State, str] | None


def _premise(form: ProofForm, state: _State, text: str) -> _Following:
    """An id that is open; it is whole once something follows that goes on with no longer id."""
    names = state.open if len(state.premises) < form.most_premises else ()
    for name in names:
        if text.startswith(name) and len(text) > len(name) and not text[len(name)].isdigit():
            return replace(state, part="joint", premises=(*state.premises, name)), text[len(name) :]
    return (replace(state, rest=text), "") if any(name.startswith(text) for name in names) else None


def _joint(form: ProofForm, state: _State, text: str) -> _Following:
    choices = _joints(form, state)
    for choice in choices:
        if text.startswith(choice):
            return replace(state, part="premise" if choice == _AND else "conclusion"), text[len(choice) :]
    return (replace(state, rest=text), "") if any(one.startswith(text) for one in choices) else None


def _joints(form: ProofForm, state: _State) -> list[str]:
    """A step has two premises or more, unless there is only one to be had."""
    choices = [_ARROW] if len(state.premises) > 1 or not state.open else []
    return [*choices, _AND] if state.open and len(state.premises) < form.most_premises else choices


def _conclusion(form: ProofForm, state: _State, text: str) -> _Following:
    for choice in _conclusions(form, state):
        if choice == _LAST and text in (_LAST, _LAST.rstrip()):
            return replace(state, whole=True), ""
        if choice != _LAST and text.startswith(choice):
            return replace(state, part="words"), text[len(choice) :]
        if choice.startswith(text):
            return replace(state, rest=text), ""
    return None


def _conclusions(form: ProofForm, state: _State) -> list[str]:
    """The hypothesis, if nothing is left that must be used; an intermediate, if it can be joined."""
    must = [name for name in state.open if form.all_used or name in state.waiting]
    last = [] if must else [_LAST]
    return [*last, f"{state.next_name}: "] if state.open else last


def _words(form: ProofForm, state: _State, text: str) -> _Following:
    """What the conclusion says, up to `; `."""
    found = _WORDS.match(text)
    words = found[0] if found else ""
    behind_blank = words != words.rstrip()
    room = form.longest - len(words) - (len(_GO_ON) if behind_blank else 0)
    if words[:1].isspace() or "->" in words or room < 0:
        return None
    rest = text[len(words) :]
    if not rest:
        return replace(state, rest=words), ""
    if not words or behind_blank or not (_END.startswith(rest) or rest.startswith(_END)):
        return None
    if len(rest) < len(_END):
        return replace(state, rest=f"{words}{rest}"), ""
    return _concluded(state), rest[len(_END) :]


def _concluded(state: _State) -> _State:
    fresh, waiting = (
        tuple(name for name in names if name not in state.premises) for names in (state.fresh, state.waiting)
    )
    return _State(fresh, (*waiting, state.next_name), state.steps + 1, (), "", "premise")


_PARTS: dict[str, Callable[[ProofForm, _State, str], _Following]] = {
    "premise": _premise,
    "joint": _joint,
    "conclusion": _conclusion,
    "words": _words,
}


def _fragment(form: ProofForm, state: _State) -> str:
    """A few characters that may follow."""
    if state.part == "words":
        ends = state.rest.endswith(_END.rstrip())
        blank = state.rest != state.rest.rstrip()
        return _END[1:] if ends else f"{_GO_ON}{_END}" if blank else _END if state.rest else f"{_LEAST}{_END}"
    if state.part == "premise":
        name = next(one for one in state.open if one.startswith(state.rest))
        after = replace(state, premises=(*state.premises, name))
        return name[len(state.rest) :] + _joints(form, after)[0]
    choices = _joints(form, state) if state.part == "joint" else _conclusions(form, state)
    return next(one for one in choices if one.startswith(state.rest))[len(state.rest) :]
