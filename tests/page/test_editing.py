"""Changes that users make: meanings of terms, the program, the query, and feedback."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from canned_gateway import CannedGateway, canned
from driving import ask_case, open_editor, reply, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser
PROGRAM = "Step 1: FindAll()\nStep 2: FilterConcept(city)\nStep 3: Count()"


def write_program(page: Page, text: str) -> None:
    """Put a text in the program's place."""
    page.locator(".program-editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def edit_program(page: Page, text: str) -> None:
    """Open the program's text, change it, run it."""
    page.locator(".program").get_by_role("button", name="Edit").click()
    write_program(page, text)
    page.get_by_role("button", name="Run the program").click()
    page.locator("#result[aria-busy=false] .card").first.wait_for()


def test_a_term_shows_what_else_it_could_be(page: Page, gateway: CannedGateway) -> None:
    """By keyboard: Enter opens, Tab goes to the choices, Enter pins one and asks again."""
    binding = ask_case(page, "ambiguous")["bindings"][0]
    page.locator(".steps .open-term").first.focus()
    page.keyboard.press("Enter")
    chosen = page.locator(".steps .popover:popover-open .chip")
    assert chosen.count() == len(binding["alternatives"])
    page.keyboard.press("Escape")
    assert chosen.count() == 0
    page.keyboard.press("Enter")
    chosen.nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**pins=**")
    wait(page)
    assert gateway.asked[-1]["pins"] == [{"step": 1, "argument": 0, "iri": binding["alternatives"][1]["iri"]}]


def test_a_popover_stays_in_the_window(page: Page) -> None:
    """On a phone as well."""
    page.set_viewport_size({"width": 360, "height": 740})
    ask_case(page, "ambiguous")
    page.locator(".steps .open-term").first.click()
    box = page.locator(".popover:popover-open").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def test_a_focused_line_lights_its_step(page: Page) -> None:
    """Tab reaches the first line of a step, arrow keys go on from there."""
    body = ask_case(page, "films")
    lines = page.locator(".line[data-steps]")
    assert page.locator(".line[tabindex='0']").count() == 1
    lines.first.focus()
    for index in range(lines.count()):
        numbers = (lines.nth(index).get_attribute("data-steps") or "").split()
        assert [one.get_attribute("data-step") for one in page.locator(".step.lit").all()] == numbers
        page.keyboard.press("ArrowDown")
    assert len(body["sparql"]["source_map"]) >= 3


def test_an_edited_program_is_run_and_can_be_kept_as_right(page: Page, gateway: CannedGateway) -> None:
    """It runs without the question, has an address of its own, and corrects the trace that it came from."""
    ask_case(page, "films")
    edit_program(page, PROGRAM)
    assert gateway.ran == [{"program": PROGRAM, "dataset": "sample"}]
    assert page.locator("#question").input_value() == canned("films")["question"]
    page.get_by_role("button", name="It is right: learn from it").click()
    page.get_by_text("Questions like this one will be answered by it").wait_for()
    assert gateway.judged == [("t-films", {"correct": False, "program": PROGRAM})]
    page.reload()
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    assert gateway.ran[1] == gateway.ran[0]


def test_a_program_that_cannot_be_read_is_not_lost(page: Page, gateway: CannedGateway) -> None:
    """The problem stands beside the text, which can be mended and run."""
    ask_case(page, "films")
    edit_program(page, "Step 1: Count the films")
    assert page.locator(".problem").count() == 1
    field = page.get_by_role("textbox", name="Program")
    assert field.inner_text() == "Step 1: Count the films"
    write_program(page, PROGRAM)
    field.press("Control+Enter")
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    assert len(gateway.ran) == 2


@pytest.mark.parametrize(
    ("entered", "sent"),
    [
        ({}, {"correct": False}),
        ({"What is wrong?": "Nichols only"}, {"correct": False, "comment": "Nichols only"}),
        ({"The right program": PROGRAM}, {"correct": False, "program": PROGRAM}),
    ],
    ids=["nothing", "comment", "program"],
)
def test_thumbs_down_takes_a_correction(
    page: Page, gateway: CannedGateway, entered: dict[str, str], sent: dict[str, object]
) -> None:
    """A program that was not changed is not sent as the right one."""
    ask_case(page, "films")
    page.get_by_role("button", name="No", exact=True).click()
    page.get_by_text("I know the right program").click()
    for label, text in entered.items():
        page.get_by_role("textbox", name=label).fill(text)
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Thank you").wait_for()
    assert gateway.judged == [("t-films", sent)]


def test_thumbs_up_is_one_press(page: Page, gateway: CannedGateway) -> None:
    """And says what comes of it."""
    ask_case(page, "films")
    page.get_by_role("button", name="Yes", exact=True).click()
    page.get_by_text("Thank you. Questions like this one").wait_for()
    assert gateway.judged == [("t-films", {"correct": True})]


def test_an_opinion_that_is_refused_stays_entered(page: Page) -> None:
    """With the gateway's reason beside it."""
    ask_case(page, "films")
    problem = {
        "status": 400,
        "title": "The program does not check",
        "issues": [{"message": "No such function."}],
    }
    page.route("**/feedback", lambda route: route.fulfill(status=400, json=problem))
    page.get_by_role("button", name="No", exact=True).click()
    page.get_by_role("textbox", name="What is wrong?").fill("All of it")
    page.get_by_role("button", name="Send").click()
    assert "No such function." in page.get_by_role("alert").inner_text()
    assert page.get_by_role("textbox", name="What is wrong?").input_value() == "All of it"


@pytest.mark.parametrize(("mode", "thumbs"), [("review", 2), ("off", 0)])
def test_thumbs_are_shown_where_feedback_is_taken(
    page: Page, gateway: CannedGateway, mode: str, thumbs: int
) -> None:
    gateway.feedback = mode
    page.reload()
    ask_case(page, "number")
    assert page.locator(".thumb").count() == thumbs


def test_an_empty_answer_offers_what_to_try(page: Page, gateway: CannedGateway) -> None:
    """The earlier answer, and the program without the step that leaves nothing."""
    ask_case(page, "empty")
    shown = page.locator(".diagnosis")
    assert "Before it there were 3 results: Lady Bird, Little Women, Barbie." in shown.inner_text()
    shown.get_by_role("button", name="Leave out step 3: publication date < 1960", exact=True).click()
    wait(page)
    steps = canned("empty")["body"]["program"]["steps"][:2]
    assert [
        [step["function"], step["dependencies"]]
        for step in page.evaluate("JSON.parse", gateway.ran[0]["program"])
    ] == [[step["function"], step["dependencies"]] for step in steps]


def test_a_relation_that_leads_nowhere_can_be_turned(page: Page, gateway: CannedGateway) -> None:
    """The same program with the relation followed the other way."""
    body = canned("empty")["body"]
    body["steps"][1]["count"] = 0
    reply(page, "**/nlq", body)
    ask_case(page, "empty")
    page.get_by_role("button", name="Follow step 2 the other way").click()
    wait(page)
    steps = page.evaluate("JSON.parse", gateway.ran[0]["program"])
    assert [step["inputs"] for step in steps][1] == ["directed by", "forward"]
    assert steps[2] == body["program"]["steps"][2]


def test_a_refusal_is_not_confirmed(page: Page, gateway: CannedGateway) -> None:
    """To confirm it would teach the program that came closest; the right one can be told."""
    reply(page, "**/nlq", canned("empty")["body"] | {"status": "unanswerable"})
    ask_case(page, "empty")
    assert page.locator(".thumb").all_inner_texts() == ["Yes, tell which"]
    page.locator(".thumb").click()
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Thank you").wait_for()
    assert gateway.judged == [("t-empty", {"correct": False})]


@pytest.mark.usefixtures("alone")
def test_the_query_is_edited_and_run(page: Page, gateway: CannedGateway) -> None:
    """In the editor, which is loaded only now; rows are shown as a table, Ctrl+Enter runs again."""
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    text = ask_case(page, "films")["sparql"]["text"]
    assert not any("vendor" in url for url in loaded)
    content = open_editor(page)
    assert any(url.endswith("vendor/editor.js") for url in loaded)
    assert page.evaluate("document.querySelector('.editor').shadowRoot.adoptedStyleSheets.length") > 0
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine")
    page.keyboard.press("Control+Enter")
    page.locator(".query-results table").wait_for()
    assert gateway.queried == [("/sample/sparql", text + "# mine")]
    assert page.locator(".query-results tbody td").first.inner_text() == "https://kg.example.org/id/F100"
    assert page.locator(".query [role=status]").inner_text().startswith("2 rows, ")
    assert content.get_attribute("aria-label") == "SPARQL query"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run the query"


def test_a_refused_query_keeps_its_text(page: Page) -> None:
    """The problem stands under the editor, and the compiled query can be had back."""
    ask_case(page, "films")
    open_editor(page)
    page.keyboard.press("Control+a")
    page.keyboard.type("DROP ALL")
    page.get_by_role("button", name="Run the query").click()
    assert "The query is refused" in page.locator(".query-results .problem").inner_text()
    assert page.locator(".query [role=status]").text_content() == "Error. The query is refused. DROP ALL"
    assert page.locator(".cm-content").inner_text() == "DROP ALL"
    page.get_by_role("button", name="Back to the compiled query").click()
    assert page.locator(".query .line").count() > 3


def test_the_last_run_of_a_query_counts(page: Page) -> None:
    """However late the answer to an earlier one comes."""
    ask_case(page, "films")
    open_editor(page)
    held: list[Route] = []
    page.route("**/sparql", lambda route: held.append(route), times=1)
    run = page.get_by_role("button", name="Run the query")
    with page.expect_request("**/sparql"):
        run.click()
    with page.expect_event("requestfinished"):
        run.click()
    page.locator(".query-results tbody tr").nth(1).wait_for()
    assert len(held) == 1
    assert page.locator(".query [role=status]").inner_text().startswith("2 rows, ")


def test_without_the_editor_a_plain_field_is_there(page: Page, gateway: CannedGateway) -> None:
    """The editor's file cannot be loaded."""
    page.route("**/vendor/editor.js", lambda route: route.abort())
    ask_case(page, "films")
    page.locator(".query").get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="SPARQL query").fill("SELECT 1")
    page.get_by_role("button", name="Run the query").click()
    page.locator(".query-results table").wait_for()
    assert gateway.queried == [("/sample/sparql", "SELECT 1")]


def test_the_store_opens_the_query_as_it_is_now(page: Page) -> None:
    """Percent-encoded; where a dataset has no such page there is no link."""
    ask_case(page, "films")
    assert page.get_by_role("link", name="Open in the store").count() == 0
    body = canned("films")["body"] | {"dataset": "products"}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    page.locator("#question").press("Enter")
    link = page.get_by_role("link", name="Open in the store")
    link.wait_for()
    whole = quote(body["sparql"]["text"], safe="!'()*~-._")
    assert link.get_attribute("href") == f"https://store.example.org/ui?query={whole}&tab=results"
    open_editor(page)
    page.keyboard.press("Control+a")
    page.keyboard.type("ASK { ?a ?b 1 }")
    assert "query=ASK%20%7B%20%3Fa%20%3Fb%201%20%7D&" in (link.get_attribute("href") or "")


def test_yasgui_opens_the_query_at_this_endpoint(page: Page, gateway: CannedGateway) -> None:
    """The gateway lets YASGUI ask."""
    text = ask_case(page, "films")["sparql"]["text"]
    whole = quote(text, safe="!'()*~-._")
    endpoint = quote(f"{gateway.url}/sample/sparql", safe="")
    link = page.get_by_role("link", name="Open in YASGUI")
    assert link.get_attribute("href") == f"https://yasgui.example.org/#query={whole}&endpoint={endpoint}"


@pytest.mark.parametrize("clipboard", [True, False])
@pytest.mark.usefixtures("alone")
def test_links_to_share(page: Page, clipboard: bool) -> None:
    """The kept answer and the question anew; copied where the browser lets the page."""
    if clipboard:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    ask_case(page, "number")
    page.get_by_role("button", name="Share").click()
    fields = page.locator(".popover:popover-open input")
    assert [field.input_value().split("/")[-1] for field in fields.all()] == [
        "?trace=t-number",
        "?q=How+many+people+live+in+Lisbon%3F&dataset=sample",
    ]
    page.locator(".share-row button").first.click()
    page.get_by_text("Copied" if clipboard else "Selected").wait_for()
    if clipboard:
        assert page.evaluate("navigator.clipboard.readText()").endswith("?trace=t-number")


def test_readings_to_choose_from_run_their_programs(page: Page, gateway: CannedGateway) -> None:
    readings = [
        {"reading": "Which rivers are there?", "program": "FindAll()\nFilterConcept(river)\nWhat()"},
        {"reading": "How many rivers are there?", "program": "FindAll()\nFilterConcept(river)\nCount()"},
    ]
    reply(page, "**/nlq", canned("empty")["body"] | {"status": "unanswerable", "readings": readings})
    ask_case(page, "empty")
    assert page.get_by_role("heading", name="Did you mean").count() == 1
    with page.expect_response("**/run"):
        page.get_by_role("button", name="How many rivers are there?").click()
    assert gateway.ran[-1]["program"] == readings[1]["program"]
