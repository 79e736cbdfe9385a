"""Numbers, comparatives, units, prices, times and orders."""

from __future__ import annotations

import random
from collections.abc import Iterator

from whence.structures.verdict import CONTRADICTS, FOLLOWS, UNKNOWN
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.lexicon import COLOURS, DAYS, EVENTS, MONTHS, PEOPLE, SHOPS, THINGS, TOWNS

_SCALES = (
    ("tall", "taller than", "shorter than", "the tallest", "the shortest", True),
    ("old", "older than", "younger than", "the oldest", "the youngest", True),
    ("fast", "faster than", "slower than", "the fastest", "the slowest", True),
    ("heavy", "heavier than", "lighter than", "the heaviest", "the lightest", False),
    ("expensive", "more expensive than", "cheaper than", "the most expensive", "the cheapest", False),
    ("large", "larger than", "smaller than", "the largest", "the smallest", False),
    ("long", "longer than", "shorter than", "the longest", "the shortest", False),
    ("warm", "warmer than", "colder than", "the warmest", "the coldest", False),
    ("strong", "stronger than", "weaker than", "the strongest", "the weakest", True),
    ("rich", "richer than", "poorer than", "the richest", "the poorest", True),
)


def comparatives(chance: random.Random) -> Iterator[Contrast]:
    """Orders are transitive and have a direction."""
    word, more, less, most, least, of_people = chance.choice(_SCALES)
    if of_people:
        names = chance.sample(PEOPLE, 4)
    elif "warm" in more:
        names = [town.split(":")[0] for town in chance.sample(TOWNS, 4)]
    else:
        thing = chance.choice(THINGS)
        names = [f"the {colour} {thing}" for colour in chance.sample(COLOURS, 4)]
    a, b, c, other = names

    def above(high: str, low: str) -> str:
        return f"{high} is {more} {low}" if chance.random() < 0.6 else f"{low} is {less} {high}"

    given = (above(a, b), above(b, c))
    yield Contrast(given, above(a, c), FOLLOWS, "transitive")
    yield Contrast(given, above(c, a), CONTRADICTS, "order reversed")
    yield Contrast(given, above(a, other), UNKNOWN, "other entity")
    yield Contrast((above(a, b), above(a, c)), above(b, c), UNKNOWN, "order not given")
    yield Contrast((above(a, b), above(c, b)), above(a, c), UNKNOWN, "order not given")
    yield Contrast(given[:1], above(a, b), FOLLOWS, "order turned round")
    yield Contrast(given[:1], above(b, a), CONTRADICTS, "order reversed")
    yield Contrast(given[:1], f"{b} is not {more} {a}", FOLLOWS, "order denied")
    yield Contrast(given, f"of the three, {a} is {most}", FOLLOWS, "superlative")
    yield Contrast(given, f"of the three, {c} is {least}", FOLLOWS, "superlative")
    yield Contrast(given, f"of the three, {chance.choice((b, c))} is {most}", CONTRADICTS, "superlative")
    yield Contrast(given[:1], f"{a} and {b} are equally {word}", CONTRADICTS, "equal")


def amounts(chance: random.Random) -> Iterator[Contrast]:
    """Two or three measured things compared, with units that differ at times."""
    form = chance.randrange(5)
    a, b, c = (f"the {colour} {chance.choice(THINGS)}" for colour in chance.sample(COLOURS, 3))
    low = chance.randint(2, 60)
    high = low + chance.randint(1, 40)
    if form == 0:
        said = (
            f"{a} costs {high} {(unit := chance.choice(('euros', 'dollars', 'pounds')))}",
            f"{b} costs {low} {unit}",
        )
        more, less, some = f"{a} costs more than {b}", f"{b} costs more than {a}", f"{c} costs more than {b}"
        at_least, at_most = f"{a} costs at least {high - 1} {unit}", f"{a} costs less than {low} {unit}"
        total, wrong = (
            f"together {a} and {b} cost {low + high} {unit}",
            f"{a} costs {high + chance.randint(1, 9)} {unit}",
        )
    elif form == 1:
        said = (f"{a} weighs {high} kilograms", f"{b} weighs {low} kilograms")
        if chance.random() < 0.4:
            said = (f"{a} weighs {high} kilograms", f"{b} weighs {low * 10} grams")
        more, less, some = f"{a} is heavier than {b}", f"{a} is lighter than {b}", f"{c} is heavier than {a}"
        at_least, at_most = f"{a} weighs more than {high - 1} kilograms", f"{a} weighs less than {low} kilograms"
        total, wrong = f"{b} is not as heavy as {a}", f"{a} weighs {high + chance.randint(1, 9)} kilograms"
    elif form == 2:
        x, y, z = chance.sample(PEOPLE, 3)
        said = (f"{x} is {high} years old", f"{y} is {low} years old")
        more, less, some = f"{x} is older than {y}", f"{y} is older than {x}", f"{z} is older than {y}"
        at_least, at_most = f"{x} is at least {low} years old", f"{x} is younger than {low}"
        total, wrong = (
            f"{y} is {high - low} years younger than {x}",
            f"{x} is {high + chance.randint(1, 9)} years old",
        )
    elif form == 3:
        e, f, g = (f"the {event}" for event in chance.sample(EVENTS, 3))
        hours, minutes = chance.randint(2, 4), chance.randint(20, 100)
        said = (f"{e} lasts {hours} hours", f"{f} lasts {minutes} minutes")
        more, less, some = f"{e} takes longer than {f}", f"{f} takes longer than {e}", f"{g} takes longer than {f}"
        at_least, at_most = f"{e} takes more than an hour", f"{e} is over within {minutes} minutes"
        total, wrong = f"{f} is shorter than {e}", f"{e} lasts {hours + 2} hours"
    else:
        x, y, z = chance.sample(PEOPLE, 3)
        noun = chance.choice(
            ("points", "goals", "eggs", "books", "tickets", "stamps", "sheep", "cousins", "emails")
        )
        verb = {"points": "scored", "goals": "scored", "emails": "sent"}.get(noun, "has")
        said = (f"{x} {verb} {high} {noun}", f"{y} {verb} {low} {noun}")
        more, less, some = (
            f"{x} {verb} more {noun} than {y}",
            f"{y} {verb} more {noun} than {x}",
            f"{z} {verb} {low} {noun}",
        )
        at_least, at_most = f"{x} {verb} more than {low} {noun}", f"{x} {verb} fewer than {low} {noun}"
        total, wrong = (
            f"{y} {verb} fewer {noun} than {x}",
            f"{x} {verb} exactly {high + chance.randint(1, 5)} {noun}",
        )
    yield Contrast(said, more, FOLLOWS, "numbers compared")
    yield Contrast(said, less, CONTRADICTS, "numbers compared")
    yield Contrast(said, some, UNKNOWN, "other entity")
    yield Contrast(said, at_least, FOLLOWS, "bound")
    yield Contrast(said, at_most, CONTRADICTS, "bound")
    yield Contrast(said, total, FOLLOWS, "sum or difference")
    yield Contrast(said, wrong, CONTRADICTS, "other number")
    yield Contrast(said[:1], more, UNKNOWN, "premise dropped")
    yield Contrast(said[1:], at_least, UNKNOWN, "premise dropped")


def arithmetic(chance: random.Random) -> Iterator[Contrast]:
    """Counting what comes and goes."""
    who, other = chance.sample(PEOPLE, 2)
    noun = chance.choice(
        ["apples", "coins", "marbles", "pencils", "tickets", "biscuits", "sheep", "stamps", "chairs", "eggs"]
    )
    start, change = chance.randint(4, 20), chance.randint(1, 3)
    gains = chance.random() < 0.5
    event = (
        chance.choice((f"{who} bought {change} more", f"{other} gave {who} {change} more {noun}"))
        if gains
        else (
            chance.choice(
                (
                    f"{who} gave {change} of them to {other}",
                    f"{who} lost {change} of the {noun}",
                    f"{who} sold {change} {noun}",
                )
            )
        )
    )
    end = start + change if gains else start - change
    said = (f"{who} had {start} {noun}", event)
    now = chance.choice((f"{who} now has {end} {noun}", f"{who} has {end} {noun} now"))
    yield Contrast(said, now, FOLLOWS, "arithmetic")
    yield Contrast(said, now.replace(f" {end} ", f" {end + chance.choice((1, 2, 3))} "), CONTRADICTS, "arithmetic")
    yield Contrast(said, f"{who} has {'more' if gains else 'fewer'} {noun} than before", FOLLOWS, "arithmetic")
    yield Contrast(said, f"{who} has {'fewer' if gains else 'more'} {noun} than before", CONTRADICTS, "arithmetic")
    yield Contrast(said[1:], now, UNKNOWN, "premise dropped")
    yield Contrast(said, f"{other} had {start} {noun}", UNKNOWN, "other person")


def opening_hours(chance: random.Random) -> Iterator[Contrast]:
    """Hours and days at which something is open."""
    shop, rival = (f"the {name}" for name in chance.sample(SHOPS, 2))
    opens, closes = chance.randint(7, 10), chance.randint(15, 20)
    inside, before, after = chance.randint(opens + 1, closes - 1), opens - 1, closes + chance.randint(1, 2)
    closed_day, open_day = chance.sample(DAYS, 2)

    def hour(number: int) -> str:
        if style:
            return f"{number}:00"
        return "noon" if number == 12 else f"{number} am" if number < 12 else f"{number - 12} pm"

    style = chance.random() < 0.4
    hours = chance.choice(
        (
            f"{shop} is open from {hour(opens)} to {hour(closes)}",
            f"{shop} opens at {hour(opens)} and closes at {hour(closes)}",
        )
    )
    closing = chance.choice(
        (
            f"{shop} is closed on {closed_day}s",
            f"{shop} is open every day except {closed_day}",
            f"{shop} is open daily but not on {closed_day}s",
        )
    )
    given = (hours, closing)
    yield Contrast(given, f"{shop} is open at {hour(inside)} on {open_day}", FOLLOWS, "hours")
    yield Contrast(given, f"{shop} is closed at {hour(inside)} on {open_day}", CONTRADICTS, "hours")
    yield Contrast(given, f"{shop} is open at {hour(chance.choice((before, after)))}", CONTRADICTS, "hours")
    yield Contrast(given, f"{shop} is not open at {hour(chance.choice((before, after)))}", FOLLOWS, "hours")
    yield Contrast(given, f"{shop} is open on {closed_day}s", CONTRADICTS, "except")
    yield Contrast(given, f"you cannot visit {shop} on {closed_day}", FOLLOWS, "except")
    yield Contrast(given, f"{rival} is open at {hour(inside)}", UNKNOWN, "other entity")
    yield Contrast(given, f"{rival} is closed on {closed_day}s", UNKNOWN, "other entity")
    yield Contrast(given, f"{shop} is busy on {open_day}s", UNKNOWN, "other property")
    yield Contrast(given[1:], f"{shop} is open at {hour(after)} on {open_day}", UNKNOWN, "premise dropped")


def events_in_order(chance: random.Random) -> Iterator[Contrast]:
    """Before and after, in words, hours, days or months."""
    a, b, c, d = (f"the {event}" for event in chance.sample(EVENTS, 4))
    form = chance.randrange(3)
    if form == 0:
        given: tuple[str, ...] = (
            chance.choice((f"{a} took place before {b}", f"{b} came after {a}")),
            chance.choice((f"{b} took place before {c}", f"{c} came after {b}")),
        )
    elif form == 1:
        first, second, third = sorted(chance.sample(range(8, 22), 3))
        given = (f"{a} began at {first}:00", f"{b} began at {second}:00", f"{c} began at {third}:30")
    else:
        names = DAYS if chance.random() < 0.5 else MONTHS
        first, second, third = sorted(chance.sample(range(len(names)), 3))
        given = (
            f"{a} was on {names[first]}",
            f"{b} was on {names[second]} of the same week",
            f"{c} was on {names[third]} of that week",
        )
        if names is MONTHS:
            year = chance.randint(1950, 2024)
            given = (
                f"{a} was in {names[first]} {year}",
                f"{b} was in {names[second]} {year}",
                f"{c} was in {names[third]} {year}",
            )
    verbs = ("took place", "happened", "was", "started")
    verb = chance.choice(verbs[3:] if form == 1 else verbs[:3])
    yield Contrast(given, f"{a} {verb} before {c}", FOLLOWS, "order in time")
    yield Contrast(given, f"{c} {verb} after {a}", FOLLOWS, "order in time")
    yield Contrast(given, f"{c} {verb} before {a}", CONTRADICTS, "order in time")
    yield Contrast(given, f"{a} {verb} after {b}", CONTRADICTS, "order in time")
    yield Contrast(
        given, f"{a} did not {('take place' if form != 1 else 'start')} after {b}", FOLLOWS, "order in time"
    )
    yield Contrast(given, f"{a} {verb} before {d}", UNKNOWN, "other event")
    yield Contrast(
        given[:1] + given[2:] if form else given[:1], f"{b} {verb} before {c}", UNKNOWN, "premise dropped"
    )


def proportions(chance: random.Random) -> Iterator[Contrast]:
    """As one thing grows, another grows or shrinks; causes in a chain."""
    pairs = (
        ("the price of petrol", "the cost of a taxi ride"),
        ("the number of visitors", "the noise in the hall"),
        ("the speed of a car", "its braking distance"),
        ("the temperature of the oven", "the baking time"),
        ("the demand for umbrellas", "their price"),
        ("the amount of practice", "the number of mistakes"),
        ("the height of a mountain", "the air pressure at its top"),
        ("the depth of the lake", "the light at the bottom"),
        ("the number of cooks", "the time until dinner"),
        ("the weight of the bag", "the postage"),
        ("the length of the rope", "its price"),
        ("the number of wolves", "the number of deer"),
        ("the amount of salt in the water", "its freezing point"),
        ("the amount of rain", "the level of the river"),
        ("stress at work", "the quality of sleep"),
        ("the number of staff", "the waiting time"),
    )
    x, y = chance.choice(pairs)
    other, _ = chance.choice([pair for pair in pairs if pair[0] != x])
    same = chance.random() < 0.5
    up, down = chance.choice((("increases", "decreases"), ("rises", "falls"), ("goes up", "goes down")))
    rule = chance.choice(
        (
            f"as {x} {up}, {y} {up if same else down}",
            f"when {x} {up}, {y} {up if same else down}",
            f"if {x} {up} then {y} will {'increase' if same else 'decrease'}",
        )
    )
    past_up = chance.choice(("increased", "went up", "has increased"))
    given = (rule, f"{x} {past_up}")
    right, wrong = ("increased", "decreased") if same else ("decreased", "increased")
    yield Contrast(given, f"{y} {right}", FOLLOWS, "proportion")
    yield Contrast(given, f"{y} {wrong}", CONTRADICTS, "proportion")
    yield Contrast(given, f"{y} did not change", CONTRADICTS, "proportion")
    yield Contrast(given, f"{other} {chance.choice((right, wrong))}", UNKNOWN, "other quantity")
    yield Contrast((rule,), f"{y} {right}", UNKNOWN, "premise dropped")
    yield Contrast((rule, f"{other} {past_up}"), f"{y} {right}", UNKNOWN, "premise replaced")


FAMILIES = {
    "comparatives": comparatives,
    "amounts": amounts,
    "arithmetic": arithmetic,
    "opening hours": opening_hours,
    "order in time": events_in_order,
    "proportions": proportions,
}
