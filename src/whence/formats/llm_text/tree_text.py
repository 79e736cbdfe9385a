"""Steps of a tree in lines, sentences and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from whence.errors import quoted
from whence.formats.llm_text.blocks import Line, Table, columns, label_of, lines_of, names, tables_in
from whence.formats.llm_text.clean import normal, one_line, without_latex
from whence.formats.llm_text.references import LIST, References
from whence.formats.llm_text.tree_steps import Draft, conclusion_in
from whence.formats.llm_text.unread import UnreadError

PREMISES = names(
    "premises premise from inputs input sources source leaves facts given uses using parents children support "
    "supporting_facts sentences evidence antecedents because"
)
CONCLUSION = names(
    "conclusion concludes result output derived inference infers to then entails "
    "intermediate_conclusion consequent "
    "intermediate conclusion_id hypothesis target"
)
TEXT = names("text conclusion_text statement sentence content description wording")

_ARROW = re.compile(r"[-=~–—]{1,4}>{1,2}|[→⟶⇒⟹➔➜➝➡↦⊢∴]️?|\\(?:right|Right|long[Rr]ight)arrow|\\to\b|\\implies|\|-")
_BACKWARD = re.compile(r"<[-=–—]{1,4}(?!>)|[←⇐⟵]|\s:-\s")
_SLOT = re.compile(r"^[^\S\n]*\$proof\$\s*=?\s*", re.IGNORECASE | re.MULTILINE)
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
_VERBAL = re.compile(rf"^(?P<left>{LIST})\s*,?\s*(?P<follows>{_FOLLOWS})\s*[:,]?\s*(?P<right>.+)$", re.IGNORECASE)
_RESTATES = re.compile(r"\b(?:know|have|see|say|shows?|means?)\b", re.IGNORECASE)
"""Verbs that say a single sentence again as often as they conclude something from it."""
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
_THEREFORE = re.compile(r"^(?:therefore|thus|hence|so)\b[,:]?\s+(.+)$", re.IGNORECASE)
_NAMED_LABEL = re.compile(r"^(?P<label>.+?)\s*\((?P<name>int ?\d{1,4}|hypothesis)\)$")
_GIVEN_LINE = re.compile(r"^[\[(]?(sent(?:ence)?[ _]?\d{1,4})[\])]?\s*[:=–—-]\s*(.+)$", re.IGNORECASE)
_REPEATED_LINE = re.compile(r"^(?:premise|fact|statement|[pf])[ #]?(\d{1,4})\s*[:=–—-]\s*(.+)$", re.IGNORECASE)
_CONCLUDED_LINE = re.compile(r"^[\[(]?(int[ _]?\d{1,4})[\])]?\s*[:=–—-]\s*(.+)$", re.IGNORECASE)
_ONLY_REFERENCES = re.compile(LIST, re.IGNORECASE)
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


class TextSteps:
    """Reads the steps of texts; `references` says what the names in them mean."""

    def __init__(self, references: References) -> None:
        self._references = references

    def drafts(self, text: str) -> tuple[list[Draft], dict[str, str], dict[str, str]]:
        """The steps of a text, the sentences that it words itself, and the words of its conclusions."""
        tabled = [draft for table in tables_in(text) for draft in self._table(table)]
        if tabled:
            return tabled, {}, {}
        lines = lines_of(_SLOT.sub("", _without_latex(text)))
        own, words = self.definitions(lines)
        return list(self._drafts(list(_joined(lines)))), own, words

    def definitions(self, lines: Sequence[Line]) -> tuple[dict[str, str], dict[str, str]]:
        """Sentences that an answer words otherwise than the claim, and words for its conclusions."""
        known = {sentence.id: normal(sentence.text) for sentence in self._references.claim.context}
        own, words = {}, {}
        for line in lines:
            if _ARROW.search(line.text) or _BACKWARD.search(line.text) or _REASON_LAST.match(line.text):
                continue
            given, concluded = _GIVEN_LINE.match(line.text), _CONCLUDED_LINE.match(line.text)
            if given and not _VERBAL.match(line.text):
                name = _id(given[1])
                if known.get(name) != normal(given[2]):
                    own[name] = one_line(given[2])
                self._references.add(name)
            elif concluded:
                words[_id(concluded[1])] = one_line(concluded[2])
            elif repeated := _REPEATED_LINE.match(line.text):
                self._references.repeat(int(repeated[1]), repeated[2])
            elif line.number is not None:
                self._references.repeat(line.number, line.text)
        return own, words

    def _drafts(self, lines: Sequence[Line]) -> Iterator[Draft]:
        """The steps of lines: each on one, or its premises on some and its conclusion on the next."""
        premises: tuple[str, ...] = ()
        labelled = False
        concluded: set[str] = set()
        for line in lines:
            label, said = label_of(line) or ("", "")
            steps = list(self.line_steps(line)) or list(self._closed(line, premises, labelled))
            if steps:
                yield from steps
                concluded |= {step.name for step in steps}
                premises, labelled = (), False
            elif label in _PREMISE_LABELS or re.fullmatch(r"step \d+", label):
                premises, labelled = self._references.listed(said) or (), True
            elif more := self._referred(line, concluded):
                premises += more
            elif not line.is_item and not labelled:
                premises = ()

    def _referred(self, line: Line, concluded: set[str]) -> tuple[str, ...]:
        """The premises that a line gives: `sent1`, `sent1 and int2`, `sent1: its words`."""
        named = _GIVEN_LINE.match(line.text) or _CONCLUDED_LINE.match(line.text)
        if named:
            name = self._references.named(named[1])
            return (name,) if name and (not name.startswith("int") or name in concluded) else ()
        return (self._references.listed(line.text) or ()) if _ONLY_REFERENCES.fullmatch(line.text) else ()

    def _closed(self, line: Line, premises: tuple[str, ...], labelled: bool) -> Iterator[Draft]:
        """The step whose premises earlier lines gave, if this line is its conclusion."""
        if not premises:
            return
        arrow, therefore = _ARROW.match(line.text), _THEREFORE.match(line.text)
        label, said = label_of(line) or ("", "")
        named = _NAMED_LABEL.match(label)
        if named:
            label, said = named["label"], f"{named['name']}: {said}"
        if arrow:
            said = line.text[arrow.end() :]
        elif therefore:
            said = therefore[1]
        elif label == "hypothesis" or (
            labelled and _CONCLUDED_LINE.match(line.text) and _id(label) not in premises
        ):
            said = line.text
        elif label not in _CONCLUSION_LABELS:
            return
        if said.strip():
            yield Draft(premises, *conclusion_in(said, self._references))

    def line_steps(self, line: Line) -> Iterator[Draft]:
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

    def _arrowed(self, text: str) -> Iterator[Draft]:
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
            if not right:
                raise UnreadError(f"{quoted(step.strip(), 60)} has no conclusion")
            name, words = conclusion_in(right, self._references)
            yield Draft(premises, name, words)

    def _premises(self, text: str) -> tuple[str, ...] | None:
        bare = _LEAD.sub("", text.strip().strip("|").strip(), count=1).strip(" ,:")
        for said in (bare, bare.partition(":")[2].strip()):
            premises = self._references.listed(said) if said else None
            if premises:
                return premises
        if bare and re.search(r"\b(?:sent|int)[ _]?\d", bare, re.IGNORECASE):
            raise UnreadError(f"the premises {quoted(bare, 60)} are no list of sentences")
        return None

    def _backward(self, left: str, right: str) -> Iterator[Draft]:
        """`int1 <- sent1 & sent2: words`, `int1: words <- sent1 & sent2`."""
        given, _, words = right.partition(":")
        premises = self._references.listed(given) or self._references.listed(right)
        if premises:
            name, text = conclusion_in(left, self._references)
            yield Draft(premises, name, text or one_line(words))

    def _verbal(self, text: str) -> Draft | None:
        """`From sent1 and sent2 it follows that ... (int1)`."""
        said = _LEAD.sub("", text, count=1)
        match = _VERBAL.match(said)
        if match is None:
            return None
        premises = self._references.listed(match["left"])
        if not premises or (len(premises) == 1 and _RESTATES.search(match["follows"])):
            return None
        return Draft(premises, *conclusion_in(match["right"].rstrip(" ."), self._references), worded=True)

    def _reason_last(self, text: str, line: Line) -> Draft | None:
        """`int1: ... (from sent1 and sent2)`, `int1 (sent1 & sent2): ...`."""
        first = _REASON_FIRST.match(text)
        if first:
            premises = self._references.listed(first["left"])
            name, _ = conclusion_in(first["name"], self._references)
            return Draft(premises, name, one_line(first["text"])) if premises else None
        match = _REASON_LAST.match(text)
        if match is None:
            return None
        premises = self._references.listed(match["bracketed"] or match["bare"])
        name, words = conclusion_in(match["right"], self._references)
        if not premises or not (name or (line.is_item and len(words.split()) > 2)):
            return None
        return Draft(premises, name, words)

    def _table(self, table: Table) -> Iterator[Draft]:
        wanted = columns(table, (frozenset(PREMISES), frozenset(CONCLUSION)))
        if wanted is None:
            return
        words = columns(table, (frozenset(TEXT),))
        for row in table.rows:
            if max(wanted) >= len(row):
                raise UnreadError(f"the row {quoted(' | '.join(row), 60)} of its table is not whole")
            premises = self._references.listed(row[wanted[0]])
            if not premises:
                raise UnreadError(f"the premises {quoted(row[wanted[0]], 60)} are no list of sentences")
            name, text = conclusion_in(row[wanted[1]], self._references)
            extra = one_line(row[words[0]]) if words and words[0] < len(row) else ""
            yield Draft(premises, name, text or extra)


def _id(name: str) -> str:
    return re.sub(r"^sentence", "sent", name.casefold()).replace(" ", "").replace("_", "")


def _without_latex(text: str) -> str:
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
        goes_on = following is not None and _ARROW.match(following.text) and not _is_reference(line)
        if following is not None and (ends_open or (goes_on and not _ARROW.search(line.text))):
            waiting = line
        else:
            yield line


def _is_reference(line: Line) -> bool:
    return any(one.fullmatch(line.text) for one in (_GIVEN_LINE, _CONCLUDED_LINE, _ONLY_REFERENCES))


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(\[]|sent|int)", text)
