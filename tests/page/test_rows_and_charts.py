"""Tables and their charts: which tables have one, what it shows, and how rows are sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from canned_gateway import canned
from driving import ask, ask_case

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def show(
    page: Page, columns: list[str], rows: list[list[Any]], values: list[dict[str, Any]] | None = None
) -> None:
    """An answer with this table."""
    body = canned("number")["body"]
    body["table"] = {"columns": columns, "rows": rows}
    body["answer"] = {"text": "Some rows", "values": values or [{"value": "x", "type": "literal"}]}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])


def test_counts_per_group_are_bars(page: Page) -> None:
    """The longest first, in proportion, with numbers; the table is there too, and the picture has a name."""
    show(page, ["filmCount", "director"], [["3", "Nolan"], ["12", "Allen"], ["6", "Lean"]])
    chart = page.locator(".chart[data-kind=bars]")
    assert chart.locator("figcaption").inner_text() == "film count by director"
    assert chart.locator(".chart-name").all_inner_texts() == ["Allen", "Lean", "Nolan"]
    assert [bar.get_attribute("width") for bar in chart.locator("rect").all()] == ["100%", "50%", "25%"]
    name = page.get_by_role("img").first.get_attribute("aria-label") or ""
    assert "Highest: Allen, 12. Lowest shown: Nolan, 3." in name
    assert page.locator("tbody tr").count() == 3


def test_many_groups_show_the_largest(page: Page) -> None:
    """And say so."""
    show(page, ["city", "inhabitants"], [[f"City {n}", str(n)] for n in range(1, 60)])
    assert page.locator(".chart-name").count() == 15
    assert "the 15 largest of 59" in page.locator("figcaption").inner_text()


@pytest.mark.parametrize("times", [["1990", "1970", "1980"], ["1990-05-01", "1970-01-02", "1980-11-30"]])
def test_values_over_time_are_a_line(page: Page, times: list[str]) -> None:
    """In the order of time, with the unit in its title."""
    rows = [[time, f"{index + 5} metre"] for index, time in enumerate(times)]
    show(page, ["year", "height"], rows)
    chart = page.locator(".chart[data-kind=line]")
    assert chart.locator("figcaption").inner_text() == "height (metre) by year"
    title, plot = chart.locator("figcaption").bounding_box(), chart.locator("svg").bounding_box()
    assert title is not None
    assert plot is not None
    assert title["y"] + title["height"] <= plot["y"]
    assert plot["width"] > 400
    points = (chart.locator("polyline").get_attribute("points") or "").split()
    assert len(points) == 3
    assert points[0].startswith("0.00,")
    assert points[-1].startswith("100.00,")
    assert chart.locator(".chart-first").inner_text() == min(times)
    assert chart.locator(".chart-last").inner_text() == max(times)


WITHOUT_CHART: dict[str, tuple[list[str], list[list[str]]]] = {
    "no number": (["river", "mouth"], [["Nile", "Mediterranean"], ["Rhine", "North Sea"]]),
    "two units": (["river", "length"], [["Nile", "6650 kilometre"], ["Rhine", "766 mile"]]),
    "names repeat": (["river", "length"], [["Nile", "6650"], ["Nile", "6690"]]),
    "negative": (["place", "lowest"], [["Dead Sea", "-430"], ["Delft", "-1"]]),
    "one row": (["river", "length"], [["Nile", "6650"]]),
    "nothing": (["river", "length"], [["Nile", "0"], ["Rhine", "0"]]),
    "a gap": (["river", "length"], [["Nile", "6650"], ["Rhine", ""]]),
    "no name": (["length", "width"], [["1", "2"], ["3", "4"]]),
}


def test_other_tables_have_no_chart(page: Page) -> None:
    """A chart that misleads is worse than none."""
    for why, (columns, rows) in WITHOUT_CHART.items():
        show(page, columns, rows)
        cells = [cell or "–" for row in rows for cell in row]
        assert page.locator("tbody td").all_inner_texts() == cells, why
        assert page.locator(".chart").count() == 0, why


def test_rows_are_sorted_by_any_column(page: Page) -> None:
    """Numbers by value, texts by letters; gaps last; a third press brings the store's order back."""
    rows = [["b", "10"], ["C", "9"], ["a", ""], ["d", "100"]]
    show(page, ["name", "number"], rows)
    cells = page.locator("tbody td:first-child")
    heads = page.locator("th")
    by_number = page.get_by_role("button", name="number", exact=True)
    by_number.focus()
    orders = []
    for _ in range(3):
        page.keyboard.press("Enter")
        orders.append((heads.nth(1).get_attribute("aria-sort"), cells.all_inner_texts()))
    assert orders == [
        ("ascending", ["C", "b", "d", "a"]),
        ("descending", ["d", "b", "C", "a"]),
        ("none", ["b", "C", "a", "d"]),
    ]
    page.get_by_role("button", name="name", exact=True).click()
    assert cells.all_inner_texts() == ["a", "b", "C", "d"]
    assert [head.get_attribute("aria-sort") for head in heads.all()] == ["ascending", "none"]


def test_sorting_takes_all_rows(page: Page) -> None:
    """Those that are not shown yet as well."""
    show(page, ["name", "number"], [[f"n{n}", str(n)] for n in range(100)])
    for _ in range(2):
        page.get_by_role("button", name="number", exact=True).click()
    assert page.locator("tbody td").first.inner_text() == "n99"
    page.get_by_role("button", name="Show all 100").click()
    assert page.locator("tbody td").last.inner_text() == "0"


def show_table(page: Page, table: dict[str, Any], text: str = "Some rows") -> None:
    """An answer in these words with this table, and no values."""
    body = canned("number")["body"] | {"table": table, "answer": {"text": text, "values": []}}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])


LENGTHS: dict[str, Any] = {
    "columns": ["river", "length"],
    "rows": [["Nile", "6650 kilometre"], ["Missouri", "2341 mile"], ["Rhine", "766 mile"]],
    "fields": [
        {"type": "iri", "iris": [f"https://kg.example.org/id/{at}" for at in range(3)]},
        {
            "type": "number",
            "units": ["kilometre", "mile", "mile"],
            "amounts": [6650, 3767, 1233],
        },
    ],
}


def test_numbers_of_several_units_are_bars_in_proportion(page: Page) -> None:
    """Converted values are shown in their own units, and rows are sorted by amount."""
    show_table(page, LENGTHS)
    chart = page.locator(".chart[data-kind=bars]")
    assert chart.locator("figcaption").inner_text() == "length by river"
    assert chart.locator(".chart-number").all_inner_texts() == [
        "6,650 kilometers",
        "2,341 miles",
        "766 miles",
    ]
    widths = [float((bar.get_attribute("width") or "").rstrip("%")) for bar in chart.locator("rect").all()]
    assert [round(width) for width in widths] == [100, 57, 19]
    page.get_by_role("button", name="length", exact=True).click()
    assert page.locator("tbody td:first-child").all_inner_texts() == ["Rhine", "Missouri", "Nile"]


def test_dates_of_names_are_marks_along_a_line(page: Page) -> None:
    """The earliest first, each with its date as people write it."""
    fields = [{"type": "text"}, {"type": "date"}]
    rows = [["b", "1990-05-01"], ["a", "1970-01-02"], ["c", "1980-11-30"]]
    show_table(page, {"columns": ["person", "dateOfBirth"], "rows": rows, "fields": fields})
    chart = page.locator(".chart[data-kind=times]")
    assert chart.locator(".chart-name").all_inner_texts() == ["a", "c", "b"]
    assert chart.locator(".chart-number").first.inner_text() == "January 2, 1970"
    assert [one.get_attribute("cx") for one in chart.locator("circle").all()][::2] == ["2%", "98%"]


def test_rows_that_the_words_say_are_linked_in_them(page: Page) -> None:
    """With numbers as people write them; one row is no table besides."""
    table = {
        "columns": ["city", "inhabitants"],
        "rows": [["Lisbon", "545796 people"]],
        "fields": [
            {"type": "iri", "iris": ["https://kg.example.org/id/1"]},
            {"type": "number", "units": ["people"]},
        ],
    }
    show_table(page, table, "Lisbon (545796 people)")
    assert page.locator(".headline").inner_text() == "Lisbon (545,796 people)"
    assert page.locator(".headline a").count() == 1
    assert page.locator("table").count() == 0


def test_values_are_told_apart_by_their_qualifiers(page: Page) -> None:
    """And numbers of many digits by more than a comma."""
    body = canned("number")["body"]
    values = [
        {"value": "2240000", "type": "number", "qualifier": "2010"},
        {"value": "2165000", "type": "number", "qualifier": "2023"},
    ]
    body["answer"] = {"text": "2240000 (2010), 2165000 (2023)", "values": values}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])
    assert page.locator(".headline").inner_text() == "2,240,000 (2010); 2,165,000 (2023)"


def test_a_point_is_read_as_degrees(page: Page) -> None:
    """The latitude first, as people say it."""
    body = canned("number")["body"]
    body["answer"] = {"text": "", "values": [{"value": "Point(-9.14 38.71)", "type": "literal"}]}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])
    assert page.locator(".headline").inner_text() == "38.71° N, 9.14° W"
    chart = page.get_by_role("img", name="38.71° N, 9.14° W")
    assert chart.locator("circle").get_attribute("cx") == "-18.28"


def test_places_are_marks_on_a_map(page: Page) -> None:
    """At their degrees, with their names; the frame holds them all."""
    rows = [["Lisbon", "Point(-9.14 38.71)"], ["Sydney", "Point(151.21 -33.87)"]]
    show(page, ["city", "coordinateLocation"], rows)
    chart = page.locator(".chart[data-kind=map]")
    assert chart.locator("figcaption").inner_text() == "coordinate location by city"
    assert chart.locator("title").all_text_contents() == ["Lisbon", "Sydney"]
    frame = chart.locator("svg").bounding_box()
    marks = [mark.bounding_box() for mark in chart.locator("circle").all()]
    assert frame is not None
    for mark in marks:
        assert mark is not None
        assert frame["x"] < mark["x"] < frame["x"] + frame["width"]
        assert frame["y"] < mark["y"] < frame["y"] + frame["height"]
    assert page.locator("td").nth(1).inner_text() == "38.71° N, 9.14° W"


def test_names_in_a_table_are_links(page: Page) -> None:
    """The answer says what its values are, and one name is one thing."""
    values = [
        {"value": "https://kg.example.org/id/1", "label": "Nile", "type": "iri"},
        {"value": "https://kg.example.org/id/2", "label": "Amazon", "type": "iri"},
        {"value": "https://kg.example.org/id/3", "label": "Amazon", "type": "iri"},
    ]
    show(page, ["river", "length"], [["Nile", "1"], ["Amazon", "2"], ["Amazon", "3"]], values)
    assert [link.inner_text() for link in page.locator("td a").all()] == ["Nile"]


def test_values_that_are_the_answer_are_linked_in_it(page: Page) -> None:
    """And not listed a second time."""
    body = canned("films")["body"]
    body["answer"]["values"] = body["answer"]["values"][:2]
    body["answer"]["text"] = ", ".join(one["label"] for one in body["answer"]["values"])
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask_case(page, "films")
    assert page.locator(".headline a").count() == 2
    assert page.locator(".headline").inner_text() == body["answer"]["text"]
    assert page.locator(".values").count() == 0


def test_a_table_says_itself_what_its_names_are(page: Page) -> None:
    """Two things of one name lead to two places, and a number is set as one beside its unit."""
    body = canned("table")["body"]
    body["answer"]["values"] = []
    body["table"] = {
        "columns": ["river", "length"],
        "rows": [["Amazon", "2 kilometre"], ["Amazon", "3 kilometre"]],
        "fields": [
            {"type": "iri", "iris": ["https://kg.example.org/id/2", "https://kg.example.org/id/3"]},
            {"type": "number", "units": ["kilometre", "kilometre"]},
        ],
    }
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask_case(page, "table")
    assert [link.get_attribute("href") for link in page.locator("td a").all()] == [
        f"?thing=https%3A%2F%2Fkg.example.org%2Fid%2F{number}&dataset=sample" for number in (2, 3)
    ]
    assert page.locator("td.number").all_inner_texts() == ["2 kilometers", "3 kilometers"]
