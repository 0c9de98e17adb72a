"""Calls of functions: their arguments, by the parameters in the function table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import FUNCTIONS, TEXT, Function, Kind, Parameter, Type, ValueType
from nlq_gateway.drafts.generation.grammar.expressions import (
    Expression,
    Rules,
    Terminal,
    characters,
    choice,
    optional,
    sequence,
)
from nlq_gateway.drafts.generation.grammar.vocabulary import SEPARATOR, ValueSort, VocabularyRules
from nlq_gateway.drafts.generation.grammar.writing import NotationRules

# Functions that no program of this grammar has, with the reason.
LEFT_OUT = {
    "AndTable": "joins two tables, and a Table takes in every branch that is open",
    "OrTable": "joins two tables, and a Table takes in every branch that is open",
    "ExceptTable": "joins two tables, and a Table takes in every branch that is open",
}
_VALUED = (Kind.ATTRIBUTE, Kind.QUALIFIER)
_TEXTS = ValueType.STRING
_ORDERED = (ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE)
# SelectBetween and SelectAmong do not order texts; other functions may order them by alphabet.
_OF_ORDERED = ("SelectBetween", "SelectAmong")
_ONLY_COLUMN = "1"
_NOTHING_KNOWN: Mapping[str, Expression] = {}
_DIGIT = characters("09")
_BOUNDED = {"decimals": characters("06"), "percent": sequence(characters("19"), optional(_DIGIT))}


def functions(inputs: tuple[Type, ...], *outputs: Type) -> tuple[Function, ...]:
    """The functions of the table with these inputs and one of these outputs, in the table's order."""
    return tuple(
        function
        for function in FUNCTIONS.values()
        if function.inputs == inputs and function.output in outputs and function.name not in LEFT_OUT
    )


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls as rules, without their lines: inputs depend on the place of the call."""

    rules: Rules
    writing: NotationRules
    vocabulary: VocabularyRules

    def any_of(self, name: str, wanted: Iterable[Function]) -> Expression:
        """A call of one of the functions."""
        return self.rules.rule(name, lambda: choice(map(self.of, wanted)))

    def asking(self, name: str, wanted: Iterable[Function], sort: ValueSort) -> Expression:
        """A call of one of the functions that give values, for values of a sort."""
        return self.rules.rule(f"{name}-{sort.key}", lambda: choice(self._asking(f, sort) for f in wanted))

    def of(self, function: Function) -> Expression:
        """A call of the function."""
        ordered = function.name in _OF_ORDERED
        sort = self.vocabulary.typed("ordered", _ORDERED) if ordered else self.vocabulary.everything
        return self.rules.rule(f"call-{function.name.lower()}", lambda: self._asking(function, sort))

    def comparing(
        self, function: Function, sort: ValueSort, known: Mapping[str, Expression] = _NOTHING_KNOWN
    ) -> Expression:
        """A call of the function, which compares its input with a value of a sort.

        Other arguments are `known` by the names of their parameters; an unknown column is the first.
        """
        fixed = {parameter.value_type for parameter in function.parameters} - {None}
        types = sorted(filter(None, fixed or sort.types))
        value = choice(self.vocabulary.values.of(one, units) for one in types for units in sort.units)
        return self._written(function, {**known, "value": value})

    def of_columns(self, function: Function, columns: int) -> Expression:
        """A call of the function, with one of so many columns as an argument if it has one."""
        column = self.one_of(str(number) for number in range(1, columns + 1))
        return self._written(function, {"column": column})

    def operating(self, function: Function, operators: Iterable[str]) -> Expression:
        """A call of the function with one of the operators."""
        return self._written(function, {"operator": self.one_of(operators)})

    def _asking(self, function: Function, sort: ValueSort) -> Expression:
        return self._written(function, {}, sort)

    def _written(
        self, function: Function, known: Mapping[str, Expression], sort: ValueSort | None = None
    ) -> Expression:
        """A call whose arguments are `known` by name, and else follow their parameters.

        An attribute or qualifier before a value is compared with it, and one before a part of a text holds
        texts; any other is of the sort.
        """
        arguments: list[Expression] = []
        ahead = list(function.parameters)
        while ahead:
            parameter = ahead.pop(0)
            if parameter.name in known:
                arguments.append(known[parameter.name])
            elif parameter.name == "first":
                ahead.pop(0)
                arguments.append(self.rules.rule("places", self._places))
            elif parameter.kind in _VALUED and ahead and ahead[0] == TEXT:
                arguments.append(self.vocabulary.names(parameter.kind, self.vocabulary.holding(_TEXTS)))
            elif parameter.kind in _VALUED and ahead and ahead[0].kind == Kind.VALUE:
                arguments.append(self.vocabulary.compared(parameter.kind, ahead.pop(0).value_type))
            else:
                of_rows = function.inputs == (Type.ROWS,)
                sort_of = sort or self.vocabulary.everything
                arguments.append(self._argument(parameter, sort_of, of_rows=of_rows))
        listed = [part for argument in arguments for part in (SEPARATOR, argument)][1:]
        return self.writing.call(function.name, sequence(*listed) if listed else None)

    def _argument(self, parameter: Parameter, sort: ValueSort, *, of_rows: bool) -> Expression:
        if parameter.choices:
            return self.one_of(parameter.choices)
        if parameter.name == "column":
            return self.writing.argument(_ONLY_COLUMN)
        if parameter.name in _BOUNDED:
            return self.writing.filled(_BOUNDED[parameter.name])
        if parameter.kind == Kind.NUMBER:
            values = self.vocabulary.values
            return values.rows() if of_rows else values.whole()
        if parameter == TEXT:
            return self.rules.rule("free-text", lambda: self.writing.text)
        if parameter.kind in _VALUED:
            return self.vocabulary.names(parameter.kind, sort)
        return self.vocabulary.plain[parameter.kind]

    def _places(self) -> Expression:
        """Two places below a hundred, the second not before the first."""
        pairs = [(f"{n}", choice((characters(f"{n}9"), self._tens(1)))) for n in range(1, 10)]
        filled = [(self.writing.filled(Terminal(first)), self.writing.filled(last)) for first, last in pairs]
        for tens in range(1, 9):
            first = sequence(f"{tens}", _DIGIT)
            filled.append((self.writing.filled(first), self.writing.filled(self._tens(tens + 1))))
        return choice(sequence(first, SEPARATOR, last) for first, last in filled)

    def _tens(self, least: int) -> Expression:
        return sequence(characters(f"{least}9"), _DIGIT)

    def one_of(self, texts: Iterable[str]) -> Expression:
        """An argument that is one of the texts."""
        written = choice(map(self.writing.argument, texts))
        return self.rules.numbered("choice", written, lambda: written)
