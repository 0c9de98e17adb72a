"""`docs/models.md` has every key about language models with its default."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel

from nlq_gateway.settings.language_model import BudgetSettings, ModelSettings, PipelineSettings
from nlq_gateway.settings.values import as_text

DOCUMENT = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
SECTIONS: dict[str, type[BaseModel]] = {
    "model:": ModelSettings,
    "pipeline:": PipelineSettings,
    "pipeline.budget:": BudgetSettings,
}


def shown(default: object) -> str:
    """A default as the tables have it."""
    if isinstance(default, BaseModel):
        return "below"
    if isinstance(default, timedelta):
        return f"`{as_text(default)}`"
    return "–" if default is None else f"`{str(default).lower() if isinstance(default, bool) else default}`"


@pytest.mark.parametrize("title", SECTIONS)
def test_every_key_is_in_its_table_with_its_default(title: str) -> None:
    table = DOCUMENT.partition(f"| `{title}` | default | meaning |\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.+) \|$", table, re.MULTILINE)
    fields = SECTIONS[title].model_fields
    assert [(key, default) for key, default, _ in rows] == [
        (key, shown(field.default)) for key, field in fields.items()
    ]
