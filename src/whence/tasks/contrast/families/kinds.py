"""Kinds of things: what holds of a kind holds of its members, not the other way round; quantifiers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from whence.structures.verdict import CONTRADICTS, FOLLOWS, UNKNOWN
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.english import say, with_article
from whence.tasks.contrast.lexicon import (
    DISJOINT,
    INVENTED,
    INVENTED_PHRASES,
    KINDS,
    MASS,
    PEOPLE,
    PETS,
    PHRASES,
    SPECIFICS,
    UPPER,
    member_forms,
)

_LIVING = frozenset(
    [
        "bird",
        "fish",
        "mammal",
        "insect",
        "reptile",
        "amphibian",
        "spider",
        "rodent",
        "predator",
        "doctor",
        "craftsman",
    ]
)


def about(noun: str, phrase: str, chance: random.Random, yes: bool = True, every: bool = True) -> str:
    """A sentence on a kind in general: `a finch has feathers`, `all finches have feathers`."""
    one, several, many = member_forms(noun)
    if not many:
        return say(one, phrase, yes=yes, chance=chance)
    form = chance.random()
    if form < 0.4:
        return say(one, phrase, yes=yes, chance=chance)
    if form < 0.75 or not every:
        return say(several, phrase.replace(" its ", " their "), many=True, yes=yes, chance=chance)
    if not yes:
        return say(f"no {noun}", phrase)
    if form < 0.88:
        return say(f"all {several}", phrase, many=True)
    return say(f"{chance.choice(('every', 'each', 'any'))} {noun}", phrase)


def is_kind(lower: str, upper: str, chance: random.Random, yes: bool = True) -> str:
    """`a finch is a kind of bird`, in one of several wordings."""
    one, several, many = member_forms(lower)
    above, aboves, above_many = member_forms(upper)
    link = "is" if yes else "is not"
    forms = [f"{one} {link} a kind of {upper}", f"{one} {link} a type of {upper}"]
    if upper not in MASS:
        forms.append(f"{one} {link} {above}")
    if many and above_many:
        links = "are" if yes else "are not"
        forms += [f"{several} {links} {aboves}", f"{several} {links} a kind of {upper}"]
        if yes:
            forms.append(f"every {lower} is {above}")
    return chance.choice(forms)


def inheritance(chance: random.Random) -> Iterator[Contrast]:
    """A member of a kind, what all of the kind do, and claims on member, kind and others."""
    kind = chance.choice(list(KINDS))
    members, phrases = KINDS[kind]
    member, *others = chance.sample(members, len(members))
    above = UPPER.get(kind)
    chain = [member, kind]
    if above and chance.random() < 0.5:
        chain.append(above[0])
        phrases = above[1]
    phrase = chance.choice(phrases)
    strange = chance.random() < 0.25  # what holds must come from the premises, not from the world
    if strange:
        phrase = chance.choice(INVENTED_PHRASES)
    premises = [is_kind(lower, upper, chance) for lower, upper in itertools.pairwise(chain)]
    yes = chance.random() < 0.8
    premises.append(about(chain[-1], phrase, chance, yes))
    yield from _claims_of_inheritance(chance, chain, phrase, yes, premises, others)


def invented_inheritance(chance: random.Random) -> Iterator[Contrast]:
    """The same with words that nobody knows."""
    chain = chance.sample(INVENTED, chance.choice((2, 2, 3)))
    phrase = chance.choice(INVENTED_PHRASES + list(PHRASES[::3]))
    yes = chance.random() < 0.7
    premises = [is_kind(lower, upper, chance) for lower, upper in itertools.pairwise(chain)]
    premises.append(about(chain[-1], phrase, chance, yes))
    others = [word for word in chance.sample(INVENTED, 8) if word not in chain]
    yield from _claims_of_inheritance(chance, chain, phrase, yes, premises, others)


def _claims_of_inheritance(
    chance: random.Random, chain: list[str], phrase: str, yes: bool, premises: list[str], others: list[str]
) -> Iterator[Contrast]:
    given = tuple(premises)
    member, upper = chain[0], chain[-1]
    other = chance.choice([word for word in PHRASES if word != phrase])
    yield Contrast(given, about(member, phrase, chance, yes, every=False), FOLLOWS, "inheritance")
    yield Contrast(given, about(member, phrase, chance, not yes, every=False), CONTRADICTS, "negated")
    yield Contrast(given, about(member, other, chance, chance.random() < 0.7), UNKNOWN, "other property")
    if yes:
        specific = f"{phrase} {chance.choice(SPECIFICS)}"
        yield Contrast(given, about(member, specific, chance), UNKNOWN, "too specific")
    if chance.random() < 0.5:
        yield Contrast(given, is_kind(upper, member, chance), UNKNOWN, "kind reversed")
    if others and chance.random() < 0.6:
        yield Contrast(given, about(others[0], phrase, chance, chance.random() < 0.7), UNKNOWN, "other member")
    if len(chain) > 2:
        yield Contrast(given, is_kind(member, upper, chance), FOLLOWS, "kind of a kind")
        yield Contrast(given, is_kind(member, upper, chance, yes=False), CONTRADICTS, "negated kind")
    dropped = chance.randrange(len(premises))
    rest = tuple(premise for index, premise in enumerate(premises) if index != dropped)
    yield Contrast(rest, about(member, phrase, chance, yes), UNKNOWN, "premise dropped")
    if chance.random() < 0.5 and others:
        replaced = [*premises]
        replaced[0] = is_kind(others[0], chain[1], chance)
        yield Contrast(tuple(replaced), about(member, phrase, chance, yes), UNKNOWN, "premise replaced")
    if chance.random() < 0.3:
        unrelated = chance.choice([kind for kind in KINDS if kind not in chain])
        yield Contrast(given, is_kind(member, unrelated, chance), UNKNOWN, "unrelated kind")
    if member not in MASS and upper not in MASS and chance.random() < 0.3 and _is_living(chain):
        name = chance.choice(PEOPLE if upper in ("doctor", "craftsman", "worker") else PETS)
        article = with_article(member)
        named = (*given, f"{name} is {article}")
        yield Contrast(named, say(name, phrase, yes=yes, chance=chance), FOLLOWS, "individual")
        yield Contrast(named, say(name, phrase, yes=not yes, chance=chance), CONTRADICTS, "individual negated")
        yield Contrast(named, say(name, other, chance=chance), UNKNOWN, "individual other")
    if chance.random() < 0.35:
        denied = about(member, phrase, chance, not yes)  # what is said of the member itself is repeated, or denied
        yield Contrast((*given[:-1], denied), about(member, phrase, chance, not yes), FOLLOWS, "repeated")
        yield Contrast((*given[:-1], denied), about(member, phrase, chance, yes), CONTRADICTS, "premise denied")


def _is_living(chain: list[str]) -> bool:
    return chain[0] in INVENTED or any(kind in _LIVING for kind in chain)


def world_knowledge(chance: random.Random) -> Iterator[Contrast]:
    """True in the world, but not given: unknown."""
    first, second = chance.sample(list(KINDS), 2)
    given = []
    for kind in (first, second):
        members, phrases = KINDS[kind]
        member = chance.choice(members)
        given.append((kind, member, chance.sample(phrases, 2)))
    (kind, member, (phrase, unsaid)), (_, other, (other_phrase, _)) = given
    premises = (is_kind(member, kind, chance), about(kind, phrase, chance), about(other, other_phrase, chance))
    yield Contrast(premises, about(member, unsaid, chance), UNKNOWN, "true but not given")
    yield Contrast(premises, about(member, unsaid, chance, False), UNKNOWN, "false but not given")
    yield Contrast(premises, about(member, phrase, chance), FOLLOWS, "inheritance")
    yield Contrast(premises, about(member, phrase, chance, False), CONTRADICTS, "negated")
    yield Contrast(premises, about(other, other_phrase, chance), FOLLOWS, "repeated")
    yield Contrast(premises, about(other, phrase, chance), UNKNOWN, "other member")
    yield Contrast(premises, about(member, other_phrase, chance), UNKNOWN, "property of another")


def disjoint_kinds(chance: random.Random) -> Iterator[Contrast]:
    """Nothing is of two disjoint kinds."""
    group = chance.choice(DISJOINT)
    kind, other = chance.sample(group, 2)
    member = chance.choice(KINDS[kind][0])
    stranger = chance.choice(KINDS[other][0])
    _, kinds, _ = member_forms(kind)
    _, others, _ = member_forms(other)
    rule = chance.choice(
        (f"no {kind} is {with_article(other)}", f"{kinds} are not {others}", f"no {kinds} are {others}")
    )
    premises = [is_kind(member, kind, chance), rule]
    if chance.random() < 0.5:
        premises.append(is_kind(stranger, other, chance))
    given = tuple(premises)
    yield Contrast(given, is_kind(member, other, chance, yes=False), FOLLOWS, "disjoint")
    yield Contrast(given, is_kind(member, other, chance), CONTRADICTS, "disjoint")
    yield Contrast((premises[0],), is_kind(member, other, chance), CONTRADICTS, "other kind of the same sort")
    third = chance.choice([name for name in KINDS if name not in group])
    yield Contrast(given, about(member, KINDS[third][1][0], chance), UNKNOWN, "other property")


def quantifiers(chance: random.Random) -> Iterator[Contrast]:
    """All, some, no, most, only."""
    groups = (
        "students",
        "guests",
        "players",
        "shops in the street",
        "houses in the village",
        "books on the shelf",
        "members of the club",
        "children in the class",
        "cars in the car park",
        "dogs at the shelter",
        "cups in the cupboard",
        "trains on this line",
        "employees",
        "tickets",
        "rooms in the hotel",
        "apples in the basket",
        "windows of the office",
        "tenants",
        "bikes in the shed",
        "soldiers",
    )
    group = chance.choice(groups)
    things = not group.startswith(
        ("students", "guests", "players", "members", "children", "employees", "tenants", "sold")
    )
    phrases = (
        (
            "be new",
            "be expensive",
            "be damaged",
            "be blue",
            "be numbered",
            "be insured",
            "be old",
            "be sold",
            "be clean",
        )
        if things
        else (
            "wear a badge",
            "speak Spanish",
            "live nearby",
            "have a key",
            "be tired",
            "be over eighteen",
            "own a bicycle",
            "be here today",
            "like the new rules",
            "can swim",
            "be paid",
            "eat meat",
        )
    )
    phrase, other = chance.sample(phrases, 2)
    every = say(chance.choice((f"all the {group}", f"all {group}", f"all of the {group}")), phrase, many=True)
    none = chance.choice((say(f"none of the {group}", phrase, many=True), say(f"no {group}", phrase, many=True)))
    some = say(
        chance.choice((f"some of the {group}", f"some {group}", f"a few of the {group}")), phrase, many=True
    )
    some_not = chance.choice((say(f"some of the {group}", phrase, many=True, yes=False), f"not {every}"))
    most = say(f"most of the {group}", phrase, many=True)
    extra = chance.choice(
        (say(f"some of the {group}", other, many=True), f"there are {chance.randint(5, 40)} {group}")
    )
    table = {
        every: {some: FOLLOWS, most: FOLLOWS, none: CONTRADICTS, some_not: CONTRADICTS},
        none: {every: CONTRADICTS, some: CONTRADICTS, some_not: FOLLOWS, most: CONTRADICTS},
        some: {every: UNKNOWN, none: CONTRADICTS, most: UNKNOWN, some_not: UNKNOWN},
        most: {some: FOLLOWS, none: CONTRADICTS, every: UNKNOWN},
        some_not: {every: CONTRADICTS, some: UNKNOWN, none: UNKNOWN},
    }
    said = chance.choice(list(table))
    for claim, label in table[said].items():
        yield Contrast((said, extra), claim, label, "quantifier")
    yield Contrast((said, extra), say(f"all the {group}", other, many=True), UNKNOWN, "quantifier")
    if not things:
        person = chance.choice(PEOPLE)
        membership = {
            "students": "a student",
            "guests": "a guest",
            "players": "a player",
            "employees": "an employee",
            "tenants": "a tenant",
            "soldiers": "a soldier",
        }.get(group, f"one of the {group}")
        given = (said, f"{person} is {membership}")
        yes, no = say(person, phrase, chance=chance), say(person, phrase, yes=False, chance=chance)
        labels = {every: (FOLLOWS, CONTRADICTS), none: (CONTRADICTS, FOLLOWS)}.get(said, (UNKNOWN, UNKNOWN))
        yield Contrast(given, yes, labels[0], "quantifier and individual")
        yield Contrast(given, no, labels[1], "quantifier and individual")
        if said == every:
            negated = (said, say(person, phrase, yes=False, chance=chance))
            yield Contrast(negated, f"{person} is not {membership}", FOLLOWS, "contraposition")
            yield Contrast(negated, f"{person} is {membership}", CONTRADICTS, "contraposition")
            affirmed = (said, yes)
            yield Contrast(affirmed, f"{person} is {membership}", UNKNOWN, "affirming the consequent")
            yield Contrast(affirmed, f"{person} is not {membership}", UNKNOWN, "affirming the consequent")
    person, rival, third = chance.sample(PEOPLE, 3)
    if chance.random() < 0.5:
        room = chance.choice(("office", "cellar", "safe", "shed"))
        only = f"only {person} has a key to the {room}"
        thing = only.split(" a ", 1)[1]
        yield Contrast((only,), f"{person} has a {thing}", FOLLOWS, "only")
        yield Contrast((only,), f"{rival} has a {thing}", CONTRADICTS, "only")
        yield Contrast((only,), f"{rival} does not have a {thing}", FOLLOWS, "only")
        yield Contrast((only,), f"{third} lost a {thing}", UNKNOWN, "only")
        yield Contrast((f"{person} has a {thing}",), f"{rival} has a {thing}", UNKNOWN, "other person")
        yield Contrast((f"{person} has a {thing}",), only, UNKNOWN, "only")


def conjunctions(chance: random.Random) -> Iterator[Contrast]:
    """And, or, neither, both, either: parts of a conjunction follow, parts of a disjunction do not."""
    from whence.tasks.contrast.lexicon import ACTIONS, HABITS, STATES

    first, second = chance.sample(HABITS + STATES, 2)
    tense = "present"
    if chance.random() < 0.5:
        first, second = chance.sample(ACTIONS, 2)
        tense = "past"
    ann, bob, cid = chance.sample(PEOPLE, 3)

    def told(who: str, phrase: str, yes: bool = True) -> str:
        return say(who, phrase, tense=tense, yes=yes, chance=chance)

    if chance.random() < 0.5:
        both = f"{told(ann, first)} and {told('', second).strip()}"
        yield Contrast((both,), told(ann, first), FOLLOWS, "part of a conjunction")
        yield Contrast((both,), told(ann, second), FOLLOWS, "part of a conjunction")
        yield Contrast(
            (both,), told(ann, chance.choice((first, second)), False), CONTRADICTS, "part of a conjunction"
        )
        yield Contrast((both,), told(bob, first), UNKNOWN, "other person")
        yield Contrast((told(ann, first),), both, UNKNOWN, "conjunction of one part")
        yield Contrast((told(ann, first), told(ann, second)), both, FOLLOWS, "conjunction")
        yield Contrast((told(ann, first), told(ann, second, False)), both, CONTRADICTS, "conjunction")
    else:
        either = f"either {told(ann, first)} or {told(bob, first)}"
        yield Contrast((either,), told(ann, first), UNKNOWN, "part of a disjunction")
        yield Contrast((either, told(ann, first, False)), told(bob, first), FOLLOWS, "disjunction")
        yield Contrast((either, told(ann, first, False)), told(bob, first, False), CONTRADICTS, "disjunction")
        yield Contrast((either, told(cid, first, False)), told(bob, first), UNKNOWN, "disjunction of others")
        verb = say("", first, many=True, tense=tense).strip()
        yield Contrast((f"both {ann} and {bob} {verb}",), told(bob, first), FOLLOWS, "both")
        yield Contrast((f"both {ann} and {bob} {verb}",), told(ann, first, False), CONTRADICTS, "both")
        yield Contrast((f"both {ann} and {bob} {verb}",), told(cid, first), UNKNOWN, "other person")
        one = say("", first, tense=tense).strip()
        yield Contrast((f"neither {ann} nor {bob} {one}",), told(bob, first, False), FOLLOWS, "neither")
        yield Contrast((f"neither {ann} nor {bob} {one}",), told(ann, first), CONTRADICTS, "neither")
        yield Contrast((f"neither {ann} nor {bob} {one}",), told(cid, first), UNKNOWN, "other person")


FAMILIES = {
    "inheritance": inheritance,
    "invented": invented_inheritance,
    "world knowledge": world_knowledge,
    "disjoint": disjoint_kinds,
    "quantifiers": quantifiers,
    "conjunctions": conjunctions,
}
