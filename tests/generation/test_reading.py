"""Programs in the texts that models write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.known import Example
from nlq_gateway.drafts.generation.prompting.examples import builtin_examples
from nlq_gateway.drafts.generation.prompting.prompt import FORMS
from nlq_gateway.drafts.generation.reading import read
from tests.kopl.strategies import graphs, programs

FARGO = read_program("Find(Fargo)->Relate(directed by, forward)->What()")
BOTH = read_program("Find(Joel Coen)->Find(Ethan Coen)->QueryRelation()")
WASHINGTON = Program(read_program('Find("Washington, D.C.")->What()').steps)

STEPS = [
    pytest.param(" Find(Fargo)\nStep 2: Relate(directed by, forward)\nStep 3: What()", id="goes on"),
    pytest.param("Step 1: Find(Fargo)\nStep 2: Relate(directed by, forward)\nStep 3: What()", id="whole"),
    pytest.param(
        "Sure! Here is the program:\n\n```\nStep 1: Find(Fargo)\nStep 2: Relate(directed by, forward)\n"
        "Step 3: What()\n```\nIt finds the director of Fargo.",
        id="fenced, with words around",
    ),
    pytest.param(
        "Output:\nStep 1: Find(Fargo)\nStep 2: Relate(directed by, forward)\nStep 3: What()\nDone", id="done"
    ),
    pytest.param(
        "Step 1: Find(Fargo)\nStep 3: Relate(directed by, forward)\nStep 3: What()", id="wrong numbers"
    ),
    pytest.param("Step 1: Find(Fargo)\nStep 1: Relate(directed by, forward)\nStep 1: What()", id="all are 1"),
    pytest.param(
        "Step 1: find(Fargo)\nStep 2: RELATE(directed by, forward)\nStep 3: QueryName()", id="spelling"
    ),
    pytest.param(
        "Step 1: Find(Fargo) # the film\nStep 2: Relate(directed by, forward) - who made it\nStep 3: What();",
        id="remarks",
    ),
    pytest.param(
        "1. Find('Fargo')\n2. Relate('directed by', 'forward')\n3. What()", id="a list, other quotes"
    ),
    pytest.param(
        "**Step 1:** `Find(Fargo)`\n- **Step 2:** `Relate(directed by, forward)`\n* Step 3. What()",
        id="Markdown",
    ),
    pytest.param("Find(Fargo) -> Relate(directed by, forward) -> What()", id="a chain"),
    pytest.param("Step 1: Find(Fargo), Step 2: Relate(directed by, forward), Step 3: What()", id="one line"),
    pytest.param(
        "Step 1: Find(Fargo)\nThat is the film.\nStep 2: Relate(directed by, forward)\n\nStep 3: What()",
        id="explained between",
    ),
    pytest.param(
        " Find(Fargo)\nStep 2: Relate(directed by, forward)\nStep 3: What()\n\nQuestion: Who wrote Emma?\n"
        "Program:\nStep 1: Find(Emma)",
        id="a next question",
    ),
    pytest.param(
        "Step 1: identify the film.\nStep 2: find its director.\n\nSo:\nStep 1: Find(Fargo)\n"
        "Step 2: Relate(directed by, forward)\nStep 3: What()",
        id="thinks first",
    ),
    pytest.param(
        "Step 1: Find(Fargo)\nStep 2: Count()\n\nNo, that counts. Rather:\nStep 1: Find(Fargo)\n"
        "Step 2: Relate(directed by, forward)\nStep 3: What()",
        id="thinks again",
    ),
    pytest.param(
        "Step 1: Find(Fargo)\nStep 2: Relate(directed by, forward)\nStep 3: What()\n\nExplanation:\n"
        "Step 1: looks up the film.\nStep 2: follows the relation.",
        id="explains after",
    ),
    pytest.param(
        "Step 1: Find(Fargo)\nStep 2: Relate(directed by, forward)\nStep 3: What()\n\nHere\n"
        "Relate(directed by, forward) leads to the director, and\nStep 2: Count() would count.",
        id="speaks of calls after",
    ),
    pytest.param(
        "<think>\nStep 1: Find(Heat)\n</think>\nOutput: Step 1: Find(Fargo)\n"
        "Step 2: Relate(directed by, forward)\nStep 3: What()\n<think>Step 4: Count()",
        id="thinks aloud",
    ),
]

CODE = [
    pytest.param(
        " START()\nexpression_1 = FIND('Fargo', expression_1)\n"
        "expression_1 = RELATE('directed by', 'forward', expression_1)\nexpression_1 = WHAT(expression_1)\n"
        "expression_1 = STOP(expression_1)",
        id="goes on",
    ),
    pytest.param(
        "The code is:\n```python\nexpression_1 = START()\n"
        "expression_1 = FIND('Fargo', expression_1)  # film\n"
        "expression_1 = RELATE('directed by', 'forward', expression_1)\nexpression_1 = WHAT(expression_1)\n"
        "expression_1 = STOP(expression_1)\n```\nexpression_1 is the director.",
        id="fenced, with words around",
    ),
    pytest.param(
        "expression_1 = Find('Fargo')\nexpression_1 = relate('directed by', 'forward', expression_1)\n"
        "expression_1 = QUERYNAME(expression_1)",
        id="spelling, no START and STOP",
    ),
    pytest.param(
        "question = 'Who directed Fargo?'\nentities = ['Fargo']\nfacts = {\n"
        "    'Fargo': [('directed by', 'forward')],\n"
        "}\nexpression_1 = START()\nexpression_1 = FIND('Fargo', expression_1)\n"
        "expression_1 = RELATE('directed by', 'forward', expression_1)\nexpression_1 = WHAT(expression_1)\n"
        "expression_1 = STOP(expression_1)\n\nquestion = 'Who wrote Emma?'\nexpression_1 = START()",
        id="repeats the question, and goes on",
    ),
    pytest.param(
        "expression_1 = START()\nexpression_1 = FIND('Fargo', expression_1)\n"
        "expression_1 = STOP(expression_1)\n"
        "# The director was asked for:\nexpression_1 = START()\nexpression_1 = FIND('Fargo', expression_1)\n"
        "expression_1 = RELATE('directed by', 'forward', expression_1)\nexpression_1 = WHAT(expression_1)\n"
        "expression_1 = STOP(expression_1)\nprint(expression_1)",
        id="thinks again",
    ),
]


@pytest.mark.parametrize("text", STEPS)
def test_steps_are_read_among_other_text(text: str) -> None:
    assert read(text, "steps").program == FARGO


@pytest.mark.parametrize("text", CODE)
def test_code_is_read_among_other_text(text: str) -> None:
    assert read(text, "code").program == FARGO


# Programs in another notation than was asked for.
OTHERWISE = [
    pytest.param("What(Relate(Find(Fargo), directed by, forward))", id="nested"),
    pytest.param("Find('Fargo').Relate('directed by', 'forward').What()", id="methods"),
    pytest.param(
        "film = Find(Fargo)\ndirectors = Relate(film, directed by, forward)\nWhat(directors)", id="variables"
    ),
    pytest.param(
        "Step 1: Find(Fargo)\nStep 2: Relate(Step 1, directed by, forward)\nStep 3: What(Step 2)",
        id="steps as arguments",
    ),
    pytest.param("expression_1 = WHAT(RELATE('directed by', 'forward', FIND('Fargo', START())))", id="code"),
    pytest.param(
        "expression_1 = FIND(Fargo, START())\nexpression_1 = RELATE(directed by, forward, expression_1)\n"
        "expression_1 = WHAT(expression_1)",
        id="code without quotation marks",
    ),
    pytest.param(
        '```json\n{"program": [{"function": "Find", "inputs": ["Fargo"]},\n'
        '{"function": "Relate", "inputs": ["directed by", "forward"]}, {"function": "What"}]}\n```',
        id="JSON",
    ),
    pytest.param(
        '{"name": "Find", "arguments": {"name": "Fargo"}}\n{"name": "Relate", "arguments": '
        '{"relation": "directed by", "direction": "forward"}, "from": [1]}\n{"name": "What", "from": [2]}',
        id="JSON, an object a line",
    ),
    pytest.param(
        "Find <arg> Fargo <func> Relate <arg> directed by <arg> forward <func> What", id="a sequence"
    ),
]


@pytest.mark.parametrize("notation", FORMS)
@pytest.mark.parametrize("text", OTHERWISE)
def test_other_notations_are_read(text: str, notation: str) -> None:
    assert read(text, notation).program == FARGO


@given(st.data())
def test_every_notation_is_read_whatever_was_asked_for(data: st.DataObject) -> None:
    program = data.draw(graphs().flatmap(programs))
    for name in ("json", "steps", "code"):
        text = NOTATIONS[name].write(program)
        for asked in FORMS:
            assert read(text, asked).program == program


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("Step 2: Find(Joel Coen)\nStep 4: Find(Ethan Coen)\nStep 5: QueryRelation() <- 2, 4", BOTH),
        (
            "Step 1: Find(Joel Coen)\nStep 2: Find(Ethan Coen)\nStep 3: QueryRelation() <- Step 1 and Step 2",
            BOTH,
        ),
        ('Step 1: Find("Washington, D.C.")\nStep 2: What()', WASHINGTON),
        ("Step 1: Find('Washington, D.C.')\nStep 2: What()", WASHINGTON),
        ("Step 1: Find(“Washington, D.C.”)\nStep 2: What()", WASHINGTON),
        ("Step 1: Find('Pierce's Mill')\nStep 2: What()", read_program("Find(Pierce's Mill)->What()")),
        ("""Step 1: Find("a ('b', c)")\nStep 2: What()""", read_program("""Find("a ('b', c)")->What()""")),
        ("Step 1: Find('Til Tuesday)\nStep 2: What()", read_program("Find('Til Tuesday)->What()")),
        ("Step 1: FindFilm(Fargo)\nStep 2: What()", read_program("FindFilm(Fargo)->What()")),
    ],
)
def test_sources_and_quotation_marks(text: str, program: Program) -> None:
    assert read(text, "steps").program == program


@pytest.mark.parametrize("notation", FORMS)
@pytest.mark.parametrize("text", ["", "  \n", "I cannot answer this.", "Done", "```\n```", "Question: who?"])
def test_no_program_is_said(text: str, notation: str) -> None:
    found = read(text, notation)
    assert (found.program, [issue.code for issue in found.issues]) == (None, ["no-program"])


@pytest.mark.parametrize(
    ("text", "notation", "shown"),
    [
        ("Step 1: Find(Fargo)\nStep 2: Rel", "steps", "Step 2: Rel"),
        ("Step 1: Find(Fargo)\nStep 2: Relate(directed", "steps", "Step 2: Relate(directed"),
        ('Step 1: Find("Weird" Al)', "steps", 'Find("Weird" Al)'),
        ("Step 1: Find(Fargo)\nStep 2: the director", "steps", "the director"),
        ("Step 1: Find(Fargo) <- the first\nStep 2: What()", "steps", "<- the first"),
        ("expression_1 = START()\nexpression_1 = FIND('Fargo'", "code", "FIND('Fargo'"),
        ("expression_1 = START()\nexpression_1 = COUNT(expression_2)", "code", "COUNT(expression_2)"),
    ],
)
def test_what_is_no_call_is_shown(text: str, notation: str, shown: str) -> None:
    found = read(text, notation)
    assert (found.program, [issue.code for issue in found.issues]) == (None, ["syntax"])
    assert shown in found.issues[0].message


@pytest.mark.parametrize(
    ("text", "notation", "whole"),
    [
        (" Find(Fargo)\nStep 2: What()", "steps", False),
        (" Find(Fargo)\nStep 2: What()\n```\nThe film", "steps", True),
        (" START()\nexpression_1 = FIND('Fargo', expression_1)\n", "code", False),
        (" FIND('Fargo')\nexpression_1 = STOP(expression_1)\nThis is", "code", True),
    ],
)
def test_a_text_that_was_cut_is_whole_where_something_follows_the_program(
    text: str, notation: str, whole: bool
) -> None:
    found = read(text, notation, finished=False)
    assert found.program is not None
    assert [issue.code for issue in found.issues] == ([] if whole else ["cut-off"])


@pytest.mark.parametrize("notation", FORMS)
@pytest.mark.parametrize("example", builtin_examples(), ids=lambda example: example.known.question)
def test_what_demonstrations_show_is_read(example: Example, notation: str) -> None:
    written = NOTATIONS[notation].write(example.program)
    for text in (written, written.removeprefix(FORMS[notation].cue)):
        assert read(text, notation).program == example.program


@pytest.mark.parametrize("notation", FORMS)
@given(data=st.data())
def test_whatever_program_is_written_is_read(notation: str, data: st.DataObject) -> None:
    program = data.draw(graphs().flatmap(programs))
    assert read(NOTATIONS[notation].write(program), notation).program == program


MARKS = "Step 1: 2 Find(a) What() ( ) ' \" “ ” , <- -> = START() expression_1 # ` 1.".split(" ")


@pytest.mark.parametrize("notation", FORMS)
@given(text=st.lists(st.sampled_from([*MARKS, "\n", " "])).map("".join) | st.text())
def test_any_text_is_read_or_has_an_issue(text: str, notation: str) -> None:
    found = read(text, notation)
    assert (found.program is None) == bool(found.issues)
