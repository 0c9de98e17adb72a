"""The page of `nlq demo`: the real server behind every part of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from driving import OPEN, ask, open_editor, wait, write

from tests.cli.serving import running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `nlq demo`."""
    environment = {**os.environ, "NLQ_DATA": str(tmp_path_factory.mktemp("data"))}
    with running(environment, "demo") as (_, address):
        yield address


@pytest.fixture
def shown(browser: Browser, demo: str) -> Iterator[Page]:
    """The page, once it can be asked; a script error or a blocked resource fails the test."""
    context = browser.new_context(base_url=demo)
    context.add_init_script(OPEN)
    tab = context.new_page()
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda said: "Security" in said.text and faults.append(said.text))
    tab.goto("/")
    tab.locator("#dataset option[value=sample]").wait_for(state="attached")
    tab.locator("#dataset option", has_text="loading").wait_for(state="detached", timeout=60_000)
    yield tab
    context.close()
    assert faults == []


def test_a_question_streams_its_stages(shown: Page) -> None:
    """The answer comes as events, with links, program and counts before it."""
    with shown.expect_response("**/nlq") as response:
        ask(shown, "What is the capital of France?")
    assert response.value.headers["content-type"].startswith("text/event-stream")
    assert shown.locator(".headline").inner_text() == "Paris"
    assert shown.locator(".step .count").count() == shown.locator(".step").count()
    shown.locator(".line[data-steps]").first.focus()
    assert shown.locator(".step.lit").count() > 0
    shown.reload()
    wait(shown)
    assert shown.locator(".headline").inner_text() == "Paris"


def test_two_things_are_connected(shown: Page) -> None:
    """From a question to the path, and on to a thing of it."""
    ask(shown, "How is the Seine connected to the Palme d'Or?")
    assert shown.locator(".paths a").all_inner_texts() == ["Seine", "France", "La Dolce Vita", "Palme d'Or"]
    shown.get_by_role("link", name="La Dolce Vita").click()
    shown.get_by_role("heading", name="La Dolce Vita").wait_for()


def test_another_meaning_is_pinned(shown: Page) -> None:
    """The choice reaches the answer."""
    ask(shown, "How long does the film Batman last?")
    before = shown.locator(".binding .iri").first.inner_text()
    shown.locator(".steps .open-term").first.click()
    shown.locator(".steps .popover:popover-open .chip").first.click()
    shown.wait_for_url("**pins=**")
    wait(shown)
    assert shown.locator(".binding .iri").first.inner_text() != before


def test_a_program_is_edited_run_and_taught(shown: Page) -> None:
    """Counts of each group are a table with a chart; the correction is kept for a curator."""
    ask(shown, "How many films are there?")
    shown.locator(".program").get_by_role("button", name="Edit").click()
    steps = [
        "FindAll()",
        "FilterConcept(film)",
        "Relate(directed by, forward)",
        "Count() <- 2",
        "Table() <- 3, 4",
    ]
    text = "\n".join(f"Step {number}: {step}" for number, step in enumerate(steps, 1))
    write(shown.get_by_role("textbox", name="Program"), text)
    shown.get_by_role("button", name="Run the program").click()
    shown.locator(".chart[data-kind=bars]").wait_for()
    assert shown.locator(".chart-name").first.inner_text() == "Steven Spielberg"
    shown.get_by_role("button", name="It is right: learn from it").click()
    shown.get_by_text("will be answered by it once a curator approves it").wait_for()


def test_a_wrong_program_is_explained(shown: Page) -> None:
    """With the gateway's hint, and the text to mend."""
    shown.goto("/?program=Step 1: Fnd(Paris)")
    wait(shown)
    assert "did you mean Find?" in shown.locator(".problem").inner_text()
    assert shown.get_by_role("textbox", name="Program").inner_text().strip() == "Step 1: Fnd(Paris)"


def test_nothing_found_offers_what_to_try(shown: Page) -> None:
    """Leaving the filter out finds what there was before it."""
    ask(shown, "Which films directed by Stanley Kubrick were published after 2005?")
    shown.get_by_role("button", name="Leave out step 4").click()
    shown.get_by_text("The Shining").first.wait_for()


def test_the_query_is_edited(shown: Page) -> None:
    """Refused queries show the reason; queries that read show rows."""
    ask(shown, "Which rivers are longer than 5000 kilometres?")
    open_editor(shown)
    shown.get_by_role("button", name="Run the query").click()
    shown.locator(".query-results tbody tr").nth(3).wait_for()
    for text, said in (("DROP ALL", ".problem"), ("ASK { ?a ?b ?c }", ".headline.short")):
        shown.locator(".cm-content").click()
        shown.keyboard.press("Control+a")
        shown.keyboard.type(text)
        shown.keyboard.press("Control+Enter")
        shown.locator(f".query-results {said}").wait_for()


def test_the_schema_is_searched(shown: Page) -> None:
    """Names and their other names are found."""
    shown.get_by_role("button", name="Schema").click()
    with shown.expect_response("**/schema?**q=movie**"):
        shown.get_by_role("searchbox").fill("movie")
    shown.locator(".schema").get_by_role("button", name="film", exact=True).click()
    assert shown.locator("#question").input_value() == "film"


def test_a_kept_answer_is_shown_by_its_link(shown: Page) -> None:
    """And thumbs on it reach its trace."""
    ask(shown, "Who directed Pulp Fiction?")
    shown.get_by_role("button", name="Share").click()
    shown.goto(shown.locator(".share-row input").first.input_value())
    shown.get_by_role("heading", name="Quentin Tarantino").wait_for()
    shown.get_by_role("button", name="Yes", exact=True).click()
    shown.get_by_text("Thank you").wait_for()


def test_an_answer_is_taken_away(shown: Page) -> None:
    """As each of the files, with the IRIs where these are wanted, and as a copy."""
    shown.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(shown, "Who directed Pulp Fiction?")
    shown.get_by_role("button", name="Download").click()
    shown.get_by_role("checkbox", name="IRIs").check()
    for name, ending in (("Excel", "xlsx"), ("CSV", "csv"), ("TSV", "tsv"), ("JSON", "json")):
        with shown.expect_download() as saved:
            shown.get_by_role("button", name=name, exact=True).click()
        assert saved.value.suggested_filename.startswith("sample-")
        assert saved.value.suggested_filename.endswith(f".{ending}")
    shown.get_by_role("button", name="CSV", exact=True).click()
    shown.get_by_role("button", name="Copy the table").click()
    shown.get_by_text("Copied").wait_for()
    copied = shown.evaluate("navigator.clipboard.readText()")
    assert "Quentin Tarantino\thttp://world.example/" in copied
