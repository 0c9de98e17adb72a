from __future__ import annotations

import pytest

from compilers.answers import UNNAMED, Answer, AnswerValue
from compilers.compile import CompiledQuery, compile_program
from compilers.grounded import Binding, GroundedProgram
from compilers.iris import local_name
from compilers.kopl.functions import Type, ValueType
from compilers.kopl.notations import read_program
from compilers.kopl.values import Date, Quantity, String, Value, Year
from compilers.layouts import Options
from compilers.layouts.vocabulary import XSD
from compilers.read_answers import read_answer
from compilers.read_values import read_value
from connectors.results import Term

EX = "http://example.org/"


def literal(text: str, datatype: str | None = None, language: str | None = None) -> Term:
    return Term("literal", text, None if datatype is None else XSD + datatype, language)


DAY = literal("1960-02-01T00:00:00Z", "dateTime")


def iri(name: str) -> Term:
    return Term("iri", EX + name)


def direct(program: str, *units: str) -> CompiledQuery:
    """A program over plain RDF, its attribute bound with these units."""
    parsed = read_program(program)
    bindings = {(0, 0): Binding((EX + "ann",), "ann"), (1, 0): Binding((EX + "p",), "p", units=units)}
    return compile_program(GroundedProgram(parsed, bindings), "direct", Options())


def kqapro(program: str, binding: Binding | None = None) -> CompiledQuery:
    parsed = read_program(program)
    return compile_program(GroundedProgram(parsed, {(1, 0): binding} if binding else {}), "kqapro", Options())


def read(query: CompiledQuery, *rows: dict[str, Term], **options: object) -> Answer:
    """The answer of rows given by the roles of their columns; what is missing is unbound."""
    columns = tuple(column.name for column in query.columns)
    roles = [column.role for column in query.columns]
    return read_answer(query, columns, [[row.get(role) for role in roles] for row in rows], **options)


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (literal("1960-02-01", "date"), Date(1960, 2, 1)),
        (literal("1960-02-01Z", "date"), Date(1960, 2, 1)),
        (literal("1960-02-01+02:00", "date"), Date(1960, 2, 1)),
        (literal("1960-02-01-05:00", "date"), Date(1960, 2, 1)),
        (literal("1960-02-01T23:59:59.999-05:00", "dateTime"), Date(1960, 2, 1, 86_399)),
        (literal("1960-02-01T10:15:00Z", "dateTime"), Date(1960, 2, 1, 36_900)),
        (literal("1960-02-01T00:00:00Z", "dateTime"), Date(1960, 2, 1)),
        (literal(" 1960-02-01 ", "date"), Date(1960, 2, 1)),
        (literal("-0044-03-15", "date"), Date(-44, 3, 15)),
        (literal("-044-03-15", "date"), Date(-44, 3, 15)),
        (literal("12024-01-01", "date"), Date(12024, 1, 1)),
        (literal("1960", "gYear"), Year(1960)),
        (literal("1960Z", "gYear"), Year(1960)),
        (literal("1960-05:00", "gYear"), Year(1960)),
        (literal("-0044", "gYear"), Year(-44)),
        (literal("-044", "gYear"), Year(-44)),
        (literal("0800", "gYear"), Year(800)),
        (literal("1960-02", "gYearMonth"), Year(1960)),
        (literal("1960-02-05:00", "gYearMonth"), Year(1960)),
        (literal("some day", "date"), String("some day")),
        (literal("", "gYear"), String("")),
        (literal("5", "integer"), Quantity(5)),
        (literal("-3.7", "decimal"), Quantity(-3.7)),
        (literal("-0.5", "double"), Quantity(-0.5)),
        (literal("1.47561e+07", "double"), Quantity(14756100)),
        (literal("1.4756087E7", "double"), Quantity(14756087)),
        (literal("+7", "int"), Quantity(7)),
        (literal("INF", "double"), String("INF")),
        (literal("NaN", "double"), String("NaN")),
        (literal("many", "integer"), String("many")),
        (literal("1" * 400, "integer"), String("1" * 400)),
        (literal("true", "boolean"), String("true")),
        (literal("1", "boolean"), String("true")),
        (literal("0", "boolean"), String("false")),
        (literal("1960"), String("1960")),
        (literal("1960", "string"), String("1960")),
        (literal("Ann", None, "en"), String("Ann")),
        (None, None),
    ],
    ids=str,
)
def test_a_literal_becomes_a_value(term: Term | None, value: Value | None) -> None:
    assert read_value({"v": term}, {"value": ["v"]}) == value


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        ({"value": literal("5", "double"), "unit": literal("metre")}, Quantity(5, "metre")),
        ({"value": literal("5"), "unit": literal("metre")}, Quantity(5, "metre")),
        ({"value": literal("5", "double"), "unit": literal("1")}, Quantity(5)),
        (
            {"value": literal("1.47561e+07", "double"), "digits": literal("14756087"), "unit": literal("m")},
            Quantity(14756087, "m"),
        ),
        ({"value": literal("1960"), "digits": literal("1960")}, String("1960")),
        ({"value": literal("five"), "unit": literal("metre")}, String("five")),
        ({"year": literal("1960", "integer"), "date": literal("1960-02-01", "date")}, Date(1960, 2, 1)),
        ({"year": literal("1960", "integer")}, Year(1960)),
        ({"year": literal("1960.0", "double")}, Year(1960)),
        ({"year": literal("-44", "integer")}, Year(-44)),
        ({"year": literal("unknown")}, String("unknown")),
        ({"value": literal("text")}, String("text")),
        ({"value": DAY, "precision": literal("11", "integer")}, Date(1960, 2, 1)),
        ({"value": DAY, "precision": literal("10", "integer")}, Year(1960)),
        ({"value": DAY, "precision": literal("9", "integer")}, Year(1960)),
        (
            {"value": literal("some day", "dateTime"), "precision": literal("9", "integer")},
            String("some day"),
        ),
        ({"value": literal("text"), "precision": literal("9", "integer")}, String("text")),
        ({}, None),
    ],
    ids=str,
)
def test_the_parts_of_a_value_node_become_a_value(cells: dict[str, Term], value: Value | None) -> None:
    roles = ("value", "digits", "unit", "year", "date", "precision")
    row = {role: cells.get(role) for role in roles}
    assert read_value(row, {role: [role] for role in roles}) == value


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("300000.0", "300000 metre"),
        ("-3.7", "-3.7 metre"),
        ("1.47561e+07", "14756100 metre"),
        ("1e-07", "0.0000001 metre"),
        ("-0.0", "0 metre"),
        ("6.02214076e23", "602214076000000000000000 metre"),
    ],
)
def test_numbers_are_shown_without_exponent(number: str, shown: str) -> None:
    query = kqapro("Find(Ann)->QueryAttr(height)")
    row = {"value": literal(number, "double"), "unit": literal("metre")}
    assert read(query, row).strings == (shown,)


def test_equal_values_count_once() -> None:
    query = direct("Find(ann)->QueryAttr(p)")
    answer = read(
        query,
        {"value": literal("5", "integer")},
        {"value": literal("5.0", "decimal")},
        {},
        {"value": literal("x", None, "en")},
        {"value": literal("x")},
    )
    assert answer.strings == ("5", "x")


def test_the_unit_that_the_attribute_declares_is_shown() -> None:
    query = direct("Find(ann)->QueryAttr(p)", "metre")
    row = {"value": literal("5", "integer")}
    assert read(query, row).strings == ("5 metre",)
    assert read(query, row).values == (AnswerValue("5", "number", unit="metre"),)


def test_an_entity_in_the_place_of_a_value_is_shown_by_its_name() -> None:
    query = direct("Find(ann)->QueryAttr(p)")
    answer = read(query, {"value": iri("Red_wine")}, name_of={EX + "Red_wine": "red wine"}.__getitem__)
    assert answer.values == (AnswerValue(EX + "Red_wine", "iri", "red wine"),)


VERDICTS = [
    ("VerifyNum(5 metre, =)", ["5"], ("metre",), "yes"),
    ("VerifyNum(500 centimetre, =)", ["5"], ("metre",), "yes"),
    ("VerifyNum(5 kilogram, =)", ["5"], ("metre",), "no"),
    ("VerifyNum(5, =)", ["5"], ("metre",), "no"),
    ("VerifyNum(5 metre, =)", ["5"], (), "yes"),
    ("VerifyNum(5 metre, >)", ["5", "6"], ("metre",), "not sure"),
    ("VerifyNum(5 metre, >)", [], ("metre",), "no"),
]


@pytest.mark.parametrize(("verify", "numbers", "units", "word"), VERDICTS)
def test_a_verdict_compares_in_the_units_that_the_graph_declares(
    verify: str, numbers: list[str], units: tuple[str, ...], word: str
) -> None:
    query = direct(f"Find(ann)->QueryAttr(p)->{verify}", *units)
    answer = read(query, *({"value": literal(number, "integer")} for number in numbers))
    assert answer.strings == (word,)
    assert [value.value for value in answer.evidence] == numbers


def test_a_verdict_on_times_and_texts() -> None:
    born = direct("Find(ann)->QueryAttr(p)->VerifyYear(1960, =)")
    assert read(born, {"value": literal("1960-02-01+02:00", "date")}).strings == ("yes",)
    named = direct("Find(ann)->QueryAttr(p)->VerifyStr(true)")
    assert read(named, {"value": literal("1", "boolean")}).strings == ("yes",)


def test_one_value_in_a_known_unit_needs_no_column_for_it() -> None:
    plain = Binding((EX + "p",), "p", value_types=(ValueType.QUANTITY,), units=("1",))
    query = kqapro("Find(Ann)->QueryAttr(p)->VerifyNum(5 metre, =)", plain)
    assert "unit" not in [column.role for column in query.columns]
    assert read(query, {"value": literal("5", "double")}).strings == ("no",)


def test_an_entity_is_shown_once_by_its_best_label() -> None:
    query = direct("Find(ann)->Relate(p, forward)->What()")
    rows = [
        {"entity": iri("b"), "label": literal("Zebra")},
        {"entity": iri("b"), "label": literal("Beispiel", None, "de")},
        {"entity": iri("b"), "label": literal("thing B", None, "en")},
        {"entity": iri("b"), "label": literal("B", None, "EN")},
        {"entity": iri("no_label")},
        {"entity": Term("blank", "b0"), "label": literal("nameless")},
        {"entity": Term("blank", "b1")},
        {"label": literal("nobody's")},
    ]
    assert read(query, *rows).values == (
        AnswerValue(EX + "b", "iri", "B"),
        AnswerValue(EX + "no_label", "iri", "no label"),
        AnswerValue("nameless", "literal", "nameless"),
        AnswerValue(UNNAMED, "literal", UNNAMED),
    )
    assert read(query, *rows, languages=("de",)).values[0].label == "Beispiel"
    assert read(query, *rows, languages=()).values[0].label == "Zebra"
    assert read(query, *rows[1:2]).values == (AnswerValue(EX + "b", "iri", "Beispiel", language="de"),)


def test_entities_that_share_a_name_give_one_string() -> None:
    query = direct("Find(ann)->Relate(p, forward)->What()")
    answer = read(
        query,
        {"entity": iri("a"), "label": literal("Ann")},
        {"entity": iri("b"), "label": literal("Ann")},
    )
    assert len(answer.values) == 2
    assert answer.strings == ("Ann",)


def test_things_without_a_name_are_told_with_their_number() -> None:
    unnamed = AnswerValue(UNNAMED, "literal", UNNAMED)
    named = AnswerValue("http://ex.org/a", "iri", "Ada")
    answer = Answer(Type.NAMES, (unnamed, named, unnamed))
    assert (answer.strings, answer.is_unnamed) == (("(2 without a name)", "Ada"), False)
    assert Answer(Type.NAMES, (unnamed,)).strings == (UNNAMED,)


@pytest.mark.parametrize(("cell", "shown"), [(literal("3", "integer"), "3"), (literal("3.0"), "3")])
def test_a_count_is_a_whole_number(cell: Term, shown: str) -> None:
    query = direct("Find(ann)->Relate(p, forward)->Count()")
    assert read(query, {"count": cell}).strings == (shown,)


def test_nothing_found() -> None:
    assert read(direct("Find(ann)->Relate(p, forward)->Count()")).strings == ("0",)
    assert read(direct("Find(ann)->Relate(p, forward)->What()")).empty
    assert read(direct("Find(ann)->QueryAttr(p)")).empty
    assert read(direct("Find(ann)->QueryAttr(p)->VerifyNum(5, =)")).strings == ("no",)


def test_relations_are_named_by_the_caller_or_by_the_end_of_their_iri() -> None:
    parsed = read_program("Find(a)->Find(b)->QueryRelation()")
    bindings = {(0, 0): Binding((EX + "a",)), (1, 0): Binding((EX + "b",))}
    query = compile_program(GroundedProgram(parsed, bindings), "direct", Options())
    rows = ({"relation": iri("directed_by")}, {"relation": iri("directed_by")}, {})
    assert read(query, *rows).strings == ("directed by",)
    assert read(query, *rows, name_of=lambda _: "by").strings == ("by",)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("http://example.org/a#Red_wine", "Red wine"),
        ("http://example.org/Ann/", "Ann"),
        ("urn:isbn:123", "123"),
        ("/", "/"),
    ],
)
def test_local_name(text: str, name: str) -> None:
    assert local_name(text) == name


def test_each_row_of_a_table_is_told_once_in_the_best_language() -> None:
    query = kqapro("Step 1: FindAll()\nStep 2: Count()\nStep 3: Table() <- 1, 2")
    names = [("ann", "Ann", "en"), ("ann", "Anna", "de"), ("ann", "Ann", "en"), ("ann", "Anna", "de")]
    rows = [(name, label, language, "1") for name, label, language in names]
    rows += [("bob", "Bob", "de", "1"), ("ann", "Anna", "de", "2")]
    answer = read(
        query,
        *(
            {
                "entity": iri(name),
                "label": literal(label, None, language),
                "count": literal(n),
                "number": literal(n),
            }
            for name, label, language, n in rows
        ),
        languages=("en", "de"),
    )
    assert answer.strings == ("Ann\t1", "Ann\t1", "Bob\t1", "Anna\t2")
    assert [value.label for value in answer.values] == ["Ann", "Bob", "Anna"]
