"""`python tests/page/pictures.py` makes the pictures of docs/page.md, of each view that is tested with axe.

With the canned gateway, so that the same views come of the same page.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from canned_gateway import serving
from driving import OPEN
from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "page"
# Steps and query stand side by side from 62rem.
SIZE = {"width": 1100, "height": 800}
QUALITY = 50


def shown() -> set[str]:
    """The views that docs/page.md has a picture of."""
    return set(re.findall(r"\(page/([\w-]+)\.jpg\)", (DOCS / "page.md").read_text(encoding="utf-8")))


def main() -> None:
    """Photograph every view."""
    from test_accessibility import VIEWS

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, show in VIEWS.items():
            with serving() as gateway:
                context = browser.new_context(base_url=gateway.url, viewport=SIZE, reduced_motion="reduce")
                context.add_init_script(OPEN)
                page = context.new_page()
                page.goto("/")
                show(page)
                page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=QUALITY)
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
