"""The notations: what each reads, that each reads back what it writes, and how malformed text is refused."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.errors import ProgramSyntaxError, UnsupportedProgram
from compilers.kopl.functions import ALIASES, FUNCTIONS, function_named
from compilers.kopl.notations import NOTATIONS, notation_of, read_program
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
    "<func>",
    " <arg> x <from> 1",
    "\\u003cfunc>",
    "',) + F('x",
    "{x}",
    "expression_1",
    "STOP(expression_1)",
]

arguments = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12), st.text(',()"\\->< \n', max_size=8))
known = st.sampled_from(sorted({*FUNCTIONS, *ALIASES}))
functions = st.one_of(
    st.sampled_from(sorted(FUNCTIONS)), st.sampled_from(["QueryName", "Nonsense", "_f", "É1"])
)
indices = st.lists(st.integers(-3, 12), max_size=3).map(tuple)
steps = st.builds(Step, functions, st.lists(arguments, max_size=3).map(tuple), indices)
programs = st.lists(steps, max_size=8).map(lambda found: Program(tuple(found)))


@st.composite
def sound(draw: st.DrawFn) -> Program:
    """Programs whose calls have as many inputs and arguments as the table says, in any order of steps."""
    found = [Step("FindAll")]
    for _ in range(draw(st.integers(0, 7))):
        name = draw(known)
        function = function_named(name)
        assert function is not None
        count = draw(st.integers(1, 3)) if function.variadic else len(function.inputs)
        fed = [draw(st.integers(0, len(found) - 1)) for _ in range(count)]
        texts = [draw(arguments) for _ in function.parameters]
        found.append(Step(name, tuple(texts), tuple(fed)))
    return Program(tuple(found))


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


@pytest.mark.parametrize("notation", ["code", "sequence"])
@given(program=sound())
def test_any_program_of_the_table_survives(notation: str, program: Program) -> None:
    text = NOTATIONS[notation].write(program)
    assert NOTATIONS[notation].read(text) == program
    if len(program) > 1:
        assert notation_of(text) == notation


@given(program=programs)
def test_any_program_survives_as_a_sequence(program: Program) -> None:
    text = NOTATIONS["sequence"].write(program)
    assert NOTATIONS["sequence"].read(text) == program


@given(program=programs)
def test_code_states_a_program_or_refuses_it(program: Program) -> None:
    try:
        text = NOTATIONS["code"].write(program)
    except UnsupportedProgram as error:
        step = program.steps[error.step]
        ahead = any(not 0 <= index < error.step for index in step.dependencies)
        assert ahead or function_named(step.function) is None
    else:
        assert NOTATIONS["code"].read(text) == program


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


def test_code_text() -> None:
    assert NOTATIONS["code"].write(DIRECTED).splitlines() == [
        "expression_1 = START()",
        "expression_1 = FIND('Mike Nichols', expression_1)",
        "expression_1 = RELATE('directed by', 'backward', expression_1)",
        "expression_2 = START()",
        "expression_2 = FINDALL(expression_2)",
        "expression_2 = FILTERCONCEPT('film', expression_2)",
        "expression_3 = AND(expression_1, expression_2)",
        "expression_3 = COUNT(expression_3)",
        "expression_3 = STOP(expression_3)",
    ]
    assert NOTATIONS["code"].write(SHARED).splitlines()[2:4] == [
        "expression_2 = RELATE('part of', 'forward', expression_1)",
        "expression_3 = OR(expression_2, expression_1)",
    ]


def test_sequence_text() -> None:
    assert NOTATIONS["sequence"].write(DIRECTED) == (
        "Find <arg> Mike Nichols <func> Relate <arg> directed by <arg> backward <func> FindAll"
        " <func> FilterConcept <arg> film <func> And <func> Count"
    )
    assert NOTATIONS["sequence"].write(SHARED).endswith("<func> Or <from> 2, 1 <func> What")


@pytest.mark.parametrize("name", ["FIND", "START", "STOP", "É1", "no name", "class"])
def test_code_refuses_names_that_it_would_read_as_others(name: str) -> None:
    with pytest.raises(UnsupportedProgram) as caught:
        NOTATIONS["code"].write(Program((Step("FindAll"), Step(name, (), (0,)))))
    assert caught.value.step == 1
    assert caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "e = START()\ne = FIND('a', e)\ne = COUNT(e)\ne = STOP(e)",
        "# how many\n\na = Find('a')\nb = Count(a)",
        'a = FIND("a"); b = COUNT(\n    a  # the set\n)',
        "\ufeffa = FIND('\\x61')\nb = COUNT(a)",
        "Find <arg> a <func> Count",
        'Find<arg>"a"<func>Count<from>1',
        "Find <arg> a\n<func> Count",
    ],
)
def test_code_and_sequences_as_models_write_them(text: str) -> None:
    assert read_program(text) == Program((Step("Find", ("a",)), Step("Count", (), (0,))))


def test_numbers_in_code_are_arguments() -> None:
    text = "a = FINDALL()\na = FILTERNUM('height', -3, '=', a)\na = FILTERYEAR('born', 1960, '>', a)"
    assert [step.inputs[1:2] for step in read_program(text).steps] == [(), ("-3",), ("1960",)]


def test_a_quotation_mark_alone_stays_in_a_sequence() -> None:
    assert read_program('Find <arg> "Weird Al" Yankovic').steps[0].inputs == ('"Weird Al" Yankovic',)


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


def test_inference_gives_a_table_every_open_branch() -> None:
    names = ["Find", "Find", "Count", "Find", "Table", "FindAll", "Table"]
    found = read_program([{"function": name} for name in names])
    assert [step.dependencies for step in found.steps[4:]] == [(0, 2, 3), (), (4, 5)]


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
        ("a = FIND('x'", 8),
        ("a = FIND('x')\nb = COUNT(c)", 24),
        ("a = FIND('x')\nprint(a)", 14),
        ("a = __import__('os').system('true')", 0),
        ("a = FIND(*['x'])", 9),
        ("a = FIND(f'{1}')", 9),
        ("a = FIND(b'x')", 9),
        ("a = FIND(name='x')", 4),
        ("a = b = FIND('x')", 0),
        ("a = 1", 0),
        ("a = FIND('\\d')", 10),
        ("a = FIND('\\777')", 10),
        ("a = FIND('\\ud800')", 9),
        ("a = FIND('é', b)", 14),
        ("a = START('x')", 4),
        ("a = FIND('x')\nb = FIND('y')\nb = STOP(a)", 32),
        ("a = FIND('x')\na = STOP(a)\nb = COUNT(a)", 26),
        ("Find <arg> <func> Count", 10),
        ("Find <arg> a <func> <func> Count", 20),
        ("Find <arg> a <func>", 19),
        ("Find <arg> a <func> And <from> x", 31),
        ("Find <arg> a <func> And <from> 1 2", 32),
        ("Find <from> none <arg> a", 17),
        ('Find <arg> "\\ud800"', 10),
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
        "a = " + "-" * 1_000_000 + "1",
        "a = b" + ".c" * 500_000,
        "a = " + "1+" * 100_000 + "1",
        "a = F(" + "(" * 1_000_000,
        "a = '" + "\\" * 1_000_000,
        "# \n" * 330_000,
        "a = F()\n" * 25_000,
        "Find" + " <arg> a" * 125_000,
        "F <func> " * 110_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_megabyte_is_read_or_refused_at_once(text: str) -> None:
    began = time.perf_counter()
    with contextlib.suppress(ProgramSyntaxError):
        read_program(text)
    assert time.perf_counter() - began < 20


CODE = [
    "a",
    " = ",
    "FIND",
    "START",
    "STOP",
    "(",
    ")",
    "'",
    '"',
    "x",
    "\n",
    "\\",
    ",",
    "é",
    " <func> ",
    " <arg> ",
]


@given(
    text=st.one_of(
        st.text(max_size=60),
        st.text('Step1:Find("\\a), <->[{}]\n', max_size=60),
        st.lists(st.sampled_from(CODE), max_size=20).map("".join),
    )
)
def test_any_text_is_read_or_refused(text: str) -> None:
    assert 0 <= _position_of_error(text) <= len(text)


def _position_of_error(text: str) -> int:
    try:
        read_program(text)
    except ProgramSyntaxError as error:
        return error.position
    return 0
