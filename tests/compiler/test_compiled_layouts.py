"""Compiled programs find what the interpreter finds, in every layout and dialect.

`NLQ_EXAMPLES` sets the number of examples for each layout.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.kopl.values import String
from tests.compiler.rdf import answer, asks_for_qualifiers, bound, iri, mixes_concepts_in
from tests.compiler.shapes import SHAPES
from tests.compiler.test_compiled_meaning import require_equal
from tests.kopl.strategies import graphs, programs
from tests.oracle.graph import AttributeFact, Entity, Graph, RelationFact

PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "30")),
    derandomize=True,
)
DIALECT = st.sampled_from(sorted(DIALECTS))
QUALIFIED = [name for name, shape in SHAPES.items() if shape.layout not in ("direct", "wikidata")]

_RED, _BLUE, _GREEN = (frozenset({("note", String(text))}) for text in ("red", "blue", "green"))
FRIENDS = Graph(
    {name: Entity(name) for name in ("Ada", "Bo", "Cyd", "Dee")},
    {},
    frozenset(
        {
            AttributeFact("Ada", "code", String("a"), _RED),
            AttributeFact("Ada", "motto", String("b"), _BLUE),
            AttributeFact("Ada", "code", String("c")),
        }
    ),
    frozenset(
        {
            RelationFact("Ada", "friend of", "Bo", _RED),
            RelationFact("Ada", "member of", "Cyd", _BLUE),
            RelationFact("Ada", "member of", "Bo"),
            RelationFact("Ada", "part of", "Dee", _GREEN),
        }
    ),
)


@pytest.mark.parametrize("name", SHAPES)
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_a_compiled_program_means_what_the_interpreter_says(
    name: str, data: st.DataObject, dialect: str
) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(programs(graph))
    grounded = shape.bind(program, graph)
    options = replace(shape.options, dialect=DIALECTS[dialect])
    if shape.layout == "direct" and asks_for_qualifiers(program):
        with pytest.raises(UnsupportedProgram):
            compile_program(grounded, shape.layout, options)
    else:
        assume(not mixes_concepts_in(program, graph))
        require_equal(shape.write(graph), grounded, graph, shape.layout, options, shape.iris(graph))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", QUALIFIED)
@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Find(Ada)->Relate(friend of, forward)->What()", ["Bo", "Cyd"]),
        ("Find(Ada)->Relate(friend of, forward)->QFilterStr(note, blue)->What()", ["Cyd"]),
        ("Find(Bo)->Relate(friend of, backward)->QFilterStr(note, blue)->What()", []),
        ("FindAll()->Relate(friend of, backward)->QFilterStr(note, red)->Count()", ["1"]),
        ("FindAll()->QueryAttr(code)", ["a", "b", "c"]),
        ("FindAll()->QueryAttrUnderCondition(code, note, blue)", ["b"]),
        ("Find(Ada)->QueryAttrQualifier(code, a, note)", ["red"]),
        ("Find(Ada)->Find(Bo)->QueryRelation()", ["friend of", "member of"]),
        ("Find(Ada)->Find(Bo)->QueryRelationQualifier(friend of, note)", ["red"]),
    ],
)
def test_a_name_that_stands_for_several_predicates(
    name: str, dialect: str, text: str, answers: list[str]
) -> None:
    """`friend of` for membership too, `code` for mottos too, and `note` for a qualifier that nothing has."""
    shape = SHAPES[name]
    more = {"friend of": "member of", "code": "motto", "note": "remark"}
    found = bound(read_program(text), FRIENDS)
    bindings = {
        place: replace(binding, iris=(*binding.iris, iri(more[binding.label])))
        if binding.label in more
        else binding
        for place, binding in found.bindings.items()
    }
    options = replace(shape.options, dialect=DIALECTS[dialect])
    query = compile_program(GroundedProgram(found.program, bindings), shape.layout, options)
    assert sorted(answer(shape.write(FRIENDS), query).strings) == answers, query.text
