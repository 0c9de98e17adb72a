"""What a report tells, and its program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from compilers.kopl.functions import ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from training.reports.chains import Node

TOTALS = ("Sum", "Average", "Minimum", "Maximum")
MOST_COLUMNS = 5
_COMPARED = {ValueType.QUANTITY: "FilterNum", ValueType.DATE: "FilterDate", ValueType.YEAR: "FilterYear"}


@dataclass(frozen=True, slots=True)
class Condition:
    """What members of a class must state."""

    function: str
    attribute: SchemaItem
    value: str
    sign: str = ""

    @property
    def is_of_times(self) -> bool:
        """True if days or years are compared."""
        return self.function in (_COMPARED[ValueType.DATE], _COMPARED[ValueType.YEAR])


@dataclass(frozen=True, slots=True)
class Number:
    """A number over the last class: of its members, or of values or differences that they state."""

    function: str
    attribute: SchemaItem | None = None
    less: SchemaItem | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Columns of each class of a chain, and a number beside them.

    `columns` are the attributes of each class. `order` sorts by the number and keeps the first; `above` keeps
    what has more. Without columns it tells the number, values of `asked`, or the last class's members.
    """

    nodes: Sequence[Node]
    columns: Sequence[Sequence[SchemaItem]] = ()
    condition: Condition | None = None
    number: Number | None = None
    order: str = ""
    above: str = ""
    asked: SchemaItem | None = None


def report(nodes: Sequence[Node], random: Random) -> Report | None:
    """A report over a chain; None where its classes state nothing to tell."""
    [make] = random.choices((_listed, _numbered, _found), (2, 2, 1))
    return make(nodes, random)


def _listed(nodes: Sequence[Node], random: Random) -> Report | None:
    """Columns of the first and the last class at least."""
    columns = [_some(node, random.choices((0, 1, 2, 3), (15, 40, 35, 10))[0], random) for node in nodes]
    for at in (0, -1):
        columns[at] = columns[at] or _some(nodes[at], 1, random)
    fitting = 2 <= sum(map(len, columns)) <= MOST_COLUMNS
    return Report(nodes, columns, condition_of(nodes[0], random, 0.35)) if fitting else None


def _numbered(nodes: Sequence[Node], random: Random) -> Report | None:
    """A number over the last class for each of the first."""
    number = number_of(nodes, random)
    if number is None:
        return None
    between = [_some(node, 1, random) if random.random() < 0.2 else [] for node in nodes[1:-1]]
    columns = [_some(nodes[0], 1, random), *between, *([[]] if len(nodes) > 1 else [])]
    order, above = "", ""
    if len(nodes) > 1 and random.random() < 0.2:
        order = random.choice(("descending", "ascending"))
    elif number.function == "Count" and random.random() < 0.3:
        above = str(random.randint(1, 9))
    return Report(nodes, columns, condition_of(nodes[0], random, 0.35), number, order, above)


def _found(nodes: Sequence[Node], random: Random) -> Report | None:
    """What is reached from the first class, values of it, or a number."""
    number = number_of(nodes, random) if random.random() < 0.5 else None
    if number is not None and number.less is not None:
        return None
    asked = random.choice(nodes[-1].attributes) if random.random() < 0.7 else None
    return Report(nodes, (), condition_of(nodes[0], random, 1.0), number, asked=asked)


def program_of(report: Report) -> Program:
    """The program of a report, in the order in which it tells."""
    writing = Writing()
    ends = writing.ends(report)
    columns = [
        writing.add("QueryAttr", (one.label,), (at,))
        for at, some in zip(ends, report.columns, strict=bool(report.columns))
        for one in some
    ]
    if report.number is not None:
        columns.append(writing.number(report.number, ends[-1]))
    elif report.asked is not None:
        writing.add("QueryAttr", (report.asked.label,), (ends[-1],))
    elif not columns:
        writing.add("What", (), (ends[-1],))
    if report.columns:
        writing.table(columns, report)
    return Program(tuple(writing.steps))


class Writing:
    """Steps written so far."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, function: str, inputs: Sequence[str] = (), of: Sequence[int] = ()) -> int:
        """One more step, and its number."""
        self.steps.append(Step(function, tuple(inputs), tuple(of)))
        return len(self.steps) - 1

    def ends(self, report: Report) -> list[int]:
        """The members of each class: of the first those that are meant, and what is linked to them."""
        found = self.add("FilterConcept", (report.nodes[0].concept.label,), (self.add("FindAll"),))
        ends = [self.stating(report.condition, found) if report.condition else found]
        for node in report.nodes[1:]:
            ends.append(self.related(ends[-1], node))
        return ends

    def stating(self, one: Condition, members: int) -> int:
        """Those of some members that meet a condition."""
        return self.add(one.function, (one.attribute.label, one.value, *filter(None, [one.sign])), (members,))

    def related(self, source: int, node: Node) -> int:
        """The members of a class that are linked to those before."""
        assert node.edge is not None
        relation, direction = node.edge.relation, node.edge.direction
        found = self.add("Relate", (relation.label, direction), (source,))
        ends = relation.ranges if direction == "forward" else relation.domains
        return self.add("FilterConcept", (node.concept.label,), (found,)) if len(ends) > 1 else found

    def number(self, number: Number, end: int) -> int:
        """A number over members."""
        if number.attribute is None:
            return self.add("Count", (), (end,))
        value = self.add("QueryAttr", (number.attribute.label,), (end,))
        if number.less is not None:
            value = self.add(
                "Calculate", ("-",), (value, self.add("QueryAttr", (number.less.label,), (end,)))
            )
        return self.add(number.function, (), (value,)) if number.function else value

    def table(self, columns: Sequence[int], report: Report) -> None:
        """The columns side by side, in order and cut."""
        table, last = self.add("Table", (), columns), str(len(columns))
        if report.above:
            self.add("FilterTable", (last, report.above, ">"), (table,))
        if report.order:
            self.add("LimitTable", ("1",), (self.add("SortTable", (last, report.order), (table,)),))


def number_of(nodes: Sequence[Node], random: Random) -> Number | None:
    """A number over the last class; None where there is none to tell."""
    last = nodes[-1]
    dates = last.of_type(ValueType.DATE)
    amounts = [one for one in last.of_type(ValueType.QUANTITY) if not is_key(one)]
    kind = random.random()
    if len(dates) > 1 and kind < 0.3:
        later, earlier = random.sample(dates, 2)
        function = random.choice(TOTALS) if len(nodes) > 1 or random.random() < 0.3 else ""
        return Number(function, later, earlier)
    if amounts and kind < 0.75:
        return Number(random.choice(TOTALS), random.choice(amounts))
    many = any(one.edge is not None and one.edge.direction == "backward" for one in nodes)
    return Number("Count") if many or len(nodes) == 1 else None


def is_key(one: SchemaItem) -> bool:
    """True if an attribute tells things apart: its numbers mean nothing."""
    words = one.label.lower().split()
    return words[-1:] == ["id"] or words[-1:] == ["code"] or (words[-1:] == ["number"] and len(words) < 3)


def condition_of(node: Node, random: Random, share: float) -> Condition | None:
    """A condition on members, in such a share of cases; None where they state nothing for it."""
    told = [one for one in node.attributes if one.examples and one.value_types]
    if not told or random.random() > share:
        return None
    attribute = random.choice(told)
    value, value_type = random.choice(attribute.examples), attribute.value_types[0]
    if value_type == ValueType.STRING:
        return Condition("FilterStr", attribute, value) if len(value) < 40 else None
    if value_type not in _COMPARED or any(map(str.isalpha, attribute.units)):
        return None
    sign = random.choice((">", "<") if value_type != ValueType.QUANTITY else (">", "<", ">=", "<=", "="))
    return Condition(_COMPARED[value_type], attribute, value, sign)


def _some(node: Node, size: int, random: Random) -> list[SchemaItem]:
    return random.sample(node.attributes, min(size, len(node.attributes)))
