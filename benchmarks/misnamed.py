"""Human spellings of a name that differ from the graph's, each a seeded rule on the name alone."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Mapping

Rule = Callable[[str, random.Random], str]

_LEAST_WORD = 4
_SOUNDS = (
    ("ph", "f"),
    ("ck", "k"),
    ("qu", "kw"),
    ("sch", "sh"),
    ("ei", "ie"),
    ("ie", "ei"),
    ("ou", "u"),
    ("ee", "ea"),
    ("th", "t"),
    ("y", "i"),
    ("c", "k"),
    ("z", "s"),
    ("v", "w"),
)
_NUMERALS = {"II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8", "IX": "9"}
_DIGITS = {digit: numeral for numeral, digit in _NUMERALS.items()}
_BRACKET = re.compile(r" *\([^)]*\)$")
_TITLES = ("Dr.", "Mr", "Sir", "Professor")
_FORMS = ("Inc.", "GmbH", "Ltd")
_PARTICLES = frozenset("a an and at by das de der des di du for in la le of on or the to van von und".split())


def _as_is(name: str, _: random.Random) -> str:
    return name


def _lower(name: str, _: random.Random) -> str:
    return name.lower()


def _no_accents(name: str, _: random.Random) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def _in_a_word(change: Callable[[str, int], str]) -> Rule:
    """A rule that changes one place inside one of the longer words, never its first letter."""

    def rule(name: str, rng: random.Random) -> str:
        words = [m.span() for m in re.finditer(r"[^\W\d_]+", name) if m.end() - m.start() >= _LEAST_WORD]
        if not words:
            return name
        start, end = rng.choice(words)
        at = rng.randrange(1, end - start - 1)
        return name[:start] + change(name[start:end], at) + name[end:]

    return rule


def _sounds(name: str, rng: random.Random) -> str:
    found = [
        (match.start(), sound, other)
        for sound, other in _SOUNDS
        for match in re.finditer(sound, name)
        if match.start() > 0
    ]
    if not found:
        return name
    at, sound, other = rng.choice(found)
    return name[:at] + other + name[at + len(sound) :]


def _last_first(name: str, _: random.Random) -> str:
    *before, last = name.split()
    return " ".join((last, *before)) if before and _are_words(name) else name


def _initial(name: str, _: random.Random) -> str:
    words = name.split()
    return " ".join((f"{words[0][0]}.", *words[1:])) if _is_full(words) else name


def _initials_joined(name: str, _: random.Random) -> str:
    """Without points and blanks between initials; first names as initials."""
    words = name.split()
    if not _is_full(words, least=3):
        return re.sub(r"\b([A-Z])\. ?(?=[A-Z]\.)", r"\1", name).replace(". ", " ") if "." in name else name
    return " ".join(("".join(word[0] for word in words[:-1]), words[-1]))


def _surname(name: str, _: random.Random) -> str:
    words = name.split()
    return words[-1] if _is_full(words) and len(words[-1]) >= _LEAST_WORD else name


def _acronym(name: str, _: random.Random) -> str:
    words = [word for word in re.findall(r"[^\W\d_]+", name) if word.lower() not in _PARTICLES]
    proper = len(words) >= 3 and all(word[0].isupper() for word in words)
    return "".join(word[0] for word in words) if proper else name


def _title(name: str, rng: random.Random) -> str:
    return f"{rng.choice(_TITLES)} {name}" if _is_full(name.split()) else name


def _company(name: str, rng: random.Random) -> str:
    return f"{name} {rng.choice(_FORMS)}" if _are_words(name) else name


def _hyphens(name: str, _: random.Random) -> str:
    if "-" in name:
        return name.replace("-", " ")
    return name.replace(" ", "-") if name.count(" ") == 1 and _are_words(name) else name


def _joined(name: str, _: random.Random) -> str:
    return name.replace(" ", "") if name.count(" ") == 1 and _are_words(name) else name


def _numeral(name: str, _: random.Random) -> str:
    other = _NUMERALS | _DIGITS
    return " ".join(other.get(word, word) for word in name.split())


def _genitive(name: str, _: random.Random) -> str:
    return f"{name}s" if name[-1].isalpha() and name[-1].lower() not in "sxz" else name


def _no_bracket(name: str, _: random.Random) -> str:
    return _BRACKET.sub("", name)


def _no_article(name: str, _: random.Random) -> str:
    return re.sub(r"^(?:The|A|An|Der|Die|Das) ", "", name)


def _are_words(name: str) -> bool:
    return all(word.isalpha() for word in name.split())


def _is_full(words: list[str], least: int = 2) -> bool:
    """True if this looks like the name of a person: two to four words with a capital."""
    plain = all(word.isalpha() and word.istitle() and word.lower() not in _PARTICLES for word in words)
    return least <= len(words) <= 4 and plain


RULES: Mapping[str, Rule] = {
    "as it is": _as_is,
    "lower case": _lower,
    "no accents": _no_accents,
    "no bracket": _no_bracket,
    "no article": _no_article,
    "letters swapped": _in_a_word(lambda word, at: word[:at] + word[at + 1] + word[at] + word[at + 2 :]),
    "letter missing": _in_a_word(lambda word, at: word[:at] + word[at + 1 :]),
    "letter doubled": _in_a_word(lambda word, at: word[:at] + word[at] + word[at:]),
    "letter wrong": _in_a_word(
        lambda word, at: word[:at] + ("e" if word[at] != "e" else "a") + word[at + 1 :]
    ),
    "by its sound": _sounds,
    "last word first": _last_first,
    "initial": _initial,
    "initials": _initials_joined,
    "surname": _surname,
    "acronym": _acronym,
    "title before": _title,
    "form behind": _company,
    "hyphens": _hyphens,
    "in one word": _joined,
    "numeral": _numeral,
    "genitive -s": _genitive,
}
# Rules that may make one of several names: what they make stands for all of these.
LOSSY = frozenset(
    {"no bracket", "no article", "initial", "initials", "surname", "acronym", "as it is", "lower case"}
)
