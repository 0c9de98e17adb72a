"""The notations: what each reads, that each reads back what it writes, and how malformed text is refused."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.errors import ProgramSyntaxError, UnsupportedProgram
from compilers.kopl.functions import FUNCTIONS
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step

DIRECTED = Program(
    (
        Step("Find", ("Mike Nichols",)),
        Step("Relate", ("directed by", "backward"), (0,)),
        Step("FindAll"),
        Step("FilterConcept", ("film",), (2,)),
        Step("And", (), (1, 3)),
        Step("Count", (), (4,)),
    )
)
SHARED = Program(
    (
        Step("Find", ("Q",)),
        Step("Relate", ("part of", "forward"), (0,)),
        Step("Or", (), (1, 0)),
        Step("What", (), (2,)),
    )
)

HOSTILE = [
    "a, b",
    "f(x)",
    "(",
    ")",
    "a->b",
    "a <- 2",
    "back\\slash",
    "line\nbreak",
    "line\u2028break",
    '"quoted"',
    '5" disk',
    " leading",
    "trailing\t",
    "",
    " ",
    "\x00\x1f\x7f",
    "\ufeff",
    "Step 2: Find(x)",
    "東京, 日本",
    "e\u0301",
    "🂡",
    "'; DROP TABLE",
    "<http://example.org/a>",
]

arguments = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12), st.text(',()"\\->< \n', max_size=8))
functions = st.one_of(
    st.sampled_from(sorted(FUNCTIONS)), st.sampled_from(["QueryName", "Nonsense", "_f", "É1"])
)
indices = st.lists(st.integers(-3, 12), max_size=3).map(tuple)
steps = st.builds(Step, functions, st.lists(arguments, max_size=3).map(tuple), indices)
programs = st.lists(steps, max_size=8).map(lambda found: Program(tuple(found)))


@st.composite
def branching(draw: st.DrawFn) -> Program:
    """Programs whose dependencies are those of the chain notation: read from a chain of calls."""
    calls = draw(st.lists(st.tuples(functions, st.lists(arguments, max_size=3)), max_size=8))
    return read_program([{"function": name, "inputs": inputs} for name, inputs in calls])


@pytest.mark.parametrize("notation", ["json", "steps"])
@given(program=programs)
def test_any_program_survives(notation: str, program: Program) -> None:
    text = NOTATIONS[notation].write(program)
    assert NOTATIONS[notation].read(text) == program
    if program.steps:
        assert read_program(text) == program


@given(program=branching())
def test_any_branching_program_survives_as_a_chain(program: Program) -> None:
    text = NOTATIONS["chain"].write(program)
    assert NOTATIONS["chain"].read(text) == program
    assert read_program(text) == program


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("argument", HOSTILE)
def test_hostile_arguments_survive(notation: str, argument: str) -> None:
    program = Program((Step("Find", (argument,)), Step("Relate", (argument, argument), (0,))))
    assert NOTATIONS[notation].read(NOTATIONS[notation].write(program)) == program


def test_steps_text() -> None:
    assert NOTATIONS["steps"].write(DIRECTED).splitlines() == [
        "Step 1: Find(Mike Nichols)",
        "Step 2: Relate(directed by, backward)",
        "Step 3: FindAll()",
        "Step 4: FilterConcept(film)",
        "Step 5: And()",
        "Step 6: Count()",
    ]
    assert NOTATIONS["steps"].write(SHARED).splitlines()[2:] == ["Step 3: Or() <- 2, 1", "Step 4: What()"]


def test_chain_text() -> None:
    assert NOTATIONS["chain"].write(DIRECTED) == (
        "Find(Mike Nichols)->Relate(directed by, backward)->FindAll()->FilterConcept(film)->And()->Count()"
    )


@pytest.mark.parametrize(
    ("program", "step"),
    [(SHARED, 2), (Program((Step("Find", ("a",)), Step("Count"))), 1), (Program((Step("no name"),)), 0)],
)
def test_a_chain_cannot_state_everything(program: Program, step: int) -> None:
    with pytest.raises(UnsupportedProgram) as caught:
        NOTATIONS["chain"].write(program)
    assert caught.value.step == step
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Find( Perth (dialing code 08610) )", ["Perth (dialing code 08610)"]),
        ('Find( "a\\"b" )', ['a"b']),
        ('Find(The 5" disk)', ['The 5" disk']),
        ("Relate(a,b)", ["a", "b"]),
        ("Relate (a ,  b)", ["a", "b"]),
        ("FindAll( )", []),
        ('Find("")', [""]),
        ("Find(AC\\DC)", ["AC\\DC"]),
        ("Find(a->b)", ["a->b"]),
    ],
)
def test_arguments_as_people_write_them(text: str, expected: list[str]) -> None:
    assert read_program(text).steps[0].inputs == tuple(expected)
    assert read_program(f"step 1. {text}").steps[0].inputs == tuple(expected)


@pytest.mark.parametrize(
    "source",
    [
        [{"function": "Find", "inputs": ["a"]}, {"function": "Count", "inputs": []}],
        [{"function": "Find", "inputs": ["a"], "dependencies": None}, {"function": "Count"}],
        {
            "steps": [{"function": "Find", "inputs": ["a"], "dependencies": []}, {"function": "Count"}],
            "text": "",
        },
        {
            "id": 1,
            "program": [{"function": "Find", "inputs": ["a"]}, {"function": "Count", "dependencies": [0]}],
        },
        {"program": {"steps": [{"function": "Find", "inputs": ["a"]}, {"function": "Count"}]}},
        {"program": "Find(a)->Count()"},
        '{"program": [{"function": "Find", "inputs": ["a"]}, {"function": "Count"}]}',
        '\ufeff [{"function": "Find", "inputs": ["a"]}, {"function": "Count"}]',
        " Find(a) -> Count() ",
        "Step 1: Find(a)\n\n  STEP 2: Count() <- 1\n",
    ],
)
def test_every_shape_of_one_program(source: object) -> None:
    assert read_program(source) == Program((Step("Find", ("a",)), Step("Count", (), (0,))))


@pytest.mark.parametrize(
    ("number", "text"), [(1960, "1960"), (-3.5, "-3.5"), (5.0, "5"), (0, "0"), (1e20, "1" + "0" * 20)]
)
def test_numbers_become_text(number: float, text: str) -> None:
    step = {"function": "FilterNum", "inputs": ["height", number, "="]}
    assert read_program([step]).steps[0].inputs == ("height", text, "=")
    assert read_program(json.dumps([step])).steps[0].inputs == ("height", text, "=")


def test_inference_joins_the_last_open_branches() -> None:
    names = ["Find", "Find", "Find", "Relate", "Or", "And", "Nonsense", "Count"]
    found = read_program([{"function": name} for name in names])
    assert [step.dependencies for step in found.steps] == [(), (), (), (2,), (1, 3), (0, 4), (5,), (6,)]


def test_inference_gives_what_there_is() -> None:
    found = read_program("Count()->And()->FindAll()")
    assert [step.dependencies for step in found.steps] == [(), (0,), ()]


@pytest.mark.parametrize(
    ("source", "position"),
    [
        ("Find(a", 4),
        ("Find(a\nCount()", 4),
        ("Find((a)", 4),
        ("Find(a)Count()", 7),
        ("Find(a)->", 9),
        ("->Find(a)", 0),
        ("Find(a) ) ", 8),
        ("Find", 4),
        ("Find(a,)", 7),
        ("Find(,a)", 5),
        ('Find("a)', 5),
        ('Find("a" b)', 9),
        ('Find("\\x")', 5),
        ('Find("\\ud800")', 5),
        ("Find(\ud800)", 5),
        ("Step 2: Find(a)", 0),
        ("Step 1: Find(a)\nStep 3: Count()", 16),
        ("Step 1: Find(a)\nCount()", 16),
        ("Step 1: Find(a) <- x", 19),
        ("Step one: Find(a)", 0),
        ("What is this?", 5),
        ("[1, 2", 5),
        ('[{"function": "Find", ]', 22),
    ],
)
def test_malformed_text_is_refused_where_it_breaks(source: str, position: int) -> None:
    with pytest.raises(ProgramSyntaxError) as caught:
        read_program(source)
    assert caught.value.position == position
    assert caught.value.hint
    assert not caught.value.retryable


@pytest.mark.parametrize(
    "source",
    [
        None,
        7,
        b"Find(a)",
        {},
        {"steps": {"steps": []}},
        {"program": {"program": {"program": []}}},
        {"program": None},
        ["Find(a)"],
        [{"inputs": []}],
        [{"function": None}],
        [{"function": "Find", "inputs": "a"}],
        [{"function": "Find", "inputs": {"a": 1}}],
        [{"function": "Find", "inputs": [None]}],
        [{"function": "Find", "inputs": [True]}],
        [{"function": "Find", "inputs": [["a"]]}],
        [{"function": "Find", "inputs": [float("nan")]}],
        [{"function": "Find", "inputs": [10**5000]}],
        [{"function": "Find", "inputs": ["\udfff"]}],
        [{"function": "\udfff"}],
        [{"function": "Count", "dependencies": 0}],
        [{"function": "Count", "dependencies": ["0"]}],
        [{"function": "Count", "dependencies": [True]}],
        [{"function": "Count", "dependencies": [0.0]}],
        '{"steps": 3}',
        '[{"function": "Find", "inputs": [NaN]}]',
        '[{"function": "Find", "inputs": [' + "9" * 5000 + "]}]",
        "[" * 500_000,
        '{"program":' * 100_000,
        '[{"function":' * 100_000,
    ],
)
def test_unknown_shapes_are_refused(source: object) -> None:
    with pytest.raises(ProgramSyntaxError) as caught:
        read_program(source)
    assert caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("source", [None, 3, b"[]", ["Find"]])
def test_notations_read_text_only(notation: str, source: object) -> None:
    with pytest.raises(ProgramSyntaxError):
        NOTATIONS[notation].read(source)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1_000_000,
        "Find(" * 200_000,
        "Find(" + "(" * 1_000_000,
        'Find("' + "\\" * 1_000_000,
        "Find(" + "a," * 500_000,
        "Find(" + " " * 1_000_000,
        "Find(a)->" * 110_000,
        "And()->" * 140_000,
        "Step 1: " + " " * 1_000_000,
        "step " + "1" * 1_000_000,
        " " * 1_000_000,
        "a" * 1_000_000,
        "[" + "[]," * 330_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_megabyte_is_read_or_refused_at_once(text: str) -> None:
    began = time.perf_counter()
    with contextlib.suppress(ProgramSyntaxError):
        read_program(text)
    assert time.perf_counter() - began < 5


@given(text=st.one_of(st.text(max_size=60), st.text('Step1:Find("\\a), <->[{}]\n', max_size=60)))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert 0 <= _position_of_error(text) <= len(text)


def _position_of_error(text: str) -> int:
    try:
        read_program(text)
    except ProgramSyntaxError as error:
        return error.position
    return 0
