"""Labels, values and their comparison in Wikibase: half of the layout `wikidata`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compilers import algebra as a
from compilers.grounded import Binding
from compilers.kopl.functions import ValueType
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year
from compilers.layouts import base, quantities, wikibase
from compilers.layouts.options import Options
from compilers.layouts.things import by_label, holds_things, is_called, read_label
from compilers.layouts.vocabulary import RDF, RDFS, XSD
from compilers.naming import VariableNames

LABEL = a.Iri(RDFS + "label")

# Labels that hold in every language: https://www.wikidata.org/wiki/Help:Default_values_for_labels_and_aliases
EVERY_LANGUAGE = "mul"
_TEXTS = (a.Iri(XSD + "string"), a.Iri(RDF + "langString"))


@dataclass(frozen=True, slots=True)
class Snak(base.ValueReference):
    """A value and its path from `subject`: `simple` leads to its `content`, `full` to its `node`.

    `variable` is the node where the values are known to have one, else the content. `owner` is the entity of
    the statement, or the statement of a qualifier.
    """

    subject: a.Variable
    simple: a.Predicate
    full: a.Predicate
    content: a.Variable
    node: a.Variable
    owner: a.Variable

    def reached(self, step: int) -> a.Triple:
        """The triple from the statement to the variable."""
        predicate = self.full if self.variable == self.node else self.simple
        return a.Triple(self.subject, predicate, self.variable, (step,))

    def with_content(self, step: int) -> base.Patterns:
        """The triple for the content on the statement; () if the variable is the content."""
        stated = a.Triple(self.subject, self.simple, self.content, (step,))
        return () if self.variable == self.content else (stated,)

    def with_node(self, step: int) -> base.Patterns:
        """The triple for the node; () if the variable is the node."""
        stated = a.Triple(self.subject, self.full, self.node, (step,))
        return () if self.variable == self.node else (stated,)

    def with_time(self, precision: a.Variable, step: int) -> base.Patterns:
        """The content as the time of the node, and its precision."""
        return (
            *self.with_node(step),
            a.Triple(self.node, wikibase.TIME, self.content, (step,)),
            a.Triple(self.node, wikibase.PRECISION, precision, (step,)),
        )


@dataclass(frozen=True, slots=True)
class LabelsAndValues:
    """The layout's operations on labels and values, for one query."""

    options: Options
    names: VariableNames

    def named(self, entity: a.Variable, name: str, step: int) -> base.Patterns:
        """`entity` carries this label."""
        label = self.names.fresh("name")
        triple = a.Triple(entity, base.label_predicate(self.options), label, (step,))
        return (*base.one_of(label, self._label_forms(name), step), triple)

    def label(self, entity: a.Variable, label: a.Variable, step: int) -> base.Patterns:
        """A label in a wanted language or in the one for all of them."""
        triple = a.Triple(entity, base.label_predicate(self.options), label, (step,))
        if self.options.plain_labels:
            return (triple,)
        wanted = tuple(a.Literal(tag) for tag in self._languages())
        return (triple, a.Filter(a.Membership(a.Call("LANG", (label,)), wanted), (step,)))

    def test(self, value: base.ValueReference, comparison: str, target: Value, step: int) -> base.Patterns:
        """`value comparison target` holds."""
        snak = _as_snak(value)
        match target:
            case String():
                return self._test_text(snak, comparison, target, step)
            case Quantity():
                quantity = self._quantity(snak, step)
                return quantities.compared(quantity, comparison, target, self.options, self.names, step)
            case Year() | Date():
                precision = self._precision(snak)
                test = self._time_test(snak, precision, comparison, target)
                return (*snak.with_time(precision, step), a.Filter(test, (step,)))

    def read(self, value: base.ValueReference, step: int) -> base.ValuePatterns:
        """The value in the form of its type; of unknown type, with all parts that it may have."""
        snak = _as_snak(value)
        types, shown = set(snak.binding.value_types), base.Column(snak.content.name, "value", step, NO_UNIT)
        if types == {ValueType.STRING}:
            return base.ValuePatterns((), (shown,))
        if types == {ValueType.QUANTITY}:
            return self._read_quantity(snak, shown, step)
        if snak.variable == snak.node:
            precision = self._precision(snak)
            column = base.Column(precision.name, "precision", step)
            return base.ValuePatterns(snak.with_time(precision, step), (shown, column))
        name, item = read_label(self, snak.content, snak.stem, step)
        if holds_things(snak.binding):
            return base.ValuePatterns((item,), (shown, name))
        columns, node = self._read_node(snak, step)
        return base.ValuePatterns((node, item), (shown, *columns, name))

    def measure(self, value: base.ValueReference, step: int) -> base.Measure:
        """The number with its unit; where the graph is known to hold no quantity, the time or the text."""
        snak = _as_snak(value)
        types = snak.binding.value_types
        if holds_things(snak.binding):
            return by_label(self, snak.content, snak.stem, step)
        if set(types) == {ValueType.STRING}:
            shown = (base.Column(snak.content.name, "value", step),)
            return base.Measure(snak.with_content(step), a.Call("STR", (snak.content,)), shown)
        if types and ValueType.QUANTITY not in types:
            return self._measure_time(snak, step)
        return quantities.measured(self._quantity(snak, step), self.names, step)

    def _languages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.options.languages, EVERY_LANGUAGE)))

    def _label_forms(self, text: str) -> tuple[a.Literal, ...]:
        if self.options.plain_labels:
            return base.string_forms(text, self.options)
        return tuple(a.Literal(text, language=tag) for tag in self._languages())

    def _precision(self, snak: Snak) -> a.Variable:
        return self.names.fresh(f"{snak.stem} precision")

    def _test_text(self, snak: Snak, comparison: str, target: String, step: int) -> base.Patterns:
        """Compare a text, or an item by its label; if the type is unknown, either."""
        is_text = self._is_text(snak, comparison, target.text, step)
        if snak.binding.value_types:
            return (*snak.with_content(step), *is_text)
        is_item = is_called(self, snak.content, snak.stem, comparison, target.text, step)
        if holds_things(snak.binding):
            return is_item
        return (a.Union(((snak.reached(step), *is_text), is_item), (step,)),)

    def _is_text(self, snak: Snak, comparison: str, text: str, step: int) -> base.Patterns:
        if comparison == "=":
            return base.one_of(snak.content, base.string_forms(text, self.options), step)
        is_text = a.Membership(a.Call("DATATYPE", (snak.content,)), _TEXTS)
        compares = base.text_test(snak.content, comparison, text)
        return (a.Filter(a.Operation("&&", (is_text, compares)), (step,)),)

    def _quantity(self, snak: Snak, step: int) -> quantities.StatedQuantity:
        stated = (*snak.with_node(step), a.Triple(snak.node, wikibase.AMOUNT, snak.content, (step,)))
        owner, node = a.Call("STR", (snak.owner,)), a.Call("STR", (snak.node,))
        return quantities.StatedQuantity(
            stated,
            snak.content,
            lambda unit: (self._in_unit(snak, unit, step),),
            self._unit_name,
            lambda unit: self._in_unit_language(unit, step),
            a.Call("CONCAT", (owner, a.Literal(" "), node)),
            snak.stem,
            snak.binding,
        )

    def _in_unit(self, snak: Snak, unit: a.Term, step: int) -> a.Triple:
        if unit == self._unit_name(NO_UNIT):
            return a.Triple(snak.node, wikibase.UNIT, wikibase.ONE, (step,))
        return a.Triple(snak.node, a.SequencePath((wikibase.UNIT, LABEL)), unit, (step,))

    def _in_unit_language(self, unit: a.Variable, step: int) -> base.Patterns:
        if self.options.plain_labels:
            return ()
        language = a.Literal(self.options.unit_language)
        return (a.Filter(a.Operation("=", (a.Call("LANG", (unit,)), language)), (step,)),)

    def _unit_read(self, snak: Snak, unit: a.Variable, step: int) -> a.Optional:
        named = (self._in_unit(snak, unit, step), *self._in_unit_language(unit, step))
        return a.Optional(named, (step,))

    def _unit_name(self, unit: str) -> a.Literal:
        return a.Literal(unit, language=None if self.options.plain_labels else self.options.unit_language)

    def _read_quantity(self, snak: Snak, shown: base.Column, step: int) -> base.ValuePatterns:
        stated = self._quantity(snak, step).stated
        if snak.binding.units == (NO_UNIT,):
            return base.ValuePatterns(stated, (shown,))
        unit = self.names.fresh(f"{snak.stem} unit")
        named = self._unit_read(snak, unit, step)
        return base.ValuePatterns((*stated, named), (shown, base.Column(unit.name, "unit", step)))

    def _read_node(self, snak: Snak, step: int) -> tuple[tuple[base.Column, ...], a.Pattern]:
        """The unit or precision that only the node has. Of several nodes the value's own is read."""
        unit, precision = self.names.fresh(f"{snak.stem} unit"), self._precision(snak)
        either = a.AlternativePath((wikibase.AMOUNT, wikibase.TIME))
        precise = a.Triple(snak.node, wikibase.PRECISION, precision, (step,))
        patterns = (
            *snak.with_node(step),
            a.Triple(snak.node, either, snak.content, (step,)),
            self._unit_read(snak, unit, step),
            a.Optional((precise,), (step,)),
        )
        columns = (base.Column(unit.name, "unit", step), base.Column(precision.name, "precision", step))
        return columns, a.Optional(patterns, (step,))

    def _time_test(
        self, snak: Snak, precision: a.Variable, comparison: str, target: Year | Date
    ) -> a.Expression:
        """Compare by the day if both have one, else by the year; decades and centuries never match."""
        years = _year(snak.content), base.number_literal(target.year)
        in_year = a.Operation("&&", (_at_least(precision, wikibase.YEAR), a.Operation(comparison, years)))
        if isinstance(target, Year):
            return in_year
        has_day = _at_least(precision, wikibase.DAY)
        days = a.Operation(comparison, self._days(snak.content, target))
        if comparison == "=":
            return a.Operation("&&", (has_day, days))
        if comparison == "!=":
            either: a.Expression = a.Operation("||", (a.Call("!", (has_day,)), days))
        else:
            either = a.Call("IF", (has_day, days, a.Operation(comparison, years)))
        return a.Operation("&&", (_at_least(precision, wikibase.YEAR), either))

    def _days(self, time: a.Variable, target: Date) -> tuple[a.Expression, a.Expression]:
        day = replace(target, second=0)
        if self.options.dialect.day_keys:
            return base.day_key(time), base.day_literal(day)
        return time, a.Literal(f"{day}T00:00:00Z", XSD + "dateTime")

    def _measure_time(self, snak: Snak, step: int) -> base.Measure:
        precision, types = self._precision(snak), snak.binding.value_types
        shown = (
            base.Column(snak.content.name, "value", step),
            base.Column(precision.name, "precision", step),
        )
        least = wikibase.DAY if types == (ValueType.DATE,) else wikibase.YEAR
        stated = (*snak.with_time(precision, step), a.Filter(_at_least(precision, least), (step,)))
        day, year = base.day_key(snak.content), _year(snak.content)
        if types == (ValueType.DATE,):
            return base.Measure(stated, day, shown, date=snak.content)
        if types == (ValueType.YEAR,):
            return base.Measure(stated, year, shown)
        has_day = _at_least(precision, wikibase.DAY)
        return base.Measure(stated, year, shown, has_day=has_day, day=day, date=snak.content)


def have_nodes(binding: Binding) -> bool:
    """True if the values are known to be quantities, or times, whose nodes have more parts."""
    types = set(binding.value_types)
    return types == {ValueType.QUANTITY} or (bool(types) and types <= {ValueType.YEAR, ValueType.DATE})


def _as_snak(value: base.ValueReference) -> Snak:
    assert isinstance(value, Snak), "values come from this layout's own operations"
    return value


def _at_least(precision: a.Variable, least: int) -> a.Expression:
    return a.Operation(">=", (precision, base.number_literal(least)))


def _year(time: a.Variable) -> a.Expression:
    return a.Call("YEAR", (time,))
