"""Extremes and places: members with the largest value, among the first so many, or at the n-th place."""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.kopl.tables import FIRST_SO_MANY, line_of
from compilers.kopl.values import NO_UNIT
from compilers.layouts.base import Measure, Patterns, number_literal
from compilers.lowering.arithmetic import operand_of
from compilers.lowering.numbers import operand
from compilers.lowering.work import Lowering, SetFunction
from compilers.naming import common_name, value_name

_ALL = 100


def extreme_members(work: Lowering, index: int, entity: a.Variable) -> tuple[Patterns, Measure]:
    """Patterns of SelectAmong and SelectBetween: the members with the extreme measure of their set."""
    attribute, choice = work.step(index).inputs
    largest = choice in ("largest", "greater")
    measured = work.binding(index, 0).label or attribute
    extreme = work.names.fresh(f"{'largest' if largest else 'smallest'} {measured}")
    patterns, measure = _measured(work, index, entity)
    inner = _measured(work, index, work.names.fresh(entity.name))
    best, tests = _extreme_of(work, index, extreme, measure, inner, largest)
    condition = tests[0] if len(tests) == 1 else a.Operation("&&", tests)
    return (*patterns, a.SubSelect(best, (index,)), a.Filter(condition, (index,))), measure


def _measured(work: Lowering, index: int, entity: a.Variable) -> tuple[Patterns, Measure]:
    sources = [work.apart().set(source, entity) for source in work.step(index).dependencies]
    members = sources[0] if len(sources) == 1 else (a.Union(tuple(sources), (index,)),)
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), None, index)
    measure = work.layout.measure(value, index)
    return (*members, *patterns, *measure.patterns), measure


def _extreme_of(
    work: Lowering,
    index: int,
    extreme: a.Variable,
    outer: Measure,
    inner: tuple[Patterns, Measure],
    largest: bool,
) -> tuple[a.Select, tuple[a.Expression, ...]]:
    """The subquery for the extreme, and the tests by which the outer pattern equals it."""
    patterns, measure = inner
    aggregate = "MAX" if largest else "MIN"
    aggregates = [a.Projection(extreme, a.Call(aggregate, (measure.number,)))]
    tests: list[a.Expression] = [a.Operation("=", (outer.number, extreme))]
    if measure.has_day and measure.day and outer.has_day and outer.day:
        day = work.names.fresh(f"{extreme.name} day")
        key = a.Call("IF", (measure.has_day, measure.day, _no_day(measure.number, largest)))
        aggregates.append(a.Projection(day, a.Call(aggregate, (key,))))
        no_day = a.Call("!", (outer.has_day,))
        tests.append(a.Operation("||", (no_day, a.Operation("=", (outer.day, day)))))
    if measure.unit is None or outer.unit is None:
        return a.Select(tuple(aggregates), patterns, (index,), distinct=False), tuple(tests)
    tests.append(a.Operation("=", (outer.unit, measure.unit)))
    return _in_commonest_unit(work, tuple(aggregates), patterns, measure, index), tuple(tests)


def _no_day(year: a.Expression, largest: bool) -> a.Expression:
    """A day's key that loses against every day of the year."""
    bound = year if largest else a.Operation("+", (year, number_literal(1)))
    return a.Operation("*", (bound, number_literal(10_000)))


def _in_commonest_unit(
    work: Lowering, aggregates: tuple[a.Projection, ...], patterns: Patterns, measure: Measure, index: int
) -> a.Select:
    """The extreme in the unit of most values.

    On a tie a unit comes before none, then the alphabetically first.
    """
    assert measure.unit is not None
    assert measure.counted is not None
    number = work.names.fresh("values")
    counted = a.Projection(number, a.Call("COUNT DISTINCT", (measure.counted,)))
    units = work.binding(index, 0).units
    is_none = a.Operation("=", (a.Call("STR", (measure.unit,)), a.Literal(NO_UNIT)))
    named_first = () if units and NO_UNIT not in units else (a.Ordering(is_none),)
    return a.Select(
        (a.Projection(measure.unit), counted, *aggregates),
        patterns,
        (index,),
        distinct=False,
        group_by=(measure.unit,),
        order_by=(a.Ordering(number, descending=True), *named_first, a.Ordering(measure.unit)),
        limit=1,
    )


def best_first(work: Lowering, index: int, patterns: Patterns) -> tuple[a.Ordering, ...]:
    """The order of the first so many, or of what they have, for people: by the value that a step compares.

    A set has no order, but "the three longest" are told longest first.
    """
    tops = (at for at in line_of(work.grounded.program, index) if work.step(at).function in FIRST_SO_MANY)
    top = next(tops, None)
    if top is None or work.step(top).inputs[-1] == "1":
        return ()
    tests = (one for one in patterns if isinstance(one, a.Filter) and one.steps == (top,))
    tested = [one.expression for one in tests if isinstance(one.expression, a.Operation)]
    return tuple(a.Ordering(one.operands[0], descending=_is_largest(work, top)) for one in tested[-1:])


def _select_top(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """The members with a value at least as good as the last of the first so many."""
    largest = _is_largest(work, index)
    patterns, value = _valued(work, index, entity)
    bound = work.names.fresh(f"last {_measured_name(work, index)}")
    best = work.names.fresh(f"best {_measured_name(work, index)}")
    first = _places(work, index, best, work.number(index))
    last = a.Call("MIN" if largest else "MAX", (best,))
    bounds = a.Select((a.Projection(bound, last),), (a.SubSelect(first, (index,)),), (index,), distinct=False)
    test = a.Operation(">=" if largest else "<=", (value, bound))
    return (*patterns, a.SubSelect(bounds, (index,)), a.Filter(test, (index,)))


def _select_top_by(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """The members with a best value, over their group, at least as good as the last of the first so many."""
    largest = _is_largest(work, index)
    wish = value_name(work.grounded, work.source(index, 1))
    own, best, bound = (work.names.fresh(f"{word} {wish}") for word in ("own", "best", "last"))
    each = _bests(work, index, own, entity)
    first = replace(
        _bests(work, index, best, work.names.fresh(entity.name)),
        order_by=(a.Ordering(best, descending=largest),),
        limit=work.number(index),
    )
    last = a.Projection(bound, a.Call("MIN" if largest else "MAX", (best,)))
    bounds = a.Select((last,), (a.SubSelect(first, (index,)),), (index,), distinct=False)
    test = a.Operation(">=" if largest else "<=", (own, bound))
    return (
        *work.behind(index, entity),
        a.SubSelect(each, (index,)),
        a.SubSelect(bounds, (index,)),
        a.Filter(test, (index,)),
    )


def _select_nth(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """The members whose best value equals the one at the place."""
    wish = _measured_name(work, index)
    best, there = work.names.fresh(f"best {wish}"), work.names.fresh(f"nth {wish}")
    own = _bests(work, index, best, entity)
    place = _places(work, index, there, 1, offset=work.number(index) - 1)
    members = work.behind(index, entity)
    test = a.Operation("=", (best, there))
    return (*members, a.SubSelect(own, (index,)), a.SubSelect(place, (index,)), a.Filter(test, (index,)))


def _select_places(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """The members whose best value lies between those at the two places."""
    wish, steps = _measured_name(work, index), (index,)
    first, last = map(int, work.step(index).inputs[2:])
    best, there = work.names.fresh(f"best {wish}"), work.names.fresh(f"placed {wish}")
    least, most = work.names.fresh(f"least {wish}"), work.names.fresh(f"most {wish}")
    placed = _places(work, index, there, last - first + 1, offset=first - 1)
    extremes = (a.Projection(least, a.Call("MIN", (there,))), a.Projection(most, a.Call("MAX", (there,))))
    bounds = a.Select(extremes, (a.SubSelect(placed, steps),), steps, distinct=False)
    tests = (a.Operation(">=", (best, least)), a.Operation("<=", (best, most)))
    own = a.SubSelect(_bests(work, index, best, entity), steps)
    members = work.behind(index, entity)
    return (*members, own, a.SubSelect(bounds, steps), a.Filter(a.Operation("&&", tests), steps))


def _select_share(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """The members of the best p per cent, by the count of members with no better value.

    SPARQL cannot cut at a place that it counts, so that a program that is run has no share below 100 %
    (compilers.shares). Fewer than p in a hundred members are better exactly where more than (100 - p) in a
    hundred are not.
    """
    wish, steps, percent = _measured_name(work, index), (index,), work.number(index)
    if percent == _ALL:
        return _valued(work, index, entity)[0]
    best, theirs = work.names.fresh(f"best {wish}"), work.names.fresh(f"other {wish}")
    beaten, total = work.names.fresh("beaten"), work.names.fresh("total")
    other, each = (work.names.fresh(common_name(work.grounded, index)) for _ in range(2))
    own, others = _bests(work, index, best, entity), _bests(work, index, theirs, other)
    no_better = a.Operation("<=" if _is_largest(work, index) else ">=", (theirs, best))
    pairs = (a.SubSelect(own, steps), a.SubSelect(others, steps), a.Filter(no_better, steps))
    counted = (a.Projection(entity), a.Projection(beaten, a.Call("COUNT", (other,))))
    places = a.Select(counted, pairs, steps, distinct=False, group_by=(entity,))
    all_of = a.Projection(total, a.Call("COUNT DISTINCT", (each,)))
    whole = a.Select((all_of,), _valued(work.apart(), index, each)[0], steps, distinct=False)
    sides = (
        a.Operation("*", (beaten, number_literal(100))),
        a.Operation("*", (total, number_literal(100 - percent))),
    )
    members = work.behind(index, entity)
    test = a.Filter(a.Operation(">", sides), steps)
    return (*members, a.SubSelect(places, steps), a.SubSelect(whole, steps), test)


def _bests(work: Lowering, index: int, best: a.Variable, member: a.Variable) -> a.Select:
    """Each member with its best value."""
    patterns, value = _valued(work.apart(), index, member)
    aggregate = a.Call("MAX" if _is_largest(work, index) else "MIN", (value,))
    columns = (a.Projection(member), a.Projection(best, aggregate))
    return a.Select(columns, patterns, (index,), distinct=False, group_by=(member,))


def _places(work: Lowering, index: int, best: a.Variable, limit: int, *, offset: int = 0) -> a.Select:
    """The best values of the members, in order, cut out of the list."""
    found = _bests(work, index, best, work.names.fresh(common_name(work.grounded, index)))
    order = (a.Ordering(best, descending=_is_largest(work, index)),)
    return replace(found, projections=found.projections[1:], order_by=order, limit=limit, offset=offset)


def _is_largest(work: Lowering, index: int) -> bool:
    return work.step(index).inputs[0 if work.step(index).function == "SelectTopBy" else 1] == "largest"


def _valued(work: Lowering, index: int, entity: a.Variable) -> tuple[Patterns, a.Expression]:
    """The members with the value that orders them: an attribute's, or another step's in their group."""
    inner = work.behind(index, entity)
    if work.step(index).function == "SelectTopBy":
        patterns, found = operand(work, work.source(index, 1))
        return (*inner, *patterns), found.expression
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), None, index)
    measure, new = operand_of(work, index, value)
    return (*inner, *patterns, *new), measure.expression


def _measured_name(work: Lowering, index: int) -> str:
    return work.binding(index, 0).label or work.step(index).inputs[0]


SETS: dict[str, SetFunction] = {
    "SelectTop": _select_top,
    "SelectTopBy": _select_top_by,
    "SelectNth": _select_nth,
    "SelectPlaces": _select_places,
    "SelectShare": _select_share,
}
