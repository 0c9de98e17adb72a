"""The IRIs of a Wikibase: a property has several, all with one number behind one base.

`<base>entity/P4` is the property itself, `<base>prop/P4` leads to its statements, and so on.
Source: https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compilers import algebra as a
from compilers.layouts.vocabulary import WIKIBASE, WIKIDATA

_PROPERTY = re.compile(r"(?P<base>.+[/#])(?:entity|prop(?:/[a-z]+(?:-[a-z]+)*)*)/(?P<number>P[1-9][0-9]*)")

AMOUNT = a.Iri(WIKIBASE + "quantityAmount")
UNIT = a.Iri(WIKIBASE + "quantityUnit")
TIME = a.Iri(WIKIBASE + "timeValue")
PRECISION = a.Iri(WIKIBASE + "timePrecision")
RANK = a.Iri(WIKIBASE + "rank")
DEPRECATED = a.Iri(WIKIBASE + "DeprecatedRank")
BEST = a.Iri(WIKIBASE + "BestRank")
CLAIM = a.Iri(WIKIBASE + "claim")
STATEMENT_PROPERTY = a.Iri(WIKIBASE + "statementProperty")

# Every Wikibase writes Wikidata's item for quantities without a unit.
ONE = a.Iri(WIKIDATA + "entity/Q199")

# Values of wikibase:timePrecision.
YEAR, DAY = 9, 11


@dataclass(frozen=True, slots=True)
class Property:
    """A property by the base of its Wikibase and its number."""

    base: str
    number: str

    @property
    def entity(self) -> a.Iri:
        """The property itself, which labels hang on."""
        return self._iri("entity")

    @property
    def direct(self) -> a.Iri:
        """The predicate from an entity to the values of the best rank."""
        return self._iri("prop/direct")

    @property
    def claim(self) -> a.Iri:
        """The predicate from an entity to its statements."""
        return self._iri("prop")

    @property
    def statement(self) -> a.Iri:
        """The predicate from a statement to its value; absent for "no value"."""
        return self._iri("prop/statement")

    @property
    def statement_value(self) -> a.Iri:
        """The predicate from a statement to the node of its quantity or time."""
        return self._iri("prop/statement/value")

    @property
    def qualifier(self) -> a.Iri:
        """The predicate from a statement to a qualifier's value."""
        return self._iri("prop/qualifier")

    @property
    def qualifier_value(self) -> a.Iri:
        """The predicate from a statement to the node of a qualifier's quantity or time."""
        return self._iri("prop/qualifier/value")

    def _iri(self, place: str) -> a.Iri:
        return a.Iri(f"{self.base}{place}/{self.number}")


INSTANCE_OF = Property(WIKIDATA, "P31")
SUBCLASS_OF = Property(WIKIDATA, "P279")


def property_of(iri: str) -> Property | None:
    """The property behind any of its IRIs, or None for another IRI."""
    match = _PROPERTY.fullmatch(iri)
    return Property(match["base"], match["number"]) if match else None
