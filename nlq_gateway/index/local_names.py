"""Names for unnamed schema items: the words of their IRIs, split with the help of the schema.

A table's column has the IRI `table#column`, a reference to another table `table#ref-column` (W3C, A Direct
Mapping of Relational Data to RDF, 2012, section 2). Columns are often several words written as one
(`lastname`), or short for them (`dept`): the expanded words are further names, never the label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.layouts.vocabulary import SKOS
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.text import humanise, is_opaque, local_name, schema_name_from_iri, singular

# The labels that the vocabulary itself gives: what leads by `broader` has something broader.
_SKOS_NAMES = {SKOS + name: f"has {name}" for name in ("broader", "narrower", "related", "member")}
# Words that identifiers join with others: a run of letters that contains one may be split.
_JOINED = frozenset(
    """
    address amount birth city code count country credit date description email end first full gender grade
    group hire home id last level line mail middle name no number order phone postal price rank rate rating
    salary short size start state status street time title total type unit url user year zip
    """.split()
)
# The words of these that one or two letters for the table may precede: cname, stuid.
_KEYS = frozenset("code date id name no number type".split())
_WHOLE = frozenset(
    """
    birthday candidate estate mandate nickname nominate outcome rename surname timeline together
    update validate weekday
    """.split()
)
_SHORT = {
    "acct": "account",
    "addr": "address",
    "amt": "amount",
    "appt": "appointment",
    "apt": "apartment",
    "avg": "average",
    "bdate": "birth date",
    "bldg": "building",
    "cnt": "count",
    "crs": "course",
    "cust": "customer",
    "dept": "department",
    "desc": "description",
    "dest": "destination",
    "dob": "date of birth",
    "emp": "employee",
    "fname": "first name",
    "forename": "first name",
    "ht": "height",
    "img": "image",
    "info": "information",
    "lang": "language",
    "lat": "latitude",
    "lng": "longitude",
    "lname": "last name",
    "loc": "location",
    "lon": "longitude",
    "max": "maximum",
    "mfr": "manufacturer",
    "mgr": "manager",
    "min": "minimum",
    "mph": "miles per hour",
    "mpg": "miles per gallon",
    "msg": "message",
    "nbr": "number",
    "num": "number",
    "org": "organization",
    "pct": "percent",
    "pos": "position",
    "prof": "professor",
    "qty": "quantity",
    "seq": "sequence",
    "stu": "student",
    "surname": "last name",
    "tel": "telephone",
    "temp": "temperature",
    "tot": "total",
    "ver": "version",
    "wt": "weight",
    "yr": "year",
}
_REFERENCE = re.compile(r"ref[-_]", re.I)
_BEFORE_NUMBER = re.compile(r"(?<=[A-Z])(?=\d)")
KEY_WORDS = frozenset("id ids code no num number key".split())
_OPENERS = frozenset("has is ref".split())
_LEAST_PART = 3
_LEAST_WORD = 5
_MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class LocalNames:
    """Splits the IRIs of one schema into words: `owners` are the tables, `words` the words of its names."""

    owners: frozenset[str]
    words: frozenset[str]
    classes: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, items: Iterable[SchemaItem]) -> LocalNames:
        """The names of these items' IRIs."""
        items = tuple(items)
        concepts = {item.iri for item in items if item.kind == Kind.CONCEPT}
        owners = frozenset(owner for item in items if (owner := _owner(item.iri)) in concepts)
        words = {word for item in items for word in _words(local_name(item.iri)) if len(word) >= _LEAST_PART}
        classes = tuple(tuple(map(singular, _words(local_name(iri)))) for iri in sorted(concepts))
        return cls(owners, frozenset(words | set(map(singular, words))), classes)

    def names(self, item: SchemaItem) -> tuple[str, ...]:
        """The label and the further names."""
        label, *others = self._plain(item)
        names = [label, *others]
        owner = self._owner_words(item.iri)
        for name in tuple(names):
            names += self._written_out(name, owner)
        if owner and item.kind != Kind.RELATION:
            names += [self._owned(owner, name) for name in tuple(names)]
        kept = dict.fromkeys(name for name in names if name)
        return tuple(kept)[:_MOST_NAMES]

    def _plain(self, item: SchemaItem) -> tuple[str, ...]:
        """The label, the IRI's own words if they differ, and the form with numbers apart (`ISBN 13`)."""
        if item.iri.rpartition("#")[0] in self.owners and (found := _REFERENCE.match(local_name(item.iri))):
            return self._reference(item, local_name(item.iri)[found.end() :])
        words = _SKOS_NAMES.get(item.iri) or schema_name_from_iri(item.iri)
        parted = self._parted(words)
        first, _, rest = words.partition(" ")
        bare = rest if first in _OPENERS and (" " in rest or first == "ref") else ""
        # An identifier stays as it is.
        apart = parted if is_opaque(parted) else _BEFORE_NUMBER.sub(" ", parted)
        others = (words, bare, apart)
        return (parted, *(name for name in others if name and name != parted))

    def _reference(self, item: SchemaItem, column: str) -> tuple[str, ...]:
        """The names of a reference: the column without "id", else the table that it leads to."""
        words = self._parted(" ".join(humanise(part).lower() for part in column.split(";")))
        kept = words.split()
        while kept and kept[-1] in KEY_WORDS:
            kept.pop()
        target = item.ranges[0][0] if item.ranges else ""
        reached = _singular(schema_name_from_iri(target)) if target else ""
        names = (" ".join(kept), reached, words)
        return tuple(dict.fromkeys(name for name in names if name))

    def _owner_words(self, iri: str) -> str:
        owner = _owner(iri)
        return _singular(self._parted(schema_name_from_iri(owner))) if owner in self.owners else ""

    def _owned(self, owner: str, name: str) -> str:
        """A column's name with its table's before it, unless it contains that already."""
        said = {singular(word) for word in name.split()}
        return "" if said & set(owner.split()) else f"{owner} {name}"

    def _parted(self, name: str) -> str:
        """A name with its joined words split."""
        return " ".join(" ".join(self._parts(word)) for word in name.split())

    def _parts(self, word: str) -> tuple[str, ...]:
        """The words that a run of letters joins, or the run itself."""
        if len(word) < 2 * _LEAST_PART - 1 or not word.islower() or word in _WHOLE | _SHORT.keys():
            return (word,)
        cuts = ((word[:cut], word[cut:]) for cut in range(2, len(word) - 1))
        fitting = [(first, last) for first, last in cuts if self._joins(first, last)]
        if fitting:
            first, last = max(fitting, key=lambda cut: len(cut[0]))
            return (*self._parts(first), last) if first not in self.words | _JOINED else (first, last)
        return (word,)

    def _joins(self, first: str, last: str) -> bool:
        known = self.words | _JOINED
        if first not in known or last not in known:
            return len(first) > _LEAST_WORD and last in _KEYS and len(self._parts(first)) > 1
        if first in _JOINED or last in _JOINED:
            return min(len(first), len(last)) >= _LEAST_PART or last in _KEYS
        return min(len(first), len(last)) >= _LEAST_WORD

    def _written_out(self, name: str, owner: str) -> Iterator[str]:
        """The name with its abbreviations expanded."""
        words = name.split()
        full = [self._full(word, owner) or word for word in words]
        if full != words:
            yield " ".join(full)

    def _full(self, word: str, owner: str) -> str:
        """The expansion of an abbreviation: from the table, or the class with that beginning; "" for none."""
        if word in _SHORT:
            return _SHORT[word]
        for key in sorted(_KEYS):
            stem = word.removesuffix(key)
            if stem == word or not stem or stem in self.words:
                continue
            named = _SHORT.get(stem) or (owner if owner.startswith(stem) else self._begun(stem))
            if named:
                return f"{named} {key}"
        return ""

    def _begun(self, stem: str) -> str:
        """The one class with this beginning; "" if there are several or none."""
        begun = {" ".join(words) for words in self.classes if words and words[0].startswith(stem)}
        return begun.pop() if len(begun) == 1 and len(stem) >= _LEAST_PART else ""


def _owner(iri: str) -> str:
    """The IRI before the fragment; empty for one without."""
    return iri.rpartition("#")[0]


def _words(local: str) -> list[str]:
    return [word for word in humanise(local).lower().split() if word.isalpha()]


def _singular(name: str) -> str:
    *before, last = name.split()
    return " ".join((*before, singular(last)))
