"""A graph that was never seen: from `nlq serve --data` to a right answer by clicks alone."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from driving import wait

from tests.cli.serving import running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
GERMAN = Path(__file__).parent / "fixtures" / "german.ttl"
ARCHIVE = Path(__file__).parents[3] / "shared" / "data" / "spider4sparql" / "train_kgs.tar.xz"
# Counted by hand.
PAINTINGS = 5


@pytest.fixture
def unseen(tmp_path: Path) -> Iterator[str]:
    """A graph of Spider4SPARQL; a skip where the data are not there."""
    if not ARCHIVE.is_file():
        pytest.skip("the benchmark's data are not there")
    with tarfile.open(ARCHIVE) as archive:
        content = archive.extractfile("kg_train/culture_company.nt")
        assert content is not None
        graph = tmp_path / "culture_company.nt"
        graph.write_bytes(content.read())
    yield from serve(tmp_path / "cache", graph)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Page]:
    """A tab."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def serve(tmp_path: Path, file: Path) -> Iterator[str]:
    with running(
        {**os.environ, "NLQ_CACHE": str(tmp_path)}, "serve", "--data", str(file), "--workers", "1"
    ) as (_, address):
        yield address


@pytest.fixture
def german(tmp_path: Path) -> Iterator[str]:
    """A graph with German labels alone."""
    yield from serve(tmp_path / "cache", GERMAN)


def test_a_class_leads_to_a_right_answer(opened: Page, german: str) -> None:
    """A class, a question about it, the answer; and a thing of the answer to what the graph has of it."""
    opened.goto(german)
    opened.locator("#overview .chip", has_text="Gemälde").click(timeout=60_000)
    opened.locator(".asking a").first.click()
    wait(opened)
    assert opened.locator(".headline").inner_text() == str(PAINTINGS)


def test_example_questions_come_by_themselves_and_are_right(opened: Page, german: str) -> None:
    """Each was tried before it is shown."""
    opened.goto(german)
    opened.locator(".example").first.wait_for(timeout=60_000)
    opened.locator(".example").first.click()
    wait(opened)
    assert opened.locator(".status").inner_text() == "Answered"


def test_a_graph_of_a_benchmark_is_asked_by_clicks(opened: Page, unseen: str) -> None:
    """The number of a class's members, which the page says beside the class."""
    opened.goto(unseen)
    opened.locator("#overview .chip").first.click(timeout=60_000)
    members = opened.locator(".status-line .note").first.inner_text().split()[0]
    opened.locator(".asking a").first.click()
    wait(opened)
    assert opened.locator(".headline").inner_text() == members
