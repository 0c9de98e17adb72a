"""Plain RDF: object and datatype properties, `rdf:type`, `rdfs:subClassOf`, labels.

Facts have no node of their own, so qualifiers cannot be stated. A quantity's unit is the one that the
attribute's binding declares, if any. Texts that are numbers count as such where the options list them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from compilers import algebra as a
from compilers.grounded import Binding
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.values import Date, Quantity, String, Value, Year, number_in
from compilers.layouts import base
from compilers.layouts.options import Options
from compilers.layouts.vocabulary import OWL, RDF, RDFS, XSD
from compilers.naming import VariableNames

TYPE = a.Iri(RDF + "type")
SUBCLASS_OF = a.Iri(RDFS + "subClassOf")

SCHEMA_CLASSES = tuple(
    a.Iri(iri)
    for iri in (
        OWL + "Class",
        RDFS + "Class",
        RDF + "Property",
        OWL + "ObjectProperty",
        OWL + "DatatypeProperty",
        OWL + "AnnotationProperty",
        OWL + "Ontology",
    )
)
_DAYS = (a.Iri(XSD + "date"), a.Iri(XSD + "dateTime"))
_TIMES = (*_DAYS, a.Iri(XSD + "gYear"), a.Iri(XSD + "gYearMonth"))


@dataclass(frozen=True, slots=True)
class Direct:
    """The layout's operations for one query; `schema_predicates` are no relations."""

    schema_predicates: ClassVar[tuple[a.Iri, ...]] = (TYPE, SUBCLASS_OF)

    options: Options
    names: VariableNames
    name: str = "direct"
    has_qualifiers: bool = False
    has_value_nodes: bool = False

    @property
    def mixes_objects(self) -> bool:
        """False: each attribute is a predicate of its own."""
        return False

    @property
    def commonness(self) -> Mapping[str, int]:
        """Membership, since many entities share a class, and the relation of fact nodes."""
        return {TYPE.value: 1, RDF + "predicate": 2, RDF + "singletonPropertyOf": 2}

    @property
    def schema_classes(self) -> tuple[a.Iri, ...]:
        """The classes whose members are not entities."""
        return SCHEMA_CLASSES

    def iri(self, kind: Kind, name: str) -> str | None:  # noqa: ARG002
        """None: plain RDF has no naming rule."""
        return None

    def named(self, entity: a.Variable, name: str, step: int) -> base.Patterns:
        """`entity` carries this label."""
        label = self.names.fresh("name")
        forms = base.string_forms(name, self.options)
        named = a.Triple(entity, base.label_predicate(self.options), label, (step,))
        return (*base.one_of(label, forms, step), named)

    def everything(self, entity: a.Variable, step: int) -> base.Patterns:
        """Every node with a class outside the schema's own vocabulary."""
        kind = self.names.fresh("class")
        outside = a.Membership(kind, self.schema_classes, negated=True)
        return (a.Triple(entity, TYPE, kind, (step,)), a.Filter(outside, (step,)))

    def member(self, entity: a.Variable, concept: Binding | str, step: int) -> base.Patterns:
        """The class itself when nothing is below it; else a path, or the list of classes."""
        if isinstance(concept, str):
            found = self.names.fresh("concept")
            path = a.SequencePath((TYPE, a.ZeroOrMore(SUBCLASS_OF)))
            return (*self.named(found, concept, step), a.Triple(entity, path, found, (step,)))
        if not concept.subconcepts:
            return base.any_object(entity, TYPE, concept.iris, self.names, step)
        if self.options.dialect.class_paths:
            path = a.SequencePath((TYPE, a.ZeroOrMore(a.Iri(self.options.hierarchy))))
            return base.any_object(entity, path, concept.iris, self.names, step)
        return base.any_object(entity, TYPE, (*concept.iris, *concept.subconcepts), self.names, step)

    def relation(
        self,
        head: a.Term,
        relation: Binding,
        tail: a.Term,
        fact: a.Variable | None,  # noqa: ARG002
        step: int,
    ) -> base.Patterns:
        """One triple."""
        return self.triple(head, relation, tail, step)

    def path(self, head: a.Term, relation: Binding, tail: a.Term, step: int) -> base.Patterns:
        """A property path."""
        return base.one_or_more(head, base.ways_of(relation), tail, self.options, step)

    def attribute(
        self,
        entity: a.Variable,
        attribute: Binding,
        fact: a.Variable | None,
        step: int,
    ) -> tuple[base.Patterns, base.ValueReference]:
        """One triple whose object is the value."""
        value = self.names.fresh(attribute.label or "value")
        patterns = self.relation(entity, attribute, value, fact, step)
        return patterns, base.ValueReference(value, attribute, value.name, step)

    def qualifier(
        self, fact: a.Variable, qualifier: Binding, step: int
    ) -> tuple[base.Patterns, base.ValueReference]:
        """Facts have no node; the compiler asks `has_qualifiers` first."""
        raise NotImplementedError("plain RDF has no qualifiers")

    def test(self, value: base.ValueReference, comparison: str, target: Value, step: int) -> base.Patterns:
        """`literal comparison target` holds."""
        match target:
            case String():
                return self._test_text(value, comparison, target, step)
            case Quantity():
                made, value = self._as_number(value, step)
                test = self._number_test(value, comparison, target)
            case Year():
                made, value = self._as_time(value, step)
                year = a.Call("YEAR", (value.variable,))
                test = a.Operation(comparison, (year, base.number_literal(target.year)))
                if not _surely_time(value):
                    test = a.Operation("&&", (_is_a(value.variable, _TIMES), test))
            case Date():
                made, value = self._as_time(value, step)
                test = self._date_test(value, comparison, target)
        return (*made, a.Filter(test, (step,)))

    def read(self, value: base.ValueReference, step: int) -> base.ValuePatterns:
        """The literal itself, or the number or date that it states."""
        cast = self._as_time if value.read_as == ValueType.DATE else self._as_number
        made, value = cast(value, step)
        reading = base.ValuePatterns(made, (self._column(value, step),))
        if not base.may_be(value.binding, ValueType.QUANTITY):
            return reading
        return base.with_digits(reading, value.variable, value.stem, self.options, self.names)

    def measure(self, value: base.ValueReference, step: int) -> base.Measure:
        """The number; where the graph is known to hold no quantity, the time; without times, the text."""
        shown = (self._column(value, step),)
        types = value.binding.value_types
        if types and ValueType.QUANTITY not in types:
            if set(types) == {ValueType.STRING}:
                return base.Measure((), a.Call("STR", (value.variable,)), shown)
            made, value = self._as_time(value, step)
            return replace(self._measure_time(value, shown), patterns=made)
        made, value = self._as_number(value, step)
        shown = (self._column(value, step),)
        if types == (ValueType.QUANTITY,) and not self.options.dialect.guarded_numbers:
            return base.Measure(made, value.variable, shown)
        numeric = a.Filter(a.Call("isNumeric", (value.variable,)), (step,))
        return base.Measure((*made, numeric), a.Call(XSD + "double", (value.variable,)), shown)

    def between(self, head: a.Term, relation: a.Variable, tail: a.Term, step: int) -> base.Patterns:
        """Any predicate but the schema's own."""
        schema = a.Membership(relation, self.schema_predicates, negated=True)
        return (a.Triple(head, relation, tail, (step,)), a.Filter(schema, (step,)))

    def label(self, entity: a.Variable, label: a.Variable, step: int) -> base.Patterns:
        """A label in a wanted language."""
        triple = a.Triple(entity, base.label_predicate(self.options), label, (step,))
        return (triple, *base.in_languages(label, self.options, step))

    def triple(self, subject: a.Node, predicate: Binding, object_: a.Term, step: int) -> base.Patterns:
        """One triple, with any of the binding's predicates, either way where it has inverses."""
        return (a.Triple(subject, base.any_of(base.ways_of(predicate)), object_, (step,)),)

    def _as_number(self, value: base.ValueReference, step: int) -> tuple[base.Patterns, base.ValueReference]:
        """The value with texts cast to the numbers they state, where the graph states numbers so."""
        if value.read_as == ValueType.STRING or self.options.number_texts.isdisjoint(value.binding.iris):
            return (), value
        number = self.names.fresh(f"{value.stem} number")
        made = a.Bind(base.number_of_text(value.variable), number, (step,))
        return (made,), replace(value, variable=number)

    def _as_time(self, value: base.ValueReference, step: int) -> tuple[base.Patterns, base.ValueReference]:
        """The value with texts cast to the dates they state, where the graph states dates so."""
        iris = value.binding.iris
        if self.options.date_texts.isdisjoint(iris):
            return (), value
        time, moment = self.names.fresh(f"{value.stem} time"), not self.options.moments.isdisjoint(iris)
        made = a.Bind(base.time_of_text(value.variable, moment=moment), time, (step,))
        binding = replace(value.binding, value_types=(ValueType.DATE,))
        return (made,), replace(value, variable=time, binding=binding)

    def _test_text(
        self, value: base.ValueReference, comparison: str, target: String, step: int
    ) -> base.Patterns:
        text, forms = value.variable, base.string_forms(target.text, self.options)
        if target.text in base.TRUTHS and comparison in ("=", "!="):
            return (a.Filter(base.truth_test(text, comparison, target.text, forms), (step,)),)
        if comparison == "=":
            return base.one_of(text, forms, step)
        test = base.text_test(text, comparison, target.text)
        if value.binding.value_types != (ValueType.STRING,):
            is_text = a.Call("!", (a.Call("isNumeric", (text,)),))
            is_time = _is_a(text, _TIMES)
            test = a.Operation("&&", (is_text, a.Call("!", (is_time,)), test))
        return (a.Filter(test, (step,)),)

    def _number_test(self, value: base.ValueReference, comparison: str, target: Quantity) -> a.Expression:
        """Test in the attribute's unit, if the target converts to it; by bare numbers if none is declared."""
        units = value.binding.units
        number = number_in(target, units[0]) if units else target.number
        if number is None:
            return base.FALSE
        bound = base.number_bound(number, self.options)
        test = base.number_test(value.variable, comparison, bound, self.options)
        if comparison != "!=" or self.options.dialect.guarded_numbers or _surely_number(value):
            return test
        # A text differs from any number in Oxigraph; other stores raise an error.
        return a.Operation("&&", (a.Call("isNumeric", (value.variable,)), test))

    def _date_test(self, value: base.ValueReference, comparison: str, target: Date) -> a.Expression:
        """Days by a key that every store orders alike; a bare year by the year alone."""
        day = base.day_literal(target)
        has_day = _is_a(value.variable, _DAYS)
        key = self._time_key(value) if target.second else base.day_key(value.variable)
        equal = a.Operation("&&", (has_day, a.Operation("=", (key, day))))
        if comparison == "=":
            return equal
        if comparison == "!=":
            test: a.Expression = a.Call("!", (equal,))
        else:
            year = a.Call("YEAR", (value.variable,))
            years = a.Operation(comparison, (year, base.number_literal(target.year)))
            days = a.Operation(comparison, (key, day))
            test = a.Call("IF", (has_day, days, years))
        if _surely_time(value):
            return test
        return a.Operation("&&", (_is_a(value.variable, _TIMES), test))

    def _measure_time(self, value: base.ValueReference, shown: tuple[base.Column, ...]) -> base.Measure:
        days = self._time_key(value)
        if value.binding.value_types == (ValueType.DATE,):
            return base.Measure((), days, shown, date=value.variable)
        year = a.Call("YEAR", (value.variable,))
        if value.binding.value_types == (ValueType.YEAR,):
            return base.Measure((), year, shown)
        return base.Measure(
            (), year, shown, has_day=_is_a(value.variable, _DAYS), day=days, date=value.variable
        )

    def _time_key(self, value: base.ValueReference) -> a.Expression:
        """The key of a moment where the graph states moments, else of its day."""
        key = base.day_key if self.options.moments.isdisjoint(value.binding.iris) else base.moment_key
        return key(value.variable)

    def _column(self, value: base.ValueReference, step: int) -> base.Column:
        unit = value.binding.units[0] if value.binding.units else ""
        return base.Column(value.variable.name, "value", step, unit)


def _surely_number(value: base.ValueReference) -> bool:
    return value.binding.value_types == (ValueType.QUANTITY,)


def _surely_time(value: base.ValueReference) -> bool:
    types = value.binding.value_types
    return bool(types) and set(types) <= {ValueType.YEAR, ValueType.DATE}


def _is_a(value: a.Expression, datatypes: tuple[a.Iri, ...]) -> a.Expression:
    return a.Membership(a.Call("DATATYPE", (value,)), datatypes)
