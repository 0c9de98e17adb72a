"""Translates a query to the steps that answer it: lists, tables, groups and numbers."""

from __future__ import annotations

from dataclasses import replace

from compilers.from_sparql.comparisons import Comparisons
from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.joins import intersected, linked
from compilers.from_sparql.labels import without_labels
from compilers.from_sparql.line import RootedTree
from compilers.from_sparql.multiplicity import is_key, require_told_apart
from compilers.from_sparql.query import (
    ROUND,
    Aggregate,
    Combination,
    Constant,
    Expression,
    Pattern,
    Query,
    QueryCall,
    QueryVariable,
    parts,
    variables,
)
from compilers.from_sparql.roots import choose_root, counts_rows, nodes_read, read_variables
from compilers.from_sparql.sets import Sets
from compilers.from_sparql.shape import Tree
from compilers.from_sparql.steps import Steps
from compilers.from_sparql.subselects import merged
from compilers.from_sparql.unions import either
from compilers.kopl.functions import ARITHMETIC, COMPARISONS, ValueType
from compilers.kopl.tables import taken_apart

_TABLES = {"minus": "ExceptTable", "union": "OrTable", "intersection": "AndTable"}
_DIRECTIONS = {True: "descending", False: "ascending"}
_EXTREMES = {True: "largest", False: "smallest"}


class QueryTranslator:
    """States one query in `steps`."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self.sets = Sets(steps, Comparisons(steps, self.scalar))

    def end(self, query: Query) -> int:
        """The last step of the program."""
        query = self._plain(query)
        if query.ask:
            return self._existence(query)
        if query.keys == ():
            return self._single_row(query)
        if isinstance(query.pattern, Pattern) and query.distinct and len(query.columns) == 1:
            value = query.columns[0].value
            if query.keys is None and not query.order and not query.is_cut:
                return self._distinct(query, value)
        return self._table(query)

    def _plain(self, query: Query) -> Query:
        """The query without subselects of many rows."""
        if isinstance(query.pattern, Combination):
            return query
        numbers = (*(c.value for c in query.columns), *query.having, *(o.key for o in query.order))
        once = query.ask or (query.distinct if query.keys is None else not counts_rows(numbers))
        query = without_labels(replace(query, pattern=merged(query.pattern, once)), self.steps.schema.labels)
        if not (isinstance(query.pattern, Pattern) and query.pattern.unions):
            return intersected(query, self.steps.schema)
        if not once:
            raise CannotState("a union of rows that may repeat")
        return either(query, self.steps.schema)

    def scalar(self, query: Query) -> int:
        """The number, or the values, that a subselect of one row gives."""
        query = self._plain(query)
        return self._single_row(query) if query.keys == () else self._first(query)

    def _tree(self, pattern: Pattern | Combination) -> Tree:
        if isinstance(pattern, Combination):
            raise CannotState(f"a {pattern.operator} of rows as a pattern")
        return linked(pattern, self.steps.schema)

    def _line(
        self, tree: Tree, expressions: tuple[Expression, ...], bag: bool
    ) -> tuple[RootedTree, tuple[Expression, ...]]:
        """The line of a tree for some expressions, and further columns without which rows would be lost."""
        read = read_variables(expressions)
        root, hidden = choose_root(tree, read, bag, self.steps.schema)
        require_told_apart(tree, (*read, *hidden), self.steps.schema)
        plain = [expression for expression in expressions if not _is_number(expression)]
        present = {*read_variables(plain), *hidden}
        return RootedTree(
            self.sets, tree, root, nodes_read((*read, *hidden), tree), present, self.scalar
        ), hidden

    def _existence(self, query: Query) -> int:
        tree = self._tree(query.pattern)
        root, _ = choose_root(tree, (), False, self.steps.schema)
        require_told_apart(tree, (), self.steps.schema)
        return self.steps.add("Exists", (self.sets.root(tree, root),))

    def _distinct(self, query: Query, value: Expression) -> int:
        line, _ = self._line(self._tree(query.pattern), (value,), bag=False)
        step = line.step(value)
        return self.steps.add("What", (step,)) if value in line.tree.nodes else step

    def _single_row(self, query: Query) -> int:
        """One group: each number by itself. Neither order nor a limit changes one row."""
        if query.having or query.limit == 0 or query.offset:
            raise CannotState("a condition on the one row of a number")
        tree = self._tree(query.pattern)
        lines: dict[object, RootedTree] = {}
        numbers = [self._alone(tree, column.value, lines) for column in query.columns]
        return numbers[0] if len(numbers) == 1 else self.steps.add("Table", tuple(numbers))

    def _alone(self, tree: Tree, expression: Expression, lines: dict[object, RootedTree]) -> int:
        """A number or a calculation of numbers; `lines` are kept for aggregates over the same line."""
        if isinstance(expression, QueryCall) and expression.function in ARITHMETIC:
            left, right = (self._alone(tree, argument, lines) for argument in expression.arguments)
            return self.steps.add("Calculate", (left, right), expression.function)
        if isinstance(expression, QueryCall) and expression.function == ROUND:
            return self.steps.add("Round", (self._alone(tree, expression.arguments[0], lines),), "0")
        if isinstance(expression, Constant) and expression.value_type == ValueType.QUANTITY:
            return self.steps.add("Number", (), expression.text)
        if not isinstance(expression, Aggregate):
            raise CannotState("a column that is no number in the one row of all solutions")
        bag, read = counts_rows((expression,)), read_variables((expression,))
        ends = nodes_read(read, tree)
        root, _ = choose_root(tree, read, bag, self.steps.schema)
        require_told_apart(tree, read, self.steps.schema)
        if bag and not read and not is_key(tree, root, self.steps.schema):
            return self._count_of_rows(tree)
        if bag and read and (root not in ends or not is_key(tree, root, self.steps.schema)):
            raise CannotState("an aggregate over values that repeat in the solutions")
        if (root, read) not in lines:
            lines[root, read] = RootedTree(self.sets, tree, root, ends, read, self.scalar)
        return lines[root, read].step(expression)

    def _count_of_rows(self, tree: Tree) -> int:
        """The number of solutions, where several may belong to one entity."""
        line, hidden = self._line(tree, (), bag=True)
        columns = tuple(line.step(variable) for variable in hidden) or (line.members[line.root],)
        return self.steps.add("CountTable", (self.steps.add("Table", columns),))

    def _first(self, query: Query) -> int:
        """The value of one attribute of the member that comes first by another attribute."""
        tree = self._tree(query.pattern)
        value, keys = query.columns[0].value, [order.key for order in query.order]
        shown = tree.values.get(value) if isinstance(value, QueryVariable) else None
        by = tree.values.get(keys[0]) if len(keys) == 1 and isinstance(keys[0], QueryVariable) else None
        if shown is None or by is None or shown.node != by.node or query.limit != 1 or query.keys is not None:
            raise CannotState("a subselect for the first of several")
        members = self.sets.root(tree, by.node, (), {variable for key in keys for variable in variables(key)})
        extreme = _EXTREMES[query.order[0].descending]
        first = self.steps.add("SelectTop", (members,), by.attribute, extreme, "1")
        return self.steps.add("QueryAttr", (first,), shown.attribute)

    def _table(self, query: Query) -> int:
        shown = tuple(column.value for column in query.columns)
        order = tuple(o for o in query.order if query.is_cut or self._is_bound(o.key, query))
        wanted = (*shown, *(query.keys or ()), *self._compared(query.having), *(o.key for o in order))
        step, columns = self._columns(query, shown, tuple(dict.fromkeys(e for e in wanted if e not in shown)))
        for condition in query.having:
            step = self._filter_rows(step, condition, columns)
        for key in reversed(order):
            place = columns.index(key.key) + 1
            step = self.steps.add("SortTable", (step,), str(place), _DIRECTIONS[key.descending])
        for place in range(len(columns), len(shown), -1):
            step = self.steps.add("DropColumn", (step,), str(place))
        if query.distinct and not isinstance(query.pattern, Combination):
            step = self.steps.add("DistinctTable", (step,))
        if query.offset:
            step = self.steps.add("SkipTable", (step,), str(query.offset))
        return step if query.limit is None else self.steps.add("LimitTable", (step,), str(query.limit))

    def _columns(
        self, query: Query, shown: tuple[Expression, ...], hidden: tuple[Expression, ...]
    ) -> tuple[int, tuple[Expression, ...]]:
        """The table with all its columns, the shown ones first, and the expressions of the columns."""
        if isinstance(query.pattern, Combination):
            return self._combined(query), shown
        tree = self._tree(query.pattern)
        columns = (*shown, *hidden)
        if query.keys and any(column not in query.keys and not _is_number(column) for column in columns):
            raise CannotState("a column that is neither a key of the groups nor a number")
        bag = counts_rows(columns) if query.keys else not query.distinct
        line, more = self._line(tree, columns, bag)
        if more and query.keys:
            raise CannotState("groups in which an entity has several solutions")
        columns = (*columns, *more)
        step = self.steps.add("Table", tuple(line.step(column) for column in columns))
        if query.keys and taken_apart(self.steps.program().program, step):
            raise CannotState("sums of groups in which other numbers repeat or leave out values")
        if query.keys and not any(map(_is_number, columns)):
            step = self.steps.add("DistinctTable", (step,))
        return step, columns

    def _combined(self, query: Query) -> int:
        pattern = query.pattern
        assert isinstance(pattern, Combination)
        names = [QueryVariable(column.name) for column in pattern.left.columns]
        same = [c.name for c in pattern.left.columns] == [c.name for c in pattern.right.columns]
        if not query.distinct or not same or [column.value for column in query.columns] != names:
            raise CannotState(f"a {pattern.operator} of rows that may repeat")
        sides = tuple(self._table(self._plain(side)) for side in (pattern.left, pattern.right))
        return self.steps.add(_TABLES[pattern.operator], sides)

    def _is_bound(self, key: Expression, query: Query) -> bool:
        """True if a sort key is bound; an unbound one has no effect on the order."""
        if isinstance(query.pattern, Combination):
            return key in [QueryVariable(column.name) for column in query.columns]
        tree = self._tree(query.pattern)
        return all(map(tree.holds, variables(key)))

    def _compared(self, having: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(part for condition in having for part in parts(condition) if isinstance(part, Aggregate))

    def _filter_rows(self, step: int, condition: Expression, columns: tuple[Expression, ...]) -> int:
        match condition:
            case QueryCall(operator, (column, Constant(value))) if operator in COMPARISONS:
                place = columns.index(column) + 1
                return self.steps.add("FilterTable", (step,), str(place), value, operator)
        raise CannotState("a condition on groups that is no comparison with a value")


def _is_number(expression: Expression) -> bool:
    """True if an expression aggregates over many solutions."""
    return any(isinstance(part, Aggregate) for part in parts(expression))
