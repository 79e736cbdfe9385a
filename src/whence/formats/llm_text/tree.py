"""Entailment trees: steps from premises to conclusions, as proofs, lists, sentences, tables or JSON."""

from __future__ import annotations

from collections.abc import Hashable

from whence.files import Json
from whence.formats.llm_text.blocks import lines_of, names
from whence.formats.llm_text.candidates import Kind, answer_text, read
from whence.formats.llm_text.clean import normal
from whence.formats.llm_text.json_values import member
from whence.formats.llm_text.references import References
from whence.formats.llm_text.tree_json import JsonSteps
from whence.formats.llm_text.tree_steps import assembled
from whence.formats.llm_text.tree_text import TextSteps
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError
from whence.structures.tree import Claim, Tree

_STEPS = names(
    "steps proof tree entailment_tree proof_steps inferences inference_steps reasoning_steps derivation"
)
_LABELS = frozenset(
    {"proof", "steps", "tree", "entailment tree", "proof tree", "step 1", "proof steps", "$proof$"}
)


def read_tree(text: str, claim: Claim) -> Tree | Unread:
    """The tree that a text gives for a claim."""
    try:
        own, _ = TextSteps(References(claim)).definitions(lines_of(answer_text(text, _LABELS)))
    except UnreadError as error:
        return Unread(error.reason)
    reader = _TreeReader(claim, own)
    return read(text, Kind("proof", _LABELS, reader.from_json, reader.from_text, _same))


def _same(tree: Tree) -> Hashable:
    steps = frozenset((frozenset(step.premises), step.conclusion, normal(step.text)) for step in tree.steps)
    return steps, frozenset(tree.sentences)


class _TreeReader:
    def __init__(self, claim: Claim, own: dict[str, str]) -> None:
        self._claim = claim
        self._own = own
        """The sentences that an answer words itself, wherever in it they stand."""

    def _references(self, own: dict[str, str]) -> References:
        references = References(self._claim)
        for name in own:
            references.add(name)
        return references

    def from_text(self, text: str) -> Tree:
        """The tree of lines, sentences or a table."""
        references = self._references(self._own)
        drafts, own, words = TextSteps(references).drafts(text)
        if not drafts:
            raise UnreadError("it has no step from sentences to a conclusion")
        return assembled(drafts, {**self._own, **own}, words, references)

    def from_json(self, value: Json, _: str) -> Tree:
        """The tree of a list of steps, of an object that has one, of steps by conclusion, or of nested objects."""
        steps = member(value, _STEPS)
        if isinstance(steps, str):
            return self.from_text(steps)
        own = {**self._own, **_own_sentences(member(value, ("sentences", "own_sentences")))}
        references = self._references(own)
        drafts = JsonSteps(references).drafts(value if steps is None else steps)
        if drafts is None:
            raise OtherKindError("it has no steps")
        if not drafts:
            raise UnreadError("its list of steps is empty")
        return assembled(drafts, own, {}, references)


def _own_sentences(value: Json) -> dict[str, str]:
    """Sentences that a JSON tree brings along: `[{"id": ..., "text": ...}]` or by id."""
    given = value.items() if isinstance(value, dict) else ()
    pairs = list(given) + [
        (one.get("id"), one.get("text"))
        for one in (value if isinstance(value, list) else ())
        if isinstance(one, dict)
    ]
    return {str(name): text for name, text in pairs if name and isinstance(text, str)}
