"""No violation that axe finds, in every view, light and dark, on desktop and phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import pytest
from canned_gateway import STATIC, CannedGateway, canned
from driving import ask, ask_case, open_all, open_editor, reply
from pictures import FOLDER, shown
from test_completion import FOUND
from test_explained_queries import EXPLAINED, QUERY
from test_paths import CONNECTION
from test_pictures import allow, answering, image
from test_query_editor import write
from test_things import THING

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
SIZES = {"desktop": (1400, 900), "phone": (390, 844)}
COLOURS = ("color-contrast", "link-in-text-block")
# By size and colour scheme: rules of colours take longest, and no colour depends on the size.
RULES: dict[str, dict[Literal["light", "dark"], dict[str, object]]] = {
    "desktop": {"light": {}, "dark": {"runOnly": {"type": "rule", "values": COLOURS}}},
    "phone": {"light": {"rules": {rule: {"enabled": False} for rule in COLOURS}}},
}
BY_WIDTH = re.compile(r"@media \(m(?:ax|in)-width[^{]*\{((?:[^{}]*\{[^{}]*\})*)")


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
    page.locator(".program").get_by_role("button", name="Edit").click()
    page.locator(".program-editor .cm-content").wait_for()
    open_editor(page)
    page.get_by_role("button", name="Run the query").click()
    page.locator(".query-results table").wait_for()


def lit(page: Page) -> None:
    """A step with its lines lit."""
    ask_case(page, "films")
    page.locator(".step-head").nth(1).focus()


def popover(page: Page) -> None:
    """The meanings of a term."""
    ask_case(page, "ambiguous")
    page.locator(".steps .open-term").first.click()
    page.locator(".popover:popover-open .chip").first.wait_for()


def correction(page: Page) -> None:
    """The errors."""
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


def thing(page: Page) -> None:
    """The facts of a thing."""
    page.route("**/describe?**", lambda route: route.fulfill(json=THING))
    page.goto("/?thing=https://kg.example.org/id/D4")
    page.locator(".facts-of").first.wait_for()


def path(page: Page) -> None:
    """The paths between two things."""
    page.route("**/path?**", lambda route: route.fulfill(json=CONNECTION | {"complete": False}))
    page.goto("/?from=https://kg.example.org/id/F3&to=https://kg.example.org/id/D7")
    page.locator(".paths li").first.wait_for()


def asking(page: Page) -> None:
    """The questions that can be asked."""
    ask(page, "help")
    page.locator(".help .asking").wait_for()


def suggestions(page: Page) -> None:
    """A list of suggestions with one of them active."""
    page.route("**/suggest?**", lambda route: route.fulfill(json=FOUND))
    page.locator("#dataset option").first.wait_for(state="attached")
    page.locator("#question").press_sequentially("mi")
    page.locator("#suggestions [role=option]").first.wait_for()
    page.keyboard.press("ArrowDown")


def download(page: Page) -> None:
    """The formats in which an answer can be downloaded."""
    ask_case(page, "table")
    page.get_by_role("button", name="Download").click()
    page.get_by_role("checkbox").wait_for()


def completing(page: Page) -> None:
    """A query with two tabs, what is wrong with it, and how it may go on."""
    tool("SPARQL", ".cm-content")(page)
    page.get_by_role("button", name="New query").click()
    page.locator("dialog .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("SELECT * { ?film a fil")
    page.locator("dialog .issues li").wait_for()
    page.keyboard.press("Control+Space")
    page.locator(".cm-tooltip-autocomplete li").first.wait_for()


def explained(page: Page) -> None:
    """A query beside the steps of its program, one of them lit."""
    reply(page, "**/explain", EXPLAINED)
    tool("SPARQL", ".cm-content")(page)
    write(page, QUERY)
    page.get_by_role("button", name="Explain").click()
    page.locator("dialog .step-head").nth(1).focus()


def pictured(page: Page) -> None:
    """Values that are images."""
    here = page.url.rstrip("/")
    allow(page, here)
    answering(page, image(f"{here}/static/favicon.svg"), image(f"{here}/static/favicon.svg?2"))
    page.locator(".answer img").nth(1).wait_for()


def places(page: Page) -> None:
    """A map, beside the names of its points."""
    answer_rows(page, ["city", "place"], [["Paris", "POINT(2.35 48.86)"], ["Lima", "POINT(-77.03 -12.05)"]])


def times(page: Page) -> None:
    """Dates along a line."""
    answer_rows(page, ["film", "publicationDate"], [["Fargo", "1996-03-08"], ["Heat", "1995-12-15"]])


def answer_rows(page: Page, columns: list[str], rows: list[list[str]]) -> None:
    """The answer of a question with this table."""
    body = canned("films")["body"] | {"table": {"columns": columns, "rows": rows}}
    body["answer"] = {"text": "", "values": []}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask_case(page, "films")
    page.locator(".chart").wait_for()


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
    "thing": thing,
    "path": path,
    "asking": asking,
    "suggestions": suggestions,
    "download": download,
    "completing": completing,
    "explained": explained,
    "pictured": pictured,
    "places": places,
    "times": times,
    "schema": tool("Schema", ".schema li"),
    "history": tool("History", ".history li"),
    "query": tool("SPARQL", ".cm-content"),
}


def violations(page: Page, size: str = "desktop") -> list[tuple[str, str, list[str]]]:
    """The findings of axe's default rules; in the dark, where only colours differ, those of colours."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing"
    )
    page.evaluate(axe.Axe().axe_script)
    found = []
    for scheme, rules in RULES[size].items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        response = page.evaluate("rules => axe.run({ resultTypes: ['violations'], ...rules })", rules)
        for one in response["violations"]:
            found.append((scheme, one["id"], [node["html"][:200] for node in one["nodes"]]))
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(page: Page, view: str, size: str) -> None:
    """In no view."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    VIEWS[view](page)
    assert violations(page, size) == []


def test_no_colour_depends_on_the_size() -> None:
    """And nothing is hidden by it: a phone shows what a desktop does, elsewhere."""
    styles = [file.read_text(encoding="utf-8") for file in STATIC.rglob("*.css")]
    rules = [rule for style in styles for rule in BY_WIDTH.findall(style)]
    assert len(rules) > 5
    assert [rule for rule in rules if re.search(r"color|background|opacity|display: none", rule)] == []


def test_every_view_has_a_picture() -> None:
    """In docs/page.md."""
    assert shown() == {file.stem for file in FOLDER.glob("*.jpg")} == set(VIEWS)


def test_axe_finds_nothing_where_a_key_is_wanted(page: Page, gateway: CannedGateway) -> None:
    """The field for the key."""
    gateway.key = ("Authorization", "Bearer s3cret", "Bearer")
    page.reload()
    page.get_by_label("Key for this gateway").wait_for()
    assert violations(page) == []


def test_axe_would_find_something(page: Page) -> None:
    """A text too faint to read is found, in the dark as well."""
    page.locator("#examples button").first.wait_for()
    page.locator(".lead").evaluate("node => { node.style.color = 'rgb(128 128 128 / 30%)'; }")
    assert [(scheme, rule) for scheme, rule, _ in violations(page)] == [
        ("light", "color-contrast"),
        ("dark", "color-contrast"),
    ]
