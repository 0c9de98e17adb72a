"""Conditions on a set: each leaves some of its members, and leaves some out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.offline.exploration.forms import ANY, PAIRS, SETS, STEP, ProgramForm
from nlq_gateway.offline.exploration.literals import ORDERED, Pairs, condition, differing, literals_of
from nlq_gateway.offline.exploration.schema import IdeaPart
from nlq_gateway.offline.exploration.sketch import LabelledIri, ProgramSketch
from nlq_gateway.offline.exploration.work import Build, Site, Work, named


def _concept(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members of a class to which not all belong."""
    narrowed = site.sketch.then("FilterConcept", work.schema.name(Kind.CONCEPT, part.concept))
    if work.narrows(narrowed, site.sketch):
        yield narrowed


def _value(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members whose attribute compares so with a value that some have."""
    attribute = work.attribute(part)
    held = literals_of(work.values(site.sketch, attribute))
    if (found := condition(work.rng, held.values())) is not None:
        literal, comparison = found
        function, arguments = literal.call("Filter", comparison)
        yield site.sketch.then(function, attribute, *arguments)


def _having(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members that have an attribute, or a relation."""
    narrowed = _with(work, site.sketch, part)
    if work.narrows(narrowed, site.sketch):
        yield narrowed


def _lacking(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members without it.

    All that have it are subtracted, not only those of this set: a store would compute the set twice.
    """
    narrowed = site.sketch.join(_with(work, ProgramSketch().add("FindAll"), part), "Except")
    if work.narrows(narrowed, site.sketch):
        yield narrowed


def _with(work: Work, sketch: ProgramSketch, part: IdeaPart) -> ProgramSketch:
    if part.move is None:
        return sketch.then("FilterHasAttr", work.attribute(part))
    return sketch.then(
        "FilterHasRelation", work.schema.name(Kind.RELATION, part.move.relation), part.move.direction
    )


def _linked(function: str) -> Build:
    """Keep members with a relation to a certain entity (`And`), or without (`Except`)."""

    def build(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
        assert part.move is not None
        if (entity := _telling(work, work.linked(site.sketch, part.move))) is not None:
            linked = work.relate(ProgramSketch().add("Find", entity), part.move.inverse)
            yield site.sketch.join(linked, function)

    return build


def _telling(work: Work, pairs: Pairs) -> LabelledIri | None:
    """Choose an entity that some members are linked to, but not all."""
    members: dict[LabelledIri, set[str]] = defaultdict(set)
    for member, linked in pairs:
        if (name := named(linked)) is not None:
            members[name].add(member.value)
    total = len({member.value for member, _ in pairs})
    telling = sorted(name for name, found in members.items() if len(found) < total)
    return work.rng.choice(telling) if telling else None


def _either(work: Work, site: Site, _: IdeaPart) -> Iterator[ProgramSketch]:
    """Join this set with another."""
    for other in site.others[:1]:
        both = site.sketch.join(other, "Or")
        if work.asker.count(other) and work.narrows(site.sketch, both):
            yield both


def _number(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members linked to more, as many, or fewer of something than some member."""
    assert part.move is not None
    pairs = work.linked(site.sketch, part.move)
    counts = Counter(member for member, _ in {(m.value, linked.value) for m, linked in pairs})
    known = sorted({count for count in counts.values() if count > 1})
    if not known or len(set(counts.values())) < 2:
        return
    related = work.relate(site.sketch, part.move)
    number, comparison = work.rng.choice(known), work.rng.choice((">", "=", "<"))
    if comparison == ">" and number == max(counts.values()):
        comparison = "="
    narrowed = related.add("FilterCount", str(number), comparison, of=(site.sketch.end, related.end))
    if work.narrows(narrowed, site.sketch):
        yield narrowed


def _beyond_average(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members whose quantity is above or below the average of all."""
    valued = site.sketch.then("QueryAttr", work.attribute(part))
    if differing(literals_of(work.pairs(site.sketch, valued)).values()) > 1:
        average = valued.then("Average")
        yield average.add("FilterCompare", work.rng.choice("<>"), of=(valued.end, average.end))


def _compared(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members with one attribute compared to another."""
    first = site.sketch.then("QueryAttr", work.attribute(part))
    second = first.add("QueryAttr", work.attribute(part, 1), of=(site.sketch.end,))
    narrowed = second.add("FilterCompare", work.rng.choice("<>"), of=(first.end, second.end))
    rows = work.asker.rows(second, (first.end, second.end))
    kinds = {(cell.type, cell.datatype, cell.unit) for row in rows for cell in row if cell is not None}
    if len(kinds) == 1 and work.narrows(narrowed, site.sketch):
        yield narrowed


def _qualified(work: Work, site: Site, part: IdeaPart) -> Iterator[ProgramSketch]:
    """Keep members whose fact with the start has a certain qualifier value."""
    qualifier = work.schema.name(Kind.QUALIFIER, part.qualifier)
    literals = work.literals(qualifiers_between(work, site, site.sketch, part))
    if literals:
        literal = work.rng.choice(literals)
        function, arguments = literal.call("QFilter", work.rng.choice(literal.comparisons))
        narrowed = site.sketch.then(function, qualifier, *arguments)
        if work.narrows(narrowed, site.sketch):
            yield narrowed


def qualifiers_between(work: Work, site: Site, members: ProgramSketch, part: IdeaPart) -> ProgramSketch:
    """The program for the qualifiers of the facts between a start and members of its set."""
    assert site.anchor is not None
    (move,) = site.idea.moves
    start = ProgramSketch().add("Find", site.anchor)
    first, second = (start, members) if move.direction == "forward" else (members, start)
    relation = work.schema.name(Kind.RELATION, move.relation)
    return first.join(
        second, "QueryRelationQualifier", relation, work.schema.name(Kind.QUALIFIER, part.qualifier)
    )


QUANTITIES = (ValueType.QUANTITY,)

NARROWINGS: dict[str, ProgramForm] = {
    "concept": ProgramForm(_concept, 1.0, SETS, concept=True),
    "value": ProgramForm(_value, 4.0, SETS, (ANY,)),
    "having": ProgramForm(_having, 0.7, SETS, (ANY,)),
    "having a relation": ProgramForm(_having, 0.7, SETS, move=True),
    "lacking": ProgramForm(_lacking, 0.7, SETS, (ANY,)),
    "lacking a relation": ProgramForm(_lacking, 0.7, SETS, move=True),
    "linked": ProgramForm(_linked("And"), 3.0, SETS, move=True),
    "unlinked": ProgramForm(_linked("Except"), 1.0, SETS, move=True),
    "either": ProgramForm(_either, 1.0, PAIRS, doubles=True),
    "number": ProgramForm(_number, 1.5, SETS, move=True),
    "beyond average": ProgramForm(_beyond_average, 1.0, SETS, (QUANTITIES,)),
    "compared": ProgramForm(_compared, 0.7, SETS, (ORDERED, ORDERED), alike=True),
    "qualified": ProgramForm(_qualified, 1.5, STEP, qualifier="relation"),
}
