"""Reads SPARQL's algebra as a `Query`.

SPARQL 1.1 Query Language, sections 18.2 to 18.4, defines each operator of the algebra.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rdflib.term import Variable as Name

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.expressions import expression_of, term_of
from compilers.from_sparql.labels import is_of_language
from compilers.from_sparql.parse import parse
from compilers.from_sparql.paths import triples_of
from compilers.from_sparql.query import (
    Aggregate,
    Combination,
    Exists,
    Expression,
    Order,
    Pattern,
    Query,
    QueryCall,
    QueryColumn,
    QueryTriple,
    QueryVariable,
    Scalar,
    variables,
    with_arguments,
)
from compilers.from_sparql.schema import Schema

_SET_OPERATORS = {"Minus": "minus", "Union": "union"}
_FORMS = {
    "LeftJoin": "OPTIONAL",
    "Graph": "GRAPH",
    "ServiceGraphPattern": "SERVICE",
    "values": "VALUES",
}

Environment = dict[str, Expression]


def read_query(text: str, prefixes: Mapping[str, str], schema: Schema) -> Query:
    """The query of a text; `prefixes` holds for those that it does not declare.

    Raises CannotState for other forms than SELECT and ASK of SPARQL 1.1, and for operators without a step.
    """
    parsed = parse(text, prefixes)
    ranks = {name: rank for rank, name in enumerate(parsed.names)}
    query = _QueryReader(ranks, schema).query(parsed.algebra, star=parsed.star, outer=True)
    return replace(query, columns=(), ask=True) if parsed.ask else query


@dataclass(slots=True)
class _Group:
    """The parts of one group of the query that were read so far."""

    triples: list[QueryTriple] = field(default_factory=list)
    filters: list[Expression] = field(default_factory=list)
    subqueries: list[Query] = field(default_factory=list)
    unions: list[tuple[Pattern, ...]] = field(default_factory=list)
    known: Environment = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _QueryReader:
    """Reads one query; `ranks` orders variables as the text does, `schema` has the class predicates."""

    ranks: Mapping[str, int]
    schema: Schema

    def query(self, node: Any, star: bool = False, outer: bool = False) -> Query:
        limit, offset, distinct, order = None, 0, False, []
        while node.name in ("Slice", "Distinct", "Reduced", "Project", "OrderBy"):
            if node.name == "Slice":
                limit, offset = dict(node).get("length"), node["start"]
            elif node.name == "Distinct":
                distinct = True
            elif node.name == "Project":
                projected = [str(name) for name in node["PV"]]
            elif node.name == "OrderBy":
                order = node["expr"]
            node = node["p"]
        if star:
            projected = sorted((n for n in projected if not n.startswith("_")), key=self._rank)
        if offset and not outer:
            raise CannotState("OFFSET in a subselect")
        pattern, keys, having, known = self._body(node)
        columns = tuple(QueryColumn(name, known.get(name, QueryVariable(name))) for name in projected)
        orders = tuple(Order(self._expression(o["expr"], known), o["order"] == "DESC") for o in order)
        return Query(pattern, columns, keys, having, orders, distinct, limit, offset=offset)

    def _rank(self, name: str) -> int:
        return self.ranks.get(name, len(self.ranks))

    def _body(
        self, node: Any
    ) -> tuple[Pattern | Combination, tuple[Expression, ...] | None, tuple[Expression, ...], Environment]:
        """Pattern, keys, conditions on groups, and the expressions that names stand for."""
        if node.name in _SET_OPERATORS and _is_select(node["p1"]) and _is_select(node["p2"]):
            left, right = (self.query(node[side]["p"]) for side in ("p1", "p2"))
            return Combination(_SET_OPERATORS[node.name], left, right), None, (), {}
        wrappers, inner = [], node
        while inner.name in ("Filter", "Extend"):
            wrappers.append(inner)
            inner = inner["p"]
        if inner.name != "AggregateJoin":
            pattern, known = self._pattern(node)
            return pattern, None, (), known
        return self._grouped(inner, wrappers)

    def _grouped(
        self, join: Any, wrappers: list[Any]
    ) -> tuple[Pattern, tuple[Expression, ...], tuple[Expression, ...], Environment]:
        group = join["p"]
        pattern, known = self._pattern(group["p"])
        keys = tuple(self._expression(key, known) for key in group["expr"] or ())
        after = dict(known)
        for aggregate in join["A"]:
            after[str(aggregate["res"])] = self._aggregate(aggregate, keys, known)
        having: list[Expression] = []
        for wrapper in reversed(wrappers):
            stated = self._expression(wrapper["expr"], after)
            if wrapper.name == "Filter":
                having.extend(_conjuncts(stated))
            else:
                after[str(wrapper["var"])] = stated
        return pattern, keys, tuple(having), after

    def _aggregate(self, node: Any, keys: tuple[Expression, ...], known: Environment) -> Expression:
        """An aggregate; rdflib wraps each key that is projected into SAMPLE."""
        function = node.name.removeprefix("Aggregate_").lower()
        argument = None if node["vars"] == "*" else self._expression(node["vars"], known)
        if function == "sample" and argument in keys:
            return argument
        if function not in ("count", "sum", "avg", "min", "max"):
            raise CannotState(f"the aggregate {function.upper()}")
        return Aggregate(function, argument, bool(node["distinct"]))

    def _pattern(self, node: Any) -> tuple[Pattern, Environment]:
        group = _Group()
        self._collect(node, group)
        equal = _joined_scalars(group)
        filters = tuple(_resolve(condition, group.known) for condition in group.filters)
        conditions = (*filters, *equal)
        pattern = Pattern(tuple(group.triples), conditions, tuple(group.subqueries), tuple(group.unions))
        return pattern, group.known

    def _collect(self, node: Any, group: _Group, nested: bool = False) -> None:
        match node.name:
            case "BGP":
                group.triples.extend(self._triples(node["triples"]))
            case "Join":
                self._collect(node["p1"], group, nested=True)
                self._collect(node["p2"], group, nested=True)
            case "Filter":
                self._collect(node["p"], group, nested)
                condition = self._expression(node["expr"], {})
                if nested and not {v.name for v in variables(condition)} <= set(map(str, node["p"]["_vars"])):
                    raise CannotState("a condition on a variable that its group does not bind")
                group.filters.extend(_conjuncts(condition))
            case "Extend":
                self._collect(node["p"], group, nested)
                group.known[str(node["var"])] = self._expression(node["expr"], group.known)
            case "ToMultiSet" if node["p"].name == "values":
                group.filters.append(_one_of(node["p"]["res"]))
            case "ToMultiSet":
                self._subselect(self.query(node["p"]), group)
            case "Union":
                group.unions.append(tuple(self._branches(node)))
            case "Minus":
                self._collect(node["p1"], group, nested)
                group.filters.append(self._minus(node["p2"]))
            case "LeftJoin" if naming := self._naming(node):
                self._collect(node["p1"], group, nested)
                group.triples.extend(naming)
            case other:
                inner = node["p"].name if other == "ToMultiSet" else other
                raise CannotState(f"{_FORMS.get(inner, inner)} inside a pattern")

    def _naming(self, node: Any) -> tuple[QueryTriple, ...]:
        """The triple of an OPTIONAL that names an entity in some language; () for any other OPTIONAL.

        An entity without a name is shown all the same, by its IRI.
        """
        found = tuple(self._triples(node["p2"]["triples"])) if node["p2"].name == "BGP" else ()
        if len(found) != 1 or found[0].predicate not in self.schema.labels:
            return ()
        condition = node["expr"]
        is_free = condition.name == "TrueFilter" or is_of_language(
            self._expression(condition, {}), found[0].object
        )
        return found if is_free else ()

    def _branches(self, node: Any) -> Iterator[Pattern]:
        if node.name == "Union":
            yield from self._branches(node["p1"])
            yield from self._branches(node["p2"])
        else:
            pattern, known = self._pattern(node)
            if known:
                raise CannotState("UNION of patterns that calculate")
            yield pattern

    def _minus(self, node: Any) -> Exists:
        """Return MINUS as NOT EXISTS; they differ in conditions on variables that its pattern leaves free."""
        taken = self._exists(node, negated=True)
        bound = {term for triple in taken.pattern.triples for term in (triple.subject, triple.object)}
        if not all(set(variables(condition)) <= bound for condition in taken.pattern.filters):
            raise CannotState("a condition on a variable that its group does not bind")
        return taken

    def _subselect(self, query: Query, group: _Group) -> None:
        """A subselect of one row and column becomes its value; others are joined."""
        if len(query.columns) == 1 and (query.keys == () or query.limit == 1):
            group.known[query.columns[0].name] = Scalar(query)
        else:
            group.subqueries.append(query)

    def _triples(self, found: Any) -> Iterator[QueryTriple]:
        for subject, predicate, object_ in sorted(
            found, key=lambda t: (self._place(t[0]), self._place(t[2]))
        ):
            yield from triples_of(term_of(subject), predicate, term_of(object_), self.schema)

    def _place(self, term: Any) -> tuple[int, str]:
        return (self._rank(str(term)), "") if isinstance(term, Name) else (-1, str(term))

    def _expression(self, node: Any, known: Environment) -> Expression:
        return _resolve(expression_of(node, self._exists), known)

    def _exists(self, algebra: Any, negated: bool) -> Exists:
        pattern, _ = self._pattern(algebra)
        return Exists(pattern, negated)


def _one_of(rows: Sequence[Mapping[Any, Any]]) -> Expression:
    """VALUES as a condition."""
    tests = [
        [QueryCall("=", (term_of(name), term_of(value))) for name, value in row.items() if value != "UNDEF"]
        for row in rows
    ]
    if not all(len(row) == len(test) > 0 for row, test in zip(rows, tests, strict=True)) or not rows:
        raise CannotState("VALUES without a value")
    found = [test[0] if len(test) == 1 else QueryCall("&&", tuple(test)) for test in tests]
    return found[0] if len(found) == 1 else QueryCall("||", tuple(found))


def _joined_scalars(group: _Group) -> Iterator[Expression]:
    """Conditions that a variable of the triples equals the value of the subselect with the same name."""
    terms = {term for triple in group.triples for term in (triple.subject, triple.object)}
    for name, value in tuple(group.known.items()):
        if isinstance(value, Scalar) and QueryVariable(name) in terms:
            del group.known[name]
            yield QueryCall("=", (QueryVariable(name), value))


def _is_select(node: Any) -> bool:
    return bool(node.name == "ToMultiSet" and node["p"].name != "values")


def _conjuncts(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, QueryCall) and expression.function == "&&":
        for argument in expression.arguments:
            yield from _conjuncts(argument)
    else:
        yield expression


def _resolve(expression: Expression, known: Environment) -> Expression:
    """The expression with each name replaced by its expression."""
    match expression:
        case QueryVariable(name):
            return known.get(name, expression)
        case _:
            return with_arguments(expression, lambda one: _resolve(one, known))
