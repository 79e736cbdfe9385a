"""English for templates: verb phrases in all forms, plurals, articles, and the negation of a sentence by rule.

A verb phrase is written in its base form: `lay eggs`, `be cold-blooded`, `can fly`.
"""

from __future__ import annotations

import random
import re

MODALS = frozenset(["can", "will", "must", "should", "could", "would", "may", "might", "cannot"])
_PAST = dict(
    pair.split(":")
    for pair in [
        "be:was",
        "have:had",
        "do:did",
        "go:went",
        "buy:bought",
        "sell:sold",
        "give:gave",
        "take:took",
        "eat:ate",
        "drink:drank",
        "see:saw",
        "make:made",
        "win:won",
        "lose:lost",
        "find:found",
        "leave:left",
        "get:got",
        "run:ran",
        "swim:swam",
        "sing:sang",
        "write:wrote",
        "read:read",
        "wear:wore",
        "keep:kept",
        "teach:taught",
        "bring:brought",
        "catch:caught",
        "build:built",
        "send:sent",
        "pay:paid",
        "meet:met",
        "drive:drove",
        "ride:rode",
        "break:broke",
        "begin:began",
        "grow:grew",
        "fly:flew",
        "lend:lent",
        "feed:fed",
        "sleep:slept",
        "stand:stood",
        "hold:held",
        "put:put",
        "cut:cut",
        "lay:laid",
        "lie:lay",
        "say:said",
        "tell:told",
        "know:knew",
        "think:thought",
        "become:became",
        "forget:forgot",
        "speak:spoke",
        "spend:spent",
        "throw:threw",
        "draw:drew",
        "fall:fell",
        "feel:felt",
        "hear:heard",
        "hit:hit",
        "learn:learned",
        "choose:chose",
        "steal:stole",
        "shut:shut",
        "beat:beat",
        "come:came",
        "cancel:cancelled",
        "travel:travelled",
    ]
)
_PLURALS = {
    "mouse": "mice",
    "goose": "geese",
    "child": "children",
    "person": "people",
    "man": "men",
    "woman": "women",
    "foot": "feet",
    "tooth": "teeth",
    "fish": "fish",
    "sheep": "sheep",
    "deer": "deer",
    "salmon": "salmon",
    "trout": "trout",
    "wolf": "wolves",
    "calf": "calves",
    "knife": "knives",
    "loaf": "loaves",
    "leaf": "leaves",
    "shelf": "shelves",
    "scarf": "scarves",
    "cactus": "cacti",
    "aircraft": "aircraft",
    "series": "series",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "mango": "mangoes",
    "volcano": "volcanoes",
    "hero": "heroes",
    "half": "halves",
    "moose": "moose",
    "shrimp": "shrimp",
    "craftsman": "craftsmen",
    "bacterium": "bacteria",
    "fungus": "fungi",
    "squid": "squid",
}


def plural(noun: str) -> str:
    """The plural of a noun, or of the last word of a compound."""
    *before, last = noun.split(" ")
    if last in _PLURALS:
        last = _PLURALS[last]
    elif re.search(r"[^aeiou]y$", last):
        last = last[:-1] + "ies"
    elif re.search(r"(s|x|z|ch|sh)$", last):
        last += "es"
    else:
        last += "s"
    return " ".join((*before, last))


def with_article(noun: str) -> str:
    """`a cat`, `an owl`."""
    is_vowel = re.match(r"(?i)[aeiou]|hour|honest|heir", noun) and not re.match(r"(?i)uni|use|eu|one\b|uku", noun)
    return f"{'an' if is_vowel else 'a'} {noun}"


def third_person(verb: str) -> str:
    """`lays` for `lay`, `is` for `be`, `can` for `can`."""
    if verb in MODALS:
        return verb
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(s|x|z|ch|sh|o)$", verb) else "s")


def past(verb: str) -> str:
    """`laid` for `lay`, `walked` for `walk`."""
    if verb in _PAST:
        return _PAST[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    if verb.endswith("e"):
        return verb + "d"
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        return verb + verb[-1] + "ed"
    return verb + "ed"


def finite(phrase: str, many: bool = False, tense: str = "present") -> str:
    """A verb phrase as a subject needs it: `lays eggs`, `are cold-blooded`, `walked home`."""
    verb, _, rest = phrase.partition(" ")
    if verb in MODALS:
        return phrase
    if tense == "past":
        form = ("were" if many else "was") if verb == "be" else past(verb)
    elif many:
        form = "are" if verb == "be" else verb
    else:
        form = third_person(verb)
    return f"{form} {rest}".rstrip()


def negative(phrase: str, many: bool = False, tense: str = "present", chance: random.Random | None = None) -> str:
    """The same, denied: `does not lay eggs`, `aren't cold-blooded`, `cannot fly`, `never walks home`."""
    short = chance is not None and chance.random() < 0.35
    verb, _, rest = phrase.partition(" ")
    if verb == "can":
        return f"{'can’t' if short else 'cannot'} {rest}".replace("’", "'")
    if verb in MODALS:
        return f"{verb} not {rest}"
    if verb == "be":
        form = finite("be", many, tense)
        return f"{form}n't {rest}" if short else f"{form} not {rest}"
    if chance is not None and tense == "present" and chance.random() < 0.12:
        return f"never {finite(phrase, many)}"
    helper = "did" if tense == "past" else "do" if many else "does"
    return f"{helper}n't {phrase}" if short else f"{helper} not {phrase}"


def say(
    subject: str,
    phrase: str,
    *,
    many: bool = False,
    tense: str = "present",
    yes: bool = True,
    chance: random.Random | None = None,
) -> str:
    """A sentence without its full stop: subject and verb phrase, affirmed or denied."""
    return f"{subject} {finite(phrase, many, tense) if yes else negative(phrase, many, tense, chance)}"


_BE = frozenset(["is", "are", "was", "were"])
_HELPERS = _BE | frozenset(["can", "will", "must", "should", "could", "would"])
_HEDGES = frozenset(
    [
        "may",
        "might",
        "some",
        "most",
        "sometimes",
        "usually",
        "often",
        "generally",
        "probably",
        "rarely",
        "many",
        "few",
    ]
)
_CLAUSE = frozenset(["that", "which", "who", "whose", "where", "when", "while", "because", "if", "so", "than"])
_BEFORE_NOUNS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "to",
        "into",
        "and",
        "or",
        "as",
        "its",
        "their",
        "this",
        "these",
        "his",
        "her",
        "more",
        "less",
        "than",
        "very",
        "not",
        "other",
        "different",
        "new",
        "all",
        "each",
        "every",
        "both",
        "no",
        "any",
    ]
)
_VERBS = frozenset(
    [
        "absorb",
        "act",
        "affect",
        "allow",
        "appear",
        "attract",
        "become",
        "begin",
        "belong",
        "block",
        "blow",
        "boil",
        "break",
        "breathe",
        "bring",
        "build",
        "burn",
        "carry",
        "cause",
        "change",
        "chase",
        "circle",
        "collect",
        "come",
        "communicate",
        "compete",
        "conduct",
        "connect",
        "consist",
        "consume",
        "contain",
        "convert",
        "cover",
        "create",
        "cross",
        "damage",
        "decompose",
        "decrease",
        "depend",
        "destroy",
        "determine",
        "die",
        "digest",
        "dissolve",
        "drink",
        "eat",
        "emit",
        "enter",
        "erode",
        "evaporate",
        "exist",
        "expand",
        "experience",
        "explode",
        "exert",
        "face",
        "fall",
        "feed",
        "flow",
        "fly",
        "form",
        "freeze",
        "gain",
        "get",
        "give",
        "glow",
        "go",
        "grow",
        "happen",
        "harm",
        "have",
        "heat",
        "help",
        "hibernate",
        "hide",
        "hold",
        "hunt",
        "improve",
        "include",
        "increase",
        "inherit",
        "insulate",
        "interact",
        "involve",
        "keep",
        "kill",
        "know",
        "last",
        "lay",
        "lead",
        "learn",
        "leave",
        "let",
        "lie",
        "live",
        "look",
        "lose",
        "lower",
        "make",
        "mean",
        "measure",
        "melt",
        "migrate",
        "move",
        "need",
        "obtain",
        "occur",
        "orbit",
        "originate",
        "pass",
        "perform",
        "play",
        "pollinate",
        "produce",
        "protect",
        "provide",
        "pull",
        "push",
        "raise",
        "range",
        "reach",
        "react",
        "receive",
        "reduce",
        "reflect",
        "release",
        "remain",
        "remove",
        "repel",
        "replace",
        "reproduce",
        "require",
        "respond",
        "result",
        "return",
        "revolve",
        "rise",
        "rotate",
        "run",
        "separate",
        "serve",
        "set",
        "show",
        "signal",
        "sink",
        "smell",
        "speed",
        "spend",
        "spin",
        "spread",
        "start",
        "stay",
        "stop",
        "store",
        "strike",
        "support",
        "survive",
        "take",
        "tell",
        "tend",
        "travel",
        "turn",
        "use",
        "vary",
        "vibrate",
        "want",
        "warm",
        "wash",
        "wear",
        "weather",
        "weigh",
        "work",
    ]
)
_THIRD = {third_person(verb): verb for verb in _VERBS}
_PARTICIPLES = frozenset(
    [
        "been",
        "bought",
        "kept",
        "forgotten",
        "left",
        "lost",
        "gone",
        "eaten",
        "made",
        "sold",
        "given",
        "taken",
        "grown",
        "found",
        "won",
        "broken",
        "written",
        "lived",
        "run",
        "seen",
        "done",
        "become",
        "begun",
        "built",
        "sent",
        "paid",
        "met",
        "driven",
        "flown",
        "fallen",
        "risen",
        "frozen",
        "lent",
        "fed",
        "cut",
        "put",
    ]
)
_MANY = frozenset(
    [
        "people",
        "children",
        "mice",
        "men",
        "women",
        "geese",
        "fish",
        "bacteria",
        "fungi",
        "cacti",
        "they",
        "we",
        "you",
        "i",
    ]
)


def negate(sentence: str, chance: random.Random) -> str | None:
    """The sentence denied, or None where no rule is sure: hedged sentences have no simple negation."""
    words = sentence.strip().removesuffix(".").split()
    lower = [word.lower().strip(",") for word in words]
    if (
        len(words) < 3
        or _HEDGES & set(lower)
        or lower[0] in ("nothing", "nobody", "one", "there")
        or "yet" in lower
    ):
        return None
    if "not" in lower or "cannot" in lower or "no" in lower or "never" in lower:
        return _without_not(words, lower)
    start = 0
    if lower[0] in ("if", "when", "as", "because"):
        if "then" in lower:
            start = lower.index("then") + 1
        else:
            commas = [index for index, word in enumerate(words) if word.endswith(",")]
            if not commas:
                return _denied_as_a_whole(sentence, chance)
            start = commas[0] + 1
    elif chance.random() < 0.06:
        return _denied_as_a_whole(sentence, chance)
    for index in range(start + 1, len(words)):
        word = lower[index]
        if word in _CLAUSE:
            return _denied_as_a_whole(sentence, chance)
        denied = _denied_verb(word, lower, index, chance)
        if denied is not None:
            if lower[start] in ("all", "every") and start == 0:
                return " ".join(("not", *words))
            return " ".join((*words[:index], denied, *words[index + 1 :]))
    return None


def _denied_verb(word: str, lower: list[str], index: int, chance: random.Random) -> str | None:
    following = lower[index + 1] if index + 1 < len(lower) else ""
    if word in _HELPERS:
        if word == "can":
            return chance.choice(("cannot", "cannot", "can not", "can't"))
        return f"{word}n't" if word in _BE and chance.random() < 0.2 else f"{word} not"
    if word in ("has", "have", "had") and (following in _PARTICIPLES or following.endswith("ed")):
        return f"{word} not"
    previous = lower[index - 1]
    if previous in _BEFORE_NOUNS:
        return None
    if word in _THIRD:
        return chance.choice(("does not", "does not", "does not", "doesn't")) + f" {_THIRD[word]}"
    if word in _VERBS and (previous.endswith("s") or previous in _MANY):
        return chance.choice(("do not", "do not", "do not", "don't")) + f" {word}"
    return None


def _denied_as_a_whole(sentence: str, chance: random.Random) -> str:
    return f"{chance.choice(('it is not true that', 'it is false that', 'it is not the case that'))} {sentence}"


def _without_not(words: list[str], lower: list[str]) -> str | None:
    """A denied sentence affirmed."""
    if _CLAUSE & set(lower):
        return None
    if "cannot" in lower:
        at = lower.index("cannot")
        return " ".join((*words[:at], "can", *words[at + 1 :]))
    if lower.count("not") != 1:
        return None
    at = lower.index("not")
    before, after = lower[at - 1] if at else "", lower[at + 1] if at + 1 < len(lower) else ""
    if before in _HELPERS:
        return " ".join((*words[:at], *words[at + 1 :]))
    if before in ("does", "do") and after in _VERBS:
        verb = third_person(after) if before == "does" else after
        return " ".join((*words[: at - 1], verb, *words[at + 2 :]))
    return None
