"""The examples of repairs in `docs/models.md` are those that the tests make."""

from __future__ import annotations

import json
import re
from pathlib import Path

MISTAKES = Path(__file__).with_name("fixtures") / "mistakes.jsonl"
DOCUMENT = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def test_every_example_is_a_repair_of_the_table_of_mistakes() -> None:
    table = DOCUMENT.partition("| kind | before | after |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip(" `") for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in table.splitlines()]
    records = map(json.loads, MISTAKES.read_text("utf-8").splitlines())
    made = {(one["before"], one["after"]) for record in records for one in record["repairs"]}
    assert len(rows) >= 20
    assert [row for row in rows if (row[1], row[2]) not in made] == []
