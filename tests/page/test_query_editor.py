"""The editor of queries: what it completes, what it finds wrong, how it lays out, and its tabs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from driving import ask_case

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
COMPILED = sorted((Path(__file__).parents[1] / "compiler" / "fixtures").rglob("*.rq"))
PREFIXES = "PREFIX kg: <https://kg.example.org/id/>\nPREFIX prop: <https://kg.example.org/p/>\n"
NICHOLS = [{"text": "Mike Nichols", "kind": "entity", "iri": "https://kg.example.org/id/D4"}]
MESSY = """# mine
prefix kg: <https://kg.example.org/id/> select ?film (count(distinct ?d) as ?n)
where { ?film a kg:Film ; kg:by/kg:name ?d . # who
filter(?n>3&&contains(?d,"a"@en)) filter not exists { ?film kg:a -1 } optional { ?film kg:b ?y .
?y ?p (1 2) } { select * { ?s ?p ?o } limit 1 } values ?x { 1 "}" } } group by ?film order by desc(?n)"""
TIDY = """# mine
PREFIX kg: <https://kg.example.org/id/>

SELECT ?film (COUNT(DISTINCT ?d) AS ?n) WHERE {
  ?film a kg:Film ;
    kg:by/kg:name ?d . # who
  FILTER(?n > 3 && CONTAINS(?d, "a"@en))
  FILTER NOT EXISTS { ?film kg:a -1 }
  OPTIONAL {
    ?film kg:b ?y .
    ?y ?p (1 2)
  }
  {
    SELECT * { ?s ?p ?o }
    LIMIT 1
  }
  VALUES ?x { 1 "}" }
}
GROUP BY ?film
ORDER BY DESC(?n)
"""


@pytest.fixture
def editing(page: Page) -> Page:
    """The page with the editor of an own query open."""
    page.route("**/suggest?**", lambda route: route.fulfill(json=NICHOLS))
    page.locator("#dataset option").first.wait_for(state="attached")
    open_queries(page)
    return page


def open_queries(page: Page) -> None:
    page.get_by_role("navigation", name="Tools").get_by_role("button", name="SPARQL").click()
    page.locator("dialog .cm-content").wait_for()


def write(page: Page, text: str) -> None:
    """Put a text in the editor's place, as one that is pasted."""
    page.locator("dialog .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def written(page: Page) -> str:
    """The editor's text."""
    lines = page.locator("dialog .cm-line").all_inner_texts()
    return "\n".join(line.rstrip("\n") for line in lines)


def completions(page: Page) -> list[str]:
    """The offers of Ctrl+Space, until Escape."""
    page.keyboard.press("Control+Space")
    page.locator(".cm-tooltip-autocomplete li").first.wait_for()
    labels = page.locator(".cm-tooltip-autocomplete .cm-completionLabel").all_inner_texts()
    page.keyboard.press("Escape")
    page.locator(".cm-tooltip-autocomplete").wait_for(state="detached")
    return labels


# A text, what may come next, and what may not.
NEXT: tuple[tuple[str, list[str], list[str]], ...] = (
    ("PREFIX k", ["kg: <https://kg.example.org/id/>"], ["prop: <https://kg.example.org/p/>"]),
    ("SELECT * { ?f a ", ["?f", "kg:Film", "kg:Director"], ["prop:duration"]),
    ("SELECT * { ?f a mov", ["kg:Film"], ["kg:Director"]),
    ("SELECT * { ?f a kg:Film ; ", ["a", "prop:directed_by", "prop:duration"], ["kg:Film"]),
    ("SELECT * { ?f direc", ["prop:directed_by"], ["prop:duration", "kg:Director"]),
    ("SELECT * { ?f prop:directed_by nich", ["kg:D4"], ["kg:Film"]),
    ("SELECT * { ?film ?p ?o FILTER(?", ["?film", "?p", "?o"], ["CONTAINS"]),
    ("SELECT * { ?f ?p ?o FILTER(con", ["CONTAINS", "CONCAT"], ["CONSTRUCT"]),
    ("SELECT * { ?f ?p ?o FILTER(dist", ["<http://www.opengis.net/def/function/geosparql/distance>"], []),
    ("SELECT * { ?f ?p '1'^^", ["xsd:integer"], ["kg:Film"]),
    ("SELECT * { ?f ?p ?o } o", ["ORDER BY", "OFFSET"], ["OPTIONAL"]),
    ("SELECT * { o", ["OPTIONAL"], ["ORDER BY"]),
)


def test_what_may_come_next_is_offered(editing: Page) -> None:
    """By the grammar what fits at that place, by the graph what there is."""
    for text, offered, not_offered in NEXT:
        write(editing, PREFIXES + text if "PREFIX" not in text else text)
        found = completions(editing)
        assert [label for label in offered if label not in found] == [], text
        assert [label for label in not_offered if label in found] == [], text


def test_functions_of_the_language_come_before_casts(editing: Page) -> None:
    """Enter after STR takes it."""
    write(editing, "SELECT * { ?s ?p ?o FILTER(str")
    assert completions(editing)[0] == "STR"


def test_relations_of_the_class_come_first(editing: Page) -> None:
    """The class is stated, or the one that a relation leads to."""
    write(editing, PREFIXES + "SELECT * { ?f prop:directed_by ?d . ?d a kg:Director . ?f ")
    assert completions(editing)[-2:] == ["prop:directed_by", "prop:duration"]


def test_a_chosen_name_declares_its_prefix(editing: Page) -> None:
    """Enter takes the suggestion; the prefix comes to the top, the cursor stays behind the name."""
    write(editing, "SELECT * { ?f a ")
    editing.keyboard.type("fil")
    editing.locator(".cm-tooltip-autocomplete li").first.wait_for()
    editing.wait_for_timeout(100)
    editing.keyboard.press("Enter")
    editing.keyboard.type(" }")
    assert written(editing) == "PREFIX kg: <https://kg.example.org/id/>\nSELECT * { ?f a kg:Film }"


# A wrong text, where it is wrong, and why.
WRONG = (
    ("SELECT * {\n  ?a ?b }", "Line 2, column 9", "Expected a variable, an object, "),
    ("SELECT * {\n  ?a ?b 1", "Line 1, column 10", "“{” is not closed"),
    ("SELCT * {}", "Line 1, column 1", "Expected “SELECT”, .* found “SELCT”"),
    ("ASK { ?a ?b 'x }", "Line 1, column 13", "no closing '"),
    ("ASK { ?a no:b 1 }", "Line 1, column 10", "The prefix “no:” is not declared"),
    ("SELECT * { ?a ?b ?c } ORDER ?a", "Line 1, column 29", "Expected “BY”; found “\\?a”"),
    ("SELECT * { ?a ?b ?c BIND(1 AS ?c) }", "Line 1, column 31", "already bound"),
    ("DROP ALL", "Line 1, column 1", "found “DROP”"),
)


def test_what_is_wrong_is_said_at_its_place(editing: Page) -> None:
    """With what was expected there; the button leads to it, and a mended query has none."""
    issue = editing.locator("dialog .issues li")
    for text, place, message in WRONG:
        write(editing, text)
        issue.filter(has_text=re.compile(message)).wait_for()
        assert issue.count() == 1
        assert editing.locator(".cm-lintRange-error, .cm-lintPoint-error").count() >= 1
        issue.get_by_role("button", name=place, exact=True).click()
        assert editing.evaluate("document.activeElement.className") == "editor"
        write(editing, "ASK {}")
        issue.wait_for(state="detached")


def test_formatting(editing: Page) -> None:
    """One can take it back."""
    write(editing, MESSY)
    editing.get_by_role("button", name="Format").click()
    assert written(editing) == TIDY
    editing.locator("dialog .cm-content").press("Control+z")
    assert written(editing) == MESSY


def test_every_compiled_query_is_read_and_laid_out(editing: Page) -> None:
    """The query has no error, no word or comment is lost, and a query that is laid out stays as it is."""
    texts = [path.read_text(encoding="utf-8") for path in COMPILED]
    found = editing.evaluate(
        """async (texts) => {
          const { formatted, issuesOf } = await import("/static/vendor/editor.js");
          return texts.map((text) => [issuesOf(text), formatted(text), formatted(formatted(text))]);
        }""",
        texts,
    )
    assert len(texts) > 200
    for text, (issues, once, twice) in zip(texts, found, strict=True):
        assert issues == []
        assert once == twice
        assert sorted("".join(once.split()).lower()) == sorted("".join(text.split()).lower())


def test_tabs_stay(editing: Page) -> None:
    """Each with its text and a name by its first comment; the one that was open is open again."""
    write(editing, "# Films\nASK {}")
    editing.get_by_role("button", name="New query").click()
    tabs = editing.get_by_role("tab")
    assert tabs.all_inner_texts() == ["Films", "Query 2"]
    write(editing, "ASK { ?a ?b 2 }")
    editing.reload()
    open_queries(editing)
    assert tabs.nth(1).get_attribute("aria-selected") == "true"
    assert written(editing) == "ASK { ?a ?b 2 }"
    tabs.nth(1).press("ArrowLeft")
    editing.keyboard.press("Enter")
    editing.locator("dialog .cm-line").first.wait_for()
    assert written(editing) == "# Films\nASK {}"
    editing.get_by_role("button", name="Close this query").click()
    assert tabs.all_inner_texts() == ["Query 1"]
    assert editing.get_by_role("button", name="Close this query").count() == 0


@pytest.mark.parametrize("stored", ["{", "[]", '{"texts": [1], "active": 0}', '{"texts": [], "active": 0}'])
def test_damaged_tabs_are_one_new_query(page: Page, stored: str) -> None:
    page.evaluate("text => localStorage.setItem('nlq-queries', text)", stored)
    page.reload()
    open_queries(page)
    assert page.get_by_role("tab").all_inner_texts() == ["Query 1"]


@pytest.mark.usefixtures("alone")
def test_the_page_is_small_before_the_editor(page: Page) -> None:
    """At most 250 kB until an editor is opened."""
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.reload(wait_until="networkidle")
    ask_case(page, "films")
    assert sum(sizes) < 250_000
