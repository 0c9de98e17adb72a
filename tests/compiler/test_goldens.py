from __future__ import annotations

import json

import pytest

from compilers.compile import compile_program
from compilers.kopl.functions import FUNCTIONS
from tests.compiler.cases import CASES, FIXTURES, OPTIONS, compiled, compiling, grounded, outcome, pairs


@pytest.mark.parametrize(("case", "layout"), pairs())
def test_compiles_to_the_golden_text(case: str, layout: str, request: pytest.FixtureRequest) -> None:
    found = outcome(case, layout)
    golden = FIXTURES / case / f"{layout}.{found.ending}"
    if request.config.getoption("--update-goldens"):
        for ending in ("rq", "error"):
            (FIXTURES / case / f"{layout}.{ending}").unlink(missing_ok=True)
        golden.write_text(found.text, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == found.text


def test_every_function_has_a_case() -> None:
    used = {
        step["function"]
        for case in CASES
        for step in json.loads((FIXTURES / case / "program.json").read_text(encoding="utf-8"))
    }
    assert used == set(FUNCTIONS)


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("long_")])
def test_a_long_program_says_what_it_is_asked(case: str) -> None:
    question = (FIXTURES / case / "question.txt").read_text(encoding="utf-8")
    assert question.endswith(("?\n", ".\n"))
    assert question.count("\n") == 1


@pytest.mark.parametrize(("case", "layout"), compiling())
def test_every_step_has_one_comment_in_order_of_its_number(case: str, layout: str) -> None:
    query = compiled(case, layout)
    lines = query.text.splitlines()
    for number, step in enumerate(query.program.steps, 1):
        assert sum(line.strip() == f"# step {number}: {step}" for line in lines) == 1
    assert sum(line.lstrip().startswith("#") for line in lines) == len(query.program)


@pytest.mark.parametrize(("case", "layout"), compiling())
def test_same_input_gives_the_same_bytes(case: str, layout: str) -> None:
    again = grounded(case, layout)
    shuffled = type(again)(again.program, dict(reversed(again.bindings.items())))
    assert compile_program(shuffled, layout, OPTIONS[layout]) == compiled(case, layout)
