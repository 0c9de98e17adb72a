"""KQA Pro's RDF: value nodes, and a node per fact for its qualifiers.

`e r t` states a fact; `[] pred:fact_h e ; pred:fact_r r ; pred:fact_t t ; q v` qualifies it. Values are
nodes: `[ pred:value "5"^^xsd:double ; pred:unit "metre" ]`, `[ pred:year 1960 ; pred:date … ]`,
`[ pred:value "text" ]`. Membership (`pred:instance_of`) is stated for all concepts above.
Source: https://github.com/shijx12/KQAPro_Baselines (DataForSPARQL).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compilers import algebra as a
from compilers.grounded import Binding
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year
from compilers.layouts import base, quantities
from compilers.layouts.options import Options
from compilers.layouts.vocabulary import PRED, XSD
from compilers.naming import VariableNames

NAME = a.Iri(PRED + "name")
INSTANCE_OF = a.Iri(PRED + "instance_of")
VALUE = a.Iri(PRED + "value")
UNIT = a.Iri(PRED + "unit")
YEAR = a.Iri(PRED + "year")
DATE = a.Iri(PRED + "date")
FACT_HEAD = a.Iri(PRED + "fact_h")
FACT_RELATION = a.Iri(PRED + "fact_r")
FACT_TAIL = a.Iri(PRED + "fact_t")

_UNSAFE = '<>"{}|^`\\%' + "".join(map(chr, (*range(33), *range(0x7F, 0xA1))))
_IRI_UNSAFE = str.maketrans({char: "".join(f"%{byte:02X}" for byte in char.encode()) for char in _UNSAFE})


@dataclass(frozen=True, slots=True)
class KqaPro:
    """The layout's operations for one query."""

    options: Options
    names: VariableNames
    name: str = "kqapro"
    has_qualifiers: bool = True
    has_value_nodes: bool = True
    mixes_objects: bool = False

    @property
    def commonness(self) -> Mapping[str, int]:
        """Membership and relations of facts, which many subjects share, and units: most numbers have none."""
        return {INSTANCE_OF.value: 1, UNIT.value: 2, FACT_RELATION.value: 2}

    def iri(self, kind: Kind, name: str) -> str | None:
        """Relations, attributes and qualifiers are named by their label with `_` for blanks."""
        if kind not in (Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER):
            return None
        return self.options.base + name.replace(" ", "_").translate(_IRI_UNSAFE)

    def named(self, entity: a.Variable, name: str, step: int) -> base.Patterns:
        """`entity` carries this name."""
        forms = base.string_forms(name, self.options)
        if len(forms) == 1:
            return (a.Triple(entity, NAME, forms[0], (step,)),)
        variable = self.names.fresh("name")
        return (*base.one_of(variable, forms, step), a.Triple(entity, NAME, variable, (step,)))

    def everything(self, entity: a.Variable, step: int) -> base.Patterns:
        """Every node with a name that is neither a concept with members nor a predicate."""
        member, subject, related = map(self.names.fresh, ("member", "subject", "related"))
        return (
            a.Triple(entity, NAME, self.names.fresh("anyName"), (step,)),
            a.NotExists((a.Triple(member, INSTANCE_OF, entity, (step,)),), (step,)),
            a.NotExists((a.Triple(subject, entity, related, (step,)),), (step,)),
        )

    def member(self, entity: a.Variable, concept: Binding | str, step: int) -> base.Patterns:
        """Membership is materialised; concepts below are members too and are left out."""
        if isinstance(concept, str):
            found = self.names.fresh("concept")
            return (*self.named(found, concept, step), a.Triple(entity, INSTANCE_OF, found, (step,)))
        patterns = base.any_object(entity, INSTANCE_OF, concept.iris, self.names, step)
        if concept.subconcepts and self.options.hierarchy == INSTANCE_OF.value:
            inner = a.Triple(self.names.fresh("member"), INSTANCE_OF, entity, (step,))
            return (*patterns, a.NotExists((inner,), (step,)))
        return patterns

    def relation(
        self, head: a.Term, relation: Binding, tail: a.Term, fact: a.Variable | None, step: int
    ) -> base.Patterns:
        """The direct triple, or the fact's node if a qualifier is read from it."""
        values, predicate = base.any_predicate(relation, self.names, step)
        return (*values, *self._stated(fact, head, predicate, tail, step))

    def path(self, head: a.Term, relation: Binding, tail: a.Term, step: int) -> base.Patterns:
        """A path of direct triples."""
        return base.one_or_more(head, tuple(map(a.Iri, relation.iris)), tail, self.options, step)

    def attribute(
        self, entity: a.Variable, attribute: Binding, fact: a.Variable | None, step: int
    ) -> tuple[base.Patterns, base.ValueReference]:
        """The value's node."""
        node = self.names.fresh(attribute.label or "value")
        values, predicate = base.any_predicate(attribute, self.names, step)
        stated = self._stated(fact, entity, predicate, node, step)
        return (*values, *stated), base.ValueReference(node, attribute, node.name, step)

    def qualifier(
        self, fact: a.Variable, qualifier: Binding, step: int
    ) -> tuple[base.Patterns, base.ValueReference]:
        """The qualifier value's node."""
        node = self.names.fresh(qualifier.label or "qualifier")
        values, predicate = base.any_predicate(qualifier, self.names, step)
        direct = a.Triple(fact, predicate, node, (step,))
        return (*values, direct), base.ValueReference(node, qualifier, node.name, step)

    def test(self, value: base.ValueReference, comparison: str, target: Value, step: int) -> base.Patterns:
        """`value comparison target` holds for the node's value."""
        match target:
            case String():
                return self._test_text(value, comparison, target, step)
            case Quantity():
                quantity = self._quantity(value, step)
                return quantities.compared(quantity, comparison, target, self.options, self.names, step)
            case Year():
                year = self.names.fresh(f"{value.stem} year")
                test = a.Operation(comparison, (year, base.number_literal(target.year)))
                return (a.Triple(value.variable, YEAR, year, (step,)), a.Filter(test, (step,)))
            case Date():
                return self._test_date(value, comparison, target, step)

    def read(self, value: base.ValueReference, step: int) -> base.ValuePatterns:
        """Each part of the value's possible types; a part of the only possible type is not optional."""
        types = value.binding.value_types
        roles = [role for role, wanted in _PARTS.items() if base.may_be(value.binding, *wanted)]
        if types == (ValueType.QUANTITY,) and value.binding.units == (NO_UNIT,):
            roles.remove("unit")
        if types == (ValueType.DATE,):
            roles.remove("year")
        patterns: list[a.Pattern] = []
        columns: list[base.Column] = []
        for role in roles:
            variable = self.names.fresh(_part_name(value.stem, role))
            triple = a.Triple(value.variable, _PREDICATES[role], variable, (step,))
            certain = bool(types) and all(kind in _PARTS[role] for kind in types)
            patterns.append(triple if certain else a.Optional((triple,), (step,)))
            columns.append(base.Column(variable.name, role, step, NO_UNIT if role == "value" else ""))
        reading = base.ValuePatterns(tuple(patterns), tuple(columns))
        if not base.may_be(value.binding, ValueType.QUANTITY):
            return reading
        number = a.Variable(columns[0].name)
        return base.with_digits(reading, number, value.stem, self.options, self.names)

    def measure(self, value: base.ValueReference, step: int) -> base.Measure:
        """The number with its unit; or a time where the graph holds no quantity, or a text."""
        types = value.binding.value_types
        if types and ValueType.QUANTITY not in types:
            if set(types) == {ValueType.STRING}:
                return self._measure_text(value, step)
            return self._measure_time(value, step)
        return quantities.measured(self._quantity(value, step), self.names, step)

    def between(self, head: a.Term, relation: a.Variable, tail: a.Term, step: int) -> base.Patterns:
        """Any predicate but membership and those from a fact's node to its ends."""
        different = a.Membership(relation, (INSTANCE_OF, FACT_HEAD, FACT_TAIL), negated=True)
        return (a.Triple(head, relation, tail, (step,)), a.Filter(different, (step,)))

    def label(self, entity: a.Variable, label: a.Variable, step: int) -> base.Patterns:
        """`pred:name`, in a wanted language where names have one."""
        triple = a.Triple(entity, NAME, label, (step,))
        return (triple, *base.in_languages(label, self.options, step))

    def _stated(
        self, fact: a.Variable | None, head: a.Term, relation: a.Variable | a.Iri, tail: a.Term, step: int
    ) -> base.Patterns:
        """The direct triple, or the fact's node without it: the node implies the triple, at less cost."""
        if fact is None:
            return (a.Triple(head, relation, tail, (step,)),)
        parts = ((FACT_HEAD, head), (FACT_RELATION, relation), (FACT_TAIL, tail))
        return tuple(a.Triple(fact, predicate, term, (step,)) for predicate, term in parts)

    def _test_text(
        self, value: base.ValueReference, comparison: str, target: String, step: int
    ) -> base.Patterns:
        text = self.names.fresh(f"{value.stem} value")
        if comparison == "=":
            forms = base.string_forms(target.text, self.options, ())
            if len(forms) == 1:
                return (a.Triple(value.variable, VALUE, forms[0], (step,)),)
            return (*base.one_of(text, forms, step), a.Triple(value.variable, VALUE, text, (step,)))
        test = a.Filter(base.text_test(text, comparison, target.text), (step,))
        stated = a.Triple(value.variable, VALUE, text, (step,))
        if value.binding.value_types == (ValueType.STRING,):
            return (stated, test)
        has_unit = a.Triple(value.variable, UNIT, self.names.fresh("unit"), (step,))
        return (stated, a.NotExists((has_unit,), (step,)), test)

    def _quantity(self, value: base.ValueReference, step: int) -> quantities.StatedQuantity:
        node, number = value.variable, self.names.fresh(f"{value.stem} value")
        return quantities.StatedQuantity(
            (a.Triple(node, VALUE, number, (step,)),),
            number,
            lambda unit: (a.Triple(node, UNIT, unit, (step,)),),
            a.Literal,
            lambda _: (),
            node,
            value.stem,
            value.binding,
            are_doubles=True,
        )

    def _test_date(
        self, value: base.ValueReference, comparison: str, target: Date, step: int
    ) -> base.Patterns:
        date = self.names.fresh(_part_name(value.stem, "date"))
        dated = a.Triple(value.variable, DATE, date, (step,))
        sides = (base.day_key(date), base.day_literal(target))
        if not self.options.dialect.day_keys:
            sides = (date, a.Literal(str(target), XSD + "date"))
        test: a.Expression = a.Operation(comparison, sides)
        if comparison == "=":
            return (dated, a.Filter(test, (step,)))
        year = self.names.fresh(f"{value.stem} year")
        bound = a.Call("BOUND", (date,))
        if comparison == "!=":
            test = a.Operation("||", (a.Call("!", (bound,)), test))
        else:
            years = a.Operation(comparison, (year, base.number_literal(target.year)))
            test = a.Call("IF", (bound, test, years))
        return (
            a.Triple(value.variable, YEAR, year, (step,)),
            a.Optional((dated,), (step,)),
            a.Filter(test, (step,)),
        )

    def _measure_text(self, value: base.ValueReference, step: int) -> base.Measure:
        text = self.names.fresh(f"{value.stem} value")
        stated = a.Triple(value.variable, VALUE, text, (step,))
        return base.Measure((stated,), a.Call("STR", (text,)), (base.Column(text.name, "value", step),))

    def _measure_time(self, value: base.ValueReference, step: int) -> base.Measure:
        year = self.names.fresh(f"{value.stem} year")
        stated = a.Triple(value.variable, YEAR, year, (step,))
        shown = base.Column(year.name, "year", step)
        if value.binding.value_types == (ValueType.YEAR,):
            return base.Measure((stated,), year, (shown,))
        date = self.names.fresh(_part_name(value.stem, "date"))
        dated = a.Triple(value.variable, DATE, date, (step,))
        columns = (shown, base.Column(date.name, "date", step))
        key = base.day_key(date)
        if value.binding.value_types == (ValueType.DATE,):
            return base.Measure((dated,), key, columns[1:], date=date)
        either = (stated, a.Optional((dated,), (step,)))
        return base.Measure(either, year, columns, has_day=a.Call("BOUND", (date,)), day=key, date=date)


_PREDICATES = {"value": VALUE, "unit": UNIT, "year": YEAR, "date": DATE}
_PARTS = {
    "value": (ValueType.STRING, ValueType.QUANTITY),
    "unit": (ValueType.QUANTITY,),
    "year": (ValueType.YEAR, ValueType.DATE),
    "date": (ValueType.DATE,),
}


def _part_name(stem: str, part: str) -> str:
    """`population unit`, and `publication date value` instead of `publication date date`."""
    return f"{stem} value" if stem.lower().endswith(part) else f"{stem} {part}"
