"""Words to their dictionary forms, without a tagger: one lemma a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from whence.errors import DataError, quoted


def _inverted(text: str) -> dict[str, str]:
    """Word -> lemma of a text `lemma: word word; lemma: word`."""
    entries = [entry.partition(":") for entry in text.split(";")]
    return {word: lemma.strip() for lemma, _, words in entries for word in words.split()}


ADDITIONS: Mapping[str, str] = _inverted(
    """
    harm: harming harmful; smooth: smoothness; rough: roughness; survive: survival; protect: protection
    protective protecting; move: movement motion; communicate: communicating communication; dry: drying;
    measure: measurement measuring; person: people; migrate: migrating migration; adapt: adapting adaptation;
    grow: growth; conduct: conductive conducting conductivity conductor; season: seasonal; mass: masses; loud:
    loudly; compose: composed composition; evaporate: evaporated evaporation; rain: rainy; electric:
    electricity electrical; adaptation: adaptations; rotate: rotation rotating; birth: born; deposition:
    depositing; transportation: transporting; vibrate: vibrating vibration; form: formed formation forms;
    inhibit: inhibitor; less: lessen; die: death; feed: feeding; reproduce: reproduction; loose: looseness
    loosen; fossil: fossilized fossils; revolve: revolving revolution; reflect: reflection reflecting
    reflective reflects; leaf: leaves; react: reaction; environment: environmental; combust: combustion;
    friction: frictional; differ: difference differences different differently; pollute: pollution; wood:
    wooden; light: lightness; product: produce; digest: digestion; nature: natural; instinct: instinctive;
    describe: description; refract: refracting refraction; lose: loss; danger: dangerous; electrocute:
    electrocuted electrocution; recent: recently; lay: lays laying; adult: adulthood; one: once; volcano:
    volcanic; erupt: eruption erupting; variable: variability; sea water: seawater; rapid: rapidly; inherit:
    inheritance; wet: wetness; locate: location; erode: erosion eroded erodes; easy: easier easily; regular:
    regularly; decompose: decomposition decomposes; dramatic: dramatically; convert: vonversion; collect:
    collection; condense: condensation; defend: defense; ladybug: ladybugs; absorb: absorption; magnifying:
    magnification; conserve: conservation; rose: roses; remove: removal removing; positive: positively
    """
)
"""Lemmas of CoSaTa's schemas that join words of one root: `evaporation` is read as `evaporate`."""

_AS_LISTED: Mapping[str, str] = _inverted(
    """
    matt: matter; numb: number; much: more most; little: less least; cool: cooler; hot: hotter; close: closer;
    dim: dimmer; big: bigger; melt: molten; clothe: clothes; spin-dry: dry; bacterium: bacterium; during: during;
    grow: growing; breed: breeding; play: playing; determine: determining; smooth: smoothing; travel: travelling;
    1: first; 2: second; 3: third; 4: fourth; 5: fifth; 6: sixth; 7: seventh; 8: eighth
    """
)
"""Lemmas of the released solver's word list that published patterns ask for and `lemma` does not give."""
_VOWEL = re.compile("[aeiouy]")
_REGULAR = re.compile("[a-z]+(?:s|i[sz]ed|i[sz]ing|ated|ating)$")
"""Plurals, and verbs that are known by their endings."""


@lru_cache(maxsize=200_000)
def lemma(word: str) -> str:
    """The dictionary form of an English word, in lower case; a word that is not known stays as it is."""
    import simplemma

    return str(simplemma.lemmatize(word.lower(), lang="en")).lower() if word else ""


@lru_cache(maxsize=200_000)
def schema_lemma(word: str) -> str:
    """The dictionary form of a word as schemas write it: `lemma` with additions, and verbs for words in -ing."""
    lower = word.lower()
    if known := ADDITIONS.get(lower) or _AS_LISTED.get(lower):
        return known
    found = lemma(lower)
    return _verb(lower) if found == lower else found


def _verb(word: str) -> str:
    """The verb of a word in -ing, found through another form: `lived` for `living`, `grows` for `growing`."""
    stem = word.removesuffix("ing")
    if stem != word and _VOWEL.search(stem):
        single = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
        for form in (f"{stem}ed", f"{stem}s", f"{stem}es", f"{single}s"):
            found = lemma(form)
            if found != form and found.startswith(single):
                return found
    return word


def listed_lemma(pairs: Mapping[str, str]) -> Callable[[str], str]:
    """Dictionary forms by a list of words, CoSaTa's additions, and for words in neither regular endings."""
    known = {**pairs, **ADDITIONS}

    def find(word: str) -> str:
        lower = word.lower()
        found = known.get(lower, lower)
        return found if found != word else _regular(lower)

    return find


def parse_word_list(lines: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Numbered lines `lemma<TAB>word` as word -> lemma, in lower case; the last line for a word stands."""
    found = {}
    for number, line in lines:
        lemma_of, tab, word = line.lower().partition("\t")
        if not tab and line.strip():
            raise DataError(line=number, expected="lemma<TAB>word", found=quoted(line))
        if tab:
            found[word.strip()] = lemma_of.strip()
    return found


def _regular(word: str) -> str:
    return lemma(word) if _REGULAR.match(word) else word
