"""`docs/python.md`: its blocks print what it says, and its lists are whole."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from nlq_gateway import Gateway, GatewayAnswer
from nlq_gateway.client import accessor, remote

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n\n```text\n(?P<output>.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """The output of each block; names that one makes are there for the next."""
    names: dict[str, Any] = {}
    outputs = []
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        with redirect_stdout(StringIO()) as output:
            exec(compile(block["code"], PAGE.name, "exec"), names)
        outputs.append(output.getvalue())
    gateway = names["gateway"]
    assert isinstance(gateway, Gateway)
    gateway.close()
    return outputs


def test_every_block_prints_what_the_page_says(printed: list[str], request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text(encoding="utf-8")
    if request.config.getoption("--update-goldens"):
        outputs = iter(printed)
        page = BLOCK.sub(lambda block: _with(block, next(outputs)), page)
        PAGE.write_text(page, encoding="utf-8")
    assert printed == [block["output"] for block in BLOCK.finditer(page)]
    assert len(printed) == page.count("```python\n")


def _with(block: re.Match[str], output: str) -> str:
    return f"```python\n{block['code']}```\n\n```text\n{output}```"


def test_everything_of_an_answer_is_told() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8")))
    assert {field.name for field in fields(GatewayAnswer)} - named == {"question", "dataset"}


def test_figures_are_those_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"`timeout_s` ({remote.SECONDS:.0f})" in page
    kept = f"keeps {accessor.MOST_FRAMES} frames with their indexes, and {accessor.MOST_BYTES // 10**9} GB of"
    assert kept in page
