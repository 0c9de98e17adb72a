"""Checks that a program's form can state the question's clauses, for any graph."""

from __future__ import annotations

from compilers.answers import Answer
from compilers.kopl.decide import Verdict
from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.members import Choices, shown_columns, step_classes
from nlq_gateway.judging.confidence.account import LINKED, PLAIN, Account
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.voice import is_noun_or_verb, leads

_ASKING = lexicon.ASKING | lexicon.CHOICE_WORDS
_AND_BY = frozenset(("and", word) for word in lexicon.JOINING)
_EACH = lexicon.EACH | lexicon.PER
_NUMBERS = frozenset("Count CountValues Sum Average Minimum Maximum".split())


def states(account: Account, program: Program, meant: Choices, answer: Answer | None) -> bool:
    """True if nothing in the form of program and answer shows that something else was asked."""
    return (
        not _is_no_verdict(account, answer)
        and is_all_asked(account, program)
        and is_of_each(account, program, meant)
        and _is_led_so(account, program, meant)
        and not _is_peer(account, program, meant)
    )


def _is_no_verdict(account: Account, answer: Answer | None) -> bool:
    """True if a verdict is open, or answers a question that opens with a question word."""
    if answer is None or answer.output != Type.VERDICT:
        return False
    return answer.strings == (Verdict.NOT_SURE,) or not _ASKING.isdisjoint(account.reading.lowers[:1])


def is_all_asked(account: Account, program: Program) -> bool:
    """True if there are several columns where two question words ask: "when and where", "who, and when"."""
    lowers = account.reading.lowers
    asking = [at for at, word in enumerate(lowers) if word in _ASKING]
    both = any(
        lowers[at - 1] == "and" or lowers[at - 2 : at] in _AND_BY or lowers[at + 1 : at + 2] == ("and",)
        for at in asking[1:] or ()
    )
    relative = any(lowers[at] in lexicon.RELATIVE and lowers[at - 1] != "and" for at in asking[1:])
    opens = bool(asking) and asking[0] <= 1
    return not (both and opens) or relative or len(shown_columns(program)) > 1


def is_of_each(account: Account, program: Program, meant: Choices) -> bool:
    """True if what is asked of each thing stands beside it: one column tells nothing of any."""
    lowers, steps = account.reading.lowers, program.steps
    each = [at for part in account.request.groups for at in part.cue if lowers[at] in _EACH]
    if not each:
        return True
    several = len({steps[at] for at in shown_columns(program)}) > 1
    return several and not any(_is_each_counted(account, program, meant, at) for at in each)


def _is_each_counted(account: Account, program: Program, meant: Choices, each: int) -> bool:
    """True if rows count the things behind "each" where others are asked for, or a value tells of itself.

    "How many points does each climber have" asks for no number of climbers with as many points.
    """
    steps, columns = program.steps, shown_columns(program)
    shown = [steps[at] for at in columns if steps[at].function == "QueryAttr"]
    numbers = [steps[at] for at in columns if steps[at].function in _NUMBERS]
    if any(steps[step.dependencies[0]] in shown for step in numbers):
        return True
    counted = {step.dependencies for step in numbers if step.function == "Count"}
    things = _classes_at(account, each + 1)
    if len(counted) != 1 or not things or any(step.dependencies not in counted for step in shown):
        return False
    told = [item for at in columns if (item := _item(account, Kind.ATTRIBUTE, at, meant)) is not None]
    spoken = {
        at for item in told for at, degree in account.reading.evidence(item).items() if degree >= LINKED
    }
    behind = frozenset[int]().union(*(part.words for part in account.request.groups))
    asked = frozenset[int]().union(*(part.words for part in account.request.numbers)) & set(account.content)
    others = asked and all(things.isdisjoint(_classes_at(account, at)) for at in asked)
    ((base,),) = counted
    is_theirs = not things.isdisjoint(step_classes(program, meant, account.index)[base])
    return bool(others) and is_theirs and not spoken & behind - {each + 1}


def _classes_at(account: Account, at: int) -> frozenset[str]:
    """The classes that a word names plainly, none more so, with those above and below."""
    concepts = (item for item in account.index.schema if item.kind == Kind.CONCEPT)
    degrees = {item.iri: account.reading.evidence(item).get(at, 0.0) for item in concepts}
    best = max(degrees.values(), default=0.0)
    named = [iri for iri, degree in degrees.items() if degree == best > PLAIN]
    related = (account.index.descendants(iri) + account.index.ancestors(iri) for iri in named)
    return frozenset(named).union(*related)


def _is_led_so(account: Account, program: Program, meant: Choices) -> bool:
    """True if a verdict on "does A head B" is not the one on "does B head A".

    It is where relations lead from the one text to the other, and the clause does not say which way.
    """
    reading, last, led = account.reading, program.steps[-1], list[tuple[SchemaItem, bool]]()
    if last.function != "VerifyStr" or lexicon.DO.isdisjoint(reading.lowers[:1]):
        return True
    at = last.dependencies[0]
    while (step := program.steps[at]).dependencies and step.function != "FilterStr":
        relation = _item(account, Kind.RELATION, at, meant)
        if relation is not None:
            led.append((relation, step.inputs[1] == "forward"))
        at = step.dependencies[0]
    if not led or step.function != "FilterStr":
        return True
    start, end = reading.words_of(step.inputs[1]), reading.words_of(last.inputs[0])
    told = leads(reading, led[0][0], start, end) if len(led) == 1 else None
    return told == led[0][1] and not is_noun_or_verb(reading, led[0][0])


def _is_peer(account: Account, program: Program, meant: Choices) -> bool:
    """True if a verdict compares a value of a thing with the name of another of its class, as if it were one.

    "Are Ann and Cy in the same town" is not whether Ann's town is called Cy.
    """
    last = program.steps[-1]
    if last.function != "VerifyStr" or program.steps[0].function != "Find":
        return False
    start = account.index.entity(meant.get((0, 0), ""))
    if start is None:
        return False
    others = account.index.entities_named(last.inputs[0])
    return any(other.iri != start.iri and set(start.concepts) & set(other.concepts) for other in others)


def _item(account: Account, kind: Kind, at: int, meant: Choices) -> SchemaItem | None:
    return account.index.item(kind, meant.get((at, 0), ""))
