"""The facts of a thing, the questions about a class, and the help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from canned_gateway import CannedGateway, canned
from driving import ask, ask_case, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
FILMS = canned("films")["question"]
THING: dict[str, Any] = {
    "dataset": "sample",
    "kind": "entity",
    "iri": "https://kg.example.org/id/D4",
    "label": "Mike Nichols",
    "aliases": ["Michael Igor Peschkowsky"],
    "concepts": [{"kind": "concept", "iri": "https://kg.example.org/director", "label": "director"}],
    "description": "",
    "count": None,
    "groups": [
        {
            "kind": "attribute",
            "iri": "https://kg.example.org/born",
            "label": "date of birth",
            "direction": "forward",
            "question": "",
            "program": "Find(Mike Nichols)->QueryAttr(date of birth)",
            "pins": [],
            "values": [
                {
                    "value": "1931-11-06",
                    "type": "literal",
                    "datatype": "http://www.w3.org/2001/XMLSchema#date",
                }
            ],
            "more": False,
        },
        {
            "kind": "relation",
            "iri": "https://kg.example.org/directed_by",
            "label": "directed by",
            "direction": "backward",
            "question": FILMS,
            "program": "Find(Mike Nichols)->Relate(directed by, backward)->What()",
            "pins": [{"step": 1, "argument": 0, "iri": "https://kg.example.org/id/D4"}],
            "values": [{"value": "https://kg.example.org/id/F3", "type": "iri", "label": "Silkwood"}],
            "more": True,
        },
    ],
    "questions": [],
    "left_out": 2,
    "others": [{"kind": "entity", "iri": "https://kg.example.org/id/D9", "label": "Mike Nichols (baseball)"}],
}
COUNT = {"question": "How many films are there?", "program": "FindAll()->Count()", "pins": []}
CLASS = THING | {"kind": "concept", "label": "film", "count": 72, "groups": [], "questions": [COUNT]}


@pytest.fixture
def describing(page: Page) -> Page:
    """The page, with one description for everything."""
    page.route("**/describe?**", lambda route: route.fulfill(json=THING))
    return page


def test_a_thing_of_an_answer_leads_to_what_the_graph_has_of_it(describing: Page) -> None:
    """On this page, with an address of its own, and back."""
    ask_case(describing, "films")
    with describing.expect_request("**/describe?**") as asked:
        describing.get_by_role("link", name="Silkwood").first.click()
    assert "iri=https%3A%2F%2Fkg.example.org%2Fid%2FF3" in asked.value.url
    describing.get_by_role("heading", name="Mike Nichols").wait_for()
    assert "thing=" in describing.url
    facts = describing.locator(".facts-of")
    assert facts.nth(0).inner_text().split("\n") == ["What it has", "date of birth", "November 6, 1931"]
    assert facts.nth(1).locator("dd").inner_text() == "Silkwood and more"
    describing.go_back()
    describing.get_by_role("link", name="Silkwood").first.wait_for()


def test_a_relation_of_a_thing_is_a_question(describing: Page, gateway: CannedGateway) -> None:
    """One goes on by asking it."""
    describing.goto("/?thing=https://kg.example.org/id/D4")
    describing.get_by_role("link", name="directed by").click()
    wait(describing)
    describing.locator(".headline").first.wait_for()
    group = THING["groups"][1]
    assert gateway.ran == [{"program": group["program"], "dataset": "sample", "pins": group["pins"]}]
    assert describing.locator("#question").input_value() == FILMS


def test_the_things_own_address_is_a_link(describing: Page) -> None:
    """To wherever the IRI leads."""
    describing.goto("/?thing=https://kg.example.org/id/D4")
    link = describing.get_by_role("link", name="https://kg.example.org/id/D4")
    assert link.get_attribute("href") == "https://kg.example.org/id/D4"


@pytest.mark.parametrize(
    "text", ["Tell me about Mike Nichols.", "erzähl mir von Mike Nichols", "describe Mike Nichols"]
)
def test_tell_me_about_describes(describing: Page, text: str) -> None:
    """By name."""
    with describing.expect_request("**/describe?name=Mike+Nichols"):
        ask(describing, text)
    describing.get_by_role("heading", name="Mike Nichols").wait_for()


def test_a_name_that_nothing_bears_is_asked_as_a_question(page: Page, gateway: CannedGateway) -> None:
    """There is nothing to describe."""
    ask(page, "Tell me about the weather")
    assert [one["question"] for one in gateway.asked] == ["Tell me about the weather"]


@pytest.mark.parametrize("text", ["hello", "Help!", "What can I ask?", "Hilfe", "Que puis-je demander ?"])
def test_a_greeting_and_a_cry_for_help_say_what_can_be_asked(
    page: Page, gateway: CannedGateway, text: str
) -> None:
    """Questions with answers, and classes; the gateway is not asked."""
    ask(page, text)
    page.get_by_role("heading", name="What can be asked").wait_for()
    assert (
        page.locator(".help .asking a").first.inner_text() == canned("datasets")["datasets"][0]["examples"][0]
    )
    assert page.locator(".help .classes .chip").count() > 0
    assert gateway.asked == []


def test_from_a_class_to_an_answer_by_clicks(page: Page, gateway: CannedGateway) -> None:
    """Without typing."""
    page.route("**/describe?**", lambda route: route.fulfill(json=CLASS))
    page.locator("#overview .chip").first.click()
    page.get_by_role("heading", name="Ask about film").wait_for()
    page.get_by_role("link", name=COUNT["question"]).click()
    wait(page)
    page.locator(".headline").wait_for()
    assert [one["program"] for one in gateway.ran] == [COUNT["program"]]
