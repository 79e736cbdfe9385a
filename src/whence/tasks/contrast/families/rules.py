"""Rules: policies of a help desk, if and then, unless, causes, parts and materials, needs and uses."""

from __future__ import annotations

import random
from collections.abc import Iterator

from whence.structures.verdict import CONTRADICTS, FOLLOWS, UNKNOWN
from whence.tasks.contrast.contrasts import Contrast
from whence.tasks.contrast.english import negative, plural, say, with_article
from whence.tasks.contrast.lexicon import DAYS, INVENTED, PEOPLE

# who | condition (base form) | condition in the past or present of a person | what then holds (base form)
_POLICIES = tuple(
    tuple(part.strip() for part in line.split("|"))
    for line in """
customer | return the goods unopened | returned the goods unopened | get a full refund
customer | pay by bank transfer | paid by bank transfer | get three percent off
customer | spend more than fifty pounds | spent more than fifty pounds | get free delivery
customer | have a loyalty card | has a loyalty card | can park for free
customer | report the fault in writing | reported the fault in writing | be entitled to a repair
member | pay the yearly fee | paid the yearly fee | can use the sauna
member | bring a guest | brought a guest | must sign the visitors' book
member | miss three meetings | missed three meetings | lose the right to vote
student | fail the exam | failed the exam | can repeat it in autumn
student | hand in work late | handed in work late | lose ten marks
student | finish all exercises | finished all exercises | get a certificate
student | be under sixteen | is under sixteen | need a letter from a parent
employee | work on a public holiday | worked on a public holiday | be paid double
employee | be ill for more than three days | has been ill for more than three days | need a doctor's note
employee | work night shifts | works night shifts | be paid a bonus
employee | lose the key card | lost the key card | have to tell security
passenger | have no valid ticket | has no valid ticket | have to pay a fine
passenger | miss the last train | missed the last train | can take a taxi at our expense
passenger | travel with a bicycle | is travelling with a bicycle | need an extra ticket
passenger | be in a wheelchair | is in a wheelchair | can board first
tenant | pay the rent late | paid the rent late | be charged a fee
tenant | keep a dog | keeps a dog | need the landlord's permission
guest | check out after noon | checked out after noon | be charged for another night
guest | book directly with us | booked directly with us | get breakfast for free
driver | park on the pavement | parked on the pavement | get a parking ticket
driver | drive too fast | drove too fast | can lose the licence
player | get two yellow cards | got two yellow cards | be sent off
player | be injured | is injured | can be replaced
team | win the final | won the final | get the cup
patient | have a fever | has a fever | have to stay at home
patient | take these tablets | is taking these tablets | must not drink alcohol
library user | return a book late | returned a book late | have to pay fifty cents a day
subscriber | cancel before the end of the month | cancelled before the end of the month | pay nothing
subscriber | refer a friend | referred a friend | get one month free
user | enter the wrong password five times | entered the wrong password five times | be locked out
user | delete the account | deleted the account | lose all saved files
pensioner | show a pass | showed a pass | travel at half price
child | be shorter than one metre | is shorter than one metre | ride the train for free
visitor | arrive before ten | arrived before ten | pay the reduced price
applicant | send incomplete papers | sent incomplete papers | be rejected
""".strip().splitlines()
)
_CAUSES = tuple(
    tuple(part.strip() for part in line.split(">"))
    for line in """
heavy rain > flooding > damage to houses > higher insurance costs
lack of sleep > poor concentration > mistakes at work
a power cut > the lift stopping > people being late
rust > weak bridges > road closures
a strike > cancelled flights > full hotels
smoking > lung damage > shortness of breath
dry weather > forest fires > smoke in the city > closed schools
a leaking roof > damp walls > mould
overwatering > root rot > dead plants
loud music > complaints from neighbours > a visit from the police
high interest rates > fewer loans > fewer new houses
a flat battery > a car that will not start > a missed appointment
too much sugar > bad teeth > visits to the dentist
deforestation > soil erosion > muddy rivers
friction > heat > expansion of the metal
a virus infection > fever > dehydration
a cold winter > frozen pipes > burst pipes
""".strip().splitlines()
)


def policies(chance: random.Random) -> Iterator[Contrast]:
    """A rule with a condition, a person who meets it or not."""
    (who, condition, met, result), (_, other_condition, other_met, other_result) = chance.sample(_POLICIES, 2)
    a, b = chance.sample(PEOPLE, 2)
    name = f"the {who}" if who == "team" else a
    many = plural(who)
    unmet = f"{name} {negative(condition, tense='past' if _is_past(met) else 'present', chance=chance)}"
    fact = f"{name} {met}"
    member = [] if who == "team" else [f"{a} is {with_article(who)}"]
    rule = chance.choice(
        (
            f"if {with_article(who)} {say('', condition).strip()}, they {say('', result, many=True).strip()}",
            f"{many} who {say('', condition, many=True).strip()} {say('', result, many=True).strip()}",
            f"every {who} who {say('', condition).strip()} {say('', result).strip()}",
            f"when {with_article(who)} {say('', condition).strip()}, the {who} {say('', result).strip()}",
            f"any {who} who {say('', condition).strip()} {say('', result).strip()}",
        )
    )
    yes, no = say(name, result, chance=chance), say(name, result, yes=False, chance=chance)
    given = (rule, *member, fact)
    yield Contrast(given, yes, FOLLOWS, "rule")
    yield Contrast(given, no, CONTRADICTS, "rule")
    yield Contrast((rule, *member), yes, UNKNOWN, "premise dropped")
    yield Contrast((rule, *member, unmet), yes, UNKNOWN, "condition not met")
    yield Contrast((rule, *member, f"{name} {other_met}"), yes, UNKNOWN, "premise replaced")
    yield Contrast(given, say(name, other_result, chance=chance), UNKNOWN, "other result")
    yield Contrast((rule, *member, yes), fact, UNKNOWN, "affirming the consequent")
    if who != "team":
        yield Contrast(
            (*given, f"{b} is {with_article(who)} too"), say(b, result, chance=chance), UNKNOWN, "other person"
        )
    only = f"only {many} who {say('', condition, many=True).strip()} {say('', result, many=True).strip()}"
    yield Contrast((only, *member, unmet), no, FOLLOWS, "only")
    yield Contrast((only, *member, unmet), yes, CONTRADICTS, "only")
    unless = (
        f"{with_article(who)} {say('', result).strip()} unless they {say('', other_condition, many=True).strip()}"
    )
    other_unmet = (
        f"{name} {negative(other_condition, tense='past' if _is_past(other_met) else 'present', chance=chance)}"
    )
    yield Contrast((unless, *member, other_unmet), yes, FOLLOWS, "unless")
    yield Contrast((unless, *member, other_unmet), no, CONTRADICTS, "unless")


def _is_past(met: str) -> bool:
    return met.split(" ")[0] not in ("has", "is", "works", "keeps")


def limits(chance: random.Random) -> Iterator[Contrast]:
    """Rules with numbers: deadlines, ages, weights, amounts."""
    a, b = chance.sample(PEOPLE, 2)
    number = chance.choice((5, 7, 10, 12, 14, 18, 20, 21, 30, 60))
    under, over = number - chance.randint(1, max(1, number // 2)), number + chance.randint(1, 20)
    rule, low, high, yes, no, low_is_yes = chance.choice(
        (
            (
                f"goods can be returned within {number} days",
                f"{a} bought the coat {under} days ago",
                f"{a} bought the coat {over} days ago",
                f"{a} can return the coat",
                f"{a} can no longer return the coat",
                True,
            ),
            (
                f"you must be at least {number} years old to join",
                f"{a} is {under} years old",
                f"{a} is {over} years old",
                f"{a} is old enough to join",
                f"{a} may not join",
                False,
            ),
            (
                f"only bags over {number} kilograms cost extra",
                f"{a}'s bag weighs {under} kilograms",
                f"{a}'s bag weighs {over} kilograms",
                f"{a} has to pay extra for the bag",
                f"{a}'s bag does not cost extra",
                False,
            ),
            (
                f"only orders over {number} euros are delivered free of charge",
                f"{a}'s order comes to {under} euros",
                f"{a}'s order comes to {over} euros",
                f"{a}'s order is delivered for free",
                f"{a} does not get free delivery because of the amount",
                False,
            ),
            (
                f"only children under {number} swim for free",
                f"{a} is a child aged {under}",
                f"{a} is {over} years old",
                f"{a} can swim without paying",
                f"{a} does not count as a child under {number}",
                True,
            ),
            (
                f"the lift carries at most {number} people",
                f"{under} people want to use the lift",
                f"{over} people want to use the lift",
                "the lift can carry them all at once",
                "the lift cannot carry all of them at once",
                True,
            ),
            (
                f"a pass needs at least {number} points",
                f"{a} got {under} points",
                f"{a} got {over} points",
                f"{a} has passed",
                f"{a} has not passed",
                False,
            ),
            (
                f"the speed limit on this road is {number} km/h",
                f"{a} drove at {under} km/h",
                f"{a} drove at {over} km/h",
                f"{a} kept to the speed limit",
                f"{a} drove too fast",
                True,
            ),
        )
    )
    for fact, is_yes in ((low, low_is_yes), (high, not low_is_yes)):
        yield Contrast((rule, fact), yes, FOLLOWS if is_yes else CONTRADICTS, "limit")
        yield Contrast((rule, fact), no, CONTRADICTS if is_yes else FOLLOWS, "limit")
    yield Contrast((rule,), yes, UNKNOWN, "premise dropped")
    yield Contrast(
        (rule, chance.choice((low, high)).replace(a, b)),
        yes if a in yes else f"{a} is first",
        UNKNOWN,
        "other person",
    )


def conditionals(chance: random.Random) -> Iterator[Contrast]:
    """If and then with whole sentences, chained, with what may and may not be concluded."""
    openings = (
        ("it rains", "it is raining"),
        ("the alarm rings", "the alarm is ringing"),
        ("the bus is late", "the bus is late"),
        ("the light is red", "the light is red"),
        ("the flag is up", "the flag is up"),
        ("it snows", "it is snowing"),
        ("the shop runs out of flour", "the shop has run out of flour"),
        ("the tide is high", "the tide is high"),
        ("the lake freezes", "the lake has frozen"),
        ("the baby cries", "the baby is crying"),
        ("the server crashes", "the server has crashed"),
        ("the moon is full", "the moon is full"),
    )
    results = (
        ("the match is cancelled", "the match is not cancelled"),
        ("the road is closed", "the road is not closed"),
        ("everyone leaves the building", "not everyone leaves the building"),
        ("the dog barks", "the dog does not bark"),
        ("the bridge goes up", "the bridge does not go up"),
        ("the shop sells no bread", "the shop sells bread"),
        ("the children stay at home", "the children do not stay at home"),
        ("the pump starts", "the pump does not start"),
        ("the office sends a message", "the office does not send a message"),
        ("the ferry waits", "the ferry does not wait"),
        ("the prices go up", "the prices do not go up"),
        ("the guests eat inside", "the guests do not eat inside"),
    )
    (cause, fact), (other_cause, other_fact) = chance.sample(openings, 2)
    (result, denied), (second, second_denied) = chance.sample(results, 2)
    rule = chance.choice(
        (
            f"if {cause}, {result}",
            f"{result} whenever {cause}",
            f"when {cause}, {result}",
            f"if {cause} then {result}",
        )
    )
    chain = f"if {result}, {second}"
    yield Contrast((rule, fact), result, FOLLOWS, "modus ponens")
    yield Contrast((rule, fact), denied, CONTRADICTS, "modus ponens")
    yield Contrast((rule, fact, chain), second, FOLLOWS, "chain of rules")
    yield Contrast((rule, fact, chain), second_denied, CONTRADICTS, "chain of rules")
    yield Contrast((rule,), result, UNKNOWN, "premise dropped")
    yield Contrast((rule, other_fact), result, UNKNOWN, "premise replaced")
    yield Contrast((rule, f"it is true that {result}"), fact, UNKNOWN, "affirming the consequent")
    yield Contrast((rule, denied), f"it is not true that {fact}", FOLLOWS, "modus tollens")
    yield Contrast((rule, fact), second, UNKNOWN, "other result")
    yield Contrast((rule, f"if {other_cause}, {second}", other_fact), result, UNKNOWN, "other rule")
    yield Contrast((rule, f"if {other_cause}, {second}", other_fact), second, FOLLOWS, "modus ponens")


def causes(chance: random.Random) -> Iterator[Contrast]:
    """Chains of causes."""
    first, second, *rest = chance.choice(_CAUSES)
    third = rest[0]
    stranger = chance.choice([chain for chain in _CAUSES if chain[0] != first])[1]
    verb = chance.choice(("causes", "leads to", "results in"))
    given = (f"{first} {chance.choice(('causes', 'leads to'))} {second}", f"{second} {verb} {third}")
    yield Contrast(
        given,
        f"{first} {chance.choice(('can lead to', 'can cause', 'leads to', 'is a cause of'))} {third}",
        FOLLOWS,
        "chain of causes",
    )
    yield Contrast(
        given,
        f"{first} {chance.choice(('cannot lead to', 'does not cause', 'never leads to'))} {third}",
        CONTRADICTS,
        "negated",
    )
    yield Contrast(given, f"{third} {verb} {first}", UNKNOWN, "roles exchanged")
    yield Contrast(given, f"{first} {verb} {stranger}", UNKNOWN, "other result")
    yield Contrast(given[:1], f"{first} {verb} {third}", UNKNOWN, "premise dropped")
    yield Contrast(given, f"{third} is always caused by {first}", UNKNOWN, "too strong")
    yield Contrast(given, f"{second} is caused by {first}", FOLLOWS, "passive")


def relations(chance: random.Random) -> Iterator[Contrast]:
    """Verbs with two roles: exchanged roles are unknown, the passive follows."""
    triples = (
        ("fox", "eat", "eaten", "rabbit"),
        ("cat", "chase", "chased", "mouse"),
        ("shark", "hunt", "hunted", "seal"),
        ("magnet", "attract", "attracted", "nail"),
        ("teacher", "help", "helped", "pupil"),
        ("bee", "visit", "visited", "flower"),
        ("police officer", "stop", "stopped", "driver"),
        ("gardener", "water", "watered", "rose"),
        ("nurse", "wash", "washed", "patient"),
        ("dog", "guard", "guarded", "house"),
        ("truck", "pull", "pulled", "trailer"),
        ("baker", "bake", "baked", "cake"),
        ("judge", "question", "questioned", "witness"),
        ("heron", "catch", "caught", "frog"),
        ("farmer", "feed", "fed", "pig"),
        ("club", "employ", "employed", "coach"),
        ("programme", "control", "controlled", "robot"),
        ("filter", "clean", "cleaned", "pond"),
    )
    agent, verb, participle, target = chance.choice(triples)
    if chance.random() < 0.25:
        agent, target = chance.sample(INVENTED, 2)
    other = chance.choice([triple[0] for triple in triples if triple[0] not in (agent, target)])
    many = chance.random() < 0.5
    a, b, c = (plural(word) if many else f"the {word}" for word in (agent, target, other))
    said = say(a, f"{verb} {b}", many=many)
    be = "are" if many else "is"
    given: tuple[str, ...] = (said,)
    if chance.random() < 0.5:
        given = (
            said,
            say(
                c,
                f"{chance.choice(('need', 'like', 'carry'))} {chance.choice(('water', 'a rest', 'a number'))}",
                many=many,
            ),
        )
    yield Contrast(given, f"{b} {be} {participle} by {a}", FOLLOWS, "passive")
    yield Contrast(given, f"{b} {be} not {participle} by {a}", CONTRADICTS, "passive negated")
    yield Contrast(given, say(a, f"{verb} {b}", many=many, yes=False, chance=chance), CONTRADICTS, "negated")
    yield Contrast(given, say(b, f"{verb} {a}", many=many), UNKNOWN, "roles exchanged")
    yield Contrast(given, f"{a} {be} {participle} by {b}", UNKNOWN, "roles exchanged")
    yield Contrast(given, say(c, f"{verb} {b}", many=many), UNKNOWN, "other entity")
    yield Contrast(given, say(a, f"{verb} {c}", many=many), UNKNOWN, "other entity")


def parts_and_uses(chance: random.Random) -> Iterator[Contrast]:
    """Made of, part of, used for, needed for."""
    materials = (
        ("oak", "wood"),
        ("brass", "metal"),
        ("steel", "metal"),
        ("silk", "fabric"),
        ("polyester", "plastic"),
        ("granite", "stone"),
        ("porcelain", "ceramic"),
        ("nylon", "plastic"),
        ("copper", "metal"),
    )
    facts = {
        "wood": ("can burn", "float on water"),
        "metal": ("conduct electricity", "get hot in the sun"),
        "fabric": ("can be folded", "can be sewn"),
        "plastic": ("not rot", "be hard to recycle"),
        "stone": ("be heavy", "last for centuries"),
        "ceramic": ("break easily", "withstand heat"),
    }
    material, group = chance.choice(materials)
    thing, other = chance.sample(
        (
            "statue",
            "spoon",
            "bench",
            "wire",
            "curtain",
            "rope",
            "floor",
            "bowl",
            "gate",
            "button",
            "pipe",
            "door handle",
            "tray",
            "bell",
        ),
        2,
    )
    phrase = next(phrase for phrase in chance.sample(facts[group], 2) if not phrase.startswith("not "))
    wrong = chance.choice([name for name in facts if name != group])
    given = (
        f"the {thing} is made of {material}",
        f"{material} is a kind of {group}",
        say(f"things made of {group}", phrase, many=True),
    )
    yield Contrast(given[:2], f"the {thing} is made of {group}", FOLLOWS, "material")
    yield Contrast(given, say(f"the {thing}", phrase, chance=chance), FOLLOWS, "material")
    yield Contrast(given, say(f"the {thing}", phrase, yes=False, chance=chance), CONTRADICTS, "negated")
    yield Contrast(given, f"the {thing} is not made of {group}", CONTRADICTS, "negated")
    yield Contrast(given, say(f"the {other}", phrase, chance=chance), UNKNOWN, "other thing")
    yield Contrast(given[1:], say(f"the {thing}", phrase, chance=chance), UNKNOWN, "premise dropped")
    yield Contrast((given[0], given[2]), f"the {thing} is made of {wrong}", UNKNOWN, "other material")
    wholes = (
        ("engine", "car"),
        ("keyboard", "laptop"),
        ("petal", "flower"),
        ("wing", "plane"),
        ("chapter", "novel"),
        ("heart", "body"),
        ("chain", "bicycle"),
        ("roof", "house"),
        ("goal", "football pitch"),
        ("root", "plant"),
    )
    part, whole = chance.choice(wholes)
    colour = chance.choice(("breaks", "is replaced", "is missing", "gets wet"))
    has = chance.choice(
        (f"{with_article(part)} is part of {with_article(whole)}", f"every {whole} has {with_article(part)}")
    )
    yield Contrast((has,), f"{with_article(whole)} has {with_article(part)}", FOLLOWS, "part")
    yield Contrast((has,), f"{with_article(part)} has {with_article(whole)}", UNKNOWN, "roles exchanged")
    yield Contrast((has,), f"the {part} {colour} often", UNKNOWN, "other property")
    needs = (
        ("bake bread", "an oven"),
        ("develop photos", "a darkroom"),
        ("cross the lake", "a boat"),
        ("open the safe", "a code"),
        ("enter the country", "a visa"),
        ("vote", "an identity card"),
        ("paint the ceiling", "a ladder"),
        ("print the posters", "a printer"),
        ("play the match", "a referee"),
        ("climb the wall", "a rope"),
    )
    act, need = chance.choice(needs)
    who, friend = chance.sample(PEOPLE, 2)
    rule = chance.choice(
        (f"to {act} you need {need}", f"nobody can {act} without {need}", f"{need} is required to {act}")
    )
    lacks = chance.choice((f"{who} does not have {need}", f"{who} has no {need.split(' ', 1)[1]}"))
    yield Contrast((rule, lacks), f"{who} cannot {act}", FOLLOWS, "need")
    yield Contrast((rule, lacks), f"{who} can {act} right now", CONTRADICTS, "need")
    yield Contrast((rule, lacks), f"{friend} cannot {act}", UNKNOWN, "other person")
    yield Contrast((rule, f"{who} is able to {act}"), f"{who} has {need}", FOLLOWS, "need turned round")
    yield Contrast((rule,), f"{who} cannot {act}", UNKNOWN, "premise dropped")


def permissions(chance: random.Random) -> Iterator[Contrast]:
    """What is allowed, forbidden, compulsory, free of charge, on which days."""
    place, other = chance.sample(
        (
            "the park",
            "the museum",
            "the library",
            "the train",
            "the hotel",
            "the pool",
            "the campsite",
            "the office",
            "the school",
            "the cinema",
            "the beach",
            "the plane",
        ),
        2,
    )
    act, another = chance.sample(
        (
            ("smoking", "smoke"),
            ("taking photos", "take photos"),
            ("eating", "eat"),
            ("swimming", "swim"),
            ("cycling", "cycle"),
            ("playing music", "play music"),
            ("camping", "camp"),
            ("using phones", "use a phone"),
            ("bringing dogs", "bring a dog"),
            ("fishing", "fish"),
        ),
        2,
    )
    near = chance.choice(("in", "at"))
    day = chance.choice(DAYS)
    allowed = chance.choice(
        (
            f"{act[0]} is allowed {near} {place}",
            f"visitors may {act[1]} {near} {place}",
            f"{act[0]} is permitted {near} {place}",
        )
    )
    banned = chance.choice(
        (
            f"{act[0]} is forbidden {near} {place}",
            f"{act[0]} is not allowed {near} {place}",
            f"nobody may {act[1]} {near} {place}",
            f"{act[0]} is banned {near} {place}",
            f"you must not {act[1]} {near} {place}",
        )
    )
    can, cannot = f"people may {act[1]} {near} {place}", f"it is against the rules to {act[1]} {near} {place}"
    unsaid = f"{another[0]} is allowed {near} {place}"
    yield Contrast((allowed,), can, FOLLOWS, "allowed")
    yield Contrast((allowed,), cannot, CONTRADICTS, "allowed")
    yield Contrast((banned,), cannot, FOLLOWS, "forbidden")
    yield Contrast((banned,), can, CONTRADICTS, "forbidden")
    yield Contrast((chance.choice((allowed, banned)),), unsaid, UNKNOWN, "other property")
    yield Contrast((banned,), f"{act[0]} is forbidden {near} {other}", UNKNOWN, "other place")
    yield Contrast((allowed,), f"everyone must {act[1]} {near} {place}", UNKNOWN, "too strong")
    free = chance.choice((f"entry to {place} is free on {day}s", f"nobody pays to enter {place} on {day}s"))
    yield Contrast((free, banned), f"you do not have to pay to get into {place} on a {day}", FOLLOWS, "free")
    yield Contrast((free, banned), f"you have to buy a ticket for {place} on {day}", CONTRADICTS, "free")
    yield Contrast((free, banned), f"entry to {other} is free on {day}s", UNKNOWN, "other place")
    yield Contrast((free, banned), f"{place} is crowded on {day}s", UNKNOWN, "likely, not given")


FAMILIES = {
    "policies": policies,
    "limits": limits,
    "conditionals": conditionals,
    "causes": causes,
    "relations": relations,
    "parts and uses": parts_and_uses,
    "permissions": permissions,
}
