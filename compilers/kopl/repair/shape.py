"""Steps that lack an input, have no effect, or are missing."""

from __future__ import annotations

from dataclasses import replace

from compilers.kopl.functions import FUNCTIONS, SET_TYPES, Type, function_named
from compilers.kopl.notations.calls import write_sources
from compilers.kopl.program import Program, Step
from compilers.kopl.repair.base import (
    Change,
    Fix,
    Repair,
    TypesOf,
    call,
    consumers,
    given,
    with_call,
    with_step,
    with_step_before,
    without_step,
)
from compilers.kopl.rules import feeder

_NO_CALLS = frozenset({"", "none", "end", "stop", "return", "answer", "output", "pass", "done"})
_EXTREMES = {"less": "smallest", "greater": "largest"}
_COUNTS = {Type.VALUES: "CountValues", Type.ROWS: "CountTable"}


def _left_out(program: Program, index: int, why: str) -> Change:
    before = call(program.steps[index])
    return without_step(program, index), Repair(index, None, before, "", why)


def _empty_step(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step = program.steps[index]
    nothing = step.function.strip().lower() in _NO_CALLS and not any(text.strip() for text in step.inputs)
    if not nothing or len(step.dependencies) > 1 or len(program) == 1:
        return None
    return _left_out(program, index, "the step does nothing")


def _missing_input(program: Program, index: int, _: TypesOf | None) -> Change | None:
    """Feed a step that lacks inputs from the earlier steps without consumers, if their number fits."""
    step = program.steps[index]
    function = function_named(step.function)
    if function is None or function.variadic or len(step.dependencies) >= len(function.inputs):
        return None
    used = {fed for one in program.steps for fed in one.dependencies}
    ends = [end for end in range(index) if end not in used]
    missing = len(function.inputs) - len(step.dependencies)
    fed = tuple(sorted((*step.dependencies, *ends[-missing:])))
    if len(ends) < missing or (missing > 1 and len(ends) > missing):
        return None
    outputs = [feeder(program, index, one) for one in fed]
    if not all(out is not None and function.accepts(at, out.output) for at, out in enumerate(outputs)):
        return None
    why = f"{function.name} misses an input, and earlier results feed no other step"
    changed = with_step(program, index, replace(step, dependencies=fed))
    before, after = (f"{call(step)} <- {write_sources(one)}" for one in (step.dependencies, fed))
    return changed, Repair(index, None, before, after, why)


def _missing_start(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step = program.steps[index]
    function = function_named(step.function)
    if function is None or step.dependencies or function.inputs != (Type.ENTITIES,):
        return None
    why = f"nothing feeds {function.name}: it begins with all entities"
    return with_step_before(program, index, Step("FindAll")), Repair(index, None, "", "FindAll()", why)


def _one_of_two(program: Program, index: int, _: TypesOf | None) -> Change | None:
    """Drop And or Or with one input; turn SelectBetween with one set into SelectAmong."""
    step = program.steps[index]
    if len(step.dependencies) != 1:
        return None
    if step.function in ("And", "Or") and given(program, index) in SET_TYPES:
        return _left_out(program, index, f"{step.function} joins two sets, and has one")
    if step.function == "SelectBetween" and len(step.inputs) == 2:
        attribute, operator = step.inputs
        inputs = (attribute, _EXTREMES.get(operator, operator))
        why = "SelectBetween compares two sets, and has one"
        return with_call(program, index, "SelectAmong", inputs, why)
    return None


def _names_of_no_set(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step = program.steps[index]
    what = function_named(step.function)
    fed_by = given(program, index)
    if what is not FUNCTIONS["What"] or len(step.dependencies) != 1 or fed_by is None:
        return None
    if fed_by not in SET_TYPES:
        return _left_out(program, index, f"{fed_by} are the answer already, and have no names")
    if any(index in later.dependencies for later in program.steps):
        return _left_out(program, index, "names feed no step; the entities themselves do")
    return None


def _one_that_is_used(program: Program, index: int, _: TypesOf | None) -> Change | None:
    """Replace a SelectAmong that feeds a step by SelectTop, which gives the same as a set."""
    step = program.steps[index]
    fed = consumers(program, index)
    if step.function != "SelectAmong" or len(step.inputs) != 2 or not fed:
        return None
    if not all(Type.ENTITIES in function.inputs for function in fed):
        return None
    why = "SelectAmong gives names, which feed no step; SelectTop gives the entities"
    return with_call(program, index, "SelectTop", (*step.inputs, "1"), why)


def _counted(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step, fed_by = program.steps[index], given(program, index)
    if step.function != "Count" or fed_by not in _COUNTS:
        return None
    why = f"Count counts entities, and these are {fed_by}"
    return with_call(program, index, _COUNTS[fed_by], step.inputs, why)


def _late_qualifier(program: Program, index: int, _: TypesOf | None) -> Change | None:
    """Move FilterConcept behind the qualifier filter, because it drops the facts."""
    step = program.steps[index]
    function = function_named(step.function)
    if function is None or function.inputs != (Type.FACTS,) or len(step.dependencies) != 1:
        return None
    before = step.dependencies[0]
    if feeder(program, index, before) is not FUNCTIONS["FilterConcept"] or not _leads_to_facts(
        program, before
    ):
        return None
    if sum(before in one.dependencies for one in program.steps) > 1:
        return None
    concept = program.steps[before]
    first = with_step(program, before, replace(step, dependencies=concept.dependencies))
    moved = with_step(first, index, replace(concept, dependencies=(before,)))
    why = "a qualifier belongs to a fact, and behind FilterConcept there are only entities"
    return moved, Repair(
        before, None, f"{call(concept)}, {call(step)}", f"{call(step)}, {call(concept)}", why
    )


def _leads_to_facts(program: Program, index: int) -> bool:
    """True if facts feed this FilterConcept, directly or through other FilterConcepts."""
    while program.steps[index].function == "FilterConcept":
        before = program.steps[index].dependencies
        if len(before) != 1 or not 0 <= before[0] < index:
            return False
        index = before[0]
    function = function_named(program.steps[index].function)
    return function is not None and function.output == Type.FACTS


def _missing_end(program: Program, index: int, _: TypesOf | None) -> Change | None:
    function = function_named(program.steps[index].function)
    if index != len(program) - 1 or function is None or function.output not in SET_TYPES:
        return None
    ended = Program((*program.steps, Step("What", (), (index,))))
    return ended, Repair(
        index + 1, None, "", "What()", "the program ended in a set; the answer are its names"
    )


SHAPE: tuple[Fix, ...] = (
    _empty_step,
    _missing_input,
    _missing_start,
    _one_of_two,
    _names_of_no_set,
    _one_that_is_used,
    _counted,
    _late_qualifier,
    _missing_end,
)
