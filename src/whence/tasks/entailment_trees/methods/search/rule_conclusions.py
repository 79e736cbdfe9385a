"""What premises entail, in words, by rule: the common inferences of EntailmentBank's Table 3, as far as words
show them.

A conclusion is made by putting one phrase for another (taxonomy, synonyms: *substitution*, which covers chains
of "is a kind of" and inherited properties), by applying an "if ... then" (*rule*), or by joining two causes
(*chain*). Whether it is true and reads well is judged elsewhere (`conclusions`). Sentences are
those of science facts: lower case, present tense, a clause or two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from whence.formats.lemmas import lemma
from whence.models.overlap_features import content_words

_KIND = re.compile(r"(.+?) (?:is|are) (?:usually )?(?:an? )?(?:kind|type|example|form|part)s? of (.+)")
_SAME = re.compile(
    r"(.+?) (?:means?|(?:is|are) (?:similar to|synonymous with|the same as|also called|also known as|called)) (.+)"
)
_IS = re.compile(r"(.+?) (?:is|are) ((?:an?|the) .+)")
_RULE = re.compile(r"(?:if|when|as) (.+?)(?: ?, ?then | then | ?, ?)(.+)")
_CAUSE = re.compile(
    r"(.+?) ((?:can |may |will |usually )?"
    r"(?:causes?|results? in|leads? to|requires?|helps?|(?:is|are|be) used (?:for|to))) (.+)"
)
_CLAUSE = re.compile(
    r"(.+?) ((?:is|are|was|has|have|can|may|will|does|do|must"
    r"|contains?|causes?|requires?|becomes?|lives?|uses?|makes?|eats?) .+)"
)
_PREDICATES = ("causes", "requires", "helps", "leads", "results", "contains", "becomes", "uses", "makes")
_VARIABLE = re.compile(
    r"\b(?:that|the|this) (?:something|object|substance|animal|organism|thing|person|material)\b|\bit\b"
)
_FURTHER = re.compile(r" (?:for|that|which|with|in|on|of|from|used|containing|having) ")
_ARTICLES = ("a", "an", "the", "some")
_ENOUGH = 0.5  # of the words of a condition that a fact must have to meet it


@dataclass(frozen=True, slots=True)
class Composed:
    """A conclusion in words, and the rule that made it."""

    text: str
    rule: str


def proposals(premises: Sequence[str], wanted: frozenset[str] = frozenset(), most: int = 3) -> list[Composed]:
    """What may follow from the premises, by rule, the most useful first; nothing where no rule applies.

    `wanted` are words, as `content_words` gives them: of the hypothesis, and of sentences that are yet to be used.
    More than two premises are taken one after the other, each with what the others gave.
    """
    sentences = [text for text in map(_plain, premises) if text]
    if not sentences:
        return []
    made = [Composed(sentences[0], "given")]
    for text in sentences[1:]:
        made = [
            conclusion
            for before in made
            for conclusion in sorted(
                dict.fromkeys(_conclusions(before.text, text)),
                key=lambda one: _worth(one, (before.text, text), wanted),
                reverse=True,
            )[:most]
        ]
    return made[:most] if len(sentences) > 1 else []


def _conclusions(one: str, other: str) -> Iterator[Composed]:
    """Everything that the rules make of two sentences."""
    for rule, make in _RULES.items():
        for first, second in ((one, other), (other, one)):
            for text in make(first, second):
                if text not in (one, other):
                    yield Composed(text, rule)


def _worth(found: Composed, premises: Sequence[str], wanted: frozenset[str]) -> tuple[float, int]:
    """How much of what is wanted it says and the premises have, less what it says beyond that; a short one is
    better."""
    said = content_words(found.text)
    useful = frozenset().union(*map(content_words, premises)) & wanted
    share = len(said & useful) / max(1, len(useful))
    beyond = len(said - wanted) / max(1, len(said))
    return share - _BEYOND * beyond + _TRUST[found.rule], -len(found.text)


_BEYOND = 0.5
_TRUST = {"substitution": 0.3, "rule": 0.2, "chain": 0.2}


def _substituted(link: str, sentence: str) -> Iterator[str]:
    """`link` says what something is or means; the sentence then holds of that thing too."""
    for pattern, backwards in ((_KIND, False), (_SAME, True), (_IS, False)):
        if match := pattern.fullmatch(link):
            narrow, wide = (side.removeprefix("to ") for side in match.groups())
            pairs = [(wide, narrow), (narrow, wide)] if backwards else [(wide, narrow)]
            for old, new in pairs:
                for phrase in _phrases(old):
                    if made := _replaced(sentence, phrase, new.split(" / ")[0]):
                        yield made
                        break
            return


def _phrases(text: str) -> Iterator[str]:
    """A phrase and what may stand for it, from the whole to its last word: `edible plant for eating`, `edible
    plant`, `plant`."""
    yield text
    for one in text.split(" / "):
        yield one
        words = _bare(_FURTHER.split(one)[0])
        for start in range(len(words)):
            yield " ".join(words[start:])


def _applied(rule: str, fact: str) -> Iterator[str]:
    """`rule` is an "if ... then" whose condition the fact meets: what follows, said of the fact's subject."""
    match = _RULE.fullmatch(rule)
    if match is None:
        return
    condition, consequence = match[1], match[2]
    asked = content_words(condition)
    if len(asked & content_words(fact)) < _ENOUGH * len(asked):
        return
    clause = _CLAUSE.fullmatch(fact)
    subject = clause[1] if clause else ""
    said = _VARIABLE.sub(subject, consequence, count=1) if subject else consequence
    general = _CLAUSE.fullmatch(condition)
    if subject and general and said == consequence:
        said = _replaced(consequence, general[1], subject) or consequence
    yield said


def _chained(one: str, other: str) -> Iterator[str]:
    """`A causes B`, and B causes C or has some property: A does so."""
    first = _CAUSE.fullmatch(one)
    if first is None:
        return
    second = _CAUSE.fullmatch(other) or _CLAUSE.fullmatch(other)
    if second is None:
        return
    middle = content_words(first[3])
    if middle and len(middle & content_words(second[1])) >= _ENOUGH * min(
        len(middle), max(1, len(content_words(second[1])))
    ):
        yield f"{first[1]} {_as_singular(' '.join(second.groups()[1:]), first[2])}"


def _as_singular(predicate: str, verb: str) -> str:
    """The predicate of many things, said of one if the verb is: `cause` after `requires` is `causes`."""
    word, _, rest = predicate.partition(" ")
    return f"{word}s {rest}" if verb.endswith("s") and f"{word}s" in _PREDICATES else predicate


_RULES: dict[str, Callable[[str, str], Iterator[str]]] = {
    "substitution": _substituted,
    "rule": _applied,
    "chain": _chained,
}


def _replaced(sentence: str, phrase: str, new: str) -> str:
    """The sentence with another subject in the place of a phrase, in any of its forms; empty if it has another.

    In the middle of a sentence such an exchange seldom reads as English.
    """
    words, wanted = sentence.split(), _bare(phrase)
    start = 1 if words and words[0] in _ARTICLES else 0
    subject = words[start : start + len(wanted)]
    after = words[start + len(wanted) :]
    if not wanted or not after or [lemma(word) for word in subject] != [lemma(word) for word in wanted]:
        return ""
    put = _bare(new)
    many = subject[-1] != wanted[-1] and subject[-1].endswith("s")
    if many and put and not put[-1].endswith("s"):
        put[-1] = f"{put[-1]}s"
    if start and words[0] in ("a", "an") and put:
        return " ".join(["an" if put[0][0] in "aeiou" else "a", *put, *after])
    return " ".join([*words[:start], *put, *after] if start or many else [*new.split(), *after])


def _bare(phrase: str) -> list[str]:
    """The words of a phrase without its article."""
    words = [word.strip(",") for word in phrase.split()]
    return words[1:] if words and words[0] in _ARTICLES else words


def _plain(sentence: str) -> str:
    """On one line, without the marks that a proof is cut at."""
    return " ".join(sentence.replace(";", ",").replace(":", " ").split()).removesuffix(".").rstrip()
