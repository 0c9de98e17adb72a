"""The class of a wrong question's mistake: one class for each question, so that the table adds up.

The first rule that holds names the class. *Gold* is the program of the question file, or the program of its
gold query.

execution   asking ended in an error: the store failed, timed out, or refused
linking     an entity or a concept of gold is neither bound in the program nor found in the question;
            without gold, so is a topic of the question (its linked entity) as the file names it
unanswered  no program was found, or none is sure enough
unknown     there is no gold program to compare with
structure   the program has other functions than gold, or other connections between them
linking     the same functions with another entity
relation    the same functions with another relation, attribute, qualifier or concept
value       the same functions and names with another value, number, operator or direction
linking     the same program, with a name in gold that several entities share
execution   the same program with another answer
invented    an answer to a question about data that the graph lacks

A wrong answer to a question whose gold begins at the other end of a line is `structure`, too.
An entity counts as found if it is the first reading of a mention, a concept if it is any reading, or if all
facts of a relation or an attribute of gold have it at an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Links
from nlq_gateway.index.text import fold
from nlq_gateway.offline.evaluation.compare import differences, implied


class Mistake(StrEnum):
    """The classes, in the order of the stages."""

    LINKING = "linking"
    STRUCTURE = "structure"
    RELATION = "relation"
    VALUE = "value"
    EXECUTION = "execution"
    UNANSWERED = "unanswered"
    UNKNOWN = "unknown"
    INVENTED = "invented"


MEANINGS = {
    Mistake.LINKING: "an entity or a concept was not found, or confused with another",
    Mistake.STRUCTURE: "the program has other steps",
    Mistake.RELATION: "the right steps with another relation, attribute, qualifier or concept",
    Mistake.VALUE: "the right steps and names with another value, number, operator or direction",
    Mistake.EXECUTION: "an error, a timeout, or the right program with another answer",
    Mistake.UNANSWERED: "no program was found, or none that is sure enough",
    Mistake.UNKNOWN: "there is no gold program to compare with",
    Mistake.INVENTED: "an answer to a question about data that the graph lacks",
}


_LINKED = (Kind.ENTITY, Kind.CONCEPT)
_SCHEMA = frozenset((Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER, Kind.CONCEPT))


@dataclass(frozen=True, slots=True)
class MistakeEvidence:
    """The evidence on a wrong question that was asked without an error.

    `links` is the linking result, `program` the executed one, `topics` are the file's.
    """

    links: Links
    program: GroundedProgram | None = None
    gold: GroundedProgram | None = None
    topics: tuple[str, ...] = ()


def mistake_of(evidence: MistakeEvidence) -> Mistake:
    """The class of a wrong question; one that ended in an error is `EXECUTION` without asking here."""
    program, gold = evidence.program, evidence.gold
    if not (_gold_is_linked(evidence, gold) if gold else _topics_are_linked(evidence)):
        return Mistake.LINKING
    if program is None:
        return Mistake.UNANSWERED
    return _compared(gold, program) if gold else Mistake.UNKNOWN


def _compared(gold: GroundedProgram, other: GroundedProgram) -> Mistake:
    kinds = differences(gold, other)
    if kinds is None:
        return Mistake.STRUCTURE
    if Kind.ENTITY in kinds:
        return Mistake.LINKING
    if kinds & _SCHEMA:
        return Mistake.RELATION
    if kinds:
        return Mistake.VALUE
    shared = any(len(iris) > 1 for kind, iris, _ in _named(gold) if kind == Kind.ENTITY)
    return Mistake.LINKING if shared else Mistake.EXECUTION


def _named(gold: GroundedProgram) -> Iterator[tuple[Kind, tuple[str, ...], str]]:
    """The entities and concepts of a program: kind, IRIs where they are known, folded name."""
    for index, step in enumerate(gold.program.steps):
        for argument, parameter in enumerate(step.signature.parameters):
            if parameter.kind in _LINKED:
                binding = gold.binding(index, argument)
                name = binding.label if binding else step.inputs[argument]
                yield parameter.kind, binding.iris if binding else (), fold(name)


def _gold_is_linked(evidence: MistakeEvidence, gold: GroundedProgram) -> bool:
    mentions = (*evidence.links.mentions, *evidence.links.others)
    readings = {
        Kind.ENTITY: [mention.hits[0] for mention in mentions],
        Kind.CONCEPT: [hit for mention in mentions for hit in mention.hits],
    }
    follows = set(map(fold, implied(gold)))
    for kind, iris, name in _named(gold):
        found = _bound(evidence) | {(hit.iri, fold(hit.label)) for hit in readings[kind]}
        known = any(iri in iris if iris else label == name for iri, label in found)
        if not known and not (kind == Kind.CONCEPT and name in follows):
            return False
    return True


def _bound(evidence: MistakeEvidence) -> set[tuple[str, str]]:
    """IRIs and folded labels of what the program was bound to."""
    bindings = evidence.program.bindings.values() if evidence.program else ()
    return {(iri, fold(binding.label)) for binding in bindings for iri in binding.iris}


def _topics_are_linked(evidence: MistakeEvidence) -> bool:
    firsts = [mention.hits[0] for mention in (*evidence.links.mentions, *evidence.links.others)]
    names = {label for _, label in _bound(evidence)}
    names.update(fold(name) for hit in firsts for name in (hit.label, hit.matched))
    return names.issuperset(map(fold, evidence.topics))
