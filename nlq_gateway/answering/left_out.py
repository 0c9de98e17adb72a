"""The members of a set that no row of a table shows, because they lack what another column asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compilers.answers import Answer
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import CALCULATING, RELATING, Type
from compilers.kopl.program import Program, Step
from compilers.kopl.tables import columns_of
from compilers.naming import ENTITY, set_name

LookUp = Callable[[GroundedProgram], Answer | None]
Plural = Callable[[str], str]

# Between the columns and the answer they keep all rows.
_KEEPING = frozenset({"Table", "SortTable", "DropColumn", "DistinctTable"})
# Columns of numbers and values tell of the members of the set before them.
_TELLING = frozenset({"Count", "QueryAttr"})
_LOOKING = frozenset({*RELATING, "QueryAttr"})


def left_out(
    grounded: GroundedProgram, answer: Answer, counts: Mapping[int, int], look_up: LookUp, plural: Plural
) -> Iterator[str]:
    """A message for each set that a table shows, or counts, without some of its members.

    A set is shown by its things, or by an attribute of which each has a value of its own. `counts` are the
    members of sets by step; `plural` makes a plural of a label. A table joins its columns: the books of each
    genre, beside the latest year of these books, are those with a year. What a column's filter leaves out is
    not told, nor one lack twice, nor what the store does not say in time.
    """
    program, last = grounded.program, len(grounded.program) - 1
    rows = [at for at in program.ancestors(last) if program.steps[at].signature.output == Type.ROWS]
    if not {program.steps[at].function for at in rows} <= _KEEPING:
        return
    told = set[int]()
    for number, column in enumerate(columns_of(program, last)):
        step, cells = program.steps[column.step], [cell for row in answer.rows if (cell := row[number])]
        source = step.dependencies[0] if step.function in _TELLING else column.step
        own = len({cell.value for cell in cells})
        shown = sum(int(cell.value) for cell in cells) if step.function == "Count" else own
        lacking = _Lacking(grounded, source, counts.get(source, 0), look_up, plural)
        if shown < lacking.members and step.function in _TELLING:
            if (found := lacking.reaching(*program.steps[min(rows)].dependencies)) is None:
                return
            shown = found
        elif column.type not in (Type.ENTITIES, Type.FACTS) or any(cell.type != "iri" for cell in cells):
            continue
        is_told = step.function != "QueryAttr" or shown == own
        lost = lacking.lost(shown) if is_told and shown < lacking.members else ()
        if not told.issuperset(lost):
            told.update(lost)
            lack = lacking.members - shown
            few = f"{lack} of {lacking.members} {lacking.name(source)} {'is' if lack == 1 else 'are'}"
            yield f"step {source + 1}: {few} in no row, for {lacking.reason(lost)}"


@dataclass(frozen=True, slots=True)
class _Lacking:
    """What the members of a set lack: the steps to the other columns at which they lead nowhere."""

    grounded: GroundedProgram
    source: int
    members: int
    look_up: LookUp
    plural: Plural

    def reaching(self, *steps: int) -> int | None:
        """The number of members that are in a row with these steps; None where the store does not tell."""
        table = Step("Table", (), (self.source, *steps))
        end = len(self.grounded.program)
        dropped = (Step("DropColumn", ("2",), (at,)) for at in range(end, end + len(steps)))
        end += len(steps)
        counted = Step("DistinctTable", (), (end,)), Step("CountTable", (), (end + 1,))
        program = Program((*self.grounded.program.steps, table, *dropped, *counted))
        found = self.look_up(replace(self.grounded, program=program).prefix(end + 2))
        return int(found.strings[0]) if found is not None else None

    def lost(self, shown: int) -> tuple[int, ...]:
        """The first steps at which members lead nowhere; () where one is a filter, or it is not told."""
        steps, left, lost = self.grounded.program.steps, dict[int, int](), list[int]()
        for at in self._asked():
            if (reached := self.reaching(at)) is None:
                return ()
            left[at] = reached
            if reached < min(left.get(one, self.members) for one in steps[at].dependencies):
                lost.append(at)
            if reached == shown:
                break
        return tuple(lost) if all(steps[self._looked(at)].function in _LOOKING for at in lost) else ()

    def _asked(self) -> Iterator[int]:
        """The steps that other columns take from these members, or on the way to them."""
        program = self.grounded.program
        way = program.ancestors(self.source)
        shared = {at for at in way if program.steps[at].dependencies}
        for at in sorted(program.ancestors(len(program) - 1) - way):
            tells = _only_tells(program.steps[at]) or shared.isdisjoint(program.ancestors(at))
            narrowed = any(self._looked(one) == at != one for one in range(len(program)))
            if not tells and not narrowed:
                yield at

    def _looked(self, at: int) -> int:
        """The step itself; of a class the step that leads back to its members."""
        steps = self.grounded.program.steps
        before = steps[at].dependencies[:1] if steps[at].function == "FilterConcept" else ()
        return before[0] if before and "backward" in steps[before[0]].inputs else at

    def reason(self, lost: Sequence[int]) -> str:
        """What the members lack at these steps, and whose it is."""
        named = defaultdict[tuple[str, str], dict[str, None]](dict)
        for first, name, last in map(self._lacked, lost):
            named[first, last][name] = None
        return " or ".join(f"{first}{' or '.join(names)}{last}" for (first, last), names in named.items())

    def _lacked(self, at: int) -> tuple[str, str, str]:
        """What a step asks for, between the words for whose it is."""
        looked = self._looked(at)
        step, bound = self.grounded.program.steps[looked], self.grounded.binding(looked, 0)
        them = self._them(step.dependencies[0])
        if "backward" not in step.inputs:
            return "the graph states ", f'no "{step.inputs[0]}"', f" for {them}"
        if looked == at and not (bound and bound.subject):
            return f"nothing has {them} as ", f'"{step.inputs[0]}"', ""
        return f"{'they' if them == 'them' else them} have ", f"no {self.name(at)}", ""

    def _them(self, at: int) -> str:
        """The members, or what a relation leads to from them."""
        program = self.grounded.program
        between = program.ancestors(at) ^ program.ancestors(self.source)
        is_led = any(program.steps[one].function in RELATING for one in between)
        return f"their {self.name(at)}" if is_led else "them"

    def name(self, at: int) -> str:
        """The members of a set in words; those that a relation leads to by their class."""
        name, step = set_name(self.grounded, at), self.grounded.program.steps[at]
        if "forward" in step.inputs and (bound := self.grounded.binding(at, 0)):
            name = bound.object or name
        return "members" if name == ENTITY else self.plural(name)


def _only_tells(step: Step) -> bool:
    """True for a step that leaves no member out by itself: a table, a number, what is calculated."""
    return step.signature.output in (Type.ROWS, Type.NUMBER) or step.function in CALCULATING
