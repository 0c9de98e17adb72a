"""The page as a browser loads it from a server on loopback: its size, and the time until one can ask.

Chromium opens the page of `nlq demo` with nothing kept from before. The first view is there when the
example questions are shown, in the strings of the browser's language.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Response, sync_playwright

TARGET_MS = 300.0
TARGET_KB = 250.0
_WATCH = """
new MutationObserver((_, watching) => {
  if (!document.querySelector("#examples .example")) return;
  window.shownAt = performance.now();
  watching.disconnect();
}).observe(document, { childList: true, subtree: true });
"""


def main(arguments: Sequence[str]) -> None:
    """Print the bytes of the page before its editor is opened, and the time to its first view."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks page", description=main.__doc__)
    parser.add_argument("--times", type=int, default=20, metavar="N", help="how often it is opened")
    options = parser.parse_args(arguments)
    with demo() as address, chromium() as browser:
        opened(browser, address)
        views = [opened(browser, address) for _ in range(options.times)]
    files, size = max((len(files), sum(files.values())) for files, _ in views)
    seconds = sorted(milliseconds for _, milliseconds in views)
    middle, high = statistics.median(seconds), seconds[int(len(seconds) * 0.95)]
    print(f"{files} files of {size / 1000:.1f} kB before the editor (target: {TARGET_KB:.0f})")
    told = f"first view after {seconds[0]:.0f} ms at least, {middle:.0f} at the median, {high:.0f} at p95"
    print(f"{told} (target: {TARGET_MS:.0f})")


@contextmanager
def demo() -> Iterator[str]:
    """The address of a server of the sample graph."""
    command = [sys.executable, "-m", "nlq_gateway", "demo", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found, "the server did not start"
        yield found[0]
    finally:
        server.terminate()
        server.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window."""
    found = shutil.which("chromium")
    if found is None:
        sys.exit("chromium is not on the PATH")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def opened(browser: Browser, address: str) -> tuple[dict[str, int], float]:
    """The bytes of each file that was loaded, and the milliseconds until the first view is there."""
    context = browser.new_context()
    context.add_init_script(_WATCH)
    page, responses = context.new_page(), list[Response]()
    page.on("response", lambda response: responses.append(response))
    page.goto(address, wait_until="networkidle")
    milliseconds = _shown(page)
    files = {one.url: len(one.body()) for one in responses}
    context.close()
    return files, milliseconds


def _shown(page: Page) -> float:
    page.locator("#examples .example").first.wait_for(timeout=120_000)
    shown: float = page.evaluate("window.shownAt")
    return shown
