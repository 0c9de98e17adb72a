"""No violation that axe finds, in every view, light and dark, on desktop and phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway
from driving import ask_case, open_all, open_editor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


def answer(name: str) -> Callable[[Page], None]:
    """The view of a fixture's response, with all that is folded up open."""

    def show(page: Page) -> None:
        ask_case(page, name)
        open_all(page.locator("#result"))

    return show


def tool(name: str, shown: str) -> Callable[[Page], None]:
    """A panel, over an answer."""

    def show(page: Page) -> None:
        ask_case(page, "number")
        page.get_by_role("navigation", name="Tools").get_by_role("button", name=name).click()
        page.locator(f"dialog[open] {shown}").first.wait_for()

    return show


def editing(page: Page) -> None:
    """The query's editor with its rows, and the program's."""
    ask_case(page, "films")
    page.locator(".pictured").get_by_role("button", name="Edit").click()
    open_editor(page)
    page.get_by_role("button", name="Run the query").click()
    page.locator(".query-results table").wait_for()


def lit(page: Page) -> None:
    """A step with its lines lit."""
    ask_case(page, "films")
    page.locator(".step-head").nth(1).focus()


def popover(page: Page) -> None:
    """What a term could be."""
    ask_case(page, "ambiguous")
    page.locator(".picture .open-term").first.click()
    page.locator(".popover:popover-open .chip").first.wait_for()


def correction(page: Page) -> None:
    """What is wrong."""
    ask_case(page, "films")
    page.get_by_role("button", name="No", exact=True).click()
    open_all(page.locator(".feedback"))


def chart(page: Page) -> None:
    """A table sorted by a column, beside its chart."""
    ask_case(page, "table")
    page.get_by_role("button", name="films", exact=True).click()
    page.locator(".chart").wait_for()


def waiting(page: Page) -> None:
    """A question on its way, everything but the answer there."""
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
    page.locator("#question").fill("Who?")
    page.keyboard.press("Enter")
    page.locator(".working").wait_for()


VIEWS = {
    "first": lambda page: page.locator(".example").first.wait_for(),
    **{
        name: answer(name)
        for name in ("films", "empty", "ambiguous", "written", "unreachable", "invalid", "long")
    },
    "chart": chart,
    "editing": editing,
    "lit": lit,
    "popover": popover,
    "correction": correction,
    "waiting": waiting,
    "schema": tool("Schema", ".schema li"),
    "history": tool("History", ".history li"),
    "query": tool("SPARQL", ".cm-content"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(page: Page, view: str, size: str, scheme: str) -> None:
    """All rules that axe has on by default."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing"
    )
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    VIEWS[view](page)
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_where_a_key_is_wanted(page: Page, gateway: CannedGateway, scheme: str) -> None:
    """The field for the key."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing"
    )
    gateway.key = ("Authorization", "Bearer s3cret", "Bearer")
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    page.reload()
    page.get_by_label("Key for this gateway").wait_for()
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
