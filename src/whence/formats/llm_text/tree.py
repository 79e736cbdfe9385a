"""Entailment trees: steps from premises to conclusions, as proofs, lists, sentences, tables or JSON."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from whence.errors import quoted
from whence.files import Json
from whence.formats.llm_text.blocks import Line, columns, label_of, lines_of, names, tables_in
from whence.formats.llm_text.candidates import Kind, answer_text, read
from whence.formats.llm_text.clean import normal, one_line, without_latex
from whence.formats.llm_text.json_values import member, members
from whence.formats.llm_text.references import LIST, References
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError
from whence.structures.tree import HYPOTHESIS, Claim, Sentence, Step, Tree

_STEPS = names(
    "steps proof tree entailment_tree proof_steps inferences inference_steps reasoning_steps derivation"
)
_PREMISES = names(
    "premises premise from inputs input sources source leaves facts given uses using parents children support "
    "supporting_facts sentences evidence antecedents because"
)
_CONCLUSION = names(
    "conclusion concludes result output derived inference infers to then entails "
    "intermediate_conclusion consequent "
    "intermediate conclusion_id hypothesis target"
)
_TEXT = names("text conclusion_text statement sentence content description wording")
_NAME = names("id name conclusion_id label int key")
_LABELS = frozenset(
    {"proof", "steps", "tree", "entailment tree", "proof tree", "step 1", "proof steps", "$proof$"}
)

_ARROW = re.compile(r"[-=~–—]{1,4}>{1,2}|[→⟶⇒⟹➔➜➝➡↦⊢∴]️?|\\(?:right|Right|long[Rr]ight)arrow|\\to\b|\\implies|\|-")
_BACKWARD = re.compile(r"<[-=–—]{1,4}(?!>)|[←⇐⟵]|\s:-\s")
_SLOT = re.compile(r"^[^\S\n]*\$proof\$\s*=?\s*", re.IGNORECASE | re.MULTILINE)
_OTHER_SLOT = re.compile(r"\s*;?\s*\$\w+\$\s*=?.*$", re.DOTALL)
_NAMED = re.compile(
    r"^[\[(\"'`*]*(?P<name>int(?:ermediate)?(?:[ _-]?(?:conclusion|node))?[ _#.-]{0,2}\d{1,4}|"
    r"(?:the )?hypot(?:hesis)?|"
    r"h|(?:final )?conclusion|goal)[\])\"'`*]*\s*(?:\((?P<bracket>[^()]*)\)\s*)?(?:[:=–—]|\s-\s|"
    r"\bis\b|,|\bthat\b|$)\s*"
    r"(?P<text>.*)$",
    re.IGNORECASE,
)
_NAME_LAST = re.compile(
    r"^(?P<text>.+?)[\s.]*[\[(]\s*(?:=\s*|call (?:it|"
    r"this)\s+)?(?P<name>int(?:ermediate)?(?:[ _-]?conclusion)?[ _#.-]{0,2}"
    r"\d{1,4}|(?:the )?hypothesis|hypot|h)\s*[\])]\s*\.?$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:so|then|next|first|firstly|second|secondly|third|now|finally|thus|therefore|hence|"
    r"and|lastly)\b[,:]?\s+)*"
    r"(?:(?:we|i|you|one)\s+(?:can\s+|could\s+|may\s+)?(?:combine|take|use|join|put together|start with|apply)\s+|"
    r"(?:from|given|combining|combine|using|use|since|because(?: of)?|by(?: combining| using|"
    r" joining)?|with|taking|"
    r"considering|as|if|based on|joining|applying|starting from|putting together|"
    r"merging|knowing)\s+)?(?:that\s+)?",
    re.IGNORECASE,
)
_FOLLOWS = (
    r"(?:(?:together|combined|jointly|both),?\s*)?(?:,?\s*(?:so|then|and),?\s+)?"
    r"(?:it (?:then )?follows(?: that)?|(?:we|i|you|one) (?:can |may |could )?(?:also |then |"
    r"now |thus |therefore )?"
    r"(?:conclude|infer|derive|deduce|get|obtain|know|have|see|arrive at|reach|say|form|prove)(?: that)?|"
    r"therefore|thus|hence|then|so|(?:this|that|these|which|they)? ?(?:together |"
    r"jointly )?(?:implies|imply|gives?|means?|"
    r"entails?|yields?|shows?|leads? to|proves?|establish(?:es)?|produces?|results? in|"
    r"concludes?|allows? us to (?:conclude|"
    r"infer))(?: us)?(?: that)?|follows(?: that)?|to (?:get|conclude|infer|derive|obtain|reach|"
    r"form|prove|give)(?: that)?)"
)
_VERBAL = re.compile(rf"^(?P<left>{LIST})\s*,?\s*{_FOLLOWS}\s*[:,]?\s*(?P<right>.+)$", re.IGNORECASE)
_BECAUSE = (
    r"(?:from|because of|because|by(?: combining)?|using|since|via|derived from|based on|"
    r"follows from|which follows from|"
    r"combining|given|inferred from|entailed by|supported by|premises?:|uses?:?)"
)
_REASON_LAST = re.compile(
    rf"^(?P<right>.+?)\s*[,;.–—-]*\s*(?:[\[(]\s*(?:{_BECAUSE}\s+)?(?P<bracketed>{LIST})\s*[\])]|"
    rf"{_BECAUSE}\s+(?P<bare>{LIST}))"
    r"\s*\.?$",
    re.IGNORECASE,
)
_REASON_FIRST = re.compile(
    rf"^(?P<name>[\[(]?(?:int[ _]?\d{{1,4}}|hypothesis)[\])]?)\s*[\[(]\s*(?:{_BECAUSE}\s+)?"
    rf"(?P<left>{LIST})\s*[\])]\s*"
    r"[:=–—-]+\s*(?P<text>.+)$",
    re.IGNORECASE,
)
_GIVEN_LINE = re.compile(r"^[\[(]?(sent(?:ence)?[ _]?\d{1,4})[\])]?\s*[:=–—-]\s*(.+)$", re.IGNORECASE)
_CONCLUDED_LINE = re.compile(r"^[\[(]?(int[ _]?\d{1,4})[\])]?\s*[:=–—-]\s*(.+)$", re.IGNORECASE)
_PREMISE_LABELS = frozenset(
    {
        "premises",
        "premise",
        "from",
        "given",
        "inputs",
        "using",
        "uses",
        "combine",
        "facts",
        "sentences",
        "leaves",
        "facts used",
    }
)
_CONCLUSION_LABELS = frozenset(
    {
        "conclusion",
        "therefore",
        "result",
        "inference",
        "output",
        "intermediate conclusion",
        "derived",
        "concludes",
        "thus",
    }
    | {"final conclusion", "infer", "entails", "hypothesis"}
)
_DEPTH = 40


@dataclass(frozen=True, slots=True)
class _Draft:
    """A step as it was written: premises that may be steps by number, a conclusion that may have no name."""

    premises: tuple[str, ...]
    name: str
    """Empty if the answer gives the conclusion none."""
    text: str


def read_tree(text: str, claim: Claim) -> Tree | Unread:
    """The tree that a text gives for a claim."""
    reader = _TreeReader(claim)
    try:
        reader.define(answer_text(text, _LABELS))
    except UnreadError as error:
        return Unread(error.reason)
    return read(text, Kind("proof", _LABELS, reader.from_json, reader.from_text, _same))


def _same(tree: Tree) -> Hashable:
    steps = frozenset((frozenset(step.premises), step.conclusion, normal(step.text)) for step in tree.steps)
    return steps, frozenset(tree.sentences)


class _TreeReader:
    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._references = References(claim)
        self._own: dict[str, str] = {}

    def define(self, text: str) -> None:
        """Learns the sentences that an answer words itself, wherever in it they stand."""
        self._own, _ = self._definitions(lines_of(text))

    # Text.

    def from_text(self, text: str) -> Tree:
        """The tree of lines, sentences or a table."""
        self._references = References(self._claim)
        for name in self._own:
            self._references.add(name)
        drafts = [draft for table in tables_in(text) for draft in self._table(table)]
        own, words = self._own, dict[str, str]()
        if not drafts:
            lines = list(_joined(lines_of(_SLOT.sub("", without_latex_arrows(text)))))
            own, words = self._definitions(lines)
            own = {**self._own, **own}
            drafts = list(self._drafts(lines))
        if not drafts:
            raise UnreadError("it has no step from sentences to a conclusion")
        return self._tree(drafts, own, words)

    def _definitions(self, lines: Sequence[Line]) -> tuple[dict[str, str], dict[str, str]]:
        """Sentences that an answer words otherwise than the claim, and words for its conclusions."""
        known = {sentence.id: sentence.text for sentence in self._claim.context}
        own, words = {}, {}
        for line in lines:
            given, concluded = _GIVEN_LINE.match(line.text), _CONCLUDED_LINE.match(line.text)
            if not given and not concluded:
                continue
            if _ARROW.search(line.text) or _BACKWARD.search(line.text) or _REASON_LAST.match(line.text):
                continue
            if given and not _VERBAL.match(line.text):
                name = re.sub(r"^sentence", "sent", given[1].casefold()).replace(" ", "").replace("_", "")
                if name not in known or normal(known[name]) != normal(given[2]):
                    own[name] = one_line(given[2])
                self._references.add(name)
            elif concluded:
                words[concluded[1].casefold().replace(" ", "").replace("_", "")] = one_line(concluded[2])
        return own, words

    def _drafts(self, lines: Sequence[Line]) -> Iterator[_Draft]:
        premises: tuple[str, ...] | None = None
        for line in lines:
            steps = list(self._line_steps(line))
            if steps:
                yield from steps
                premises = None
                continue
            label = label_of(line)
            if label is None:
                continue
            if label[0] in _PREMISE_LABELS or re.fullmatch(r"step \d+", label[0]):
                premises = self._references.listed(label[1])
            elif premises and label[0] in _CONCLUSION_LABELS and label[1]:
                name, text = self._conclusion(f"hypothesis: {label[1]}" if label[0] == "hypothesis" else label[1])
                yield _Draft(premises, name, text)
                premises = None
            elif premises and (named := _CONCLUDED_LINE.match(line.text)):
                yield _Draft(premises, named[1].casefold().replace(" ", ""), one_line(named[2]))
                premises = None

    def _line_steps(self, line: Line) -> Iterator[_Draft]:
        """The steps of a line: `premises -> conclusion`, several with `;` between, or in words."""
        text = line.text
        if _ARROW.search(text):
            yield from self._arrowed(text)
            return
        backward = _BACKWARD.search(text)
        if backward:
            yield from self._backward(text[: backward.start()], text[backward.end() :])
            return
        if len(text) > 1200:
            return
        for sentence in _sentences(text):
            step = self._verbal(sentence) or self._reason_last(sentence, line)
            if step:
                yield step

    def _arrowed(self, text: str) -> Iterator[_Draft]:
        pieces = re.split(r"\[STEP\]", text) if "[STEP]" in text else text.split(";")
        steps: list[str] = []
        for piece in pieces:
            if _ARROW.search(piece) or not steps:
                steps.append(piece)
            else:
                steps[-1] += f";{piece}"  # a semicolon of the conclusion's own words
        for step in steps:
            match = _ARROW.search(step)
            if match is None:
                continue
            left, right = step[: match.start()], step[match.end() :].strip(" ;")
            premises = self._premises(left)
            if premises is None:
                continue
            if _ARROW.search(right):
                raise UnreadError(f"{quoted(step.strip(), 60)} has two arrows")
            name, words = self._conclusion(right)
            yield _Draft(premises, name, words)

    def _premises(self, text: str) -> tuple[str, ...] | None:
        bare = _LEAD.sub("", text.strip().strip("|").strip(), count=1).strip(" ,:")
        for said in (bare, bare.partition(":")[2].strip()):
            premises = self._references.listed(said) if said else None
            if premises:
                return premises
        if bare and re.search(r"\b(?:sent|int)[ _]?\d", bare, re.IGNORECASE):
            raise UnreadError(f"the premises {quoted(bare, 60)} are no list of sentences")
        return None

    def _backward(self, left: str, right: str) -> Iterator[_Draft]:
        """`int1 <- sent1 & sent2: words`, `int1: words <- sent1 & sent2`."""
        given, _, words = right.partition(":")
        premises = self._references.listed(given) or self._references.listed(right)
        if premises:
            name, text = self._conclusion(left)
            yield _Draft(premises, name, text or one_line(words))

    def _verbal(self, text: str) -> _Draft | None:
        """`From sent1 and sent2 it follows that ... (int1)`."""
        said = _LEAD.sub("", text, count=1)
        match = _VERBAL.match(said)
        if match is None:
            return None
        premises = self._references.listed(match["left"])
        if not premises:
            return None
        return _Draft(premises, *self._conclusion(match["right"].rstrip(" .")))

    def _reason_last(self, text: str, line: Line) -> _Draft | None:
        """`int1: ... (from sent1 and sent2)`, `int1 (sent1 & sent2): ...`."""
        first = _REASON_FIRST.match(text)
        if first:
            premises = self._references.listed(first["left"])
            name, _ = self._conclusion(first["name"])
            return _Draft(premises, name, one_line(first["text"])) if premises else None
        match = _REASON_LAST.match(text)
        if match is None:
            return None
        premises = self._references.listed(match["bracketed"] or match["bare"])
        name, words = self._conclusion(match["right"])
        if not premises or not (name or (line.is_item and len(words.split()) > 2)):
            return None
        return _Draft(premises, name, words)

    def _conclusion(self, text: str) -> tuple[str, str]:
        """The name of a conclusion, empty if it has none, and its words."""
        said = re.sub(r"^(?:therefore|thus|hence|so|that|then)[,:]?\s+", "", text.strip(), flags=re.IGNORECASE)
        said = one_line(_OTHER_SLOT.sub("", said)).strip(" ;")
        match = _NAMED.match(said)
        if match:
            words = one_line(match["text"] or match["bracket"] or "").strip(" ;")
            return self._name(match["name"]), words
        match = _NAME_LAST.match(said)
        if match:
            return self._name(match["name"]), one_line(match["text"]).strip(" ;.,")
        if self._references.is_hypothesis(said):
            return HYPOTHESIS, ""
        return "", said.strip(" .")

    def _name(self, text: str) -> str:
        if self._references.is_hypothesis(text):
            return HYPOTHESIS
        number = re.search(r"\d+", text)
        return f"int{int(number[0])}" if number else HYPOTHESIS

    def _table(self, table: object) -> Iterator[_Draft]:
        from whence.formats.llm_text.blocks import Table

        if not isinstance(table, Table):
            return
        wanted = columns(table, (frozenset(_PREMISES), frozenset(_CONCLUSION)))
        if wanted is None:
            return
        words = columns(table, (frozenset(_TEXT),))
        for row in table.rows:
            if max(wanted) >= len(row):
                continue
            premises = self._references.listed(row[wanted[0]])
            if not premises:
                raise UnreadError(f"the premises {quoted(row[wanted[0]], 60)} are no list of sentences")
            name, text = self._conclusion(row[wanted[1]])
            extra = one_line(row[words[0]]) if words and words[0] < len(row) else ""
            yield _Draft(premises, name, text or extra)

    # JSON.

    def from_json(self, value: Json, _: str) -> Tree:
        """The tree of a list of steps, of an object that has one, of steps by conclusion, or of nested objects."""
        self._references = References(self._claim)
        for name in self._own:
            self._references.add(name)
        steps = member(value, _STEPS)
        if isinstance(steps, str):
            return self.from_text(steps)
        given = member(value, ("sentences", "own_sentences"))
        own = {**self._own, **_own_sentences(given, self._claim)}
        for name in own:
            self._references.add(name)
        drafts: list[_Draft] | None = None
        if isinstance(steps, list):
            drafts = self._listed(steps)
        elif isinstance(steps, dict):
            drafts = self._by_name(steps) or self._nested(steps)
        elif isinstance(value, list):
            drafts = self._listed(value)
        elif isinstance(value, dict):
            drafts = self._by_name(value) or self._nested(value)
        if drafts is None:
            raise OtherKindError("it has no steps")
        if not drafts:
            raise UnreadError("its list of steps is empty")
        return self._tree(drafts, own, {})

    def _listed(self, entries: Sequence[Json]) -> list[_Draft] | None:
        drafts: list[_Draft] = []
        for number, entry in enumerate(entries, 1):
            more = self._entry(entry)
            if not more:
                if number == 1:
                    return None
                raise UnreadError(f"entry {number} of its list is no step: {quoted(str(entry), 60)}")
            drafts += more
        return drafts

    def _entry(self, entry: Json) -> list[_Draft] | None:
        if isinstance(entry, str):
            return list(self._line_steps(Line(one_line(entry), entry, "bullet"))) or None
        named = members(entry)
        premises = next((named[name] for name in _PREMISES if named.get(name) is not None), None)
        if premises is None:
            inner = next((named[name] for name in ("step", "inference", "proof") if name in named), None)
            return self._entry(inner) if isinstance(inner, str) else None
        if isinstance(premises, list) and any(isinstance(one, dict) for one in premises):
            return self._nested(entry)
        conclusion = next((named[name] for name in _CONCLUSION if isinstance(named.get(name), str)), "")
        text = next((named[name] for name in _TEXT if isinstance(named.get(name), str)), "")
        if isinstance(named.get("conclusion"), dict):
            inner = members(named["conclusion"])
            conclusion = next((inner[name] for name in _NAME if isinstance(inner.get(name), str)), "")
            text = next((inner[name] for name in _TEXT if isinstance(inner.get(name), str)), "")
        name, words = self._conclusion(conclusion) if conclusion else ("", "")
        if not name:
            label = next((named[key] for key in _NAME if isinstance(named.get(key), str)), "")
            match = _NAMED.match(label)
            name = self._name(match["name"]) if match else ""
        words = words or one_line(text)
        if not name and self._references.is_hypothesis(words):
            name, words = HYPOTHESIS, ""
        if not name and not words:
            return None
        return [_Draft(self._premise_list(premises), name, "" if name == HYPOTHESIS else words)]

    def _premise_list(self, premises: Json) -> tuple[str, ...]:
        """The ids of premises in a list or a text."""
        if isinstance(premises, str):
            names = self._references.listed(premises)
            if not names:
                raise UnreadError(f"the premises {quoted(premises, 60)} are no list of sentences")
            return names
        ids = []
        for premise in premises if isinstance(premises, list) else [premises]:
            if isinstance(premise, int) and not isinstance(premise, bool):
                raise UnreadError(f"the premise {premise} may be a sentence or a step")
            name = self._references.named(str(premise)) if isinstance(premise, str) else None
            if name is None and isinstance(premise, str):
                listed = self._references.listed(premise.partition(":")[0]) if ":" in premise else None
                name = listed[0] if listed and len(listed) == 1 else None
            if name is None:
                raise UnreadError(f"a step refers to {quoted(str(premise), 40)}, which is not given")
            ids.append(name)
        if not ids:
            raise UnreadError("a step has no premises")
        return tuple(dict.fromkeys(ids))

    def _by_name(self, value: Json) -> list[_Draft] | None:
        """`{"int1": {"premises": [...], "text": ...}, "hypothesis": {...}}`."""
        drafts = []
        for name, entry in value.items() if isinstance(value, dict) else ():
            match = _NAMED.match(str(name))
            if match is None:
                continue
            if isinstance(entry, list) and all(isinstance(one, str) for one in entry):
                entry = {"premises": entry}
            if not isinstance(entry, dict) or member(entry, _PREMISES) is None:
                continue
            premises = self._premise_list(member(entry, _PREMISES))
            text = member(entry, (*_TEXT, "conclusion"))
            named = self._name(match["name"])
            drafts.append(_Draft(premises, named, one_line(text) if isinstance(text, str) else ""))
        return drafts or None

    def _nested(self, value: Json, depth: int = 0) -> list[_Draft] | None:
        """`{"conclusion": ..., "premises": ["sent1", {"conclusion": ..., "premises": "
        "[...]}]}`, innermost first."""
        if depth > _DEPTH:
            raise UnreadError("its tree is nested too deeply")
        premises = member(value, _PREMISES)
        if not isinstance(premises, list):
            return None
        drafts: list[_Draft] = []
        names: list[str] = []
        for premise in premises:
            if isinstance(premise, dict) and member(premise, _PREMISES) is not None:
                inner = self._nested(premise, depth + 1)
                if not inner:
                    return None
                drafts += inner
                names.append(inner[-1].name)
            else:
                said = member(premise, (*_NAME, *_TEXT)) if isinstance(premise, dict) else premise
                names += self._premise_list([said])
        conclusion = member(value, (*_CONCLUSION, *_NAME, *_TEXT))
        if not isinstance(conclusion, str):
            return None
        name, words = self._conclusion(conclusion)
        text = member(value, _TEXT)
        words = words or (one_line(text) if isinstance(text, str) else "")
        if not name:
            name = HYPOTHESIS if not depth else f"nested:{normal(words)}"
        return [*drafts, _Draft(tuple(dict.fromkeys(names)), name, "" if name == HYPOTHESIS else words)]

    # Steps to a tree.

    def _tree(self, drafts: Sequence[_Draft], own: dict[str, str], words: dict[str, str]) -> Tree:
        drafts = list(
            dict.fromkeys(replace(draft, text=draft.text or words.get(draft.name, "")) for draft in drafts)
        )
        names = self._names(drafts)
        renamed = dict(zip((draft.name for draft in drafts), names, strict=True))
        by_text = {normal(draft.text): name for draft, name in zip(drafts, names, strict=True) if draft.text}
        steps = []
        for draft, name in zip(drafts, names, strict=True):
            premises = tuple(self._premise(one, names, renamed, by_text) for one in draft.premises)
            text = "" if name == HYPOTHESIS else draft.text
            steps.append(Step(tuple(dict.fromkeys(premises)), name, text))
        _refuse_repeated(steps)
        used = {premise for step in steps for premise in step.premises}
        sentences = tuple(Sentence(name, text) for name, text in own.items() if name in used)
        return Tree(tuple(steps), sentences)

    def _names(self, drafts: Sequence[_Draft]) -> list[str]:
        """The name of each conclusion: its own, `hypothesis` if it says that, else by the number of its step."""
        taken = {draft.name for draft in drafts if draft.name} | {
            one for draft in drafts for one in draft.premises
        }
        unnamed = not any(draft.name and draft.name != HYPOTHESIS for draft in drafts)
        free = (f"int{number}" for number in range(1, 10**6) if f"int{number}" not in taken)
        names = []
        for number, draft in enumerate(drafts, 1):
            if draft.name.startswith("int") and self._references.is_hypothesis(draft.text):
                names.append(HYPOTHESIS)
            elif draft.name and not draft.name.startswith("nested:"):
                names.append(draft.name)
            elif unnamed and not any(one.name.startswith("nested:") for one in drafts):
                names.append(f"int{number}")
            else:
                names.append(next(free))
        if unnamed and HYPOTHESIS not in names and len(set(names)) == len(names):
            names[-1] = HYPOTHESIS  # as the last step of a proof whose steps have no names
        return names

    def _premise(self, name: str, names: Sequence[str], renamed: dict[str, str], by_text: dict[str, str]) -> str:
        if name.startswith("#"):
            number = int(name[1:])
            if not 0 < number <= len(names):
                raise UnreadError(f"a step refers to step {number}, which there is not")
            return names[number - 1]
        if name.startswith("nested:"):
            return renamed[name]
        target = renamed.get(name, name)
        if target.startswith("int") and target not in names:
            raise UnreadError(f"a step refers to {name}, which no step concludes")
        return by_text.get(target, target)


def _refuse_repeated(steps: Sequence[Step]) -> None:
    concluded: dict[str, Step] = {}
    for step in steps:
        earlier = concluded.setdefault(step.conclusion, step)
        if earlier is not step:
            name = "the hypothesis" if step.conclusion == HYPOTHESIS else step.conclusion
            raise UnreadError(f"{name} is concluded twice, by different steps")


def _own_sentences(value: Json, claim: Claim) -> dict[str, str]:
    """Sentences that a JSON tree brings along: `[{"id": ..., "text": ...}]` or by id."""
    given = value.items() if isinstance(value, dict) else ()
    pairs = list(given) + [
        (one.get("id"), one.get("text"))
        for one in (value if isinstance(value, list) else ())
        if isinstance(one, dict)
    ]
    return {str(name): text for name, text in pairs if name and isinstance(text, str)}


def without_latex_arrows(text: str) -> str:
    """The text with its formulas as plain text, line by line."""
    return "\n".join(without_latex(line) if not _SLOT.match(line) else line for line in text.split("\n"))


def _joined(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines, each with the one after it where an arrow stands between the two."""
    waiting: Line | None = None
    for line, following in zip_longest(lines, lines[1:]):
        if line is None:
            continue
        if waiting is not None:
            line = replace(line, text=f"{waiting.text} {line.text}")
            waiting = None
        ends_open = bool(re.search(r"(?:[-=~–—]{1,4}>{1,2}|[→⇒⟹]|[&+])\s*$", line.text))
        if following is not None and (
            ends_open or (_ARROW.match(following.text) and not _ARROW.search(line.text))
        ):
            waiting = line
        else:
            yield line


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(\[]|sent|int)", text)
