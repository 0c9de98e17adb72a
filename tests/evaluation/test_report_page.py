"""The report's page: whole, escaped, closed to other scripts, and filtered in a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import GoldQuestion, Measurement, Measurer, Tally
from nlq_gateway.offline.evaluation.measure import QuestionFailure
from nlq_gateway.offline.evaluation.mistakes import Mistake
from nlq_gateway.offline.evaluation.report_page import About, report_page
from nlq_gateway.offline.evaluation.score import WRONG

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&lt;{{ 7 * 7 }}]]>"
WHO = "Who directed Pulp Fiction?"
RIGHT = GoldQuestion("right", WHO, "lookup", ("Quentin Tarantino",))
STRUCTURE = GoldQuestion(
    "structure",
    WHO,
    "lookup",
    ("1",),
    program=read_program("Find(Pulp Fiction)->Relate(directed by, forward)->Count()"),
)
LONG = GoldQuestion("long", "x" * 5_000, "other", ("a",))
VOID_ELEMENTS = {"meta", "input", "img", "br", "link"}


class Elements(HTMLParser):
    """The tags of a page that stand open, all tags seen, and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(*measurements: Measurement) -> str:
    tally = Tally(list(measurements))
    about = About("sample", HOSTILE, "auto", len(measurements))
    return report_page(tally.report(), tally.measurements, about)


@pytest.fixture(scope="module")
def measured(gateway: Pipeline) -> list[Measurement]:
    return [Measurer(gateway).measure(question) for question in (RIGHT, STRUCTURE, LONG)]


def test_the_page_holds_the_figures_and_each_wrong_question(measured: list[Measurement]) -> None:
    page = page_of(*measured)
    assert page.count('<details class="case"') == 2
    assert 'data-mistake="structure"' in page
    assert "Step 2: Relate(directed by, forward)" in page
    assert "SELECT DISTINCT" in page
    assert "<code>too-large</code>" in page
    assert Elements(page).open == []


def test_a_question_without_gold_is_shown_and_is_in_no_class(gateway: Pipeline) -> None:
    refused = Measurer(gateway).measure(GoldQuestion("refused", WHO, "lookup", None, "DROP ALL"))
    page = page_of(refused)
    assert 'data-mistake="no gold answer"' in page
    assert "<code>query-refused</code>" in page
    assert "Every answer is exact." not in page


def test_the_page_needs_no_network(measured: list[Measurement]) -> None:
    elements = Elements(page_of(*measured))
    assert not {"src", "href", "style", "onclick", "onload", "onerror"} & elements.attributes
    assert not {"link", "img", "iframe"} & set(elements.tags)


def test_nothing_measured_makes_a_page() -> None:
    assert Elements(page_of()).open == []


def test_what_graphs_and_files_say_is_text() -> None:
    binding = {
        **{"step": 1, "argument": 0, "mention": HOSTILE, "kind": HOSTILE, "iri": HOSTILE, "label": HOSTILE},
        **{"score": 1.0, "how": HOSTILE, "alternatives": [{"iri": HOSTILE, "label": HOSTILE, "score": 0.5}]},
    }
    trace = {
        **{"program": HOSTILE, "sparql": HOSTILE, "answers": 1, "answer": [[HOSTILE]], "diagnosis": HOSTILE},
        "bindings": [binding],
        "attempts": [{"program": HOSTILE, "source": HOSTILE, "score": 1.0, "outcome": HOSTILE}],
        "warnings": [{"code": HOSTILE, "message": HOSTILE}],
    }
    question = GoldQuestion(HOSTILE, HOSTILE, HOSTILE, None, HOSTILE)
    hostile = Measurement(
        question, (HOSTILE,), WRONG, 1.0, QuestionFailure(HOSTILE, HOSTILE), None, Mistake.EXECUTION, trace
    )
    page = page_of(hostile)
    elements = Elements(page)
    assert elements.open == []
    assert elements.tags.count("script") == 1
    assert "img" not in elements.tags
    assert "{{ 7 * 7 }}" in page
    assert page.count("&lt;img src=x") >= 20


@pytest.fixture
def opened(measured: list[Measurement], tmp_path: Path) -> Iterator[Page]:
    """The page in Chromium, of a phone's width; an error of a script fails the test."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not on the PATH")
    file = tmp_path / "report.html"
    file.write_text(page_of(*measured), encoding="utf-8")
    faults: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page(viewport={"width": 390, "height": 800})
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("console", lambda message: faults.append(message.text))
        tab.goto(file.as_uri())
        yield tab
        browser.close()
    assert faults == []


@pytest.mark.browser
def test_wrong_questions_are_filtered(opened: Page) -> None:
    cases = opened.locator(".case:visible")
    assert cases.count() == 2
    opened.get_by_role("button", name="structure").click()
    assert cases.count() == 1
    assert opened.locator("#shown").inner_text() == "1 of 2"
    opened.get_by_role("button", name="all").click()
    opened.get_by_role("searchbox").fill("PULP who")
    assert [case.get_attribute("data-mistake") for case in cases.all()] == ["structure"]
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    cases.first.locator("summary").click()
    assert opened.get_by_text("Step 2: Relate(directed by, forward)").first.is_visible()
    opened.get_by_role("searchbox").fill("")
    for case in cases.all():
        case.evaluate("one => { one.open = true }")
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
