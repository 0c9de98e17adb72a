"""Checks that a program's form can state the question's clauses, for any graph."""

from __future__ import annotations

from compilers.kopl.program import Program
from nlq_gateway.index.members import shown_columns
from nlq_gateway.judging.confidence.account import Account
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.wholes import every_one

_ASKING = lexicon.ASKING | lexicon.CHOICE_WORDS
_EACH = lexicon.EACH | lexicon.PER
_AND_BY = frozenset(("and", word) for word in lexicon.JOINING)


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


def is_of_each(account: Account, program: Program) -> bool:
    """True if what is asked of each thing stands beside it: one column tells nothing of any.

    A verdict on all of them is one: "does every film have a director".
    """
    lowers, steps = account.reading.lowers, program.steps
    each = any(lowers[at] in _EACH for part in account.words.request.groups for at in part.cue)
    if not each or every_one(account.reading) is not None:
        return True
    return len({steps[at] for at in shown_columns(program)}) > 1
