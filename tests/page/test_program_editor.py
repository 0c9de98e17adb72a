"""The editor of programs: functions by type, names of the graph, what is wrong as it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway
from driving import ask_case

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
NICHOLS = [{"text": "Mike Nichols", "kind": "entity", "iri": "https://kg.example.org/id/D4"}]
ALL = "Step 1: FindAll()\n"


@pytest.fixture
def editing(page: Page) -> Page:
    """The page with the program of an answer open for editing."""
    page.route("**/suggest?**", lambda route: route.fulfill(json=NICHOLS))
    ask_case(page, "films")
    page.locator(".program").get_by_role("button", name="Edit").click()
    page.locator(".program-editor .cm-content").wait_for()
    return page


def write(page: Page, text: str) -> None:
    page.locator(".program-editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def written(page: Page) -> str:
    lines = page.locator(".program-editor .cm-line").all_inner_texts()
    return "\n".join(line.rstrip("\n") for line in lines)


# A text, and what fits behind it.
NEXT: tuple[tuple[str, list[str]], ...] = (
    ("Fi", ["Find", "FindAll"]),
    (ALL + "Step 2: ", ["FilterConcept", "FilterNum", "Relate", "Count", "QueryAttr", "FindAll", "Find"]),
    (ALL + "Step 2: QueryAttr(duration)\n", ["CountValues", "FindAll", "Find"]),
    (ALL + "Step 2: Find(Mike Nichols)\nStep 3: A", ["And"]),
    (ALL + "Step 2: FilterConcept(", ["film", "film director"]),
    (ALL + "Step 2: FilterConcept(mov", ["film"]),
    (ALL + "Step 2: Relate(", ["directed by"]),
    (ALL + "Step 2: Relate(directed by, b", ["backward"]),
    (ALL + "Step 2: FilterNum(duration, ", ["126 minute"]),
    ("Step 1: Find(nich", ["Mike Nichols"]),
    (ALL + "Step 2: Find(Mike Nichols)\nStep 3: And() <- ", ["1", "2"]),
)


def test_what_fits_is_offered(editing: Page) -> None:
    """Functions by what the steps before give, words and names by the argument; the likeliest first."""
    found = editing.locator(".cm-tooltip-autocomplete")
    for text, offered in NEXT:
        write(editing, text)
        editing.keyboard.press("Control+Space")
        found.locator("li").first.wait_for()
        labels = found.locator(".cm-completionLabel").all_inner_texts()
        assert sorted(labels[: len(offered)]) == sorted(offered), text
        editing.keyboard.press("Escape")
        found.wait_for(state="detached")


def test_a_program_is_written_by_choosing(editing: Page) -> None:
    """The step's number and brackets come with the function, and names for its argument are offered."""
    write(editing, ALL)
    editing.keyboard.type("FilterC")
    offered = editing.locator(".cm-tooltip-autocomplete li")
    offered.filter(has_text="FilterConcept").first.click()
    offered.filter(has_text="film director").wait_for()
    offered.first.click()
    assert written(editing) == ALL + "Step 2: FilterConcept(film)"


WRONG = (
    (ALL + "Step 2: QueryAttr(duration)\nStep 3: Count()", "Line 3, column 1", "Count wants entities"),
    ("Count the films", "Line 1, column 3", "`Step 1:` expected"),
)


def test_types_are_checked_as_one_writes(editing: Page) -> None:
    """At the step that is wrong; a mended program has none, and nothing was run."""
    issue = editing.locator(".program-editor .issues li")
    for text, place, message in WRONG:
        write(editing, text)
        issue.filter(has_text=message).get_by_role("button", name=place, exact=True).wait_for()
        write(editing, ALL + "Step 2: Count()")
        issue.wait_for(state="detached")


def test_the_page_runs_it(editing: Page, gateway: CannedGateway) -> None:
    """By Ctrl+Enter."""
    write(editing, ALL + "Step 2: Count()")
    editing.keyboard.press("Control+Enter")
    editing.get_by_role("heading", name="545,796 inhabitants").wait_for()
    assert gateway.ran == [{"program": ALL + "Step 2: Count()", "dataset": "sample"}]


def test_without_the_editor_a_plain_field_is_there(page: Page, gateway: CannedGateway) -> None:
    page.route("**/vendor/editor.js", lambda route: route.abort())
    ask_case(page, "films")
    page.locator(".program").get_by_role("button", name="Edit").click()
    field = page.get_by_role("textbox", name="Program")
    field.fill(ALL + "Step 2: Count()")
    field.press("Control+Enter")
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    assert len(gateway.ran) == 1
