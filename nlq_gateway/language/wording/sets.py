"""Sets of a program as noun phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.values import possible_values
from nlq_gateway.language.tables import words
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.attributes import (
    compared,
    property_of,
    qualified,
    value_of,
    value_text,
)
from nlq_gateway.language.wording.english import words_of
from nlq_gateway.language.wording.joins import and_, except_, or_
from nlq_gateway.language.wording.phrases import Clause, Phrase, clause_of, gap_of
from nlq_gateway.language.wording.relations import RelationWording
from nlq_gateway.language.wording.writer import NoForm, Writer

_OFTEN_MANY, _IDENTIFIERS = words("often_many"), words("identifiers")
_FEW = frozenset(["capital", "owner", "spouse", "parent"])
_SUBJECTS = {"their": "they", "its": "it"}


def _find_all(_writer: Writer, _at: int) -> Phrase:
    return Phrase()


def _find(writer: Writer, at: int) -> Phrase:
    name = writer.lexicon.label(Kind.ENTITY, writer.argument(at, 0), writer.choice(at, 0))
    if not name.strip():
        raise NoForm
    return Phrase(name=name, many=False)


def _filter_concept(writer: Writer, at: int) -> Phrase:
    phrase = writer.phrase(writer.source(at))
    concept = writer.argument(at, 0)
    noun = writer.pick_once((Kind.CONCEPT, concept), writer.lexicon.nouns(concept, writer.choice(at, 0)))
    person = writer.lexicon.is_person(noun)
    if phrase.noun or (phrase.name and phrase.many):
        return phrase.with_clause(Clause("be", english.with_article(noun)))
    spoken = phrase.named() if phrase.pronoun else phrase
    return replace(spoken, noun=noun, person=person or phrase.person)


def _filter_value(value_type: ValueType) -> Callable[[Writer, int], Phrase]:
    def read(writer: Writer, at: int) -> Phrase:
        phrase = writer.phrase(writer.source(at))
        item = writer.item(at, 0, Kind.ATTRIBUTE)
        value = value_of(writer.argument(at, 1), value_type, item.value_types if item else ())
        operator = "=" if value_type == ValueType.STRING else writer.argument(at, 2)
        stated = property_of(item, writer.argument(at, 1))
        clause = stated or compared(writer.attribute(at), value, operator)
        said = phrase.with_clause(clause)
        if not phrase.said and value_type == ValueType.STRING and _tells_apart(writer.attribute(at).noun):
            said = replace(said, many=False)
        if phrase.name or phrase.noun or phrase.guess:
            return said
        person = phrase.person or writer.lexicon.are_people(item, "domains")
        return replace(said, guess=writer.lexicon.guess(item, "domains"), person=person)

    return read


def _tells_apart(noun: str) -> bool:
    """True if the attribute's name suggests values that identify a member."""
    return noun.lower().rpartition(" ")[2] in _IDENTIFIERS


def _qualifier(value_type: ValueType) -> Callable[[Writer, int], Phrase]:
    def read(writer: Writer, at: int) -> Phrase:
        value = value_of(writer.argument(at, 1), value_type, ())
        operator = "=" if value_type == ValueType.STRING else writer.argument(at, 2)
        label = writer.lexicon.label(Kind.QUALIFIER, writer.argument(at, 0), writer.choice(at, 0))
        return writer.phrase(writer.source(at)).with_tail(qualified(label, value, operator))

    return read


def _relate(writer: Writer, at: int) -> Phrase:
    from_set = writer.phrase(writer.source(at))
    item = writer.item(at, 0, Kind.RELATION)
    reading = reading_at(writer, at)
    forward = writer.argument(at, 1) == "forward"
    side = "ranges" if forward else "domains"
    guess = writer.lexicon.guess(item, side)
    related = (led_to if forward else leading_to)(reading, from_set)
    if not related.role and not related.clauses:
        raise NoForm
    person = writer.lexicon.are_people(item, side) or (not guess and writer.lexicon.is_person(related.role))
    many = related.many
    if forward and item is not None and item.functional and not from_set.many:
        many = False
    return replace(related, guess=guess, person=person, many=many)


def _relate_transitive(writer: Writer, at: int) -> Phrase:
    return _relate(writer, at).with_tail("directly or indirectly")


def reading_at(writer: Writer, at: int) -> RelationWording:
    """The reading of a step's relation, the same in the whole program."""
    relation = writer.argument(at, 0)
    readings = writer.lexicon.readings(relation, writer.choice(at, 0))
    return writer.pick_once((Kind.RELATION, relation), readings)


def led_to(reading: RelationWording, subject: Phrase) -> Phrase:
    """Word the objects of a relation from the members of `subject`."""
    doing = clause_of(reading.backward, subject) if reading.backward else None
    gap = None
    if reading.forward and not (reading.forward.verb == "have" and reading.backward):
        who = _SUBJECTS.get(subject.pronoun) or subject.related()
        gap = gap_of(reading.forward, who, subject.many or who == "they")
    many = subject.many or (reading.noun.replace(" ", "_") in _OFTEN_MANY if reading.noun else True)
    return _related(reading.noun, subject, doing, gap, many)


def leading_to(reading: RelationWording, target: Phrase) -> Phrase:
    """Word the subjects of a relation to the members of `target`."""
    doing = clause_of(reading.forward, target) if reading.forward else None
    gap = None
    if reading.backward:
        who = _SUBJECTS.get(target.pronoun) or target.related()
        gap = gap_of(reading.backward, who, target.many or who == "they")
    noun = reading.subject_noun
    return _related(noun, target, doing, gap, target.many or noun not in _FEW)


def _related(role: str, owner: Phrase, doing: Clause | None, gap: Clause | None, many: bool) -> Phrase:
    done = replace(doing, other=gap) if doing else gap
    if done is not None and not role:
        return Phrase(clauses=(done,), many=many)
    return Phrase(role=role, owner=owner.related(), possessive=owner.pronoun, done=done, many=many)


def _has_attribute(writer: Writer, at: int) -> Phrase:
    noun = writer.attribute(at).noun
    phrase = writer.phrase(writer.source(at))
    return phrase.with_clause(Clause("have", english.with_article(noun)))


def _contains(writer: Writer, at: int) -> Phrase:
    noun = writer.attribute(at).noun
    said = Clause("have", f"{english.with_article(noun)} containing", writer.argument(at, 1))
    return writer.phrase(writer.source(at)).with_clause(said)


def _name_contains(writer: Writer, at: int) -> Phrase:
    said = Clause("have", "a name containing", writer.argument(at, 0))
    return writer.phrase(writer.source(at)).with_clause(said)


def _has_relation(writer: Writer, at: int) -> Phrase:
    phrase = writer.phrase(writer.source(at))
    item = writer.item(at, 0, Kind.RELATION)
    reading = reading_at(writer, at)
    forward = writer.argument(at, 1) == "forward"
    noun = reading.noun if forward else reading.subject_noun
    if noun:
        return phrase.with_clause(Clause("have", english.with_article(noun)))
    guess = writer.lexicon.guess(item, "ranges" if forward else "domains")
    other = english.with_article(guess) if guess else "something"
    frame = reading.forward if forward else reading.backward
    if frame is not None:
        return phrase.with_clause(clause_of(frame, Phrase(name=other, many=False)))
    if reading.forward is None:
        raise NoForm
    return phrase.with_clause(gap_of(reading.forward, other, False))


def _extreme(writer: Writer, at: int) -> Phrase:
    phrase = writer.phrase(writer.source(at))
    number = int(writer.argument(at, 2))
    place = writer.step(at).signature.name == "SelectNth"
    many = not place and number > 1
    rank = ("" if number == 1 else english.ordinal(number)) if place else english.number_word(number) * many
    attribute = writer.attribute(at)
    # For times the comparison is reversed: the oldest has the smallest date of birth.
    adjective = attribute.degree((writer.argument(at, 1) == "largest") != writer.is_time(at), True)
    return superlative(phrase, attribute_words(writer, at), adjective, rank, many)


def _places(writer: Writer, at: int) -> Phrase:
    """Word places of an order, as ranked 6 to 10 by the largest population, or the top 10 per cent."""
    phrase = writer.phrase(writer.source(at))
    if phrase.name or phrase.before or phrase.after:
        raise NoForm
    by = attribute_words(writer, at)
    if writer.step(at).signature.name == "SelectShare":
        return replace(phrase, after=f"in the top {writer.argument(at, 2)} per cent by {by}", many=True)
    first, last = writer.step(at).inputs[2:]
    return replace(phrase, after=f"ranked {first} to {last} by {by}", many=first != last)


def attribute_words(writer: Writer, at: int) -> str:
    """The largest or smallest value of the step's attribute, as the largest population."""
    attribute = writer.attribute(at)
    largest = writer.argument(at, 1) in ("largest", "greater")
    if attribute.counted:
        return f"the {'most' if largest else 'fewest'} {attribute.counted}"
    if writer.is_time(at):
        return f"the {'latest' if largest else 'earliest'} {attribute.noun}"
    size = writer.pick(("largest", "highest", "greatest") if largest else ("smallest", "lowest"))
    return f"the {size} {attribute.noun}"


def superlative(phrase: Phrase, most: str, adjective: str, rank: str, many: bool) -> Phrase:
    """The members with the most of something."""
    if phrase.name or phrase.before or phrase.after:
        raise NoForm
    if adjective:
        return replace(phrase, before=words_of(rank, adjective), many=many)
    if rank and not many:
        most = most.replace("the ", f"the {rank} ", 1)
        rank = ""
    return replace(phrase, before=rank, after=f"with {most}", many=many)


def _extreme_by(writer: Writer, at: int) -> Phrase:
    """The members with the largest or smallest values of the second input."""
    first, second = writer.sources(at)
    extreme, number = writer.argument(at, 0), int(writer.argument(at, 1))
    phrase = writer.phrase(first)
    shared = writer.shared(first, second)
    if shared is None or writer.step(second).signature.name != "QueryAttr":
        raise NoForm
    owner = writer.meaning(shared, Phrase(name="them", guess=phrase.head(False), pronoun="their")).phrase(
        writer.source(second)
    )
    sizes = {"largest": "latest", "smallest": "earliest"} if writer.is_time(second) else {}
    noun = f"{owner.head(False)} {writer.attribute(second).noun}"
    many = number > 1
    rank = english.number_word(number) if many else ""
    return superlative(phrase, f"the {sizes.get(extreme, extreme)} {noun}", "", rank, many)


_COMPARED = {
    ("=", False): "equal to",
    ("=", True): "equal to",
    ("!=", False): "other than",
    ("!=", True): "other than",
    ("<", False): "less than",
    ("<", True): "earlier than",
    (">", False): "greater than",
    (">", True): "later than",
    ("<=", False): "no greater than",
    ("<=", True): "no later than",
    (">=", False): "no less than",
    (">=", True): "no earlier than",
}
COMPARED = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    ">": "is greater than",
    "<=": "is at most",
    ">=": "is at least",
}
NUMBERED = {
    "=": "exactly",
    "!=": "other than",
    "<": "fewer than",
    ">": "more than",
    "<=": "at most",
    ">=": "at least",
}


def _compare(writer: Writer, at: int) -> Phrase:
    values, operand = writer.sources(at)
    source = writer.source(values)
    if writer.step(values).signature.name != "QueryAttr":
        raise NoForm
    phrase = writer.phrase(source)
    noun = writer.attribute(values).noun
    pronoun = "their" if phrase.many or phrase.person else "its"
    them = Phrase(name="them", guess=phrase.head(False), pronoun=pronoun, many=False)
    other = writer.meaning(writer.shared(values, operand), them).measure(operand)
    words = _COMPARED[writer.argument(at, 0), writer.is_time(values)]
    return phrase.with_clause(Clause("have", f"{english.with_article(noun)} {words}", other.text()))


def _count(writer: Writer, at: int) -> Phrase:
    first, second = writer.sources(at)
    number, operator = writer.argument(at, 0), writer.argument(at, 1)
    phrase = writer.phrase(first)
    shared = writer.shared(first, second)
    if shared is None or shared == second:
        raise NoForm
    them = Phrase(name="them", guess=phrase.head(False), pronoun="their")
    counted = writer.meaning(shared, them).phrase(second)
    more = NUMBERED[operator]
    gaps = [gap for clause in counted.said for gap in (clause, clause.other) if gap and gap.subject == "they"]
    if gaps and len(counted.said) == 1 and not counted.is_role:
        gap = gaps[0]
        many = f"{more} {number} {counted.head(True)}"
        return phrase.with_clause(Clause(gap.verb, gap.link, words_of(many, gap.tail), gap.past))
    return phrase.with_clause(Clause("have", f"{more} {number}", counted.bare(True)))


_AGGREGATES = {"sum": "total", "average": "average", "minimum": "smallest", "maximum": "largest"}


def _aggregate(writer: Writer, at: int) -> Phrase:
    """Word an aggregate condition, as directors for whom the total budget of their films is 5 euros."""
    first, second = writer.sources(at)
    aggregate, text, operator = writer.step(at).inputs
    phrase, shared = writer.phrase(first), writer.shared(first, second)
    if shared is None or phrase.after:
        raise NoForm
    them = Phrase(name="them", guess=phrase.head(False), pronoun="their", many=False)
    measure = writer.meaning(shared, them).measure(second).aggregated(_AGGREGATES[aggregate])
    compared = f"{COMPARED[operator]} {value_text(possible_values(text)[0])}"
    spoken = phrase.named() if phrase.pronoun else phrase
    return replace(spoken, after=f"for {'whom' if phrase.person else 'which'} {measure} {compared}")


SETS: Mapping[str, Callable[[Writer, int], Phrase]] = {
    "FindAll": _find_all,
    "Find": _find,
    "FilterConcept": _filter_concept,
    "FilterStr": _filter_value(ValueType.STRING),
    "FilterNum": _filter_value(ValueType.QUANTITY),
    "FilterYear": _filter_value(ValueType.YEAR),
    "FilterDate": _filter_value(ValueType.DATE),
    "QFilterStr": _qualifier(ValueType.STRING),
    "QFilterNum": _qualifier(ValueType.QUANTITY),
    "QFilterYear": _qualifier(ValueType.YEAR),
    "QFilterDate": _qualifier(ValueType.DATE),
    "Relate": _relate,
    "RelateTransitive": _relate_transitive,
    "And": and_,
    "Or": or_,
    "Except": except_,
    "FilterHasAttr": _has_attribute,
    "FilterHasRelation": _has_relation,
    "FilterContains": _contains,
    "FilterNameContains": _name_contains,
    "FilterCompare": _compare,
    "FilterCount": _count,
    "FilterAggregate": _aggregate,
    "SelectTop": _extreme,
    "SelectTopBy": _extreme_by,
    "SelectNth": _extreme,
    "SelectPlaces": _places,
    "SelectShare": _places,
}
