"""Triples of head, relation and tail in a text, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from whence.errors import quoted
from whence.files import Json
from whence.formats.llm_text.blocks import Line, Table, columns, key_of, label_of, lines_of, names, tables_in
from whence.formats.llm_text.clean import one_line, without_latex
from whence.formats.llm_text.json_values import member, members
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
LISTS = names(
    "edges triples triplets graph facts relations explanation_graph edge_list links statements knowledge_graph "
    "explanation argument_graph commonsense_graph"
)

_GROUP = {"(": ")", "[": "]", "<": ">", "{": "}"}
_BETWEEN_GROUPS = re.compile(r"[\s,;.&∧+|]*(?:and\b)?[\s,;.]*")
_ARROW = re.compile(r"[-=~–—]{1,4}>{1,2}|[→⟶⇒⟹➔➜➝➡⟼↦▶►]️?|\\(?:right|Right|long[Rr]ight)arrow|\\to\b|\\implies")
_LABELLED_ARROW = re.compile(
    r"[-=–—]{1,4}\s*[\[({|<]\s*:?\s*(?:label\s*[:=]\s*)?[\"']?([^\[\](){}|<>\"']{1,60}?)[\"']?\s*[\])}|>]\s*"
    r"(?:[-=–—]{1,4}>+|[→⟶⇒⟹➔➜])"
)
_DASHED_ARROW = re.compile(
    r"(?:(?<=[\s\])\"'])|^)[-–—=]{1,4}\s*([^\W\d_][^-–—=>|;]{0,50}?)\s*(?:[-–—=]{1,4}>+|[→⟶⇒⟹➔➜])"
)
_BARRED_ARROW = re.compile(r"(?:[-=.]{1,4}>|[→⇒])\s*\|\s*[\"']?([^|\"']{1,60}?)[\"']?\s*\|")
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
_MERMAID = re.compile(r"^(?:graph|flowchart)\b\s*(?:TD|TB|BT|LR|RL)?\b", re.IGNORECASE)
_NODE = re.compile(r"^(\w+)\s*(?:[\[({>]+\s*\"?(.*?)\"?\s*[\])}]+)?(?:::+\w+)?;?$")
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


class TripleReader:
    """Reads the triples of texts and JSON values over the relations of a task."""

    def __init__(self, relations: RelationNames) -> None:
        self._relations = relations

    def triples(self, text: str) -> list[list[Triple]]:
        """The triples of a text in blocks, each under a heading of its own."""
        drawn = self._diagram(text)
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
            triples = self._grouped(said) or self._arrowed(said) or self._separated(said) if said else []
            if triples:
                return triples
        return []

    def from_json(self, value: Json) -> list[Triple] | None:
        """The triples of a JSON list, of an object that has one, or of a text; None if it is none of these."""
        if isinstance(value, str):
            blocks = self.triples(value)
            return [triple for block in blocks for triple in block] or None
        if isinstance(value, dict):
            inner = member(value, LISTS)
            return None if inner is None else self._numbered(inner, value)
        if not isinstance(value, list) or not value:
            return None
        if self._is_listed_triple(value):
            value = [value]
        return self._numbered(value, {})

    def _numbered(self, value: Json, whole: dict[str, Json]) -> list[Triple] | None:
        if isinstance(value, dict):
            nodes = {**_nodes(whole), **_nodes(value)}
            inner = member(value, LISTS)
            return None if inner is None else self._entries(inner, nodes)
        return self._entries(value, _nodes(whole)) if isinstance(value, list) else self.from_json(value)

    def _entries(self, value: Json, nodes: dict[str, str]) -> list[Triple] | None:
        if isinstance(value, str):
            return self.from_json(value)
        if not isinstance(value, list) or not value:
            return None
        triples: list[Triple] = []
        for number, entry in enumerate(value, 1):
            more = self._entry(entry, nodes)
            if more is None:
                if number == 1:
                    return None
                raise UnreadError(
                    f"entry {number} of its list is no head, relation and tail: {quoted(str(entry), 60)}"
                )
            triples += more
        return triples

    def _entry(self, entry: Json, nodes: dict[str, str]) -> list[Triple] | None:
        if isinstance(entry, str):
            return self.line_triples(Line(entry, entry, "bullet")) or None
        if isinstance(entry, list):
            return [self._known(*entry)] if self._is_listed_triple(entry) else None
        named = members(entry)
        ends = [_text(next((named[name] for name in named if name in names), None)) for names in (HEAD, TAIL)]
        relation = next((named[name] for name in named if name in RELATION and isinstance(named[name], str)), None)
        if relation is None or not all(ends):
            inner = next((named[name] for name in ("triple", "triplet", "edge", "fact") if name in named), None)
            return self._entry(inner, nodes) if isinstance(inner, list | str | dict) else None
        head, tail = (nodes.get(str(end), str(end)) for end in ends)
        return [self._known(head, relation, tail)]

    def _is_listed_triple(self, value: Json) -> bool:
        return isinstance(value, list) and len(value) == 3 and all(isinstance(one, str) and one for one in value)

    def _known(self, head: str, relation: str, tail: str) -> Triple:
        """The triple under the task's name of its relation; an `UnreadError` if it has none."""
        name = self._relations.named(relation)
        if name is None:
            raise UnreadError(
                f"{quoted(one_line(relation), 40)} is none of the {len(self._relations.names)} relations"
            )
        triple = Triple(part(head), name, part(tail))
        if not triple.head or not triple.tail:
            raise UnreadError(f"a {name} has no {'tail' if triple.head else 'head'}")
        return triple

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
                return [self._known(*groups[start : start + 3]) for start in range(0, len(groups), 3)]
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
        """The triple of a group whose parts are separated; an unknown relation between semicolons is refused."""
        parts = group.split(";")
        if len(parts) == 3:
            return self._known(*parts)
        for separator in ("|", ","):
            parts = group.split(separator)
            triple = self._around_relation(parts, separator)
            if triple is not None:
                return triple
            if len(parts) == 3 and all(map(str.strip, parts)) and _is_short(parts[1]):
                return self._known(*parts)
        return None

    def _around_relation(self, parts: Sequence[str], separator: str) -> Triple | None:
        """The triple around the one part that is a relation; the others may hold the separator themselves."""
        if len(parts) < 3:
            return None
        middles = [index for index in range(1, len(parts) - 1) if self._relations.named(parts[index])]
        if len(middles) != 1:
            return None
        index = middles[0]
        return self._known(separator.join(parts[:index]), parts[index], separator.join(parts[index + 1 :]))

    def _arrowed(self, text: str) -> list[Triple]:
        """`a -> r -> b`, `a --[r]--> b`, `a -> b (r)`, and chains of them."""
        if _BACKWARD.search(text):
            return []
        for labelled in (_BARRED_ARROW, _LABELLED_ARROW, _DASHED_ARROW):
            text = labelled.sub(r" -> \1 -> ", text)
        parts = [one.strip() for one in _ARROW.split(text.rstrip(" ;."))]
        if len(parts) < 2 or not all(parts):
            return []
        if len(parts) == 2:
            return self._one_arrow(*parts)
        if len(parts) % 2 == 0:
            return []
        relations = [self._relations.named(one) for one in parts[1::2]]
        if not any(relations):
            if len(parts) == 3 and _is_short(parts[1]) and _is_short(parts[0]) and _is_short(parts[2]):
                return [self._known(*parts)]  # which says that there is no such relation
            return []
        return [self._known(*parts[start : start + 3]) for start in range(0, len(parts) - 1, 2)]

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
                return [self._known(*parts)]
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
        if start > _LONGEST_PART or len(words) - end > _LONGEST_PART:
            return []
        return self._if_known(" ".join(words[:start]), name, " ".join(words[end:]))

    def _table(self, table: Table) -> Iterator[Triple]:
        wanted = columns(table, (HEAD, RELATION, TAIL))
        rows = [row for row in table.rows if len(row) >= 3]
        if wanted is None:
            shift = len(table.header) - 3 if table.header else 0
            if shift not in (0, 1) or not rows or not all(self._relations.named(row[shift + 1]) for row in rows):
                return
            wanted = [shift, shift + 1, shift + 2]
        for row in rows:
            if max(wanted) < len(row):
                yield self._known(*(row[index] for index in wanted))

    def _named_parts(self, line: Line, named: dict[str, str]) -> Iterator[Triple]:
        """`Head: a, Relation: r, Tail: b`, on one line or on three; `named` keeps what earlier lines gave."""
        marks = [match for match in _NAMED_PARTS.finditer(line.text) if _role(match["name"])]
        for mark, following in zip_longest(marks, marks[1:]):
            role = _role(mark["name"])
            if role in named:
                named.clear()
            named[role] = line.text[mark.end() : following.start() if following else None].strip(" ,;|")
            if len(named) == 3:
                yield self._known(named["head"], named["relation"], named["tail"])
                named.clear()

    def _diagram(self, text: str) -> list[Triple]:
        """The edges of a Mermaid or Graphviz drawing, whose nodes may have short names."""
        lines = lines_of(text)
        if not any(_MERMAID.match(line.text) or line.tag == "mermaid" for line in lines):
            return []
        nodes: dict[str, str] = {}
        edges: list[tuple[str, str, str]] = []
        for line in lines:
            said = line.marked
            for labelled in (_BARRED_ARROW, _LABELLED_ARROW, _DASHED_ARROW):
                said = labelled.sub(r" -> \1 -> ", said)
            parts = [one.strip() for one in _ARROW.split(said)]
            for one in parts[::2]:
                node = _NODE.match(one)
                if node and node[2]:
                    nodes[node[1]] = node[2].strip('[](){}" ')
            if len(parts) == 3:
                edges.append((parts[0], parts[1], parts[2]))
        return [self._known(_node(head, nodes), relation, _node(tail, nodes)) for head, relation, tail in edges]


def _node(text: str, nodes: dict[str, str]) -> str:
    match = _NODE.match(text)
    return nodes.get(match[1], match[1]) if match else text


def _nodes(value: dict[str, Json]) -> dict[str, str]:
    """The nodes of a JSON graph by id, where it lists them with both."""
    listed = member(value, ("nodes", "concepts", "vertices"))
    if isinstance(listed, dict):
        return {str(name): _text(label) or str(name) for name, label in listed.items()}
    nodes = {}
    for node in listed if isinstance(listed, list) else []:
        name, label = member(node, ("id", "key")), member(node, ("label", "name", "text", "concept", "value"))
        if name is not None and isinstance(label, str):
            nodes[str(name)] = label
    return nodes


def _text(value: Json) -> str:
    """A text or a number as text; of an object, its text or name."""
    if isinstance(value, dict):
        value = member(value, ("text", "name", "label", "concept", "span", "value"))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


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
        ends = [part(one) for one in _ARROW.split(line.text)]
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
