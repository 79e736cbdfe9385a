"""Words to their dictionary forms, without a tagger: one lemma a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from whence.errors import DataError, quoted

ADDITIONS: Mapping[str, str] = {
    word: "sea water" if lemma == "sea_water" else lemma
    for pair in """
        harm<harming,harmful smooth<smoothness rough<roughness survive<survival protect<protection,protective,protecting
        move<movement,motion communicate<communicating,communication dry<drying measure<measurement,measuring
        person<people migrate<migrating,migration adapt<adapting,adaptation grow<growth
        conduct<conductive,conducting,conductivity,conductor season<seasonal mass<masses loud<loudly
        compose<composed,composition evaporate<evaporated,evaporation rain<rainy electric<electricity,electrical
        adaptation<adaptations rotate<rotation,rotating birth<born deposition<depositing transportation<transporting
        vibrate<vibrating,vibration form<formed,formation,forms inhibit<inhibitor less<lessen die<death feed<feeding
        reproduce<reproduction loose<looseness,loosen fossil<fossilized,fossils revolve<revolving,revolution
        reflect<reflection,reflecting,reflective,reflects leaf<leaves react<reaction environment<environmental
        combust<combustion friction<frictional differ<difference,differences,different,differently pollute<pollution
        wood<wooden light<lightness product<produce digest<digestion nature<natural instinct<instinctive
        describe<description refract<refracting,refraction lose<loss danger<dangerous
        electrocute<electrocuted,electrocution recent<recently lay<lays,laying adult<adulthood one<once
        volcano<volcanic erupt<eruption,erupting variable<variability sea_water<seawater rapid<rapidly
        inherit<inheritance wet<wetness locate<location erode<erosion,eroded,erodes easy<easier,easily
        regular<regularly decompose<decomposition,decomposes dramatic<dramatically convert<vonversion
        collect<collection condense<condensation defend<defense ladybug<ladybugs absorb<absorption
        magnifying<magnification conserve<conservation rose<roses remove<removal,removing positive<positively
    """.split()
    for lemma, _, words in [pair.partition("<")]
    for word in words.split(",")
}
"""Lemmas of CoSaTa's schemas that join words of one root: `evaporation` is read as `evaporate`."""

_REGULAR = re.compile("[a-z]+(?:s|i[sz]ed|i[sz]ing|ated|ating)$")
"""Plurals, and verbs that are known by their endings."""


@lru_cache(maxsize=200_000)
def lemma(word: str) -> str:
    """The dictionary form of an English word, in lower case; a word that is not known stays as it is."""
    import simplemma

    return str(simplemma.lemmatize(word.lower(), lang="en")).lower() if word else ""


def schema_lemma(word: str) -> str:
    """The dictionary form of a word for schemas: `lemma` with CoSaTa's additions."""
    found = ADDITIONS.get(word.lower())
    return lemma(word) if found is None else found


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
