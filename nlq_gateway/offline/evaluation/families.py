"""The function families of a program and its number of relations. Pure.

The families are those in which question answering over KoPL is reported (Cao et al., "KQA Pro", 2022,
section 5), and one for each group of docs/extensions.md.
"""

from __future__ import annotations

from compilers.kopl.functions import ALIASES, Kind, Type
from compilers.kopl.program import Program, Step

LOOKUP, GROUPING = "lookup", "grouping"

_FUNCTIONS_OF = {
    LOOKUP: "FindAll Find FilterConcept FilterStr Relate RelateTransitive What QueryAttr QueryRelation",
    "count": "Count CountValues CountTable",
    "comparison": """FilterNum FilterYear FilterDate FilterCompare FilterContains FilterNameContains
        SelectBetween""",
    "superlative": "SelectAmong",
    "verification": "VerifyStr VerifyNum VerifyYear VerifyDate",
    "qualifier": """QFilterStr QFilterNum QFilterYear QFilterDate QueryAttrUnderCondition QueryAttrQualifier
        QueryRelationQualifier""",
    "set operation": "And Or AndTable OrTable",
    "aggregate": "Sum Average Minimum Maximum",
    GROUPING: "FilterCount FilterAggregate",
    "top-k": "SelectTop SelectTopBy SelectNth SelectPlaces SelectShare LimitTable SkipTable",
    "columns": "Table OptionalTable FilterTable SortTable DropColumn DistinctTable",
    "arithmetic": "Calculate Number Round Period",
    "difference": "Except ExceptTable",
    "existence": "FilterHasAttr FilterHasRelation Exists",
}
FAMILIES = tuple(_FUNCTIONS_OF)
FAMILY_OF = {name: family for family, names in _FUNCTIONS_OF.items() for name in names.split()}


def families_of(program: Program) -> tuple[str, ...]:
    """The families that a program has functions of, in the order of `FAMILIES`.

    A program of no other family is a lookup. Numbers beside other columns of a table make groups.
    """
    found = {FAMILY_OF[ALIASES.get(step.function, step.function)] for step in program.steps}
    if any(_groups(program, step) for step in program.steps):
        found.add(GROUPING)
    return tuple(family for family in FAMILIES if family in found - {LOOKUP}) or (LOOKUP,)


def _groups(program: Program, step: Step) -> bool:
    outputs = {program.steps[index].signature.output == Type.NUMBER for index in step.dependencies}
    return step.function == "Table" and outputs == {True, False}


def hops_of(program: Program) -> str:
    """The number of relations in the program, as `2 hops`."""
    kinds = [parameter.kind for step in program.steps for parameter in step.signature.parameters]
    return hops(kinds.count(Kind.RELATION))


def hops(number: int) -> str:
    """`1 hop`, `2 hops`."""
    return f"{number} hop" if number == 1 else f"{number} hops"
