from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from compilers import algebra as a
from compilers.layouts import LAYOUTS, Options
from compilers.layouts.kqapro import INSTANCE_OF, UNIT
from compilers.layouts.vocabulary import RDF, XSD
from compilers.naming import VariableNames
from compilers.rewrites.bind_values import bind_values
from compilers.rewrites.drop_domains import drop_domains
from compilers.rewrites.drop_duplicates import drop_duplicates
from compilers.rewrites.exclude_by_name import exclude_by_name
from compilers.rewrites.guard_arguments import guard_arguments
from compilers.rewrites.inline_values import inline_values
from compilers.rewrites.isolate_members import isolate_members
from compilers.rewrites.join_values import join_values
from compilers.rewrites.optional_negation import optional_negation
from compilers.rewrites.ordered_ties import ordered_ties
from compilers.rewrites.own_labels import own_labels
from compilers.rewrites.plain_heads import plain_heads
from compilers.rewrites.selective_first import selective_first
from compilers.rewrites.spell_domains import spell_domains

X, Y, Z, P = (a.Variable(name) for name in "xyzp")
ANN, BEN, KNOWS = (a.Iri(f"http://example.org/{name}") for name in ("ann", "ben", "knows"))
TEXT = a.Literal("text")
REIFIES = a.Iri("http://example.org/reifies")


def triple(subject: a.Term, object_: a.Term, step: int = 1, predicate: a.Predicate = KNOWS) -> a.Triple:
    return a.Triple(subject, predicate, object_, (step,))


def values(variable: a.Variable, *terms: a.Term, step: int = 0) -> a.Values:
    return a.Values((variable,), tuple((term,) for term in terms), (step,))


def domain(variable: a.Variable, step: int = 0) -> a.Domain:
    return a.Domain(variable, (step,))


def union(*branches: tuple[a.Pattern, ...]) -> a.Union:
    return a.Union(branches, (5,))


def about(triple_term: a.TripleTerm | a.QuotedTriple, *steps: int) -> a.Triple:
    """A triple that has another one as its subject or its object."""
    if isinstance(triple_term, a.TripleTerm):
        return a.Triple(Z, REIFIES, triple_term, steps or (1,))
    return a.Triple(triple_term, REIFIES, Z, steps or (1,))


def graph(*patterns: a.Pattern, steps: tuple[int, ...] = (1,)) -> a.NamedGraph:
    return a.NamedGraph(Z, patterns, steps)


def select(*patterns: a.Pattern, columns: tuple[a.Variable, ...] = (X,)) -> a.Select:
    return a.Select(tuple(map(a.Projection, columns)), patterns, (9,))


def subselect(*patterns: a.Pattern, columns: tuple[a.Variable, ...] = (X,)) -> a.SubSelect:
    return a.SubSelect(select(*patterns, columns=columns), (6,))


DROP_DOMAINS = {
    "bound by a triple": ([domain(X), triple(X, Y)], [triple(X, Y)]),
    "bound by inline data": ([domain(X), values(X, ANN)], [values(X, ANN)]),
    "bound around the union": (
        [triple(X, Y), union((domain(X), triple(X, Z)), (triple(X, ANN),))],
        [triple(X, Y), union((triple(X, Z),), (triple(X, ANN),))],
    ),
    "a union with a branch that states nothing": (
        [triple(X, Y), union((domain(X),), (triple(X, ANN),))],
        [triple(X, Y)],
    ),
    "bound in every branch of a union": (
        [domain(X), union((triple(X, Y),), (values(X, ANN),))],
        [union((triple(X, Y),), (values(X, ANN),))],
    ),
    "alone": ([domain(X)], None),
    "bound in one branch only": ([domain(X), union((triple(X, Y),), (triple(Z, Y),))], None),
    "bound in an optional part only": ([domain(X), a.Optional((triple(X, Y),), (1,))], None),
    "bound in a negation only": ([domain(X), a.NotExists((triple(X, Y),), (1,))], None),
    "tested only": ([domain(X), a.Filter(a.Operation("=", (X, ANN)), (1,))], None),
    "between any two things": ([domain(X), triple(X, ANN, predicate=P)], None),
    "bound around a subquery": ([triple(X, Y), subselect(domain(X))], None),
    "related by a predicate that another triple describes": (
        [domain(X), triple(X, Y, predicate=P), triple(P, KNOWS)],
        [triple(X, Y, predicate=P), triple(P, KNOWS)],
    ),
    "related by a predicate that stands for any": (
        [domain(X), triple(X, Y, predicate=P), triple(P, Z)],
        None,
    ),
    "bound in a named graph": ([domain(X), graph(triple(X, Y))], [graph(triple(X, Y))]),
    "bound to anything in a named graph": ([domain(X), graph(triple(X, Y, predicate=P))], None),
    "bound in a triple term": (
        [domain(X), about(a.TripleTerm(X, KNOWS, Y))],
        [about(a.TripleTerm(X, KNOWS, Y))],
    ),
    "bound in a quoted triple": (
        [domain(X), about(a.QuotedTriple(Y, KNOWS, X))],
        [about(a.QuotedTriple(Y, KNOWS, X))],
    ),
    "bound to anything in a triple term": ([domain(X), about(a.TripleTerm(X, P, Y))], None),
}
INLINE_VALUES = {
    "one value": ([values(Y, ANN), triple(X, Y)], [a.Triple(X, KNOWS, ANN, (1, 0))]),
    "in a filter": (
        [values(Y, ANN), triple(X, Z), a.Filter(a.Operation("=", (Z, Y)), (2,))],
        [triple(X, Z), a.Filter(a.Operation("=", (Z, ANN)), (2, 0))],
    ),
    "as a predicate": ([values(P, KNOWS), triple(X, Z, predicate=P)], [a.Triple(X, KNOWS, Z, (1, 0))]),
    "within a branch": (
        [union((values(Y, ANN), triple(X, Y)), (triple(X, BEN),))],
        [union((a.Triple(X, KNOWS, ANN, (1, 0)),), (triple(X, BEN),))],
    ),
    "a text as an object": ([values(Y, TEXT), triple(X, Y)], [a.Triple(X, KNOWS, TEXT, (1, 0))]),
    "within a subquery": (
        [subselect(values(Y, ANN), triple(X, Y))],
        [subselect(a.Triple(X, KNOWS, ANN, (1, 0)))],
    ),
    "in a triple term": (
        [values(Y, ANN), about(a.TripleTerm(Y, KNOWS, Y))],
        [about(a.TripleTerm(ANN, KNOWS, ANN), 1, 0)],
    ),
    "a text at the end of a quoted triple": (
        [values(Y, TEXT), about(a.QuotedTriple(X, P, Y))],
        [about(a.QuotedTriple(X, P, TEXT), 1, 0)],
    ),
    "as a predicate of a quoted triple": (
        [values(P, KNOWS), about(a.QuotedTriple(X, P, Y))],
        [about(a.QuotedTriple(X, KNOWS, Y), 1, 0)],
    ),
    "in a named graph": (
        [values(Y, ANN), graph(triple(X, Y))],
        [graph(triple(X, ANN), steps=(1, 0))],
    ),
    "as the name of a graph": (
        [values(Z, ANN), graph(triple(X, Y))],
        [a.NamedGraph(ANN, (triple(X, Y),), (1, 0))],
    ),
    "a text as the name of a graph": ([values(Z, TEXT), graph(triple(X, Y))], None),
    "a text at the start of a triple term": ([values(Y, TEXT), about(a.TripleTerm(Y, KNOWS, X))], None),
    "a text at the start of a quoted triple": ([values(Y, TEXT), about(a.QuotedTriple(Y, KNOWS, X))], None),
    "projected": ([values(X, ANN), triple(X, Y)], None),
    "several values": ([values(Y, ANN, BEN), triple(X, Y)], None),
    "used nowhere else": ([values(Y, ANN), triple(X, Z)], None),
    "visible outside its branch": (
        [union((values(Y, ANN), triple(X, Y)), (triple(X, BEN),)), triple(Y, Z)],
        None,
    ),
    "two lists on one variable": ([values(Y, ANN), values(Y, BEN), triple(X, Y)], None),
    "a list in a branch on the same variable": (
        [values(Y, ANN), union((values(Y, BEN),), (triple(X, Y),))],
        None,
    ),
    "projected by a subquery": ([values(Y, ANN), subselect(triple(X, Y), columns=(X, Y))], None),
    "of another scope than the subquery's": ([values(Y, ANN), subselect(triple(X, Y))], None),
    "assigned elsewhere": ([values(Y, ANN), a.Bind(BEN, Y, (1,)), triple(X, Y)], None),
    "to be any entity": ([values(Y, ANN), domain(Y), triple(X, Y)], None),
    "a text as a subject": ([values(Y, TEXT), triple(Y, X)], None),
    "a text as a subject deep inside": ([values(Y, TEXT), a.Optional((triple(Y, X),), (1,))], None),
}
JOIN_VALUES = {
    "two lists": (
        [a.Union(((values(X, ANN, step=0),), (values(X, BEN, step=1),)), (2,))],
        [a.Values((X,), ((ANN,), (BEN,)), (2, 0, 1))],
    ),
    "nested": (
        [union((values(X, ANN),), (union((values(X, BEN),), (values(X, ANN),)),))],
        [a.Values((X,), ((ANN,), (BEN,)), (5, 0))],
    ),
    "lists about two variables": ([union((values(X, ANN),), (values(Y, BEN),))], None),
    "a list and more": ([union((values(X, ANN),), (values(X, BEN), triple(X, Y)))], None),
    "an empty branch": ([union((), (values(X, ANN),))], None),
}
DROP_DUPLICATES = {
    "triples": ([triple(X, Y, 1), triple(X, Y, 4)], [a.Triple(X, KNOWS, Y, (1, 4))]),
    "filters": (
        [a.Filter(X, (1,)), triple(X, Y), a.Filter(X, (2,))],
        [a.Filter(X, (1, 2)), triple(X, Y)],
    ),
    "inline data": ([values(X, ANN, step=1), values(X, ANN, step=2)], [a.Values((X,), ((ANN,),), (1, 2))]),
    "any entity": ([domain(X, 1), domain(X, 2)], [a.Domain(X, (1, 2))]),
    "within a branch": (
        [union((triple(X, Y), triple(X, Y)), (triple(X, Z),))],
        [union((triple(X, Y),), (triple(X, Z),))],
    ),
    "within a named graph": ([graph(triple(X, Y), triple(X, Y))], [graph(triple(X, Y))]),
    "one in a branch": ([triple(X, Y), union((triple(X, Y),), (triple(X, Z),))], None),
    "one in a subquery": ([triple(X, Y), subselect(triple(X, Y))], None),
    "the other way round": ([triple(X, Y), triple(Y, X)], None),
    "other inline data": ([values(X, ANN), values(X, BEN)], None),
}
BIND_VALUES = {
    "a branch of one value": (
        [union((triple(X, Y),), (values(X, ANN, step=3),))],
        [union((triple(X, Y),), (a.Bind(ANN, X, (3,)),))],
    ),
    "a branch of several values": (
        [union((values(X, ANN, BEN),), (triple(X, Y),))],
        [union((a.Bind(ANN, X, (0,)),), (a.Bind(BEN, X, (0,)),), (triple(X, Y),))],
    ),
    "rows of two": (
        [union((a.Values((X, Y), ((ANN, BEN),), (0,)),), (triple(X, Y),))],
        [union((a.Bind(ANN, X, (0,)), a.Bind(BEN, Y, (0,))), (triple(X, Y),))],
    ),
    "a union in a union": (
        [union((union((values(X, ANN),), (triple(X, Z),)),), (triple(X, Y),))],
        [union((union((a.Bind(ANN, X, (0,)),), (triple(X, Z),)),), (triple(X, Y),))],
    ),
    "within a subquery": (
        [subselect(union((values(X, ANN),), (triple(X, Y),)))],
        [subselect(union((a.Bind(ANN, X, (0,)),), (triple(X, Y),)))],
    ),
    "outside a union": ([values(X, ANN), triple(X, Y)], None),
    "beside a triple": ([union((values(X, ANN), triple(X, Y)), (triple(X, Z),))], None),
    "no value": ([union((values(X),), (triple(X, Y),))], None),
}
METRE = a.Triple(Y, UNIT, a.Literal("metre"), (1,))
MEMBER = triple(X, ANN, 2, INSTANCE_OF)
TALL = a.Filter(a.Operation(">", (Z, TEXT)), (1,))
BY_ANN = triple(X, ANN, 3)
SELECTIVE_FIRST = {
    "a unit before a class": (
        [triple(X, Y), METRE, TALL, MEMBER, triple(X, Z)],
        [MEMBER, triple(X, Y), METRE, TALL, triple(X, Z)],
    ),
    "a class before an entity": ([MEMBER, BY_ANN], [BY_ANN, MEMBER]),
    "all lines of the step": (
        [MEMBER, triple(Y, Z, 3), BY_ANN, triple(X, Z, 4)],
        [triple(Y, Z, 3), BY_ANN, MEMBER, triple(X, Z, 4)],
    ),
    "the best of three": ([METRE, MEMBER, BY_ANN], [BY_ANN, METRE, MEMBER]),
    "within a subquery": ([subselect(METRE, MEMBER)], [subselect(MEMBER, METRE)]),
    "within a branch": ([union((METRE, MEMBER), (METRE,))], [union((MEMBER, METRE), (METRE,))]),
    "a known entity first": ([triple(ANN, Y), METRE, MEMBER], None),
    "the same step": ([METRE, triple(X, ANN, 1)], None),
    "nothing better": ([triple(X, Y), METRE, triple(X, Z)], None),
    "an unknown unit": ([a.Triple(Y, UNIT, Z, (1,)), MEMBER], None),
    "better in an optional part": ([METRE, a.Optional((MEMBER,), (2,)), MEMBER], None),
    "any predicate": ([METRE, triple(X, ANN, predicate=P)], None),
}
EXTREME = subselect(triple(a.Variable("w"), Y), columns=(Y,))
ISOLATE_MEMBERS = {
    "a test of what the extreme binds": ([a.NotExists((triple(Z, Y),), (1,)), triple(X, Z), EXTREME], None),
    "a pattern and an extreme": (
        [triple(X, Y, 3), triple(X, Z), EXTREME],
        [
            a.SubSelect(
                a.Select((a.Projection(X), a.Projection(Y)), (triple(X, Y, 3), triple(X, Z)), (3,)), (3,)
            ),
            EXTREME,
        ],
    ),
    "what is asked behind": (
        [triple(Z, P), EXTREME, a.Optional((triple(P, X),), (4,))],
        [
            a.SubSelect(a.Select((a.Projection(P),), (triple(Z, P),), (1,)), (1,)),
            EXTREME,
            a.Optional((triple(P, X),), (4,)),
        ],
    ),
    "no subquery": ([triple(X, Y)], None),
    "a subquery alone": ([EXTREME, triple(X, Y)], None),
}
YEAR_OF_Y = a.Call("YEAR", (Y,))
GUARDED_YEAR = a.Call(
    "YEAR",
    (
        a.Call(
            "IF",
            (
                a.Membership(
                    a.Call("DATATYPE", (Y,)),
                    tuple(a.Iri(XSD + name) for name in ("date", "dateTime", "gYear", "gYearMonth")),
                ),
                Y,
                a.Literal("0001-01-01", XSD + "date"),
            ),
        ),
    ),
)
GUARDED_NUMBER = a.Call("IF", (a.Call("isNumeric", (Y,)), Y, a.Literal("0", XSD + "integer")))
GUARD_ARGUMENTS = {
    "a part of a time": (
        [a.Filter(a.Operation("=", (YEAR_OF_Y, X)), (1,))],
        [a.Filter(a.Operation("=", (GUARDED_YEAR, X)), (1,))],
    ),
    "a cast in a binding": (
        [a.Bind(a.Call(XSD + "double", (Y,)), Z, (1,))],
        [a.Bind(a.Call(XSD + "double", (GUARDED_NUMBER,)), Z, (1,))],
    ),
    "within an optional part": (
        [a.Optional((a.Filter(YEAR_OF_Y, (1,)),), (1,))],
        [a.Optional((a.Filter(GUARDED_YEAR, (1,)),), (1,))],
    ),
    "in the head of a subquery": (
        [a.SubSelect(a.Select((a.Projection(Z, YEAR_OF_Y),), (triple(X, Y),), (1,)), (1,))],
        [a.SubSelect(a.Select((a.Projection(Z, GUARDED_YEAR),), (triple(X, Y),), (1,)), (1,))],
    ),
    "no function": ([triple(X, Y), a.Filter(a.Operation("=", (X, Y)), (1,))], None),
}
LEFT_OUT = a.Variable("leftOut")


def left_out(*patterns: a.Pattern, columns: tuple[a.Variable, ...]) -> list[a.Pattern]:
    """The optional part that must not be bound."""
    one = a.Projection(LEFT_OUT, a.Literal("1", XSD + "integer"))
    inner = a.Select((*map(a.Projection, columns), one), patterns, (2,))
    absent = a.Call("!", (a.Call("BOUND", (LEFT_OUT,)),))
    return [a.Optional((a.SubSelect(inner, (2,)),), (2,)), a.Filter(absent, (2,))]


OPTIONAL_NEGATION = {
    "a subquery": (
        [triple(X, Z), a.NotExists((triple(X, Y), EXTREME), (2,))],
        [triple(X, Z), *left_out(triple(X, Y), EXTREME, columns=(X,))],
    ),
    "what is taken away": (
        [triple(X, Z), a.Minus((subselect(triple(X, P), columns=(X,)),), (2,))],
        [triple(X, Z), *left_out(subselect(triple(X, P), columns=(X,)), columns=(X,))],
    ),
    "within a branch": (
        [union((triple(Y, Z), a.NotExists((EXTREME,), (2,))), (triple(X, Y),))],
        [union((triple(Y, Z), *left_out(EXTREME, columns=(Y,))), (triple(X, Y),))],
    ),
    "before what it is asked of": (
        [a.NotExists((triple(X, Y), EXTREME), (2,)), triple(X, Z)],
        [triple(X, Z), *left_out(triple(X, Y), EXTREME, columns=(X,))],
    ),
    "one constant for what is outside": (
        [triple(X, Z), a.NotExists((values(X, ANN), triple(X, Y)), (2,))],
        [triple(X, Z), *left_out(values(X, ANN), triple(X, Y), columns=(X,))],
    ),
    "one constant for what is inside": (
        [triple(X, Z), a.NotExists((values(Y, ANN), triple(X, Y)), (2,))],
        None,
    ),
    "two constants": ([triple(X, Z), a.NotExists((values(X, ANN, BEN), triple(X, Y)), (2,))], None),
    "no subquery": ([triple(X, Z), a.NotExists((triple(X, Y),), (2,))], None),
    "nothing": ([triple(X, Z), a.NotExists((), (2,))], None),
}
NOT_ANN = a.Filter(a.Membership(X, (ANN,), negated=True), (2, 0))
RENAMED = a.SubSelect(a.Select((a.Projection(X, Y),), (values(Y, ANN),), (6,)), (6,))
EXCLUDE_BY_NAME = {
    "inline data": ([triple(X, Z), a.NotExists((values(X, ANN),), (2,))], [triple(X, Z), NOT_ANN]),
    "a subquery under another name": ([triple(X, Z), a.Minus((RENAMED,), (2,))], [triple(X, Z), NOT_ANN]),
    "what is optional beside it": (
        [triple(X, Z), a.Minus((subselect(values(X, ANN), a.Optional((triple(X, P),), (3,))),), (2,))],
        [triple(X, Z), NOT_ANN],
    ),
    "one of them twice": (
        [triple(X, Z), a.Minus((values(X, ANN, BEN, ANN),), (2,))],
        [triple(X, Z), a.Filter(a.Membership(X, (ANN, BEN), negated=True), (2, 0))],
    ),
    "within a branch": (
        [union((triple(X, Y), a.Minus((values(X, ANN),), (2,))), (triple(X, Z),))],
        [union((triple(X, Y), NOT_ANN), (triple(X, Z),))],
    ),
    "beside a subquery of nothing but names": (
        [subselect(values(X, ANN, BEN)), a.Minus((values(X, ANN),), (2,))],
        [values(X, ANN, BEN), NOT_ANN],
    ),
    "beside another subquery": ([subselect(triple(X, Z)), a.Minus((values(X, ANN),), (2,))], None),
    "of something else": ([triple(Z, Y), a.Minus((values(X, ANN),), (2,))], None),
    "texts, which may be missing around it": ([triple(X, Z), a.Minus((values(X, TEXT),), (2,))], None),
    "a further condition": ([triple(X, Z), a.NotExists((values(X, ANN), triple(X, Y)), (2,))], None),
    "a subquery that is cut": ([triple(X, Z), a.NotExists((EXTREME,), (2,))], None),
    "nothing": ([triple(X, Z), a.NotExists((), (2,))], None),
}
COUNTED = a.Call("COUNT", (Y,))
TWICE = a.Operation("+", (COUNTED, COUNTED))


def head(
    expression: a.Expression, *patterns: a.Pattern, having: tuple[a.Expression, ...] = ()
) -> a.SubSelect:
    """A subquery for one calculated column."""
    return a.SubSelect(
        a.Select((a.Projection(Z, expression),), patterns, (1,), distinct=False, having=having), (1,)
    )


def taken(variable: a.Variable) -> a.SubSelect:
    """The subquery for the aggregate alone."""
    inner = a.Select((a.Projection(variable, COUNTED),), (triple(X, Y),), (1,), distinct=False)
    return a.SubSelect(inner, (1,))


COUNT = a.Variable("count")
PLAIN_HEADS = {
    "an aggregate in a sum": (
        [head(TWICE, triple(X, Y))],
        [head(a.Operation("+", (COUNT, COUNT)), taken(COUNT))],
    ),
    "a test without groups": (
        [head(COUNTED, triple(X, Y), having=(a.Operation(">", (COUNTED, ANN)),))],
        [head(COUNT, taken(COUNT), a.Filter(a.Operation(">", (COUNT, ANN)), (1,)))],
    ),
    "an aggregate alone": ([head(COUNTED, triple(X, Y))], None),
    "no aggregate": ([head(a.Operation("+", (X, Y)), triple(X, Y))], None),
}
RULES: dict[Callable[[a.Select], a.Select], dict[str, tuple[list[a.Pattern], list[a.Pattern] | None]]] = {
    drop_domains: DROP_DOMAINS,
    inline_values: INLINE_VALUES,
    join_values: JOIN_VALUES,
    drop_duplicates: DROP_DUPLICATES,
    bind_values: BIND_VALUES,
    partial(selective_first, layout=LAYOUTS["kqapro"](Options(), VariableNames()), sizes={}): SELECTIVE_FIRST,
    isolate_members: ISOLATE_MEMBERS,
    guard_arguments: GUARD_ARGUMENTS,
    exclude_by_name: EXCLUDE_BY_NAME,
    optional_negation: OPTIONAL_NEGATION,
    plain_heads: PLAIN_HEADS,
}


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        pytest.param(rule, before, after, id=f"{getattr(rule, 'func', rule).__name__}: {case}")
        for rule, cases in RULES.items()
        for case, (before, after) in cases.items()
    ],
)
def test_rewrite(
    rule: Callable[[a.Select], a.Select], before: list[a.Pattern], after: list[a.Pattern] | None
) -> None:
    """`after` None means that the rule must leave the patterns alone."""
    assert rule(select(*before)) == select(*(before if after is None else after))


def test_rows_of_a_subquery_are_ordered_by_all_that_tells_them_apart() -> None:
    rows = replace(
        select(subselect(triple(X, Y), columns=(X, Y))), distinct=False, order_by=(a.Ordering(X),), limit=10
    )
    assert ordered_ties(rows).order_by == (a.Ordering(X), a.Ordering(Y))
    for same in (replace(rows, limit=None), replace(rows, distinct=True), replace(rows, order_by=())):
        assert ordered_ties(same) == same
    counted = replace(rows, patterns=(taken(Z),))
    assert ordered_ties(counted).order_by == (a.Ordering(X), a.Ordering(Z))
    within = a.Optional((a.SubSelect(rows, (1,)),), (1,))
    assert ordered_ties(select(within)) == select(a.Optional((a.SubSelect(ordered_ties(rows), (1,)),), (1,)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_domains_are_spelled_at_any_depth(layout: str) -> None:
    names = VariableNames({"x", "y"})
    spelled = spell_domains(
        select(domain(X), union((domain(Y, 3),), (triple(X, Y),)), subselect(domain(X))),
        LAYOUTS[layout](Options(), names),
    )
    reference = VariableNames({"x", "y"})
    spell = LAYOUTS[layout](Options(), reference).everything
    expected = select(
        *spell(X, 0),
        union(tuple(spell(Y, 3)), (triple(X, Y),)),
        subselect(*spell(X, 0)),
    )
    assert spelled == expected


SHIP, PORT, SHIP_NAME, PORT_NAME = (a.Iri(f"http://example.org/{one}") for one in ("S", "P", "sn", "pn"))
HOME, TYPE = a.Iri("http://example.org/home"), a.Iri(RDF + "type")
NAMES = a.AlternativePath((SHIP_NAME, PORT_NAME))
NAMING = Options(
    label_predicates=(SHIP_NAME.value, PORT_NAME.value),
    naming={SHIP.value: SHIP_NAME.value, HOME.value: SHIP_NAME.value, f"^{HOME.value}": PORT_NAME.value},
)


def label_of(variable: a.Variable, predicate: a.Predicate) -> a.Optional:
    return a.Optional((triple(variable, P, predicate=predicate),), (1,))


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (triple(X, SHIP, predicate=TYPE), SHIP_NAME),
        (triple(X, Y, predicate=HOME), SHIP_NAME),
        (triple(Y, X, predicate=HOME), PORT_NAME),
        (triple(X, PORT, predicate=TYPE), NAMES),
        (triple(X, Y, predicate=KNOWS), NAMES),
        (triple(Y, SHIP, predicate=TYPE), NAMES),
        (a.Optional((triple(X, SHIP, predicate=TYPE),), (1,)), NAMES),
        (union((triple(X, SHIP, predicate=TYPE),), (triple(X, PORT, predicate=TYPE),)), NAMES),
    ],
    ids=["class", "subject", "object", "unnamed", "unknown", "another", "optional", "either"],
)
def test_a_label_has_the_predicate_of_the_class_that_the_pattern_shows(
    pattern: a.Pattern, found: a.Predicate
) -> None:
    select = a.Select((a.Projection(X),), (pattern, label_of(X, NAMES)), (1,))
    assert own_labels(select, NAMING).patterns == (pattern, label_of(X, found))
    assert own_labels(select, Options()) == select
