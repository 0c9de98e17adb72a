"""A query of one's own, explained: its steps beside its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from driving import reply
from test_query_editor import open_queries, write

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
QUERY = "SELECT DISTINCT ?film {\n  ?film a <urn:film> ;\n    <urn:by> <urn:nichols>\n}"
EXPLAINED: dict[str, Any] = {
    "dataset": "sample",
    "program": {
        "text": "FindAll()->FilterConcept(film)->Count()",
        "steps": [
            {"function": "FindAll", "inputs": [], "dependencies": []},
            {"function": "FilterConcept", "inputs": ["film"], "dependencies": [0]},
        ],
    },
    "pins": [{"step": 2, "argument": 0, "iri": "urn:film"}],
    "source_map": [
        {"step": 1, "spans": []},
        {"step": 2, "spans": [[QUERY.index("<urn:film>"), QUERY.index(" ;")]]},
    ],
    "sparql": {"text": "", "source_map": []},
}


@pytest.fixture
def editing(page: Page) -> Page:
    """The page with the editor of an own query open, and the query in it."""
    page.locator("#dataset option").first.wait_for(state="attached")
    open_queries(page)
    write(page, QUERY)
    return page


def test_a_step_lights_its_lines(editing: Page) -> None:
    """The sent text is that of the editor."""
    reply(editing, "**/explain", EXPLAINED)
    with editing.expect_request("**/explain") as sent:
        editing.get_by_role("button", name="Explain").click()
    assert sent.value.post_data_json == {"sparql": QUERY, "dataset": "sample"}
    editing.get_by_role("status").filter(has_text="2 steps").wait_for()
    editing.locator("dialog .step-head").nth(1).focus()
    lit = editing.locator("dialog .line.lit")
    assert [line.inner_text().strip() for line in lit.all()] == ["?film a <urn:film> ;"]
    editing.locator("dialog .line[data-steps]").focus()
    assert editing.locator("dialog .step.lit").get_attribute("data-step") == "2"


def test_the_program_of_a_query_opens_on_the_page(editing: Page) -> None:
    """With its pins, and nothing over it."""
    reply(editing, "**/explain", EXPLAINED)
    editing.get_by_role("button", name="Explain").click()
    with editing.expect_request("**/run") as sent:
        editing.get_by_role("link", name="Open as a program").click()
    assert sent.value.post_data_json["pins"] == EXPLAINED["pins"]
    editing.locator("dialog[open]").wait_for(state="detached")
    editing.locator("#result .card").first.wait_for()


def test_a_query_without_a_program_says_why(editing: Page) -> None:
    """In the place of the steps, and as no failure."""
    problem = {"status": 422, "title": "No", "detail": "the aggregate GROUP_CONCAT"}
    reply(editing, "**/explain", problem, 422)
    editing.get_by_role("button", name="Explain").click()
    editing.get_by_text("No program gives the rows of this query: the aggregate GROUP_CONCAT").wait_for()
    assert editing.locator("dialog .step, dialog .problem").count() == 0


def test_what_is_no_fault_of_the_query_is_a_problem(editing: Page) -> None:
    """With a way to try again."""
    reply(editing, "**/explain", {"status": 503, "title": "Too busy", "retryable": True}, 503)
    editing.get_by_role("button", name="Explain").click()
    editing.get_by_role("heading", name="Too busy").wait_for()
    reply(editing, "**/explain", EXPLAINED)
    editing.locator("dialog .problem").get_by_role("button").first.click()
    editing.locator("dialog .step").first.wait_for()
