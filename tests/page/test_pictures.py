"""Values that are images: shown from the origins that the gateway names, and never asked for elsewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from canned_gateway import STATIC, CannedGateway, canned
from driving import ask_case, reply
from test_things import THING

from nlq_gateway.edges.http.app import content_policy

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser
ELSEWHERE = "http://images.example.org/portrait.JPG"
DEPICTION = "http://xmlns.com/foaf/0.1/depiction"


def allow(page: Page, *origins: str) -> None:
    """Have the gateway name origins, of which the page is told when it is loaded."""
    reply(page, "**/datasets", canned("datasets") | {"pictures": list(origins)})
    page.reload()


def image(address: str, **more: Any) -> dict[str, Any]:
    return {"value": address, "type": "iri", "label": "a portrait", **more}


def send(status: int, drawn: bytes, route: Route) -> None:
    route.fulfill(status=status, body=drawn, content_type="image/svg+xml")


def answering(page: Page, *values: dict[str, Any]) -> None:
    """Answer the question with these values, the last step's relation being of images."""
    body = canned("films")["body"] | {"table": {"columns": [], "rows": []}}
    body["answer"] = {"text": "", "values": list(values)}
    step = {"function": "Relate", "inputs": ["depiction", "forward"], "dependencies": []}
    body["program"] = {"text": "", "steps": [step]}
    body["bindings"][:] = [body["bindings"][0] | {"step": 1, "argument": 0, "iri": DEPICTION}]
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    ask_case(page, "films")


def test_an_image_of_a_named_origin_is_shown_with_its_name(page: Page, gateway: CannedGateway) -> None:
    """The name stands beside the picture, and leads on as that of any thing."""
    allow(page, gateway.url)
    answering(page, image(f"{gateway.url}/static/favicon.svg"))
    picture = page.locator(".headline img")
    picture.wait_for()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth > 0)")
    assert page.locator(".headline").inner_text().strip() == "a portrait"
    assert "thing=" in (page.locator(".headline a").get_attribute("href") or "")


@pytest.mark.usefixtures("alone")
def test_nothing_is_asked_of_a_host_that_is_not_named(page: Page, gateway: CannedGateway) -> None:
    """Neither is anything blocked, which a browser would report."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    allow(page, "https://other.example.org")
    answering(page, image(ELSEWHERE), image(ELSEWHERE + "#2"))
    page.wait_for_load_state("networkidle")
    assert page.locator(".pictured img").count() == 0
    assert page.locator(".values a").count() == 2
    assert [url for url in asked if not url.startswith(gateway.url)] == []


def test_a_picture_is_asked_for_by_https_where_that_is_named(page: Page, gateway: CannedGateway) -> None:
    """As Wikidata's images are, whose IRIs begin with http. A picture that cannot be had leaves its name."""
    gateway.policy = content_policy(["https://images.example.org"])
    drawn = (STATIC / "favicon.svg").read_bytes()
    there, gone = ("portrait.JPG", 200), ("portrait?id=2", 404)
    for address, status in (there, gone):
        page.route(
            f"https://images.example.org/{address}", partial(send, status, drawn if status == 200 else b"")
        )
    allow(page, "https://images.example.org")
    with page.expect_response("https://images.example.org/portrait?id=2"):
        answering(page, image(ELSEWHERE), image("http://images.example.org/portrait?id=2"))
    page.locator("img[src*='id=2']").wait_for(state="detached")
    assert page.locator(".values img").get_attribute("src") == ELSEWHERE.replace("http:", "https:")
    assert page.locator(".values a").count() == 2


def test_a_property_of_images_tells_one_whatever_it_is_called(page: Page, gateway: CannedGateway) -> None:
    """Among the facts of a thing; those of other properties are told by their endings alone."""
    picture = f"{gateway.url}/static/favicon.svg"
    groups = [
        THING["groups"][0] | {"iri": iri, "values": [{"value": f"{picture}{end}", "type": "literal"}]}
        for iri, end in (("http://schema.org/image", "?a"), ("http://example.org/page", "/"))
    ]
    page.route("**/describe?**", lambda route: route.fulfill(json=THING | {"groups": groups}))
    allow(page, gateway.url)
    page.goto("/?thing=https://kg.example.org/id/D4")
    page.locator(".facts-of img").wait_for()
    assert page.locator(".facts-of img").count() == 1
