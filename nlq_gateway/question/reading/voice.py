"""Which of two names a question makes the subject of a relation: who feeds, and who is fed.

The form of the clause and the form of the relation's name decide together: "A owns B" and "A is owned by B"
swap the ends, and so do "owns" and "owned by" as names.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.question.reading import lexicon
from nlq_gateway.question.reading.reading import Reading


class Clause(Enum):
    """How a relation stands between the first name A and the second name B."""

    ACTIVE = "A directs B"
    PASSIVE = "A is directed by B"
    STATIVE = "A is located in B"
    NOUN_OF = "A is the capital of B"
    HAS = "A has B as a part"


class Name(Enum):
    """How a relation is called."""

    BY = "directed by"
    PREDICATE = "flows into"
    VERB = "feeds"
    DOER = "director"
    NOUN = "capital"


# Whether A is the subject of the relation's facts; what is missing cannot be told.
_FIRST_IS_SUBJECT: Mapping[tuple[Clause, Name], bool] = {
    (Clause.ACTIVE, Name.BY): False,
    (Clause.ACTIVE, Name.PREDICATE): True,
    (Clause.ACTIVE, Name.VERB): True,
    (Clause.ACTIVE, Name.DOER): False,
    (Clause.PASSIVE, Name.BY): True,
    (Clause.PASSIVE, Name.PREDICATE): False,
    (Clause.PASSIVE, Name.VERB): False,
    (Clause.PASSIVE, Name.DOER): True,
    (Clause.PASSIVE, Name.NOUN): True,
    (Clause.STATIVE, Name.PREDICATE): True,
    (Clause.STATIVE, Name.DOER): True,
    (Clause.STATIVE, Name.NOUN): True,
    (Clause.NOUN_OF, Name.BY): False,
    (Clause.NOUN_OF, Name.PREDICATE): True,
    (Clause.NOUN_OF, Name.VERB): True,
    (Clause.NOUN_OF, Name.DOER): False,
    (Clause.NOUN_OF, Name.NOUN): False,
    (Clause.HAS, Name.BY): True,
    (Clause.HAS, Name.PREDICATE): False,
    (Clause.HAS, Name.DOER): True,
    (Clause.HAS, Name.NOUN): True,
}
_BE = frozenset("is are was were isn't aren't wasn't weren't".split())
_DO = frozenset("do does did has have had doesn't didn't don't hasn't haven't hadn't".split())
_HAVE = frozenset("have has had".split())
_PREPOSITIONS = frozenset("in of to into on onto at with from for through under over near".split())
_DOERS = ("er", "or", "ist")
_SHARED = 3
_OPENING = 2


def leads(reading: Reading, relation: SchemaItem, start: frozenset[int], end: frozenset[int]) -> bool | None:
    """Whether the question says that a relation leads from one name to another; None if it is open."""
    if not start or not end or not start.isdisjoint(end):
        return None
    in_order = max(start) < min(end)
    name, said = reading.name_said(relation)
    said -= start | end
    first, second = (start, end) if in_order else (end, start)
    clause = _clause(reading, said, first, second) if said else None
    if clause is None:
        return None
    words = [reading.lowers[token] for token in sorted(said)]
    is_first = _FIRST_IS_SUBJECT.get((clause, _form(name.lower().split(), words, clause)))
    return None if is_first is None else is_first == in_order


def leads_on(reading: Reading, relation: SchemaItem) -> bool | None:
    """Whether what acts, as in "what does it feed", is the subject of a relation's facts; None if open."""
    name, said = reading.name_said(relation)
    words = [reading.lowers[token] for token in sorted(said)]
    return _FIRST_IS_SUBJECT.get((Clause.ACTIVE, _form(name.lower().split(), words, Clause.ACTIVE)))


def _clause(
    reading: Reading, said: frozenset[int], first: frozenset[int], second: frozenset[int]
) -> Clause | None:
    lowers, begin, end = reading.lowers, max(first) + 1, min(second)
    opens = min(first) <= _OPENING
    between = lowers[begin:end]
    if not lexicon.RELATIVE.isdisjoint(between):
        return None
    if max(said) < min(first):
        return Clause.HAS if "of" in lowers[max(said) + 1 : min(first)] else None
    if not _HAVE.isdisjoint(between):
        return Clause.HAS if opens and lowers[0] in _DO else None
    if min(said) < begin or max(said) >= end:
        return None
    after = lowers[max(said) + 1 : end]
    if after[:1] in (("by",), ("of",)):
        return Clause.PASSIVE if after[0] == "by" else Clause.NOUN_OF
    if opens and lowers[0] in _DO:
        return Clause.ACTIVE
    stative = lowers[max(said)].endswith("ed") and not _PREPOSITIONS.isdisjoint(after[:1])
    return Clause.STATIVE if opens and lowers[0] in _BE and stative else None


def _form(name: list[str], said: list[str], clause: Clause) -> Name:
    """The form of a relation's name; `said` are the question's words for it."""
    last = name[-1]
    if last == "by":
        return Name.BY
    if last in _PREPOSITIONS or name[0] in _BE:
        return Name.PREDICATE
    if name[0] in _HAVE:
        return Name.NOUN
    if last.endswith(_DOERS) and any(last[:_SHARED] == word[:_SHARED] for word in said):
        return Name.DOER
    conjugated = name[0].endswith("s") and not name[0].endswith("ss")
    if conjugated or name[0].endswith("ed") or (clause is Clause.ACTIVE and name[0] in said):
        return Name.VERB
    return Name.NOUN
