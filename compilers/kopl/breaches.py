"""For each rule of the checker a program that breaks it, for the documentation's example messages."""

from __future__ import annotations

from compilers.issues import Issue
from compilers.kopl.check import check
from compilers.kopl.program import Program, Step

_ALL = Step("FindAll")
_HEIGHT = Step("QueryAttr", ("height",), (0,))


def _union(index: int) -> Step:
    return Step("Or", (), (index - 1, 0))


BROKEN: dict[str, Program] = {
    "too-many-steps": Program((_ALL,) * 41),
    "empty-program": Program(()),
    "too-many-unions": Program((_ALL, *map(_union, range(1, 10)), Step("Count", (), (9,)))),
    "unknown-function": Program((_ALL, Step("Cuont", (), (0,)))),
    "wrong-argument-count": Program((Step("Find", ("Washington", "D.C.")), Step("What", (), (0,)))),
    "wrong-input-count": Program((_ALL, Step("And", (), (0,)), Step("Count", (), (1,)))),
    "bad-dependency": Program((_ALL, Step("Count", (), (1,)))),
    "wrong-input-type": Program((_ALL, Step("VerifyNum", ("180", "="), (0,)))),
    "bad-choice": Program((_ALL, Step("Relate", ("spouse", "sideways"), (0,)), Step("Count", (), (1,)))),
    "bad-value": Program((_ALL, Step("FilterYear", ("born", "long ago", "="), (0,)), Step("What", (), (1,)))),
    "bad-number": Program((_ALL, Step("SelectTop", ("height", "largest", "three"), (0,)))),
    "bad-column": Program(
        (_ALL, Step("Table", (), (0,)), Step("SortTable", ("2", "ascending"), (1,))),
    ),
    "unlike-tables": Program(
        (_ALL, _HEIGHT, Step("Table", (), (0,)), Step("Table", (), (0, 1)), Step("OrTable", (), (2, 3))),
    ),
    "nested-aggregate": Program(
        (
            _ALL,
            _HEIGHT,
            Step("Sum", (), (1,)),
            Step("Calculate", ("/",), (1, 2)),
            Step("Maximum", (), (3,)),
        ),
    ),
    "loose-column": Program((_ALL, Step("Count", (), (0,)), Step("OptionalTable", (), (0, 1)))),
    "ungrouped-value": Program(
        (
            _ALL,
            _HEIGHT,
            Step("Sum", (), (1,)),
            Step("Calculate", ("/",), (1, 2)),
            Step("Table", (), (0, 3)),
        ),
    ),
    "empty-argument": Program((_ALL, Step("QueryAttr", (" ",), (0,)))),
    "dangling-step": Program((_ALL, Step("Find", ("Fargo",)), Step("What", (), (1,)))),
    "ends-in-set": Program((_ALL,)),
    "extension": Program((_ALL, Step("Exists", (), (0,)))),
}


def example(code: str) -> Issue:
    """The checker's issue for the program that breaks the rule `code`.

    Raises:
        KeyError: when there is no such program, or it breaks another rule.
    """
    return {issue.code: issue for issue in check(BROKEN[code], strict=True)}[code]
