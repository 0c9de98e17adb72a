"""Suggestions under the question while it is written, by keyboard and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway, canned
from driving import ask_case, wait

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser
FILMS = canned("films")["question"]
FOUND = [
    {"text": FILMS, "kind": "question"},
    {"text": "Mike Nichols", "kind": "entity", "iri": "https://kg.example.org/id/D4"},
    {"text": "movie", "kind": "concept", "iri": "https://kg.example.org/film", "label": "film"},
]


@pytest.fixture
def suggesting(page: Page) -> Page:
    """The page, with the same suggestions for every text."""
    page.route("**/suggest?**", lambda route: route.fulfill(json=FOUND))
    return page


def options(page: Page) -> Locator:
    """The suggestions; the pickers have options, too."""
    return page.locator("#suggestions").get_by_role("option")


def write(page: Page, text: str) -> None:
    """Write a text and wait for its suggestions."""
    page.locator("#question").fill("")
    page.locator("#question").press_sequentially(text)
    options(page).first.wait_for()


def active(page: Page) -> str:
    """The option that the box says is active."""
    chosen = page.locator("#question").get_attribute("aria-activedescendant")
    return page.locator(f"#{chosen}").inner_text() if chosen else ""


def test_the_box_says_what_is_open_and_active(suggesting: Page) -> None:
    """As the combobox pattern has it; the focus stays in the box."""
    box = suggesting.get_by_role("combobox", name="Ask the graph")
    assert box.get_attribute("aria-expanded") == "false"
    write(suggesting, "mi")
    assert box.get_attribute("aria-expanded") == "true"
    assert suggesting.locator("#suggestions-said").inner_text() == "3 suggestions"
    assert active(suggesting) == ""
    for key, name in (
        ("ArrowDown", FILMS),
        ("ArrowDown", "Mike Nichols"),
        ("ArrowUp", FILMS),
        ("ArrowUp", ""),
    ):
        suggesting.keyboard.press(key)
        assert active(suggesting).startswith(name)
        assert suggesting.locator("[role=option][aria-selected=true]").count() == (1 if name else 0)
    assert suggesting.evaluate("document.activeElement.id") == "question"


def test_a_name_takes_the_place_of_what_was_begun(suggesting: Page) -> None:
    """And one goes on writing."""
    write(suggesting, "Which films of mike n")
    suggesting.get_by_role("option", name="Mike Nichols entity").click()
    assert suggesting.locator("#question").input_value() == "Which films of Mike Nichols "
    assert suggesting.evaluate("document.activeElement.id") == "question"
    assert options(suggesting).count() == 0


def test_another_name_of_a_thing_says_whose_it_is(suggesting: Page) -> None:
    """A class by an alias."""
    write(suggesting, "mov")
    assert options(suggesting).last.inner_text().split() == ["movie", "class", "of", "film"]


def test_a_question_is_asked_when_it_is_chosen(suggesting: Page, gateway: CannedGateway) -> None:
    """By Enter on it."""
    write(suggesting, "Which")
    suggesting.keyboard.press("ArrowDown")
    suggesting.keyboard.press("Enter")
    wait(suggesting)
    assert [one["question"] for one in gateway.asked] == [FILMS]
    assert options(suggesting).count() == 0


def test_enter_asks_what_is_written_where_nothing_is_chosen(suggesting: Page, gateway: CannedGateway) -> None:
    """With suggestions open, and none that comes later opens over the answer."""
    write(suggesting, FILMS)
    suggesting.keyboard.press("Enter")
    wait(suggesting)
    assert [one["question"] for one in gateway.asked] == [FILMS]
    assert suggesting.locator("#suggestions").is_hidden()


def test_escape_closes_and_keeps_the_text(suggesting: Page) -> None:
    """A press closes the list alone."""
    write(suggesting, "mi")
    suggesting.keyboard.press("Escape")
    assert suggesting.locator("#suggestions").is_hidden()
    assert suggesting.locator("#question").input_value() == "mi"


def test_questions_of_this_browser_come_first(suggesting: Page) -> None:
    """Once each."""
    ask_case(suggesting, "films")
    write(suggesting, "which films")
    shown = options(suggesting).all_inner_texts()
    assert [" ".join(one.split()) for one in shown[:2]] == [f"{FILMS} asked before", "Mike Nichols entity"]


def test_a_gateway_without_suggestions_is_asked_all_the_same(page: Page, gateway: CannedGateway) -> None:
    """It answers 404."""
    with page.expect_response("**/suggest?**"):
        page.locator("#question").press_sequentially("Who?")
    page.keyboard.press("Enter")
    wait(page)
    assert gateway.asked[0]["question"] == "Who?"


@pytest.mark.parametrize(
    ("text", "name", "whole"),
    [
        ("who directed pul", "Pulp Fiction", "who directed Pulp Fiction"),
        ("fict", "Pulp Fiction", "Pulp Fiction"),
        ("in sao", "São Paulo", "in São Paulo"),
        ("films of J.R", "J. R. Miller", "films of J. R. Miller"),
        ("rivers of ", "river", "rivers of river"),
    ],
)
def test_the_longest_ending_gives_way(page: Page, text: str, name: str, whole: str) -> None:
    """Wherever in the name it is, without case and accents."""
    completed = "async ([text, name]) => (await import('./static/js/completion.js')).completed(text, name)"
    found = page.evaluate(completed, [text, name])
    assert found == whole
