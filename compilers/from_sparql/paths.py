"""Predicates and paths as triples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib.paths import InvPath, MulPath, OneOrMore, SequencePath, ZeroOrMore
from rdflib.term import URIRef

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import QueryTriple, QueryVariable, Term
from compilers.from_sparql.schema import Schema


def triples_of(subject: Term, predicate: Any, object_: Term, schema: Schema) -> Iterator[QueryTriple]:
    """The triples of a predicate, or of a path that goes from one entity to the next.

    A path to a class and those above it is one triple, and so is a predicate once or more often. Raises
    CannotState for other paths that repeat.
    """
    match predicate:
        case URIRef():
            yield QueryTriple(subject, str(predicate), object_)
        case MulPath(path=URIRef() as repeated) if predicate.mod == OneOrMore:
            yield QueryTriple(subject, str(repeated), object_, deep=True)
        case InvPath(arg=inner):
            yield from triples_of(object_, inner, subject, schema)
        case SequencePath(args=[first, second]) if _leads_above(first, second, schema):
            yield QueryTriple(subject, schema.membership, object_, below=True)
        case SequencePath(args=[*firsts, last, MulPath() as above]) if firsts:
            between = QueryVariable(f"_{subject}{predicate}{object_}")
            yield from triples_of(subject, SequencePath(*firsts), between, schema)
            yield from triples_of(between, SequencePath(last, above), object_, schema)
        case SequencePath(args=inner):
            middle = [
                QueryVariable(f"_{subject}{predicate}{object_}{place}") for place in range(len(inner) - 1)
            ]
            for link, start, end in zip(inner, (subject, *middle), (*middle, object_), strict=True):
                yield from triples_of(start, link, end, schema)
        case _:
            raise CannotState("a variable or a repeating path in a predicate's place")


def _leads_above(first: Any, second: Any, schema: Schema) -> bool:
    """True if two links are `a/rdfs:subClassOf*`, by the schema's names for them."""
    if str(first) != schema.membership or not isinstance(second, MulPath):
        return False
    return str(second.path) == schema.hierarchy and second.mod == ZeroOrMore
