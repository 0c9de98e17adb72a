"""The predicates that name the things of a graph, and the share of things that they name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from compilers.layouts.vocabulary import RDF, XSD
from connectors.base import Connector
from connectors.results import Row
from nlq_gateway.index.introspect.classes import is_vocabulary
from nlq_gateway.index.introspect.pages import NOT_TOLD, WRITABLE, integer, value, values_block
from nlq_gateway.index.manifest import LabelPreferences
from nlq_gateway.index.text import fold, humanise, local_name, stem_word

_TIMEOUT_MS = 5_000
_CLASSES = 40
_COVERED_CLASSES = 20
_LISTED = 100
_MEMBERS = 200
_COVERED = 1_000
# Nearly all things of a class have its name, few the same, and names are shorter than descriptions.
_LEAST_SHARE = 0.9
_LEAST_DISTINCT = 0.75
_LONGEST = 80
_ONCE = 1.1
# A predicate of several classes names their things if half of all have it ("node name" of pumps and valves).
_LEAST_SHARED = 0.5
_MOST_TOLD = 5
# A first and a last name, which name a person together.
NAME_PARTS = tuple(
    product(
        ("first name", "fname", "given name", "forename"), ("last name", "lname", "family name", "surname")
    )
)
_IS_TEXT = f'FILTER(isLiteral(?o) && (LANG(?o) != "" || DATATYPE(?o) = <{XSD}string>))'


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks a store as long as there are seconds left."""

    connector: Connector
    left_s: Callable[[], float] = lambda: math.inf

    def rows(self, text: str) -> Sequence[Row] | None:
        """The rows; None if the store does not give them in time."""
        left_ms = 1_000 * self.left_s()
        if left_ms <= 0:
            return None
        try:
            return self.connector.query(text, timeout_ms=math.ceil(min(_TIMEOUT_MS, left_ms))).rows
        except NOT_TOLD:
            return None

    def number(self, text: str) -> int | None:
        """The number that is the only value; None if the store does not give it in time."""
        rows = self.rows(text)
        return integer(rows[0][0]) if rows else None


@dataclass(frozen=True, slots=True)
class LabelFinding:
    """The label predicates that a graph uses, best first.

    `naming` has for each class without labels the attribute that names its things; `labelled` are the classes
    of which most things have a label.
    """

    predicates: tuple[str, ...] = ()
    naming: Mapping[str, str] = field(default_factory=dict)
    labelled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _ClassTexts:
    """The number of some members of a class, and how many of them have each predicate with texts.

    `names` has those predicates whose values are like names. `called` are those of them that are called so,
    `own` those that are called a name alone or beside the class's own name; both best first.
    """

    iri: str
    members: int
    having: Mapping[str, int]
    names: frozenset[str]
    called: tuple[str, ...]
    own: tuple[str, ...]

    def has_any(self, predicates: Iterable[str]) -> bool:
        """True if most of these members have one of the predicates."""
        return any(2 * self.having.get(iri, 0) > self.members for iri in predicates)


def find_label_predicates(
    connector: Connector, wanted: LabelPreferences, left_s: Callable[[], float] = lambda: math.inf
) -> LabelFinding:
    """The wanted predicates that the graph uses, and for each class without them the attribute that names.

    Such an attribute is called by one of `wanted.naming_words`, alone or beside the class's own name, or as
    the class itself, and is not the first or last name of people that have both. Nearly all members of the
    class have it, about once each, with short texts of which few are there twice. It names no things of a
    class that has labels or another name. At most two small queries for each of forty classes, while
    `left_s()` is more than zero. Of a store that does not tell in time which of the wanted predicates it has,
    all are.

    Raises:
        EndpointError: the store is down.
    """
    asker = _Asker(connector, left_s)
    exists = f"{values_block('label', wanted.predicates)} FILTER EXISTS {{ ?entity ?label ?text }}"
    told = asker.rows(f"SELECT ?label WHERE {{ {exists} }}")
    found = {value(label) for (label,) in told or ()}
    used = tuple(iri for iri in wanted.predicates if told is None or iri in found)
    if not wanted.naming_words:
        return LabelFinding(used)
    texts = tuple(_texts(asker, wanted.naming_words))
    naming = _naming(texts, frozenset(used))
    labelled = sorted(one.iri for one in texts if one.has_any(used))
    return LabelFinding((*used, *sorted(set(naming.values()))), naming, tuple(labelled))


def label_coverage(
    connector: Connector, predicates: Sequence[str], membership: str = RDF + "type"
) -> dict[str, float]:
    """The share of the members of each class that have a label, in [0, 1], of the 20 largest classes.

    Of a class with many members a thousand are read. A class for which the store does not answer in time is
    left out.

    Raises:
        EndpointError: the store is down.
    """
    asker = _Asker(connector)
    found: dict[str, float] = {}
    for iri in _classes(asker, membership)[:_COVERED_CLASSES]:
        some = f"{{ SELECT ?s WHERE {{ ?s <{membership}> <{iri}> FILTER(isIRI(?s)) }} LIMIT {_COVERED} }}"
        labelled = f"{some} {values_block('label', predicates)} ?s ?label ?text"
        members = asker.number(f"SELECT (COUNT(*) AS ?n) WHERE {{ {some} }}")
        if members:
            having = asker.number(f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {labelled} }}")
            found |= {iri: having / members} if having is not None else {}
    return found


def told_naming(naming: Mapping[str, str]) -> str:
    """A sentence on the attributes that name the things of classes without labels; "" if there are none."""
    by_class = [f"<{iri}> for {local_name(concept)}" for concept, iri in sorted(naming.items())]
    more = f" and {len(by_class) - _MOST_TOLD} more" if len(by_class) > _MOST_TOLD else ""
    told = f"things without labels are named by {', '.join(by_class[:_MOST_TOLD])}{more}"
    return f"{told}; if others are right, set `labels.predicates`" if naming else ""


def _naming(texts: Sequence[_ClassTexts], labels: frozenset[str]) -> dict[str, str]:
    """The naming predicate of each class whose members have no label.

    A predicate is none if things elsewhere have it beside a label or another name, or not as a name.
    """
    bare = [one for one in texts if labels.isdisjoint(one.having)]
    shared = _shared(bare)
    chosen = {one.iri: found for one in bare if (found := _chosen(one, shared))}
    others = {
        predicate
        for one in texts
        for predicate in one.having
        if predicate not in one.names or one not in bare or chosen.get(one.iri, predicate) != predicate
    }
    return {iri: predicate for iri, predicate in chosen.items() if predicate not in others}


def _shared(texts: Sequence[_ClassTexts]) -> frozenset[str]:
    """The predicates that half of all things have as a name."""
    having = Counter[str]()
    for one in texts:
        having.update({iri: one.having[iri] for iri in one.called})
    least = _LEAST_SHARED * sum(one.members for one in texts)
    return frozenset(iri for iri, number in having.items() if number >= least)


def _chosen(found: _ClassTexts, shared: frozenset[str]) -> str:
    """The predicate that nearly all members of a class have as their name; "" if there is none."""
    least = _LEAST_SHARE * found.members
    own = (iri for iri in found.own if found.having[iri] >= least)
    return next(own, next((iri for iri in found.called if iri in shared), ""))


def _texts(asker: _Asker, words: Sequence[str]) -> Iterator[_ClassTexts]:
    """What the largest classes have of texts; a class for which the store does not answer is left out."""
    for iri in _classes(asker, RDF + "type")[:_CLASSES]:
        some = (
            f"{{ SELECT DISTINCT ?s WHERE {{ ?s <{RDF}type> <{iri}> FILTER(isIRI(?s)) }} LIMIT {_MEMBERS} }}"
        )
        members = asker.number(f"SELECT (COUNT(*) AS ?n) WHERE {{ {some} }}")
        if not members:
            continue
        head = "SELECT ?p (COUNT(DISTINCT ?s) AS ?n) (COUNT(*) AS ?m) (COUNT(DISTINCT ?o) AS ?d)"
        text = f"{head} (AVG(STRLEN(STR(?o))) AS ?length) WHERE {{ {some} ?s ?p ?o {_IS_TEXT} }} GROUP BY ?p"
        rows = [row for row in asker.rows(text) or () if WRITABLE.fullmatch(value(row[0]))]
        having = {value(row[0]): integer(row[1]) for row in rows}
        names = frozenset(value(row[0]) for row in rows if _are_names(row)) - _halves(having)
        yield _ClassTexts(iri, members, having, names, *_called(names, iri, words))


def _are_names(row: Row) -> bool:
    """True if a predicate's texts are like names, by its subjects, texts, distinct texts and their length."""
    subjects, texts, distinct = map(integer, row[1:4])
    short = float(value(row[4])) <= _LONGEST
    return short and texts <= _ONCE * subjects and distinct >= _LEAST_DISTINCT * texts


def _halves(predicates: Iterable[str]) -> frozenset[str]:
    """The predicates of first and last names, where things have both: neither names anything alone."""
    called = {fold(humanise(local_name(iri))): iri for iri in predicates}
    pairs = (pair for pair in NAME_PARTS if called.keys() >= set(pair))
    return frozenset(called[half] for pair in pairs for half in pair)


def _called(names: frozenset[str], concept: str, words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The predicates that are called a name, and those of them that are so alone or beside the class's.

    One that is called as the class itself, such as the grape of a grape, names its things, too.
    """
    about, said = set(_words(concept)), [stem_word(fold(word)) for word in words]
    ranked = []
    for iri in names:
        *rest, last = _words(iri) or ("",)
        if last in said:
            ranked.append((not about.issuperset(rest), said.index(last), iri))
        elif about == {*rest, last}:
            ranked.append((False, len(said), iri))
    ranked.sort()
    called = tuple(iri for _, rank, iri in ranked if rank < len(said))
    return called, tuple(iri for foreign, _, iri in ranked if not foreign)


def _words(iri: str) -> list[str]:
    return [stem_word(word) for word in fold(humanise(local_name(iri))).split()]


def _classes(asker: _Asker, membership: str) -> list[str]:
    """The largest classes, or some if the store does not count them in time."""
    member = f"?s <{membership}> ?c FILTER(isIRI(?c))"
    texts = (
        f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ {member} }} GROUP BY ?c ORDER BY DESC(?n) ?c LIMIT {_LISTED}",
        f"SELECT DISTINCT ?c WHERE {{ {{ SELECT ?c WHERE {{ {member} }} LIMIT 10000 }} }} LIMIT {_LISTED}",
    )
    rows = next((found for text in texts if (found := asker.rows(text))), ())
    iris = [value(row[0]) for row in rows]
    return [iri for iri in iris if WRITABLE.fullmatch(iri) and not is_vocabulary(iri)]
