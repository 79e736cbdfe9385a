"""Triples of head, relation and tail in a text, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from whence.errors import quoted
from whence.formats.llm_text.arrows import ARROW, diagram_edges, plain_arrows
from whence.formats.llm_text.blocks import Line, Table, columns, key_of, label_of, lines_of, names, tables_in
from whence.formats.llm_text.clean import one_line, without_latex
from whence.formats.llm_text.relation_names import RelationNames
from whence.formats.llm_text.unread import UnreadError

HEAD = frozenset(
    names(
        "head subject source from start concept1 concept_1 head_concept node1 node_1 s h cause span1 span_1 "
        "head_span head_entity entity1 entity_1 arg1 first subj"
    )
)
RELATION = frozenset(names("relation predicate rel edge relationship r p verb label type relation_type link name"))
TAIL = frozenset(
    names(
        "tail object target to end concept2 concept_2 tail_concept node2 node_2 o t effect span2 span_2 "
        "tail_span tail_entity entity2 entity_2 arg2 second obj"
    )
)

_GROUP = {"(": ")", "[": "]", "<": ">", "{": "}"}
_REMARK = re.compile(r"^([(\[<].*?[)\]>])\s*[:–—.,-](?!>)\s*[^\s(\[<].*$")
_BETWEEN_GROUPS = re.compile(r"[\s,;.&∧+|]*(?:and\b)?[\s,;.]*")
_BACKWARD = re.compile(r"<[-=–—]{1,4}(?!>)|[←⇐⟵]")
_TRAILING_RELATION = re.compile(
    r"^(.*?)\s*(?:[:：]\s*(.+)|\(\s*([^()]+)\s*\)|\[\s*(?:label\s*=\s*)?[\"']?([^\]\"']+)[\"']?[^\]]*\])\s*;?$"
)
_SEPARATORS = (";", "|", "\t", " -- ", " – ", " — ", " - ", " : ", ",")
_MARKED = re.compile(
    r"\*\*([^*]{1,60})\*\*|\*([^*\s][^*]{0,60})\*|`([^`]{1,60})`|\[([^\[\]]{1,60})\]|__([^_]{1,60})__"
)
_QUOTED_PAIR = re.compile(r"^[\"']([^\"]{1,200}?)[\"']\s+(.{1,60}?)\s+[\"']([^\"]{1,200}?)[\"']$")
_NAMED_PARTS = re.compile(
    r"\b(?P<name>head(?:[ _](?:concept|span|entity))?|subject|source|from|(?:concept|node|span|entity)[ _]?[12]|"
    r"relation(?:ship)?|predicate|rel|tail(?:[ _](?:concept|span|entity))?|object|target|to)\"?\s*[:=]\s*",
    re.IGNORECASE,
)
_NEGATIONS = frozenset(
    {"never", "hardly", "rarely", "seldom", "barely", "scarcely", "longer", "not", "no", "cannot"}
)
_LONGEST_LINE = 4000
_LONGEST_PART = 12
"""Words of a concept in a line whose parts only a relation between them tells apart."""


class Triple(NamedTuple):
    """Head, relation and tail as they are written."""

    head: str
    relation: str
    tail: str


def part(text: str) -> str:
    """A head or tail without what surrounds it."""
    words = one_line(text).strip(" \t,;")
    if words[:1] in _GROUP and words.endswith(_GROUP[words[0]]) and not any(m in words[1:-1] for m in "()[]<>{}"):
        words = words[1:-1].strip()
    words = one_line(words).removesuffix(".").strip()
    return words.replace("_", " ") if "_" in words and " " not in words else words


def _triple(head: str, relation: str, tail: str) -> Triple:
    triple = Triple(part(head), relation, part(tail))
    if not all(triple):
        missing = next(name for name, end in zip(("head", "relation", "tail"), triple, strict=True) if not end)
        raise UnreadError(f"one of its triples has no {missing}")
    for end in (triple.head, triple.tail):
        if any(end.count(opening) != end.count(closing) for opening, closing in ("()", "[]")):
            raise UnreadError(f"{quoted(end, 40)} is no concept: its brackets do not match")
    return triple


class TripleReader:
    """Reads the triples of texts over the relations of a task."""

    def __init__(self, relations: RelationNames) -> None:
        self._relations = relations

    def triples(self, text: str) -> list[list[Triple]]:
        """The triples of a text in blocks, each under a heading of its own."""
        drawn = [self.known(*edge) for edge in diagram_edges(text)]
        if drawn:
            return [drawn]
        tabled = [triple for table in tables_in(text) for triple in self._table(table)]
        if tabled:
            return [tabled]
        blocks: list[list[Triple]] = [[]]
        named: dict[str, str] = {}
        unread: list[tuple[Line, UnreadError | None]] = []
        worded: set[tuple[str, int, int]] = set()
        fence = 0
        for line in lines_of(text):
            if blocks[-1] and (_begins_block(line) or (line.fence and line.fence != fence)):
                blocks.append([])
            fence = line.fence
            try:
                triples = self._delimited(line) or list(self._named_parts(line, named))
            except UnreadError as error:
                unread.append((line, error))
                continue
            if not triples and (line.is_item or line.fence):
                triples = self._worded(line)
                if triples:
                    worded.add(_list_of(line))
                elif not label_of(line):
                    unread.append((line, None))
            blocks[-1] += triples
        _refuse_unread(
            unread, worded, {end for block in blocks for triple in block for end in (triple[0], triple[2])}
        )
        return [block for block in blocks if block]

    def line_triples(self, line: Line) -> list[Triple]:
        """The triples that one line gives; none if it is no line of triples."""
        return self._delimited(line) or self._worded(line)

    def _delimited(self, line: Line) -> list[Triple]:
        """The triples of a line that tells their parts apart by brackets, arrows or separators."""
        text = without_latex(line.text).strip()
        if not text or len(text) > _LONGEST_LINE:
            return []
        label = label_of(line)
        for said in (text, label[1] if label and len(label[0].split()) < 4 else ""):
            remark = _REMARK.match(said)
            triples = (
                self._grouped(said)
                or (self._grouped(remark[1]) if remark else [])
                or self._arrowed(said)
                or self._separated(said)
            )
            if triples:
                return triples
        return []

    def known(self, head: str, relation: str, tail: str) -> Triple:
        """The triple under the task's name of its relation; an `UnreadError` if it has none."""
        name = self._relations.named(relation)
        if name is None:
            raise UnreadError(
                f"{quoted(one_line(relation), 40)} is none of the {len(self._relations.names)} relations"
            )
        return _triple(head, name, tail)

    def given(self, head: str, relation: str, tail: str) -> Triple:
        """The triple of parts that are plainly apart; a relation that is none of the task's stays as it is."""
        return _triple(head, self._relations.named(relation) or one_line(relation), tail)

    def _if_known(self, head: str, relation: str, tail: str) -> list[Triple]:
        """The triple, if its relation is one and its ends are there."""
        name = self._relations.named(relation)
        if name is None or not part(head) or not part(tail):
            return []
        return [Triple(part(head), name, part(tail))]

    def _grouped(self, text: str) -> list[Triple]:
        """`(a; r; b)(c; r; d)`, `[a, r, b]`, `<a> <r> <b>`."""
        groups = _groups(text)
        if not groups:
            return []
        if len(groups) % 3 == 0 and not any(mark in group for group in groups for mark in ";,|"):
            names = [self._relations.named(group) for group in groups[1::3]]
            if all(names):
                return [self.known(*groups[start : start + 3]) for start in range(0, len(groups), 3)]
        if not any(mark in group for group in groups for mark in (";", "|", ",", "->", "→")):
            return []
        triples = []
        for number, group in enumerate(groups, 1):
            triple = self._split(group)
            if triple is None:
                arrowed = self._arrowed(group)
                if len(arrowed) != 1:
                    if number == 1 and ";" not in group:
                        return []
                    raise UnreadError(f"{quoted(f'({group})', 60)} is no triple of head, relation and tail")
                triple = arrowed[0]
            triples.append(triple)
        return triples

    def _split(self, group: str) -> Triple | None:
        """The triple of a group whose parts are separated."""
        parts = group.split(";")
        if len(parts) == 3:
            return self.given(*parts)
        for separator in ("|", ","):
            parts = group.split(separator)
            triple = self._around_relation(parts, separator)
            if triple is not None:
                return triple
            if len(parts) == 3 and all(map(str.strip, parts)) and _is_short(parts[1]):
                return self.known(*parts)
        return None

    def _around_relation(self, parts: Sequence[str], separator: str) -> Triple | None:
        """The triple around the one part that is a relation; the others may hold the separator themselves."""
        if len(parts) < 3:
            return None
        middles = [index for index in range(1, len(parts) - 1) if self._relations.named(parts[index])]
        if len(middles) != 1:
            return None
        index = middles[0]
        return self.known(separator.join(parts[:index]), parts[index], separator.join(parts[index + 1 :]))

    def _arrowed(self, text: str) -> list[Triple]:
        """`a -> r -> b`, `a --[r]--> b`, `a -> b (r)`, and chains of them."""
        if _BACKWARD.search(text):
            return []
        parts = [one.strip() for one in ARROW.split(plain_arrows(text).rstrip(" ;."))]
        if len(parts) < 2 or not all(parts):
            return []
        if len(parts) == 2:
            return self._one_arrow(*parts)
        if len(parts) % 2 == 0:
            return []
        relations = [self._relations.named(one) for one in parts[1::2]]
        if not any(relations):
            if len(parts) == 3 and _is_short(parts[1]) and _is_short(parts[0]) and _is_short(parts[2]):
                return [self.known(*parts)]  # which says that there is no such relation
            return []
        return [self.known(*parts[start : start + 3]) for start in range(0, len(parts) - 1, 2)]

    def _one_arrow(self, head: str, tail: str) -> list[Triple]:
        """`a -> b: r`, `a -> b (r)`, `a - r -> b`, `a: r -> b`."""
        match = _TRAILING_RELATION.match(tail)
        if match:
            relation = next(group for group in match.groups()[1:] if group)
            if triples := self._if_known(head, relation, match[1]):
                return triples
        for separator in (" -- ", " - ", " – ", " — ", ": ", ", ", " | ", "; "):
            first, mark, relation = head.rpartition(separator)
            if mark and (triples := self._if_known(first, relation, tail)):
                return triples
        return self._if_known(*_bracketed_end(head), tail)

    def _separated(self, text: str) -> list[Triple]:
        """`a; r; b`, `a | r | b`, `a, r, b`."""
        text = text.strip(" |")
        for separator in _SEPARATORS:
            parts = text.split(separator)
            if len(parts) < 3:
                continue
            triple = self._around_relation(parts, separator)
            if triple is not None:
                return [triple]
            if separator == ";" and len(parts) == 3 and all(map(_is_short, parts)):
                return [self.known(*parts)]
        return []

    def _worded(self, line: Line) -> list[Triple]:
        """`head **relation** tail`, `"head" relation "tail"`, and plain words with one relation among them."""
        marked = [
            (match, name)
            for match in _MARKED.finditer(line.marked)
            if (name := self._relations.named(next(group for group in match.groups() if group)))
        ]
        if len(marked) == 1:
            match, name = marked[0]
            return self._if_known(line.marked[: match.start()], name, line.marked[match.end() :])
        pair = _QUOTED_PAIR.match(line.text.rstrip("."))
        if pair:
            return self._if_known(pair[1], pair[2], pair[3])
        words = line.text.split()
        if len(words) > 3 * _LONGEST_PART:
            return []
        matches = self._relations.within(words)
        if len(matches) != 1:
            return []
        start, end, name = matches[0]
        if words[start - 1].casefold() in _NEGATIONS:
            raise UnreadError(f"{quoted(line.text, 60)} negates its relation in words of its own")
        if start > _LONGEST_PART or len(words) - end > _LONGEST_PART:
            return []
        return self._if_known(" ".join(words[:start]), name, " ".join(words[end:]))

    def _table(self, table: Table) -> Iterator[Triple]:
        wanted = columns(table, (HEAD, RELATION, TAIL))
        rows = table.rows
        if wanted is None:
            shift = len(table.header) - 3 if table.header else 0
            if (
                shift not in (0, 1)
                or not rows
                or not all(len(row) > shift + 2 and self._relations.named(row[shift + 1]) for row in rows)
            ):
                return
            wanted = [shift, shift + 1, shift + 2]
        for row in rows:
            if max(wanted) >= len(row):
                raise UnreadError(f"the row {quoted(' | '.join(row), 60)} of its table is not whole")
            yield self.known(*(row[index] for index in wanted))

    def _named_parts(self, line: Line, named: dict[str, str]) -> Iterator[Triple]:
        """`Head: a, Relation: r, Tail: b`, on one line or on three; `named` keeps what earlier lines gave."""
        marks = [match for match in _NAMED_PARTS.finditer(line.text) if _role(match["name"])]
        for mark, following in zip_longest(marks, marks[1:]):
            role = _role(mark["name"])
            if role in named:
                named.clear()
            named[role] = line.text[mark.end() : following.start() if following else None].strip(" ,;|")
            if len(named) == 3:
                yield self.known(named["head"], named["relation"], named["tail"])
                named.clear()


def _role(name: str) -> str:
    key = key_of(name)
    return "head" if key in HEAD else "relation" if key in RELATION else "tail" if key in TAIL else ""


def _groups(text: str) -> list[str]:
    """The contents of the brackets that a text consists of; none if it holds anything else."""
    text = text.strip().rstrip(".;,")
    groups: list[str] = []
    index = 0
    while index < len(text):
        closing = _GROUP.get(text[index])
        if closing is None:
            return []
        depth, end = 0, index
        while end < len(text):
            depth += text[end] == text[index]
            if text[end] == closing and (closing != ">" or text[end - 1] not in "-="):
                depth -= 1
                if not depth:
                    break
            end += 1
        if depth:
            return []
        groups.append(text[index + 1 : end])
        between = _BETWEEN_GROUPS.match(text, end + 1)
        index = between.end() if between else end + 1
    return groups


def _bracketed_end(text: str) -> tuple[str, str]:
    """A text and the bracket at its end."""
    match = re.match(r"^(.*?)\s*[\[(]([^\[\]()]+)[\])]$", text)
    return (match[1], match[2]) if match else (text, "")


def _is_short(text: str) -> bool:
    return 0 < len(text.split()) <= 8


def _list_of(line: Line) -> tuple[str, int, int]:
    """The list that an item belongs to."""
    return line.mark, line.indent, line.fence


def _refuse_unread(
    unread: Sequence[tuple[Line, UnreadError | None]], worded: set[tuple[str, int, int]], concepts: set[str]
) -> None:
    """Raises an error where a line was meant to be a triple and is none: the others alone "
    "would be another answer."""
    for line, error in unread:
        ends = [part(one) for one in ARROW.split(line.text)]
        if len(ends) > 1 and all(end in concepts for end in ends):
            continue  # a path through the graph, in short
        if error is not None:
            raise error
        if concepts and len(ends) > 1 and all(ends):
            raise UnreadError(f"{quoted(line.text, 60)} is no triple of head, relation and tail")
        if _list_of(line) in worded:
            raise UnreadError(f"{quoted(line.text, 60)} has none of the relations, or more than one")


_BLOCK_WORDS = re.compile(
    r"\b(?:graph|answer|edges|triples|triplets|explanation|version|attempt|draft|option|"
    r"alternative|linear\w*|output|"
    r"revised|corrected|final|json|representation|solution|summary)\b"
)


def _begins_block(line: Line) -> bool:
    """Whether a line announces another list of triples."""
    label = label_of(line)
    announces = line.mark == "heading" or (label is not None and not label[1]) or line.text.endswith(":")
    return announces and not line.is_item and _BLOCK_WORDS.search(line.text.casefold()) is not None
