"""The page's languages: one file each, with the same strings, and no other."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from canned_gateway import STATIC, canned
from driving import ask_case, open_all

if TYPE_CHECKING:
    from collections.abc import Mapping

    from canned_gateway import CannedGateway
    from playwright.sync_api import Browser

Strings = dict[str, str | dict[str, str]]
FILES = sorted(STATIC.glob("languages/*.json"))
ENGLISH = STATIC / "languages" / "en.json"
FORMS = {"one", "other"}


def strings_of(path: Path) -> Strings:
    strings: Strings = json.loads(path.read_text(encoding="utf-8"))
    return strings


def fields_of(text: str | Mapping[str, str]) -> set[str]:
    """The fields of a string; of one with forms, those of the form for many."""
    return set(re.findall(r"\{(\w+)\}", text if isinstance(text, str) else text["other"]))


def code() -> str:
    """All modules, and the markup."""
    files = [*sorted(STATIC.glob("js/*.js")), STATIC / "index.html"]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def families() -> set[str]:
    """The beginnings and ends of keys that the code puts together, `status.` of `status.${name}`."""
    return set(re.findall(r"say(?:Nodes)?\(`([^`]+)`", code()))


def is_used(key: str) -> bool:
    made = (re.sub(r"\\\$\\\{\w+(?:\\\.\w+)?\\\}", r"\\w+", re.escape(family)) for family in families())
    quoted = f'"{key}"' in code() or re.search(rf'data-say="[^"]*: {re.escape(key)}[;"]', code())
    return bool(quoted) or any(re.fullmatch(pattern, key) for pattern in made)


def test_there_are_four_languages() -> None:
    """Those that the page may speak."""
    assert [path.stem for path in FILES] == ["de", "en", "es", "fr"]
    assert '["en", "de", "fr", "es"]' in (STATIC / "js" / "strings.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_language_has_the_same_strings(path: Path) -> None:
    """In one order, with the same fields and forms, none empty."""
    strings, english = strings_of(path), strings_of(ENGLISH)
    assert list(strings) == list(english)
    assert {key: fields_of(text) for key, text in strings.items()} == {
        key: fields_of(text) for key, text in english.items()
    }
    assert {key: type(text) for key, text in strings.items()} == {
        key: type(text) for key, text in english.items()
    }
    forms = [text for text in strings.values() if isinstance(text, dict)]
    assert all(set(text) == FORMS and all(text.values()) for text in forms)
    assert all(strings.values())


def test_no_string_is_unused() -> None:
    """Each key is in the code, whole or as one of a family."""
    assert [key for key in strings_of(ENGLISH) if not is_used(key)] == []
    assert not is_used("no.such.key")


def test_every_string_that_is_said_is_there() -> None:
    """A key that the code has whole is one of the file's."""
    said = set(re.findall(r'say(?:Nodes)?\("([^"]+)"', code())) | set(
        re.findall(
            r'(?:text|title|placeholder|aria-label): ([\w.]+)[;"]', (STATIC / "index.html").read_text("utf-8")
        )
    )
    assert len(said) > 100
    assert said - strings_of(ENGLISH).keys() == set()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "language", "asking", "number"),
    [
        ("de-CH", "de", "Fragen", "545'796"),
        ("fr-FR", "fr", "Demander", "545\u202f796"),
        ("es-MX", "es", "Preguntar", "545,796"),
        ("en-GB", "en", "Ask", "545,796"),
        ("nl-NL", "en", "Ask", "545,796"),
    ],
)
def test_the_browsers_language_chooses(
    browser: Browser, gateway: CannedGateway, locale: str, language: str, asking: str, number: str
) -> None:
    """Strings and numbers are in the page's language, or in English if the page does not have it."""
    context = browser.new_context(base_url=gateway.url, locale=locale)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name=asking, exact=True).wait_for()
    assert page.locator("html").get_attribute("lang") == language
    ask_case(page, "number")
    assert number in page.locator(".headline").inner_text()
    context.close()


@pytest.mark.browser
def test_a_verdict_is_said_in_the_language_of_the_page(browser: Browser, gateway: CannedGateway) -> None:
    """Which the gateway gives as yes and no."""
    body = canned("number")["body"]
    body["answer"] = {"text": "no", "values": [{"value": "no", "type": "boolean"}]}
    context = browser.new_context(base_url=gateway.url, locale="de-DE")
    page = context.new_page()
    page.route("**/nlq", lambda route: route.fulfill(json=body))
    page.goto("/")
    ask_case(page, "number")
    assert page.locator(".headline").inner_text() == "Nein"
    context.close()


@pytest.mark.browser
def test_no_key_is_shown(browser: Browser, gateway: CannedGateway) -> None:
    """In no view, and no English among the page's own words that are told apart here."""
    context = browser.new_context(base_url=gateway.url, locale="de-DE")
    page = context.new_page()
    page.goto("/")
    keys = [key for key in strings_of(ENGLISH) if "." in key]
    for name in ("films", "written", "empty", "ambiguous", "unreachable", "table"):
        ask_case(page, name)
        open_all(page.locator("body"))
        shown = page.locator("body").inner_text()
        assert [key for key in keys if re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", shown)] == [], name
        assert "undefined" not in shown, name
    context.close()


TYPE = """
addEventListener("readystatechange", () => (document.getElementById("question").value = "typed"),
    {capture: true, once: true});
"""


@pytest.mark.browser
def test_what_is_typed_before_the_strings_are_there_stays(browser: Browser, gateway: CannedGateway) -> None:
    """They come after the page is shown, so that its scripts begin late: here, once the markup is read."""
    context = browser.new_context(base_url=gateway.url)
    context.add_init_script(TYPE)
    tab = context.new_page()
    tab.goto("/")
    tab.locator("#dataset option").first.wait_for(state="attached")
    assert tab.locator("#question").input_value() == "typed"
    context.close()
