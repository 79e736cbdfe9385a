"""Steps of a tree in JSON values."""

from __future__ import annotations

from collections.abc import Sequence

from whence.errors import quoted
from whence.files import Json
from whence.formats.llm_text.blocks import Line, names
from whence.formats.llm_text.clean import normal, one_line
from whence.formats.llm_text.json_values import member, members
from whence.formats.llm_text.references import References
from whence.formats.llm_text.tree_steps import NAMED, NESTED, WORDS, Draft, conclusion_in, conclusion_name
from whence.formats.llm_text.tree_text import CONCLUSION, PREMISES, TEXT, TextSteps
from whence.formats.llm_text.unread import UnreadError
from whence.structures.tree import HYPOTHESIS

_NAME = names("id name conclusion_id label int key")
_DEPTH = 40


class JsonSteps:
    """Reads the steps of JSON values; `references` says what the names in them mean."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._text = TextSteps(references)

    def drafts(self, value: Json) -> list[Draft] | None:
        """The steps of a list, of steps by conclusion, or of nested objects; None if it is none of these."""
        if isinstance(value, list):
            return self._listed(value)
        return (self._by_name(value) or self._nested(value)) if isinstance(value, dict) else None

    def _listed(self, entries: Sequence[Json]) -> list[Draft] | None:
        drafts: list[Draft] = []
        for number, entry in enumerate(entries, 1):
            more = self._entry(entry)
            if not more:
                if number == 1:
                    return None
                raise UnreadError(f"entry {number} of its list is no step: {quoted(str(entry), 60)}")
            drafts += more
        return drafts

    def _entry(self, entry: Json) -> list[Draft] | None:
        if isinstance(entry, str):
            return list(self._text.line_steps(Line(one_line(entry), entry, "bullet"))) or None
        named = members(entry)
        premises = next((named[name] for name in PREMISES if named.get(name) is not None), None)
        if premises is None:
            inner = next((named[name] for name in ("step", "inference", "proof") if name in named), None)
            return self._entry(inner) if isinstance(inner, str) else None
        if isinstance(premises, list) and any(isinstance(one, dict) for one in premises):
            return self._nested(entry)
        conclusion = next((named[name] for name in CONCLUSION if isinstance(named.get(name), str)), "")
        text = next((named[name] for name in TEXT if isinstance(named.get(name), str)), "")
        if isinstance(named.get("conclusion"), dict):
            inner = members(named["conclusion"])
            conclusion = next((inner[name] for name in _NAME if isinstance(inner.get(name), str)), "")
            text = next((inner[name] for name in TEXT if isinstance(inner.get(name), str)), "")
        name, words = conclusion_in(conclusion, self._references) if conclusion else ("", "")
        if not name:
            label = next((named[key] for key in _NAME if isinstance(named.get(key), str)), "")
            match = NAMED.match(label)
            name = conclusion_name(match["name"], self._references) if match else ""
        words = words or one_line(text)
        if not name and self._references.is_hypothesis(words):
            name, words = HYPOTHESIS, ""
        if not name and not words:
            return None
        return [Draft(self._premise_list(premises), name, "" if name == HYPOTHESIS else words)]

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
            if name is None and not isinstance(premise, str):
                raise UnreadError(f"a step refers to {quoted(str(premise), 40)}, which is not given")
            ids.append(name or f"{WORDS}{normal(premise)}")
        if not ids:
            raise UnreadError("a step has no premises")
        return tuple(dict.fromkeys(ids))

    def _by_name(self, value: Json) -> list[Draft] | None:
        """`{"int1": {"premises": [...], "text": ...}, "hypothesis": {...}}`."""
        drafts = []
        for name, entry in value.items() if isinstance(value, dict) else ():
            match = NAMED.match(str(name))
            if match is None:
                continue
            if isinstance(entry, list) and all(isinstance(one, str) for one in entry):
                entry = {"premises": entry}
            if not isinstance(entry, dict) or member(entry, PREMISES) is None:
                continue
            premises = self._premise_list(member(entry, PREMISES))
            text = member(entry, (*TEXT, "conclusion"))
            named = conclusion_name(match["name"], self._references)
            drafts.append(Draft(premises, named, one_line(text) if isinstance(text, str) else ""))
        return drafts or None

    def _nested(self, value: Json, depth: int = 0) -> list[Draft] | None:
        """`{"conclusion": ..., "premises": ["sent1", {"conclusion": ..., "premises": "
        "[...]}]}`, innermost first."""
        if depth > _DEPTH:
            raise UnreadError("its tree is nested too deeply")
        premises = member(value, PREMISES)
        if not isinstance(premises, list):
            return None
        drafts: list[Draft] = []
        names: list[str] = []
        for premise in premises:
            if isinstance(premise, dict) and member(premise, PREMISES) is not None:
                inner = self._nested(premise, depth + 1)
                if not inner:
                    return None
                drafts += inner
                names.append(inner[-1].name)
            else:
                said = member(premise, (*_NAME, *TEXT)) if isinstance(premise, dict) else premise
                names += self._premise_list([said])
        conclusion = member(value, (*CONCLUSION, *_NAME, *TEXT))
        if not isinstance(conclusion, str):
            return None
        name, words = conclusion_in(conclusion, self._references)
        text = member(value, TEXT)
        words = words or (one_line(text) if isinstance(text, str) else "")
        if not name:
            name = HYPOTHESIS if not depth else f"{NESTED}{normal(words)}"
        return [*drafts, Draft(tuple(dict.fromkeys(names)), name, "" if name == HYPOTHESIS else words)]
