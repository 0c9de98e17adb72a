"""The forms of question templates for one step, with the chains they stand for.

In texts, `[mask]` stands for a name or for an earlier sub-question's result, `[value]` for a literal;
`{item}` is the label of a schema item and `{qualifier}` of one of its qualifiers (Keqing, section 3.3:
templates for the logical chains of a graph). In chains, `@` is the item, `@q` the qualifier and `$` the
value; `[2]` says which operand feeds a step, 0 is the step before. Without it the first step is fed by all
operands in order, others by the step before. `$` and `$end` enclose a period. `Filter`, `QFilter` and
`Verify` become the function for the value's type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from compilers.kopl.functions import Kind

MASK, VALUE = "[mask]", "[value]"
ITEM, QUALIFIER, LITERAL, END = "@", "@q", "$", "$end"

ValueClass = Literal["", "number", "time", "period", "text", "count"]

_OF_SEVERAL = (
    "which of",
    f"which {VALUE} of",
    "what is the total",
    "list",
    "what is the average",
    "what is the highest",
    "what is the lowest",
    "what are the names",
    "how many of",
    "is there any of",
)
_VOWELS = tuple("aeiouAEIOU")
_OF_TIMES = {
    "largest": "latest",
    "smallest": "earliest",
    "greater": "later",
    "smaller": "earlier",
    "highest": "latest",
    "lowest": "earliest",
}

_ORDER = re.compile("|".join(_OF_TIMES))
_CALL = re.compile(r"(\w+)\(([^)]*)\)(?:\[([\d ]+)\])?")


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A step of a chain; `feeds` are operands from 1, or 0 for the step before."""

    function: str
    arguments: tuple[str, ...]
    feeds: tuple[int, ...]


@dataclass(frozen=True)
class ChainTemplate:
    """A template for questions, about an item of a kind or about none, and the chain that it stands for.

    `answer` replaces the chain if no later sub-question uses its result. `value` is the class of the text's
    literal. `either`: the two operands may come in either order.
    """

    text: str
    chain: str
    kind: Kind | None = None
    answer: str = ""
    value: ValueClass = ""
    either: bool = False

    @cached_property
    def operands(self) -> int:
        """The number of names or earlier results that it takes."""
        return self.text.count(MASK)

    @cached_property
    def of_several(self) -> bool:
        """True if it makes sense for a set only, not for one named thing."""
        return self.text.startswith(_OF_SEVERAL) and not self.text.startswith(f"which of {MASK} and")

    @cached_property
    def is_verdict(self) -> bool:
        """True if its answer is yes or no."""
        return self.calls(last=True)[-1:] != () and self.calls(last=True)[-1].function in ("Exists", "Verify")

    @cached_property
    def qualified(self) -> bool:
        """True if it asks for a qualifier of the item's facts."""
        return QUALIFIER in self.chain

    def said(self, item: str = "", qualifier: str = "", *, of_times: bool = False) -> str:
        """The text with the names of its items; times are later or earlier, not larger or smaller."""
        an = "an" if item.startswith(_VOWELS) else "a"
        words = self.text.format_map({"item": "{item}", "qualifier": qualifier, "an": an})
        if of_times:
            words = _ORDER.sub(lambda found: _OF_TIMES[found.group()], words)
        return words.replace("{item}", item)

    def calls(self, last: bool) -> tuple[ChainStep, ...]:
        """The chain's steps; `last` if no later sub-question uses its result."""
        return _calls(self.answer if last and self.answer else self.chain, self.operands)


def _calls(chain: str, operands: int) -> tuple[ChainStep, ...]:
    found = []
    for at, match in enumerate(_CALL.finditer(chain)):
        arguments = tuple(part.strip() for part in match.group(2).split(",") if part.strip())
        usual = (0,) if at else tuple(range(1, operands + 1))
        feeds = tuple(map(int, match.group(3).split())) if match.group(3) else usual
        found.append(ChainStep(match.group(1), arguments, feeds))
    return tuple(found)


def _compared(kind: Kind | None, text: str, function: str) -> list[ChainTemplate]:
    """A form for each comparison of the item with a value: `text` takes the words of the comparison."""
    words: tuple[tuple[ValueClass, str, str], ...] = (
        ("text", "", "="),
        ("number", "of", "="),
        ("number", "of more than", ">"),
        ("number", "of less than", "<"),
        ("number", "of at least", ">="),
        ("number", "of at most", "<="),
        ("number", "other than", "!="),
        ("time", "in", "="),
        ("time", "after", ">"),
        ("time", "before", "<"),
    )
    return [
        ChainTemplate(
            " ".join(text.replace("{words}", said).split()),
            function.replace("OP", operator),
            kind,
            value=value,
        )
        for value, said, operator in words
    ]


_R, _A, _C, _Q = Kind.RELATION, Kind.ATTRIBUTE, Kind.CONCEPT, Kind.QUALIFIER

FORWARD = ChainTemplate("what is the {item} of [mask]?", "Relate(@, forward)", _R)
BACKWARD = ChainTemplate("what has [mask] as {item}?", "Relate(@, backward)", _R)
QUERY = ChainTemplate("what is the {item} of [mask]?", "QueryAttr(@)", _A)
LARGEST = ChainTemplate(
    "which of [mask] has the largest {item}?",
    "SelectTop(@, largest, 1)",
    _A,
    answer="SelectAmong(@, largest)",
)
SMALLEST = ChainTemplate(
    "which of [mask] has the smallest {item}?",
    "SelectTop(@, smallest, 1)",
    _A,
    answer="SelectAmong(@, smallest)",
)
MEMBERS = ChainTemplate("which {item}s are there?", "FindAll(); FilterConcept(@)", _C)
# The members of the first operand that belong to the second; also from FORWARD and BACKWARD texts.
AMONG_FORWARD = ChainTemplate(
    "which of [mask] are the {item} of [mask]?", "Relate(@, forward)[2]; And()[1 0]", _R
)
AMONG_BACKWARD = ChainTemplate(
    "which of [mask] have [mask] as {item}?", "Relate(@, backward)[2]; And()[1 0]", _R
)
AMONG = {FORWARD.chain: AMONG_FORWARD, BACKWARD.chain: AMONG_BACKWARD}

# These are worded and kept for every item of their kind; the others are made for the items near to a
# sub-question.
KEPT = (FORWARD, BACKWARD, QUERY, LARGEST, SMALLEST, MEMBERS)

FORMS: tuple[ChainTemplate, ...] = (
    *KEPT,
    AMONG_FORWARD,
    AMONG_BACKWARD,
    ChainTemplate("which of [mask] have {an} {item}?", "FilterHasRelation(@, forward)", _R),
    ChainTemplate("which of [mask] are the {item} of something?", "FilterHasRelation(@, backward)", _R),
    ChainTemplate(
        "is [mask] the {item} of [mask]?",
        "Relate(@, forward)[2]; And()[0 1]; Exists()",
        _R,
        either=True,
    ),
    ChainTemplate(
        "what is the {qualifier} of [mask] with [mask] as {item}?",
        "QueryRelationQualifier(@, @q)",
        _R,
        either=True,
    ),
    ChainTemplate("which of [mask] have {an} {item}?", "FilterHasAttr(@)", _A),
    *_compared(_A, "which of [mask] have {an} {item} {words} [value]?", "Filter(@, $, OP)"),
    *_compared(_A, "does [mask] have {an} {item} {words} [value]?", "QueryAttr(@); Verify($, OP)"),
    ChainTemplate(
        "which of [mask] have {an} {item} in the period [value]?",
        "Filter(@, $, >); Filter(@, $end, <)",
        _A,
        value="period",
    ),
    ChainTemplate(
        "which [value] of [mask] have the largest {item}?", "SelectTop(@, largest, $)", _A, value="count"
    ),
    ChainTemplate(
        "which [value] of [mask] have the smallest {item}?", "SelectTop(@, smallest, $)", _A, value="count"
    ),
    ChainTemplate(
        "which of [mask] is number [value] by largest {item}?", "SelectNth(@, largest, $)", _A, value="count"
    ),
    ChainTemplate(
        "which of [mask] and [mask] has the greater {item}?",
        "Or(); SelectTop(@, largest, 1)",
        _A,
        answer="SelectBetween(@, greater)",
    ),
    ChainTemplate(
        "which of [mask] and [mask] has the smaller {item}?",
        "Or(); SelectTop(@, smallest, 1)",
        _A,
        answer="SelectBetween(@, less)",
    ),
    ChainTemplate("what is the total {item} of [mask]?", "QueryAttr(@); Sum()", _A),
    ChainTemplate("what is the average {item} of [mask]?", "QueryAttr(@); Average()", _A),
    ChainTemplate("what is the highest {item} of any of [mask]?", "QueryAttr(@); Maximum()", _A),
    ChainTemplate("what is the lowest {item} of any of [mask]?", "QueryAttr(@); Minimum()", _A),
    *(
        ChainTemplate(
            "what was the {item} of [mask] with the {qualifier} [value]?",
            "QueryAttrUnderCondition(@, @q, $)",
            _A,
            value=value,
        )
        for value in ("text", "number", "time")
    ),
    *(
        ChainTemplate(
            "what is the {qualifier} of the {item} [value] of [mask]?",
            "QueryAttrQualifier(@, $, @q)",
            _A,
            value=value,
        )
        for value in ("text", "number", "time")
    ),
    ChainTemplate("which of [mask] are {an} {item}?", "FilterConcept(@)", _C),
    ChainTemplate("is [mask] {an} {item}?", "FilterConcept(@); Exists()", _C),
    *_compared(_Q, "which of [mask] have the {item} {words} [value]?", "QFilter(@, $, OP)"),
    *_compared(None, "is [mask] {words} [value]?", "Verify($, OP)"),
    ChainTemplate("what are the names of [mask]?", ""),
    ChainTemplate("how many of [mask] are there?", "Count()"),
    ChainTemplate("is there any of [mask]?", "Exists()"),
    ChainTemplate("which of [mask] are also among [mask]?", "And()"),
    ChainTemplate("what is in [mask] or in [mask]?", "Or()"),
    ChainTemplate("which of [mask] are not among [mask]?", "Except()"),
    ChainTemplate("how is [mask] related to [mask]?", "QueryRelation()", either=True),
    ChainTemplate("which of [mask] have [value] of [mask]?", "FilterCount($, =)", value="count"),
    ChainTemplate("which of [mask] have more than [value] of [mask]?", "FilterCount($, >)", value="count"),
    ChainTemplate("which of [mask] have fewer than [value] of [mask]?", "FilterCount($, <)", value="count"),
    ChainTemplate("what is the {item} of each of [mask]?", "QueryAttr(@); Table()[1 0]", _A),
    *(
        ChainTemplate(f"list {', '.join([MASK] * columns)} and [mask] together?", "Table()")
        for columns in (1, 2, 3)
    ),
    *(
        ChainTemplate(f"{asked} for each of [mask]?", f"{function}()[1]; Table()[2 0]")
        for asked, function in (
            ("how many of [mask] are there", "Count"),
            ("what is the total of [mask]", "Sum"),
            ("what is the average of [mask]", "Average"),
            ("what is the highest of [mask]", "Maximum"),
            ("what is the lowest of [mask]", "Minimum"),
        )
    ),
    *(
        ChainTemplate(
            f"which of [mask] has the {most} of [mask]?",
            f"Count()[2]; Table()[1 0]; SortTable(2, {order}); LimitTable(1); DropColumn(2)",
        )
        for most, order in (("most", "descending"), ("fewest", "ascending"))
    ),
    *(
        ChainTemplate(
            f"which of [mask] has the {most} total of [mask]?",
            f"Sum()[2]; Table()[1 0]; SortTable(2, {order}); LimitTable(1); DropColumn(2)",
        )
        for most, order in (("highest", "descending"), ("lowest", "ascending"))
    ),
    ChainTemplate("what is the sum of [mask]?", "Sum()"),
    ChainTemplate("what is the average of [mask]?", "Average()"),
    ChainTemplate("what is the highest of [mask]?", "Maximum()"),
    ChainTemplate("what is the lowest of [mask]?", "Minimum()"),
    ChainTemplate("what is the difference between [mask] and [mask]?", "Calculate(-)"),
    ChainTemplate("what is the sum of [mask] and [mask]?", "Calculate(+)"),
    ChainTemplate("what is [mask] divided by [mask]?", "Calculate(/)"),
    ChainTemplate("is [mask] greater than [mask]?", "FilterCompare(>); Exists()"),
    ChainTemplate("is [mask] equal to [mask]?", "FilterCompare(=); Exists()"),
)
