"""Select and quantities in several units, on a store: the rules of the language by hand-made examples."""

from __future__ import annotations

import pytest

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step
from compilers.kopl.values import Date, Quantity, String, Value, Year, possible_values
from compilers.layouts import LAYOUTS, Options
from tests.compiler.rdf import answer, as_kqapro, bound
from tests.compiler.shapes import SHAPES
from tests.oracle.graph import AttributeFact, Entity, Graph
from tests.oracle.interpret import interpret

OPTIONS = {
    layout: Options(dialect=DIALECTS["sparql11"], plain_labels=layout == "kqapro") for layout in LAYOUTS
}


def graph_of(values: dict[str, str]) -> Graph:
    """A graph of entities named by letters; `a` may have several values, parted by commas."""
    facts = frozenset(
        AttributeFact(name, "size", _value(text))
        for name, texts in values.items()
        for text in texts.split(", ")
    )
    return Graph({name: Entity(name) for name in values}, {}, facts, frozenset())


def _value(text: str) -> Value:
    """A quantity where a unit says so, else a year or a date."""
    readings = possible_values(text)
    wanted = Quantity if " " in text else (Year, Date)
    return next(value for value in readings if isinstance(value, wanted))


@pytest.mark.parametrize("layout", ["kqapro", "wikidata"])
@pytest.mark.parametrize(
    ("values", "smallest", "largest"),
    [
        ({"a": "1 metre", "b": "2 metre", "c": "2 metre"}, "a", "bc"),
        ({"a": "1 metre", "b": "150 centimetre", "c": "0.9 metre"}, "c", "b"),
        ({"a": "1 metre", "b": "100 centimetre"}, "ab", "ab"),
        ({"a": "9 dollar", "b": "2 metre", "c": "1 metre"}, "c", "b"),
        ({"a": "9 dollar", "b": "1 metre"}, "a", "a"),
        ({"a": "1 metre", "b": "1 metre", "c": "9 dollar"}, "ab", "ab"),
        ({"a": "9 1", "b": "1 metre"}, "b", "b"),
        ({"a": "9 1", "b": "8 1", "c": "1 metre"}, "b", "a"),
        ({"a": "9 dollar", "b": "8 dollar", "c": "1 metre", "d": "2 centimetre"}, "b", "a"),
        ({"a": "9 metre, 1 metre", "b": "5 metre"}, "a", "a"),
        ({"a": "-2 metre", "b": "-1 metre"}, "a", "b"),
    ],
    ids=str,
)
def test_quantities(values: dict[str, str], smallest: str, largest: str, layout: str) -> None:
    graph = graph_of(values)
    for choice, names in (("smallest", smallest), ("largest", largest)):
        program = Program((Step("FindAll"), Step("SelectAmong", ("size", choice), (0,))))
        query = compile_program(SHAPES[layout].bind(program, graph), layout, OPTIONS[layout])
        assert sorted(answer(SHAPES[layout].write(graph), query).strings) == list(names)
        assert list(interpret(program, graph).answers) == list(names)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("values", "earliest", "latest"),
    [
        ({"a": "1960", "b": "1961", "c": "1961"}, "a", "bc"),
        ({"a": "1960-02-01", "b": "1960-02-02"}, "a", "b"),
        ({"a": "1960", "b": "1960-05-01", "c": "1960-07-01"}, "ab", "ac"),
        ({"a": "1959-12-31", "b": "1960"}, "a", "b"),
        ({"a": "1960", "b": "1961-01-01"}, "a", "b"),
        ({"a": "-44", "b": "44"}, "a", "b"),
        ({"a": "-0044-03-15", "b": "-43-01-01", "c": "-0044-03-14"}, "c", "b"),
        ({"a": "-44", "b": "-0044-03-15", "c": "-0044-03-16"}, "ab", "ac"),
    ],
    ids=str,
)
def test_times(values: dict[str, str], earliest: str, latest: str, layout: str) -> None:
    graph = graph_of(values)
    store = SHAPES[layout].write(graph)
    for choice, names in (("smallest", earliest), ("largest", latest)):
        program = Program((Step("FindAll"), Step("SelectAmong", ("size", choice), (0,))))
        query = compile_program(SHAPES[layout].bind(program, graph), layout, OPTIONS[layout])
        assert sorted(answer(store, query).strings) == list(names)
        assert list(interpret(program, graph).answers) == list(names)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("150 centimetre, >", "b"),
        ("1 metre, =", "a"),
        ("0.001 kilometre, =", "a"),
        ("100 centimetre, !=", "bc"),
        ("1 kilogram, !=", ""),
        ("1, =", ""),
        ("1 dollar, <", ""),
    ],
)
def test_conditions_are_converted_to_the_unit_of_the_attribute(
    condition: str, names: str, layout: str
) -> None:
    graph = graph_of({"a": "1 metre", "b": "2 metre", "c": "1.5 metre"})
    store = SHAPES[layout].write(graph)
    program = read_program(f"FindAll()->FilterNum(size, {condition})->What()")
    grounded: GroundedProgram = SHAPES[layout].bind(program, graph)
    query = compile_program(grounded, layout, OPTIONS[layout])
    assert "".join(sorted(answer(store, query).strings)) == names


def test_the_text_of_a_value_is_read_as_the_commonest_type() -> None:
    """These sizes are years and, more often, quantities; the texts of both look alike."""
    values: dict[str, Value] = {
        "a": Year(186),
        "b": Quantity(190.0),
        "c": Quantity(200.0),
        "d": Quantity(186.0),
    }
    qualifiers = {name: frozenset({("method", String(f"by {name}"))}) for name in values}
    facts = frozenset(AttributeFact(name, "size", value, qualifiers[name]) for name, value in values.items())
    graph = Graph({name: Entity(name) for name in values}, {}, facts, frozenset())
    program = read_program("FindAll()->QueryAttrQualifier(size, 186, method)")
    query = compile_program(bound(program, graph), "kqapro", OPTIONS["kqapro"])
    assert answer(as_kqapro(graph), query).strings == ("by d",)
    assert interpret(program, graph).answers == ("by d",)
    bare = compile_program(GroundedProgram(program), "kqapro", OPTIONS["kqapro"])
    assert sorted(answer(as_kqapro(graph), bare).strings) == ["by a", "by d"]
