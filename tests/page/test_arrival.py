"""A question on its way: stages arrive as events, and whatever cuts the stream loses nothing."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway, canned
from driving import ask, ask_case, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
QUESTION = canned("films")["question"]


@pytest.fixture
def held(gateway: CannedGateway) -> dict[str, Event]:
    """Events of the stream that wait until a test lets them go."""
    gates = {name: Event() for name in ("links", "program", "sparql", "step", "answer")}
    gateway.before_event = lambda name: gates[name].wait(20) if name in gates else None
    return gates


def start(page: Page, question: str = QUESTION) -> None:
    """Ask, and do not wait."""
    page.locator("#question").fill(question)
    page.keyboard.press("Enter")


def test_stages_are_shown_as_they_come(page: Page, held: dict[str, Event]) -> None:
    """Names are marked in the question, then come the program, its query, the counts, and the answer."""
    start(page)
    done = page.locator(".stage.done")
    page.locator(".stage").first.wait_for()
    assert done.count() == 0
    held["links"].set()
    page.locator(".heard mark").first.wait_for()
    assert "Mike Nichols" in page.locator(".heard mark").all_inner_texts()
    held["program"].set()
    page.locator(".arriving .step").first.wait_for()
    assert page.locator(".arriving .sparql").count() == 0
    assert page.locator(".arriving .count").count() == 0
    held["sparql"].set()
    page.locator(".arriving .sparql").wait_for()
    held["step"].set()
    page.locator(".arriving .step .count").nth(3).wait_for()
    assert done.count() == 4
    assert page.locator("#result").get_attribute("aria-busy") == "true"
    held["answer"].set()
    page.get_by_role("heading", name="Mike Nichols directed 21 films").wait_for()
    assert page.locator(".working").count() == 0


def test_the_way_out_stays_in_place(page: Page, held: dict[str, Event]) -> None:
    """Arriving parts take neither the focus from the button nor its place."""
    start(page)
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    before = cancel.bounding_box()
    for name in ("links", "program", "sparql", "step"):
        held[name].set()
    page.locator(".arriving .step .count").nth(3).wait_for()
    assert cancel.bounding_box() == before
    assert page.evaluate("document.activeElement.textContent") == "Cancel"


def test_cancelling_closes_the_connection(page: Page, gateway: CannedGateway, held: dict[str, Event]) -> None:
    """The gateway can no longer send, and so knows that nobody waits."""
    start(page)
    held["links"].set()
    page.locator(".heard mark").first.wait_for()
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Cancel").click()
    for gate in held.values():
        gate.set()
    page.wait_for_timeout(300)
    assert gateway.left
    assert page.locator("#result > *").count() == 0
    assert page.locator("#question").input_value() == QUESTION


def test_a_stream_that_breaks_off_is_asked_for_whole(page: Page, gateway: CannedGateway) -> None:
    """A proxy may cut streams: the answer is then fetched as JSON, and from then on always."""
    gateway.before_event = lambda name: name != "grounding"
    ask(page, QUESTION)
    assert page.locator(".values a").count() == 21
    assert len(gateway.asked) == 2
    with page.expect_request("**/nlq") as sent:
        ask_case(page, "number")
    assert sent.value.headers["accept"] == "application/json"
    assert len(gateway.asked) == 3


def test_a_server_without_streams_is_answered_too(page: Page) -> None:
    """It chooses JSON, which the page accepts as well."""
    body = canned("films")["body"]
    with page.expect_request("**/nlq") as sent:
        page.route("**/nlq", lambda route: route.fulfill(json=body))
        ask(page, QUESTION)
    assert sent.value.headers["accept"] == "text/event-stream, application/json;q=0.9"
    assert page.locator(".values a").count() == 21


def test_events_survive_any_cut_into_pieces(page: Page) -> None:
    """Network reads end anywhere: in a line, in a letter, between carriage return and line feed."""
    told = page.evaluate(
        """async () => {
          const { eventsOf } = await import("./static/js/events.js");
          const text = ': hello\\r\\n\\r\\nid: 1\\r\\nevent: links\\r\\n'
            + 'data: {"a":\\r\\ndata: "é😀"}\\r\\n\\r\\n'
            + 'id: 2\\nevent: done\\ndata: {}\\n\\nevent: cut\\ndata: {"never": 1}';
          const bytes = new TextEncoder().encode(text);
          const results = [];
          for (const size of [1, 2, 3, 7, 1000]) {
            const body = new ReadableStream({ start(controller) {
              for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
              controller.close();
            } });
            const events = [];
            for await (const event of eventsOf({ body })) events.push(event);
            results.push(JSON.stringify(events));
          }
          return [...new Set(results)];
        }"""
    )
    assert told == ['[{"event":"links","data":{"a":"é😀"}},{"event":"done","data":{}}]']


def test_a_problem_in_the_stream_is_a_problem(page: Page) -> None:
    """The same card as for a failed request."""
    problem = ask_case(page, "unreachable")
    assert problem["title"] in page.locator(".problem").inner_text()


def test_the_last_program_counts(page: Page, gateway: CannedGateway) -> None:
    """Counts of a program that was given up do not stay beside the next one."""
    known = page.evaluate(
        """async () => {
          const { arrived } = await import("./static/js/live.js");
          const program = (name) => ({ program: { steps: [{ function: name }], text: "" } });
          let known = arrived({}, "program", program("Find"));
          known = arrived(known, "step", { step: 1, count: 3 });
          known = arrived(known, "step", { step: 1, count: 4 });
          known = arrived(known, "toString", {});
          const first = known.steps;
          known = arrived(known, "program", program("FindAll"));
          return [first, known.steps, known.program.steps[0].function];
        }"""
    )
    assert known == [[{"step": 1, "count": 4}], [], "FindAll"]
    wait_free = gateway.asked == []
    assert wait_free


def test_nothing_moves_under_reduced_motion(page: Page, held: dict[str, Event]) -> None:
    """Neither the wait nor what arrives is animated for people who asked for that."""
    page.emulate_media(reduced_motion="reduce")
    start(page)
    held["links"].set()
    held["program"].set()
    page.locator(".arriving .step").first.wait_for()
    assert page.evaluate("document.getAnimations().length") == 0
    for gate in held.values():
        gate.set()
    wait(page)


@pytest.mark.usefixtures("alone")
def test_views_that_cannot_be_loaded(page: Page, gateway: CannedGateway) -> None:
    """They come after the first view: a panel and an answer say what failed, and load them when tried."""
    page.route("**/css/answer.css", lambda route: route.abort())
    page.goto(gateway.url)
    page.locator("#examples .example").first.click()
    wait(page)
    assert "did not respond" in page.locator("#result .problem").inner_text()
    page.get_by_role("button", name="Schema").click()
    page.locator("dialog[open] .problem").wait_for()
    page.unroute("**/css/answer.css")
    page.locator("dialog[open]").get_by_role("button", name="Try again").click()
    page.locator("dialog[open] .schema").wait_for()
    page.keyboard.press("Escape")
    ask_case(page, "number")
