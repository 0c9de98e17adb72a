"""Forms of English words: plurals, the parts of verbs, lists. Regular rules with the common exceptions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from compilers.kopl.units import PREFIXES
from nlq_gateway.language.lexicon import NUMBERS
from nlq_gateway.language.tables import listed as listed_words
from nlq_gateway.language.tables import own_words, phrases, rows, words

PREPOSITIONS = words("prepositions")
# What stands behind a noun begins with these.
_BEHIND = PREPOSITIONS | own_words("en", "relative")
_PLURALS: dict[str, str] = rows("plurals")
_SINGULARS = {many: one for one, many in _PLURALS.items()} | {"matrices": "matrix", "indices": "index"}
_SAME, _ENDS_IN_S = words("same_plurals"), words("singulars_in_s")
_SCALES = words("unit_scales")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_UNIT = re.compile(rf"(?:[a-z]+-)?(?:{'|'.join(PREFIXES)})?(?:{'|'.join(words('units'))})")
_PARTS = {base: (past, participle) for base, past, participle in phrases("irregular_verbs")}
_BASES = {participle: base for base, (_, participle) in _PARTS.items()}
_PASTS = {past: base for base, (past, _) in _PARTS.items()}
_NOT_PARTICIPLES, _NO_E = words("no_participles"), words("without_e")
# Endings of regular verbs after dropping a final e; exceptions are listed below.
_DROPPED_E = re.compile(
    r"(at|iz|yz|iv|av|ov|lv|rv|uc|nc|rc|ic|ac|rg|dg|ag|eg|lleng|hang|rang|ut|ot|let|plet|ir|ur|ib|ub|ud|id|od|os|us|as|"
    r"is|rs|ns|ys|[bcdfgkptz]l|fin|bin|min|lin|gin|hin|par|shar|clar|vok|ak|ik|yp|u|cit|nit)$"
)
_ONE_SYLLABLE = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]$")
# With these a verb takes -es.
_ENDS_IN_ES = ("xes", "ches", "shes", "sses", "zzes", "oes")
_LOWER = re.compile(r"[a-z][a-z'-]*$")


@lru_cache(maxsize=4096)
def plural(noun: str) -> str:
    """The plural of a noun phrase: of its head, which stands before a preposition or a participle."""
    words = noun.split(" ")
    at = _head(words)
    words[at] = _plural_word(words[at])
    return " ".join(words)


def plural_unit(unit: str) -> str:
    """The plural of a unit: kilometres per hour, degrees Celsius; what it is per has none."""
    if unit.startswith("per "):
        return unit
    named, per, other = unit.partition(" per ")
    words = named.split(" ")
    at = _unit_head(words)
    words[at] = _plural_word(words[at])
    return " ".join(words) + per + other


def unit_after(number: str, unit: str) -> str:
    """The unit as it is said after a number: hour after 1, hours after 8; a sign stays as it is."""
    return plural_unit(unit) if number != "1" and is_unit_in_full(unit) else unit


def cell_text(cell: str) -> str:
    """A table's cell as people read it, with the unit of a number as it is said: `34 days` for `34 day`."""
    number, _, unit = cell.partition(" ")
    return f"{number} {unit_after(number, unit)}" if _NUMBER.fullmatch(number) and unit else cell


def is_unit_in_full(unit: str) -> bool:
    """True if a unit's head is a known word, not a sign or an abbreviation: square kilometre, not km²."""
    words = unit.partition(" per ")[0].split(" ")
    return "/" not in unit and bool(_UNIT.fullmatch(words[_unit_head(words)]))


def _unit_head(words: Sequence[str]) -> int:
    return len(words) - 2 if len(words) > 1 and words[-1] in _SCALES else len(words) - 1


@lru_cache(maxsize=4096)
def singular(noun: str) -> str:
    """The singular of a noun phrase; itself where it is one."""
    words = noun.split(" ")
    at = _head(words)
    words[at] = _singular_word(words[at])
    return " ".join(words)


def is_plural(noun: str) -> bool:
    """True if a noun phrase is a plural."""
    return singular(noun) != noun


def _head(words: Sequence[str]) -> int:
    ends = (at for at in range(1, len(words)) if words[at] in _BEHIND or words[at].startswith("("))
    end = next(ends, len(words))
    behind = words[end:]
    while end > 1 and (_is_done(words[end - 1]) or (behind and _is_doing(words[end - 2], words[end - 1]))):
        end -= 1
    return end - 1


def _is_done(word: str) -> bool:
    """True if a word looks like a participle, and not like the verb's base: sold, but not cost."""
    return is_participle(word) and base_of_participle(word) != word


def _is_doing(noun: str, word: str) -> bool:
    """True if a form in -ing says what the things of a plural before it do: singers living."""
    return word.endswith("ing") and _singular_word(noun) != noun


def _plural_word(word: str) -> str:
    lower = word.lower()
    if lower in _PLURALS:
        return word[:1] + _PLURALS[lower][1:] if lower[0] == _PLURALS[lower][0] else _PLURALS[lower]
    if lower in _SAME or not lower[-1:].isalpha() or _singular_word(word) != word:
        return word
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word[:-3] + "men" if lower.endswith("man") and lower not in ("german", "roman") else word + "s"


def _singular_word(word: str) -> str:
    lower = word.lower()
    if lower in _SINGULARS:
        return _SINGULARS[lower]
    if lower in _SAME or lower in _ENDS_IN_S or word.isupper() or len(lower) < 4:
        return word
    if not lower.endswith("s") or lower.endswith(("ss", "us", "is", "ics", "as")):
        return word
    if lower.endswith("ies") and len(lower) > len("lies"):
        return word[:-3] + "y"
    return word[:-2] if lower.endswith(("xes", "ches", "shes", "sses", "uses")) else word[:-1]


@lru_cache(maxsize=4096)
def is_participle(word: str) -> bool:
    """True if a lower-case word looks like a past participle."""
    if word in _BASES:
        return True
    return len(word) > 3 and word.endswith("ed") and word not in _NOT_PARTICIPLES and bool(_LOWER.match(word))


def is_past(word: str) -> bool:
    """True if a lower-case word is the past tense of an irregular verb."""
    return word in _PASTS


@lru_cache(maxsize=4096)
def base_of_participle(word: str) -> str:
    """The infinitive of a past participle: directed gives direct, written gives write."""
    if word in _BASES:
        return _BASES[word]
    if word.endswith("ied"):
        return word[:-3] + "y" if len(word) > len("died") else word[:-1]
    return _restored(word[:-2])


def base_of_past(word: str) -> str:
    """The infinitive of a past tense: began gives begin, directed gives direct."""
    return _PASTS[word] if word in _PASTS else base_of_participle(word)


@lru_cache(maxsize=4096)
def base_of_gerund(word: str) -> str:
    """The infinitive of a form in -ing: starring gives star."""
    return _restored(word[:-3])


def _restored(stem: str) -> str:
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiousl":
        return stem[:-1]
    if stem in _NO_E:
        return stem
    return stem + "e" if _DROPPED_E.search(stem) or _ONE_SYLLABLE.fullmatch(stem) else stem


def base_of_third_person(word: str) -> str:
    """The infinitive of a form in -s: flows gives flow, lives gives live, has gives have."""
    if word == "has":
        return "have"
    if word.endswith("ies") and len(word) > len("lies"):
        return word[:-3] + "y"
    if word.endswith(_ENDS_IN_ES) or word[:-2] in _NO_E:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def third_person(verb: str) -> str:
    """The form with he, she or it."""
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def past(verb: str) -> str:
    """The past tense."""
    return _PARTS[verb][0] if verb in _PARTS else _with_ending(verb, "ed")


def participle(verb: str) -> str:
    """The past participle."""
    return _PARTS[verb][1] if verb in _PARTS else _with_ending(verb, "ed")


def gerund(verb: str) -> str:
    """The form in -ing."""
    if verb == "be":
        return "being"
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    return _with_ending(verb, "ing")


def _with_ending(verb: str, ending: str) -> str:
    if verb.endswith("ee"):
        return verb + ending[ending == "ed" :]
    if verb.endswith("e"):
        return verb[:-1] + ending
    if ending == "ed" and verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb) and len(verb) > 2
    return (
        verb + verb[-1] + ending
        if short or verb in ("begin", "refer", "occur", "transfer")
        else verb + ending
    )


def with_article(noun: str) -> str:
    """The noun with a or an; without where it is a plural."""
    return noun if is_plural(noun) else f"{article(noun)} {noun}"


def article(noun: str) -> str:
    """The article a or an, as the first letters want it."""
    vowel = noun[:1].lower() in "aeio" or (noun[:1].lower() == "u" and noun[:3].lower() not in ("uni", "use"))
    return "an" if vowel else "a"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """The parts as a list in words: a, b and c."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def words_of(*parts: str) -> str:
    """The parts that are not empty, with blanks between them."""
    return " ".join(part for part in parts if part)


def sentence(text: str, mark: str = "?") -> str:
    """The text as a sentence; the mark is left out where it ends so."""
    begun = text[:1].upper() + text[1:]
    return begun if begun.endswith(mark) else begun + mark


# Numbers up to ten are told in words.
_ORDINALS = ("", *listed_words("ordinals")[:10])
_NUMBERS = tuple(NUMBERS)[:11]


def ordinal(number: int) -> str:
    """The number as a place in an order."""
    if 0 < number < len(_ORDINALS):
        return _ORDINALS[number]
    last = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{last}"


def number_word(number: int) -> str:
    """A small number in letters, others in digits."""
    return _NUMBERS[number] if 0 < number < len(_NUMBERS) else str(number)
