"""The tools behind one press: history, schema, a query of one's own, strategy, colours, the key."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway, canned
from driving import ask, ask_case, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser


def open_tool(page: Page, name: str) -> None:
    """Press one of the buttons at the top."""
    page.get_by_role("navigation", name="Tools").get_by_role("button", name=name).click()


def test_first_screen_is_a_question_box(page: Page) -> None:
    """No panel is open, no editor loaded, and no more than the few buttons at the top."""
    assert page.locator("dialog[open]").count() == 0
    assert page.locator(".tools button:visible").count() == 5
    assert page.locator("#result > *").count() == 0


def test_history_keeps_the_questions_of_this_browser(page: Page, gateway: CannedGateway) -> None:
    """Newest first, each once; its link shows the kept answer, a button asks anew, another clears."""
    for name in ("films", "number", "films"):
        ask_case(page, name)
    page.reload()
    wait(page)
    open_tool(page, "History")
    entries = page.locator(".history a")
    assert entries.all_inner_texts() == [canned("films")["question"], canned("number")["question"]]
    assert entries.last.get_attribute("href") == "?trace=t-number"
    asked = len(gateway.asked)
    page.get_by_role("button", name="Ask again").last.click()
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    assert len(gateway.asked) == asked + 1
    open_tool(page, "History")
    page.get_by_role("button", name="Clear the history").click()
    open_tool(page, "History")
    assert page.locator(".history li").count() == 0
    assert page.evaluate("localStorage.getItem('nlq-history')") is None


@pytest.mark.parametrize("stored", ["{", '"text"', '[{"question": 1}]', "null"])
def test_a_damaged_history_is_an_empty_one(page: Page, stored: str) -> None:
    """And the page asks as before."""
    page.evaluate("text => localStorage.setItem('nlq-history', text)", stored)
    open_tool(page, "History")
    assert page.locator(".history li").count() == 0
    page.keyboard.press("Escape")
    ask_case(page, "number")


@pytest.mark.usefixtures("alone")
def test_without_storage_the_page_works(page: Page) -> None:
    """As in windows that keep nothing."""
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('no'); } })"
    )
    page.reload()
    ask_case(page, "number")
    open_tool(page, "History")
    assert page.locator(".history li").count() == 0


def test_schema_is_searched_and_put_into_the_question(page: Page) -> None:
    """By keyboard: typing searches, a kind narrows, a name goes where the cursor is in the question."""
    page.locator("#question").fill("How many are there?")
    page.evaluate("document.getElementById('question').setSelectionRange(8, 8)")
    open_tool(page, "Schema")
    names = page.locator(".schema .schema-name button")
    names.nth(3).wait_for()
    assert names.all_inner_texts() == ["film", "film director", "directed by", "duration"]
    assert "126 minute" in page.locator(".schema").inner_text()
    with page.expect_response("**/schema?**q=film**"):
        page.keyboard.type("film")
    page.locator(".schema li").nth(2).wait_for(state="detached")
    assert names.all_inner_texts() == ["film", "film director"]
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Relations").click()
    page.get_by_text("directed by").wait_for()
    page.locator(".schema li").nth(1).wait_for(state="detached")
    assert page.get_by_role("button", name="Relations").get_attribute("aria-pressed") == "true"
    names.first.click()
    assert page.locator("dialog[open]").count() == 0
    assert page.locator("#question").input_value() == "How many directed by are there?"
    assert page.evaluate("document.activeElement.id") == "question"


def test_a_gateway_without_schemas_says_so(page: Page) -> None:
    """The panel has the reason."""
    problem = {"status": 404, "title": "There is nothing here", "detail": "no such address"}
    page.route("**/schema?*", lambda route: route.fulfill(status=404, json=problem))
    open_tool(page, "Schema")
    assert "no such address" in page.locator("dialog[open] .failed").inner_text()


def test_a_query_of_ones_own(page: Page, gateway: CannedGateway) -> None:
    """Without a question; goes to the chosen dataset."""
    page.locator("#dataset").select_option("products")
    open_tool(page, "SPARQL")
    page.locator("dialog .cm-content").wait_for()
    page.get_by_role("button", name="Run the query").click()
    page.locator("dialog table").wait_for()
    assert [path for path, _ in gateway.queried] == ["/products/sparql"]
    assert page.get_by_role("link", name="Open in the store").count() == 1


def test_strategy_goes_with_the_question(page: Page, gateway: CannedGateway) -> None:
    """And into its address; the gateway's default needs not be named."""
    ask_case(page, "number")
    assert "strategy" not in gateway.asked[0]
    page.locator("#strategy").select_option("bottom-up")
    ask_case(page, "boolean")
    assert gateway.asked[1]["strategy"] == "bottom-up"
    assert "strategy=bottom-up" in page.url
    page.reload()
    wait(page)
    assert page.locator("#strategy").input_value() == "bottom-up"
    assert gateway.asked[2] == gateway.asked[1]


def test_an_addresss_strategy_is_kept_before_the_strategies_are_listed(
    page: Page, gateway: CannedGateway
) -> None:
    """And after: the list that comes late has it chosen."""
    held: list[Route] = []
    page.route("**/datasets", lambda route: held.append(route))
    with page.expect_request("**/datasets"):
        page.goto("/?strategy=bottom-up")
    with page.expect_request("**/nlq"):
        page.locator("#question").fill(canned("number")["question"])
        page.keyboard.press("Enter")
    page.route("**/datasets", lambda route: route.continue_())
    for route in held:
        route.continue_()
    wait(page)
    assert gateway.asked[-1]["strategy"] == "bottom-up"
    assert page.locator("#strategy").input_value() == "bottom-up"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_the_systems_until_chosen(page: Page, scheme: str) -> None:
    """The switch turns them round, a reload keeps that."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    toggle = page.get_by_role("button", name="Dark mode")
    # The browser tells the page of the system's change a moment later.
    page.get_by_role("button", name="Dark mode", pressed=scheme == "dark").wait_for()
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    toggle.click()
    assert toggle.get_attribute("aria-pressed") == str(scheme != "dark").lower()
    after = page.evaluate(ground)
    assert after != before
    page.reload()
    assert page.evaluate(ground) == after


CHALLENGES = [
    ("Authorization", "Bearer s3cret", 'Bearer realm="nlq gateway"'),
    ("X-API-Key", "s3cret", 'ApiKey realm="nlq gateway", header="X-API-Key"'),
]


@pytest.mark.parametrize("key", CHALLENGES, ids=["bearer", "header"])
def test_a_key_is_asked_for_once(page: Page, gateway: CannedGateway, key: tuple[str, str, str]) -> None:
    """A wrong one is said to be wrong; the right one is sent with everything, and forgotten on demand."""
    gateway.key = key
    page.reload()
    field = page.get_by_label("Key for this gateway")
    field.fill("wrong")
    field.press("Enter")
    page.get_by_text("The key that was entered is not accepted.").wait_for()
    field.fill("s3cret")
    field.press("Enter")
    page.get_by_role("button", name="How many people live in Lisbon?").wait_for()
    ask(page, "How many people live in Lisbon?")
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    assert (
        page.evaluate("Object.keys(localStorage).join() + document.cookie + location.search").count("s3cret")
        == 0
    )
    page.reload()
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    page.get_by_role("button", name="Forget the key").click()
    page.get_by_label("Key for this gateway").wait_for()
    assert page.evaluate("sessionStorage.length") == 0


def test_the_json_of_a_run_is_shown_to_those_with_a_key(page: Page, gateway: CannedGateway) -> None:
    """A link that is followed carries no key, and the gateway would refuse it."""
    gateway.key = CHALLENGES[0]
    page.reload()
    page.get_by_label("Key for this gateway").fill("s3cret")
    page.keyboard.press("Enter")
    ask(page, "How many people live in Lisbon?")
    page.get_by_text("About this run").click()
    page.get_by_role("link", name="JSON").click()
    page.wait_for_url(re.compile("^blob:"))
    assert json.loads(page.locator("body").inner_text()) == canned("number")["body"]


def test_the_whole_page_works_under_a_prefix(page: Page, gateway: CannedGateway) -> None:
    """Behind a proxy that puts the gateway at /kg/: every address that is asked for starts with it."""
    asked: list[str] = []

    def forward(route: object) -> None:
        url = route.request.url  # type: ignore[attr-defined]
        asked.append(url)
        route.fulfill(response=route.fetch(url=url.replace("/kg/", "/")))  # type: ignore[attr-defined]

    # What the first page still loads is not looked at.
    page.goto("about:blank")
    page.route("**/*", forward)
    page.goto(f"{gateway.url}/kg/")
    ask_case(page, "films")
    page.get_by_role("button", name="Yes", exact=True).click()
    page.get_by_text("Thank you").wait_for()
    page.locator(".query").get_by_role("button", name="Edit").click()
    page.locator(".cm-content").wait_for()
    page.get_by_role("button", name="Run the query").click()
    page.locator(".query-results table").wait_for()
    open_tool(page, "Schema")
    page.locator(".schema li").first.wait_for()
    page.goto(f"{gateway.url}/kg/?trace=t-number")
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    # What the page still asks for in the background would be answered after its end.
    page.wait_for_load_state("networkidle")
    page.unroute_all(behavior="ignoreErrors")
    assert [url for url in asked if not url.startswith(f"{gateway.url}/kg/")] == []
