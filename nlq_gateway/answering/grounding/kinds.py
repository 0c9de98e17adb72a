"""Attributes that the graph has as relations, and relations that it has as attributes."""

from __future__ import annotations

from collections.abc import Callable

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from compilers.kopl.repair import Repair, Repaired
from compilers.kopl.repair.base import with_step, without_step
from nlq_gateway.index import Index

_HAS = {"FilterHasAttr": Kind.ATTRIBUTE, "FilterHasRelation": Kind.RELATION}


def with_right_kinds(program: Program, index: Index) -> Repaired:
    """The program with each attribute that is a relation of the graph as one, and the other way round.

    Only where the graph has the name (but for case, marks and endings) as one and not as the other, and
    only at the end of a program, where the answer is the same: what is asked of, counted, or had at all.
    """
    repairs: list[Repair] = []
    at = 0
    while at < len(program):
        found = _changed(program, at, lambda kind, name: bool(index.look_up([name], (kind,))))
        if found is not None:
            program = found[0]
            repairs.append(found[1])
        at += 1
    return Repaired(program, tuple(repairs))


_Has = Callable[[Kind, str], bool]
_Changed = tuple[Program, Repair] | None


def _changed(program: Program, at: int, has: _Has) -> _Changed:
    found = (change(program, at, has) for change in (_related, _queried, _had))
    return next((one for one in found if one is not None), None)


def _related(program: Program, at: int, has: _Has) -> _Changed:
    """QueryAttr of a relation, as the answer or counted."""
    step, behind = program.steps[at], program.steps[at + 1 :]
    counted = len(behind) == 1 and behind[0].function == "CountValues"
    if step.function != "QueryAttr" or (behind and not counted) or not _is_other(Kind.ATTRIBUTE, step, has):
        return None
    related = Step("Relate", (step.inputs[0], "forward"), step.dependencies)
    last = Step("Count" if counted else "What", (), (at,))
    return Program((*program.steps[:at], related, last)), _repair(at, step, related, Kind.RELATION)


def _queried(program: Program, at: int, has: _Has) -> _Changed:
    """Relate by an attribute, as the answer or counted."""
    step, behind = program.steps[at], program.steps[at + 1 :]
    ends = len(behind) == 1 and behind[0].function in ("What", "QueryName", "Count")
    if step.function != "Relate" or not ends or not _is_other(Kind.RELATION, step, has):
        return None
    asked = Step("QueryAttr", step.inputs[:1], step.dependencies)
    queried = with_step(program, at, asked)
    if behind[0].function == "Count":
        queried = with_step(queried, at + 1, Step("CountValues", (), (at,)))
    else:
        queried = without_step(queried, at + 1)
    return queried, _repair(at, step, asked, Kind.ATTRIBUTE)


def _had(program: Program, at: int, has: _Has) -> _Changed:
    """FilterHasAttr of a relation, FilterHasRelation of an attribute."""
    step = program.steps[at]
    kind = _HAS.get(step.function)
    if kind is None or not _is_other(kind, step, has):
        return None
    if kind == Kind.ATTRIBUTE:
        other = Step("FilterHasRelation", (step.inputs[0], "forward"), step.dependencies)
    else:
        other = Step("FilterHasAttr", step.inputs[:1], step.dependencies)
    return with_step(program, at, other), _repair(at, step, other, _other(kind))


def _other(kind: Kind) -> Kind:
    return Kind.RELATION if kind == Kind.ATTRIBUTE else Kind.ATTRIBUTE


def _is_other(kind: Kind, step: Step, has: _Has) -> bool:
    return bool(step.inputs) and not has(kind, step.inputs[0]) and has(_other(kind), step.inputs[0])


def _repair(at: int, before: Step, after: Step, kind: Kind) -> Repair:
    why = f"the graph has {before.inputs[0]!r} as {'a relation' if kind == Kind.RELATION else 'an attribute'}"
    return Repair(at, None, str(before), str(after), why)
