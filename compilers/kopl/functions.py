"""The functions of KoPL, in one table.

The parser, the checker, the interpreter, the compiler, the prompts and the documentation read this
table and nothing else about signatures. Functions after Cao et al., "KQA Pro" (2022), section 3 and
the reference engine THU-KEG/KoPL.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Type(StrEnum):
    """What flows from step to step."""

    ENTITIES = "entities"
    FACTS = "facts"
    VALUES = "values"
    NAMES = "names"
    NUMBER = "number"
    RELATIONS = "relations"
    VERDICT = "verdict"


class Kind(StrEnum):
    """What a textual argument names."""

    ENTITY = "entity"
    CONCEPT = "concept"
    RELATION = "relation"
    DIRECTION = "direction"
    ATTRIBUTE = "attribute"
    QUALIFIER = "qualifier"
    VALUE = "value"
    OPERATOR = "operator"


class ValueType(StrEnum):
    """The four types of literal values (KQA Pro, section 3.1)."""

    STRING = "string"
    QUANTITY = "quantity"
    YEAR = "year"
    DATE = "date"


SCHEMA_KINDS = (Kind.CONCEPT, Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER)
NAMING_KINDS = (Kind.ENTITY, *SCHEMA_KINDS)

COMPARISONS = ("=", "!=", "<", ">")


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
    """One row of the table: `inputs` come from earlier steps, `parameters` from the question."""

    name: str
    inputs: tuple[Type, ...]
    parameters: tuple[Parameter, ...]
    output: Type
    meaning: str
    extension: bool = False

    def accepts(self, position: int, given: Type) -> bool:
        """Whether a step of type `given` may feed input `position`; facts serve where entities do."""
        wanted = self.inputs[position]
        return given == wanted or (wanted == Type.ENTITIES and given == Type.FACTS)


_ENTITY = Parameter("name", Kind.ENTITY)
_CONCEPT = Parameter("concept", Kind.CONCEPT)
_RELATION = Parameter("relation", Kind.RELATION)
_DIRECTION = Parameter("direction", Kind.DIRECTION, ("forward", "backward"))
_ATTRIBUTE = Parameter("attribute", Kind.ATTRIBUTE)
_QUALIFIER = Parameter("qualifier", Kind.QUALIFIER)
_COMPARISON = Parameter("operator", Kind.OPERATOR, COMPARISONS)
_ANY_VALUE = Parameter("value", Kind.VALUE)
_VALUE = {kind: Parameter("value", Kind.VALUE, (), kind) for kind in ValueType}

_E, _F, _V = Type.ENTITIES, Type.FACTS, Type.VALUES

_TABLE = (
    Function("FindAll", (), (), _E, "every entity of the graph"),
    Function("Find", (), (_ENTITY,), _E, "the entities with this name"),
    Function("FilterConcept", (_E,), (_CONCEPT,), _E, "those that belong to a concept or to one below it"),
    Function(
        "FilterStr", (_E,), (_ATTRIBUTE, _VALUE[ValueType.STRING]), _F, "those whose attribute has this text"
    ),
    Function(
        "FilterNum",
        (_E,),
        (_ATTRIBUTE, _VALUE[ValueType.QUANTITY], _COMPARISON),
        _F,
        "those whose attribute compares so with a quantity",
    ),
    Function(
        "FilterYear",
        (_E,),
        (_ATTRIBUTE, _VALUE[ValueType.YEAR], _COMPARISON),
        _F,
        "those whose attribute compares so with a year",
    ),
    Function(
        "FilterDate",
        (_E,),
        (_ATTRIBUTE, _VALUE[ValueType.DATE], _COMPARISON),
        _F,
        "those whose attribute compares so with a date",
    ),
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
        (_QUALIFIER, _VALUE[ValueType.QUANTITY], _COMPARISON),
        _F,
        "those whose fact has a qualifier that compares so with a quantity",
    ),
    Function(
        "QFilterYear",
        (_F,),
        (_QUALIFIER, _VALUE[ValueType.YEAR], _COMPARISON),
        _F,
        "those whose fact has a qualifier that compares so with a year",
    ),
    Function(
        "QFilterDate",
        (_F,),
        (_QUALIFIER, _VALUE[ValueType.DATE], _COMPARISON),
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
        (_ATTRIBUTE, Parameter("operator", Kind.OPERATOR, ("largest", "smallest"))),
        Type.NAMES,
        "which of a set has the largest or smallest value",
    ),
    Function(
        "VerifyStr", (_V,), (_VALUE[ValueType.STRING],), Type.VERDICT, "whether the values are this text"
    ),
    Function(
        "VerifyNum",
        (_V,),
        (_VALUE[ValueType.QUANTITY], _COMPARISON),
        Type.VERDICT,
        "whether the values compare so with a quantity",
    ),
    Function(
        "VerifyYear",
        (_V,),
        (_VALUE[ValueType.YEAR], _COMPARISON),
        Type.VERDICT,
        "whether the values compare so with a year",
    ),
    Function(
        "VerifyDate",
        (_V,),
        (_VALUE[ValueType.DATE], _COMPARISON),
        Type.VERDICT,
        "whether the values compare so with a date",
    ),
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

FUNCTIONS: dict[str, Function] = {function.name: function for function in _TABLE}
ALIASES: dict[str, str] = {"QueryName": "What"}


def function_named(name: str) -> Function | None:
    """The table's row for `name` or for what it is an alias of, or None."""
    return FUNCTIONS.get(ALIASES.get(name, name))
