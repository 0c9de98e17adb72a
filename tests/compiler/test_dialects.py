"""The change that each of a dialect's fields makes in the text, and no other."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import pytest

from compilers.compile import compile_program
from compilers.dialects import DIALECTS, Dialect
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.layouts import LAYOUTS
from compilers.layouts.base import number_bound
from compilers.layouts.vocabulary import XSD
from tests.compiler.cases import OPTIONS, grounded


@dataclass(frozen=True, slots=True)
class Change:
    """A case in which one field, switched on, turns some lines into others."""

    field: str
    case: str
    layout: str
    off: tuple[str, ...]
    on: tuple[str, ...]


EXACT = "?publicationDatePrecision >= 11"
KEY = "YEAR({0}) * 10000 + MONTH({0}) * 100 + DAY({0})"
TIMES = "(xsd:date, xsd:dateTime, xsd:gYear, xsd:gYearMonth)"
GUARDED = f'IF(DATATYPE({{0}}) IN {TIMES}, {{0}}, "0001-01-01"^^xsd:date)'
CHANGES = (
    Change(
        "guarded_numbers",
        "long_homonyms",
        "kqapro",
        ("FILTER(?populationValue > 100000)",),
        ("FILTER(isNumeric(?populationValue) && xsd:double(?populationValue) > 100000)",),
    ),
    Change(
        "guarded_numbers",
        "long_homonyms",
        "direct",
        ("FILTER(?population > 100000)",),
        ("FILTER(isNumeric(?population) && xsd:double(?population) > 100000)",),
    ),
    Change(
        "guarded_numbers",
        "select_between",
        "direct",
        (
            "SELECT (MAX(?population2) AS ?largestPopulation) WHERE {",
            "FILTER(?population = ?largestPopulation)",
        ),
        (
            "FILTER(isNumeric(?population))",
            "SELECT (MAX(xsd:double(?population2)) AS ?largestPopulation) WHERE {",
            "FILTER(isNumeric(?population2))",
            "FILTER(xsd:double(?population) = ?largestPopulation)",
        ),
    ),
    Change(
        "typed_strings",
        "filter_str",
        "kqapro",
        ('?isoCode pred:value "NO" .',),
        ('VALUES ?isoCodeValue { "NO" "NO"^^xsd:string }', "?isoCode pred:value ?isoCodeValue ."),
    ),
    Change(
        "typed_strings",
        "filter_str",
        "direct",
        ('VALUES ?isoCode { "NO" "NO"@en }',),
        ('VALUES ?isoCode { "NO" "NO"^^xsd:string "NO"@en }',),
    ),
    Change(
        "day_keys",
        "query_attr_qualifier",
        "kqapro",
        ('FILTER(?publicationDateValue = "1967-12-21"^^xsd:date)',),
        (f"FILTER({KEY.format('?publicationDateValue')} = 19671221)",),
    ),
    Change(
        "short_doubles",
        "query_attr",
        "kqapro",
        ("SELECT DISTINCT ?durationValue ?durationUnit WHERE {",),
        (
            "SELECT DISTINCT ?durationValue ?durationUnit ?durationDigits WHERE {",
            "BIND(STR(?durationValue) AS ?durationDigits)",
        ),
    ),
    Change(
        "short_doubles",
        "query_attr",
        "direct",
        ("SELECT DISTINCT ?duration WHERE {",),
        ("SELECT DISTINCT ?duration ?durationDigits WHERE {", "BIND(STR(?duration) AS ?durationDigits)"),
    ),
    Change(
        "class_paths",
        "filter_concept",
        "direct",
        ("VALUES ?concept { ex:City ex:CapitalCity ex:PortCity }", "?city a ?concept ."),
        ("?city a/rdfs:subClassOf* ex:City .",),
    ),
    Change(
        "class_paths",
        "filter_concept",
        "wikidata",
        ("VALUES ?concept { wd:Q515 wd:Q5119 wd:Q2264924 }", "?city wdt:P31 ?concept ."),
        ("?city wdt:P31/wdt:P279* wd:Q515 .",),
    ),
    Change(
        "day_keys",
        "query_attr_qualifier",
        "wikidata",
        (f'FILTER({EXACT} && ?publicationDate = "1967-12-21T00:00:00Z"^^xsd:dateTime)',),
        (f"FILTER({EXACT} && {KEY.format('?publicationDate')} = 19671221)",),
    ),
    Change(
        "double_division",
        "calculate",
        "kqapro",
        ("BIND(?populationValue / ?areaValue AS ?populationPerArea)",),
        ("BIND(xsd:double(?populationValue) / ?areaValue AS ?populationPerArea)",),
    ),
    Change(
        "double_division",
        "calculate",
        "direct",
        ("BIND(?population / ?area AS ?populationPerArea)",),
        ("BIND(xsd:double(?population) / ?area AS ?populationPerArea)",),
    ),
    Change(
        "numbers_by_value",
        "bare_condition",
        "kqapro",
        ("?pointInTime pred:value ?pointInTimeValue .", "FILTER(?pointInTimeValue = 2010)"),
        ('?pointInTime pred:value "2010"^^xsd:double .',),
    ),
    Change(
        "subqueries_per_row",
        "select_among",
        "kqapro",
        (),
        ("SELECT DISTINCT ?film ?durationValue ?durationUnit ?durationFactor WHERE {",),
    ),
    Change("subqueries_per_row", "select_among", "direct", (), ("SELECT DISTINCT ?film ?duration WHERE {",)),
    Change(
        "early_functions",
        "filter_year",
        "singleton",
        ("FILTER(YEAR(?publicationDate) = 1967)",),
        (f"FILTER(YEAR({GUARDED.format('?publicationDate')}) = 1967)",),
    ),
)


def _lines(change: Change, dialect: Dialect) -> list[str]:
    options = replace(OPTIONS[change.layout], dialect=dialect)
    text = compile_program(grounded(change.case, change.layout), change.layout, options).text
    return [line.strip() for line in text.splitlines() if not line.startswith("PREFIX")]


@pytest.mark.parametrize(
    "change", CHANGES, ids=lambda change: f"{change.field}-{change.case}-{change.layout}"
)
def test_a_field_changes_these_lines_only(change: Change) -> None:
    plain = Dialect("plain", class_paths=False)
    before = _lines(change, plain)
    after = _lines(change, replace(plain, **{change.field: True}))
    assert [line for line in before if line not in after] == list(change.off)
    assert [line for line in after if line not in before] == list(change.on)


@pytest.mark.parametrize(
    ("number", "guarded", "plain"),
    [(69442943089.4309, "double", "decimal"), (120.0, "integer", "integer"), (1e-30, "double", "double")],
)
def test_a_bound_is_a_double_where_the_dialect_casts(number: float, guarded: str, plain: str) -> None:
    options = OPTIONS["kqapro"]
    for name, datatype in (("virtuoso", guarded), ("sparql11", guarded), ("oxigraph", plain)):
        bound = number_bound(number, replace(options, dialect=DIALECTS[name]))
        assert bound.datatype == XSD + datatype
        assert float(bound.lexical) == number


@pytest.mark.parametrize(
    ("end", "bound", "unbound"),
    [
        ("Sum", "SUM(?heightValue)", "COALESCE(SUM(?heightValue), 0)"),
        ("Average", 'IF(COUNT(?heightValue) > 0, AVG(?heightValue), "")', "AVG(?heightValue)"),
        ("Maximum", "MAX(?heightValue)", "MAX(?heightValue)"),
    ],
)
def test_numbers_of_nothing(end: str, bound: str, unbound: str) -> None:
    program = GroundedProgram(read_program(f"FindAll()->QueryAttr(height)->{end}()"))
    for empty_sums, number in ((False, bound), (True, unbound)):
        options = replace(OPTIONS["kqapro"], dialect=Dialect("plain", empty_sums=empty_sums))
        assert f"SELECT ({number} AS " in compile_program(program, "kqapro", options).text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "FindAll()->QueryAttr(height)->Average()",
            'SELECT (IF(?count > 0, ?avg, "") AS ?averageHeight) WHERE {',
        ),
        (
            "FindAll()->Count()->FindAll()->Count()->Calculate(+)->Table()->FilterTable(1, 2, =)",
            "FILTER(?count + ?count2 = 2)",
        ),
    ],
)
def test_aggregates_alone_in_a_head(text: str, line: str) -> None:
    program = GroundedProgram(read_program(text))
    lines = {}
    for calculated in (True, False):
        options = replace(OPTIONS["kqapro"], dialect=Dialect("plain", calculated_heads=calculated))
        compiled = compile_program(program, "kqapro", options).text
        lines[calculated] = [line.strip() for line in compiled.splitlines()]
    assert line in lines[False]
    assert line not in lines[True]


def test_a_subquery_in_a_negation() -> None:
    program = read_program("FindAll()->FindAll()->SelectNth(height, smallest, 1)->Except()->What()")
    texts = {}
    for subqueries in (True, False):
        options = replace(OPTIONS["kqapro"], dialect=Dialect("plain", subqueries_in_negation=subqueries))
        texts[subqueries] = compile_program(GroundedProgram(program), "kqapro", options).text
    assert "FILTER(!BOUND(?leftOut))" in texts[False]
    assert "leftOut" not in texts[True]


def test_ties_of_a_sorted_table() -> None:
    program = read_program(
        "Step 1: FindAll()\nStep 2: FindAll()\nStep 3: Relate(member of, backward) <- 2\n"
        "Step 4: SelectNth(height, smallest, 2) <- 3\nStep 5: Table() <- 1, 4\n"
        "Step 6: SortTable(2, descending)"
    )
    ends = {}
    for ties in (True, False):
        options = replace(OPTIONS["kqapro"], dialect=Dialect("plain", keeps_ties=ties))
        ends[ties] = compile_program(GroundedProgram(program), "kqapro", options).text.splitlines()[-1]
    assert ends == {
        True: "} ORDER BY DESC(?memberLabel) LIMIT 10000",
        False: "} ORDER BY DESC(?memberLabel) ?entity4 LIMIT 10000",
    }


@pytest.mark.parametrize(("apart", "limit"), [(True, 10_000), (False, 9_993)])
def test_skipped_rows_of_a_sorted_table(apart: bool, limit: int) -> None:
    program = read_program("FindAll()->Table()->SortTable(1, ascending)->SkipTable(7)")
    options = replace(OPTIONS["kqapro"], dialect=Dialect("plain", skips_apart=apart))
    text = compile_program(GroundedProgram(program), "kqapro", options).text
    assert text.splitlines()[-1].endswith(f"LIMIT {limit} OFFSET 7")


def test_every_field_is_tried() -> None:
    # `paths` is tried by tests/compiler/test_compiled_extensions.py: without them a program is refused.
    apart = {"paths", "empty_sums", "subqueries_in_negation", "calculated_heads", "keeps_ties", "skips_apart"}
    tried = {*apart, *(change.field for change in CHANGES)}
    assert tried == {field.name for field in fields(Dialect)} - {"name"}


def test_the_unknown_store_gets_the_precautions_against_wrong_rows() -> None:
    virtuoso, unknown = DIALECTS["virtuoso"], DIALECTS["sparql11"]
    assert virtuoso == replace(
        unknown,
        name="virtuoso",
        class_paths=False,
        paths=False,
        short_doubles=True,
        numbers_by_value=True,
        subqueries_per_row=True,
        subqueries_in_negation=False,
        calculated_heads=False,
        early_functions=True,
        empty_sums=True,
        keeps_ties=False,
        skips_apart=False,
    )


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dialect_has_a_name_and_compiles(name: str, layout: str) -> None:
    assert DIALECTS[name].name == name
    options = replace(OPTIONS[layout], dialect=DIALECTS[name])
    assert compile_program(grounded("long_or_of_and", layout), layout, options).text.startswith("PREFIX")
