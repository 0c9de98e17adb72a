"""A query as the converter sees it: patterns, conditions, columns; prefixes, BIND and aliases resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compilers.kopl.functions import ValueType

# Builtins by their names here. CONTAINS ignores case, and its second argument is a text.
ROUND, CONTAINS, YEAR = "round", "contains", "year"


@dataclass(frozen=True, slots=True)
class QueryVariable:
    """A variable or a blank node."""

    name: str


@dataclass(frozen=True, slots=True)
class QueryIri:
    """A resource named in the query."""

    iri: str


@dataclass(frozen=True, slots=True)
class EntityName:
    """The name of an entity."""

    text: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal: its text as KoPL writes it, and the type it is compared as."""

    text: str
    value_type: ValueType


@dataclass(frozen=True, slots=True)
class QueryCall:
    """An operator (`<`, `||`, `+`), a builtin in lower case, or the IRI of a function."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`count`, `sum`, `avg`, `min` or `max`; without an argument it counts solutions."""

    function: str
    argument: Expression | None
    distinct: bool


@dataclass(frozen=True, slots=True)
class Scalar:
    """The one value of a subselect with one row."""

    query: Query


@dataclass(frozen=True, slots=True)
class Exists:
    """A test that a pattern has a solution or, `negated`, that it has none."""

    pattern: Pattern
    negated: bool


Term = QueryVariable | QueryIri | Constant
Expression = QueryVariable | QueryIri | EntityName | Constant | QueryCall | Aggregate | Scalar | Exists


@dataclass(frozen=True, slots=True)
class QueryTriple:
    """One triple pattern; the predicate is an IRI.

    `below` takes a class in with all that are below it, `deep` is the predicate once or more often.
    """

    subject: Term
    predicate: str
    object: Term
    below: bool = False
    deep: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """Triples and subselects joined, conditions that all hold, and one pattern of each of `unions`.

    `sought` are entities that occur in conditions alone.
    """

    triples: tuple[QueryTriple, ...] = ()
    filters: tuple[Expression, ...] = ()
    subqueries: tuple[Query, ...] = ()
    unions: tuple[tuple[Pattern, ...], ...] = ()
    sought: tuple[QueryVariable, ...] = ()


@dataclass(frozen=True, slots=True)
class Combination:
    """Two subselects with the same columns: `minus`, `union` or `intersection` of their rows."""

    operator: str
    left: Query
    right: Query


@dataclass(frozen=True, slots=True)
class QueryColumn:
    """A projected name and its expression."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Order:
    """One sort key."""

    key: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT. `keys` is None where nothing is grouped, empty where all solutions are one group.

    An ASK has no columns.
    """

    pattern: Pattern | Combination
    columns: tuple[QueryColumn, ...]
    keys: tuple[Expression, ...] | None = None
    having: tuple[Expression, ...] = ()
    order: tuple[Order, ...] = ()
    distinct: bool = False
    limit: int | None = None
    ask: bool = False
    offset: int = 0

    @property
    def is_cut(self) -> bool:
        """True if LIMIT or OFFSET leaves rows out."""
        return self.limit is not None or self.offset > 0


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and all its parts, without those of subselects and EXISTS."""
    yield expression
    if isinstance(expression, QueryCall):
        for argument in expression.arguments:
            yield from parts(argument)
    elif isinstance(expression, Aggregate) and expression.argument is not None:
        yield from parts(expression.argument)


def with_arguments(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with `change` applied to the arguments of a call or an aggregate."""
    match expression:
        case QueryCall(function, arguments):
            return QueryCall(function, tuple(map(change, arguments)))
        case Aggregate(function, argument, distinct) if argument is not None:
            return Aggregate(function, change(argument), distinct)
        case _:
            return expression


def occurrences(expression: Expression) -> tuple[QueryVariable, ...]:
    """The variables of an expression with repetitions; those shared with an EXISTS occur once."""
    found: list[QueryVariable] = []
    for part in parts(expression):
        if isinstance(part, Exists):
            found.extend(mentioned(part.pattern))
        elif isinstance(part, QueryVariable):
            found.append(part)
    return tuple(found)


def variables(expression: Expression) -> tuple[QueryVariable, ...]:
    """The distinct variables of an expression, in order; none for EXISTS."""
    return tuple(dict.fromkeys(part for part in parts(expression) if isinstance(part, QueryVariable)))


def mentioned(pattern: Pattern) -> frozenset[QueryVariable]:
    """The variables that the surroundings of a pattern can share with it."""
    terms = {term for triple in pattern.triples for term in (triple.subject, triple.object)}
    terms.update(term for union in pattern.unions for one in union for term in mentioned(one))
    filters = {variable for condition in pattern.filters for variable in variables(condition)}
    columns = {QueryVariable(column.name) for query in pattern.subqueries for column in query.columns}
    return frozenset(term for term in terms | filters | columns if isinstance(term, QueryVariable))
