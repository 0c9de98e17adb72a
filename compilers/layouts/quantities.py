"""Quantities with a unit stated beside each: their comparison with a target, and with each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compilers import algebra as a
from compilers.grounded import Binding
from compilers.kopl.functions import ValueType
from compilers.kopl.units import conversion_factor, convertible
from compilers.kopl.values import Quantity
from compilers.layouts import base
from compilers.layouts.options import Options
from compilers.layouts.vocabulary import XSD
from compilers.naming import VariableNames


@dataclass(frozen=True, slots=True)
class StatedQuantity:
    """The place of a quantity: `stated` binds `number`, and `in_unit` states its unit by a term.

    `unit_name` is the literal that the graph names a unit by; `one_name` keeps a variable to such names.
    `identity` is unique to one value of one entity. `stem` names further variables. `are_doubles`: the layout
    has no other numbers.
    """

    stated: base.Patterns
    number: a.Variable
    in_unit: Callable[[a.Term], base.Patterns]
    unit_name: Callable[[str], a.Literal]
    one_name: Callable[[a.Variable], base.Patterns]
    identity: a.Expression
    stem: str
    binding: Binding
    are_doubles: bool = False


def compared(
    quantity: StatedQuantity,
    comparison: str,
    target: Quantity,
    options: Options,
    names: VariableNames,
    step: int,
) -> base.Patterns:
    """`quantity comparison target` holds, in every unit of the graph that the target converts to."""
    targets = base.targets_by_unit(target, quantity.binding.units)
    if len(targets) == 1:
        unit, bound = targets[0]
        limit: a.Variable | a.Literal = base.number_bound(bound, options)
        units = quantity.in_unit(quantity.unit_name(unit))
    else:
        limit, unit_variable = names.fresh("bound"), names.fresh(f"{quantity.stem} unit")
        rows = tuple((quantity.unit_name(name), base.number_bound(bound, options)) for name, bound in targets)
        table = _looked_up(quantity, unit_variable, (limit,), rows, names, step)
        units = (*quantity.in_unit(unit_variable), *table)
    by_value = quantity.are_doubles and options.dialect.numbers_by_value
    if comparison == "=" and isinstance(limit, a.Literal) and by_value:
        number = a.Literal(limit.lexical, XSD + "double")
        return (*base.one_of(quantity.number, (number,), step), *quantity.stated, *units)
    test = base.number_test(quantity.number, comparison, limit, options)
    return (*quantity.stated, *units, a.Filter(test, (step,)))


def measured(quantity: StatedQuantity, names: VariableNames, step: int) -> base.Measure:
    """The number with its unit.

    Units that convert are brought to one by a table; without a table, as for bare names, equal units
    compare.
    """
    units, number = quantity.binding.units, quantity.number
    shown = base.Column(number.name, "value", step)
    if len(units) == 1 and quantity.binding.value_types == (ValueType.QUANTITY,):
        return base.Measure(quantity.stated, number, (shown,))
    unit = names.fresh(f"{quantity.stem} unit")
    both = (*quantity.stated, *quantity.in_unit(unit))
    columns = (shown, base.Column(unit.name, "unit", step))
    families = [convertible(other, units) for other in units]
    if all(len(family) == 1 for family in families):
        named = (*both, *quantity.one_name(unit))
        return base.Measure(named, number, columns, unit, quantity.identity)
    factor = names.fresh(f"{quantity.stem} factor")
    converted = a.Operation("*", (number, factor))
    if all(len(family) == len(units) for family in families):
        table = _looked_up(quantity, unit, (factor,), _conversions(quantity, units[:1], 2), names, step)
        return base.Measure((*both, *table), converted, columns)
    common = names.fresh(f"{quantity.stem} common unit")
    table = _looked_up(quantity, unit, (factor, common), _conversions(quantity, units, 3), names, step)
    bound, identity = _named(quantity.identity, f"{quantity.stem} identity", names, step)
    own = a.Call("IF", (a.Operation("=", (unit, common)), identity, names.fresh("none")))
    return base.Measure((*both, *table, *bound), converted, columns, common, own)


def _named(
    expression: a.Expression, wish: str, names: VariableNames, step: int
) -> tuple[base.Patterns, a.Expression]:
    """The expression bound to a variable: Oxigraph counts no rows if an IF in an aggregate is unbound."""
    if isinstance(expression, a.Variable):
        return (), expression
    name = names.fresh(wish)
    return (a.Bind(expression, name, (step,)),), name


def _conversions(
    quantity: StatedQuantity, targets: tuple[str, ...], width: int
) -> tuple[tuple[a.Literal, ...], ...]:
    """Rows of unit, factor and, of width 3, the unit that the factor converts to."""
    rows = [
        (
            quantity.unit_name(unit),
            base.number_literal(float(f"{factor:.12g}")),
            quantity.unit_name(target),
        )
        for target in targets
        for unit in quantity.binding.units
        if (factor := conversion_factor(unit, target)) is not None
    ]
    return tuple(row[:width] for row in rows)


def _looked_up(
    quantity: StatedQuantity,
    unit: a.Variable,
    found: tuple[a.Variable, ...],
    rows: tuple[tuple[a.Literal, ...], ...],
    names: VariableNames,
    step: int,
) -> base.Patterns:
    """The row of a unit in a table whose first column is the unit's text.

    Joined on a variable of its own: with the same variable Oxigraph would begin with every value in these
    units. Names with a language are compared as texts, since Virtuoso 7.2 otherwise gives no rows.
    """
    listed = names.fresh("listed unit")
    texts = tuple((a.Literal(name.lexical), *others) for name, *others in rows)
    table = a.Values((listed, *found), texts, (step,))
    tagged = any(name.language for name, *_ in rows)
    text = a.Call("STR", (unit,)) if tagged else unit
    return (*quantity.one_name(unit), table, a.Filter(a.Operation("=", (text, listed)), (step,)))
