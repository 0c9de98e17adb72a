"""`docs/extending.md` and `SECURITY.md` name files and tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("compilers", "connectors", "nlq_gateway", "tests", "scripts", "deploy", "docs")
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)(?:::(\w+))?`")
LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]+)?\)")
# Written by others at the same time.
PAGES = (
    "ARCHITECTURE.md",
    "docs/extending.md",
    "SECURITY.md",
    "docs/tutorial.md",
    "deploy/README.md",
    "README.md",
    "docs/errors.md",
)


@cache
def functions(path: Path) -> set[str]:
    """The names of the functions of a module, methods included."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_exists(page: str) -> None:
    for path, name in PATH.findall((ROOT / page).read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path
        assert not name or name in functions(ROOT / path), f"{path}::{name}"


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for link in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        target = (ROOT / page).parent.joinpath(link).resolve()
        assert target.exists(), link


def test_every_part_has_its_section() -> None:
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    parts = ["A store", "A layout", "A strategy", "A function", "An error", "A field of the trace"]
    parts += ["A language", "An address", "A setting"]
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == parts
