"""The gold answers of a question, and the gold program if there is one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from compilers.from_sparql import CannotState, program_of
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Kind
from connectors.base import Connector
from connectors.errors import IncompleteResult
from connectors.guard import require_read_only
from connectors.results import Result, Term
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.drafts.demonstrations.queries import named, schema_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.offline.evaluation.questions import Gold, GoldQuestion

_BOOLEANS = {"true": "yes", "1": "yes", "false": "no", "0": "no"}
_BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean"

# The converter reads a fact as one triple.
_PLAIN = "direct"


def gold_of(question: GoldQuestion, connector: Connector) -> Gold:
    """The gold answers: as given, or what the gold query finds in the same store.

    Raises:
        EndpointError: when the query fails, or its result is cut.
    """
    if question.answers is not None:
        return question.answers
    assert question.sparql is not None
    require_read_only(question.sparql)
    result = connector.query(question.sparql)
    if result.truncated:
        raise IncompleteResult("the gold query has more rows than are fetched", hint="raise limits.max_rows")
    return gold_of_result(result)


def gold_of_result(result: Result) -> Gold:
    """Strings of a single column, rows of several, yes or no of an ASK; unbound cells are ""."""
    if result.boolean is not None:
        return ("yes" if result.boolean else "no",)
    rows = [tuple(_text(term) for term in row) for row in result.rows]
    if len(result.columns) > 1:
        return tuple(rows)
    return tuple(text for row in rows for text in row if text)


def _text(term: Term | None) -> str:
    if term is None:
        return ""
    return _BOOLEANS.get(term.value, term.value) if term.datatype == _BOOLEAN else term.value


def gold_program(question: GoldQuestion, endpoint: Endpoint) -> GroundedProgram | None:
    """The program that the file gives, grounded, or what the gold query says as one; None without either.

    A gold query is converted where facts are plain triples and the converter can state it.
    """
    index = endpoint.index
    if question.program is not None:
        return Grounder(index).ground(question.program, near=False).grounded
    if question.sparql is None or endpoint.layout != _PLAIN:
        return None
    try:
        stated = program_of(question.sparql, schema_of(index), _prefixes(index))
        program, choices = named(stated, index)
    except CannotState:
        return None
    return Grounder(index).ground(program, choices=choices, near=False).grounded


def _prefixes(index: Index) -> Mapping[str, str]:
    """The graph's prefixes; the empty one, where it is not declared, is the namespace that all classes share.

    It stands last: of two prefixes of one namespace rdflib keeps the later one.
    """
    known = index.manifest.prefixes
    classes = [item.iri for item in index.schema if item.kind == Kind.CONCEPT]
    if "" in known or not classes:
        return known
    first, last = min(classes), max(classes)
    length = next(
        (at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    return {**known, "": re.sub(r"[^/#]*$", "", first[:length])}
