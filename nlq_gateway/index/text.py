"""Forms of a name under which it is found: folded, stemmed, made from an identifier."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from urllib.parse import unquote

_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"}
    # Apostrophes in the form of letters or signs; a soft hyphen, marks of direction and zero-width blanks.
    | dict.fromkeys("\u02bb\u02bc\u02b9`\u00b4\u055a\ua78c", "'")
    | dict.fromkeys(
        "\u00ad\u200b\u200d\u200e\u200f\u202a\u202b\u202c\u2060\u2066\u2067\u2068\u2069\ufeff", ""
    )
    # Arabic, as in Lucene's ArabicNormalizer and PersianNormalizer: the tatweel goes, interchangeable letters
    # become one.
    | {"\u0640": "", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0629": "\u0647"}
)
# Marks of Latin, Greek and Cyrillic; points of Hebrew; vowel signs and hamzas of Arabic.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")
_ASCII_PUNCTUATION = re.compile(r"[\x00-\x20!\"#%&'()*,\-./:;?@\[\\\]_`{}\x7f]+")

_WORD_BREAKS = re.compile(
    r"[_\-\s]+|(?<=[^\W\d_A-Z])(?=\d)|(?<=[a-zà-öø-ÿ\d])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])"
)
# Numbers of things: Q42, P_0012, ISO-9001. Their parts are no words.
_OPAQUE = re.compile(
    r"[A-Z]{1,3}[_-]?\d{2,}|[A-Za-z]{1,4}[_-]0\d+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4,12}){4}|\d+"
)
_TITLE_WORD = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]+|A")

# The inflection of each language that has a file for it.
_INFLECTION = {
    file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8"))
    for file in resources.files(__package__).joinpath("inflection").iterdir()
}
_FORMS = _INFLECTION[ENGLISH := "en"]
_SINGULARS: dict[str, str] = _FORMS["singulars"]
_IRREGULAR: dict[str, str] = {
    form: one for form, one in _SINGULARS.items() if form not in _FORMS["plurals_for_singular_only"].split()
} | {form: verb for verb, *forms in map(str.split, _FORMS["verbs"]) for form in forms}


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """The name without case, accents, punctuation and surplus blanks, in Unicode form NFKC.

    Accents go if they are combining marks of Latin, Greek and Cyrillic, or the vowel signs of Hebrew and
    Arabic, which are rarely written; those of other scripts stay. Symbols such as + and $ stay. A name of
    punctuation alone is kept as it is. Half a surrogate pair, which is no character, goes.
    """
    if text.isascii():
        folded = _ASCII_PUNCTUATION.sub(" ", text.lower()).strip()
        return folded or text.strip().lower()
    text = text.encode("utf-8", "ignore").decode("utf-8")
    lower = unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS)
    plain = unicodedata.normalize("NFKC", _ACCENTS.sub("", unicodedata.normalize("NFKD", lower)))
    marks = "".join(" " if unicodedata.category(letter)[0] in "PZC" else letter for letter in plain)
    return " ".join(marks.split()) or " ".join(lower.split())


def distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names in their order, the first of those that differ in case only."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(name.casefold(), name)
    return tuple(found.values())


@lru_cache(maxsize=16384)
def stem_word(word: str, language: str = ENGLISH) -> str:
    """A folded word without the endings of plural, tense and participle; two stems for some compounds.

    Stems are compared with stems only, so they need not be words ("movies" and "movie" give "movi"). A
    language without a table is stemmed as English is.
    """
    tag = language.partition("-")[0]
    if tag == ENGLISH or tag not in _INFLECTION:
        return _regular_stem(_IRREGULAR.get(word, word))
    parts = re.sub(_INFLECTION[tag].get("compounds", "(?!)()"), r" \1", word).split()
    return " ".join(_inflected_stem(part, tag) for part in parts)


def _inflected_stem(word: str, tag: str) -> str:
    for forms in _INFLECTION[tag]["irregular"]:
        if word in forms.split():
            word = forms.split()[0]
    for ending, replacement in _INFLECTION[tag]["steps"]:
        word = re.sub(ending, replacement, word, count=1)
    return word


def _regular_stem(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = _without_plural(word)
    if len(word) > 5 and word.endswith("ing") and any(vowel in word[:-3] for vowel in "aeiouy"):
        word = _undoubled(word[:-3])
    elif len(word) > 4 and word.endswith("ed") and any(vowel in word[:-2] for vowel in "aeiouy"):
        word = _undoubled(word[:-2])
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 2 and word.endswith("y") else word


def singular(word: str) -> str:
    """A lower-case noun in the singular, as far as its form shows; any other word as it is."""
    if word in _SINGULARS:
        return _SINGULARS[word]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _without_plural(word)
    return word


def bases(word: str) -> tuple[str, ...]:
    """A lower-case word and its possible base forms: studios, studio; topped, toppe, topp, top."""
    found = {word, singular(word)}
    for ending in ("ed", "ing", "er", "ly"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2:
            found |= {root, root + "e", _undoubled(root)}
    return tuple(sorted(found))


def _without_plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses")) else word[:-1]


def _undoubled(word: str) -> str:
    double = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl"
    return word[:-1] if double else word


def stem(folded: str, language: str = ENGLISH) -> str:
    """A folded name with every word stemmed."""
    return " ".join(stem_word(word, language) for word in folded.split())


def humanise(text: str) -> str:
    """A label as words: `has_genre`, `releaseYear` and `PolicyHolder2` become words, others stay.

    Words capitalised only because of the identifier are lowered; acronyms and formulas (`CO2`) stay.
    """
    if " " in text.strip():
        return " ".join(text.split())
    words = [word for word in _WORD_BREAKS.split(text) if word]
    if len(words) < 2:
        return text.strip()
    return " ".join(word.lower() if _TITLE_WORD.fullmatch(word) else word for word in words)


def key_of(name: str) -> str:
    """The words of a name, folded and stemmed: the same for `castMember` and "cast members"."""
    return stem(fold(humanise(name)))


def local_name(iri: str) -> str:
    """The last part of an IRI, percent-decoded: after the fragment mark, the last slash or colon."""
    rest = iri.rstrip("/#")
    for mark in "#/:":
        _, found, tail = rest.rpartition(mark)
        if found and tail:
            return unquote(tail)
    return unquote(rest)


def name_from_iri(iri: str) -> str:
    """A name for an entity without one: the last part with blanks for underscores."""
    name = " ".join(local_name(iri).replace("_", " ").split())
    return name or iri


def names_from_iri(iri: str) -> tuple[str, ...]:
    """The names of an entity without one: its last part, and the words of one in camel case."""
    name = name_from_iri(iri)
    return distinct_names((name, humanise(name))) if name.isalpha() else (name,)


def is_opaque(name: str) -> bool:
    """True if a name is the number of a thing, such as Q42: its parts are no words."""
    return _OPAQUE.fullmatch(name) is not None


def schema_name_from_iri(iri: str) -> str:
    """A name for a class or property without one: the words of the last part, in lower case."""
    if is_opaque(local_name(iri)):
        return local_name(iri)
    words = humanise(local_name(iri))
    return (words.lower() if _TITLE_WORD.fullmatch(words) else words) or iri
