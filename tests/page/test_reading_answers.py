"""Answers on the page: verdicts, long lists, equal bars, readings; and the words that are marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from canned_gateway import canned
from driving import ask

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
THINGS = [
    {"value": f"https://kg.example.org/id/{number}", "type": "iri", "label": f"claim {number}"}
    for number in range(12)
]


def shown(page: Page, **fields: Any) -> None:
    """An answer with these fields; the others are those of the fixture with a number."""
    body = canned("number")["body"] | {"table": None, "bindings": [], "warnings": []} | fields
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])


def table_of(kind: str, column: str, cells: list[str]) -> dict[str, Any]:
    rows = [[f"film {number}", cell] for number, cell in enumerate(cells)]
    iris = [f"https://kg.example.org/id/{number}" for number in range(len(cells))]
    return {
        "columns": ["film", column],
        "rows": rows,
        "fields": [{"type": "iri", "iris": iris}, {"type": kind}],
    }


def test_a_long_list_is_said_by_its_length(page: Page) -> None:
    """The names stand below, once."""
    names = [one["label"] for one in THINGS]
    shown(page, answer={"text": f"{', '.join(names[:10])} and 2 more", "values": THINGS})
    assert page.locator(".headline").inner_text() == "12 results"
    assert page.locator(".values a").all_inner_texts() == names


def test_a_verdict_is_said_once(page: Page) -> None:
    """As a sentence."""
    values = [{"value": "yes", "type": "boolean"}]
    shown(page, answer={"text": "yes: the graph states 4808", "values": values})
    assert page.locator(".headline").inner_text() == "Yes: the graph states 4808"
    assert page.locator(".values").count() == 0


@pytest.mark.parametrize(
    ("reading", "count"), [("how many, FILMS are there", 0), ("What is the number of films?", 1)]
)
def test_a_reading_that_repeats_the_question_is_left_out(page: Page, reading: str, count: int) -> None:
    """Signs and capitals make no other reading."""
    shown(page, question="How many films are there?", reading=reading)
    assert page.locator(".read-as").count() == count


def test_a_mark_ends_with_its_word(page: Page) -> None:
    """A plural's ending belongs to the name; a name within another word is not marked."""
    item = {"step": 1, "argument": 0, "kind": "concept", "iri": "https://kg.example.org/c", "score": 1.0}
    bindings = [
        item | {"mention": mention, "label": mention, "alternatives": []} for mention in ("act", "claim")
    ]
    shown(page, question="In fact, which claims act?", bindings=bindings)
    marked = [text.split("\n")[0] for text in page.locator(".asked mark").all_inner_texts()]
    assert marked == ["claims", "act"]


@pytest.mark.parametrize(
    ("question", "function", "inputs", "marked"),
    [
        ("Which stations are in London?", "FilterStr", ["city", "London"], "London"),
        ("Which peaks are over 1,000 m?", "FilterNum", ["height", "1000 metre", ">"], "1,000"),
        ("Which peaks are over 15, which over 5?", "FilterNum", ["height", "5", ">"], "5"),
    ],
)
def test_a_value_is_marked(page: Page, question: str, function: str, inputs: list[str], marked: str) -> None:
    """With what has it, also where no word names that."""
    name = {"step": 1, "argument": 0, "kind": "attribute", "iri": "https://kg.example.org/a", "score": 1.0}
    binding = name | {"mention": inputs[1], "label": inputs[0], "alternatives": []}
    program = {"text": "", "steps": [{"function": function, "inputs": inputs, "dependencies": []}]}
    shown(page, question=question, bindings=[binding], program=program)
    mark = page.locator(".asked mark.sure")
    assert mark.evaluate("node => node.firstChild.data") == marked
    assert mark.get_attribute("title") == f"taken for a value of attribute {inputs[0]}"


def test_bars_that_are_all_equal_are_not_drawn(page: Page) -> None:
    """They tell nothing; others are, with the table in their order."""
    shown(page, answer={"text": "t", "values": []}, table=table_of("number", "count", ["1", "1", "1"]))
    assert page.locator(".chart").count() == 0
    page.unroute_all()
    shown(page, answer={"text": "t", "values": []}, table=table_of("number", "count", ["1", "3", "2"]))
    assert page.locator("td.number").all_inner_texts() == ["3", "2", "1"]


def test_columns_are_called_as_what_they_have(page: Page) -> None:
    """Without the numbers and kinds of values that tell variables apart."""
    table = table_of("number", "filmCount", [" 1", "3"]) | {"columns": ["film2", "filmCount"]}
    shown(page, answer={"text": "t", "values": []}, table=table)
    assert page.locator("th").all_inner_texts() == ["film", "film count"]


def test_days_of_a_thing_with_several_are_a_time_line(page: Page) -> None:
    """A column of days is not called after years."""
    table = table_of("date", "bornYear", ["1993-12-15", "1993-12-15", "1982-06-11"])
    table["rows"][2][0] = table["rows"][1][0]
    text = ", ".join(f"{name} ({day})" for name, day in table["rows"])
    shown(page, answer={"text": text, "values": []}, table=table)
    assert page.locator(".chart").get_attribute("data-kind") == "times"
    assert page.locator("th").all_inner_texts() == ["film", "born"]
    assert "December 15, 1993" in page.locator(".headline").inner_text()


def test_a_moment_is_shown_with_its_time_of_day(page: Page) -> None:
    datatype = "http://www.w3.org/2001/XMLSchema#dateTime"
    value = {"value": "2026-03-04T18:45:30", "type": "literal", "datatype": datatype}
    shown(page, answer={"text": value["value"], "values": [value]})
    assert "March 4, 2026 at 6:45:30" in page.locator(".headline").inner_text()


def test_meanings_are_chosen_in_one_place(page: Page) -> None:
    """An ambiguous name's other meanings are neither readings nor a warning as well."""
    case = canned("ambiguous")["body"]
    readings = [{"reading": "another", "program": "Step 1: FindAll()"}]
    warning = {"code": "ambiguous-name", "message": "with another the answer would be: 3"}
    fields = {key: case[key] for key in ("status", "bindings", "answer", "question")}
    shown(page, **fields, readings=readings, warnings=[warning])
    assert page.locator(".alternatives").count() > 0
    assert page.locator(".possible, .warnings").count() == 0


def test_the_strategy_is_for_developers(page: Page) -> None:
    """Others have no use for it, unless their address names one."""
    picker = page.locator("#strategy-picker")
    picker.wait_for()
    page.get_by_role("button", name="Developer").click()
    assert not picker.is_visible()
    page.locator("#strategy").evaluate("node => { node.selectedIndex = 1; }")
    assert picker.is_visible()


def test_a_phone_shows_two_columns_of_long_names(page: Page) -> None:
    """Names of columns break into lines rather than push numbers out of sight."""
    page.set_viewport_size({"width": 390, "height": 844})
    table = {
        "columns": ["numberOfPlatformsOfEach", "countOfStationsWithSuch"],
        "rows": [["2", "18"], ["1", "7"]],
    }
    shown(page, answer={"text": "t", "values": []}, table=table | {"fields": [{"type": "number"}] * 2})
    assert page.locator(".table").evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_chosen_strategy_and_the_focus_outlive_a_refresh(page: Page) -> None:
    """The datasets are listed again while examples are made."""
    page.locator("#strategy-picker").wait_for()
    page.locator("#strategy").select_option(index=1)
    page.locator(".example").first.focus()
    with page.expect_response("**/datasets"):
        page.evaluate("document.dispatchEvent(new Event('access'))")
    page.wait_for_timeout(200)
    assert page.locator("#strategy").evaluate("node => node.selectedIndex") == 1
    assert page.evaluate("document.activeElement.className") == "example"


@pytest.mark.parametrize(("told", "marked"), [({}, "en"), ({"reading_language": "de"}, "de")])
def test_a_reading_is_marked_with_its_language(page: Page, told: dict[str, str], marked: str) -> None:
    shown(page, reading="Was ist der Preis von Heu?", **told)
    assert page.locator(".read-as q").get_attribute("lang") == marked
