"""Checks that a program's form can state the question's clauses, for any graph."""

from __future__ import annotations

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.members import Choices, shown_columns, step_classes
from nlq_gateway.judging.confidence.account import LINKED, PLAIN, Account
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.wholes import every_one

_ASKING = lexicon.ASKING | lexicon.CHOICE_WORDS
_AND_BY = frozenset(("and", word) for word in lexicon.JOINING)
_EACH = lexicon.EACH | lexicon.PER
_NUMBERS = frozenset("Count CountValues Sum Average Minimum Maximum".split())


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
    """True if what is asked of each thing stands beside it: one column tells nothing of any.

    A verdict on all of them is one: "does every film have a director".
    """
    lowers, steps = account.reading.lowers, program.steps
    each = [at for part in account.words.request.groups for at in part.cue if lowers[at] in _EACH]
    if not each or every_one(account.reading) is not None:
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
    behind = frozenset[int]().union(*(part.words for part in account.words.request.groups))
    asked = frozenset[int]().union(*(part.words for part in account.words.request.numbers)) & set(
        account.words.content
    )
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


def _item(account: Account, kind: Kind, at: int, meant: Choices) -> SchemaItem | None:
    return account.index.item(kind, meant.get((at, 0), ""))
