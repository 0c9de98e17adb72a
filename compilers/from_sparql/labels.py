"""Names of entities: a name variable in a query becomes the entity itself in the program."""

from __future__ import annotations

from dataclasses import replace

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    Constant,
    EntityName,
    Expression,
    Pattern,
    Query,
    QueryCall,
    QueryVariable,
    Term,
    with_arguments,
)
from compilers.kopl.functions import ValueType

_LANGUAGE_TESTS = ("=", "langmatches")

Named = dict[QueryVariable, QueryVariable]


def without_labels(query: Query, labels: frozenset[str]) -> Query:
    """The query with entities in place of the values of `labels`, in whatever language.

    An entity is shown by its name, so that the rows are the same where each has one. Raises CannotState for
    a name that several patterns share.
    """
    pattern = query.pattern
    if not isinstance(pattern, Pattern):
        return query
    naming = [
        triple
        for triple in dict.fromkeys(pattern.triples)
        if triple.predicate in labels and isinstance(triple.subject, QueryVariable)
    ]
    named: Named = {
        triple.object: triple.subject
        for triple in naming
        if isinstance(triple.object, QueryVariable) and isinstance(triple.subject, QueryVariable)
    }
    ends = [end for triple in dict.fromkeys(pattern.triples) for end in (triple.subject, triple.object)]
    if any(ends.count(name) > 1 for name in named):
        raise CannotState("a name that several patterns share")
    tests = [
        QueryCall("=", (t.subject, EntityName(t.object.text)))
        for t in naming
        if isinstance(t.object, Constant)
    ]
    kept = [condition for condition in pattern.filters if not _asks_language(condition, named)]
    return replace(
        query,
        pattern=replace(
            pattern,
            triples=tuple(triple for triple in pattern.triples if triple not in naming),
            filters=(*tests, *(_resolved(condition, named) for condition in kept)),
            sought=(*pattern.sought, *(t.subject for t in naming if isinstance(t.subject, QueryVariable))),
        ),
        columns=tuple(replace(column, value=_resolved(column.value, named)) for column in query.columns),
        keys=None if query.keys is None else tuple(_resolved(key, named) for key in query.keys),
        having=tuple(_resolved(condition, named) for condition in query.having),
        order=tuple(replace(order, key=_resolved(order.key, named)) for order in query.order),
    )


def is_of_language(condition: Expression, name: Term) -> bool:
    """True if a condition tests nothing but the language of a name."""
    match condition:
        case QueryCall("||" | "&&", arguments):
            return all(is_of_language(argument, name) for argument in arguments)
        case QueryCall(function, (QueryCall("lang", (variable,)), Constant())):
            return function in _LANGUAGE_TESTS and variable == name
    return False


def _asks_language(condition: Expression, named: Named) -> bool:
    match condition:
        case QueryCall(function, (QueryCall("lang", (QueryVariable() as variable,)), Constant())):
            return function in _LANGUAGE_TESTS and variable in named
    return False


def _resolved(expression: Expression, named: Named) -> Expression:
    match expression:
        case QueryVariable():
            return named.get(expression, expression)
        case QueryCall("str", (QueryVariable() as variable,)) if variable in named:
            return named[variable]
        case QueryCall("=" | "!=" as operator, (one, other)):
            return QueryCall(operator, (_tested(one, other, named), _tested(other, one, named)))
        case _:
            return with_arguments(expression, lambda one: _resolved(one, named))


def _tested(expression: Expression, other: Expression, named: Named) -> Expression:
    """One side of an equation: a text becomes an entity's name if the other side is a name."""
    match expression:
        case Constant(text, ValueType.STRING) if _resolved(other, named) != other:
            return EntityName(text)
    return _resolved(expression, named)
