"""Names of classes: each is defined once, so that an import or a traceback says which one is meant."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("compilers", "connectors", "nlq_gateway")
# Their names are published: as schemas of the OpenAPI document, and of what MCP tools return.
PUBLISHED = (
    "nlq_gateway/client/documents.py",
    "nlq_gateway/edges/http/openapi/documents/",
    "nlq_gateway/edges/mcp/results.py",
)


def test_a_public_class_name_is_defined_once() -> None:
    assert {name: files for name, files in homes().items() if len(files) > 1} == {}


def test_every_exception_is_one() -> None:
    assert all(any(str(file).startswith(str(ROOT / each)) for file in sources()) for each in PUBLISHED)


@cache
def homes() -> dict[str, list[str]]:
    """The files, from the root, that define each public class at their top."""
    found = defaultdict(list)
    for file in sources():
        place = file.relative_to(ROOT).as_posix()
        if not place.startswith(PUBLISHED):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(place)
    return found


def sources() -> list[Path]:
    """All modules of the three packages."""
    return [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
