"""SPARQL to KoPL: the program with the same rows as a query, if KoPL with its extensions has one."""

from __future__ import annotations

from collections.abc import Mapping

from compilers.from_sparql.errors import CannotState, NotSparql
from compilers.from_sparql.origins import NO_PREFIXES, Span, origins
from compilers.from_sparql.schema import Attribute, Relation, Schema
from compilers.grounded import GroundedProgram
from compilers.kopl.check import check

__all__ = ["Attribute", "CannotState", "NotSparql", "Relation", "Schema", "Span", "origins", "program_of"]


def program_of(query: str, schema: Schema, prefixes: Mapping[str, str] = NO_PREFIXES) -> GroundedProgram:
    """The program of a SELECT, whose answers are the query's rows, cell by cell; or of an ASK.

    Args:
        query: SPARQL 1.1.
        schema: the graph's predicates; the number of their values decides which rows repeat.
        prefixes: namespaces by prefix, for those that the query does not declare.

    Returns:
        Steps whose names are IRIs in angle brackets, bound with the schema's facts about them.

    Raises:
        NotSparql: the text is no SPARQL 1.1 query.
        CannotState: no program gives the query's rows; the message is the reason.

    Every entity is taken to have a class, and a class to stand for its own members alone, unless the query
    takes in those below it.
    """
    # Most questions need none of it, and rdflib takes a tenth of a command's loading time.
    from compilers.from_sparql.answer import QueryTranslator
    from compilers.from_sparql.read import read_query
    from compilers.from_sparql.steps import Steps

    steps = Steps(schema)
    last = QueryTranslator(steps).end(read_query(query, prefixes, schema))
    grounded = steps.program().prefix(last)
    for issue in check(grounded.program):
        if issue.severity == "error":
            raise CannotState(f"the program breaks a rule: {issue.message}")
    return grounded
