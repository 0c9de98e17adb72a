"""Tables about a set: columns, groups, orders, rows of two tables."""

from __future__ import annotations

from collections.abc import Iterator

from compilers.kopl.functions import ValueType
from nlq_gateway.offline.exploration.forms import ANY, CLASSES, PAIRS, SETS, ProgramForm
from nlq_gateway.offline.exploration.literals import ORDERED, differing, literal_of, literals_of
from nlq_gateway.offline.exploration.narrowings import QUANTITIES
from nlq_gateway.offline.exploration.schema import IdeaPart
from nlq_gateway.offline.exploration.sketch import ProgramSketch
from nlq_gateway.offline.exploration.work import Build, Site, Work

# A group by a quantity has hardly more than one member.
GROUPING = (ValueType.STRING, ValueType.YEAR)


def _valued(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The members with a value of each attribute."""
    members = site.sketch.end
    sketch, columns = site.sketch, [members]
    for position in range(len(part.attributes)):
        sketch = sketch.add("QueryAttr", work.attribute(part, position), of=(members,))
        columns.append(sketch.end)
    yield sketch.add("Table", of=tuple(columns))


def _related(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The members with what a relation leads to."""
    assert part.move is not None
    linked = work.relate(site.sketch, part.move)
    yield linked.add("Table", of=(site.sketch.end, linked.end))


def _pairs(*functions: str) -> Build:
    """Pairs of values, each once."""

    def build(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
        first = site.sketch.then("QueryAttr", work.attribute(part))
        second = first.add("QueryAttr", work.attribute(part, 1), of=(site.sketch.end,))
        table = second.add("Table", of=(first.end, second.end))
        for function in functions:
            table = table.then(function)
        yield table

    return build


def _in_order(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The names of the members, ordered by an attribute."""
    attribute = work.attribute(part)
    if differing(literals_of(work.values(site.sketch, attribute)).values()) > 1:
        valued = site.sketch.then("QueryAttr", attribute)
        table = valued.add("Table", of=(site.sketch.end, valued.end))
        yield table.then("SortTable", "2", _way(work)).then("DropColumn", "2")


def _way(work: Work) -> str:
    return work.rng.choice(("ascending", "descending"))


def _count_each(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Count something for each member."""
    yield _counted_each(work, site, part)


def _counted_each(work: Work, site: Site, part: IdeaPart) -> ProgramSketch:
    assert part.move is not None
    number = work.relate(site.sketch, part.move).then("Count")
    return number.add("Table", of=(site.sketch.end, number.end))


def _most(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The members that go with the most of something, as far as these are not just some of equals."""
    table = _counted_each(work, site, part).then("SortTable", "2", "descending")
    numbers = _second_column(work, table)
    places = [place for place in (1, 3, 5) if place < len(numbers) and numbers[place - 1] != numbers[place]]
    if places:
        yield table.then("LimitTable", str(work.rng.choice(places)))


def _more_than(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The members that go with more of something than some do."""
    table = _counted_each(work, site, part)
    numbers = sorted(set(_second_column(work, table)), key=float)
    if len(numbers) > 1:
        yield table.then("FilterTable", "2", work.rng.choice(numbers[:-1]), ">")


def _second_column(work: Work, table: ProgramSketch) -> list[str]:
    answer = work.asker.answer(table)
    rows = answer.rows if answer is not None else ()
    return [str(row[1]) for row in rows if row[1] is not None and literal_of(row[1]) is not None]


def _count_by_value(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Count the members for each value."""
    yield _beside_count(site, site.sketch.then("QueryAttr", work.attribute(part)))


def _count_by_relation(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Count the members for each target of a relation."""
    assert part.move is not None
    yield _beside_count(site, work.relate(site.sketch, part.move))


def _count_by_related_value(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Count the members for each value of a relation's targets."""
    assert part.move is not None
    yield _beside_count(site, work.relate(site.sketch, part.move).then("QueryAttr", work.attribute(part)))


def _beside_count(site: Site, column: ProgramSketch) -> ProgramSketch:
    """A table of a column, and of the number of members for each of its items."""
    number = column.add("Count", of=(site.sketch.end,))
    return number.add("Table", of=(column.end, number.end))


def _average_by_relation(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The average of an attribute for each thing that a relation leads to."""
    assert part.move is not None
    linked = work.relate(site.sketch, part.move)
    average = linked.add("QueryAttr", work.attribute(part), of=(site.sketch.end,)).then("Average")
    yield average.add("Table", of=(linked.end, average.end))


def _numbers(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Least, average and greatest value side by side."""
    attribute = work.attribute(part)
    if differing(literals_of(work.values(site.sketch, attribute)).values()) > 1:
        valued = site.sketch.then("QueryAttr", attribute)
        sketch, columns = valued, []
        for function in ("Minimum", "Average", "Maximum"):
            sketch = sketch.add(function, of=(valued.end,))
            columns.append(sketch.end)
        yield sketch.add("Table", of=tuple(columns))


def _of_two(function: str) -> Build:
    """Values of this set and of another: in both, in either, in the one alone."""

    def build(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
        for other in site.others[:1]:
            own, others = (
                one.then("QueryAttr", work.attribute(part)).then("Table") for one in (site.sketch, other)
            )
            yield own.join(others, function)

    return build


TABLES: dict[str, ProgramForm] = {
    "columns": ProgramForm(_valued, 1.0, SETS, (ANY,)),
    "more columns": ProgramForm(_valued, 0.7, SETS, (ANY, ANY)),
    "related columns": ProgramForm(_related, 0.7, SETS, move=True),
    "pairs": ProgramForm(_pairs("DistinctTable"), 0.5, SETS, (ANY, ANY)),
    "number of pairs": ProgramForm(_pairs("DistinctTable", "CountTable"), 0.3, CLASSES, (ANY, ANY)),
    "in order": ProgramForm(_in_order, 0.7, SETS, (ORDERED,)),
    "count each": ProgramForm(_count_each, 1.0, SETS, move=True),
    "most": ProgramForm(_most, 1.0, SETS, move=True),
    "more than": ProgramForm(_more_than, 0.7, SETS, move=True),
    "count by value": ProgramForm(_count_by_value, 0.7, SETS, (GROUPING,)),
    "count by relation": ProgramForm(_count_by_relation, 0.7, SETS, move=True),
    "count by related value": ProgramForm(
        _count_by_related_value, 0.5, SETS, (GROUPING,), move=True, beyond=True
    ),
    "average by relation": ProgramForm(_average_by_relation, 0.5, SETS, (QUANTITIES,), move=True),
    "least, average, greatest": ProgramForm(_numbers, 0.5, SETS, (QUANTITIES,)),
    "values of both": ProgramForm(_of_two("AndTable"), 0.4, PAIRS, (ANY,), narrowable=False, doubles=True),
    "values of either": ProgramForm(_of_two("OrTable"), 0.4, PAIRS, (ANY,), narrowable=False, doubles=True),
    "values of one alone": ProgramForm(
        _of_two("ExceptTable"), 0.4, PAIRS, (ANY,), narrowable=False, doubles=True
    ),
}
