"""The answer in words without a model: names before the numbers that go with them."""

from __future__ import annotations

import pytest

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Type
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step
from nlq_gateway.answering.response import answer_text
from nlq_gateway.answering.response.faithful import fault_of
from nlq_gateway.answering.response.template import row_text
from nlq_gateway.answering.response.told import Told

NAME, OTHER = (AnswerValue(f"http://ex.org/{name}", "iri", name) for name in ("Eastmoor", "Westmoor"))
THREE, LENGTH = AnswerValue("3", "number"), AnswerValue("6650", "number", unit="kilometre")
DAY = AnswerValue("2022-06-08", "literal", datatype="http://www.w3.org/2001/XMLSchema#date")
LENGTHS = read_program("FindAll()->FilterConcept(river)->QueryAttr(length)")
QUOTIENT = (
    "Step 1: FindAll()\nStep 2: QueryAttr(length) <- 1\nStep 3: QueryAttr(width) <- 1\n"
    "Step 4: Calculate(/) <- 2, 3"
)
TABLE = read_program("Step 1: FindAll()\nStep 2: Count()\nStep 3: Table() <- 2, 1")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((NAME, THREE), "Eastmoor (3)"),
        ((THREE, NAME), "3, Eastmoor"),
        ((THREE, DAY), "3, 2022-06-08"),
        ((DAY, THREE), "2022-06-08, 3"),
        ((THREE, THREE, None), "3, 3, –"),
        ((None, THREE), "–, 3"),
        ((NAME, THREE, None), "Eastmoor (3, –)"),
        ((NAME, LENGTH, THREE), "Eastmoor (6650 kilometres, 3)"),
        ((NAME, OTHER), "Eastmoor, Westmoor"),
        ((NAME, THREE, OTHER), "Eastmoor, 3, Westmoor"),
        ((NAME, None, OTHER, THREE), "Eastmoor, –, Westmoor (3)"),
        ((NAME, THREE, DAY), "Eastmoor, 3, 2022-06-08"),
        ((THREE, LENGTH), "3, 6650 kilometres"),
        ((NAME, None), "Eastmoor, –"),
    ],
)
def test_a_number_stands_behind_the_name_that_it_goes_with(
    row: tuple[AnswerValue | None, ...], text: str
) -> None:
    assert row_text(row) == text


def test_a_value_says_whose_it_is_where_several_have_one() -> None:
    answer = Answer(Type.VALUES, (LENGTH, THREE))
    rows = ((NAME, LENGTH), (OTHER, THREE))
    assert answer_text(LENGTHS, answer, False, rows) == "Eastmoor (6650 kilometres), Westmoor (3)"


def test_values_that_are_the_names_are_said_once() -> None:
    names = tuple(AnswerValue(str(one), "literal") for one in (NAME, OTHER))
    rows = tuple(zip((NAME, OTHER), names, strict=True))
    assert answer_text(LENGTHS, Answer(Type.VALUES, names), False, rows) == "Eastmoor, Westmoor"
    assert answer_text(LENGTHS, Answer(Type.VALUES, names), False, ((NAME, THREE), rows[1])) == (
        "Eastmoor (3), Westmoor (Westmoor)"
    )


@pytest.mark.parametrize(
    ("names", "attribute", "text"),
    [
        (("Report-7", "Report-9"), "report number", "3, 6650"),
        (("Report-7", "Report-9"), "length", "Report-7 (3), Report-9 (6650)"),
        (("Eastmoor", "Westmoor"), "code", "Eastmoor (3), Westmoor (6650)"),
    ],
)
def test_an_id_says_itself_whose_it_is(names: tuple[str, str], attribute: str, text: str) -> None:
    values = (THREE, AnswerValue("6650", "number"))
    things = (AnswerValue(f"http://ex.org/{name}", "iri", name) for name in names)
    rows = tuple(zip(things, values, strict=True))
    answer = Answer(Type.VALUES, values)
    assert answer_text(LENGTHS, answer, False, rows, ("report", attribute)) == text


@pytest.mark.parametrize("rows", [(), ((NAME, LENGTH), (NAME, THREE)), ((NAME, LENGTH), (None, THREE))])
def test_values_of_one_thing_stand_alone(rows: tuple[tuple[AnswerValue | None, ...], ...]) -> None:
    assert answer_text(LENGTHS, Answer(Type.VALUES, (LENGTH, THREE)), False, rows) == "6650 kilometres, 3"


def test_things_of_one_name_are_counted_each() -> None:
    """The name is said once, and the number of things is that of the values."""
    things = tuple(AnswerValue(f"http://ex.org/{at}", "iri", f"N{at // 2}") for at in range(30))
    told = answer_text(read_program("FindAll()->What()"), Answer(Type.VALUES, things), False)
    assert told.endswith("N9 and 20 more")


def test_a_table_tells_how_it_begins() -> None:
    rows = ((THREE, NAME), (THREE, OTHER))
    told = answer_text(TABLE, Answer(Type.ROWS, (THREE,), rows=rows), False)
    assert told == "2 rows, the first: 3, Eastmoor"


def _counted(*counts: int) -> tuple[tuple[AnswerValue | None, ...], ...]:
    return tuple(
        (AnswerValue(str(count), "number"), AnswerValue(f"http://ex.org/{at}", "iri", "ABCDEF"[at]))
        for at, count in enumerate(counts)
    )


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((3, 6, 1), "3 film directors, the most films: B (6)"),
        ((6, 6, 1), "3 film directors, the most films: A and B (6 each)"),
        ((2, 2, 2, 2, 2), "5 film directors, the most films: 2 each"),
        ((2, 2, 2, 2, 1), "5 film directors, the most films: A, B, C and 1 more (2 each)"),
        ((1, 3, 6), "3 film directors, the most films: C (6)"),
    ],
)
def test_of_many_counts_the_most_is_told(counts: tuple[int, ...], text: str) -> None:
    rows = _counted(*counts)
    answer = Answer(Type.ROWS, (THREE,), rows=rows)
    columns = ("filmCount", "filmDirector")
    assert answer_text(TABLE, answer, False, rows, columns, lambda name: f"{name}s") == text
    assert answer_text(TABLE, answer, True, rows, columns).startswith("At least ")


@pytest.mark.parametrize(
    ("columns", "days", "text"),
    [
        (("departed", "fee"), ("2022-06-08", "2022-06-09"), "2 rows, the first: 2022-06-08, 1"),
        (("departedMonth", "fee"), ("2022-06", "2022-07"), "2 departed months, the highest fee: 2022-07 (2)"),
        (("openedOnMonth", "fee"), ("2022-06", "2022-07"), "2 months, the highest fee: 2022-07 (2)"),
        (("person", "approvedByOfCount"), ("A", "B"), "2 persons, the most: B (2)"),
        (("country", "smallestAge"), ("A", "B"), "2 countrys, the highest minimum age: B (2)"),
        (("carrier", "carrierId"), ("A", "B"), "2 rows, the first: A (1)"),
        (("SKU", "fee"), ("A", "B"), "2 SKUs, the highest fee: B (2)"),
        (("item", "SKU count"), ("A", "B"), "2 items, the most SKUs: B (2)"),
    ],
)
def test_times_are_no_things_and_ids_no_measure(
    columns: tuple[str, str], days: tuple[str, str], text: str
) -> None:
    rows = tuple(
        (AnswerValue(day, "literal"), AnswerValue(str(at), "number")) for at, day in enumerate(days, 1)
    )
    told = answer_text(
        TABLE, Answer(Type.ROWS, (THREE,), rows=rows), False, rows, columns, lambda name: f"{name}s"
    )
    assert told == text


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        (("order number", "totalHours"), "2 order numbers, the highest total hours: 70113 (3)"),
        (("totalHours", "orderNumber"), "2 order numbers, the highest total hours: 3 (70113)"),
        (("customer ID", "order number"), "2 rows, the first: 70112, 2"),
        (("weight", "length"), "2 rows, the first: 70112, 2"),
    ],
)
def test_an_id_in_numbers_names_what_has_it(columns: tuple[str, str], text: str) -> None:
    numbers = (("70112", "2"), ("70113", "3"))
    rows = tuple(tuple(AnswerValue(one, "number") for one in row) for row in numbers)
    answer = Answer(Type.ROWS, (THREE,), rows=rows)
    assert answer_text(TABLE, answer, False, rows, columns, lambda name: f"{name}s") == text


def test_where_the_lowest_comes_first_it_is_told() -> None:
    rows = _counted(1, 3, 6)
    table = Program((*TABLE.steps, Step("SortTable", ("1", "ascending"), (2,))))
    told = answer_text(table, Answer(Type.ROWS, (THREE,), rows=rows), False, rows, ("filmCount", "director"))
    assert told == "3 director, the fewest film: A (1)"


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ("SortTable(1, ascending); LimitTable(3)", "3 directors, the fewest films: A (1)"),
        ("SortTable(1, descending); LimitTable(3)", "3 directors, the most films: C (6)"),
        ("SortTable(2, ascending); LimitTable(10 %)", "3 rows, the first: 1, A"),
        ("LimitTable(3)", "3 rows, the first: 1, A"),
        ("SortTable(1, ascending); SkipTable(5)", "3 rows, the first: 1, A"),
        (
            "SortTable(2, ascending); SortTable(1, ascending); LimitTable(3)",
            "3 directors, the fewest films: A (1)",
        ),
        ("FilterTable(1, 7, <)", "3 rows, the first: 1, A"),
        ("FilterTable(1, 7, <); SortTable(1, ascending)", "3 directors, the fewest films: A (1)"),
        (
            "SortTable(1, ascending); LimitTable(9); SortTable(1, descending); LimitTable(3)",
            "3 rows, the first: 1, A",
        ),
        (
            "SortTable(3, ascending); LimitTable(3); DropColumn(2); DistinctTable()",
            "3 rows, the first: 1, A",
        ),
        ("SortTable(2, ascending); LimitTable(3); DropColumn(1)", "3 directors, the fewest films: A (1)"),
        ("SortTable(1, ascending); LimitTable(3); DropColumn(1)", "3 rows, the first: 1, A"),
    ],
)
def test_of_a_table_that_is_cut_the_end_is_told_that_was_kept(steps: str, text: str) -> None:
    """Of what is left the most may be few."""
    program = TABLE
    for step in steps.split("; "):
        function, _, inputs = step.removesuffix(")").partition("(")
        taken = tuple(inputs.split(", ")) if inputs else ()
        program = Program((*program.steps, Step(function, taken, (len(program) - 1,))))
    rows = _counted(1, 3, 6)
    columns = ("filmCount", "director")
    told = answer_text(
        program, Answer(Type.ROWS, (THREE,), rows=rows), False, rows, columns, lambda name: f"{name}s"
    )
    assert told == text


def test_numbers_of_several_units_are_compared() -> None:
    """As far as one is so many of the other."""
    miles = AnswerValue("3902", "number", unit="mile")
    rows = ((NAME, miles), (OTHER, LENGTH))
    answer = Answer(Type.ROWS, (NAME, OTHER), rows=rows)
    told = answer_text(TABLE, answer, False, rows, ("river", "lengthValue"), lambda name: f"{name}s")
    assert told == "2 rivers, the highest length: Westmoor (6650 kilometres)"
    weight = AnswerValue("5", "number", unit="kilogram")
    rows = ((NAME, weight), (OTHER, LENGTH))
    answer = Answer(Type.ROWS, (NAME, OTHER), rows=rows)
    assert answer_text(TABLE, answer, False, rows, ("river", "lengthValue")).startswith("2 rows, the first")


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        ("148", "minute", "148 minutes"),
        ("1", "minute", "1 minute"),
        ("0.5", "kilometre", "0.5 kilometres"),
        ("0", "meter", "0 meters"),
        ("5", "square kilometre", "5 square kilometres"),
        ("80", "kilometre per hour", "80 kilometres per hour"),
        ("50", "per kilogram", "50 per kilogram"),
        ("21", "degree Celsius", "21 degrees Celsius"),
        ("6", "foot", "6 feet"),
        ("3", "century", "3 centuries"),
        ("9", "kilowatt-hour", "9 kilowatt-hours"),
        ("300000", "United States dollar", "300000 United States dollars"),
        ("12", "pound sterling", "12 pounds sterling"),
        ("0.5", "percent", "0.5 percent"),
        ("12", "kg", "12 kg"),
        ("12", "EUR", "12 EUR"),
        ("12", "%", "12 %"),
        ("12", "metre / second", "12 metre / second"),
        ("12", "Minute", "12 Minute"),
        ("12", "minute hand", "12 minute hand"),
        ("12", "gauge", "12 gauge"),
        ("12", "kilometres", "12 kilometres"),
    ],
)
def test_a_unit_in_full_agrees_with_its_number(number: str, unit: str, text: str) -> None:
    value = AnswerValue(number, "number", unit=unit)
    told = Told("How much?", LENGTHS, Answer(Type.VALUES, (value,)))
    assert answer_text(LENGTHS, told.answer, False) == text
    assert fault_of(text, told) == ""
    assert (str(value), told.answer.strings) == (f"{number} {unit}", (f"{number} {unit}",))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("18.3333333333", "18.333333"),
        ("-0.0333333333333", "-0.0333333"),
        ("0.000000123456789", "0.000000123457"),
        ("2.00000000001", "2"),
        ("14.187512", "14.187512"),
        ("2.0000005", "2.000001"),
        ("12345678901", "12345678901"),
    ],
)
def test_a_long_number_is_rounded_in_sentences_alone(number: str, text: str) -> None:
    value = AnswerValue(number, "number", unit="euro")
    told = Told("How much?", LENGTHS, Answer(Type.VALUES, (value,)))
    assert answer_text(LENGTHS, told.answer, False) == f"{text} euros"
    assert fault_of(f"{text} euros", told) == ""
    assert told.answer.strings == (f"{number} euro",)


@pytest.mark.parametrize(
    ("program", "number", "text"),
    [
        ("FindAll()->QueryAttr(length)->Average()", "5008.115385", "5008.12"),
        ("FindAll()->QueryAttr(length)->Average()", "1.3333333333", "1.333"),
        ("FindAll()->QueryAttr(length)->Average()", "-0.0123456", "-0.01235"),
        ("FindAll()->QueryAttr(length)->Average()", "9.99999", "10"),
        ("FindAll()->QueryAttr(length)->Average()", "26.825", "26.83"),
        ("FindAll()->QueryAttr(length)->Average()", "-26.825", "-26.83"),
        ("FindAll()->QueryAttr(length)->Average()", "1200.004", "1200"),
        ("FindAll()->QueryAttr(length)->Average()->Round(3)", "12.346", "12.346"),
        ("FindAll()->QueryAttr(length)->Maximum()", "5008.115385", "5008.115385"),
        (QUOTIENT, "12.34567", "12.35"),
        (QUOTIENT.replace("(/)", "(*)"), "12.34567", "12.34567"),
        (f"{QUOTIENT}\nStep 5: Maximum() <- 4", "12.34567", "12.35"),
    ],
)
def test_a_mean_is_said_with_few_digits(program: str, number: str, text: str) -> None:
    read, value = read_program(program), AnswerValue(number, "number")
    answer = Answer(read.steps[-1].signature.output, (value,))
    assert answer_text(read, answer, False) == text
    assert answer.strings == (number,)


def test_a_mean_in_a_verdict_and_a_row_has_few_digits_too() -> None:
    mean = AnswerValue("12.34567", "number")
    verified = read_program("FindAll()->QueryAttr(length)->Average()->VerifyNum(5, >)")
    verdict = Answer(Type.VERDICT, (AnswerValue("yes", "boolean"),), (mean,))
    assert answer_text(verified, verdict, False) == "yes: the average is 12.35"
    table = read_program(
        "Step 1: FindAll()\nStep 2: QueryAttr(length)\nStep 3: Average()\nStep 4: Table() <- 1, 2, 3"
    )
    rows = Answer(Type.ROWS, (NAME,), rows=((NAME, mean, mean),))
    assert answer_text(table, rows, False) == "Eastmoor (12.34567, 12.35)"


def test_means_that_look_equal_are_none() -> None:
    table = read_program(
        "Step 1: FindAll()\nStep 2: QueryAttr(length)\nStep 3: Average()\nStep 4: Table() <- 1, 3"
    )
    means = (AnswerValue(number, "number") for number in ("12.341", "12.342"))
    rows = tuple(zip((NAME, OTHER), means, strict=True))
    told = answer_text(table, Answer(Type.ROWS, (NAME, OTHER), rows=rows), False, rows, ("river", "length"))
    assert told == "2 river, the highest length: Westmoor (12.34)"


def test_names_with_commas_are_told_apart_by_semicolons() -> None:
    flat, lane, mill = (AnswerValue(f"http://ex.org/{name}", "iri", name) for name in ("Flat 2, A", "B", "C"))
    names = read_program("FindAll()->What()")
    assert answer_text(names, Answer(Type.NAMES, (lane, flat, mill)), False) == "B; Flat 2, A; C"
    assert answer_text(names, Answer(Type.NAMES, (lane, mill)), False) == "B, C"
    assert row_text((flat, lane, THREE)) == "Flat 2, A; B (3)"
    rows = ((lane, THREE), (flat, THREE), (mill, THREE), (NAME, AnswerValue("1", "number")))
    told = answer_text(TABLE, Answer(Type.ROWS, (lane,), rows=rows), False, rows, ("home", "roomCount"))
    assert told == "4 home, the most room: B; Flat 2, A and C (3 each)"


@pytest.mark.parametrize(
    ("attribute", "asked", "word", "stated", "text"),
    [
        ("open", "true", "no", ("false",), "no"),
        ("open", "yes", "yes", ("Yes",), "yes"),
        ("open", "true", "not sure", ("true", "false"), "not sure: the graph states true, false"),
        ("colour", "red", "no", ("blue",), "no: the graph states blue"),
        ("is open", "1", "no", ("0",), "no"),
        ("floors", "1", "no", ("0",), "no: the graph states 0"),
    ],
)
def test_a_verdict_on_a_flag_states_no_flag(
    attribute: str, asked: str, word: str, stated: tuple[str, ...], text: str
) -> None:
    program = read_program(f"FindAll()->QueryAttr({attribute})->VerifyStr({asked})")
    evidence = tuple(AnswerValue(one, "literal") for one in stated)
    answer = Answer(Type.VERDICT, (AnswerValue(word, "boolean"),), evidence)
    assert answer_text(program, answer, False) == text


@pytest.mark.parametrize("language", ["en", "en-GB", ""])
def test_a_verdict_and_equal_numbers_have_the_units_of_sentences(language: str) -> None:
    verdict = Answer(Type.VERDICT, (AnswerValue("yes", "boolean"),), (LENGTH,))
    told = answer_text(LENGTHS, verdict, False, language=language)
    assert told == "yes: the graph states 6650 kilometres"
    rows = ((NAME, LENGTH), (OTHER, LENGTH))
    answer = Answer(Type.ROWS, (NAME, OTHER), rows=rows)
    told = answer_text(TABLE, answer, False, rows, ("river", "lengthValue"), language=language)
    assert told == "2 river, the highest length: 6650 kilometres each"


@pytest.mark.parametrize("language", ["de", "fr", "ja"])
def test_a_unit_stays_as_the_graph_has_it_in_other_languages(language: str) -> None:
    assert answer_text(LENGTHS, Answer(Type.VALUES, (LENGTH,)), False, language=language) == "6650 kilometre"
    assert row_text((NAME, LENGTH), language) == "Eastmoor (6650 kilometre)"


@pytest.mark.parametrize(
    ("program", "word", "text"),
    [
        ("FindAll()->FilterConcept(film)->Count()->VerifyNum(5, <)", "yes", "yes: the number is 3"),
        ("FindAll()->QueryAttr(length)->Sum()->VerifyNum(5, <)", "yes", "yes: the total is 3"),
        ("FindAll()->QueryAttr(length)->Average()->VerifyNum(5, <)", "yes", "yes: the average is 3"),
        ("FindAll()->QueryAttr(length)->Maximum()->VerifyNum(5, <)", "yes", "yes: it is 3"),
        ("FindAll()->QueryAttr(length)->Round(1)->VerifyNum(5, <)", "yes", "yes: it is 3"),
        ("FindAll()->QueryAttr(length)->VerifyNum(5, <)", "yes", "yes: the graph states 3"),
        (
            "FindAll()->Count()->FindAll()->Count()->Calculate(-)->VerifyNum(0, >)",
            "yes",
            "yes: the difference is 3",
        ),
        ("FindAll()->Count()->VerifyNum(0, =)", "no", "no: the number is 3"),
    ],
)
def test_a_verdict_says_what_its_number_is(program: str, word: str, text: str) -> None:
    answer = Answer(Type.VERDICT, (AnswerValue(word, "boolean"),), (THREE,))
    assert answer_text(read_program(program), answer, False) == text


@pytest.mark.parametrize(
    ("word", "count", "text"),
    [("no", "3", "no: the number of exceptions is 3"), ("yes", "0", "yes: there is no exception")],
)
def test_a_verdict_on_all_tells_the_exceptions(word: str, count: str, text: str) -> None:
    program = read_program(
        "Step 1: FindAll()\nStep 2: FilterHasAttr(length)\nStep 3: Except() <- 1, 2\n"
        "Step 4: Count()\nStep 5: VerifyNum(0, =)"
    )
    answer = Answer(Type.VERDICT, (AnswerValue(word, "boolean"),), (AnswerValue(count, "number"),))
    assert answer_text(program, answer, False) == text
