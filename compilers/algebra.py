"""The part of SPARQL's algebra that programs compile to, as plain values.

Every pattern carries `steps`: the indices of the program's steps it states, the first being the one
whose comment it is printed under. Nodes name the section of https://www.w3.org/TR/sparql11-query/
that defines them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    """A query variable (4.1.3), by its name without the question mark."""

    name: str


@dataclass(frozen=True, slots=True)
class Iri:
    """An IRI (4.1.1), absolute and unescaped."""

    value: str


@dataclass(frozen=True, slots=True)
class Literal:
    """An RDF literal (4.1.2); `datatype` None and no language is a plain string."""

    lexical: str
    datatype: str | None = None
    language: str | None = None


Term = Variable | Iri | Literal


@dataclass(frozen=True, slots=True)
class SequencePath:
    """A property path `first/second` (9.1)."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class AlternativePath:
    """A property path `first|second` (9.1)."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class InversePath:
    """A property path `^part` (9.1): from an object to its subject."""

    part: Predicate


@dataclass(frozen=True, slots=True)
class ZeroOrMore:
    """A property path `part*` (9.1)."""

    part: Predicate


@dataclass(frozen=True, slots=True)
class OneOrMore:
    """A property path `part+` (9.1)."""

    part: Predicate


Predicate = Variable | Iri | SequencePath | AlternativePath | InversePath | ZeroOrMore | OneOrMore


@dataclass(frozen=True, slots=True)
class TripleTerm:
    """A triple term `<<( s p o )>>` (SPARQL 1.2, production TripleTerm)."""

    subject: Term
    predicate: Variable | Iri
    object: Term


@dataclass(frozen=True, slots=True)
class QuotedTriple:
    """A quoted triple `<< s p o >>` (RDF-star community group report, section 4).

    SPARQL 1.2 reads it as the node that reifies the triple (production ReifiedTriple).
    """

    subject: Term
    predicate: Variable | Iri
    object: Term


Node = Term | TripleTerm | QuotedTriple


# Call.name of the aggregates (18.5.1) that programs need.
AGGREGATES = frozenset(("COUNT", "COUNT DISTINCT", "SUM", "AVG", "MIN", "MAX"))


@dataclass(frozen=True, slots=True)
class Call:
    """A function or built-in call (17.4); `name` is a keyword or an XSD type's IRI (17.5)."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An infix operator between two or more operands (17.3)."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Membership:
    """`operand IN (choices)` (17.4.1.9)."""

    operand: Expression
    choices: tuple[Expression, ...]
    negated: bool = False


Expression = Variable | Iri | Literal | Call | Operation | Membership


@dataclass(frozen=True, slots=True)
class Triple:
    """A triple or path pattern (5.1, 9)."""

    subject: Node
    predicate: Predicate
    object: Node
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Values:
    """Inline data (10.2)."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[Term, ...], ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """A constraint on the group that holds it (5.2.2)."""

    expression: Expression
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bind:
    """An assignment (10.1)."""

    expression: Expression
    variable: Variable
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Optional:
    """An optional part (6)."""

    patterns: tuple[Pattern, ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """Alternatives (7)."""

    branches: tuple[tuple[Pattern, ...], ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotExists:
    """A negation (8.1)."""

    patterns: tuple[Pattern, ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """Solutions without those that are compatible with a solution of `patterns` (8.2)."""

    patterns: tuple[Pattern, ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """Patterns on a named graph (13.3)."""

    graph: Variable | Iri
    patterns: tuple[Pattern, ...]
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SubSelect:
    """A subquery (12)."""

    select: Select
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """Every entity of the graph: not SPARQL yet; a rewrite drops it or the layout spells it out."""

    variable: Variable
    steps: tuple[int, ...]


Pattern = (
    Triple | Values | Filter | Bind | Optional | Union | NotExists | Minus | NamedGraph | SubSelect | Domain
)


@dataclass(frozen=True, slots=True)
class Projection:
    """One column of a SELECT (16.1.2), computed when `expression` is given."""

    variable: Variable
    expression: Expression | None = None


@dataclass(frozen=True, slots=True)
class Ordering:
    """One key of ORDER BY (15.1)."""

    expression: Expression
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT query; `steps` are those that the projection itself states."""

    projections: tuple[Projection, ...]
    patterns: tuple[Pattern, ...]
    steps: tuple[int, ...]
    distinct: bool = True
    group_by: tuple[Variable, ...] = ()
    having: tuple[Expression, ...] = ()
    order_by: tuple[Ordering, ...] = ()
    limit: int | None = None
    offset: int = 0


def children(pattern: Pattern) -> tuple[tuple[Pattern, ...], ...]:
    """The groups of patterns inside `pattern`; none for a leaf."""
    match pattern:
        case Optional() | NotExists() | Minus() | NamedGraph():
            return (pattern.patterns,)
        case Union():
            return pattern.branches
        case SubSelect():
            return (pattern.select.patterns,)
        case _:
            return ()


def predicate_terms(predicate: Predicate) -> tuple[Variable | Iri, ...]:
    """The variables and IRIs that a predicate or path is made of."""
    match predicate:
        case SequencePath() | AlternativePath():
            return tuple(term for part in predicate.parts for term in predicate_terms(part))
        case InversePath() | ZeroOrMore() | OneOrMore():
            return predicate_terms(predicate.part)
        case _:
            return (predicate,)


def node_terms(node: Node) -> tuple[Term, ...]:
    """The terms of a subject or an object: itself, or the three terms of a triple in its place."""
    match node:
        case TripleTerm() | QuotedTriple():
            return (node.subject, node.predicate, node.object)
        case _:
            return (node,)
