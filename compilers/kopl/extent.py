"""The scope of each function, and the columns of the table that it gives: facts beside the signature."""

from __future__ import annotations

from enum import StrEnum


class Extent(StrEnum):
    """The unit that a function works on at a time.

    A row is a way of the joined lines of its inputs (docs/extensions.md), a group the ways of one member.
    """

    NOTHING = "nothing: begins a branch"
    MEMBER = "per member"
    PAIR = "per pair of members"
    ROW = "per row"
    GROUP = "per group"
    EVERYTHING = "over everything"
    NUMBER = "over everything; beside columns of a table per group"


_OF = {
    Extent.NOTHING: "FindAll Find Number",
    Extent.MEMBER: """
        FilterConcept FilterStr FilterNum FilterYear FilterDate QFilterStr QFilterNum QFilterYear QFilterDate
        FilterHasAttr FilterHasRelation FilterContains FilterNameContains Relate RelateTransitive And Or
        Except What QueryAttr QueryAttrUnderCondition QueryAttrQualifier""",
    Extent.PAIR: "QueryRelation QueryRelationQualifier",
    Extent.ROW: """
        FilterCompare Calculate Round Period Table OptionalTable FilterTable DropColumn AndTable
        ExceptTable""",
    Extent.GROUP: "FilterCount FilterAggregate",
    Extent.EVERYTHING: """
        SelectBetween SelectAmong SelectTop SelectNth SelectPlaces SelectShare SelectTopBy Exists
        VerifyStr VerifyNum VerifyYear VerifyDate SortTable LimitTable SkipTable DistinctTable CountTable
        OrTable""",
    Extent.NUMBER: "Count CountValues Sum Average Minimum Maximum",
}
EXTENTS: dict[str, Extent] = {name: extent for extent, names in _OF.items() for name in names.split()}

_INPUTS = "its inputs, in their order"
_SAME = "as they were"
_FIRST = "those of the first table"
COLUMNS: dict[str, str] = {
    "Table": _INPUTS,
    "OptionalTable": _INPUTS,
    "FilterTable": _SAME,
    "SortTable": _SAME,
    "LimitTable": _SAME,
    "SkipTable": _SAME,
    "DropColumn": "all but one",
    "DistinctTable": _SAME,
    "AndTable": _FIRST,
    "OrTable": _FIRST,
    "ExceptTable": _FIRST,
}
