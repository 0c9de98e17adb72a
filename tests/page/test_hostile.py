"""Content of the graph is text in every place where the page shows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from canned_gateway import CannedGateway, canned
from driving import ask, open_all, open_editor, reply, wait

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
IMAGE = "<img src=x onerror=\"document.title='executed'\">"
LABELS = {
    "image": IMAGE,
    "script": "</script></style></textarea><script>document.title='executed'</script>",
    "template": "${document.title='executed'}{{constructor.constructor('document.title=1')()}}",
    "bidi": "\u202e\u2066moc.elpmaxe\u2067 \u200f gnorw\u202d",
    "long": "wordless" * 1250,
    "control": "a\u0000b\u001b[31m\ufffe\u2028c",
}
IRIS = [
    "javascript:document.title='executed'",
    "data:text/html,<script>document.title='executed'</script>",
    "vbscript:msgbox(1)",
    'https://kg.example.org/"><img src=x onerror="document.title=\'executed\'">',
]


def poisoned(data: Any, label: str, iri: str) -> Any:
    """The same document with every text that comes from a graph replaced."""
    kept = {"id", "status", "function", "type", "code", "dataset", "kind", "index_version", "lang"}
    if isinstance(data, dict):
        return {
            key: iri
            if key == "iri" or (key == "value" and data.get("type") == "iri")
            else value
            if key in kept
            else poisoned(value, label, iri)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [poisoned(one, label, iri) for one in data]
    return label if isinstance(data, str) else data


def response(label: str, iri: str) -> dict[str, Any]:
    """An answer with all that an answer can have, of hostile texts."""
    body = canned("ambiguous")["body"] | {
        "warnings": [{"code": "sampled", "message": "text"}],
        "reading": "text",
        "diagnosis": "text",
        "status": "empty",
        "facts": ["text"],
        "repairs": [{"step": 1, "before": "text", "after": "text", "why": "text"}],
        "sub_questions": [
            {"text": "t", "template": "t", "chain": "t", "similarity": 1, "probability": 1, "others": ["t"]}
        ],
        "looks": [{"tool": "t", "argument": "t", "result": "t", "ms": 1, "tokens": 1}],
        "attempts": [{"program": "t", "source": "t", "outcome": "t", "repairs": []}],
        "model": "text",
        "table": {"columns": ["x", "y"], "rows": [["a", "1"], ["b", "2"]]},
    }
    hostile: dict[str, Any] = poisoned(body, label, iri)
    # The chart needs rows that differ, and the answer's words their values.
    hostile["table"]["rows"] = [[label, "1"], [f"{label}!", "2"], [iri, "3"]]
    hostile["answer"]["text"] = label
    hostile["steps"][0]["count"] = 3
    hostile["steps"][1]["count"] = 0
    return hostile


def assert_harmless(page: Page, width: int) -> None:
    """No code has run, no text became an element, no link leads to code, and nothing exceeds the window."""
    page.wait_for_timeout(50)
    assert "executed" not in page.title() or page.locator("#question").input_value() in page.title()
    assert page.evaluate("document.title === 'executed' || document.title === '1'") is False
    assert page.locator("main img, dialog img, main script, dialog script").count() == 0
    links = page.evaluate("[...document.querySelectorAll('a')].map((one) => one.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("name", LABELS)
def test_answers_of_hostile_labels_are_text(page: Page, gateway: CannedGateway, name: str) -> None:
    """Answer, table, chart, steps, popovers, story, run, editors, on a phone."""
    label = LABELS[name]
    page.set_viewport_size({"width": 390, "height": 844})
    for iri in IRIS:
        body = response(label, iri)
        reply(page, "**/nlq", body)
        ask(page, f"About {iri}")
        open_all(page.locator("#result"))
        for opener in page.locator(".open-term").all():
            opener.click()
            page.keyboard.press("Escape")
        assert_harmless(page, 390)
        seen = re.sub(r"\s+", "", label)[:40]
        shown = re.sub(r"\s+", "", page.locator("#result").inner_text())
        if name not in {"control"}:
            assert shown.count(seen) > 10
        assert page.locator(".chart").count() == 1
        # As much as people read of a label; the rest is in its title.
        assert len(page.locator(".headline").inner_text()) < 500
    page.get_by_role("button", name="No", exact=True).click()
    page.locator(".program").get_by_role("button", name="Edit").click()
    open_editor(page)
    assert_harmless(page, 390)
    page.get_by_role("navigation", name="Tools").get_by_role("button", name="History").click()
    page.locator(".history li").first.wait_for()
    assert_harmless(page, 390)
    assert gateway.queried == []


@pytest.mark.parametrize("name", LABELS)
def test_what_arrives_is_text(page: Page, gateway: CannedGateway, name: str) -> None:
    """Links, program, bindings, examples and query on their way."""
    label = LABELS[name]
    page.set_viewport_size({"width": 390, "height": 844})
    body = response(label, IRIS[0])
    mention = {
        "text": label,
        "start": 0,
        "end": 3,
        "alternatives": [{"kind": "entity", "iri": IRIS[0], "label": label, "score": 1}],
    }
    told = [
        (
            "links",
            {"mentions": [mention], "literals": [{"text": label, "start": 4, "end": 5, "value": label}]},
        ),
        ("program", {"attempt": 1, "program": body["program"]}),
        ("grounding", {"attempt": 1, "bindings": body["bindings"]}),
        ("sparql", {"attempt": 1, **body["sparql"]}),
        *(("step", step) for step in body["steps"]),
    ]
    page.evaluate(
        """async (told) => {
          const { views } = await import("./static/js/later.js");
          const { arrived, liveView } = await views();
          const { nodes, update } = liveView({ question: told.label }, () => {});
          document.getElementById("result").replaceChildren(...nodes);
          update(told.events.reduce((known, [event, data]) => arrived(known, event, data), {}));
        }""",
        {"label": label, "events": told},
    )
    page.locator(".arriving .step").first.wait_for()
    assert page.locator(".heard mark").count() > 0
    assert_harmless(page, 390)
    assert gateway.asked == []


@pytest.mark.parametrize("name", LABELS)
def test_tools_show_text(page: Page, name: str) -> None:
    """The schema's names and examples, the examples of a dataset, rows of a query, problems."""
    label = LABELS[name]
    page.set_viewport_size({"width": 390, "height": 844})
    schema = canned("schema")
    items = [poisoned(one, label, IRIS[0]) for one in schema["items"]]
    results = {
        "head": {"vars": [label, "b"]},
        "results": {
            "bindings": [
                {label: {"type": "uri", "value": iri}, "b": {"type": "literal", "value": label}}
                for iri in IRIS
            ]
        },
    }
    problem = {"status": 400, "title": label, "detail": label, "hint": label, "type": IRIS[0]}
    datasets = {
        "datasets": [
            {
                "id": "sample",
                "status": label,
                "detail": label,
                "examples": [label],
                "store_ui": "javascript:{query}",
            }
        ],
        "strategies": [label, label],
    }
    reply(page, "**/datasets", datasets)
    reply(page, "**/schema?*", schema | {"items": items})
    reply(page, "**/sparql", results)
    reply(page, "**/nlq", problem, 400)
    page.reload()
    tools = page.get_by_role("navigation", name="Tools")
    page.locator(".example").first.wait_for()
    assert_harmless(page, 390)
    tools.get_by_role("button", name="Schema").click()
    page.locator(".schema li").nth(3).wait_for()
    assert_harmless(page, 390)
    page.keyboard.press("Escape")
    tools.get_by_role("button", name="SPARQL").click()
    page.locator("dialog .cm-content").wait_for()
    page.get_by_role("button", name="Run the query").click()
    page.locator("dialog tbody tr").nth(3).wait_for()
    assert page.get_by_role("link", name="Open in the store").count() == 0
    assert_harmless(page, 390)
    page.keyboard.press("Escape")
    ask(page, "Who?")
    assert_harmless(page, 390)
    assert page.get_by_role("link", name="About this error").count() == 0


@pytest.mark.parametrize("search", ["?q={}", "?trace={}", "?program={}", "?q=a&dataset={}&strategy={}&of={}"])
def test_addresses_are_text(page: Page, search: str) -> None:
    """A link that somebody sends cannot make the page run or show anything of its own."""
    page.goto("/" + search.replace("{}", "%3Cimg%20src%3Dx%20onerror%3D%22document.title%3D'executed'%22%3E"))
    wait(page)
    assert page.locator("main img").count() == 0
    assert page.title() != "executed"


def test_bidi_controls_stay_in_their_place(page: Page) -> None:
    """A label that turns the reading direction round is isolated from what stands beside it."""
    body = response(LABELS["bidi"], IRIS[0])
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask(page, "Who?")
    open_all(page.locator("#result"))
    loose = page.evaluate(
        """() => {
          const texts = document.createTreeWalker(document.getElementById("result"), NodeFilter.SHOW_TEXT);
          const found = [];
          while (texts.nextNode()) {
            const { data, parentElement } = texts.currentNode;
            if (!/[\\u202a-\\u202e\\u2066-\\u2069]/.test(data) || parentElement.closest("pre")) continue;
            const flows = (node) => getComputedStyle(node).display.startsWith("inline");
            let node = parentElement;
            while (flows(node) && !node.hasAttribute("dir")) node = node.parentElement;
            if (!node.hasAttribute("dir")) found.push(parentElement.outerHTML.slice(0, 120));
          }
          return found;
        }"""
    )
    assert loose == []
