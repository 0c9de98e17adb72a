"""Paths between two things."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from canned_gateway import CannedGateway
from driving import ask, reply
from test_things import THING

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
BASE = "https://kg.example.org/"


def named(key: str, label: str) -> dict[str, str]:
    return {"kind": "entity", "iri": f"{BASE}id/{key}", "label": label}


def relation(name: str, direction: str) -> dict[str, str]:
    return {"iri": f"{BASE}{name.replace(' ', '_')}", "label": name, "direction": direction}


SILKWOOD, STREEP, NICHOLS = named("F3", "Silkwood"), named("P1", "Meryl Streep"), named("D4", "Mike Nichols")
PAKULA, SOPHIE = named("D7", "Alan J. Pakula"), named("F9", "Sophie's Choice")
CONNECTION: dict[str, Any] = {
    "dataset": "sample",
    "ends": [{**SILKWOOD, "others": []}, {**PAKULA, "others": [named("D8", "Alan Pakula (painter)")]}],
    "paths": [
        {
            "things": [SILKWOOD, STREEP, SOPHIE, PAKULA],
            "relations": [
                [relation("cast member", "forward")],
                [relation("cast member", "backward")],
                [relation("directed by", "forward"), relation("screenplay by", "forward")],
            ],
        }
    ],
    "more": True,
    "longest": 4,
    "complete": True,
}
ROW = ["Silkwood", "cast member →", "Meryl Streep", "← cast member", "Sophie's Choice"]
ROW += ["directed by →", "screenplay by →", "Alan J. Pakula"]


@pytest.mark.parametrize(
    "text",
    [
        "How is Silkwood connected to Alan J. Pakula?",
        "how are Silkwood and Alan J. Pakula connected",
        "WHAT CONNECTS Silkwood AND Alan J. Pakula?",
        "Path between Silkwood and Alan J. Pakula",
        'What is the shortest path from "Silkwood" to "Alan J. Pakula"?',
        "Wie ist Silkwood mit Alan J. Pakula verbunden?",
        "Wie hängen Silkwood und Alan J. Pakula zusammen?",
        "Was verbindet Silkwood und Alan J. Pakula?",
        "Verbindung zwischen Silkwood und Alan J. Pakula",
        "Comment Silkwood est-il lié à Alan J. Pakula ?",
        "Qu'est-ce qui relie Silkwood à Alan J. Pakula ?",
        "¿Cómo está conectado Silkwood con Alan J. Pakula?",
        "¿Qué conecta Silkwood con Alan J. Pakula?",
        "el camino entre Silkwood y Alan J. Pakula",
    ],
)
def test_a_question_for_a_connection_shows_its_paths(page: Page, gateway: CannedGateway, text: str) -> None:
    reply(page, "**/path?**", CONNECTION)
    with page.expect_request("**/path?from=Silkwood&to=Alan+J.+Pakula"):
        ask(page, text)
    page.get_by_role("heading", name="Silkwood – Alan J. Pakula").wait_for()
    (row,) = page.locator(".paths li").all()
    assert row.locator("a, .between > span").all_inner_texts() == ROW
    assert gateway.asked == []


@pytest.mark.parametrize("text", ["Who is connected to Silkwood?", "What is the path?", "How is Silkwood?"])
def test_other_questions_are_asked(page: Page, gateway: CannedGateway, text: str) -> None:
    ask(page, text)
    assert [one["question"] for one in gateway.asked] == [text]


def test_names_that_nothing_bears_are_asked_as_a_question(page: Page, gateway: CannedGateway) -> None:
    """There is nothing to connect."""
    ask(page, "What connects the weather and my mood?")
    assert [one["question"] for one in gateway.asked] == ["What connects the weather and my mood?"]


def test_one_thing_twice_is_told(page: Page) -> None:
    problem = {"title": "The request cannot be understood", "detail": "both ends are 'X'", "retryable": False}
    reply(page, "**/path?**", {**problem, "status": 400}, 400)
    ask(page, "What connects X and X?")
    assert "both ends are 'X'" in page.locator("#result").inner_text()


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"complete": True}, "There is no path of at most 4 relations."),
        ({"complete": False}, "No path was found, but not everything within 4 relations was searched."),
    ],
)
def test_that_there_is_none_is_said_after_a_whole_search_alone(
    page: Page, found: dict[str, Any], said: str
) -> None:
    reply(page, "**/path?**", CONNECTION | {"paths": [], "more": False} | found)
    page.goto("/?from=a&to=b")
    page.locator(".connection").wait_for()
    assert said in page.locator(".connection").inner_text().split("\n")
    assert page.locator("#announcement").inner_text() == said


def test_a_search_that_was_cut_off_says_so_beside_its_paths(page: Page) -> None:
    reply(page, "**/path?**", CONNECTION | {"complete": False})
    page.goto("/?from=a&to=b")
    page.get_by_text("Not everything was searched: there may be shorter paths.").wait_for()


def test_nothing_is_shorter_than_one_relation(page: Page) -> None:
    direct = {"things": [SILKWOOD, NICHOLS], "relations": [[relation("directed by", "forward")]]}
    reply(page, "**/path?**", CONNECTION | {"paths": [direct], "complete": False})
    page.goto("/?from=a&to=b")
    page.locator(".connection").get_by_text("1 relation apart").wait_for()
    assert "Not everything was searched" not in page.locator(".connection").inner_text()


def test_each_thing_of_a_path_leads_to_what_the_graph_has_of_it(page: Page) -> None:
    reply(page, "**/path?**", CONNECTION)
    reply(page, "**/describe?**", THING)
    page.goto("/?from=a&to=b")
    with page.expect_request("**/describe?iri=https%3A%2F%2Fkg.example.org%2Fid%2FP1"):
        page.get_by_role("link", name="Meryl Streep").click()
    page.get_by_role("heading", name="Mike Nichols").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Silkwood – Alan J. Pakula").wait_for()


def test_another_thing_of_the_name_can_be_chosen(page: Page) -> None:
    reply(page, "**/path?**", CONNECTION)
    page.goto("/?from=a&to=b")
    with page.expect_request("**/path?from=*F3&to=*D8"):
        page.get_by_role("link", name="Alan Pakula (painter)").click()


def test_a_thing_leads_to_its_connections(page: Page) -> None:
    """By the name of the other one; on this page, with an address of its own."""
    reply(page, "**/path?**", CONNECTION)
    reply(page, "**/describe?**", THING)
    page.goto("/?thing=https://kg.example.org/id/D4")
    page.get_by_label("How is it connected to").fill("Silkwood")
    with page.expect_request("**/path?from=*D4&to=Silkwood"):
        page.get_by_role("button", name="Show", exact=True).click()
    page.locator(".connection").wait_for()
    assert "to=Silkwood" in page.url


@pytest.mark.parametrize("width", [390, 1400])
def test_long_paths_fit(page: Page, width: int) -> None:
    """Without scrolling sideways."""
    long = {**named("L", "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch " * 3)}
    path = {"things": [long] * 5, "relations": [[relation("a relation of many words" * 4, "backward")]] * 4}
    page.set_viewport_size({"width": width, "height": 800})
    reply(page, "**/path?**", CONNECTION | {"paths": [path] * 5})
    page.goto("/?from=a&to=b")
    page.locator(".paths li").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
