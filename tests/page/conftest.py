"""The canned gateway, and a browser that looks at its page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway, listening
from driving import OPEN, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, ViewportSize


# Of a new tab.
SIZE: ViewportSize = {"width": 1280, "height": 720}


@pytest.fixture(scope="module")
def put() -> Iterator[Callable[[], CannedGateway]]:
    """Puts a new canned gateway at the module's address."""
    with listening() as putting:
        yield putting


@pytest.fixture
def gateway(put: Callable[[], CannedGateway]) -> CannedGateway:
    """A canned gateway that only this test has asked."""
    return put()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window, or a skip that says what is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not on the PATH")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with playwright.sync_playwright() as driver:
        instance = driver.chromium.launch(executable_path=chromium, args=flags)
        yield instance
        instance.close()


@dataclass
class Tabs:
    """The tab that a module's tests have one after the other: a new one takes a second of processor time."""

    browser: Browser
    kept: Page | None = None

    def open(self, url: str) -> Page:
        """The tab, empty."""
        if self.kept is None:
            context = self.browser.new_context(base_url=url)
            context.add_init_script(OPEN)
            self.kept = context.new_page()
        return self.kept

    def leave(self, url: str, alone: bool) -> None:
        """Put the tab back into the state that a new one has; or close it where that is not certain."""
        tab, context = self.kept, self.kept.context if self.kept else None
        assert tab is not None
        assert context is not None
        if alone or len(context.pages) > 1 or not tab.url.startswith(url):
            context.close()
            self.kept = None
            return
        tab.unroute_all(behavior="ignoreErrors")
        tab.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        tab.goto("about:blank")
        context.clear_cookies()
        tab.mouse.move(0, 0)
        tab.emulate_media(media="null", color_scheme="light", reduced_motion="no-preference")
        if tab.viewport_size != SIZE:
            tab.set_viewport_size(SIZE)


@pytest.fixture(scope="module")
def tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture
def alone() -> None:
    """For tests after which a tab is another: they listen to it, add scripts or grant rights."""


@pytest.fixture
def page(request: pytest.FixtureRequest, tabs: Tabs, gateway: CannedGateway) -> Iterator[Page]:
    """The page, open; a script error, a blocked resource or an alert fails the test."""
    tab = tabs.open(gateway.url)
    faults: list[str] = []

    def refuse(dialog: Dialog) -> None:
        faults.append(dialog.message)
        dialog.dismiss()

    def keep_violation(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    def keep_error(error: Error) -> None:
        faults.append(str(error))

    heard = {"pageerror": keep_error, "dialog": refuse, "console": keep_violation}
    for event, hear in heard.items():
        tab.on(event, hear)  # type: ignore[call-overload]
    tab.goto("/")
    ready(tab)
    yield tab
    for event, hear in heard.items():
        tab.remove_listener(event, hear)
    tabs.leave(gateway.url, alone="alone" in request.fixturenames)
    assert faults == []
