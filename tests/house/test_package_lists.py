"""The lists of modules in packages' docstrings: each names the parts of its package, and no others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("compilers", "connectors", "nlq_gateway")
ENTRY = re.compile(r"^([a-z_]\w*)(\.py|/)(?=[\s,])", re.MULTILINE)
NAMED = re.compile(r"\b(\w+)(?:\.py\b|/)")


def lists() -> Iterator[tuple[Path, str]]:
    """The packages whose docstring has two or more entries, with the docstring."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("__init__.py")):
            text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            if len(ENTRY.findall(text)) > 1:
                yield file.parent, text


LISTS = dict(lists())


@pytest.mark.parametrize("folder", LISTS, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_a_list_names_what_is_there(folder: Path) -> None:
    entries = [name + ("" if end == "/" else end) for name, end in ENTRY.findall(LISTS[folder])]
    assert [entry for entry in entries if not (folder / entry).exists()] == []


@pytest.mark.parametrize("folder", LISTS, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_a_list_leaves_out_nothing(folder: Path) -> None:
    modules = {file.stem for file in folder.glob("*.py")}
    packages = {file.parent.name for file in folder.glob("*/__init__.py")}
    parts = {name for name in modules | packages if not name.startswith("__")}
    assert parts - set(NAMED.findall(LISTS[folder])) == set()
