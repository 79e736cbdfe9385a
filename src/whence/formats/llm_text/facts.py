"""Facts of a table store: by id or by their own words, as a set or as a ranking."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from whence.errors import quoted
from whence.files import Json
from whence.formats.llm_text.blocks import Line, columns, lines_of, tables_in
from whence.formats.llm_text.candidates import Kind, read
from whence.formats.llm_text.clean import normal, one_line
from whence.formats.llm_text.json_values import member, members
from whence.formats.llm_text.unread import OtherKindError, Unread, UnreadError
from whence.structures.facts import Fact, FactSet, FactUse, Ranking

_RANKED = ("ranking", "ranked_facts", "ranked", "ids", "fact_ranking", "ranked_ids")
_LISTS = (
    "facts",
    "explanation",
    "fact_ids",
    "selected_facts",
    "explanation_facts",
    "uids",
    "fact_list",
    "supporting_facts",
    "answer",
)
_IDS = ("id", "uid", "fact_id", "uuid", "key")
_TEXTS = ("text", "fact", "sentence", "statement", "content")
_LABELS = frozenset(
    {"facts", "explanation", "ranking", "fact ids", "selected facts", "relevant facts", "supporting facts", "ids"}
)
_ID = re.compile(r"(?<![\w-])[0-9a-f]{4}(?:-[0-9a-f]{4}){3}(?![\w-])", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"\b(?:not (?:\w+ )?(?:relevant|needed|necessary|used|useful|required|related|helpful)|irrelevant|unrelated|"
    r"(?:do|would|should|will) not (?:use|need|include)|(?:do|would|should)n't (?:use|need|include)|"
    r"except|excluding|unneeded|unnecessary|excluded|rejected|discarded|distractors?|ruled out)\b",
    re.IGNORECASE,
)
_RANKING_WORDS = re.compile(
    r"\b(?:rank(?:ing|ed)?|most (?:relevant|important) first|in order of (?:relevance|importance))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class FactNames:
    """The facts that an answer may name; without any, every id of the usual form is taken for one."""

    facts: Mapping[str, Fact]
    roles: Sequence[str] = ()

    @cached_property
    def ids(self) -> dict[str, str]:
        """Ids without case."""
        return {name.casefold(): name for name in self.facts}

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """Ids by what the facts say."""
        by_text: dict[str, list[str]] = {}
        for fact in self.facts.values():
            by_text.setdefault(normal(fact.text), []).append(fact.id)
        return by_text


def read_facts(text: str, names: FactNames) -> FactSet | Ranking | Unread:
    """The facts that a text gives."""
    reader = _FactReader(names)
    return read(text, Kind("list of facts", _LABELS, reader.from_json, reader.from_text, _same))


def _same(explanation: FactSet | Ranking) -> Hashable:
    if isinstance(explanation, Ranking):
        return explanation.ids
    return frozenset((use.id, use.role) for use in explanation.facts)


class _FactReader:
    def __init__(self, names: FactNames) -> None:
        self._names = names

    # JSON.

    def from_json(self, value: Json, _: str) -> FactSet | Ranking:
        """The facts of a list, or of an object that has one."""
        if isinstance(value, list):
            return self._listed(value, ranked=False)
        named = members(value)
        for name in (*_RANKED, *_LISTS):
            given = named.get(name)
            if isinstance(given, list):
                return self._listed(given, ranked=name in _RANKED)
            if isinstance(given, str) and name not in ("explanation", "answer"):
                return self.from_text(given)
        if named and all(self._known(str(name)) for name in value):
            return self._listed(list(value), ranked=False)
        raise OtherKindError("it has no list of facts")

    def _listed(self, entries: Sequence[Json], *, ranked: bool) -> FactSet | Ranking:
        if not entries:
            raise UnreadError("its list of facts is empty")
        uses = []
        for entry in entries:
            if isinstance(entry, int) and not isinstance(entry, bool):
                raise UnreadError(f"it names fact {entry} by a number that only its prompt explains")
            if isinstance(entry, str):
                uses.append(self._said(entry))
            elif isinstance(entry, dict) and member(entry, (*_IDS, *_TEXTS)) is not None:
                uses.append(self._entry(entry))
            else:
                raise OtherKindError(f"{quoted(str(entry), 40)} is no fact")
        return _explanation(uses, ranked=ranked)

    def _entry(self, entry: dict[str, Json]) -> FactUse:
        name, said = member(entry, _IDS), member(entry, _TEXTS)
        use = self._said(name) if isinstance(name, str) else self._said(str(said))
        role = member(entry, ("role",))
        gold = member(entry, ("gold",))
        ratings = member(entry, ("ratings",))
        return FactUse(
            use.id,
            role if isinstance(role, str) else use.role,
            tuple(one for one in ratings if isinstance(one, int)) if isinstance(ratings, list) else (),
            gold is not False,
        )

    # Text.

    def from_text(self, text: str) -> FactSet | Ranking:
        """The facts of lines or a table: those that have an id, and those that are a fact's own words."""
        ranked = _RANKING_WORDS.search(text[:400]) is not None
        tabled = [
            use
            for table in tables_in(text)
            for use in self._table(table.header, table.rows, columns(table, (frozenset(_IDS),)))
        ]
        if tabled:
            return _explanation(tabled, ranked=ranked)
        uses: list[FactUse] = []
        unread: list[Line] = []
        left_out = False
        for line in lines_of(text):
            if line.mark == "heading" or line.text.endswith(":"):
                left_out = _LEFT_OUT.search(line.text) is not None
            if left_out:
                continue
            if _ID.search(line.text) or self._any_id(line.text):
                uses += self._by_ids(line.text)
            elif (name := self._by_text(line.text)) is not None:
                uses.append(FactUse(name, self._role(line.text)))
            elif (line.is_item or line.fence) and not line.text.endswith(":"):
                unread.append(line)
        if not uses and unread:
            raise UnreadError(f"{quoted(unread[0].text, 60)} is no fact of the tables")
        if not uses:
            raise UnreadError("it names no fact of the tables")
        if unread:
            raise UnreadError(f"{quoted(unread[0].text, 60)} is no fact of the tables")
        return _explanation(uses, ranked=ranked)

    def _table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], column: list[int] | None
    ) -> list[FactUse]:
        uses = []
        for row in rows:
            said = row[column[0]] if column and column[0] < len(row) else " | ".join(row)
            name = next(
                (found for cell in (said, *row) if (found := self._known(cell) or self._by_text(cell))), None
            )
            if name is None:
                raise UnreadError(f"{quoted(' | '.join(row), 60)} is no fact of the tables")
            uses.append(FactUse(name, self._role(" | ".join(row))))
        return uses if header or uses else []

    def _by_ids(self, text: str) -> list[FactUse]:
        names = [match[0] for match in _ID.finditer(text)] or self._any_id(text)
        role = self._role(text) if len(names) == 1 else ""
        uses = [FactUse(self._require(name), role) for name in names]
        said = " ".join(self._names.facts[use.id].text for use in uses if use.id in self._names.facts)
        if _LEFT_OUT.search(text) and not _LEFT_OUT.search(said):
            raise UnreadError(f"{quoted(text, 60)} names a fact and leaves it out")
        return uses

    def _any_id(self, text: str) -> list[str]:
        """Ids of another form, where a word of the text is one."""
        words = (
            [word.strip(" ,;:.|()[]\"'`") for word in text.replace("|", " ").split()] if len(text) < 4000 else []
        )
        return [
            word
            for word in words
            if ("-" in word or any(map(str.isdigit, word))) and word.casefold() in self._names.ids
        ]

    def _said(self, text: str) -> FactUse:
        """The fact that an entry of a list names."""
        found = _ID.findall(text)
        if len(found) == 1:
            return FactUse(self._require(found[0]), self._role(text))
        name = self._known(text) or self._by_text(text)
        if name is None:
            raise UnreadError(f"{quoted(one_line(text), 60)} is no fact of the tables")
        return FactUse(name, self._role(text))

    def _known(self, name: str) -> str | None:
        return self._names.ids.get(one_line(name).strip(" .,;:[]()").casefold())

    def _require(self, name: str) -> str:
        known = self._names.ids.get(name.casefold())
        if known is None and self._names.facts:
            raise UnreadError(f"{name} is no fact of the tables")
        return known or name

    def _by_text(self, text: str) -> str | None:
        pieces = [
            text,
            *(piece for piece in text.split("|") if "|" in text),
            re.sub(r"\s*[\[(][A-Z]{2,12}[\])]\s*$", "", text),
        ]
        pieces += [re.sub(r"^[A-Z]{2,12}\s*[:–—-]\s*", "", text)]
        for piece in pieces:
            names = self._names.texts.get(normal(piece), [])
            if len(names) > 1:
                raise UnreadError(f"{quoted(one_line(piece), 60)} is the text of several facts")
            if names:
                return names[0]
        return None

    def _role(self, text: str) -> str:
        """The one role that a line names in capitals."""
        roles = [role for role in self._names.roles if re.search(rf"(?<![\w]){role}(?![\w])", text)]
        return roles[0] if len(roles) == 1 else ""


def _explanation(uses: Sequence[FactUse], *, ranked: bool) -> FactSet | Ranking:
    kept = list({use.id.casefold(): use for use in reversed(uses)}.values())[::-1]
    return Ranking(tuple(use.id for use in kept)) if ranked else FactSet(tuple(kept))
