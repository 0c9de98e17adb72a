"""`/datasets/ID/schema`: the names of a graph; `/datasets/ID/functions`: what else programs are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, jsonify

from compilers.kopl.functions import FUNCTIONS, SCHEMA_KINDS, Function, Kind, Type
from compilers.layouts import class_predicate, predicate_of
from compilers.layouts.vocabulary import WELL_KNOWN_PREFIXES
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.negotiation import negotiate, revalidated
from nlq_gateway.edges.http.requests import SchemaQuery, arguments_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index.text import fold, name_from_iri
from nlq_gateway.trace import Json

# The maximum of classes around an item; a ubiquitous relation would list all classes of the graph.
MOST_NEIGHBOURS = 20
_RELATING = (Kind.RELATION, Kind.ATTRIBUTE)


def routes(pipeline: Pipeline) -> Blueprint:
    """`GET /datasets/ID/schema` and `GET /datasets/ID/functions`."""
    blueprint = Blueprint("schema", __name__)

    @blueprint.get("/datasets/<dataset>/schema")
    def schema(dataset: str) -> Response:
        negotiate(("application/json",))
        asked = arguments_of(SchemaQuery)
        endpoint = endpoint_for(pipeline, dataset).snapshot()
        return revalidated(jsonify(Listing(endpoint, asked).as_json()), private=True)

    @blueprint.get("/datasets/<dataset>/functions")
    def functions(dataset: str) -> Response:
        negotiate(("application/json",))
        endpoint_for(pipeline, dataset)
        return revalidated(jsonify(list(map(_described, FUNCTIONS.values()))), private=True)

    return blueprint


@dataclass(frozen=True, slots=True)
class Listing:
    """The listing of an endpoint's schema."""

    endpoint: Endpoint
    asked: SchemaQuery

    def as_json(self) -> Json:
        """The document; `counts` is of the whole schema, whatever is asked for."""
        found = self._found()
        index = self.endpoint.index
        counts = Counter(item.kind for item in index.schema)
        return {
            "dataset": self.endpoint.id,
            "index_version": index.manifest.version,
            "query": self.asked.q,
            "counts": {str(kind): counts[kind] for kind in SCHEMA_KINDS},
            "items": [self._item(item) for item in found[: self.asked.limit]],
            "truncated": len(found) > self.asked.limit,
            "prefixes": {**WELL_KNOWN_PREFIXES, **index.manifest.prefixes},
            "class_predicate": class_predicate(self.endpoint.layout),
            "functions": list(self.endpoint.settings.functions),
        }

    @property
    def _kinds(self) -> tuple[Kind, ...]:
        return (Kind(self.asked.kind),) if self.asked.kind else SCHEMA_KINDS

    def _found(self) -> Sequence[SchemaItem]:
        """Best first by name, or the one with that IRI, or the commonest; one more than is shown."""
        text, index = self.asked.q.strip(), self.endpoint.index
        of_kind = (item for item in index.schema if item.kind in self._kinds)
        if not text:
            return sorted(of_kind, key=lambda item: -item.count)
        if meant := [item for kind in self._kinds if (item := index.item(kind, text))]:
            return meant
        folded = fold(text)
        if len(folded) == 1:
            # Too short to search for.
            return [item for item in of_kind if fold(item.label).startswith(folded)]
        hits = index.search(text, self._kinds, self.asked.limit + 1)
        return [item for hit in hits if (item := index.item(hit.kind, hit.iri))]

    def _item(self, item: SchemaItem) -> Json:
        """An item without the members that it has nothing for."""
        members: Json = {
            "kind": str(item.kind),
            "iri": item.iri,
            "label": item.label,
            "aliases": list(item.aliases),
            "description": item.description,
            "count": item.count,
            "parents": self._named(Kind.CONCEPT, item.parents),
            "domain": self._kinds_named([iri for iri, _ in item.domains]),
            "range": self._kinds_named([iri for iri, _ in item.ranges]),
            "datatypes": list(map(str, item.value_types)),
            "units": list(item.units),
            "examples": list(item.examples),
            "qualifiers": self._named(Kind.QUALIFIER, item.qualifiers),
            "predicate": self._predicate(item),
            "inverse": self._named(Kind.RELATION, item.inverse),
        }
        return {name: content for name, content in members.items() if content not in ("", [])}

    def _predicate(self, item: SchemaItem) -> str:
        """The predicate that stands in triples, where that is another IRI than the item's."""
        written = predicate_of(self.endpoint.layout, item.iri)
        return written if item.kind in _RELATING and written != item.iri else ""

    def _kinds_named(self, iris: Sequence[str]) -> list[Json]:
        """The first of these classes; what a relation leads to without a class goes by the relation."""
        items = ((iri, self.endpoint.index.kind(iri)) for iri in iris[:MOST_NEIGHBOURS])
        return [{"iri": iri, "label": item.kind_name if item else name_from_iri(iri)} for iri, item in items]

    def _named(self, kind: Kind, iris: Sequence[str]) -> list[Json]:
        """The first of these items, with their names."""
        items = ((iri, self.endpoint.index.item(kind, iri)) for iri in iris[:MOST_NEIGHBOURS])
        return [{"iri": iri, "label": item.label if item else name_from_iri(iri)} for iri, item in items]


def _described(function: Function) -> Json:
    """A function with the types that each of its inputs takes."""
    return {
        "name": function.name,
        "inputs": [
            [str(given) for given in Type if function.accepts(position, given)]
            for position in range(len(function.inputs))
        ],
        "variadic": function.variadic,
        "parameters": [
            {"name": one.name, "kind": str(one.kind), "choices": list(one.choices)}
            for one in function.parameters
        ],
        "output": str(function.output),
        "meaning": function.meaning,
        "extension": function.extension,
    }
