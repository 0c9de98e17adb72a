"""Calls of tools as lines of text: what is written is read, and so is what models write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway.models import Called, Prompt, Turn, calls_in
from nlq_gateway.models.calls import argument_of

PROGRAM = "Step 1: Find(Pulp Fiction)\nStep 2: What()"


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('Look: find "Pulp Fiction"', [("find", "Pulp Fiction")]),
        ('look: FIND("Pulp Fiction")', [("find", "Pulp Fiction")]),
        ("**Look:** describe(film)", [("describe", "film")]),
        ("- Look: find “Pulp Fiction”", [("find", "Pulp Fiction")]),
        ("Look: find Pulp Fiction", [("find", "Pulp Fiction")]),
        ('Look: find "a \\"b\\" c", which is odd', [("find", 'a "b" c')]),
        (f"I run it.\nLook: run\n{PROGRAM}", [("run", PROGRAM)]),
        (f"Look: run {PROGRAM}\nLook: find x", [("run", PROGRAM), ("find", "x")]),
        ("Look: run\n" + 'Step 1: Find("B")', [("run", 'Step 1: Find("B")')]),
        ("Look:", [("", "")]),
        ('Look: find "never closed', [("find", '"never closed')]),
        (PROGRAM, []),
        ("Let me look: it is there.", []),
        ("", []),
    ],
)
def test_what_models_write_is_read(text: str, calls: list[tuple[str, str]]) -> None:
    assert [(one.tool, one.argument) for one in calls_in(text)] == calls


@given(st.lists(st.tuples(st.sampled_from(["find", "describe", "run"]), st.text()), max_size=4))
def test_what_was_read_is_read_again_as_it_was(given_calls: list[tuple[str, str]]) -> None:
    read = calls_in("\n".join(Called(*one).text for one in given_calls))
    assert calls_in("\n".join(one.text for one in read)) == read


@pytest.mark.parametrize(
    ("sent", "argument"),
    [
        ('{"words": " film "}', "film"),
        ('{"limit": 3, "words": "film"}', "film"),
        ('{"words": "fi', '{"words": "fi'),
        ('["film"]', '["film"]'),
        ("{}", "{}"),
        ("[" * 100_000, "[" * 100_000),
    ],
    ids=["text", "another first", "cut", "a list", "none", "deep"],
)
def test_the_arguments_of_a_call_are_its_text(sent: str, argument: str) -> None:
    assert argument_of(sent) == argument


def test_a_dialogue_is_one_text_for_models_without_messages() -> None:
    prompt = Prompt("Rules\n", "Question: x\n", (Turn('Look: find "x"', ("thing x",)),))
    assert prompt.text == 'Rules\nQuestion: x\nLook: find "x"\n\nResult:\nthing x\n\n'
