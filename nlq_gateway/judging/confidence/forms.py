"""Whether a program's form can state what the question's clauses ask, whatever it is about."""

from __future__ import annotations

from collections.abc import Iterator

from compilers.answers import Answer
from compilers.kopl.decide import Verdict
from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.members import Choices, is_name
from nlq_gateway.judging.confidence.account import LINKED, Account
from nlq_gateway.judging.confidence.operations import done_by
from nlq_gateway.question.reading import lexicon

_ASKING = lexicon.ASKING | lexicon.CHOICE_WORDS | {"whom"}
_AND_BY = (("and", "by"), ("and", "in"), ("and", "from"), ("and", "to"))
_CHOOSING = lexicon.CHOICE_WORDS | {"who"}
_EACH = frozenset(["each", "every", "per"])
_TIME_ORDER = frozenset(["before", "after", "since", "until"])


def states(account: Account, program: Program, meant: Choices, answer: Answer | None) -> bool:
    """Whether nothing in the form of program and answer shows that something else was asked."""
    return (
        is_all_asked(account, program)
        and _is_chosen(account, program)
        and _is_of_each(account, program)
        and _is_compared_in_time(account, program, meant)
        and not _is_trivial(account, program, meant)
        and not (
            answer is not None and answer.output == Type.VERDICT and answer.strings == (Verdict.NOT_SURE,)
        )
    )


def is_all_asked(account: Account, program: Program) -> bool:
    """Whether there are several columns where two question words ask: "when and where", "who, and when"."""
    lowers = account.reading.lowers
    asking = [at for at, word in enumerate(lowers) if word in _ASKING]
    both = any(
        lowers[at - 1] == "and" or lowers[at - 2 : at] in _AND_BY or lowers[at + 1 : at + 2] == ("and",)
        for at in asking[1:] or ()
    )
    relative = any(lowers[at] in lexicon.RELATIVE and lowers[at - 1] != "and" for at in asking[1:])
    opens = bool(asking) and asking[0] <= 1
    return not (both and opens) or relative or _width(program) > 1


def _is_chosen(account: Account, program: Program) -> bool:
    """Whether one is chosen where the question names two: "which of A and B is older", "who is, A or B"."""
    reading = account.reading
    lowers = reading.lowers
    degrees = {found.token for found in reading.comparatives}
    two = any(word == "or" and at + 1 not in degrees for at, word in enumerate(lowers))
    two = two or (lowers[1:2] == ("of",) and "and" in lowers)
    asks = lowers[:1] and lowers[0] in _CHOOSING and two and reading.comparatives and "than" not in lowers
    return not asks or done_by(program)["rank"]


def _is_of_each(account: Account, program: Program) -> bool:
    """Whether there are several columns where something is asked of each: one tells nothing of any."""
    reading = account.reading
    cues = (part.cue for part in account.request.groups)
    return _width(program) > 1 or not any(reading.lowers[at] in _EACH for cue in cues for at in cue)


def _is_compared_in_time(account: Account, program: Program, meant: Choices) -> bool:
    """Whether "before 1900" compares years or dates: no sum of money is before another."""
    for literal in account.reading.links.literals:
        words = {account.reading.lowers[at] for at in account.reading.operator(literal).tokens}
        for at, step in enumerate(program.steps):
            if step.function == "FilterNum" and literal.text in step.inputs and words & _TIME_ORDER:
                item = account.index.item(Kind.ATTRIBUTE, meant.get((at, 0), ""))
                if item is not None and max(account.reading.evidence(item).values(), default=0.0) < LINKED:
                    return False
    return True


def _is_trivial(account: Account, program: Program, meant: Choices) -> bool:
    """Whether the answer is known without the graph: whether one name is another, how many have a name."""
    *_, last = program.steps
    told = [program.steps[at] for at in last.dependencies]
    if not told or any(word in ("named", "called", "name", "names") for word in account.reading.lowers):
        return False
    named = _item(account, program, told[0], meant)
    if named is None or not is_name(named):
        return False
    before = [program.steps[at].function for at in told[0].dependencies]
    return (last.function == "Count" and told[0].function == "FilterStr") or (
        last.function == "VerifyStr" and told[0].function == "QueryAttr" and before == ["Find"]
    )


def _item(account: Account, program: Program, step: Step, meant: Choices) -> SchemaItem | None:
    return account.index.item(Kind.ATTRIBUTE, meant.get((program.steps.index(step), 0), ""))


def _width(program: Program) -> int:
    """How many columns a program shows."""
    return len(list(_columns(program)))


def _columns(program: Program) -> Iterator[int]:
    """The steps that give the columns of the last table; the last step of other programs."""
    at, dropped = len(program) - 1, 0
    while program.steps[at].signature.output == Type.ROWS and program.steps[at].function != "Table":
        dropped += program.steps[at].function == "DropColumn"
        at = program.steps[at].dependencies[0]
    columns = program.steps[at].dependencies if program.steps[at].function == "Table" else (at,)
    yield from columns[: len(columns) - dropped]
