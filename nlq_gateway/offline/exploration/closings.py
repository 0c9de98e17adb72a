"""Requests about a set: names, numbers, values, the first by order, yes or no, qualifiers."""

from __future__ import annotations

from collections.abc import Iterator

from compilers.kopl.functions import Kind
from nlq_gateway.offline.exploration.forms import ANY, CLASSES, LINES, SETS, STEP, WALKS, ProgramForm
from nlq_gateway.offline.exploration.literals import ORDERED, WrittenValue, differing, literals_of
from nlq_gateway.offline.exploration.narrowings import QUANTITIES, qualifiers_between
from nlq_gateway.offline.exploration.schema import IdeaPart
from nlq_gateway.offline.exploration.sketch import LabelledIri, ProgramSketch
from nlq_gateway.offline.exploration.work import Build, Site, Work, named


def _ends(*functions: str) -> Build:
    """Functions without arguments, one after the other."""

    def build(_work: Work, site: Site, _part: IdeaPart) -> Iterator[ProgramSketch]:
        sketch = site.sketch
        for function in functions:
            sketch = sketch.then(function)
        yield sketch

    return build


def _attribute(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    yield site.sketch.then("QueryAttr", work.attribute(part))


def _number_of_values(function: str) -> Build:
    """A number over the values of an attribute, where these differ."""

    def build(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
        attribute = work.attribute(part)
        held = literals_of(work.values(site.sketch, attribute)).values()
        if len({literal for values in held for literal in values}) > 1:
            yield site.sketch.then("QueryAttr", attribute).then(function)

    return build


def _contains(work: Work, site: Site, _: IdeaPart) -> Iterator[ProgramSketch]:
    """Ask if an entity is in the set: one that is, or one of another such set."""
    asked = work.rng.choice((site.sketch, *site.others[:1]))
    rows = work.asker.rows(asked, (asked.end,))
    members = sorted({name for row in rows if (name := named(row[0])) is not None and name != site.anchor})
    if members:
        member = ProgramSketch().add("Find", work.rng.choice(members))
        yield site.sketch.join(member, "And").then("Exists")


def _verify(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Ask if a value is as stated, or as that of another such set."""
    attribute = work.attribute(part)
    asked = site.sketch.then("QueryAttr", attribute)
    own = work.literals(asked)
    other = site.others[0].then("QueryAttr", attribute) if site.others else asked
    if len(own) == 1 and (known := work.literals(work.rng.choice((asked, other)))):
        literal = work.rng.choice(known)
        alike = [one for one in literal.comparisons if one == "=" or literal.value != own[0].value]
        function, arguments = literal.call("Verify", work.rng.choice(alike))
        yield asked.then(function, *arguments)


def _among(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    if _places(work, site, part) > 1:
        yield site.sketch.then("SelectAmong", work.attribute(part), _extreme(work))


def _ranked(function: str, most: int) -> Build:
    """Of more, the first few (`SelectTop`), or the one at a place (`SelectNth`)."""

    def build(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
        if (places := _places(work, site, part)) > 2:
            number = work.rng.randint(2, min(most, places - 1))
            selected = site.sketch.then(function, work.attribute(part), _extreme(work), str(number))
            yield selected.then("What")

    return build


def _of_the_top(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Another attribute of the first."""
    if _places(work, site, part) > 1:
        selected = site.sketch.then("SelectTop", work.attribute(part), _extreme(work), "1")
        yield selected.then("QueryAttr", work.attribute(part, 1))


def _places(work: Work, site: Site, part: IdeaPart) -> int:
    """The number of different places in an order by the attribute."""
    return differing(literals_of(work.values(site.sketch, work.attribute(part))).values())


def _extreme(work: Work) -> str:
    return work.rng.choice(("largest", "smallest"))


def _between(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Ask which of two members has more, or less."""
    for one, other in _two_members(work, site, part):
        first, second = ProgramSketch().add("Find", one), ProgramSketch().add("Find", other)
        operator = work.rng.choice(("greater", "less"))
        yield first.join(second, "SelectBetween", work.attribute(part), operator)


def _difference(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Ask for the difference of two members' values."""
    attribute = work.attribute(part)
    for one, other in _two_members(work, site, part):
        first = ProgramSketch().add("Find", one).then("QueryAttr", attribute)
        yield first.join(ProgramSketch().add("Find", other).then("QueryAttr", attribute), "Calculate", "-")


def _two_members(work: Work, site: Site, part: IdeaPart) -> Iterator[tuple[LabelledIri, LabelledIri]]:
    """Two members whose values differ, the one with the greater value first where they are ordered."""
    known = _members_with_one(work, site, part)
    if len(known) > 1:
        first, value = work.rng.choice(known)
        others = [name for name, literal in known if literal.value != value.value and name[1] != first[1]]
        if others:
            yield first, work.rng.choice(others)


def _members_with_one(work: Work, site: Site, part: IdeaPart) -> list[tuple[LabelledIri, WrittenValue]]:
    """Members that have one value of the attribute, and it."""
    pairs = work.values(site.sketch, work.attribute(part))
    names = {member.value: name for member, _ in pairs if (name := named(member)) is not None}
    held = literals_of(pairs)
    return [(name, held[iri][0]) for iri, name in names.items() if len(held.get(iri, ())) == 1]


def _calculated(operator: str) -> Build:
    """Calculate one attribute with another."""

    def build(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
        first = site.sketch.then("QueryAttr", work.attribute(part))
        second = first.add("QueryAttr", work.attribute(part, 1), of=(site.sketch.end,))
        rows = work.asker.rows(second, (first.end, second.end))
        units = {cell.unit for row in rows for cell in row if cell is not None}
        if rows and (operator == "/" or len(units) == 1):
            yield second.add("Calculate", operator, of=(first.end, second.end))

    return build


def _relation(work: Work, site: Site, _: IdeaPart) -> Iterator[ProgramSketch]:
    """Ask for the relation between the start and a member."""
    if (member := _a_member(work, site)) is not None and site.anchor is not None:
        pair = (site.anchor, member)
        (move,) = site.idea.moves
        first, second = pair if move.direction == "forward" else pair[::-1]
        yield ProgramSketch().add("Find", first).join(ProgramSketch().add("Find", second), "QueryRelation")


def _relation_qualifier(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The qualifier of the fact between the start and a member."""
    if (member := _a_member(work, site)) is not None:
        yield qualifiers_between(work, site, ProgramSketch().add("Find", member), part)


def _a_member(work: Work, site: Site) -> LabelledIri | None:
    rows = work.asker.rows(site.sketch, (site.sketch.end,))
    members = sorted({name for row in rows if (name := named(row[0])) is not None})
    return work.rng.choice(members) if members else None


def _attribute_qualifier(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """The qualifier of a member's value."""
    for member, literal in _valued(work, site, part):
        yield member.then("QueryAttrQualifier", work.attribute(part), literal.text, _qualifier(work, part))


def _under_condition(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """A member's value under a qualifier."""
    for member, literal in _valued(work, site, part):
        attribute, qualifier = work.attribute(part), _qualifier(work, part)
        for known in work.literals(member.then("QueryAttrQualifier", attribute, literal.text, qualifier))[:1]:
            yield member.then("QueryAttrUnderCondition", attribute, qualifier, known.text)


def _valued(work: Work, site: Site, part: IdeaPart) -> Iterator[tuple[ProgramSketch, WrittenValue]]:
    """A few members with a value each."""
    pairs = work.values(site.sketch, work.attribute(part))
    names = {member.value: name for member, _ in pairs if (name := named(member)) is not None}
    known = [
        (names[iri], literal) for iri, held in literals_of(pairs).items() if iri in names for literal in held
    ]
    for name, literal in work.rng.sample(known, min(len(known), 8)):
        yield ProgramSketch().add("Find", name), literal


def _qualifier(work: Work, part: IdeaPart) -> LabelledIri:
    return work.schema.name(Kind.QUALIFIER, part.qualifier)


CLOSINGS: dict[str, ProgramForm] = {
    "names": ProgramForm(_ends("What"), 14.0, WALKS),
    "count": ProgramForm(_ends("Count"), 4.0, WALKS),
    "attribute": ProgramForm(_attribute, 4.0, {**WALKS, "entity": (0, 3)}, (ANY,)),
    "contains": ProgramForm(_contains, 2.0, LINES, narrowable=False),
    "verify": ProgramForm(_verify, 2.0, {"entity": (0, 2)}, (ANY,), narrowable=False),
    "among": ProgramForm(_among, 2.0, SETS, (ORDERED,)),
    "top": ProgramForm(_ranked("SelectTop", 5), 1.5, SETS, (ORDERED,)),
    "of the top": ProgramForm(_of_the_top, 1.0, SETS, (ORDERED, ANY)),
    "nth": ProgramForm(_ranked("SelectNth", 4), 1.0, SETS, (ORDERED,)),
    "between": ProgramForm(_between, 1.5, CLASSES, (ORDERED,), narrowable=False),
    "difference": ProgramForm(_difference, 0.5, CLASSES, (ORDERED,), narrowable=False),
    "sum": ProgramForm(_number_of_values("Sum"), 0.7, SETS, (QUANTITIES,)),
    "average": ProgramForm(_number_of_values("Average"), 1.0, SETS, (QUANTITIES,)),
    "minimum": ProgramForm(_number_of_values("Minimum"), 0.7, SETS, (ORDERED,)),
    "maximum": ProgramForm(_number_of_values("Maximum"), 0.7, SETS, (ORDERED,)),
    "values": ProgramForm(_number_of_values("CountValues"), 0.7, SETS, (ANY,)),
    "minus": ProgramForm(
        _calculated("-"), 0.4, {"entity": (0, 1)}, (ORDERED, ORDERED), alike=True, narrowable=False
    ),
    "by": ProgramForm(_calculated("/"), 0.3, {"entity": (0, 1)}, (QUANTITIES, QUANTITIES), narrowable=False),
    "relation": ProgramForm(_relation, 1.0, STEP, narrowable=False),
    "relation qualifier": ProgramForm(_relation_qualifier, 1.5, STEP, qualifier="relation", narrowable=False),
    "attribute qualifier": ProgramForm(
        _attribute_qualifier, 1.0, CLASSES, (ANY,), qualifier="attribute", narrowable=False
    ),
    "under condition": ProgramForm(
        _under_condition, 1.0, CLASSES, (ANY,), qualifier="attribute", narrowable=False
    ),
}
