"""The meaning of every function, on a graph small enough to answer by eye (fixtures/tiny.json)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.errors import InvalidProgram
from compilers.kopl.functions import FUNCTIONS, Type
from compilers.kopl.notations import read_program
from compilers.kopl.values import Year
from tests.kopl.strategies import graphs, programs
from tests.oracle.graph import Graph, RelationFact
from tests.oracle.interpret import MEANINGS, interpret

ANSWERS = [
    ("FindAll()->Count()", ["9"]),
    # A name stands for all that bear it, concepts included; an unknown one for nothing.
    ("Find(Alex Kim)->Count()", ["2"]),
    ("Find(Alex Kim)->What()", ["Alex Kim"]),
    ("Find(egg)->Count()", ["2"]),
    ("Find(alex kim)->What()", []),
    ("Find(Nobody)->Count()", ["0"]),
    # Concepts: those below included, homonyms together, circles harmless, concepts no members.
    ("FindAll()->FilterConcept(person)->What()", ["Alex Kim", "Berta Díaz"]),
    ("FindAll()->FilterConcept(artist)->Count()", ["2"]),
    ("FindAll()->FilterConcept(place)->What()", ["Lakeside", "Riverton"]),
    ("FindAll()->FilterConcept(big city)->What()", ["Riverton"]),
    ("FindAll()->FilterConcept(film)->What()", ["Dawn", "Dusk", "Noon"]),
    ("FindAll()->FilterConcept(egg)->What()", ["egg"]),
    ("Find(city)->FilterConcept(place)->What()", []),
    ("FindAll()->FilterConcept(Film)->What()", []),
    # Attributes.
    ('FindAll()->FilterStr(nickname, "Lex, \\"the\\" eye")->What()', ["Alex Kim"]),
    ("FindAll()->FilterStr(nickname, kim)->What()", []),
    ("FindAll()->FilterStr(height, 180 centimetre)->What()", []),
    ("FindAll()->FilterNum(height, 1.8 metre, =)->Count()", ["2"]),
    ("FindAll()->FilterNum(height, 175 centimetre, <)->Count()", ["1"]),
    ("FindAll()->FilterNum(height, 1.7 metre, !=)->Count()", ["2"]),
    ("FindAll()->FilterNum(height, 1.8 dollar, !=)->Count()", ["0"]),
    ("FindAll()->FilterNum(budget, 6 dollar, >)->What()", ["Dusk", "Noon"]),
    ("FindAll()->FilterNum(population, 900, >)->Count()", ["1"]),
    ("FindAll()->FilterNum(elevation, -4 metre, >)->What()", ["Riverton"]),
    ("FindAll()->FilterYear(date of birth, 1960, =)->Count()", ["2"]),
    ("FindAll()->FilterYear(date of birth, 1960, !=)->What()", ["Berta Díaz"]),
    ("FindAll()->FilterYear(date of birth, 1960, <)->What()", ["Berta Díaz"]),
    ("FindAll()->FilterDate(date of birth, 1960-02-01, =)->Count()", ["1"]),
    ("FindAll()->FilterDate(date of birth, 1960-02-01, !=)->Count()", ["2"]),
    ("FindAll()->FilterDate(date of birth, 1960-02-02, <)->Count()", ["2"]),
    ("FindAll()->FilterDate(date of birth, 1959-01-01, >)->Count()", ["2"]),
    ("FindAll()->FilterYear(nickname, 1960, =)->What()", []),
    # Qualifiers of the facts that brought the entities in.
    ("Find(Dusk)->Relate(directed by, forward)->QFilterStr(award, Gold)->Count()", ["1"]),
    ("Find(Dusk)->Relate(directed by, forward)->QFilterStr(award, Silver)->Count()", ["1"]),
    ("Find(Dusk)->Relate(directed by, forward)->QFilterStr(award, Bronze)->Count()", ["0"]),
    ("FindAll()->FilterNum(population, 0, >)->QFilterNum(margin, 3 percent, >)->What()", ["Riverton"]),
    ("FindAll()->FilterNum(population, 1000, =)->QFilterNum(margin, 3 percent, >)->What()", []),
    ("FindAll()->FilterNum(population, 0, >)->QFilterYear(point in time, 2010, =)->What()", ["Riverton"]),
    ("FindAll()->FilterNum(population, 0, >)->QFilterDate(point in time, 2005-01-01, <)->Count()", ["1"]),
    (
        "FindAll()->FilterNum(population, 0, >)->QFilterStr(source, census)"
        "->QFilterYear(point in time, 2010, =)->What()",
        [],
    ),
    ("Find(Berta Díaz)->Relate(spouse, backward)->QFilterYear(start time, 1999, =)->Count()", ["1"]),
    # Relations.
    ("Find(Dawn)->Relate(directed by, forward)->Count()", ["1"]),
    ("Find(Alex Kim)->Relate(directed by, backward)->What()", ["Dawn", "Dusk"]),
    ("Find(Alex Kim)->Relate(directed by, forward)->What()", []),
    ("Find(Alex Kim)->Relate(spouse, forward)->Count()", ["1"]),
    ("Find(Berta Díaz)->Relate(field, forward)->What()", ["film"]),
    ("Find(film)->Relate(field, backward)->What()", ["Berta Díaz"]),
    ("Find(egg)->Relate(part of, backward)->What()", ["egg"]),
    ("Find(Nobody)->Relate(spouse, forward)->What()", []),
    # Sets.
    ("Find(Dawn)->FindAll()->And()->What()", ["Dawn"]),
    ("Find(Dawn)->Find(Dusk)->And()->What()", []),
    ("Find(Dawn)->Find(Dusk)->Or()->What()", ["Dawn", "Dusk"]),
    ("Find(Dawn)->Find(Dawn)->Or()->Count()", ["1"]),
    # Values.
    ("Find(Riverton)->QueryAttr(population)", ["1000", "1200"]),
    ("Find(Riverton)->QueryAttr(elevation)", ["-3.7 metre"]),
    ("Find(Alex Kim)->QueryAttr(date of birth)", ["1960", "1960-02-01"]),
    ("FindAll()->QueryAttr(duration)", ["2 hour", "90 minute"]),
    ("FindAll()->QueryAttr(nothing)", []),
    ("Find(Riverton)->QueryAttrUnderCondition(population, point in time, 2000)", ["1000"]),
    ("Find(Riverton)->QueryAttrUnderCondition(population, point in time, 2010)", ["1200"]),
    ("Find(Riverton)->QueryAttrUnderCondition(population, point in time, 2000-01-01)", []),
    ("Find(Riverton)->QueryAttrUnderCondition(population, margin, 3.5 percent)", ["1200"]),
    ("Find(Riverton)->QueryAttrUnderCondition(population, source, census)", ["1000"]),
    ("FindAll()->QueryAttrQualifier(population, 1000, source)", ["census"]),
    ("FindAll()->QueryAttrQualifier(publication date, 1990, place)", ["Oslo"]),
    ("FindAll()->QueryAttrQualifier(publication date, 1990-05-05, place)", ["Oslo"]),
    ("FindAll()->QueryAttrQualifier(population, 1 dollar, source)", []),
    ("Find(Alex Kim)->Find(Berta Díaz)->QueryRelation()", ["friend of", "spouse"]),
    ("Find(Berta Díaz)->Find(Alex Kim)->QueryRelation()", []),
    ("Find(Alex Kim)->Find(Berta Díaz)->QueryRelationQualifier(spouse, start time)", ["1985", "1999"]),
    ("Find(Alex Kim)->Find(Berta Díaz)->QueryRelationQualifier(spouse, end time)", ["1990-10-03"]),
    ("Find(Berta Díaz)->Find(Alex Kim)->QueryRelationQualifier(spouse, end time)", []),
    # Choosing: in the commonest unit, ties kept; years and dates where there are no quantities.
    ("FindAll()->SelectAmong(height, largest)", ["Alex Kim", "Berta Díaz"]),
    ("FindAll()->SelectAmong(height, smallest)", ["Alex Kim"]),
    ("FindAll()->SelectAmong(duration, largest)", ["Dusk"]),
    ("FindAll()->SelectAmong(duration, smallest)", ["Dawn", "Noon"]),
    ("FindAll()->SelectAmong(budget, smallest)", ["Dusk"]),
    ("Find(Dawn)->Find(Dusk)->SelectBetween(budget, less)", ["Dusk"]),
    ("Find(Riverton)->Find(Lakeside)->SelectBetween(population, greater)", ["Riverton"]),
    ("Find(Riverton)->Find(Lakeside)->SelectBetween(population, less)", ["Lakeside"]),
    ("FindAll()->SelectAmong(date of birth, smallest)", ["Berta Díaz"]),
    ("FindAll()->SelectAmong(publication date, smallest)", ["Dawn", "Dusk"]),
    ("FindAll()->SelectAmong(publication date, largest)", ["Dusk"]),
    ("FindAll()->SelectAmong(nickname, largest)", ["Alex Kim"]),
    ("Find(Nobody)->Find(Nobody)->SelectBetween(height, less)", []),
    # Verifying: all, none, some; nothing at all is no.
    ("Find(Berta Díaz)->QueryAttr(nickname)->VerifyStr(1960)", ["yes"]),
    ("Find(Alex Kim)->QueryAttr(nickname)->VerifyStr(Kim)", ["not sure"]),
    ("Find(Berta Díaz)->QueryAttr(height)->VerifyNum(180 centimetre, =)", ["yes"]),
    ("Find(Berta Díaz)->QueryAttr(height)->VerifyNum(3 dollar, !=)", ["no"]),
    ("Find(Riverton)->QueryAttr(population)->VerifyNum(1100, <)", ["not sure"]),
    ("Find(Alex Kim)->QueryAttr(date of birth)->VerifyYear(1960, =)", ["yes"]),
    ("Find(Alex Kim)->QueryAttr(date of birth)->VerifyDate(1960-02-01, =)", ["not sure"]),
    ("Find(Nobody)->QueryAttr(height)->VerifyNum(1, !=)", ["no"]),
    # A number is one value.
    ("Find(Riverton)->QueryAttr(population)->CountValues()->VerifyNum(2, =)", ["yes"]),
    ("Find(Nobody)->Count()->VerifyNum(0, =)", ["yes"]),
    ("Find(Nobody)->QueryAttr(height)->Average()->VerifyNum(0, =)", ["no"]),
]


def steps(*calls: str) -> str:
    """A program whose steps say what feeds them."""
    return "\n".join(f"Step {number}: {call}" for number, call in enumerate(calls, 1))


FILMS = ("FindAll()", "FilterConcept(film)")
BY_DIRECTOR = (*FILMS, "Relate(directed by, forward)")
LASTING = (*BY_DIRECTOR, "QueryAttr(duration) <- 2")
DURATIONS = (*FILMS, "QueryAttr(duration)", "Table() <- 2, 3")
EXTENSIONS = [
    # Sets.
    (
        "FindAll()->FilterConcept(film)->Find(Alex Kim)->Relate(directed by, backward)->Except()->What()",
        ["Noon"],
    ),
    ("FindAll()->Find(Nobody)->Except()->Count()", ["9"]),
    ("FindAll()->FilterHasAttr(nickname)->What()", ["Alex Kim", "Berta Díaz"]),
    (
        steps(
            "FindAll()",
            "Relate(directed by, forward)",
            "QueryAttr(height)",
            "SelectTopBy(smallest, 1) <- 1, 3",
            "What()",
        ),
        ["Dusk"],
    ),
    ("Find(egg)->RelateTransitive(part of, backward)->What()", ["egg"]),
    ("Find(Dusk)->RelateTransitive(directed by, forward)->QueryAttr(height)->CountValues()", ["2"]),
    ("FindAll()->FilterContains(nickname, THE)->What()", ["Alex Kim"]),
    ('FindAll()->FilterContains(nickname, "\\"the\\" e")->What()', ["Alex Kim"]),
    ("FindAll()->FilterContains(height, 180)->What()", []),
    ("FindAll()->FilterContains(population, 1)->QFilterStr(source, census)->What()", []),
    ("FindAll()->FilterNameContains(DÍAZ)->What()", ["Berta Díaz"]),
    ("FindAll()->FilterNameContains(D)->What()", ["Berta Díaz", "Dawn", "Dusk", "Lakeside"]),
    ("Find(Dusk)->FilterNameContains(kim)->What()", []),
    ("FindAll()->FilterHasAttr(population)->QFilterStr(source, census)->What()", ["Riverton"]),
    ("FindAll()->FilterHasRelation(directed by, forward)->What()", ["Dawn", "Dusk"]),
    ("FindAll()->FilterHasRelation(directed by, backward)->Count()", ["2"]),
    ("FindAll()->FilterHasRelation(directed by, forward)->QFilterStr(award, Gold)->What()", ["Dusk"]),
    ("Find(Nobody)->Exists()", ["no"]),
    ("Find(Dawn)->Exists()", ["yes"]),
    # Compared with a number of the whole set, in one unit.
    (
        steps("FindAll()", "QueryAttr(height)", "Average()", "FilterCompare(>) <- 2, 3", "What()"),
        ["Alex Kim", "Berta Díaz"],
    ),
    (steps("FindAll()", "QueryAttr(height)", "Maximum()", "FilterCompare(=) <- 2, 3", "Count()"), ["2"]),
    (
        steps(
            "FindAll()",
            "QueryAttr(height)",
            "Find(Nobody)",
            "QueryAttr(height)",
            "Average()",
            "FilterCompare(!=) <- 2, 5",
            "What()",
        ),
        [],
    ),
    # Each member with what it leads to; a bare year is not told from the days in it, but is none of them.
    *(
        (
            steps(
                "FindAll()",
                "QueryAttr(publication date) <- 1",
                f"Relate(follows, {direction}) <- 1",
                "QueryAttr(publication date)",
                f"FilterCompare({comparison}) <- 2, 4",
                "What()",
            ),
            found,
        )
        for direction, comparison, found in (
            ("forward", ">", ["Dusk"]),
            ("forward", "<", []),
            ("forward", "=", ["Dusk"]),
            ("backward", "=", []),
            ("backward", "<", ["Dawn"]),
        )
    ),
    # Each member with every other, where no step is shared.
    (
        steps(
            "FindAll()",
            "QueryAttr(publication date)",
            "FindAll()",
            "QueryAttr(publication date)",
            "FilterCompare(<) <- 2, 4",
            "What()",
        ),
        ["Dawn", "Dusk"],
    ),
    (
        steps(
            "FindAll()",
            "QueryAttr(publication date) <- 1",
            "QueryAttr(publication date) <- 1",
            "FilterCompare(<) <- 2, 3",
            "What()",
        ),
        ["Dusk"],
    ),
    # Counted: what goes with none is not there.
    *(
        (steps(*BY_DIRECTOR, f"FilterCount({count}) <- 2, 3", "What()"), found)
        for count, found in (
            ("2, =", ["Dusk"]),
            ("2, <", ["Dawn"]),
            ("0, =", []),
            ("0, >", ["Dawn", "Dusk"]),
            ("1, !=", ["Dusk"]),
        )
    ),
    (
        steps(*FILMS, "FindAll()", "FilterConcept(place)", "FilterCount(2, =) <- 2, 4", "What()"),
        ["Dawn", "Dusk", "Noon"],
    ),
    # Places in an order, with those that tie.
    ("FindAll()->SelectTop(height, largest, 1)->Count()", ["2"]),
    ("FindAll()->SelectTop(height, largest, 5)->Count()", ["3"]),
    ("FindAll()->SelectTop(duration, largest, 1)->What()", ["Dusk"]),
    ("FindAll()->SelectTop(duration, largest, 2)->What()", ["Dawn", "Dusk", "Noon"]),
    ("FindAll()->SelectTop(budget, smallest, 1)->What()", ["Dusk"]),
    ("FindAll()->SelectTop(population, smallest, 1)->What()", ["Lakeside"]),
    ("FindAll()->SelectTop(date of birth, smallest, 2)->Relate(directed by, backward)->What()", ["Dusk"]),
    ("FindAll()->SelectTop(nickname, largest, 1)->What()", ["Alex Kim"]),
    ("FindAll()->SelectNth(height, largest, 2)->Count()", ["2"]),
    ("FindAll()->SelectNth(height, largest, 3)->Count()", ["1"]),
    ("FindAll()->SelectNth(height, largest, 4)->Count()", ["0"]),
    ("FindAll()->SelectNth(duration, largest, 2)->What()", ["Dawn", "Noon"]),
    (
        "FindAll()->SelectNth(date of birth, smallest, 3)->Relate(directed by, backward)->What()",
        ["Dawn", "Dusk"],
    ),
    ("FindAll()->SelectPlaces(duration, largest, 2, 9)->What()", ["Dawn", "Noon"]),
    ("FindAll()->SelectPlaces(duration, largest, 1, 2)->What()", ["Dawn", "Dusk", "Noon"]),
    ("FindAll()->SelectPlaces(duration, largest, 4, 9)->Count()", ["0"]),
    # Of three a third is one; a hundredth more is two, and the third ties with the second.
    ("FindAll()->SelectShare(duration, largest, 33)->What()", ["Dusk"]),
    ("FindAll()->SelectShare(duration, largest, 34)->What()", ["Dawn", "Dusk", "Noon"]),
    # What goes with a member in all: its values over the ways, in one unit.
    *(
        (steps(*LASTING, f"FilterAggregate({test}) <- 3, 4", "Count()"), found)
        for test, found in (
            ("sum, 3 hour, >", ["1"]),
            ("sum, 120 minute, >=", ["2"]),
            ("average, 105 minute, =", ["1"]),
            ("minimum, 90 minute, <=", ["1"]),
            ("maximum, 2 hour, !=", ["0"]),
            ("sum, 120 metre, !=", ["0"]),
            ("sum, tall, =", ["0"]),
        )
    ),
    # Stated numbers: with each value, with a number, within a group; a half is rounded up.
    (steps(*FILMS, "QueryAttr(duration)", "Number(2)", "Calculate(*) <- 3, 4"), ["180 minute", "240 minute"]),
    (steps(*FILMS, "QueryAttr(duration)", "Number(1 hour)", "FilterCompare(>) <- 3, 4", "Count()"), ["3"]),
    (steps(*FILMS, "QueryAttr(duration)", "Number(0)", "Calculate(/) <- 3, 4"), []),
    (steps(*FILMS, "Count()", "FindAll()", "Count()", "Calculate(/) <- 3, 5", "Round(2)"), ["0.33"]),
    ("Number(2.5)->Round(0)", ["3"]),
    # Years and months of dates: a bare year has no month, a quantity neither.
    ("Find(Alex Kim)->QueryAttr(date of birth)->Period(year)", ["1960"]),
    ("Find(Alex Kim)->QueryAttr(date of birth)->Period(month)", ["1960-02"]),
    ("FindAll()->QueryAttr(height)->Period(year)", []),
    (
        steps(*FILMS, "QueryAttr(publication date)", "Period(year)", "Count() <- 2", "Table() <- 4, 5"),
        ["1990\t2", "1991\t1"],
    ),
    ("Number(-2.5 metre)->Round(0)", ["-2 metre"]),
    ("Number(1.005)->Round(2)", ["1.01"]),
    (
        steps(
            *BY_DIRECTOR,
            "QueryAttr(duration) <- 2",
            "Sum()",
            "Number(60)",
            "Calculate(/) <- 5, 6",
            "Round(1)",
            "Table() <- 3, 8",
            "FilterTable(2, 2 minute, >)",
        ),
        ["Alex Kim\t3.5 minute"],
    ),
    # What shares no step with the rows is one number.
    (
        steps(
            *BY_DIRECTOR,
            "QueryAttr(duration) <- 2",
            "Sum()",
            "FindAll()",
            "QueryAttr(duration)",
            "Sum()",
            "Calculate(/) <- 5, 8",
            "Round(2)",
            "Table() <- 3, 8, 10",
            "FilterTable(3, 0.5, >)",
        ),
        ["Alex Kim\t300 minute\t0.7"],
    ),
    (
        steps(*FILMS, "QueryAttr(duration)", "Number(2)", "Calculate(*) <- 3, 4", "Sum()"),
        ["600 minute"],
    ),
    # Numbers: in the commonest unit, each value of each entity once; of nothing only a sum.
    ("FindAll()->QueryAttr(duration)->Sum()", ["300 minute"]),
    ("FindAll()->QueryAttr(budget)->Sum()", ["16 dollar"]),
    ("FindAll()->Relate(directed by, backward)->QueryAttr(duration)->Sum()", ["210 minute"]),
    ("Find(Nobody)->QueryAttr(height)->Sum()", ["0 metre"]),
    ("Find(Nobody)->QueryAttr(height)->Average()", []),
    ("Find(Nobody)->QueryAttr(height)->Minimum()", []),
    ("Find(Nobody)->QueryAttr(height)->CountValues()", ["0"]),
    ("FindAll()->QueryAttr(population)->Average()", ["1000"]),
    ("FindAll()->QueryAttr(duration)->Average()", ["100 minute"]),
    ("FindAll()->QueryAttr(elevation)->Maximum()", ["-3.7 metre"]),
    ("FindAll()->QueryAttr(date of birth)->Minimum()", ["1958-07-09"]),
    ("FindAll()->QueryAttr(date of birth)->Maximum()", ["1960-02-01"]),
    ("FindAll()->QueryAttr(publication date)->Minimum()", ["1990"]),
    ("FindAll()->QueryAttr(publication date)->Sum()", []),
    ("FindAll()->QueryAttr(nickname)->Maximum()", []),
    ("FindAll()->QueryAttr(duration)->CountValues()", ["2"]),
    ("FindAll()->QueryAttr(height)->CountValues()", ["3"]),
    # Calculated of the same member, of every two, of numbers; by nothing there is no quotient.
    (
        steps(
            "Find(Riverton)",
            "QueryAttr(population) <- 1",
            "QueryAttr(elevation) <- 1",
            "Calculate(*) <- 2, 3",
        ),
        ["-3700 metre", "-4440 metre"],
    ),
    (
        steps(
            "Find(Riverton)",
            "QueryAttr(population)",
            "Find(Riverton)",
            "QueryAttr(population)",
            "Calculate(-) <- 2, 4",
        ),
        ["-200", "0", "200"],
    ),
    (steps("Find(Riverton)", "QueryAttr(population)", "Calculate(-) <- 2, 2", "Calculate(/) <- 2, 3"), []),
    (
        steps(
            "Find(Berta Díaz)",
            "QueryAttr(height)",
            "Find(Alex Kim)",
            "QueryAttr(height)",
            "Calculate(-) <- 2, 4",
        ),
        ["0 metre", "0.1 metre"],
    ),
    (steps("Find(Dawn)", "QueryAttr(budget)", "Find(Dusk)", "QueryAttr(budget)", "Calculate(+) <- 2, 4"), []),
    (
        steps(
            "Find(Dusk)",
            "QueryAttr(publication date)",
            "Find(Berta Díaz)",
            "QueryAttr(date of birth)",
            "Calculate(-) <- 2, 4",
        ),
        ["11623 day", "11864 day"],
    ),
    (
        steps(
            "Find(Dawn)",
            "QueryAttr(publication date)",
            "Find(Berta Díaz)",
            "QueryAttr(date of birth)",
            "Calculate(-) <- 2, 4",
        ),
        [],
    ),
    (
        steps("FindAll()", "QueryAttr(population)", "Maximum()", "Calculate(-) <- 3, 2"),
        ["0", "200", "400"],
    ),
    *(
        (steps("FindAll()", "Count()", "Find(Nobody)", "Count()", f"Calculate({operator}) <- 2, 4"), found)
        for operator, found in (("+", ["9"]), ("*", ["0"]), ("/", []))
    ),
    # Tables: a row for each way, which those of one line share.
    (steps(*BY_DIRECTOR, "Table() <- 2, 3"), ["Dawn\tAlex Kim", "Dusk\tAlex Kim", "Dusk\tAlex Kim"]),
    (steps(*BY_DIRECTOR, "Table() <- 2, 3", "DistinctTable()", "CountTable()"), ["3"]),
    (steps(*FILMS, "FindAll()", "FilterConcept(place)", "Table() <- 2, 4", "CountTable()"), ["6"]),
    (steps("Find(Nobody)", "Table()", "CountTable()"), ["0"]),
    # A qualifier is asked of the fact that led there, not of another that did.
    (
        steps("FindAll()", "Relate(directed by, forward)", "QFilterStr(award, Gold)", "Table() <- 1, 3"),
        ["Dusk\tAlex Kim"],
    ),
    # Numbers beside what they are grouped by, and alone.
    (steps(*BY_DIRECTOR, "Count() <- 2", "Table() <- 3, 4"), ["Alex Kim\t1", "Alex Kim\t2"]),
    (steps(*BY_DIRECTOR, "Count() <- 2", "Table() <- 3, 4", "FilterTable(2, 1, >)"), ["Alex Kim\t2"]),
    (
        steps(*BY_DIRECTOR, "QueryAttr(duration) <- 2", "Sum()", "Table() <- 3, 5"),
        ["Alex Kim\t120 minute", "Alex Kim\t210 minute"],
    ),
    (
        steps(
            *BY_DIRECTOR,
            "QueryAttr(duration) <- 2",
            "Sum()",
            "Count() <- 2",
            "Calculate(/) <- 5, 6",
            "Table() <- 3, 7",
        ),
        ["Alex Kim\t105 minute", "Alex Kim\t120 minute"],
    ),
    (
        steps(
            *FILMS,
            "Count()",
            "QueryAttr(duration) <- 2",
            "Sum()",
            "Find(Nobody)",
            "QueryAttr(height)",
            "Average()",
            "Table() <- 3, 5, 8",
        ),
        ["3\t300 minute\t"],
    ),
    # Rows that stay where something is missing, once for each way that there is.
    (
        steps(
            "Find(Alex Kim)",
            "Relate(spouse, forward) <- 1",
            "QueryAttr(nickname) <- 2",
            "OptionalTable() <- 1, 2, 3",
        ),
        ["Alex Kim\t\t", "Alex Kim\tBerta Díaz\t1960"],
    ),
    # Rows filtered, in order, cut, without a column, and each once.
    (steps(*DURATIONS, "FilterTable(2, 100 minute, >)"), ["Dusk\t2 hour"]),
    (steps(*DURATIONS, "FilterTable(2, 100 metre, !=)"), []),
    (steps(*DURATIONS, "SortTable(2, descending)", "LimitTable(1)"), ["Dusk\t2 hour"]),
    (steps(*DURATIONS, "SortTable(2, ascending)", "SkipTable(2)"), ["Dusk\t2 hour"]),
    (steps(*DURATIONS, "SortTable(2, descending)", "LimitTable(2)", "SkipTable(2)"), []),
    (steps(*DURATIONS, "SortTable(2, descending)", "LimitTable(10 %)"), ["Dusk\t2 hour"]),
    (steps(*DURATIONS, "SortTable(2, ascending)", "SkipTable(66%)"), ["Dusk\t2 hour"]),
    (
        steps(*DURATIONS, "SortTable(1, descending)", "SortTable(2, ascending)"),
        ["Noon\t90 minute", "Dawn\t90 minute", "Dusk\t2 hour"],
    ),
    (steps(*DURATIONS, "SortTable(1, ascending)", "DropColumn(1)"), ["90 minute", "2 hour", "90 minute"]),
    (steps(*DURATIONS, "DropColumn(1)", "DistinctTable()"), ["2 hour", "90 minute"]),
    (
        steps(*FILMS, "QueryAttr(publication date)", "Table()", "SortTable(1, descending)"),
        ["1991-01-01", "1990-05-05", "1990"],
    ),
    # Two tables, row by row, each row once.
    *(
        (
            steps(
                *DURATIONS, "Find(Dawn)", "QueryAttr(duration)", "Table() <- 5, 6", f"{function}() <- 4, 7"
            ),
            found,
        )
        for function, found in (
            ("AndTable", ["Dawn\t90 minute"]),
            ("OrTable", ["Dawn\t90 minute", "Dusk\t2 hour", "Noon\t90 minute"]),
            ("ExceptTable", ["Dusk\t2 hour", "Noon\t90 minute"]),
        )
    ),
    (steps(*DURATIONS, "DropColumn(1)", "AndTable() <- 5, 5"), ["2 hour", "90 minute"]),
]


@pytest.mark.parametrize(("text", "answers"), ANSWERS, ids=[text for text, _ in ANSWERS])
def test_answers(text: str, answers: list[str], tiny: Graph) -> None:
    assert list(interpret(read_program(text), tiny).answers) == answers


@pytest.mark.parametrize(("text", "answers"), EXTENSIONS, ids=[text for text, _ in EXTENSIONS])
def test_answers_of_extensions(text: str, answers: list[str], tiny: Graph) -> None:
    """Rows that are not sorted have no order."""
    found = list(interpret(read_program(text), tiny).answers)
    assert (found if "SortTable" in text else sorted(found)) == answers


def test_every_function_has_a_meaning_and_a_test() -> None:
    tried = {step.signature.name for text, _ in (*ANSWERS, *EXTENSIONS) for step in read_program(text).steps}
    assert set(MEANINGS) == set(FUNCTIONS) == tried


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Find(Dawn)", Type.ENTITIES),
        ("Find(Dawn)->Relate(directed by, forward)", Type.ENTITIES),
        ("Find(Dawn)->QueryName()", Type.NAMES),
        ("Find(Dawn)->QueryAttr(budget)", Type.VALUES),
        ("Find(Dawn)->Count()", Type.NUMBER),
        ("Find(Dawn)->Find(Dusk)->QueryRelation()", Type.RELATIONS),
        ("Find(Dawn)->QueryAttr(budget)->VerifyNum(5 euro, =)", Type.VERDICT),
    ],
)
def test_kinds(text: str, kind: Type, tiny: Graph) -> None:
    assert interpret(read_program(text), tiny).kind == kind


def test_steps_and_ids(tiny: Graph) -> None:
    outcome = interpret(
        read_program("FindAll()->FilterConcept(film)->Relate(directed by, forward)->What()"), tiny
    )
    assert [step.count for step in outcome.steps] == [9, 3, 2, 1]
    assert outcome.entities == {"P1", "P2"}
    assert outcome.answers == ("Alex Kim",)
    assert len(outcome.steps[2].facts) == 3


def test_ties_keep_the_ids_apart(tiny: Graph) -> None:
    assert interpret(read_program("FindAll()->SelectAmong(height, largest)"), tiny).entities == {"P1", "P3"}


def test_a_doubtful_verdict_keeps_the_values(tiny: Graph) -> None:
    program = read_program("FindAll()->QueryAttr(date of birth)->VerifyYear(1960, =)")
    outcome = interpret(program, tiny)
    assert outcome.answers == ("not sure",)
    assert Year(1960) in outcome.values
    assert len(outcome.values) == 3


def test_a_broken_program_is_refused(tiny: Graph) -> None:
    with pytest.raises(InvalidProgram):
        interpret(read_program("Find(Dawn)->QFilterStr(award, Gold)->What()"), tiny)


def test_facts_are_stored_once(tiny: Graph) -> None:
    assert len(tiny.relations) == 9
    spouses = [fact for fact in tiny.relations if fact.relation == "spouse"]
    assert {(fact.source, fact.target) for fact in spouses} == {("P1", "P3")}
    assert RelationFact("P1", "spouse", "P3", frozenset({("start time", Year(1999))})) in spouses


@given(data=st.data())
def test_generated_programs_run_and_their_prefixes_agree(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    program = data.draw(programs(graph))
    outcome = interpret(program, graph)
    assert len(program) <= 8
    assert len(outcome.steps) == len(program)
    for index, step in enumerate(outcome.steps):
        assert step.kind == program.steps[index].signature.output
        assert interpret(program.prefix(index), graph).answers == step.answers
        assert {entity for entity, _ in step.facts} == (step.entities if step.kind == Type.FACTS else set())
