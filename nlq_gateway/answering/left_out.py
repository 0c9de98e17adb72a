"""The members of a set that no row of a table shows, because they lack what another column asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass

from compilers.answers import Answer
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import CALCULATING, RELATING, Type
from compilers.kopl.program import Step
from compilers.kopl.tables import COLUMNWISE, columns_of
from compilers.naming import ENTITY, set_name
from nlq_gateway.index import Index
from nlq_gateway.index.members import behind_classes

Plural = Callable[[str], str]

# Between the columns and the answer they keep all rows.
_KEEPING = frozenset({*COLUMNWISE, "SortTable", "DropColumn", "DistinctTable"})
_LOOKING = frozenset({*RELATING, "QueryAttr"})
_NAMING = _LOOKING | {"FilterConcept"}


def left_out(
    grounded: GroundedProgram, answer: Answer, counts: Mapping[int, int], index: Index, plural: Plural
) -> Iterator[str]:
    """A message for each set that a table shows, or counts, without some of its members.

    `counts` are the members of sets by step; `plural` makes a plural of a label. A table joins its columns:
    the books of each genre, beside the latest year of these books, are those with a year. Members that are
    counted in several rows hide others.
    """
    program, last = grounded.program, len(grounded.program) - 1
    rows = [at for at in program.ancestors(last) if program.steps[at].signature.output == Type.ROWS]
    functions = {program.steps[at].function for at in rows}
    if not functions <= _KEEPING:
        return
    for number, column in enumerate(columns_of(program, last)):
        cells = [cell for row in answer.rows if (cell := row[number]) is not None]
        source, shown, about = column.step, len({cell.value for cell in cells}), ""
        if program.steps[source].function == "Count" and "DistinctTable" not in functions:
            source, shown = program.steps[source].dependencies[0], sum(int(cell.value) for cell in cells)
            about = "" if _is_single_valued(grounded, index) else "at least "
        elif column.type not in (Type.ENTITIES, Type.FACTS) or any(cell.type != "iri" for cell in cells):
            continue
        if shown < (all_ := counts.get(source, 0)):
            lacking = _Lacking(grounded, source, plural)
            few = f"{about}{all_ - shown} of {all_} {lacking.members(source)} are in no row"
            yield f"step {source + 1}: {few}, for {lacking.text()}"


def _is_single_valued(grounded: GroundedProgram, index: Index) -> bool:
    """True if nothing has two values, or ends, of what a program looks up: each thing is in one row."""
    looked = ((at, step) for at, step in enumerate(grounded.program.steps) if step.function in _LOOKING)
    bound = ((step, grounded.binding(at, 0)) for at, step in looked)
    return all(one is not None and _is_single(step, one, index) for step, one in bound)


def _is_single(step: Step, bound: Binding, index: Index) -> bool:
    kind = step.signature.parameters[0].kind
    items = index.items(kind, bound.iris) if kind and f"{kind} counts" not in index.manifest.sampled else ()
    return "backward" not in step.inputs and len(items) == 1 and items[0].functional


@dataclass(frozen=True, slots=True)
class _Lacking:
    """What the members of a set lack: all that other columns look up, where these do no more."""

    grounded: GroundedProgram
    source: int
    plural: Plural

    def members(self, at: int) -> str:
        """The members of a set in words."""
        name = set_name(self.grounded, at)
        return "members" if name == ENTITY else self.plural(name)

    def text(self) -> str:
        """The names of all that is looked up, with whether it is of the members or of what they lead to."""
        program = self.grounded.program
        others = program.ancestors(len(program) - 1) - program.ancestors(self.source)
        asked = sorted(at for at in others if not _only_tells(program.steps[at]))
        ends = [at for at in asked if not any(at in program.steps[one].dependencies for one in asked)]
        named = defaultdict[tuple[str, str], list[str]](list)
        for at in ends if all(program.steps[one].function in _NAMING for one in asked) else ():
            if (told := self._looked_up(at, asked)) is not None:
                named[told[0], told[2]].append(told[1])
        if sum(map(len, named.values())) == len(ends) > 0:
            return " or ".join(f"{first}{' or '.join(names)}{last}" for (first, last), names in named.items())
        steps = " or ".join(f"step {at + 1}" for at in ends) or "another column"
        return f"they lack what {steps} asks for"

    def _looked_up(self, at: int, asked: Container[int]) -> tuple[str, str, str] | None:
        """What a step looks up, between the words for it; None for ends of one class, and for a class."""
        by_class, looked = behind_classes(self.grounded.program.steps, at)
        step = self.grounded.program.steps[looked]
        if looked not in asked or (by_class and "backward" not in step.inputs):
            return None
        them, name = self._them(step.dependencies[0]), f'"{step.inputs[0]}"'
        if "backward" in step.inputs:
            having = f"no {self.members(at)} have" if by_class else "nothing has"
            return f"{having} {them} as ", name, ""
        return "the graph states ", f"no {name}", f" for {them}"

    def _them(self, at: int) -> str:
        """The members, or what a relation leads to from them."""
        program = self.grounded.program
        between = program.ancestors(at) ^ program.ancestors(self.source)
        is_led = any(program.steps[one].function in RELATING for one in between)
        return f"their {self.members(at)}" if is_led else "them"


def _only_tells(step: Step) -> bool:
    """True for a step that leaves no member out by itself: a table, a number, what is calculated."""
    return step.signature.output in (Type.ROWS, Type.NUMBER) or step.function in CALCULATING
