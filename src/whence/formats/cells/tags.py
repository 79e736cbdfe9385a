"""Which words carry content, and what kind of word each may be: by lists and endings, without a tagger."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DROPPED = _words(
    """
    a an the to and or but nor 's ' can could will would may might must should shall i you he she it we they
    me him her us them my your his its our their mine yours hers ours theirs myself yourself himself herself
    itself ourselves themselves one's some all each every any another both either neither those these this
    when where how what which who whom whose why whatever whichever
    """
)
"""Articles, pronouns, modal verbs and the like: no content."""

SOMETIMES_DROPPED = _words("that down off up out no there over")
"""Content or not, depending on what a tagger makes of the sentence: both readings are kept."""

_PREPOSITIONS = _words(
    """
    aboard about above across after against along although among amongst around as at because before behind
    below beneath beside besides between beyond by despite during except for from if in inside into like
    near of on onto opposite outside over per since so than that though through throughout toward towards
    under underneath unless until up upon via while whether with within without out off down
    """
)
_ADVERBS = _words(
    """
    not n't also always again almost already away back directly early enough especially ever even far fast
    here however instead just later less long more most much near never now off often once only out over
    quite rather really sometimes soon still then there therefore together too up usually very well yet
    around about down
    """
)
_ADJECTIVES = _words(
    """
    able acidic adult ancient average bad basic big black blind blue bright brown certain chemical clean
    clear close closed cold common complete complex constant cool correct curly current dangerous dark dead
    deep different difficult digital dim direct dirty dry dull early easy edible electric electrical empty
    equal extinct extreme fair false far fast fat few final fine first flat flexible fresh frozen full furry
    general gentle good gray great green grey half hard harmful healthy heavy high hollow hot huge human ill
    important inner intense internal kinetic large last late less light like little live living local long
    loose loud low magnetic main major many marine mature maximum medium metal metallic minimum modern moist
    more most natural near new next nonliving normal nuclear odd old only open opposite orange outer outside
    own particular past physical pink plain polar poor positive possible potential powerful pure purple
    quick quiet rainy rapid raw ready real recent red regular relative renewable rich right rocky rough
    round safe salty same sandy separate several severe shallow sharp short significant similar simple
    single slow small smooth soft solar solid sound sour special specific stable steep sticky still straight
    strong such sunny sweet tall thermal thick thin tiny total toxic transparent true tropical typical
    unequal uneven unique upper useful usual various vast visible visual warm weak wet white whole wide wild
    windy wooden worse worst wrong yellow young
    """
)
_ADJECTIVE_ENDINGS = re.compile(r".{2,}(?:ous|ful|less|able|ible|ical|ial|ual|nal|ral|tal|ic|ive|ary|ish)$")
_NUMBERS = _words(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
    million billion trillion
    """
)
_ORDINALS = _words("first second third fourth fifth sixth seventh eighth ninth tenth last")
_NUMBER = re.compile(r"[-+]?[\d.,/:-]*\d[\d.,/:-]*$")
_VERB_ENDINGS = re.compile(r".{2,}(?:ing|ed|ize|izes|ify|ifies)$")
_CONTENT = re.compile(r"[\w%$°]")


def is_content(token: str) -> bool:
    """Whether some reading of the token keeps it."""
    return token.lower() not in DROPPED and bool(_CONTENT.search(token))


def tags(token: str) -> frozenset[str]:
    """The tags that a word may have, by its form alone: the first two letters of the Penn tags."""
    word = token.lower()
    if _NUMBER.match(word) or word in _NUMBERS:
        return frozenset({"CD"})
    found = set()
    if word in _PREPOSITIONS:
        found.add("IN")
    if word in _ADVERBS or (word.endswith("ly") and len(word) > 4):
        found.add("RB")
    if word in _ADJECTIVES or word in _ORDINALS or _ADJECTIVE_ENDINGS.match(word):
        found.add("JJ")
    if _VERB_ENDINGS.match(word):
        found |= {"VB", "JJ", "NN"}
    return frozenset(found or {"NN", "VB"})
