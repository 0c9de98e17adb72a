"""The functions of KoPL, in one table.

The parser, the checker, the interpreter, the compiler, the prompts and the documentation read this
table and nothing else about signatures. Functions after Cao et al., "KQA Pro" (2022), section 3 and
the reference engine THU-KEG/KoPL.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Type(StrEnum):
    """The types of step outputs; the last two occur as inputs only, for functions that take either."""

    ENTITIES = "entities"
    FACTS = "facts"
    VALUES = "values"
    NAMES = "names"
    NUMBER = "number"
    RELATIONS = "relations"
    VERDICT = "verdict"
    ROWS = "rows"
    OPERAND = "values or a number"
    COLUMN = "a set, values or a number"


class Kind(StrEnum):
    """The kind of a textual argument."""

    ENTITY = "entity"
    CONCEPT = "concept"
    RELATION = "relation"
    DIRECTION = "direction"
    ATTRIBUTE = "attribute"
    QUALIFIER = "qualifier"
    VALUE = "value"
    OPERATOR = "operator"
    NUMBER = "number"


class ValueType(StrEnum):
    """The four types of literal values (KQA Pro, section 3.1)."""

    STRING = "string"
    QUANTITY = "quantity"
    YEAR = "year"
    DATE = "date"


SCHEMA_KINDS = (Kind.CONCEPT, Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER)
NAMING_KINDS = (Kind.ENTITY, *SCHEMA_KINDS)

EQUALITIES = ("=", "!=")
COMPARISONS = (*EQUALITIES, "<", ">", "<=", ">=")
AGGREGATES = ("sum", "average", "minimum", "maximum")
ARITHMETIC = ("+", "-", "*", "/")
# The functions that calculate values from other steps' values.
CALCULATING = ("Calculate", "Round", "Period")

# What steps give that find things.
SET_TYPES = (Type.ENTITIES, Type.FACTS)
# The types accepted in place of a type, besides itself.
_SERVES: dict[Type, tuple[Type, ...]] = {
    Type.ENTITIES: (Type.FACTS,),
    Type.OPERAND: (Type.VALUES, Type.NUMBER),
    Type.COLUMN: (Type.ENTITIES, Type.FACTS, Type.VALUES, Type.NUMBER),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One textual argument of a function.

    `choices` closes the set of words for directions and operators; `value_type` is set for values
    whose type the function fixes, and None where the attribute's or qualifier's own type decides.
    """

    name: str
    kind: Kind
    choices: tuple[str, ...] = ()
    value_type: ValueType | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """One row of the table: `inputs` come from earlier steps, `parameters` from the question.

    An `extension` is not among KQA Pro's 27. A `variadic` function takes one or more of its one input.
    """

    name: str
    inputs: tuple[Type, ...]
    parameters: tuple[Parameter, ...]
    output: Type
    meaning: str
    extension: bool = False
    variadic: bool = False

    def wanted(self, position: int) -> Type:
        """The type of input `position`."""
        return self.inputs[0 if self.variadic else position]

    def takes(self, inputs: int) -> bool:
        """True if the function can be fed by this many steps."""
        return inputs >= 1 if self.variadic else inputs == len(self.inputs)

    def accepts(self, position: int, given: Type) -> bool:
        """True if a step of type `given` may feed input `position`; facts serve as entities."""
        wanted = self.wanted(position)
        return given == wanted or given in _SERVES.get(wanted, ())


_ENTITY = Parameter("name", Kind.ENTITY)
_CONCEPT = Parameter("concept", Kind.CONCEPT)
_RELATION = Parameter("relation", Kind.RELATION)
# The direction in which a relation leads back.
TURNED = {"forward": "backward", "backward": "forward"}
_DIRECTION = Parameter("direction", Kind.DIRECTION, tuple(TURNED))
_ATTRIBUTE = Parameter("attribute", Kind.ATTRIBUTE)
_QUALIFIER = Parameter("qualifier", Kind.QUALIFIER)
_COMPARISON = Parameter("operator", Kind.OPERATOR, COMPARISONS)
_ANY_VALUE = Parameter("value", Kind.VALUE)
_VALUE = {kind: Parameter("value", Kind.VALUE, (), kind) for kind in ValueType}
# A part of a text, which need not be among the graph's values.
TEXT = Parameter("text", Kind.VALUE, (), ValueType.STRING)
_EXTREME = Parameter("operator", Kind.OPERATOR, ("largest", "smallest"))
_HOW_MANY = Parameter("number", Kind.NUMBER)
_WHICH_COLUMN = Parameter("column", Kind.NUMBER)
# A value to compare with, and how.
_QUANTITY, _YEAR, _DATE = (
    (_VALUE[kind], _COMPARISON) for kind in (ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE)
)

_E, _F, _V, _N, _R = Type.ENTITIES, Type.FACTS, Type.VALUES, Type.NUMBER, Type.ROWS

_KQA_PRO = (
    Function("FindAll", (), (), _E, "every entity of the graph"),
    Function("Find", (), (_ENTITY,), _E, "the entities with this name"),
    Function("FilterConcept", (_E,), (_CONCEPT,), _E, "those that belong to a concept or to one below it"),
    Function(
        "FilterStr", (_E,), (_ATTRIBUTE, _VALUE[ValueType.STRING]), _F, "those whose attribute has this text"
    ),
    Function(
        "FilterNum", (_E,), (_ATTRIBUTE, *_QUANTITY), _F, "those whose attribute compares so with a quantity"
    ),
    Function("FilterYear", (_E,), (_ATTRIBUTE, *_YEAR), _F, "those whose attribute compares so with a year"),
    Function("FilterDate", (_E,), (_ATTRIBUTE, *_DATE), _F, "those whose attribute compares so with a date"),
    Function(
        "QFilterStr",
        (_F,),
        (_QUALIFIER, _VALUE[ValueType.STRING]),
        _F,
        "those whose fact has this text as a qualifier",
    ),
    Function(
        "QFilterNum",
        (_F,),
        (_QUALIFIER, *_QUANTITY),
        _F,
        "those whose fact has a qualifier that compares so with a quantity",
    ),
    Function(
        "QFilterYear",
        (_F,),
        (_QUALIFIER, *_YEAR),
        _F,
        "those whose fact has a qualifier that compares so with a year",
    ),
    Function(
        "QFilterDate",
        (_F,),
        (_QUALIFIER, *_DATE),
        _F,
        "those whose fact has a qualifier that compares so with a date",
    ),
    Function(
        "Relate",
        (_E,),
        (_RELATION, _DIRECTION),
        _F,
        "what the entities lead to by a relation (forward), or what leads to them (backward)",
    ),
    Function("And", (_E, _E), (), _E, "what is in both sets"),
    Function("Or", (_E, _E), (), _E, "what is in either set"),
    Function("What", (_E,), (), Type.NAMES, "the names of the entities"),
    Function("Count", (_E,), (), Type.NUMBER, "how many entities there are"),
    Function("QueryAttr", (_E,), (_ATTRIBUTE,), _V, "the values of an attribute"),
    Function(
        "QueryAttrUnderCondition",
        (_E,),
        (_ATTRIBUTE, _QUALIFIER, _ANY_VALUE),
        _V,
        "the values of an attribute whose fact has this qualifier value",
    ),
    Function("QueryRelation", (_E, _E), (), Type.RELATIONS, "the relations from the first to the second"),
    Function(
        "SelectBetween",
        (_E, _E),
        (_ATTRIBUTE, Parameter("operator", Kind.OPERATOR, ("less", "greater"))),
        Type.NAMES,
        "which of two has the lesser or greater value",
    ),
    Function(
        "SelectAmong",
        (_E,),
        (_ATTRIBUTE, _EXTREME),
        Type.NAMES,
        "which of a set has the largest or smallest value",
    ),
    Function(
        "VerifyStr", (_V,), (_VALUE[ValueType.STRING],), Type.VERDICT, "whether the values are this text"
    ),
    Function(
        "VerifyNum",
        (Type.OPERAND,),
        _QUANTITY,
        Type.VERDICT,
        "whether the values or the number compare so with a quantity",
    ),
    Function("VerifyYear", (_V,), _YEAR, Type.VERDICT, "whether the values compare so with a year"),
    Function("VerifyDate", (_V,), _DATE, Type.VERDICT, "whether the values compare so with a date"),
    Function(
        "QueryAttrQualifier",
        (_E,),
        (_ATTRIBUTE, _ANY_VALUE, _QUALIFIER),
        _V,
        "the qualifier of the fact that gives an attribute this value",
    ),
    Function(
        "QueryRelationQualifier",
        (_E, _E),
        (_RELATION, _QUALIFIER),
        _V,
        "the qualifier of the fact that relates the first to the second",
    ),
)

_EXTENSIONS = (
    Function("Except", (_E, _E), (), _E, "what is in the first set and not in the second"),
    Function("FilterHasAttr", (_E,), (_ATTRIBUTE,), _F, "those that have the attribute at all"),
    Function(
        "FilterHasRelation",
        (_E,),
        (_RELATION, _DIRECTION),
        _F,
        "those that lead somewhere by a relation (forward), or that something leads to (backward)",
    ),
    Function(
        "RelateTransitive",
        (_E,),
        (_RELATION, _DIRECTION),
        _E,
        "what the entities lead to by a relation, in one step or more (forward), or what leads to them so",
    ),
    Function(
        "FilterContains",
        (_E,),
        (_ATTRIBUTE, TEXT),
        _F,
        "those whose attribute contains this text, in capitals or not",
    ),
    Function(
        "FilterNameContains", (_E,), (TEXT,), _E, "those whose name contains this text, in capitals or not"
    ),
    Function(
        "FilterCompare",
        (_V, Type.OPERAND),
        (_COMPARISON,),
        _E,
        "the entities of the first values, where these compare so with the second",
    ),
    Function(
        "FilterCount",
        (_E, _E),
        (_HOW_MANY, _COMPARISON),
        _E,
        "those of the first set that go with so many of the second",
    ),
    Function(
        "FilterAggregate",
        (_E, _V),
        (Parameter("aggregate", Kind.OPERATOR, AGGREGATES), _ANY_VALUE, _COMPARISON),
        _E,
        "those of the first set for which the sum, or the like, of the second's values with them compares so",
    ),
    Function(
        "SelectTop",
        (_E,),
        (_ATTRIBUTE, _EXTREME, _HOW_MANY),
        _E,
        "the first so many of a set ordered by an attribute, with those that tie with the last",
    ),
    Function(
        "SelectNth",
        (_E,),
        (_ATTRIBUTE, _EXTREME, _HOW_MANY),
        _E,
        "the one at a place of a set ordered by an attribute, with those that tie with it",
    ),
    Function(
        "SelectPlaces",
        (_E,),
        (_ATTRIBUTE, _EXTREME, Parameter("first", Kind.NUMBER), Parameter("last", Kind.NUMBER)),
        _E,
        "those from one place to another of a set ordered by an attribute, with those that tie with these",
    ),
    Function(
        "SelectShare",
        (_E,),
        (_ATTRIBUTE, _EXTREME, Parameter("percent", Kind.NUMBER)),
        _E,
        "the first so many per cent of a set ordered by an attribute, with those that tie with the last",
    ),
    Function(
        "SelectTopBy",
        (_E, _V),
        (_EXTREME, _HOW_MANY),
        _E,
        "the first so many of the first set by the second's values, with those that tie with the last",
    ),
    Function("Exists", (_E,), (), Type.VERDICT, "whether the set has a member"),
    Function("Sum", (_V,), (), _N, "the sum of the values"),
    Function("Average", (_V,), (), _N, "the average of the values"),
    Function("Minimum", (_V,), (), _N, "the least of the values"),
    Function("Maximum", (_V,), (), _N, "the greatest of the values"),
    Function("CountValues", (_V,), (), _N, "how many different values there are"),
    Function(
        "Calculate",
        (Type.OPERAND, Type.OPERAND),
        (Parameter("operator", Kind.OPERATOR, ARITHMETIC),),
        _V,
        "the values calculated from the first and the second; the difference of two dates is in days",
    ),
    Function(
        "Number",
        (),
        (_VALUE[ValueType.QUANTITY],),
        _N,
        "a number that the question states, to calculate and to compare with",
    ),
    Function(
        "Round",
        (Type.OPERAND,),
        (Parameter("decimals", Kind.NUMBER),),
        _V,
        "the values or the number, rounded to so many decimals",
    ),
    Function(
        "Period",
        (_V,),
        (Parameter("period", Kind.OPERATOR, ("year", "month")),),
        _V,
        "the year of each date, or its month, such as 2010-07",
    ),
    Function(
        "Table",
        (Type.COLUMN,),
        (),
        _R,
        "columns side by side; a number among them is taken for each combination of the others",
        variadic=True,
    ),
    Function(
        "OptionalTable",
        (Type.COLUMN,),
        (),
        _R,
        "columns side by side; a row stays where what the first column leads to is missing",
        variadic=True,
    ),
    Function(
        "FilterTable",
        (_R,),
        (_WHICH_COLUMN, _ANY_VALUE, _COMPARISON),
        _R,
        "the rows whose column compares so with a value",
    ),
    Function(
        "SortTable",
        (_R,),
        (_WHICH_COLUMN, Parameter("operator", Kind.OPERATOR, ("ascending", "descending"))),
        _R,
        "the rows in the order of a column, counted from 1",
    ),
    Function("LimitTable", (_R,), (_HOW_MANY,), _R, "the first so many rows, or the first 10 %"),
    Function("SkipTable", (_R,), (_HOW_MANY,), _R, "the rows behind the first so many, or the first 10 %"),
    Function("DropColumn", (_R,), (_WHICH_COLUMN,), _R, "the rows without a column"),
    Function("DistinctTable", (_R,), (), _R, "the rows without repetitions"),
    Function("CountTable", (_R,), (), _N, "how many rows there are"),
    Function("AndTable", (_R, _R), (), _R, "the different rows that are in both tables"),
    Function("OrTable", (_R, _R), (), _R, "the different rows of either table"),
    Function("ExceptTable", (_R, _R), (), _R, "the different rows of the first that the second has not"),
)

FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (*_KQA_PRO, *(replace(extension, extension=True) for extension in _EXTENSIONS))
}
ALIASES: dict[str, str] = {"QueryName": "What"}

# Functions that lead from each member of a set to others, from which a line goes on.
RELATING = ("Relate", "RelateTransitive")
# Functions that take the members with the largest or smallest values of an attribute.
RANKING = frozenset(name for name, function in FUNCTIONS.items() if _EXTREME in function.parameters)


def function_named(name: str) -> Function | None:
    """The table's row for `name` or an alias, or None."""
    return FUNCTIONS.get(ALIASES.get(name, name))
