"""The canned gateway, and a browser that looks at its page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from canned_gateway import CannedGateway, serving
from driving import OPEN, ready

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page


@pytest.fixture
def gateway() -> Iterator[CannedGateway]:
    """A canned gateway on a free port."""
    with serving() as running:
        yield running


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


@pytest.fixture
def page(browser: Browser, gateway: CannedGateway) -> Iterator[Page]:
    """The page, open; a script error, a blocked resource or an alert fails the test."""
    context = browser.new_context(base_url=gateway.url)
    context.add_init_script(OPEN)
    tab = context.new_page()
    faults: list[str] = []

    def refuse(dialog: Dialog) -> None:
        faults.append(dialog.message)
        dialog.dismiss()

    def keep_violation(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("dialog", refuse)
    tab.on("console", keep_violation)
    tab.goto("/")
    ready(tab)
    yield tab
    context.close()
    assert faults == []
