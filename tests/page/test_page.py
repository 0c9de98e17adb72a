"""The page at `/`: what its files may hold, and how it behaves in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from canned_gateway import STATIC, CannedGateway, canned
from driving import ask, ask_case, open_all

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

SCRIPTS = sorted(STATIC.glob("js/*.js"))
STYLES = [STATIC / "page.css", *sorted(STATIC.glob("css/*.css"))]
TEXT_FILES = [*SCRIPTS, *STYLES, STATIC / "index.html"]
# What vocabularies are called, which nothing is loaded from.
NAMESPACES = {
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/2001/XMLSchema",
    "http://dbpedia.org/ontology/thumbnail",
    "http://xmlns.com/foaf/0.1/",
    "http://schema.org/",
    "https://schema.org/",
    "http://www.wikidata.org/",
}
MARKUP_SINKS = re.compile(r"(?:inner|outer|insertAdjacent)HTML|document\.write|\beval\(|new Function|srcdoc")
HOSTILE = "<img src=x onerror=\"document.title='executed'\">"


class Markup(HTMLParser):
    """Start tags with their attributes, and the text inside script and style elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep what a script or style element holds; the parser gives such text whole."""
        if self.tags and self.tags[-1][0] in {"script", "style"}:
            self.inline += data.strip()


@pytest.fixture(scope="module")
def markup() -> Markup:
    """The page's HTML, parsed."""
    return Markup((STATIC / "index.html").read_text(encoding="utf-8"))


def test_every_referenced_file_exists(markup: Markup) -> None:
    """Links, images, scripts and module imports lead to files."""
    named = [attributes.get("src") or attributes.get("href") for _, attributes in markup.tags]
    references = [reference for reference in named if reference]
    assets = [reference for reference in references if reference.startswith("static/")]
    assert len(assets) >= 4
    code = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    imports = re.findall(r'from "\./([^"]+)"', code)
    assert len(imports) >= len(SCRIPTS) - 1
    missing = [asset for asset in assets if not (STATIC / asset.removeprefix("static/")).is_file()]
    assert missing + [name for name in imports if not (STATIC / "js" / name).is_file()] == []


def test_markup_holds_no_inline_code(markup: Markup) -> None:
    """A policy of `default-src 'self'` would block inline scripts, styles and handlers."""
    attributes = {name for _, attributes in markup.tags for name in attributes}
    assert markup.inline == ""
    assert {name for name in attributes if name == "style" or name.startswith("on")} == set()


@pytest.mark.parametrize("path", TEXT_FILES, ids=lambda path: path.name)
def test_nothing_is_loaded_from_elsewhere(path: Path) -> None:
    """No file names another host as a resource; documents that a comment cites are not loaded."""
    code = re.sub(r"^\s*(?://|/?\*).*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"(?:https?:)?//[\w.-]+\.\w[\w./-]*", code)) <= NAMESPACES


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_small_and_write_text_only(path: Path) -> None:
    """No way for data to become markup or code."""
    code = path.read_text(encoding="utf-8")
    assert MARKUP_SINKS.findall(code) == []
    assert len(code.splitlines()) < 200


def test_the_page_is_small() -> None:
    """All of it but the editor, with the largest language, whether it is needed or not."""
    languages = max(path.stat().st_size for path in STATIC.glob("languages/*.json"))
    assert languages + sum(path.stat().st_size for path in TEXT_FILES) < 250_000


def lit_lines(page: Page) -> list[str]:
    """The text of the SPARQL lines that are lit."""
    return [line.rstrip("\n") for line in page.locator(".line.lit .code").all_text_contents()]


def mapped_lines(sparql: dict[str, Any], step: int) -> list[str]:
    """The lines that a step's spans touch, by Python's own slicing."""
    text: str = sparql["text"]
    spans = next(entry["spans"] for entry in sparql["source_map"] if entry["step"] == step)
    touched = {text.count("\n", 0, position) for start, end in spans for position in range(start, end)}
    return [line for index, line in enumerate(text.split("\n")) if index in touched]


@pytest.mark.browser
def test_question_is_answered_by_keyboard(page: Page, gateway: CannedGateway) -> None:
    """The box has the focus; Enter asks; answer, values, confidence and permalink are there."""
    assert page.evaluate("document.activeElement.id") == "question"
    # With the datasets, of which one is asked.
    page.locator("#examples .example").first.wait_for()
    page.keyboard.type("Which films did Mike Nichols direct?")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Mike Nichols directed 21 films").wait_for()
    assert gateway.asked == [{"question": "Which films did Mike Nichols direct?", "dataset": "sample"}]
    assert page.locator(".values a").count() == 21
    thing = "?thing=https%3A%2F%2Fkg.example.org%2Fid%2FF3&dataset=sample"
    assert page.get_by_role("link", name="Silkwood").get_attribute("href") == thing
    assert "93% sure" in page.locator(".confidence").inner_text()
    assert page.locator("#announcement").inner_text().startswith("Answered. Mike Nichols directed 21 films")
    page.get_by_text("About this run").click()
    assert page.get_by_role("link", name="permalink").get_attribute("href") == "?trace=t-films"
    assert page.locator("#question").input_value() == "Which films did Mike Nichols direct?"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "headline"), [("number", "545,796 inhabitants"), ("boolean", "No"), ("long", "Silkwood")]
)
def test_single_value_is_said_once(page: Page, name: str, headline: str) -> None:
    """One value is the headline and not repeated as a list."""
    ask_case(page, name)
    assert page.locator(".headline").inner_text() == headline
    assert page.locator(".values").count() == 0


@pytest.mark.browser
def test_several_columns_are_a_table(page: Page) -> None:
    """Head and cells in order, links kept, a missing cell as a dash, the row limit said."""
    ask_case(page, "table")
    assert page.locator("th").all_text_contents() == ["director", "films", "first film", "remark"]
    first = page.locator("tbody tr").first.locator("td")
    assert first.all_text_contents() == ["Woody Allen", "47", "1966", "–"]
    assert "cut off" in page.locator(".answer").inner_text()


def answer_table(page: Page, columns: list[str], rows: list[list[str]], values: list[str]) -> None:
    """Ask a question that is answered with this table."""
    body = canned("number")["body"]
    body["table"] = {"columns": columns, "rows": rows}
    body["answer"] = {"text": "Some rows", "values": [{"value": v, "type": "literal"} for v in values]}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])


@pytest.mark.browser
def test_numbers_of_a_table_stand_at_the_end_of_their_column(page: Page) -> None:
    """Cells are text: a column is numeric when all of its cells are; its name is read as words."""
    rows = [["Africa", "6628969 square kilometre", "12", ""], ["Asia", "-3.5", "1960-02-01", "7"]]
    answer_table(page, ["continent", "totalArea", "since", "rank"], rows, ["Africa", "Asia"])
    assert page.locator("th").all_text_contents() == ["continent", "total area", "since", "rank"]
    assert page.locator("th.number").all_text_contents() == ["total area", "rank"]
    assert page.locator("td.number").all_text_contents() == ["6628969 square kilometre", "–", "-3.5", "7"]


@pytest.mark.browser
def test_rows_that_repeat_are_all_shown(page: Page) -> None:
    """A table of one column is a list of values only where these say it all."""
    answer_table(page, ["job"], [["inventor"], ["engineer"], ["inventor"]], ["inventor", "engineer"])
    assert page.locator("tbody td").all_text_contents() == ["inventor", "engineer", "inventor"]
    assert page.locator(".values").count() == 0


@pytest.mark.browser
def test_a_table_without_rows_is_not_drawn(page: Page) -> None:
    """The words say that there is nothing."""
    answer_table(page, ["river", "length"], [], [])
    assert page.locator("table").count() == 0


@pytest.mark.browser
def test_a_step_names_all_its_sources(page: Page) -> None:
    """A table may be fed by any number of steps."""
    body = canned("number")["body"]
    step = {"function": "Table", "inputs": [], "dependencies": [0, 2, 3]}
    body["program"]["steps"] = [*body["program"]["steps"], step]
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])
    assert page.locator(".sources").last.inner_text() == "of 1, 3, and 4"


@pytest.mark.browser
def test_many_values_are_shown_on_demand(page: Page) -> None:
    """A long list starts short and grows by its button."""
    body = canned("films")["body"]
    body["answer"]["values"] *= 5
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])
    assert page.locator(".values li").count() == 24
    page.get_by_role("button", name="Show all 105").click()
    assert page.locator(".values li").count() == 105


@pytest.mark.browser
@pytest.mark.parametrize(("name", "steps"), [("films", 4), ("long", 9)])
def test_focused_step_lights_its_lines(page: Page, name: str, steps: int) -> None:
    """Each step, reached by Tab or focus, lights the lines of its spans; offsets count code points."""
    sparql = ask_case(page, name)["sparql"]
    for step in range(1, steps + 1):
        page.locator(f".step[data-step='{step}'] .step-head").focus()
        assert lit_lines(page) == mapped_lines(sparql, step)
        assert page.locator(".step.lit").get_attribute("data-step") == str(step)
    page.locator("#question").focus()
    assert lit_lines(page) == []


@pytest.mark.browser
def test_hovered_line_lights_its_steps(page: Page) -> None:
    """A line that serves two steps lights both."""
    ask_case(page, "long")
    page.get_by_text("?film p:cast_member ?meryl_streep").hover()
    assert [step.get_attribute("data-step") for step in page.locator(".step.lit").all()] == ["5", "7"]


@pytest.mark.browser
def test_sparql_text_is_shown_unchanged(page: Page) -> None:
    """Colouring loses and adds nothing."""
    sparql = ask_case(page, "long")["sparql"]
    assert (page.locator(".sparql").text_content() or "").rstrip("\n") == sparql["text"].rstrip("\n")


@pytest.mark.browser
def test_an_answer_says_what_question_it_answers(page: Page) -> None:
    """The program in English stands under the answer; nothing does where there are no words for it."""
    assert ask_case(page, "written")["reading"] in page.locator(".answer .read-as").inner_text()
    ask_case(page, "long")
    assert page.locator(".answer .read-as").count() == 0


@pytest.mark.browser
def test_empty_answer_has_its_diagnosis(page: Page) -> None:
    """The step that leaves nothing is named and marked, warnings are shown."""
    body = ask_case(page, "empty")
    assert body["diagnosis"] in page.locator(".diagnosis").inner_text()
    assert page.locator(".step.none").get_attribute("data-step") == "3"
    assert body["warnings"][0]["message"] in page.locator(".warnings").inner_text()


@pytest.mark.browser
def test_chosen_alternative_is_pinned(page: Page, gateway: CannedGateway) -> None:
    """Choosing asks again with the pin, the address keeps it, and the way back has the first view."""
    binding = ask_case(page, "ambiguous")["bindings"][0]
    page.locator(".reading .chip").nth(1).click()
    page.wait_for_url("**pins=**")
    page.locator("#result[aria-busy=false] .answer").wait_for()
    pin = {"step": 1, "argument": binding["argument"], "iri": binding["alternatives"][1]["iri"]}
    assert gateway.asked[-1]["pins"] == [pin]
    assert page.evaluate("document.activeElement.className").startswith("headline")
    page.go_back()
    page.locator("#result[aria-busy=false] .answer").wait_for()
    assert "pins" not in page.url
    assert len(gateway.asked) == 2


@pytest.mark.browser
def test_failure_is_explained(page: Page, gateway: CannedGateway) -> None:
    """Status, detail and hint of an outage are shown, and it can be tried again."""
    problem = ask_case(page, "unreachable")
    shown = page.locator(".problem").inner_text()
    assert all(text in shown for text in ("Error 502", problem["title"], problem["detail"], problem["hint"]))
    assert problem["title"] in page.locator("#announcement").inner_text()
    with page.expect_response("**/nlq"):
        page.get_by_role("button", name="Try again").click()
    assert len(gateway.asked) == 2


@pytest.mark.browser
def test_refused_program_is_shown_with_its_issues(page: Page) -> None:
    """Parts made before the failure are shown; no retry is offered if it cannot help."""
    problem = ask_case(page, "invalid")
    assert problem["issues"][0]["message"] in page.locator(".issues").inner_text()
    assert page.locator(".step").count() == 2
    assert page.get_by_role("button", name="Try again").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda route: route.abort(), "The gateway did not respond"),
        (lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>Bad</h1>"), "Error 502"),
        (lambda route: route.fulfill(content_type="application/json", body="{"), "could not be read"),
    ],
    ids=["no connection", "proxy error", "cut off"],
)
def test_failures_outside_the_gateway_are_no_answers(
    page: Page, answer: Callable[[Route], None], said: str
) -> None:
    """Whatever goes wrong on the way is an error that may be tried again."""
    page.route("**/nlq", answer)
    ask(page, "Who wrote Wit?")
    assert said in page.locator(".problem").inner_text()
    assert page.get_by_role("button", name="Try again").count() == 1


@pytest.mark.browser
@pytest.mark.parametrize("way", ["button", "Escape"])
def test_question_can_be_cancelled(page: Page, way: str) -> None:
    """The request is aborted, the question stays, the box has the focus again."""
    held: list[Route] = []
    page.route("**/nlq", lambda route: held.append(route))
    page.locator("#question").fill("Who wrote Wit?")
    page.keyboard.press("Enter")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.wait_for()
    with page.expect_event("requestfailed"):
        cancel.click() if way == "button" else page.keyboard.press(way)
    assert page.locator("#result > *").count() == 0
    assert page.locator("#question").input_value() == "Who wrote Wit?"
    assert page.evaluate("document.activeElement.id") == "question"


@pytest.mark.browser
def test_hostile_labels_stay_text(page: Page) -> None:
    """Markup from the graph is read, not run; only web addresses become links."""
    ask_case(page, "hostile")
    assert page.locator(".headline").inner_text() == HOSTILE
    assert page.locator("#result img, #result script").count() == 0
    assert "executed" not in page.title()
    links = [link.get_attribute("href") or "" for link in page.locator("#result a").all()]
    assert [link for link in links if re.match(r"(javascript|data):", link)] == []
    assert "<script>alert(1)</script>" in (page.locator(".sparql").text_content() or "")
    told = page.locator(".story")
    open_all(told)
    texts = ("del", "ins", ".repairs .note", ".told li", ".questions q", ".questions code", ".written")
    assert [told.locator(place).first.inner_text() for place in texts] == [HOSTILE] * len(texts)
    assert HOSTILE in (page.locator(".run").text_content() or "")


@pytest.mark.browser
def test_repairs_are_shown_unfolded(page: Page) -> None:
    """Each with its step, what it was and became, and why; what was added or left out says so."""
    body = ask_case(page, "written")
    shown = page.locator(".story > .part > .repairs > li")
    assert page.locator(".part[open] > summary").all_inner_texts() == ["5 repairs"]
    assert shown.locator(".note").all_inner_texts() == [repair["why"] for repair in body["repairs"]]
    assert [text.split("\n") for text in shown.locator(".change").all_inner_texts()] == [
        ["Step 2", "added", "forward"],
        ["Step 5", "played by", "became", "→", "cast member"],
        ["Step 6", "FilterConcept(thespian)", "became", "→", "FilterConcept(actor)"],
        ["Step 7", "added", "What()"],
        ["Step 4", "left out", "And() <- 3"],
    ]


@pytest.mark.browser
def test_facts_and_sub_questions_unfold_by_keyboard(page: Page) -> None:
    """The prompt's facts, and the meaning of each sub-question, with its steps and the others."""
    body = ask_case(page, "written")
    for title in ("3 sub-questions", "6 facts around what the question names"):
        page.get_by_text(title).focus()
        page.keyboard.press("Enter")
    assert page.locator(".told li").all_inner_texts() == body["facts"]
    questions = body["sub_questions"]
    shown = page.locator(".questions > li")
    assert shown.locator(".change").all_inner_texts() == [
        f"#{number}\n{one['text']}" for number, one in enumerate(questions, 1)
    ]
    assert shown.locator("q").all_inner_texts() == [one["template"] for one in questions]
    assert shown.locator("code").all_inner_texts() == [one["chain"] for one in questions]
    assert "94% alike, chosen with 80%" in shown.last.inner_text()
    assert not shown.last.get_by_text(questions[2]["others"][0]).is_visible()
    shown.last.get_by_text("4 alternatives").click()
    assert shown.last.locator(".others li").all_inner_texts() == questions[2]["others"]


@pytest.mark.browser
def test_looks_have_what_was_asked_and_what_came(page: Page) -> None:
    """In the order in which the model took them, with what each cost."""
    body = canned("written")["body"]
    lines = "Step 1: Find(Fargo) → 1: Fargo\nAnswer: Fargo"
    body["looks"] = [
        {"tool": "find", "argument": "Fargo", "result": 'thing "Fargo"', "ms": 1.6, "tokens": 4},
        {"tool": "run", "argument": "Find(Fargo)", "result": lines, "ms": 12, "tokens": 1},
    ]
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])
    page.get_by_text("2 looks at the graph").click()
    shown = page.locator(".looks > li")
    assert shown.locator(".change").all_inner_texts() == [
        "find\nFargo\n2 ms, 4 tokens",
        "run\nFind(Fargo)\n12 ms, 1 token",
    ]
    assert shown.locator(".written").all_inner_texts() == ['thing "Fargo"', lines]


@pytest.mark.browser
def test_programs_that_were_tried_have_their_outcome(page: Page) -> None:
    """The program of the answer's own attempt is not repeated."""
    attempts = ask_case(page, "written")["attempts"]
    page.get_by_text("5 programs tried").click()
    shown = page.locator(".attempts > li")
    assert shown.locator("> .change > .place").all_inner_texts() == [
        "steps, greedy",
        "steps, corrected",
        "steps, sampled",
        "bottom-up",
        "decompose",
    ]
    assert shown.locator(".outcome").all_inner_texts() == [one["outcome"] for one in attempts]
    assert shown.locator(".written").all_inner_texts() == [one["program"] for one in attempts[:-1]]
    assert "the program above" in shown.last.inner_text()
    shown.get_by_text("4 repairs").click()
    assert shown.locator("del").first.inner_text() == attempts[2]["repairs"][1]["before"]


@pytest.mark.browser
def test_a_sub_question_that_nothing_answers(page: Page) -> None:
    """It has no template, and says so."""
    body = canned("written")["body"]
    body["sub_questions"][2] |= {"template": "", "chain": "", "similarity": 0, "probability": 0}
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])
    open_all(page.locator(".story"))
    assert "Taken for nothing that the graph can answer." in page.locator(".questions > li").last.inner_text()


@pytest.mark.browser
def test_the_model_is_named_with_what_it_cost(page: Page) -> None:
    """Calls that failed or cost nothing are counted apart."""
    body = ask_case(page, "written")
    page.get_by_text("About this run").click()
    facts = page.locator(".run .facts")
    assert facts.locator("dd").all_inner_texts()[:3] == [
        "decompose",
        body["model"],
        "3 made, 1 failed, 1 known from before, 876 tokens, 2.3 s",
    ]


@pytest.mark.browser
def test_without_a_model_there_is_no_story(page: Page) -> None:
    """One program that was tried and answers is the one that is shown."""
    body = canned("films")["body"]
    taken = {"program": body["program"]["text"], "source": "bottom-up", "score": 3, "outcome": "answered"}
    body["attempts"] = [taken]
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, body["question"])
    assert page.locator(".story").count() == 0
    page.get_by_text("About this run").click()
    assert page.locator(".run .facts dd").all_inner_texts()[1] == "not used"


@pytest.mark.browser
def test_address_asks_its_question(page: Page, gateway: CannedGateway) -> None:
    """A shared address gives the same view, with its dataset and pins."""
    question = "Which films did Mike Nichols direct?"
    pins = [{"step": 1, "argument": 0, "iri": "https://kg.example.org/id/Q1"}]
    page.goto(f"/?q={quote(question)}&dataset=products&pins={quote(json.dumps(pins))}")
    page.locator(".answer").wait_for()
    assert gateway.asked == [{"question": question, "dataset": "products", "pins": pins}]


@pytest.mark.browser
def test_damaged_address_is_an_error(page: Page, gateway: CannedGateway) -> None:
    """Pins that cannot be read are not dropped in silence."""
    page.goto("/?q=Who&pins=%7B")
    assert "damaged" in page.locator(".problem").inner_text()
    assert gateway.asked == []


@pytest.mark.browser
def test_trace_is_shown_without_asking(page: Page, gateway: CannedGateway) -> None:
    """A trace's address shows the stored response and enters its question."""
    page.goto("/?trace=t-number")
    page.get_by_role("heading", name="545,796 inhabitants").wait_for()
    assert page.locator("#question").input_value() == "How many people live in Lisbon?"
    assert gateway.asked == []


@pytest.mark.browser
def test_datasets_bring_their_examples(page: Page, gateway: CannedGateway) -> None:
    """Choosing a dataset changes the examples; one that is down says why; an example asks."""
    page.locator("#dataset").select_option("archive")
    assert "refused the connection" in page.locator("#dataset-note").inner_text()
    page.locator("#dataset").select_option("sample")
    page.get_by_role("button", name="How many people live in Lisbon?").click()
    page.locator(".answer").wait_for()
    assert gateway.asked == [{"question": "How many people live in Lisbon?", "dataset": "sample"}]


@pytest.mark.browser
@pytest.mark.parametrize("name", ["films", "table", "long", "hostile", "written"])
def test_phone_needs_no_sideways_scrolling(page: Page, name: str) -> None:
    """At 360 pixels only the SPARQL and the table scroll, inside their boxes."""
    page.set_viewport_size({"width": 360, "height": 740})
    ask_case(page, name)
    open_all(page.locator("#result"))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
