"""Which way a relation leads: the fact that a program states, beside its reverse.

"Was Ann taught by Bob?" asks for `Ann teacher Bob` where the label is a noun for the object, and for `Bob
taught Ann` where it is a verb. A network reads the question beside both facts, with given names for those of
the question: names of any letters tell it nothing.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft, Links, SchemaItem
from nlq_gateway.index import Index
from nlq_gateway.index.members import StepReader
from nlq_gateway.language import tables
from nlq_gateway.language.detection import ENGLISH

# In the place of the question's names, in its order, and of what it asks for.
GIVEN, ASKED = ("Ann", "Bob"), "what"
_MOST = 1 - 1e-9
_ANYTHING = re.compile(rf"\b(?:{'|'.join(sorted(tables.words('anything')))})(?: one)?\b", re.IGNORECASE)
# Beside them a program has another fact than that of what things have.
_LEADING_TO = frozenset({"Find", "Relate", "RelateTransitive"})
# In log odds: from so far on the question plainly asks for the fact, and its reverse is no answer to it.
PLAIN = 2.0
# A question beside a fact, and beside the reverse of it.
Reversed = tuple[tuple[str, str], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class StatedFact:
    """The steps of a fact's relation, subject and object; None for what the question asks for."""

    relation: int
    subject: int | None
    object: int | None


def stated_fact(program: Program) -> StatedFact | None:
    """The fact of a program's only relation: of a thing and what is asked for, in a verdict of two things."""
    steps = program.steps
    relations = [at for at, step in enumerate(steps) if step.function == "Relate"]
    if len(relations) != 1:
        return None
    (relation,) = relations
    (start,) = steps[relation].dependencies
    others = [at for at, step in enumerate(steps) if step.function == "Find" and at != start]
    if steps[start].function != "Find" or len(others) != (steps[-1].function == "Exists"):
        return None
    end = others[0] if others else None
    leads = steps[relation].inputs[1] == "forward"
    return StatedFact(relation, start, end) if leads else StatedFact(relation, end, start)


def has_proper_names(program: Program) -> bool:
    """True if all things that it begins from have names with a capital or a digit; occupations have not."""
    names = (step.inputs[0] for step in program.steps if step.function == "Find")
    return all(any(letter.isupper() or letter.isdigit() for letter in name) for name in names)


def told(question: str, label: str, subject: str | None, object_: str | None) -> Reversed | None:
    """The question beside a fact and beside its reverse; None if it lacks a name of them, or they overlap."""
    names = [name for name in (subject, object_) if name is not None]
    order = sorted((*_place(question, name), name) for name in names)
    text, given, end = "", dict[str, str](), 0
    for (start, after, name), own in zip(order, GIVEN, strict=False):
        if start < end:
            return None
        text += question[end:start] + own
        given[name], end = own, after
    asked = text + question[end:]
    first, second = (ASKED if name is None else given[name] for name in (subject, object_))
    return (asked, f"{first} {label} {second}"), (asked, f"{second} {label} {first}")


def _place(question: str, name: str) -> tuple[int, int]:
    """The begin and end of a name in a question; before it, where the question lacks it."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE) if name else None
    return found.span() if found else (-1, -1)


def told_of(links: Links, draft: Draft, index: Index) -> Reversed | None:
    """The same for a draft's fact; None if the network does not read it.

    It knows English and proper names alone. What is asked for of a thing is at one end of a relation that
    leads from one class to others; a verdict may be asked of either fact: "Did the film direct Ann?"
    """
    if links.question.language != ENGLISH:
        return None
    fact = stated_fact(draft.program)
    if fact is None:
        return _told_of_having(links, draft, index)
    relation = index.item(Kind.RELATION, _meant(draft, fact.relation))
    if None in (fact.subject, fact.object) and not _leads_both_ways(relation, index):
        return None
    if not has_proper_names(draft.program):
        return None
    label = draft.program.steps[fact.relation].inputs[0]
    return told(links.question.text, label, *(_name(draft, at) for at in (fact.subject, fact.object)))


def _told_of_having(links: Links, draft: Draft, index: Index) -> Reversed | None:
    """The same where a relation leads from or to anything: "which parts replace another one".

    What stands for anything in the question has the given name.
    """
    steps = draft.program.steps
    having = [at for at, step in enumerate(steps) if step.function == "FilterHasRelation"]
    word = _ANYTHING.search(links.question.text)
    if len(having) != 1 or word is None or any(step.function in _LEADING_TO for step in steps):
        return None
    if not _leads_both_ways(index.item(Kind.RELATION, _meant(draft, having[0])), index):
        return None
    label, direction = steps[having[0]].inputs
    ends = (None, word[0]) if direction == "forward" else (word[0], None)
    return told(links.question.text, label, *ends)


def directed(odds: float, leaning: float) -> float:
    """The log odds of a program with what is known of its relation's direction, `leaning`, in log odds.

    A network that gives the program less than even odds is taken to give its reverse as much: both share what
    they have together. In better odds the direction is among what it knows.
    """
    if odds >= 0:
        return odds + leaning
    likely = 2 * _probability(odds) * min(_probability(leaning), _MOST)
    return math.log(likely) - math.log1p(-likely)


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _meant(draft: Draft, at: int) -> str:
    return next(iter(draft.choices.get((at, 0), ())), "")


def _name(draft: Draft, at: int | None) -> str | None:
    return None if at is None else draft.mentions.get((at, 0), draft.program.steps[at].inputs[0])


def _leads_both_ways(relation: SchemaItem | None, index: Index) -> bool:
    """True if some class is at both ends of a relation, or the classes of an end are not known."""
    if relation is None:
        return False
    classes_at = StepReader(index).classes_at
    domains, ranges = (classes_at(relation, ends) for ends in (relation.domains, relation.ranges))
    return not domains or not ranges or not domains.isdisjoint(ranges)
