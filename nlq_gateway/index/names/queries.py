"""The queries for names in a store: plain ones, and those of two full-text languages.

Texts by people enter a full-text query as words alone: runs of letters and digits in lower case, between
quotes or with an ending of ours. No sign and no operator of either language (AND, OR, NEAR, `*`, `~`,
brackets, quotes) gets there.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from nlq_gateway.index.introspect.pages import values_block
from nlq_gateway.index.text import fold

BIF_CONTAINS = "bif:contains"
TEXT_QUERY = "http://jena.apache.org/text#query"
MOST_WORDS = 40
# Virtuoso refuses a wildcard behind fewer letters (FT370).
_LEAST_PREFIX = 4
_LEAST_FUZZY = 4
_TWO_ERRORS = 8


def literals(texts: Iterable[str], languages: Sequence[str]) -> list[str]:
    """Each text as a plain literal and in each language, as SPARQL writes it."""
    return [
        str(literal)
        for text in texts
        for literal in (ox.Literal(text), *(ox.Literal(text, language=tag) for tag in languages))
    ]


def exact_query(written: Sequence[str], predicates: Sequence[str], limit: int) -> str:
    """The entities with one of these literals as a name: `?x ?p ?label`."""
    return (
        f"SELECT ?x ?p ?label WHERE {{ VALUES ?label {{ {' '.join(written)} }} "
        f"{values_block('p', predicates)} ?x ?p ?label }} LIMIT {limit}"
    )


def about_query(things: Sequence[str], predicates: Sequence[str]) -> str:
    """The names and concepts of some things: `?x ?p ?value`."""
    return (
        f"SELECT ?x ?p ?value WHERE {{ {values_block('x', things)} "
        f"{values_block('p', predicates)} ?x ?p ?value }}"
    )


def degree_query(things: Sequence[str]) -> str:
    """The number of triples of some things, both ways: `?x ?n`, one row a direction."""
    block = f"{values_block('x', things)}"
    return (
        f"SELECT ?x ?n WHERE {{ {{ SELECT ?x (COUNT(*) AS ?n) WHERE {{ {block} ?x ?p ?o }} GROUP BY ?x }} "
        f"UNION {{ SELECT ?x (COUNT(*) AS ?n) WHERE {{ {block} ?s ?p ?x }} GROUP BY ?x }} }}"
    )


def linked_query(things: Sequence[str], others: Sequence[str]) -> str:
    """The things that have a triple with one of the others, either way: `?x`."""
    block = f"{values_block('x', things)} {values_block('y', others)}"
    return f"SELECT DISTINCT ?x WHERE {{ {{ {block} ?x ?p ?y }} UNION {{ {block} ?y ?p ?x }} }}"


def stated_query(iri: str) -> str:
    """A row if an IRI is in a triple, at any place: `?x`."""
    places = (f"<{iri}> ?x ?o", f"?x <{iri}> ?o", f"?x ?p <{iri}>")
    return f"SELECT ?x WHERE {{ {' UNION '.join(f'{{ {one} }}' for one in places)} }} LIMIT 1"


@dataclass(frozen=True, slots=True)
class FullText(ABC):
    """A store's full-text language: its searches as texts, and the query that runs one."""

    quote: str
    word: re.Pattern[str]

    def words(self, text: str) -> list[str]:
        """The words of a text as the store splits them, in lower case."""
        return list(dict.fromkeys(self.word.findall(text.lower())))[:MOST_WORDS]

    def all_of(self, words: Sequence[str], last_begins: bool = False) -> str:
        """Names with all words, or these without accents; the last may be a beginning."""
        *before, last = words
        end = self._beginning(last) if last_begins else self._either(last)
        return " AND ".join((*map(self._either, before), end))

    def any_of(self, words: Sequence[str]) -> str:
        """Names with one of the words."""
        return " OR ".join(map(self._either, words))

    def phrases(self, runs: Iterable[Sequence[str]]) -> str:
        """Names with the words of one of the runs in a row."""
        return " OR ".join(self._quoted(" ".join(run)) for run in runs)

    def _either(self, word: str) -> str:
        """A word, or the word without accents."""
        forms = [form for form in dict.fromkeys((word, fold(word))) if " " not in form]
        either = " OR ".join(map(self._quoted, forms))
        return f"({either})" if len(forms) > 1 else either

    def _quoted(self, words: str) -> str:
        return f"{self.quote}{words}{self.quote}"

    @abstractmethod
    def query(self, search: str, predicates: Sequence[str], limit: int) -> str:
        """The names that a search finds: `?x ?p ?label`."""

    @abstractmethod
    def like(self, words: Sequence[str]) -> str:
        """Names with a word spelled like one of the words; "" if none is long enough."""

    @abstractmethod
    def _beginning(self, word: str) -> str:
        """Words with this beginning."""


@dataclass(frozen=True, slots=True)
class Virtuoso(FullText):
    """`bif:contains`; needs a rule for the label predicates (DB.DBA.RDF_OBJ_FT_RULE_ADD)."""

    quote: str = "'"
    word: re.Pattern[str] = re.compile(r"[^\W_]+")

    def query(self, search: str, predicates: Sequence[str], limit: int) -> str:
        """The names that a search finds: `?x ?p ?label`."""
        return (
            f"SELECT ?x ?p ?label WHERE {{ {values_block('p', predicates)} ?x ?p ?label . "
            f"?label <{BIF_CONTAINS}> {ox.Literal(search)} }} LIMIT {limit}"
        )

    def like(self, words: Sequence[str]) -> str:
        """Names with a word that has the same first four letters: there is no search by similarity.

        These letters may also have two swapped, or one too many.
        """
        long = [word for word in words if len(word) > _LEAST_PREFIX]
        begun = dict.fromkeys(form[:_LEAST_PREFIX] for word in long for form in _begun_wrong(word))
        return " OR ".join(f"'{letters}*'" for letters in begun if len(letters) == _LEAST_PREFIX)

    def _beginning(self, word: str) -> str:
        return f"'{word}*'" if len(word) >= _LEAST_PREFIX else self._either(word)


@dataclass(frozen=True, slots=True)
class Jena(FullText):
    """`text:query`, with Lucene's query language; needs a text dataset that indexes the label predicates."""

    quote: str = '"'
    # Lucene's StandardAnalyzer (Unicode's annex 29) keeps words joined by an apostrophe or a point: d'or.
    word: re.Pattern[str] = re.compile(r"[^\W_]+(?:['’.][^\W\d_]+)*")

    def query(self, search: str, predicates: Sequence[str], limit: int) -> str:
        """The names that a search finds: `?x ?p ?label`."""
        found = " UNION ".join(
            f"{{ ?x <{TEXT_QUERY}> (<{one}> {ox.Literal(search)} {limit}) . ?x <{one}> ?label "
            f"BIND(<{one}> AS ?p) }}"
            for one in predicates
        )
        return f"SELECT ?x ?p ?label WHERE {{ {found} }} LIMIT {limit}"

    def like(self, words: Sequence[str]) -> str:
        """Names with a word of at most two errors; two swapped letters are one error."""
        long = [word for word in words if len(word) >= _LEAST_FUZZY]
        return " OR ".join(f"{word}~{2 if len(word) >= _TWO_ERRORS else 1}" for word in long)

    def _beginning(self, word: str) -> str:
        return f"{word}*"


FULL_TEXTS: dict[str, FullText] = {"virtuoso": Virtuoso(), "fuseki": Jena()}


def _begun_wrong(word: str) -> Iterator[str]:
    """The words that a word with an error in its first letters may be meant for."""
    yield word
    for at in range(_LEAST_PREFIX):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
