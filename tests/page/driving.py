"""Actions of the tests on the page: ask, open, wait."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from canned_gateway import canned

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


# As a developer has it, for whom the program is open.
OPEN = """
if (location.protocol === "http:") localStorage.setItem("nlq-developer", "true");
"""


def ready(page: Page) -> None:
    """Until the page's scripts and what it lists are there: they come after its load event."""
    page.locator("#developer[aria-pressed]").wait_for()
    page.locator("#dataset option").first.wait_for(state="attached")


def ask(page: Page, question: str) -> None:
    """Type a question and press Enter."""
    page.locator("#question").fill(question)
    page.keyboard.press("Enter")
    wait(page)


def wait(page: Page) -> None:
    """Until there is an answer, or a problem."""
    page.locator("#result[aria-busy=false] .card").first.wait_for()


def ask_case(page: Page, name: str) -> dict[str, Any]:
    """Ask the question of a fixture; returns its response."""
    case: dict[str, Any] = canned(name)
    ask(page, case["question"])
    body: dict[str, Any] = case["body"]
    return body


def reply(page: Page, addresses: str, body: object, status: int = 200) -> None:
    """Answer requests to such addresses with this JSON, surrogates and all."""
    text = json.dumps(body)
    page.route(
        addresses,
        lambda route: route.fulfill(status=status, body=text, content_type="application/json"),
    )


def open_all(part: Locator) -> None:
    """Open all that is folded up."""
    part.evaluate("node => node.querySelectorAll('details').forEach((one) => { one.open = true; })")


def open_editor(page: Page) -> Locator:
    """Open the SPARQL editor of the answer; returns where one writes."""
    page.locator(".query").get_by_role("button", name="Edit").click()
    content = page.locator(".query .cm-content")
    content.wait_for()
    return content


def write(editor: Locator, text: str) -> None:
    """Replace an editor's text.

    It is emptied by keys first: text filled in over highlighted text may take a copy of that style
    with it, inline, which the page's security policy refuses, on the console.
    """
    editor.press("Control+a")
    editor.press("Delete")
    editor.fill(text)
