"""Calculated columns: operands, each with its own path, joined by one operator."""

from __future__ import annotations

from dataclasses import replace

from nlq_gateway.drafts.reasoning.endings.columns import Columns, EndingColumn, best, counted
from nlq_gateway.drafts.reasoning.nouns import clearest, nouns
from nlq_gateway.question.reading import cues
from nlq_gateway.question.reading.formulas import Formula, FormulaOperand
from nlq_gateway.question.reading.request import QuestionPart

_DEEPEST = 3
_Value = tuple[Columns, int, bool]


def formula_of(columns: Columns, words: frozenset[int]) -> Formula | None:
    """The formula that some words of the question ask for."""
    field = columns.canvas.field
    return next((one for one in field.request.formulas if one.names(field.reading, words)), None)


def add_formula(columns: Columns, part: QuestionPart, formula: Formula) -> Columns:
    """The columns with what a part calculates, each number over it.

    They are unchanged where an operand is missing, or where the
    part asks how many: a calculation gives values, and only things are counted.
    """
    asked = part.says or (("", frozenset[int]()),)
    if any(function == cues.COUNT for function, _ in asked):
        return columns
    for function, _ in asked:
        found = _calculated(columns, formula, function, _DEEPEST)
        if found is None:
            return columns
        columns = _shown(*found)
    cue = frozenset[int]().union(*(words for _, words in part.says))
    return columns.stating(_said(columns, formula.words | formula.name | part.words | cue))


def _shown(columns: Columns, step: int, is_number: bool) -> Columns:
    return columns.with_column(columns.canvas, EndingColumn(step, f"={step}", is_number))


def _said(columns: Columns, words: frozenset[int]) -> frozenset[int]:
    weights, unstated = columns.canvas.field.reading.weights, columns.canvas.field.reading.unstated
    return frozenset(token for token in words if weights[token] > 0 or token in unstated)


def _calculated(columns: Columns, formula: Formula, function: str, depth: int) -> _Value | None:
    """The last step of a formula, whether it is a number over several members, and what it stands on."""
    beside = any(operand.function for operand in formula.operands)
    found: _Value | None = None
    taken: frozenset[str] = frozenset()
    for operand in formula.operands:
        more = _operand(columns if found is None else found[0], operand, depth, beside, taken)
        if more is None:
            return None
        taken |= _label(more)
        found = more if found is None else _joined(found, more, formula.operator)
    if found is None or not function or found[2]:
        # A formula of totals gives one number: no average is taken over it.
        return found
    return _over(found, function)


def _label(value: _Value) -> frozenset[str]:
    """The attribute whose values an operand is: with these it is not calculated again."""
    step = value[0].canvas.sketch.steps[value[1]]
    return frozenset(step.inputs[:1]) if step.function == "QueryAttr" else frozenset()


def _joined(first: _Value, second: _Value, operator: str) -> _Value:
    canvas = second[0].canvas.add("Calculate", (operator,), (first[1], second[1]))
    return replace(second[0], canvas=canvas), canvas.sketch.last, first[2] or second[2]


def _over(found: _Value, function: str) -> _Value:
    columns, step, _ = found
    canvas = columns.canvas.add(function, (), (step,))
    return replace(columns, canvas=canvas), canvas.sketch.last, True


def _operand(
    columns: Columns, operand: FormulaOperand, depth: int, beside: bool, taken: frozenset[str]
) -> _Value | None:
    """Return the value of an operand, or None; values `beside` a number are shown, to say whose it is."""
    named = formula_of(columns, operand.words) if depth else None
    if named is not None and not named.is_asked:
        return _calculated(columns, named, operand.function, depth - 1)
    if operand.function == cues.COUNT:
        return _count(columns, operand)
    field = columns.canvas.field
    known = nouns(field, operand.words)
    ordered = tuple(noun for noun in known if noun.is_ordered and noun.item.label not in taken)
    place = best(columns.canvas, clearest(field, ordered, operand.words))
    if place is None:
        return None
    columns = columns.telling(place.noun.words, place.noun.gain - place.value)
    canvas, step = place.canvas.once("QueryAttr", place.noun.item, place.stop)
    if operand.function:
        return _over((replace(columns, canvas=canvas), step, False), operand.function)
    if beside:
        return columns.values(canvas, place.noun.item, place.stop, hidden=True), step, False
    return replace(columns, canvas=canvas), step, False


def _count(columns: Columns, operand: FormulaOperand) -> _Value | None:
    part = QuestionPart(cues.Role.ASK, operand.words)
    field = columns.canvas.field
    things = tuple(noun for noun in counted(field, part) if not noun.is_attribute)
    place = best(columns.canvas, clearest(field, things, operand.words))
    if place is None:
        return None
    columns = columns.telling(place.noun.words, place.noun.gain - place.value)
    return _over((replace(columns, canvas=place.canvas), place.stop.step, False), cues.COUNT)
