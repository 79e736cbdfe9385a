"""Relations as people say them: which words join two concepts in a sentence, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.models.retrieval.words import STOP_WORDS
from whence.structures.graph import Argument
from whence.tasks.argument_graphs.concepts import LONGEST

_NOT = r"(?:does not|do not|doesn't|don't|did not|didn't|will not|won't|cannot|can't|can not|never)"
_BE = r"(?:is|are|was|were|be|being)"
_BE_NOT = r"(?:is not|are not|isn't|aren't|was not|were not)"

_PHRASES: tuple[tuple[str, str], ...] = (
    (rf"{_BE} (?:the )?(?:opposite of|opposed to)", "antonym of"),
    (rf"{_BE} (?:the same as|similar to|another word for)|means", "synonym of"),
    (rf"{_BE_NOT} (?:a )?part of|{_NOT} belong to", "not part of"),
    (rf"(?:{_BE} )?(?:a )?part of|belongs? to", "part of"),
    (rf"{_BE_NOT} (?:located |found )?(?:at|in|on)", "not at location"),
    (rf"{_BE} (?:located|found) (?:at|in|on)|{_BE} (?:at|in|on)", "at location"),
    (rf"{_BE_NOT} (?:made|built) (?:of|from)", "not made of"),
    (rf"{_BE} (?:made|built) (?:of|from)|consists? of", "made of"),
    (rf"{_BE_NOT} (?:caused|created|made|produced) by", "not created by"),
    (rf"{_BE} (?:caused|created|made|produced) by|comes? from", "created by"),
    (rf"{_BE_NOT} (?:used|needed) (?:for|to)", "not used for"),
    (rf"(?:{_BE} )?(?:used|needed) (?:for|to)|helps?(?: to| with)?", "used for"),
    (rf"{_NOT} (?:want|desire|need|like)(?: to)?|hates?|dislikes?|avoids?", "not desires"),
    (r"wants?(?: to)?|desires?|needs?(?: to)?|wish(?:es)?(?: for| to)?|seeks?", "desires"),
    (
        rf"{_NOT} (?:cause|lead to|result in|create|bring|increase|make)|prevents?|stops?|reduces?|"
        r"hinders?|destroys?|limits?|harms?",
        "not causes",
    ),
    (
        r"causes?|leads? to|results? in|creates?|brings?(?: about)?|increases?|makes?|produces?|"
        r"allows?|gives?|improves?|encourages?",
        "causes",
    ),
    (rf"{_NOT} (?:include|involve|require)", "not has subevent"),
    (r"includes?|involves?|requires?", "has subevent"),
    (rf"{_BE_NOT} (?:able to|capable of)|{_NOT}", "not capable of"),
    (rf"(?:{_BE} )?(?:able to|capable of)|can", "capable of"),
    (rf"{_BE_NOT} an?", "is not a"),
    (rf"{_BE} (?:a (?:kind|type|form) of|an?)", "is a"),
    (r"has no|have no|lacks?", "not has property"),
    (rf"{_BE_NOT}", "not has property"),
    (rf"has|have|{_BE}", "has property"),
)
_PATTERNS = tuple((re.compile(rf"\b(?:{words})\b", re.IGNORECASE), relation) for words, relation in _PHRASES)
_WORD = re.compile(r"[\w'’-]+")
_ASIDE = re.compile(r",?\s+(?:which|who)\b.*$", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:]|\b(?:and|because|since|which|that|if|when|but|so|while|whose)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SaidEdge:
    """Two concepts and the relation that a sentence says."""

    head: str
    relation: str
    tail: str


def said_edge(sentence: str, inputs: Argument) -> SaidEdge | None:
    """The first relation that a sentence says between two concepts; None if it says none."""
    found = [(match, relation) for pattern, relation in _PATTERNS for match in pattern.finditer(sentence)]
    # The first one, and of several there the longest: `is not a` before `is`.
    for match, relation in sorted(found, key=lambda one: (one[0].start(), -one[0].end())):
        before = _ASIDE.sub("", sentence[: match.start()])
        head = concept_in(_CLAUSE.split(before)[-1], inputs, last=True)
        tail = concept_in(_CLAUSE.split(sentence[match.end() :])[0], inputs, last=False)
        if head and tail and head != tail:
            return SaidEdge(head, relation, tail)
    return None


def concept_in(text: str, inputs: Argument, *, last: bool) -> str:
    """The concept of a part of a sentence, in lower case: all of it, if short, but for small words at its ends.

    Of a longer part, words that stand so in the belief or the argument; else its first or last words.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    while words and words[0] in STOP_WORDS:
        words.pop(0)
    while words and words[-1] in STOP_WORDS:
        words.pop()
    if len(words) <= LONGEST:
        return " ".join(words)
    known = f"{inputs.belief}\n{inputs.argument}".lower()
    for size in range(LONGEST, 0, -1):
        spans = [words[start : start + size] for start in range(len(words) - size + 1)]
        told = [span for span in spans if span[0] not in STOP_WORDS and span[-1] not in STOP_WORDS]
        for span in reversed(told) if last else told:
            if re.search(rf"\b{re.escape(' '.join(span))}\b", known):
                return " ".join(span)
    return " ".join(words[-LONGEST:] if last else words[:LONGEST])
