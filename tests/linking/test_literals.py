"""Values that questions state: what is read, as what, and what is left alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year, number_in
from nlq_gateway.core.types import LiteralMention
from nlq_gateway.question.linking.literals import find_literals
from tests.clock import little_work

DOLLAR, YEN = "United States dollar", "Japanese yen"
UNITS = (
    *("1", "metre", "kilometre", "foot", "square kilometre", "square mile", "minute", "hour", "kilowatt"),
    *(DOLLAR, "euro", YEN),
)


def read(text: str) -> tuple[LiteralMention, ...]:
    return find_literals(text, UNITS)


def values(text: str) -> list[Value]:
    return [literal.value for literal in read(text)]


@pytest.mark.parametrize(
    "spelling",
    [
        *("12 February 1809", "12th February 1809", "12th of February, 1809", "12 Feb 1809", "12. Feb. 1809"),
        *("February 12, 1809", "february 12 1809", "Feb. 12th, 1809", "1809-02-12", "1809/02/12"),
        *("12. Februar 1809", "12 FEBRUARY 1809"),
    ],
)
def test_a_date_in_many_spellings(spelling: str) -> None:
    text = f"Who was born on {spelling}?"
    (literal,) = read(text)
    assert literal.value == Date(1809, 2, 12)
    assert literal.text == text[literal.start : literal.end] == spelling


def test_the_leap_day_of_a_leap_year() -> None:
    assert values("on 29 February 2000") == [Date(2000, 2, 29)]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("2026-03-04T12:00", 43_200),
        ("2026-03-04 12:00:05", 43_205),
        ("4 March 2026 at 10:15", 36_900),
        ("March 4, 2026, 10:15", 36_900),
        ("4 March 2026 at 99:15", 0),
    ],
)
def test_a_clock_behind_a_date_makes_it_a_moment(text: str, second: int) -> None:
    assert values(f"readings after {text}")[0] == Date(2026, 3, 4, second)


@pytest.mark.parametrize(
    "text", ["on 30 February 2001", "on 2001-02-29", "on April 31, 1999", "on 1999-13-01"]
)
def test_a_day_that_never_was_is_no_date(text: str) -> None:
    assert not [value for value in values(text) if isinstance(value, Date)]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("films of 1994", [1994]),
        ("Was Google already around before 2000?", [2000]),
        ("either 1990 or 2000", [1990, 2000]),
        ("the battle of 843", [843]),
        ("films that came out in 1994 in Germany", [1994]),
        ("in 1994 a film came out", [1994]),
    ],
)
def test_years(text: str, years: list[int]) -> None:
    assert values(text) == [Year(year) for year in years]


@pytest.mark.parametrize(
    ("text", "number"), [("the 16th president", 16), ("the 1st film", 1), ("his 22nd or so", 22), ("3RD", 3)]
)
def test_ordinals(text: str, number: int) -> None:
    assert values(text) == [Quantity(number)]


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("longer than 5000 km", 5000, "kilometre"),
        ("longer than 5000km?", 5000, "kilometre"),
        ("5,000 kilometres", 5000, "kilometre"),
        ("5 000 kilometres", 5000, "kilometre"),
        ("20,000 feet", 20000, "foot"),
        ("a 90-minute film", 90, "minute"),
        ("over 100 kW", 100, "kilowatt"),
        ("länger als 90 Minuten", 90, "minute"),
        ("plus de 2 heures", 2, "hour"),
        ("1.5 hours", 1.5, "hour"),
        ("half an hour", 0.5, "hour"),
        ("an hour", 1, "hour"),
        ("three hours", 3, "hour"),
        ("twenty-five metres", 25, "metre"),
        ("eighty five metres", 85, "metre"),
        ("-40 metres", -40, "metre"),
        ("1000 square miles", 1000, "square mile"),
        ("1000 sq km", 1000, "square kilometre"),
        ("1000 km²", 1000, "square kilometre"),
        ("more than 1.5 million people", 1.5e6, "1"),
        ("over a million inhabitants", 1e6, "1"),
        ("three hundred thousand inhabitants", 3e5, "1"),
        ("12 inhabitants", 12, "1"),
        ("half a billion dollars", 5e8, DOLLAR),
        ("5 million US dollars", 5e6, DOLLAR),
        ("$426 million", 4.26e8, DOLLAR),
        ("$1,234,567.89", 1234567.89, DOLLAR),
        ("above $1.5bn.", 1.5e9, DOLLAR),
        ("$20k", 20_000, DOLLAR),
        ("€5 billion", 5e9, "euro"),
        ("100 €", 100, "euro"),
        ("¥100", 100, YEN),
        ("100 Japanese yen", 100, YEN),
    ],
)
def test_numbers(text: str, number: float, unit: str) -> None:
    assert values(text) == [Quantity(pytest.approx(number), unit)]


def test_a_unit_that_only_converts_to_the_graphs_is_one() -> None:
    (value,) = values("deeper than 10 yards")
    assert isinstance(value, Quantity)
    assert number_in(value, "metre") == pytest.approx(9.144)


@pytest.mark.parametrize("text", ["5 bananas", "5 km/h", "5 in Rome", "5 is", "5 of 7 dwarves"])
def test_a_word_that_is_no_unit_of_the_graph_stays_outside(text: str) -> None:
    first = read(text)[0]
    assert (first.text, first.value) == ("5", Quantity(5))


@pytest.mark.parametrize(
    "text", ["Which of the two has more?", "the five of us", "the three in Rome", "5 HA"]
)
def test_a_short_form_is_a_unit_only_beside_digits_and_in_its_letters(text: str) -> None:
    found = find_literals(text, ("hectare", "square metre", "second", "metre"))
    assert all(isinstance(one.value, Quantity) and one.value.unit == NO_UNIT for one in found)


def test_a_short_form_beside_digits_is_a_unit() -> None:
    (found,) = find_literals("farms of more than 5 ha", ("hectare",))
    assert found.value == Quantity(5, "hectare")


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ('Who played "Mia Wallace"?', "Mia Wallace"),
        ("Who played 'Mia Wallace'?", "Mia Wallace"),
        ("Who played “Mia Wallace”?", "Mia Wallace"),
        ("Who played ‘Mia Wallace’?", "Mia Wallace"),
        ('Who lives at "21 Jump Street"?', "21 Jump Street"),
        ('"born on 12 February 1809"', "born on 12 February 1809"),
    ],
)
def test_quoted_texts_are_taken_whole(text: str, inner: str) -> None:
    assert values(text) == [String(inner)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("at least two teachers", 2),
        ("more than three wines", 3),
        ("fewer than twelve", 12),
        ("two or more jobs", 2),
        ("at least one of them", 1),
        ("the top five films", 5),
        ("seen more than once", 1),
        ("at least twice", 2),
        ("more than a single document", 1),
        ("schools that have two teachers", 2),
        ("the first three films", 3),
        ("the three largest cities", 3),
        ("the third largest city", 3),
        ("the second-oldest singer", 2),
        ("over 3k", 3000),
        ("more than 1.5bn", 1.5e9),
        ("a dozen eggs", 12),
        ("half a dozen", 6),
        ("two hundred and fifty songs", 250),
        ("one thousand five hundred seats", 1500),
        ("two million three hundred thousand", 2.3e6),
    ],
)
def test_numbers_that_the_words_around_them_speak_of(text: str, number: float) -> None:
    assert values(text) == [Quantity(number)]


@pytest.mark.parametrize(
    "text",
    [
        "the two brothers",
        "the first one",
        "the last two-seater car",
        "the one largest city",
        "with one of them",
        "over a bridge",
    ],
)
def test_number_words_that_count_nothing(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [("30% of them", 30), ("12.5 percent", 12.5), ("$300", 300), ("over $5 million", 5e6), ("€20", 20)],
)
def test_units_that_the_graph_does_not_know_belong_to_the_number(text: str, value: float) -> None:
    (literal,) = find_literals(text, ())
    assert literal.value == Quantity(value)
    assert literal.text == text.removesuffix(" of them").removeprefix("over ")


@pytest.mark.parametrize(
    ("text", "words", "first", "last"),
    [
        ("films between 1990 and 2000", "between 1990 and 2000", Year(1990), Year(2000)),
        ("films from 1990 to 2000", "from 1990 to 2000", Year(1990), Year(2000)),
        ("films of 1990-2000", "1990-2000", Year(1990), Year(2000)),
        ("1990–2000", "1990–2000", Year(1990), Year(2000)),
        ("in the range of 80 and 120", "in the range of 80 and 120", Quantity(80), Quantity(120)),
        ("between 800 and 12000", "between 800 and 12000", Quantity(800), Quantity(12000)),
        ("between two and five", "between two and five", Quantity(2), Quantity(5)),
        (
            "from 5 to 10 km long",
            "from 5 to 10 km",
            Quantity(5, "kilometre"),
            Quantity(10, "kilometre"),
        ),
        (
            "between May 3rd, 2001 and 4 June 2002",
            "between May 3rd, 2001 and 4 June 2002",
            Date(2001, 5, 3),
            Date(2002, 6, 4),
        ),
        ("made in the 1990s", "the 1990s", Year(1990), Year(1999)),
        ("hits of the '80s", "the '80s", Year(1980), Year(1989)),
        ("in the 19th century", "the 19th century", Year(1801), Year(1900)),
        ("in February 2004", "February 2004", Date(2004, 2, 1), Date(2004, 2, 29)),
    ],
)
def test_ranges(text: str, words: str, first: Value, last: Value) -> None:
    (literal,) = read(text)
    assert (literal.text, literal.value, literal.until) == (words, first, last)
    assert text[literal.start : literal.end] == words


@pytest.mark.parametrize(
    "text", ["1990 and 2000", "from 2000 to 1990", "from 5 metres to 3 km", "1990 or 2000", "5 km, 7 km"]
)
def test_two_values_that_make_no_range(text: str) -> None:
    assert [literal.until for literal in read(text)] == [None, None]


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", '""', '" "', "Palme d'Or", "don't and can't", "Hans' and Peter's sister"),
        *("U2", "iPhone 4S", "4K films", "B52s", "5minutesago", "$5minutes"),
        *("one of two films", "a film", "Which one is it?", "someone", "ten films", "five-star hotels"),
        *("192.168.0.1", "version 1.2.3", "1e5", "1,80 metre", "12.02.1809", "snake_5"),
    ],
)
def test_what_is_no_value(text: str) -> None:
    assert read(text) == ()


def test_values_come_in_order_and_do_not_overlap() -> None:
    text = 'In 1990 or on 12 May 2001, "in 2 days", 5 km, $3 million or the 16th of 7?'
    found = read(text)
    assert [literal.value for literal in found] == [
        *(Year(1990), Date(2001, 5, 12), String("in 2 days"), Quantity(5, "kilometre")),
        *(Quantity(3e6, DOLLAR), Quantity(16), Quantity(7)),
    ]
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(literal.text == text[literal.start : literal.end] for literal in found)


def test_digits_of_other_scripts_are_digits() -> None:
    assert values("\uff12\uff10\uff10\uff10 or \u0661\u0662") == [Year(2000), Quantity(12)]


def test_a_number_beyond_any_is_none() -> None:
    assert read("more than " + "9" * 400) == ()
    assert read("more than " + "9" * 300 + " trillion trillion million metres") == ()


@pytest.mark.parametrize(
    "text",
    [
        *("1," * 1000, "1,111" * 400, "1 111 " * 333, "1" * 2000, "1." * 1000, "-" * 2000, "1-" * 1000),
        *('"' * 2000, "'" * 2000, "'a " * 666, '"' + "a" * 1999, "“‘" * 1000),
        *("5 " + "kilo" * 490 + "metre", "5 " + "square " * 280, "5 " + "per " * 490, "5 km " * 400),
        *("5 " + "million " * 249, "a " * 1000, "half " * 400, "1 January " * 200, "2000-01-" * 250),
        *("1" + " " * 1998 + "m", "1" + "a" * 1999, "$" * 2000, "²" * 2000, "٣" * 2000),
    ],
    ids=lambda text: f"{text[:12]}…",
)
def test_hostile_texts_take_no_time_and_print(text: str) -> None:
    with little_work():
        found = read(text)
    assert all(str(literal.value) for literal in found)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2010年有多少人住在New York?", ["2010"]),
        ("哪些山高于20000英尺?", ["20000"]),
        ("1994年的3部电影", ["1994", "3"]),
        ("room7的价格", []),
    ],
)
def test_numbers_stand_beside_letters_of_scripts_without_blanks(text: str, values: list[str]) -> None:
    assert [str(literal.value) for literal in find_literals(text, ())] == values
