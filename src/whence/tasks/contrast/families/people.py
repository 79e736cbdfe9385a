"""People: kinship, who gave what to whom, habits that began and ended, who did what, words with opposites."""

from __future__ import annotations

import random
from collections.abc import Iterator

from whence.structures.verdict import CONTRADICTS, FOLLOWS, UNKNOWN
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.english import finite, past, say, with_article
from whence.tasks.contrast.lexicon import (
    ACTIONS,
    COLOURS,
    COUNTRY,
    DAYS,
    FOODS,
    HABITS,
    MATERIALS,
    MEN,
    OPPOSITES,
    PEOPLE,
    ROOMS,
    SITES,
    SPECIFICS,
    STATES,
    THINGS,
    WOMEN,
)


def kinship(chance: random.Random) -> Iterator[Contrast]:
    """Parents, children, siblings, grandparents, uncles and aunts, spouses."""
    a_female, b_female, c_female = (chance.random() < 0.5 for _ in range(3))
    women, men = chance.sample(WOMEN, 4), chance.sample(MEN, 4)
    a, b, c = ((women if female else men)[index] for index, female in enumerate((a_female, b_female, c_female)))
    other = women[3]
    mother, sister = ("mother" if a_female else "father"), ("sister" if a_female else "brother")
    b_mother, daughter = ("mother" if b_female else "father"), ("daughter" if b_female else "son")
    parent_ab = chance.choice(
        (f"{a} is the {mother} of {b}", f"{a} is {b}'s {mother}", f"{b} is the {daughter} of {a}")
    )
    parent_bc = chance.choice((f"{b} is the {b_mother} of {c}", f"{b} is {c}'s {b_mother}"))
    sibling = chance.choice((f"{a} is the {sister} of {b}", f"{a} is {b}'s {sister}"))
    grand = f"grand{mother}"
    aunt = "aunt" if a_female else "uncle"
    yield Contrast((parent_ab, parent_bc), f"{a} is {c}'s {grand}", FOLLOWS, "kinship")
    yield Contrast((parent_ab, parent_bc), f"{c} is {a}'s {grand}", CONTRADICTS, "roles exchanged")
    yield Contrast((parent_ab, parent_bc), f"{a} is not the {grand} of {c}", CONTRADICTS, "negated")
    yield Contrast((parent_ab,), f"{a} is {c}'s {grand}", UNKNOWN, "premise dropped")
    yield Contrast((parent_ab, parent_bc), f"{a} is {other}'s {grand}", UNKNOWN, "other person")
    yield Contrast((parent_ab,), f"{b} is {a}'s {daughter}", FOLLOWS, "converse")
    yield Contrast((parent_ab,), f"{b} is {a}'s {b_mother}", CONTRADICTS, "roles exchanged")
    yield Contrast((parent_ab,), f"{a} has a child", FOLLOWS, "converse")
    yield Contrast((parent_ab,), f"{a} has no children", CONTRADICTS, "converse")
    yield Contrast((parent_ab,), f"{a} has two children", UNKNOWN, "too specific")
    yield Contrast((sibling, parent_bc), f"{a} is {c}'s {aunt}", FOLLOWS, "kinship")
    yield Contrast((sibling, parent_bc), f"{a} is not {c}'s {aunt}", CONTRADICTS, "negated")
    yield Contrast((sibling, parent_bc), f"{c} is older than {other}", UNKNOWN, "other property")
    married = chance.choice((f"{a} is married to {b}", f"{a} and {b} are married"))
    yield Contrast((married,), f"{b} is married to {a}", FOLLOWS, "converse")
    yield Contrast((married,), f"{b} is single", CONTRADICTS, "opposite")
    yield Contrast((married,), f"{a} and {b} have a child", UNKNOWN, "likely, not given")


def transfers(chance: random.Random) -> Iterator[Contrast]:
    """Who gave, sold, lent or taught what to whom."""
    a, b, c = chance.sample(PEOPLE, 3)
    colour, other_colour = chance.sample(COLOURS, 2)
    thing, other = chance.sample(THINGS, 2)
    item = with_article(f"{colour} {thing}")
    verb, converse, keeps = chance.choice(
        (
            ("gave {i} to {b}", "got {i} from {a}", False),
            ("sold {i} to {b}", "bought {i} from {a}", False),
            ("lent {i} to {b}", "borrowed {i} from {a}", False),
            ("sent {i} to {b}", "received {i} from {a}", False),
            ("showed {i} to {b}", "was shown {i} by {a}", True),
        )
    )
    said = f"{a} {verb}".format(i=item, b=b)
    turned = f"{b} {converse}".format(i=item, a=a)
    swapped = f"{b} {verb}".format(i=item, b=a)
    word = verb.split(" ")[0]
    base = {"gave": "give", "sold": "sell", "lent": "lend", "sent": "send", "showed": "show"}[word]
    denied = f"{a} did not {base} {item} to {b}"
    yield Contrast((said,), turned, FOLLOWS, "converse")
    yield Contrast((said,), denied, CONTRADICTS, "negated")
    yield Contrast((said,), swapped, UNKNOWN, "roles exchanged")
    yield Contrast((said,), said.replace(b, c), UNKNOWN, "other person")
    yield Contrast((said,), said.replace(thing, other), UNKNOWN, "other thing")
    yield Contrast((said,), f"{a} {word} {b} {with_article(thing)}", FOLLOWS, "less specific")
    yield Contrast((said,), f"{a} {word} {b} nothing", CONTRADICTS, "nothing")
    yield Contrast((f"{a} {word} {with_article(thing)} to {b}",), said, UNKNOWN, "too specific")
    yield Contrast((said,), f"the {thing} that {a} {word} to {b} was {colour}", FOLLOWS, "attribute")
    yield Contrast((said,), f"the {thing} that {a} {word} to {b} was {other_colour}", CONTRADICTS, "exclusive")
    yield Contrast((denied,), said, CONTRADICTS, "premise denied")
    yield Contrast((denied,), f"{b} {converse}".format(i=item, a=a), CONTRADICTS, "premise denied")
    if not keeps and word in ("gave", "sold"):
        now = (f"the {thing} belonged to {a}", f"{a} {word} the {thing} to {b}")
        yield Contrast(now, f"the {thing} belongs to {b} now", FOLLOWS, "ownership")
        yield Contrast(now, f"the {thing} still belongs to {a}", CONTRADICTS, "ownership")
        yield Contrast(now, f"the {thing} is no longer {a}'s", FOLLOWS, "ownership")
        yield Contrast(now, f"{b} paid a lot for the {thing}", UNKNOWN, "too specific")
        yield Contrast(now[:1], f"the {thing} belongs to {b} now", UNKNOWN, "premise dropped")


def habits(chance: random.Random) -> Iterator[Contrast]:
    """What people do, never do, do no longer, began, or stopped."""
    a, b = chance.sample(PEOPLE, 2)
    first, second = chance.sample(HABITS, 2)
    if chance.random() < 0.4:
        first = chance.choice(STATES)
    yes, no = say(a, first, chance=chance), say(a, first, yes=False, chance=chance)
    ended = chance.choice((f"{a} no longer {finite(first)}", f"{a} used to {first}, but not any more"))
    still = f"{a} still {finite(first)}"
    extra = (say(b, second, chance=chance),)
    yield Contrast((yes, *extra), no, CONTRADICTS, "negated")
    yield Contrast((no, *extra), yes, CONTRADICTS, "premise denied")
    yield Contrast((ended, *extra), no, FOLLOWS, "no longer")
    yield Contrast((ended, *extra), yes, CONTRADICTS, "no longer")
    yield Contrast((still, *extra), yes, FOLLOWS, "still")
    yield Contrast((still, *extra), no, CONTRADICTS, "still")
    yield Contrast(
        (no, *extra), say(a, f"{first} {chance.choice(SPECIFICS)}", yes=False), FOLLOWS, "denied, more specific"
    )
    yield Contrast((yes, *extra), say(a, f"{first} {chance.choice(SPECIFICS)}"), UNKNOWN, "too specific")
    yield Contrast((say(a, f"{first} {chance.choice(SPECIFICS)}"), *extra), yes, FOLLOWS, "less specific")
    yield Contrast((yes, *extra), say(b, first, chance=chance), UNKNOWN, "other person")
    yield Contrast(
        (yes, *extra), say(a, second, yes=chance.random() < 0.5, chance=chance), UNKNOWN, "property of another"
    )
    double = chance.choice((f"it is not true that {no}", f"it is false that {no}"))
    yield Contrast((double, *extra), yes, FOLLOWS, "double negation")
    yield Contrast((double, *extra), no, CONTRADICTS, "double negation")
    yield Contrast((yes, *extra), f"it is not true that {yes}", CONTRADICTS, "denied as a whole")
    yield Contrast((no, *extra), f"it is not true that {yes}", FOLLOWS, "denied as a whole")
    maybe = chance.choice(
        (f"perhaps {yes}", f"{b} thinks that {yes}", f"{b} wonders whether {yes}", f"maybe {yes}")
    )
    yield Contrast((maybe,), yes, UNKNOWN, "only thought")
    yield Contrast((maybe,), no, UNKNOWN, "only thought")
    knows = f"{b} knows that {yes}"
    yield Contrast((knows,), yes, FOLLOWS, "known")


def deeds(chance: random.Random) -> Iterator[Contrast]:
    """Who did what, forgot it, managed it, or refused."""
    a, b = chance.sample(PEOPLE, 2)
    act, other = chance.sample(ACTIONS, 2)
    done, undone = say(a, act, tense="past"), say(a, act, tense="past", yes=False, chance=chance)
    yes_form = chance.choice(
        (f"{a} managed to {act}", f"{a} remembered to {act}", f"{a} has already {_done(act)}")
    )
    no_form = chance.choice(
        (
            f"{a} forgot to {act}",
            f"{a} refused to {act}",
            f"{a} failed to {act}",
            f"{a} did everything except {_doing(act)}",
        )
    )
    open_form = chance.choice(
        (
            f"{a} wants to {act}",
            f"{a} was asked to {act}",
            f"{a} promised to {act}",
            f"{a} tried to {act}",
            f"{b} told {a} to {act}",
            f"{a} plans to {act}",
        )
    )
    for said, labels in (
        (yes_form, (FOLLOWS, CONTRADICTS)),
        (no_form, (CONTRADICTS, FOLLOWS)),
        (open_form, (UNKNOWN, UNKNOWN)),
    ):
        yield Contrast((said, say(b, other, tense="past")), done, labels[0], "deed")
        yield Contrast((said, say(b, other, tense="past")), undone, labels[1], "deed")
    when = f"{done} on {chance.choice(DAYS)}"
    yield Contrast((when,), done, FOLLOWS, "less specific")
    yield Contrast((done,), when, UNKNOWN, "too specific")
    yield Contrast((when,), say(b, act, tense="past"), UNKNOWN, "other person")
    yield Contrast((when,), f"nobody {say('', act, tense='past').strip()}", CONTRADICTS, "nobody")
    yield Contrast((when,), f"somebody {say('', act, tense='past').strip()}", FOLLOWS, "somebody")
    yield Contrast((f"nobody {say('', act, tense='past').strip()}",), done, CONTRADICTS, "nobody")
    yield Contrast((f"everyone {say('', act, tense='past').strip()}",), done, FOLLOWS, "everyone")
    yield Contrast((f"everyone except {a} {say('', act, tense='past').strip()}",), done, CONTRADICTS, "except")
    yield Contrast((f"everyone except {b} {say('', act, tense='past').strip()}",), done, FOLLOWS, "except")


def _done(act: str) -> str:
    verb, _, rest = act.partition(" ")
    irregular = {"write": "written", "make": "made"}
    return f"{irregular.get(verb, past(verb))} {rest}"


def _doing(act: str) -> str:
    verb, _, rest = act.partition(" ")
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    return f"{'mopping' if verb == 'mop' else stem + 'ing'} {rest}"


def places(chance: random.Random) -> Iterator[Contrast]:
    """Where people and things are, live, and went: a place within a place, one place at a time."""
    a, b = chance.sample(PEOPLE, 2)
    form = chance.randrange(4)
    if form == 0:
        town, elsewhere = chance.sample(list(COUNTRY), 2)
        while COUNTRY[town] == COUNTRY[elsewhere]:
            town, elsewhere = chance.sample(list(COUNTRY), 2)
        given = (
            f"{a} {(verb := chance.choice(('lives in', 'works in', 'was born in')))} {town}",
            f"{town} is {chance.choice(('in', 'a city in', 'a town in'))} {COUNTRY[town]}",
        )
        yield Contrast(given, f"{a} {verb} {COUNTRY[town]}", FOLLOWS, "within")
        deny = {"lives in": "does not live in", "works in": "does not work in", "was born in": "was not born in"}[
            verb
        ]
        yield Contrast(given, f"{a} {deny} {COUNTRY[town]}", CONTRADICTS, "negated")
        yield Contrast(given, f"{b} {verb} {COUNTRY[town]}", UNKNOWN, "other person")
        yield Contrast(given, f"{a} likes {COUNTRY[town]}", UNKNOWN, "other property")
        yield Contrast(given[1:], f"{a} {verb} {town}", UNKNOWN, "premise dropped")
        yield Contrast((f"{a} {verb} {COUNTRY[town]}", given[1]), f"{a} {verb} {town}", UNKNOWN, "too specific")
        if verb != "works in":
            yield Contrast(given, f"{a} {verb} {elsewhere}", CONTRADICTS, "exclusive place")
            yield Contrast(given, f"{a} {verb} {COUNTRY[elsewhere]}", CONTRADICTS, "exclusive place")
    elif form == 1:
        thing, other = chance.sample(THINGS, 2)
        room, another = chance.sample(ROOMS, 2)
        box = chance.choice(("drawer", "cupboard", "chest", "basket", "cardboard box"))
        given = (f"the {thing} is in the {box}", f"the {box} is in the {room}")
        yield Contrast(given, f"the {thing} is in the {room}", FOLLOWS, "within")
        yield Contrast(given, f"the {thing} is not in the {room}", CONTRADICTS, "negated")
        yield Contrast(given, f"the {thing} is in the {another}", CONTRADICTS, "exclusive place")
        yield Contrast(given, f"the {other} is in the {room}", UNKNOWN, "other thing")
        yield Contrast(given[1:], f"the {thing} is in the {room}", UNKNOWN, "premise dropped")
        yield Contrast(given, f"the {box} is in the {thing}", CONTRADICTS, "roles exchanged")
        yield Contrast(given, f"the {box} contains the {thing}", FOLLOWS, "converse")
        moved = (*given, f"{a} took the {thing} out of the {box} and put it in the {another}")
        yield Contrast(moved[::2], f"the {thing} is in the {another} now", FOLLOWS, "moved")
        yield Contrast(moved[::2], f"the {thing} is still in the {box}", CONTRADICTS, "moved")
    elif form == 2:
        site, other = chance.sample(SITES, 2)
        given = (f"{a} went to the {site} and is still there", f"{b} is {chance.choice(('with', 'next to'))} {a}")
        yield Contrast(given, f"{a} is at the {site}", FOLLOWS, "place")
        yield Contrast(given, f"{b} is at the {site}", FOLLOWS, "same place")
        yield Contrast(given, f"{a} is at the {other}", CONTRADICTS, "exclusive place")
        yield Contrast(given, f"{b} is not at the {site}", CONTRADICTS, "same place")
        yield Contrast(given[:1], f"{b} is at the {site}", UNKNOWN, "premise dropped")
    else:
        x, y, z, w = (f"the {site}" for site in chance.sample(SITES, 4))
        side, back = chance.choice(
            (
                ("north of", "south of"),
                ("to the left of", "to the right of"),
                ("above", "below"),
                ("east of", "west of"),
                ("behind", "in front of"),
            )
        )
        given = (f"{x} is {side} {y}", f"{y} is {side} {z}")
        yield Contrast(given, f"{x} is {side} {z}", FOLLOWS, "transitive")
        yield Contrast(given, f"{z} is {back} {x}", FOLLOWS, "converse")
        yield Contrast(given, f"{z} is {side} {x}", CONTRADICTS, "order reversed")
        yield Contrast(given, f"{x} is {back} {y}", CONTRADICTS, "order reversed")
        yield Contrast(given, f"{x} is {side} {w}", UNKNOWN, "other entity")
        yield Contrast((given[0], f"{z} is {side} {y}"), f"{x} is {side} {z}", UNKNOWN, "order not given")


def attributes(chance: random.Random) -> Iterator[Contrast]:
    """Things of one colour, material, state; opposites; only one winner."""
    thing, other = chance.sample(THINGS, 2)
    owner, rival, third = chance.sample(PEOPLE, 3)
    the_thing = chance.choice((f"the {thing}", f"{owner}'s {thing}"))
    colour, wrong = chance.sample(COLOURS, 2)
    material, false = chance.sample(MATERIALS, 2)
    plus, minus = chance.sample(chance.choice(OPPOSITES), 2)
    given = (f"{the_thing} is {colour}", f"{the_thing} is made of {material}")
    yield Contrast(given, f"{the_thing} is {colour}", FOLLOWS, "repeated")
    yield Contrast(given, f"{the_thing} is not {colour}", CONTRADICTS, "negated")
    yield Contrast(given, f"{the_thing} is {wrong} all over", CONTRADICTS, "exclusive")
    yield Contrast(given, f"{the_thing} is made entirely of {false}", CONTRADICTS, "exclusive")
    yield Contrast(given, f"{the_thing} is {plus}", UNKNOWN, "other property")
    yield Contrast(given, f"the {other} is {colour}", UNKNOWN, "other thing")
    yield Contrast(given, f"there is something made of {material}", FOLLOWS, "somebody")
    yield Contrast(given, f"{the_thing} is a {colour} thing made of {material}", FOLLOWS, "conjunction")
    subject = chance.choice(
        ("the door", "the shop", "the road", "the room", "the answer", "the soup", "the train", the_thing)
    )
    yield Contrast((f"{subject} is {plus}",), f"{subject} is {minus}", CONTRADICTS, "opposite")
    yield Contrast((f"{subject} is {plus}",), f"{subject} is not {minus}", FOLLOWS, "opposite denied")
    yield Contrast((f"{subject} is {plus}",), f"{subject} is not {plus}", CONTRADICTS, "negated")
    yield Contrast((f"{subject} is not {minus}",), f"{subject} is {minus}", CONTRADICTS, "premise denied")
    race = chance.choice(
        ("the race", "the chess tournament", "the baking competition", "the election", "the raffle")
    )
    won = (f"{owner} won {race}", f"{rival} also took part in {race}", f"{race} had only one winner")
    yield Contrast(won, f"{rival} did not win {race}", FOLLOWS, "only one")
    yield Contrast(won, f"{rival} won {race}", CONTRADICTS, "only one")
    yield Contrast(won, f"{owner} lost {race}", CONTRADICTS, "opposite")
    yield Contrast(won, f"{third} came second in {race}", UNKNOWN, "too specific")


def meals(chance: random.Random) -> Iterator[Contrast]:
    """Who eats what, and allergies: wider and narrower words."""
    a, b = chance.sample(PEOPLE, 2)
    food, other = chance.sample(FOODS, 2)
    time, later = chance.sample(("breakfast", "lunch", "dinner", "supper"), 2)
    said = (f"{a} had {food} for {time}", f"{b} had {other} for {time}")
    yield Contrast(said, f"{a} ate {food}", FOLLOWS, "less specific")
    yield Contrast(said, f"{a} ate something for {time}", FOLLOWS, "less specific")
    yield Contrast(said, f"{a} skipped {time}", CONTRADICTS, "opposite")
    yield Contrast(said, f"{a} had nothing for {time}", CONTRADICTS, "nothing")
    yield Contrast(said, f"{a} had {food} for {later}", UNKNOWN, "other time")
    yield Contrast(said, f"{b} liked {other}", UNKNOWN, "likely, not given")
    yield Contrast(said, f"{a} and {b} ate the same thing for {time}", CONTRADICTS, "exclusive")
    groups = {
        "fruit": ("a peach", "a banana", "an apricot", "grapes"),
        "meat": ("ham", "beef", "lamb", "bacon"),
        "dairy": ("butter", "cream", "yoghurt"),
        "nuts": ("almonds", "walnuts", "hazelnuts"),
        "seafood": ("prawns", "mussels", "crab"),
    }
    group = chance.choice(list(groups))
    item = chance.choice(groups[group])
    wrong = chance.choice([name for name in groups if name != group])
    link = "are" if item.endswith("s") else "is"
    never = chance.choice(
        (f"{a} never eats {group}", f"{a} does not eat any {group}", f"{a} eats no {group} at all")
    )
    counted = (f"{item} {link} a kind of {group}" if link == "is" else f"{item} {link} {group}", never)
    yield Contrast(counted, f"{a} does not eat {item}", FOLLOWS, "denied, more specific")
    yield Contrast(counted, f"{a} eats {item}", CONTRADICTS, "denied, more specific")
    yield Contrast(counted, f"{a} does not eat {wrong}", UNKNOWN, "other thing")
    yield Contrast(counted, f"{b} eats {item}", UNKNOWN, "other person")
    yield Contrast((counted[0], f"{a} ate {item}"), f"{a} ate {group}", FOLLOWS, "wider word")
    yield Contrast((counted[0], f"{a} ate some {group}"), f"{a} ate {item}", UNKNOWN, "narrower word")
    allergic = (
        f"{a} is allergic to {group}",
        f"the {chance.choice(('cake', 'salad', 'sauce', 'stew'))} contains {item}",
        f"{item} {link} {'a kind of ' if link == 'is' else ''}{group}",
        "people must not eat what they are allergic to",
    )
    dish = allergic[1].split(" ")[1]
    yield Contrast(allergic, f"{a} should not eat the {dish}", FOLLOWS, "rule")
    yield Contrast(allergic, f"{a} can safely eat the {dish}", CONTRADICTS, "rule")
    yield Contrast(allergic, f"{b} should not eat the {dish}", UNKNOWN, "other person")


FAMILIES = {
    "kinship": kinship,
    "transfers": transfers,
    "habits": habits,
    "deeds": deeds,
    "places": places,
    "attributes": attributes,
    "meals": meals,
}
