"""Members of a set whose attribute compares with a constant, a number, or other values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    YEAR,
    Constant,
    EntityName,
    Expression,
    Query,
    QueryCall,
    QueryIri,
    QueryVariable,
    Scalar,
)
from compilers.from_sparql.schema import Schema
from compilers.from_sparql.shape import MIRRORED, Match, Tree
from compilers.from_sparql.steps import Steps
from compilers.kopl.functions import COMPARISONS, Type, ValueType

_FILTERS = {
    ValueType.QUANTITY: "FilterNum",
    ValueType.DATE: "FilterDate",
    ValueType.YEAR: "FilterYear",
}
_SAME = {"=": "And", "!=": "Except"}
_TIMES = frozenset((ValueType.DATE, ValueType.YEAR))


def attribute_of_times(argument: Expression, tree: Tree, schema: Schema) -> str:
    """The attribute whose years and dates an expression gives; raises CannotState for any other value."""
    if isinstance(argument, QueryVariable) and argument in tree.values:
        attribute = tree.values[argument].attribute
        types = schema.attribute(attribute).value_types
        if types and _TIMES.issuperset(types):
            return attribute
    raise CannotState("the year of a value that may be no date")


@dataclass(frozen=True, slots=True)
class Comparisons:
    """States comparisons in `steps`; `scalar` states the value of a subselect of one row."""

    steps: Steps
    scalar: Callable[[Query], int]

    def comparing(self, operator: str, left: Expression, right: Expression, tree: Tree, step: int) -> int:
        """The members of `step` for which `left operator right` holds; both are of its node, or constant.

        Raises CannotState for an order of texts, for unlike types, and where no attribute is compared.
        """
        if isinstance(left, (Constant, QueryIri, EntityName, Scalar)):
            operator, left, right = MIRRORED[operator], right, left
        assert operator in COMPARISONS, operator
        if left in tree.nodes and isinstance(right, (QueryIri, EntityName)) and operator in _SAME:
            return self._same(step, operator, right)
        match left, right:
            case QueryCall(function, (time,)), Constant(text) if function == YEAR and text.isdigit():
                attribute = attribute_of_times(time, tree, self.steps.schema)
                return self._test(step, attribute, operator, Constant(text, ValueType.YEAR))
        if isinstance(left, QueryVariable) and left in tree.values:
            attribute = tree.values[left].attribute
            if isinstance(right, Constant):
                return self._test(step, attribute, operator, right)
            if isinstance(right, Scalar):
                return self._apart(step, attribute, operator, self.scalar(right.query))
            if isinstance(right, QueryVariable) and right in tree.values:
                other = self.steps.add("QueryAttr", (step,), tree.values[right].attribute)
                return self.with_values(step, attribute, operator, other)
        raise CannotState("a comparison without an attribute's value")

    def containing(self, asked: Expression, part: Constant, tree: Tree, step: int) -> int:
        """The members of `step` whose attribute or name contains a text, regardless of case."""
        if asked in tree.nodes:
            return self.steps.add("FilterNameContains", (step,), part.text)
        if not isinstance(asked, QueryVariable) or asked not in tree.values:
            raise CannotState("CONTAINS on a variable that is no attribute's value")
        attribute = tree.values[asked].attribute
        if self.steps.schema.attribute(attribute).value_types != (ValueType.STRING,):
            raise CannotState("CONTAINS on an attribute that does not hold texts alone")
        return self.steps.add("FilterContains", (step,), attribute, part.text)

    def _same(self, step: int, operator: str, entity: QueryIri | EntityName) -> int:
        found = self.steps.find(entity)
        if operator == "=" and self.steps.steps[step].function == "FindAll":
            return found
        return self.steps.add(_SAME[operator], (step, found))

    def with_values(self, step: int, attribute: str, operator: str, other: int) -> int:
        """The members of `step` for which `attribute operator other` holds with a step's values or number."""
        values = self.steps.add("QueryAttr", (step,), attribute)
        return self.steps.add("FilterCompare", (values, other), operator)

    def matching(self, tree: Tree, match: Match, step: int, other: int) -> int:
        """The members of `step` that match those of `other`, whose line is joined to theirs."""
        for own, operator, theirs in match.tests:
            attribute, compared = tree.values[own].attribute, tree.values[theirs].attribute
            self._require_alike(attribute, compared)
            values = self.steps.add("QueryAttr", (other,), compared)
            step = self.with_values(step, attribute, operator, values)
        return step

    def _apart(self, step: int, attribute: str, operator: str, other: int) -> int:
        """Add `with_values`, and keep the line behind the other values out of the members' line."""
        found = self.with_values(step, attribute, operator, other)
        if self.steps.steps[other].signature.output == Type.NUMBER:
            return found
        return self.steps.add("And", (step, found))

    def _test(self, step: int, attribute: str, operator: str, target: Constant) -> int:
        self._require_like(attribute, target.value_type)
        if target.value_type != ValueType.STRING:
            return self.steps.add(_FILTERS[target.value_type], (step,), attribute, target.text, operator)
        if operator not in ("=", "!="):
            raise CannotState("a text compared by <, <=, > or >=")
        if operator == "=":
            return self.steps.add("FilterStr", (step,), attribute, target.text)
        if not self.steps.schema.attribute(attribute).single:
            raise CannotState("!= with a text on an attribute that may have several values")
        having = self.steps.add("FilterHasAttr", (step,), attribute)
        same = self.steps.add("FilterStr", (step,), attribute, target.text)
        return self.steps.add("Except", (having, same))

    def _require_alike(self, attribute: str, other: str) -> None:
        known, others = (set(self.steps.schema.attribute(one).value_types) for one in (attribute, other))
        if known and others and not known & others and not (known | others) <= _TIMES:
            raise CannotState("a comparison of unlike types")

    def _require_like(self, attribute: str, wanted: ValueType) -> None:
        """Raise CannotState for unequal types: SPARQL finds nothing, and an average of nothing is 0 there."""
        known = set(self.steps.schema.attribute(attribute).value_types)
        accepted = _TIMES if wanted in _TIMES else {wanted}
        if known and not known & accepted:
            raise CannotState("a comparison of unlike types")
