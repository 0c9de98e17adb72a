"""Properties of the questions of any program, however hostile its names."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from compilers.kopl.values import possible_values
from nlq_gateway.index.text import name_from_iri
from nlq_gateway.language.wording import Wording
from nlq_gateway.language.wording.attributes import value_text
from tests.kopl.extension_strategies import extended_programs
from tests.kopl.strategies import graphs, programs

_NAMED = (Kind.ENTITY, Kind.VALUE)


def _names(program: Program, *, of_tables: bool = False) -> list[tuple[Kind, str]]:
    """The entities and values; those that rows are compared with may be said in other words."""
    return [
        (parameter.kind, text)
        for step in program.steps
        for parameter, text in zip(step.signature.parameters, step.inputs, strict=True)
        if parameter.kind in _NAMED and (of_tables or step.signature.name != "FilterTable")
    ]


def _forms(kind: Kind, text: str) -> set[str]:
    """The forms of a name or value in a question."""
    if kind == Kind.ENTITY:
        return {text, name_from_iri(text[1:-1]) if text.startswith("<") else text}
    return {text} | {value_text(value) for value in possible_values(text)}


def _check(program: Program, questions: tuple[str, ...]) -> None:
    assert len(set(questions)) == len(questions)
    for question in questions:
        for kind, text in _names(program):
            assert any(form in question for form in _forms(kind, text)), (question, text)
        bare = question
        forms = {form for name in _names(program, of_tables=True) for form in _forms(*name)}
        for form in sorted(forms - {""}, key=len, reverse=True):
            bare = bare.replace(form, "X")
        # A full stop or question mark of a name ends the sentence, too.
        ended = any(question.endswith(form) for form in forms if form.endswith((".", "?")))
        assert re.fullmatch(r"\S.*" if ended else r"\S.*[?.]", bare, re.DOTALL), question
        assert "  " not in bare, question


@given(st.data())
def test_a_question_names_every_entity_and_value(sample: Wording, data: st.DataObject) -> None:
    program = data.draw(programs(data.draw(graphs())))
    _check(program, sample.questions(program, most=3, seed=data.draw(st.integers(0, 9))))


def test_a_name_is_not_changed_where_a_sentence_begins_with_it(sample: Wording) -> None:
    table = (Step("FilterHasRelation", ("friend of", "backward"), (0,)), Step("Table", (), (1,)))
    program = Program((Step("Find", ("iPhone",)), *table, Step("SortTable", ("1", "descending"), (2,))))
    _check(program, sample.questions(program, most=3))


@given(st.data())
def test_so_does_a_question_for_a_program_with_extensions(sample: Wording, data: st.DataObject) -> None:
    program = data.draw(extended_programs(data.draw(graphs())))
    _check(program, sample.questions(program, most=3))
