"""An answer at a glance: the words that were understood, how sure it is, ties, and what is folded up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from canned_gateway import canned
from driving import ask_case

if TYPE_CHECKING:
    from canned_gateway import CannedGateway
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def answering(page: Page, body: dict[str, Any]) -> None:
    """Answer every question with this document."""
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask_case(page, "films")


def test_words_that_stand_for_names_are_marked(page: Page) -> None:
    """With what they were taken for, for people who hear the page, too."""
    body = canned("films")["body"]
    sure, guess = body["bindings"][:2]
    sure |= {"mention": "Mike Nichols", "score": 1.0}
    guess |= {"mention": "films", "score": 0.5}
    answering(page, body)
    asked = page.locator(".asked")
    assert [mark.evaluate("node => node.firstChild.data") for mark in asked.locator("mark").all()] == [
        "films",
        "Mike Nichols",
    ]
    assert asked.locator("mark.guessed").count() == asked.locator("mark.sure").count() == 1
    assert "guessed for" in (asked.locator("mark.guessed").get_attribute("title") or "")
    assert "Dotted: a guess." in asked.inner_text()


def test_a_question_of_which_no_word_is_a_name_is_not_repeated(page: Page) -> None:
    """It stands in its box."""
    body = canned("films")["body"] | {"bindings": []}
    answering(page, body)
    assert page.locator(".asked").count() == 0


def test_nothing_is_said_of_how_sure_a_given_program_is(page: Page) -> None:
    """A successful run does not say that the reading is right."""
    body = canned("films")["body"] | {"strategy": "given", "confidence": {"score": 1.0, "parts": {}}}
    answering(page, body)
    assert page.locator(".confidence").count() == 0
    assert "sure" not in page.locator("#announcement").inner_text()


def test_a_tie_is_said(page: Page) -> None:
    """One thing was asked for and several are equal."""
    body = canned("films")["body"]
    body["answer"]["values"] = body["answer"]["values"][:2]
    body["program"]["steps"][-1:] = [
        {"function": "SelectAmong", "inputs": ["length", "largest"], "dependencies": [0]}
    ]
    answering(page, body)
    assert page.get_by_text("A tie: these 2 are equal.").is_visible()


def test_names_come_before_the_numbers_that_go_with_them(page: Page) -> None:
    """In a table of numbers first."""
    body = canned("films")["body"]
    body["table"] = {
        "columns": ["films", "director"],
        "rows": [["2", "Woody Allen"], ["12000", "John Huston"]],
    }
    body["answer"]["values"] = []
    answering(page, body)
    assert page.locator("th").all_inner_texts() == ["director", "films"]


def test_words_that_were_passed_over_are_marked(page: Page) -> None:
    """With a sign that the page explains, and in words for people who hear it."""
    answering(page, canned("films")["body"] | {"bindings": [], "ignored": ["direct"]})
    mark = page.locator(".asked mark.ignored")
    assert mark.evaluate("node => node.firstChild.data") == "direct"
    assert "not taken into account" in (mark.text_content() or "")
    assert "Struck through" in page.locator(".asked").inner_text()


def test_the_thing_that_is_meant_is_said_near_the_answer(page: Page, gateway: CannedGateway) -> None:
    """A name that others have is shown with a class and a fact, and the others are one press away."""
    body = canned("films")["body"]
    one = body["bindings"][0] | {"kind": "entity", "label": "Batman", "about": "film"}
    other = {
        "iri": "https://kg.example.org/id/B2",
        "label": "Batman",
        "score": 1.0,
        "about": "comics character",
    }
    value = {"value": "1989", "type": "literal"}
    page.route(
        "**/describe?**",
        lambda route: route.fulfill(json={"groups": [{"label": "publication date", "values": [value]}]}),
    )
    answering(page, body | {"bindings": [one | {"alternatives": [other]}]})
    meant = page.locator(".meant")
    meant.get_by_text("film · publication date: 1989").wait_for()
    assert meant.inner_text() == "Batman, film · publication date: 1989; 1 other meaning"
    meant.get_by_role("button").click()
    chosen = meant.locator(".popover:popover-open .chip")
    assert chosen.inner_text().startswith("Batman comics character")
    chosen.click()
    page.wait_for_url("**pins=**")
    assert gateway.asked == []


def test_the_question_follows(page: Page) -> None:
    """Its box stays in sight however far one reads."""
    ask_case(page, "films")
    page.evaluate("scrollTo(0, 1500)")
    assert page.evaluate("scrollY") > 300
    box = page.locator("#question").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 60


def test_the_program_is_shown_once(page: Page) -> None:
    """As steps; while it is edited, as its text."""
    body = canned("films")["body"]
    answering(page, body)
    functions = [step["function"] for step in body["program"]["steps"]]
    assert page.locator(".how b").all_inner_texts() == functions
    page.locator(".program").get_by_role("button", name="Edit").click()
    assert page.locator(".how b").count() == 0
    page.locator(".program").get_by_role("button", name="Close").click()
    assert page.locator(".how b").all_inner_texts() == functions
    assert page.evaluate("document.activeElement.textContent") == "Edit"


def test_the_developers_switch_opens_the_program_and_stays(browser: Browser, gateway: CannedGateway) -> None:
    """Others see it folded up; it holds for answers shown and to come, and after the page was left."""
    context = browser.new_context(base_url=gateway.url)
    page = context.new_page()
    page.goto("/")
    ask_case(page, "films")
    assert not page.locator(".steps").is_visible()
    page.get_by_text("How it was answered").click()
    assert page.locator(".steps").is_visible()
    ask_case(page, "number")
    assert not page.locator(".steps").is_visible()
    page.get_by_role("button", name="Developer").click()
    assert page.locator(".steps").is_visible()
    page.goto("/")
    page.get_by_role("button", name="Developer", pressed=True).wait_for()
    ask_case(page, "films")
    assert page.locator(".steps").is_visible()
    page.get_by_role("button", name="Developer").click()
    assert not page.locator(".steps").is_visible()
    context.close()


def test_how_sure_it_is_is_said_in_words(page: Page) -> None:
    """And nowhere drawn."""
    answering(page, canned("films")["body"])
    assert page.locator(".confidence").inner_text() == "93% sure"
    assert page.locator(".meter, progress, meter").count() == 0


def test_what_opens_below_the_window_is_scrolled_to(page: Page) -> None:
    page.set_viewport_size({"width": 1100, "height": 560})
    ask_case(page, "films")
    opener = page.get_by_role("button", name="Download")
    opener.scroll_into_view_if_needed()
    opener.evaluate("node => window.scrollTo(0, node.getBoundingClientRect().bottom + scrollY - innerHeight)")
    opener.click()
    panel = page.locator(".popover:popover-open")
    panel.wait_for()
    below = "node => node.getBoundingClientRect().bottom <= innerHeight"
    page.wait_for_function(below, arg=panel.element_handle())
