"""The element that asks a gateway from other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway, canned

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def embedded(page: Page, attributes: str = "") -> Locator:
    """The element in a page of nothing else, under the strict policy of the gateway's own."""
    # Its scripts want what is replaced here, until they have begun.
    page.locator("#dataset option").first.wait_for(state="attached")
    page.evaluate(
        """attributes => new Promise((resolve) => {
          const main = document.createElement("main");
          main.innerHTML = `<h1>Elsewhere</h1><nlq-ask ${attributes}></nlq-ask>`;
          document.body.replaceChildren(main);
          const script = document.createElement("script");
          script.src = "static/nlq-ask.js";
          script.onload = resolve;
          document.head.append(script);
        })""",
        attributes,
    )
    return page.locator("nlq-ask")


def test_a_question_is_asked_and_answered(page: Page, gateway: CannedGateway) -> None:
    """By keyboard, of the element's dataset; a link leads to how it was answered."""
    case = canned("number")
    element = embedded(page, 'dataset="sample" lang="en"')
    element.get_by_role("searchbox").fill(case["question"])
    page.keyboard.press("Enter")
    element.get_by_text(case["body"]["answer"]["text"]).wait_for()
    assert gateway.asked == [{"question": case["question"], "dataset": "sample", "lang": "en"}]
    link = element.get_by_role("link", name="How it was answered")
    assert link.get_attribute("href") == f"{gateway.url}/?trace=t-number"


def test_a_given_question_is_asked_at_once_and_its_table_shown(page: Page) -> None:
    body = canned("table")["body"]
    table = body["table"]
    table["columns"][1] = "filmCount"
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    element = embedded(page, 'question="What?"')
    element.locator("tbody tr").first.wait_for()
    assert element.locator("th").all_inner_texts() == ["director", "film count", *table["columns"][2:]]
    assert element.locator("tbody tr").count() == min(20, len(table["rows"]))


def test_a_page_hears_of_answers_and_sends_headers(page: Page, gateway: CannedGateway) -> None:
    case = canned("number")
    element = embedded(page)
    gateway.key = ("X-API-Key", "s3cret", 'ApiKey realm="nlq gateway", header="X-API-Key"')
    heard = element.evaluate(
        """(node, question) => new Promise((resolve) => {
          node.headers = { "X-API-Key": "s3cret" };
          node.addEventListener("answer", (event) => resolve(event.detail.id));
          node.ask(question);
        })""",
        case["question"],
    )
    assert heard == "t-number"


def test_a_problem_is_told(page: Page) -> None:
    element = embedded(page, 'question="Who is without a fixture?"')
    assert "No such fixture" in element.get_by_role("alert").inner_text()


def test_an_empty_answer_has_its_reason(page: Page) -> None:
    case = canned("empty")
    element = embedded(page, f'question="{case["question"]}"')
    element.get_by_text(case["body"]["answer"]["text"]).wait_for()
    element.get_by_text(case["body"]["diagnosis"]).wait_for()


def test_a_gateway_that_the_page_may_not_ask_is_named(page: Page, gateway: CannedGateway) -> None:
    """A refusal by CORS and a server that is down look alike to a page."""
    page.route("**/nlq", lambda route: route.abort())
    element = embedded(page, 'question="What?"')
    assert element.get_by_role("alert").inner_text() == (
        f"{gateway.url}/ cannot be asked: it is down, or its server.cors does not have {gateway.url}."
    )


def test_what_a_graph_holds_is_text(page: Page) -> None:
    body = canned("number")["body"]
    body["answer"] |= {"text": "<img src=x onerror=alert(1)>"}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    element = embedded(page, 'question="What?"')
    element.get_by_text("<img src=x").wait_for()
    assert element.locator("img").count() == 0


def test_axe_finds_nothing(page: Page) -> None:
    """In light and dark."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing"
    )
    element = embedded(page, f'question="{canned("table")["question"]}"')
    element.locator("tbody tr").first.wait_for()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe.Axe().run(page).response["violations"] == []
