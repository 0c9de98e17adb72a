"""The predicates of the names of a graph, and a test if a store's full text finds these names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compilers.layouts.vocabulary import PRED, RDF
from connectors.base import Connector
from connectors.errors import EndpointRefusedQuery
from connectors.plain import require_name_search
from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.index.introspect.pages import value, values_block
from nlq_gateway.index.manifest import LabelPreferences, Layout
from nlq_gateway.index.names.queries import FULL_TEXTS, FullText

_TRIED = 20
_FOUND = 1_000
_LEAST_WORD = 4
# Jena without a text index answers a search with everything.
_NOBODY = "qxzvjkqwhgf"
_TIMEOUT_MS = 5_000
_ADVICE = {
    "virtuoso": "index the labels: DB.DBA.RDF_OBJ_FT_RULE_ADD(null, '{predicate}', 'nlq'), then "
    "DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ()",
    "fuseki": "make the dataset a text:TextDataset whose text:entityMap has <{predicate}>, and run "
    "jena.textindexer",
}


@dataclass(frozen=True, slots=True)
class NamePredicates:
    """The predicates of names, in `settings`, and the one of concepts."""

    settings: LabelPreferences
    membership: str

    @classmethod
    def of(cls, layout: Layout, settings: LabelPreferences, membership: str = RDF + "type") -> NamePredicates:
        """The predicates of a layout with these settings; `membership` as in the graph's traits."""
        if layout != "kqapro":
            return cls(settings, membership)
        named = replace(settings, predicates=(PRED + "name", *settings.predicates))
        return cls(named, PRED + "instance_of")

    @property
    def predicates(self) -> tuple[str, ...]:
        """The predicates of labels and aliases."""
        return (*self.settings.predicates, *self.settings.aliases)

    @property
    def told(self) -> tuple[str, ...]:
        """All predicates that describe an entity."""
        return (*self.predicates, self.membership)


@dataclass(frozen=True, slots=True)
class TextIndex:
    """The result of the test: `full_text` is None if no predicate can be searched.

    `used` are the predicates that name something, `searched` those of them whose names the full text finds;
    `evidence` has the attempts and their results, `advice` the remedy, "" if nothing lacks.
    """

    full_text: FullText | None
    used: tuple[str, ...]
    searched: tuple[str, ...]
    evidence: str
    advice: str = ""


def find_text_index(connector: Connector, naming: NamePredicates) -> TextIndex:
    """Search for an existing name, by each predicate that names something.

    Raises:
        EndpointError: the store failed. A store without full text is no failure.
    """
    used = _used(connector, naming)
    full_text = FULL_TEXTS.get(connector.dialect)
    if full_text is None:
        return TextIndex(
            None, used, (), f"stores of dialect {connector.dialect} have no full text known here"
        )
    tried = {one: _finds(connector, full_text, one) for one in used}
    searched = tuple(one for one in used if not tried[one])
    evidence = "; ".join(f"<{one}>: {why or 'a known name is found'}" for one, why in tried.items())
    lacking = [one for one in used if one not in searched]
    advice = _ADVICE[connector.dialect].format(predicate=lacking[0]) if lacking else ""
    return TextIndex(
        full_text if searched else None, used, searched, evidence or "nothing has a name", advice
    )


def _used(connector: Connector, naming: NamePredicates) -> tuple[str, ...]:
    text = f"SELECT ?p WHERE {{ {values_block('p', naming.predicates)} FILTER EXISTS {{ ?x ?p ?label }} }}"
    found = {value(row[0]) for row in connector.query(text, timeout_ms=_TIMEOUT_MS).rows}
    return tuple(one for one in naming.predicates if one in found)


def _finds(connector: Connector, full_text: FullText, predicate: str) -> str:
    """The reason why a known name of a predicate is not found by its longest word; "" if it is."""
    text = f"SELECT ?x ?label WHERE {{ ?x <{predicate}> ?label }} LIMIT {_TRIED}"
    rows = connector.query(text, timeout_ms=_TIMEOUT_MS).rows
    known = [(value(row[0]), word) for row in rows for word in _searchable(full_text, value(row[1]))]
    if not known:
        return f"the first {_TRIED} names have no word to search for"
    thing, word = max(known, key=lambda one: len(one[1]))
    try:
        if _search(connector, full_text, predicate, _NOBODY):
            return "the store ignores the search"
        found = _search(connector, full_text, predicate, word)
    except EndpointRefusedQuery as error:
        return f"the store refuses the search: {error.message}"
    if thing in found or len(found) == _FOUND:
        return ""
    return f"{word!r}, a word of a name, is not found"


def _search(connector: Connector, full_text: FullText, predicate: str, word: str) -> list[str]:
    query = full_text.query(full_text.all_of([word]), (predicate,), _FOUND)
    require_name_search(query)
    return [value(row[0]) for row in connector.query(query, timeout_ms=_TIMEOUT_MS).rows]


def _searchable(full_text: FullText, label: str) -> Sequence[str]:
    return [word for word in full_text.words(label) if len(word) >= _LEAST_WORD and word not in STOP_WORDS]
