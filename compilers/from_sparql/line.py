"""Steps that share a line: the root's members, the members they lead to, and a row's values and numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from compilers.from_sparql.comparisons import attribute_of_times
from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.multiplicity import is_key
from compilers.from_sparql.query import (
    ROUND,
    YEAR,
    Aggregate,
    Constant,
    Expression,
    Query,
    QueryCall,
    QueryVariable,
    Scalar,
)
from compilers.from_sparql.sets import Sets
from compilers.from_sparql.shape import Link, Match, Node, Tree, spine
from compilers.kopl.functions import ARITHMETIC, ValueType

# data.world's function: from the first date to the second, in the unit that the third argument names.
_DATE_DIFFERENCE = "http://data.world/function/functions#date_diff"
_DAYS = Constant("day", ValueType.STRING)
_NUMBERS = {"sum": "Sum", "avg": "Average", "min": "Minimum", "max": "Maximum"}
_TEXT_ONLY = (ValueType.STRING,)


@dataclass(slots=True)
class RootedTree:
    """One tree seen from its root.

    `ends` are the nodes that columns read, `present` the values that are read for every way.
    """

    sets: Sets
    tree: Tree
    root: Node
    ends: Collection[Node]
    present: Collection[QueryVariable]
    scalar: Callable[[Query], int]
    members: dict[Node, int] = field(default_factory=dict)
    read: dict[Expression, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """State the root's set."""
        ends = self.ends = spine(self.tree, self.root, self.ends)
        self.members[self.root] = self.sets.root(self.tree, self.root, ends, self.present)
        self._match(self.root, None)

    def step(self, expression: Expression) -> int:
        """The step that gives an expression; raises CannotState for an expression without a step."""
        if expression not in self.read:
            self.read[expression] = self._state(expression)
        return self.read[expression]

    def _state(self, expression: Expression) -> int:
        match expression:
            case QueryVariable() if expression in self.tree.values:
                value = self.tree.values[expression]
                return self.sets.steps.add("QueryAttr", (self._set(value.node),), value.attribute)
            case QueryVariable() if expression in self.tree.nodes:
                return self._set(expression)
            case QueryCall(function, (number,)) if function == ROUND:
                self._require_numbers(number)
                return self.sets.steps.add("Round", (self.step(number),), "0")
            case QueryCall(function, (time,)) if function == YEAR:
                attribute_of_times(time, self.tree, self.sets.steps.schema)
                return self.sets.steps.add("Period", (self.step(time),), "year")
            case QueryCall(operator, (left, right)) if operator in ARITHMETIC:
                return self._calculate(left, right, operator)
            case QueryCall(function, (start, end, unit)) if function == _DATE_DIFFERENCE and unit == _DAYS:
                return self._calculate(end, start, "-")
            case Aggregate():
                return self._number(expression)
            case Scalar(query):
                return self.scalar(query)
            case Constant():
                raise CannotState("a constant as a column")
            case QueryCall(function):
                raise CannotState(f"the function {function}")
        raise CannotState("a column without a pattern that gives it")

    def _set(self, node: Node) -> int:
        if node not in self.members:
            source: Node = self.root
            for link in self.tree.path(self.root, node):
                if link.target not in self.members:
                    assert isinstance(link, Link), "members that match are stated with those they match"
                    step = self.members[source]
                    self.members[link.target] = self.sets.onward(
                        self.tree, link, source, step, self.ends, self.present
                    )
                    self._match(link.target, source)
                source = link.target
        return self.members[node]

    def _match(self, node: Node, parent: Node | None) -> None:
        """Add the members compared with the node's; columns read of these come from the comparison."""
        for way in self.tree.children(node, parent):
            if isinstance(way, Match) and way.target in self.ends:
                step = self.sets.beside(self.tree, way.target, node, self.ends, self.present)
                self.members[way.target] = self.sets.comparisons.matching(
                    self.tree, way.back(node), step, self.members[node]
                )
                self._match(way.target, node)

    def _calculate(self, left: Expression, right: Expression, operator: str) -> int:
        self._require_numbers(left)
        self._require_numbers(right)
        return self.sets.steps.add("Calculate", (self._operand(left), self._operand(right)), operator)

    def _operand(self, expression: Expression) -> int:
        match expression:
            case Constant(text, ValueType.QUANTITY):
                return self.sets.steps.add("Number", (), text)
        return self.step(expression)

    def _number(self, aggregate: Aggregate) -> int:
        add = self.sets.steps.add
        argument = aggregate.argument
        if aggregate.function != "count":
            if aggregate.distinct and aggregate.function in ("sum", "avg"):
                raise CannotState("SUM or AVG with DISTINCT")
            self._require_numbers(argument)
            assert argument is not None, "only COUNT counts solutions"
            return add(_NUMBERS[aggregate.function], (self.step(argument),))
        if argument is None or not aggregate.distinct:
            if not is_key(self.tree, self.root, self.sets.steps.schema):
                raise CannotState("a count of solutions in which an entity repeats")
            return add("Count", (self.members[self.root],))
        counted = "CountValues" if argument not in self.tree.nodes else "Count"
        return add(counted, (self.step(argument),))

    def _require_numbers(self, argument: Expression | None) -> None:
        if isinstance(argument, QueryVariable) and argument in self.tree.values:
            attribute = self.sets.steps.schema.attribute(self.tree.values[argument].attribute)
            if attribute.value_types == _TEXT_ONLY:
                raise CannotState("a number over texts")
