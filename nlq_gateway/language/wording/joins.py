"""Two sets in one noun phrase: both, either, one without the other."""

from __future__ import annotations

from dataclasses import replace

from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.phrases import OTHER_THAN, Clause, Phrase, same_but_object
from nlq_gateway.language.wording.writer import NoForm, Writer


def and_(writer: Writer, at: int) -> Phrase:
    """Word the members of both sets."""
    first, second = (writer.phrase(source) for source in writer.sources(at))
    if second.name and not first.name:
        first, second = second, first
    if second.name:
        raise NoForm
    if second.before or second.after:
        return first.with_clause(Clause("be", "among", second.definite()))
    noun = first.noun or second.noun
    clauses = second.said if not second.is_role else ((second.done,) if second.done else ()) + second.clauses
    if second.role and second.done is None:
        clauses = (Clause("be", f"{english.with_article(second.role)} of", second.owner), *clauses)
    if second.noun and first.noun and second.noun != first.noun:
        clauses = (Clause("be", english.with_article(second.noun)), *clauses)
    merged = list(first.clauses)
    for clause in clauses:
        if merged and same_but_object(merged[-1], clause):
            merged[-1] = replace(clause, object=f"{merged[-1].object} and {clause.object}", other=None)
        else:
            merged.append(clause)
    return replace(
        first,
        noun=noun,
        guess=first.guess or second.guess,
        person=first.person or second.person,
        clauses=tuple(merged),
        many=first.many and second.many,
    )


def or_(writer: Writer, at: int) -> Phrase:
    """Word the members of either set."""
    first, second = (writer.phrase(source) for source in writer.sources(at))
    plain = not (first.name or second.name or first.before or second.before or first.after or second.after)
    alike = plain and first.noun == second.noun and not (first.role or second.role)
    if alike and len(first.said) == len(second.said) == 1:
        return replace(first, clauses=(_joined(first.said[0], second.said[0]),), many=True)
    if alike and first.said and second.said:
        parts = [_together(phrase.said) for phrase in (first, second)]
        return replace(first, clauses=(Clause(parts=tuple(parts)),), many=True)
    names = [first.definite(), second.definite()]
    person = first.person and second.person
    return Phrase(name=english.listed(names, "or"), many=True, person=person)


def _together(clauses: tuple[Clause, ...]) -> Clause:
    return clauses[0] if len(clauses) == 1 else Clause(parts=clauses, word="and")


def _joined(first: Clause, second: Clause) -> Clause:
    if same_but_object(first, second):
        other = None
        if first.other and second.other:
            names = f"{first.other.subject} or {second.other.subject}"
            other = replace(first.other, subject=names)
        return replace(first, object=f"{first.object} or {second.object}", other=other)
    return Clause(parts=(first, second))


def except_(writer: Writer, at: int) -> Phrase:
    """Word the members of a set without those of another."""
    first, second = (writer.phrase(source) for source in writer.sources(at))
    new = [clause for clause in second.said if clause not in first.said]
    if second.is_role and not second.clauses and second.done and not second.done.subject:
        return first.with_clause(replace(second.done, denied=True, other=None))
    named = second.name or second.before or second.after or second.is_role
    if named or len(new) != 1 or new[0].parts:
        return first.with_clause(_outside(second))
    return first.with_clause(replace(new[0], denied=not new[0].denied, other=None))


def _outside(phrase: Phrase) -> Clause:
    """The clause of what is not among several things, or is another than the only one."""
    if phrase.many:
        return Clause("be", "among", phrase.definite(), denied=True)
    return Clause("be", OTHER_THAN, phrase.definite())
