"""Words of our own for the template families: kinds of things with what is true of them, people, places, wares."""

from __future__ import annotations

import random

# kind: members | what all of them do or are (verb phrases)
_KINDS = """
bird: sparrow, finch, heron, parrot, owl, crow, swallow | lay eggs; have feathers; have a beak; have hollow bones
fish: salmon, carp, tuna, pike, herring, perch | breathe through gills; have fins; live in water; be cold-blooded
mammal: bear, otter, hare, goat, wolf, bat, badger | feed milk to their young; have hair; be warm-blooded; breathe air
insect: ant, wasp, moth, cricket, beetle, grasshopper | have six legs; have antennae; have three body parts
reptile: lizard, gecko, tortoise, cobra, iguana | have scales; be cold-blooded; breathe with lungs; bask in the sun
amphibian: frog, toad, newt, salamander | have moist skin; start life in water; lay soft eggs
spider: tarantula, garden spider, wolf spider | have eight legs; make silk; eat insects
tree: oak, birch, willow, maple, pine, chestnut | have a trunk; make wood; have roots; need sunlight
flower: tulip, daisy, orchid, lily, poppy | have petals; attract bees; need water; make seeds
fruit: pear, plum, mango, cherry, melon, fig | contain seeds; grow on plants; contain sugar; be good for you
vegetable: carrot, leek, turnip, cabbage, radish | contain vitamins; be grown on farms; contain fibre
metal: copper, tin, nickel, zinc, lead, aluminium | conduct electricity; conduct heat; be shiny; melt when very hot
gemstone: ruby, emerald, opal, sapphire | be a mineral; be cut by jewellers; be expensive
vehicle: van, lorry, tram, taxi, minibus | carry passengers; have brakes; need energy to move; have wheels
boat: canoe, ferry, yacht, kayak, barge | float on water; have a hull; carry people
string instrument: violin, cello, harp, banjo, guitar | have strings; make sound by vibration; need tuning
drum: bongo, snare, tambourine | be hit to make sound; have a skin; keep the rhythm
tool: hammer, chisel, spanner, saw, drill | be used by builders; be kept in the workshop; make work easier
kitchen appliance: toaster, blender, kettle, mixer | use electricity; have a plug; come with a two-year guarantee
board game: chess, draughts, ludo, backgammon | be played on a board; have rules; need at least two players
team sport: hockey, rugby, volleyball, netball | be played by two teams; have a referee; need a ball or a puck
cheese: brie, gouda, cheddar, feta | be made from milk; contain fat; be kept in the fridge
pasta: penne, ravioli, spaghetti, lasagne | be made from flour; be boiled in water; contain starch
bread: baguette, rye loaf, ciabatta, bagel | be baked in an oven; contain flour; go stale
hot drink: coffee, tea, cocoa, mulled wine | be served in a mug; be made with hot liquid; warm you up
coat: parka, raincoat, duffel coat, anorak | have sleeves; keep you warm; hang in the hall
shoe: sandal, boot, trainer, slipper | be worn on the foot; have a sole; come in pairs
chair: stool, armchair, rocking chair, deckchair | be made to sit on; have a seat; cost less than a sofa
doctor: surgeon, dentist, paediatrician, radiologist | study for many years; treat patients; wash their hands often
craftsman: plumber, carpenter, bricklayer, electrician | work with their hands; own tools; send invoices
public building: library, museum, town hall, court | be open to visitors; belong to the town; have a fire exit
school subject: history, biology, geography, music | be taught at school; have an exam; need a teacher
monthly plan: Basic plan, Family plan, Student plan, Pro plan | renew every month; include support; be paid by card
laptop: ZX200, AirNote, WorkPad, FlexBook | have a keyboard; run on a battery; come with a charger
ticket: day ticket, return ticket, group ticket, season ticket | have a number; be checked by the inspector; have a price
planet: Mars, Venus, Saturn, Neptune | orbit the sun; be round; rotate
star: Sirius, Vega, Polaris, Rigel | give off light; be very hot; be made of gas
gas: oxygen, helium, nitrogen, methane | take the shape of its container; be made of particles; expand when heated
liquid: vinegar, milk, petrol, olive oil | flow; take the shape of its container; have a fixed volume
rock: granite, marble, basalt, slate | be made of minerals; be hard; weather slowly
fungus: truffle, chanterelle, mould, yeast | make spores; need food from other organisms; lack chlorophyll
germ: virus, bacterium, parasite | be very small; make people ill; spread from person to person
rodent: hamster, squirrel, beaver, rat | have long front teeth; gnaw things; have fur
predator: lynx, falcon, crocodile, shark | hunt other animals; eat meat; have sharp senses
fabric: wool, linen, silk, denim | be made of fibres; be cut with scissors; soak up water
spice: cumin, ginger, saffron, paprika | add flavour; be used in small amounts; keep well in a jar
fuel: coal, diesel, firewood, kerosene | release energy when burned; produce smoke; be stored away from flames
bicycle: tandem, racing bike, mountain bike | have two wheels; have pedals; need no petrol
knot: bowline, reef knot, clove hitch | be tied with a rope; be used by sailors
dance: waltz, tango, salsa, polka | be done to music; have steps; be taught in the studio
shop: bakery, butcher, florist, chemist | sell goods; have a till; close on public holidays
"""  # noqa: E501

_UPPER = """
bird, fish, mammal, insect, reptile, amphibian: animal | need oxygen; move; eat food; grow; react to their surroundings
tree, flower: plant | make their own food; need light; take in carbon dioxide; grow
metal, rock, liquid, gas: matter | have mass; take up space
vehicle, boat, bicycle: transport | move people from one place to another; need looking after
fruit, vegetable, cheese, pasta, bread: food | give the body energy; go bad after a while; be sold in shops
string instrument, drum: musical instrument | be used to make music; be played in the school band
rodent: mammal | be warm-blooded; have hair
coat, shoe: clothing | be worn on the body; be washed or cleaned; protect from the weather
tool, kitchen appliance, laptop: product | have a price; come with a receipt; can be returned within 30 days
doctor, craftsman: worker | be paid for their work; pay taxes; have working hours
planet, star: object in space | be far away; have gravity
"""  # noqa: E501


def _table(text: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    rows = {}
    for line in text.strip().splitlines():
        kind, rest = line.split(":", 1)
        members, phrases = rest.split("|")
        rows[kind.strip()] = _listed(members, ","), _listed(phrases, ";")
    return rows


def _listed(text: str, separator: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(separator))


KINDS = _table(_KINDS)
MASS = frozenset(
    [
        "copper",
        "tin",
        "nickel",
        "zinc",
        "lead",
        "aluminium",
        "chess",
        "draughts",
        "ludo",
        "backgammon",
        "hockey",
        "rugby",
        "volleyball",
        "netball",
        "brie",
        "gouda",
        "cheddar",
        "feta",
        "penne",
        "ravioli",
        "spaghetti",
        "lasagne",
        "coffee",
        "tea",
        "cocoa",
        "history",
        "biology",
        "geography",
        "music",
        "oxygen",
        "helium",
        "nitrogen",
        "methane",
        "vinegar",
        "milk",
        "petrol",
        "granite",
        "marble",
        "basalt",
        "slate",
        "wool",
        "linen",
        "silk",
        "denim",
        "cumin",
        "ginger",
        "saffron",
        "paprika",
        "coal",
        "diesel",
        "firewood",
        "kerosene",
        "mould",
        "yeast",
        "matter",
        "food",
        "clothing",
    ]
) | {"mulled wine", "olive oil", "transport"}
NAMED = frozenset(["Mars", "Venus", "Saturn", "Neptune", "Sirius", "Vega", "Polaris", "Rigel"])

UPPER: dict[str, tuple[str, tuple[str, ...]]] = {}
"""For a kind: the kind above it, and what is true of that."""
for _line in _UPPER.strip().splitlines():
    _lower, _rest = _line.split(":", 1)
    _above, _phrases = _rest.split("|")
    for _kind in _listed(_lower, ","):
        UPPER[_kind] = _above.strip(), _listed(_phrases, ";")

DISJOINT = (
    ("bird", "fish", "mammal", "insect", "reptile", "amphibian"),
    ("metal", "gas", "tree", "insect"),
    ("fruit", "fish", "metal", "bread"),
    ("planet", "star"),
    ("string instrument", "drum"),
    ("vehicle", "boat"),
    ("doctor", "craftsman"),
    ("team sport", "board game"),
    ("hot drink", "cheese", "bread"),
)
PHRASES = tuple(sorted({phrase for _, phrases in KINDS.values() for phrase in phrases}))
INVENTED = [
    "wug",
    "blick",
    "dax",
    "zorp",
    "florp",
    "glim",
    "quandle",
    "trib",
    "mave",
    "snark",
    "plonk",
    "gavver",
    "yillow",
    "brimp",
    "toma",
    "vextor",
    "lumple",
    "crindle",
    "hask",
    "norp",
    "jabbit",
    "pelloon",
    "rund",
    "stipple",
    "wozzle",
    "kibe",
    "fendle",
    "marn",
    "olik",
]
INVENTED_PHRASES = [
    "be green",
    "be made in Norway",
    "glow in the dark",
    "cost more than a car",
    "like music",
    "have three handles",
    "be noisy",
    "be allowed in the garden",
    "smell of mint",
    "can swim",
    "can climb trees",
    "sleep all day",
    "fit in a pocket",
    "eat stones",
    "be good at chess",
    "float",
    "dislike rain",
    "carry a number",
    "be older than the town",
    "sing at dawn",
    "be fragile",
    "belong to the king",
    "live underground",
    "can count to ten",
    "be sticky",
    "shrink in the wash",
    "run on steam",
]
SPECIFICS = (
    "on Tuesdays",
    "at night",
    "in winter",
    "twice a day",
    "in the north",
    "every morning",
    "only in summer",
    "before breakfast",
    "in large groups",
    "without help",
    "for exactly two hours",
    "in Portugal",
    "near the coast",
    "when nobody is looking",
    "more than anything else",
    "on the third floor",
    "with a friend",
)

WOMEN = [
    "Anna",
    "Maria",
    "Sofia",
    "Emma",
    "Julia",
    "Clara",
    "Nina",
    "Olga",
    "Ruth",
    "Helen",
    "Priya",
    "Fatima",
    "Aisha",
    "Mei",
    "Yuki",
    "Laura",
    "Elena",
    "Ines",
    "Marta",
    "Zoe",
    "Grace",
    "Lucy",
    "Hannah",
    "Amira",
    "Leila",
    "Rosa",
    "Carmen",
    "Ingrid",
    "Nadia",
    "Tessa",
    "Diana",
    "Petra",
    "Joan",
    "Wanda",
]
MEN = [
    "Tom",
    "David",
    "Ali",
    "Omar",
    "Ravi",
    "Jack",
    "Peter",
    "Paul",
    "Hugo",
    "Leo",
    "Max",
    "Oscar",
    "Ivan",
    "Kenji",
    "Liam",
    "Noah",
    "Samuel",
    "Victor",
    "Felix",
    "Martin",
    "Carlos",
    "Diego",
    "Yusuf",
    "Amir",
    "George",
    "Henry",
    "Erik",
    "Lars",
    "Pablo",
    "Stefan",
    "Bruno",
    "Walter",
    "Colin",
    "Frank",
]
PEOPLE = (*WOMEN, *MEN)
PETS = ["Rex", "Bella", "Milo", "Luna", "Rocky", "Coco", "Daisy", "Simba", "Ginger", "Pepper"]
COLOURS = ["red", "blue", "green", "yellow", "white", "black", "brown", "grey", "orange", "purple", "pink"]
MATERIALS = ["wood", "steel", "plastic", "glass", "leather", "cotton", "paper", "stone", "brass", "rubber"]
THINGS = [
    "bag",
    "cup",
    "bicycle",
    "car",
    "chair",
    "umbrella",
    "hat",
    "jacket",
    "notebook",
    "phone",
    "lamp",
    "table",
    "key",
    "box",
    "suitcase",
    "watch",
    "book",
    "tent",
    "scarf",
    "vase",
    "ladder",
    "basket",
    "guitar",
    "camera",
    "sofa",
    "carpet",
    "bucket",
    "kite",
    "helmet",
    "wallet",
    "blanket",
    "pan",
]
FOODS = [
    "soup",
    "bread",
    "a sandwich",
    "pizza",
    "an apple",
    "rice",
    "salad",
    "pancakes",
    "cake",
    "noodles",
    "an omelette",
    "yoghurt",
]
TOWNS = [
    "Paris:France",
    "Lyon:France",
    "Rome:Italy",
    "Milan:Italy",
    "Madrid:Spain",
    "Seville:Spain",
    "Berlin:Germany",
    "Hamburg:Germany",
    "Oslo:Norway",
    "Bergen:Norway",
    "Dublin:Ireland",
    "Cork:Ireland",
    "Kyoto:Japan",
    "Osaka:Japan",
    "Cairo:Egypt",
    "Lima:Peru",
    "Boston:America",
    "Chicago:America",
    "Toronto:Canada",
    "Leeds:England",
    "Bristol:England",
    "Lisbon:Portugal",
    "Porto:Portugal",
    "Delhi:India",
    "Mumbai:India",
    "Nairobi:Kenya",
    "Accra:Ghana",
    "Vienna:Austria",
    "Graz:Austria",
]
COUNTRY = dict(town.split(":") for town in TOWNS)
ROOMS = [
    "kitchen",
    "bathroom",
    "cellar",
    "attic",
    "garage",
    "bedroom",
    "living room",
    "study",
    "hall",
    "laundry room",
]
SITES = [
    "library",
    "station",
    "swimming pool",
    "market",
    "post office",
    "town hall",
    "park",
    "hospital",
    "airport",
    "cinema",
    "bank",
    "museum",
]
SHOPS = [
    "bakery",
    "pharmacy",
    "bookshop",
    "butcher's",
    "café",
    "hairdresser's",
    "garden centre",
    "bike shop",
    "toy shop",
    "supermarket",
    "gym",
    "clinic",
    "help desk",
    "ticket office",
    "reception",
    "canteen",
    "cloakroom",
    "car park",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
EVENTS = [
    "concert",
    "meeting",
    "lecture",
    "match",
    "wedding",
    "dinner",
    "exam",
    "rehearsal",
    "film",
    "workshop",
    "parade",
    "auction",
    "picnic",
    "job interview",
    "sailing lesson",
    "school trip",
    "book reading",
    "dance class",
    "staff party",
    "fire drill",
]
ACTIONS = [
    "wash the car",
    "water the plants",
    "feed the cat",
    "bake a cake",
    "call the bank",
    "clean the windows",
    "paint the fence",
    "write a letter",
    "buy milk",
    "post the parcel",
    "mow the lawn",
    "pay the rent",
    "fix the tap",
    "book the hotel",
    "pack the suitcase",
    "send the invoice",
    "close the shop",
    "walk the dog",
    "make the beds",
    "sign the form",
    "print the tickets",
    "order a taxi",
    "visit the museum",
    "finish the report",
    "peel the potatoes",
    "tidy the attic",
    "cancel the order",
    "iron the shirts",
]
HABITS = [
    "drink coffee",
    "eat meat",
    "smoke",
    "play tennis",
    "speak French",
    "read newspapers",
    "drive to work",
    "work on Sundays",
    "sing in a choir",
    "wear glasses",
    "have a dog",
    "like opera",
    "own a car",
    "go jogging",
    "use social media",
    "live alone",
    "work at the hospital",
    "take the bus",
    "play the piano",
    "keep bees",
    "collect stamps",
    "eat breakfast",
    "watch football",
    "sleep late",
    "grow tomatoes",
    "travel by plane",
    "study law",
    "have a driving licence",
    "wear a uniform",
    "live in the city",
    "ride a motorbike",
]
STATES = [
    "be tired",
    "be hungry",
    "be at home",
    "be on holiday",
    "be ill",
    "be married",
    "be in the garden",
    "be late",
    "be retired",
    "be a vegetarian",
    "be ready",
    "be asleep",
    "be angry",
    "be left-handed",
    "be a nurse",
    "be a member of the club",
    "be busy",
    "be in debt",
    "be famous",
]
OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in [
        "open/closed",
        "full/empty",
        "hot/cold",
        "wet/dry",
        "clean/dirty",
        "heavy/light",
        "cheap/expensive",
        "old/new",
        "long/short",
        "wide/narrow",
        "loud/quiet",
        "rich/poor",
        "strong/weak",
        "safe/dangerous",
        "awake/asleep",
        "alive/dead",
        "early/late",
        "hard/soft",
        "fast/slow",
        "sweet/sour",
        "smooth/rough",
        "bright/dark",
        "thick/thin",
        "deep/shallow",
        "polite/rude",
        "guilty/innocent",
        "true/false",
        "visible/invisible",
        "legal/illegal",
        "possible/impossible",
        "broken/intact",
        "locked/unlocked",
        "present/absent",
        "free/occupied",
        "raw/cooked",
        "fresh/stale",
        "tall/short",
        "tidy/untidy",
        "lit/unlit",
        "married/unmarried",
        "optional/compulsory",
        "public/private",
        "indoor/outdoor",
    ]
)


def people(chance: random.Random, count: int) -> list[str]:
    """Different first names."""
    return chance.sample(PEOPLE, count)


def member_forms(noun: str) -> tuple[str, str, bool]:
    """A noun as a subject in the singular and as used in general, and whether the latter is a plural."""
    from whence.tasks.contrast.english import plural, with_article

    if noun in NAMED:
        return noun, noun, False
    if noun in MASS:
        return noun, noun, False
    if noun[0].isupper() or noun.endswith(" plan"):
        return f"the {noun}", f"the {noun}", False
    return with_article(noun), plural(noun), True
