"""What a language model may write as a proof: one connected tree over known sentences that ends in the hypothesis.

A proof is read step by step, `sent1 & int1 -> int2: words; ` up to `... -> hypothesis; `. Every sentence is used
at most once, every conclusion exactly once and after it was reached, so that a proof that is whole is always one
tree. Whatever may begin a proof can be brought to an end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Literal

from whence.formats.proofs import format_proof, parse_proof
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree, leaves, texts
from whence.tasks.wording import plain

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
    reached: tuple[str, ...] = ()
    """Conclusions of steps that were taken before, and that no step used."""
    taken: int = 0
    """How many steps were taken before."""
    extent: Literal["proof", "step", "last step"] = "proof"
    """What is written: all that is left of the proof, its next step, or one step to the hypothesis."""
    said: frozenset[str] | None = None
    """What no conclusion may say or begin with, as `_told` has it, nor with what another said; None: all may."""

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
    said: frozenset[str] | None
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
    state = _State(form.sentences, form.reached, form.taken, (), "", "premise", form.said)
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
    further = state.open and form.extent != "last step"
    return [*last, f"{state.next_name}: "] if further else last


def _words(form: ProofForm, state: _State, text: str) -> _Following:
    """What the conclusion says, up to `; `."""
    found = _WORDS.match(text)
    words = found[0] if found else ""
    behind_blank = words != words.rstrip()
    room = form.longest - len(words) - (len(_GO_ON) if behind_blank else 0)
    if words[:1].isspace() or "->" in words or room < 0 or _repeats(words, state.said):
        return None
    rest = text[len(words) :]
    if not rest:
        return replace(state, rest=words), ""
    if not words or behind_blank or not (_END.startswith(rest) or rest.startswith(_END)):
        return None
    if form.extent == "step":
        return (replace(state, whole=True), "") if rest in (_END, _END.rstrip()) else None
    if len(rest) < len(_END):
        return replace(state, rest=f"{words}{rest}"), ""
    return _concluded(state, words), rest[len(_END) :]


def _concluded(state: _State, words: str) -> _State:
    fresh, waiting = (
        tuple(name for name in names if name not in state.premises) for names in (state.fresh, state.waiting)
    )
    said = None if state.said is None else state.said | {_told(words)}
    return _State(fresh, (*waiting, state.next_name), state.steps + 1, (), "", "premise", said)


_PARTS: dict[str, Callable[[ProofForm, _State, str], _Following]] = {
    "premise": _premise,
    "joint": _joint,
    "conclusion": _conclusion,
    "words": _words,
}


def _fragment(form: ProofForm, state: _State) -> str:
    """A few characters that may follow."""
    if state.part == "words":
        return _towards_end(state.rest, state.said)
    if state.part == "premise":
        name = next(one for one in state.open if one.startswith(state.rest))
        after = replace(state, premises=(*state.premises, name))
        return name[len(state.rest) :] + _joints(form, after)[0]
    choices = _joints(form, state) if state.part == "joint" else _conclusions(form, state)
    return next(one for one in choices if one.startswith(state.rest))[len(state.rest) :]


def _towards_end(rest: str, said: frozenset[str] | None) -> str:
    """A few characters that bring a sentence nearer to its end."""
    if rest and rest == rest.rstrip():
        return _END[1:] if rest.endswith(_END.rstrip()) else _END
    ways: list[str] = [_GO_ON if rest else _LEAST, *ascii_lowercase]  # more letters than a tree has texts
    return next(way for way in ways if not any(_repeats(rest + way[:end], said) for end in range(1, len(way) + 1)))


def _told(words: str) -> str:
    """What tells sentences apart: their words, or what stands there without any."""
    return plain(words) or words


def _repeats(words: str, said: frozenset[str] | None) -> bool:
    return said is not None and _told(words) in said


@dataclass(frozen=True, slots=True)
class TreeForm:
    """A `Constraint`: `hypothesis: words; sent1: words; sent2: words; ...`, then a proof that uses all of them.

    Nothing is said twice: no sentence is, or begins with, what one before it says.
    """

    most: int = 12
    """Sentences."""
    longest: int = 200
    """Characters of a sentence."""

    def may_begin(self, text: str) -> bool:
        """Whether some tree begins so."""
        given, rest = _given(text)
        if not all(self._fits(words, given[:place]) for place, words in enumerate(given)):
            return False
        label = self._label(len(given))
        proof = self._proof(given)
        if (label.startswith(rest) and label) or (proof is not None and proof.may_begin(rest)):
            return True
        words = rest.removeprefix(label) if label and rest.startswith(label) else ""
        return bool(words) and self._fits(words.removesuffix(";"), given, whole=words.endswith(";"))

    def may_end(self, text: str) -> bool:
        """Whether this is a whole tree."""
        given, rest = _given(text)
        proof = self._proof(given)
        return proof is not None and self.may_begin(text) and proof.may_end(rest)

    def way_on(self, text: str) -> str:
        """A way to the end: the sentence that is begun, two sentences at least, and a proof."""
        written = text
        while not self.may_end(written):
            written += self._fragment(*_given(written))
        return written[len(text) :]

    def _fits(self, words: str, before: list[str], *, whole: bool = True) -> bool:
        return _fits(words, self.longest, whole=whole) and not _repeats(words, _said(before))

    def _fragment(self, given: list[str], rest: str) -> str:
        label, proof = self._label(len(given)), self._proof(given)
        if proof is not None and proof.may_begin(rest):
            return proof.way_on(rest)
        if label.startswith(rest) and rest != label:
            return label[len(rest) :]
        return _towards_end(rest.removeprefix(label), _said(given))

    def _label(self, given: int) -> str:
        """What introduces the next sentence; nothing if there are enough."""
        return f"{HYPOTHESIS}: " if given == 0 else f"sent{given}: " if given <= self.most else ""

    def _proof(self, given: list[str]) -> ProofForm | None:
        """What may be written once there are two sentences beside the hypothesis."""
        if len(given) < 3:
            return None
        names = tuple(f"sent{number}" for number in range(1, len(given)))
        return ProofForm(names, all_used=True, longest=self.longest, said=_said(given))


@dataclass(frozen=True, slots=True)
class WordsForm:
    """A `Constraint`: the words of a conclusion, which a proof can hold."""

    longest: int = 200
    """Characters."""

    def may_begin(self, text: str) -> bool:
        """Whether some conclusion begins so."""
        return not text or _fits(text, self.longest, whole=False)

    def may_end(self, text: str) -> bool:
        """Whether this may be a conclusion."""
        return _fits(text, self.longest)

    def way_on(self, text: str) -> str:
        """A word where one is needed."""
        return _LEAST if not text else _GO_ON if text != text.rstrip() else ""


_GIVEN = re.compile(rf"(?:{HYPOTHESIS}|sent(\d+)): ([^;:\n]+); ")


def _given(text: str) -> tuple[list[str], str]:
    """The words of the hypothesis and the sentences that are whole, in order, and what follows them."""
    found: list[str] = []
    place = 0
    while match := _GIVEN.match(text, place):
        if (match[1] or "0") != str(len(found)):
            break
        found.append(match[2])
        place = match.end()
    return found, text[place:]


def _said(given: list[str]) -> frozenset[str]:
    return frozenset(map(_told, given))


def _fits(words: str, longest: int, *, whole: bool = True) -> bool:
    """Whether a sentence may read so; one that is not whole may end with a blank, if there is room for more."""
    blank = words != words.rstrip()
    if blank and (whole or len(words) + len(_GO_ON) > longest):
        return False
    plain = _WORDS.fullmatch(words) is not None and not words[:1].isspace() and "->" not in words
    return bool(words) and plain and len(words) <= longest


def tree_text(tree: Tree, claim: Claim) -> str:
    """A tree with all its sentences, as `TreeForm` has it; ids are given anew, in the order of their use."""
    said = texts(tree, claim)
    names = {name: f"sent{number}" for number, name in enumerate(leaves(tree), 1)}
    names |= {step.conclusion: f"int{number}" for number, step in enumerate(tree.steps, 1)}
    names[HYPOTHESIS] = HYPOTHESIS
    given = [(HYPOTHESIS, claim.hypothesis), *((names[name], said.get(name, "")) for name in leaves(tree))]
    steps = tuple(
        Step(tuple(names[premise] for premise in step.premises), names[step.conclusion], cut_free(step.text))
        for step in tree.steps
    )
    written = "".join(f"{name}: {cut_free(text)}{_END}" for name, text in given)
    return f"{written}{format_proof(Tree(steps))}".strip()


def parse_tree_text(text: str) -> tuple[str, Tree]:
    """The hypothesis of such a text, and its tree with the sentences."""
    (hypothesis, *sentences), proof = _given(text)
    own = tuple(Sentence(f"sent{number}", words) for number, words in enumerate(sentences, 1))
    return hypothesis, replace(parse_proof(proof), sentences=own)


def cut_free(text: str) -> str:
    """A text without the marks that a proof is cut at."""
    return " ".join(text.replace(";", ",").replace(":", " ").replace("->", " ").split())
