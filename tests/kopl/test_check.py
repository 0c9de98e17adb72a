"""The checker: one broken program per code, and silence about sound ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.errors import InvalidProgram
from compilers.issues import Issue
from compilers.kopl.check import CODES, ProgramLimits, check, require_valid
from compilers.kopl.functions import FUNCTIONS
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step

TABLE = "Find(a)->Find(a)->QueryAttr(height)->Find(a)->Count()->Table()"

TWO_TABLES = "Step 1: FindAll()\nStep 2: Table() <- 1, 1\nStep 3: Table() <- 1"

SOUND = [
    "Find(a)->Relate(r, forward)->QFilterYear(q, 1960, =)->FilterConcept(c)->What()",
    "Find(a)->Find(b)->SelectBetween(height, greater)",
    "FindAll()->FilterNum(height, 180 centimetre, >)->Count()",
    "Find(a)->QueryAttr(birth date)->VerifyDate(1960, <)",
    "FindAll()->FilterStr(name, not a number)->QueryName()",
    "Find(a)->QueryAttrUnderCondition(population, point in time, anything)",
    "FindAll()->FilterHasAttr(height)->SelectTop(height, largest, 3)->What()",
    "FindAll()->FindAll()->FilterCount(0, >)->What()",
    "FindAll()->QueryAttr(height)->FindAll()->QueryAttr(width)->Average()->FilterCompare(>)->What()",
    f"{TABLE}->FilterTable(2, 180, >)->FilterTable(3, 5, =)->SortTable(1, ascending)->LimitTable(10)",
    f"{TABLE}->SkipTable(5 %)->LimitTable(10%)",
    f"{TABLE}->DropColumn(1)->FilterTable(1, 180, >)->DropColumn(2)->DistinctTable()->CountTable()",
    f"{TWO_TABLES}\nStep 4: DropColumn(1) <- 2\nStep 5: OrTable() <- 3, 4",
    "FindAll()->Count()->FindAll()->Count()->Calculate(/)",
    "FindAll()->QueryAttr(a)->FindAll()->QueryAttr(b)->Calculate(-)->Sum()",
]

MEAN_GAP = "FindAll()->QueryAttr(a)->FindAll()->Count()->Calculate(-)"

TABLE_UNIONS = [
    {"function": "FindAll"},
    {"function": "Table"},
    *({"function": "OrTable", "dependencies": [step, step]} for step in range(1, 10)),
]

BROKEN = [
    ("empty-program", [], 0, None),
    ("too-many-steps", "Find(a)" + "->Relate(r, forward)" * 40, 40, None),
    ("too-many-unions", "FindAll()" + "->FindAll()->Or()" * 9 + "->Count()", 18, None),
    ("unknown-function", "Find(a)->Relation(r, forward)->Count()", 1, None),
    ("wrong-argument-count", "Find(Washington, D.C.)->What()", 0, None),
    ("wrong-argument-count", "Find(a)->Relate(r)->What()", 1, None),
    ("wrong-argument-count", "Find()->What()", 0, None),
    ("wrong-input-count", "Find(a)->And()->What()", 1, None),
    ("wrong-input-count", "Step 1: FindAll()\nStep 2: Find(a) <- 1\nStep 3: What()", 1, None),
    ("bad-dependency", "Step 1: FindAll()\nStep 2: Or() <- 1, 2\nStep 3: What()", 1, None),
    ("bad-dependency", "Step 1: FindAll()\nStep 2: Or() <- 1, 3\nStep 3: What()", 1, None),
    ("bad-dependency", "Step 1: FindAll()\nStep 2: Or() <- 1, 0\nStep 3: What()", 1, None),
    ("bad-dependency", "Step 1: FindAll()\nStep 2: Or() <- 1, 9\nStep 3: What()", 1, None),
    ("wrong-input-type", "Find(a)->QFilterStr(q, x)->What()", 1, None),
    ("wrong-input-type", "Find(a)->Count()->What()", 2, None),
    ("wrong-input-type", "Find(a)->VerifyStr(x)", 1, None),
    ("bad-choice", "Find(a)->Relate(r, Forward)->What()", 1, 1),
    ("bad-choice", "FindAll()->FilterNum(height, 3, about)->What()", 1, 2),
    ("bad-choice", "FindAll()->SelectAmong(height, max)", 1, 1),
    ("bad-value", "FindAll()->FilterNum(height, tall, >)->What()", 1, 1),
    ("bad-value", "FindAll()->FilterDate(born, 1960-02-30, =)->What()", 1, 1),
    ("bad-value", "FindAll()->FilterYear(born, MCMLX, =)->What()", 1, 1),
    ("empty-argument", 'Find("")->What()', 0, 0),
    ("empty-argument", 'Find(a)->Relate(" ", forward)->What()', 1, 0),
    ("dangling-step", "Find(a)->Find(b)->What()", 0, None),
    ("ends-in-set", "Find(a)->FilterConcept(c)", 1, None),
    ("too-many-unions", TABLE_UNIONS, 10, None),
    ("wrong-input-count", "Step 1: Table()", 0, None),
    ("wrong-input-type", "Step 1: FindAll()\nStep 2: Exists()\nStep 3: Table() <- 1, 2", 2, None),
    ("wrong-input-type", "FindAll()->FindAll()->QueryAttr(a)->FilterCompare(<)->What()", 3, None),
    ("wrong-input-type", "FindAll()->LimitTable(3)", 1, None),
    ("bad-choice", "FindAll()->Table()->SortTable(1, largest)", 2, 1),
    ("bad-number", "FindAll()->SelectTop(height, largest, three)->What()", 1, 2),
    ("bad-number", "FindAll()->SelectNth(height, largest, 0)->What()", 1, 2),
    ("bad-number", "FindAll()->FindAll()->FilterCount(-1, =)->What()", 2, 0),
    ("bad-number", "FindAll()->FindAll()->FilterCount(1.0, =)->What()", 2, 0),
    ("bad-number", "FindAll()->Table()->LimitTable(٣)", 2, 0),
    ("bad-number", "FindAll()->Table()->LimitTable(1234567890)", 2, 0),
    ("bad-number", "FindAll()->Table()->LimitTable(101 %)", 2, 0),
    ("bad-number", "FindAll()->Table()->LimitTable(2.5 %)", 2, 0),
    ("bad-number", "FindAll()->SelectTop(height, largest, 10 %)->What()", 1, 2),
    ("bad-number", "FindAll()->Table()->SortTable(0, ascending)", 2, 0),
    ("bad-number", "FindAll()->SelectPlaces(height, largest, 6, 5)->What()", 1, 3),
    ("bad-number", "FindAll()->SelectShare(height, largest, 101)->What()", 1, 2),
    ("bad-number", "FindAll()->QueryAttr(height)->Round(7)", 2, 0),
    ("bad-column", "Step 1: FindAll()\nStep 2: Number(5)\nStep 3: Table() <- 1, 2", 2, None),
    ("bad-column", f"{TABLE}->SortTable(4, ascending)", 6, 0),
    ("bad-column", f"{TABLE}->DropColumn(1)->LimitTable(1)->FilterTable(3, 1, =)", 8, 0),
    ("bad-column", f"{TABLE}->FilterTable(1, Ada, =)", 6, 0),
    ("bad-column", "FindAll()->Table()->DropColumn(1)", 2, 0),
    ("unlike-tables", f"{TWO_TABLES}\nStep 4: AndTable() <- 2, 3", 3, None),
    ("unlike-tables", f"{TWO_TABLES}\nStep 4: LimitTable(2) <- 3\nStep 5: ExceptTable() <- 4, 2", 4, None),
    ("nested-aggregate", f"{MEAN_GAP}->Sum()", 5, None),
    ("nested-aggregate", "Number(1)->Number(2)->Calculate(+)->Sum()", 3, None),
    ("nested-aggregate", f"{MEAN_GAP}->FindAll()->QueryAttr(b)->Calculate(+)->CountValues()", 8, None),
    ("loose-column", "Step 1: FindAll()\nStep 2: Find(a)\nStep 3: OptionalTable() <- 1, 2", 2, None),
    ("loose-column", "Step 1: FindAll()\nStep 2: Count()\nStep 3: OptionalTable() <- 1, 2", 2, None),
    ("loose-column", "Step 1: FindAll()\nStep 2: Count()\nStep 3: OptionalTable() <- 2", 2, None),
    (
        "loose-column",
        "Step 1: FindAll()\nStep 2: FilterConcept(c)\nStep 3: OptionalTable() <- 1, 2",
        2,
        None,
    ),
    (
        "ungrouped-value",
        "Step 1: FindAll()\nStep 2: QueryAttr(a)\nStep 3: Count() <- 1\nStep 4: Calculate(-) <- 2, 3\n"
        "Step 5: Table() <- 1, 4",
        4,
        None,
    ),
]
EXTENSIONS = {name for name, function in FUNCTIONS.items() if function.extension}


@pytest.mark.parametrize("text", SOUND)
def test_sound_programs_have_no_issues(text: str) -> None:
    assert check(read_program(text)) == ()


@pytest.mark.parametrize(("code", "source", "step", "argument"), BROKEN)
def test_each_breach_is_found_alone(code: str, source: object, step: int, argument: int | None) -> None:
    (issue,) = check(read_program(source))
    assert (issue.code, issue.step, issue.argument) == (code, step, argument)
    assert issue.message
    assert issue.hint
    assert issue.severity == ("warning" if code == "ends-in-set" else "error")


def test_every_code_is_documented_and_tested() -> None:
    assert {code for code, *_ in BROKEN} | {"extension"} == set(CODES)
    assert all(CODES.values())


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_strict_refuses_extensions_and_nothing_else(name: str) -> None:
    program = Program((Step(name),))
    found = [issue for issue in check(program, strict=True) if issue not in check(program)]
    assert [(issue.code, issue.severity) for issue in found] == [("extension", "error")] * (
        name in EXTENSIONS
    )


def test_strict_refuses_a_verdict_on_a_number() -> None:
    program = read_program("FindAll()->Count()->VerifyNum(5, >)")
    assert check(program) == ()
    assert [(issue.code, issue.step) for issue in check(program, strict=True)] == [("extension", 2)]


def test_require_valid_is_strict_where_asked() -> None:
    program = read_program("FindAll()->FilterHasAttr(height)->Count()")
    require_valid(program)
    with pytest.raises(InvalidProgram) as caught:
        require_valid(program, strict=True)
    assert [issue.step for issue in caught.value.issues] == [1]


def test_programs_that_use_every_step_twice_are_checked_at_once() -> None:
    depth = 500
    steps = [Step("FindAll"), Step("QueryAttr", ("a",), (0,))]
    steps += [Step("Calculate", ("+",), (index, index)) for index in range(1, depth)]
    tables = [Step("FindAll"), Step("Table", (), (0, 0))]
    tables += [Step("AndTable", (), (index, index)) for index in range(1, depth)]
    for program in (Program(tuple(steps)), Program(tuple(tables))):
        assert check(program, limits=ProgramLimits(steps=depth + 1)) == ()


def test_a_value_that_stands_twice_in_a_number_is_told_once() -> None:
    depth = 100
    steps = [Step("FindAll"), Step("QueryAttr", ("a",), (0,)), Step("Sum", (), (1,))]
    steps += [Step("Calculate", ("-",), (1, 2))]
    steps += [Step("Calculate", ("+",), (index, index)) for index in range(3, depth)]
    steps += [Step("Table", (), (0, depth))]
    (issue,) = check(Program(tuple(steps)), limits=ProgramLimits(steps=depth + 2))
    assert (issue.code, issue.step) == ("ungrouped-value", depth + 1)


def test_the_message_names_both_types() -> None:
    (issue,) = check(read_program("Find(a)->Count()->What()"))
    assert "entities" in issue.message
    assert "number" in issue.message


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Find(a)->relate(r, forward)->What()", "Relate"),
        ("Find(a)->queryname()", "QueryName"),
        ("Find(a)->Zzz()", "FindAll"),
        ("Find(Washington, D.C.)->What()", '"Washington, D.C."'),
        ("FindAll()->FilterStr(state, up, !=)->What()", "; for all others, add Except() <- 1, 2"),
        ("Find(a)->QFilterStr(q, x)->What()", "right after"),
    ],
)
def test_hints_say_what_to_do(text: str, part: str) -> None:
    (issue,) = check(read_program(text))
    assert part in issue.hint


def test_issues_come_by_step() -> None:
    issues = check(read_program('Nonsense()->Find("")->QFilterNum(q, x, ~)'))
    assert [issue.step for issue in issues] == sorted(issue.step for issue in issues)
    assert {"unknown-function", "empty-argument", "bad-value", "bad-choice", "ends-in-set"} <= {
        issue.code for issue in issues
    }


def test_limits_are_the_callers() -> None:
    program = read_program("FindAll()->FindAll()->Or()->Count()")
    assert check(program, limits=ProgramLimits(steps=4, unions=1)) == ()
    assert [issue.code for issue in check(program, limits=ProgramLimits(steps=3))] == ["too-many-steps"]
    assert [issue.code for issue in check(program, limits=ProgramLimits(unions=0))] == ["too-many-unions"]


def test_require_valid_raises_all_issues() -> None:
    program = read_program("Find(a)->Relate(r, sideways)")
    with pytest.raises(InvalidProgram) as caught:
        require_valid(program)
    assert caught.value.issues == check(program)
    assert str(caught.value).startswith("step 2: ")
    assert caught.value.hint


def test_require_valid_lets_warnings_pass() -> None:
    require_valid(read_program("Find(a)"))


anything = st.text(st.characters(), max_size=20)
steps = st.builds(
    Step,
    st.one_of(st.sampled_from(sorted(FUNCTIONS)), anything),
    st.lists(anything, max_size=4).map(tuple),
    st.lists(st.integers(), max_size=3).map(tuple),
)


@given(program=st.lists(steps, max_size=12).map(lambda found: Program(tuple(found))))
def test_no_program_makes_it_raise(program: Program) -> None:
    for issue in check(program):
        assert isinstance(issue, Issue)
        assert issue.code in CODES
        assert 0 <= issue.step < max(len(program), 1)


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_long_texts_are_not_repeated_in_messages(size: int) -> None:
    program = Program((Step("F" * size), Step("FilterNum", ("k", "9" * size + "x", "z" * size), (0,))))
    issues = check(program)
    assert {issue.code for issue in issues} == {"unknown-function", "bad-value", "bad-choice", "ends-in-set"}
    assert all(len(issue.message) < 200 for issue in issues)
