"""`docs/configuration.md` has every key, and its example is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nlq_gateway.settings.key_tables import HEAD, key_tables
from nlq_gateway.settings.load import examine
from nlq_gateway.settings.schema import schema

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"


def test_the_page_ends_with_the_tables_of_all_keys(request: pytest.FixtureRequest) -> None:
    text = PAGE.read_text(encoding="utf-8")
    if request.config.getoption("--update-goldens"):
        text = text.partition(HEAD)[0] + key_tables()
        PAGE.write_text(text, encoding="utf-8")
    assert text.partition(HEAD)[2] == key_tables().removeprefix(HEAD), "write it anew with --update-goldens"


def test_every_section_has_its_table() -> None:
    whole = schema()
    keys = [set(part["properties"]) for part in (whole, *whole["$defs"].values()) if "properties" in part]
    tables = [set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) for text in key_tables().split("\n### ")]
    assert sorted(map(sorted, keys)) == sorted(sorted(table) for table in tables if table)


def test_the_example_is_right(tmp_path: Path) -> None:
    [example] = re.findall(r"```yaml\n(.*?endpoints:.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for name in ("films.ttl.gz", "more.nt"):
        (tmp_path / name).touch()
    file = tmp_path / "nlq.yaml"
    file.write_text(example, encoding="utf-8")
    reading = examine(file, {"KG_TOKEN": "token", "LLM_KEY": "key"})
    assert reading.faults == ()
