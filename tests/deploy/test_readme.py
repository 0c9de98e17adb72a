"""The first screen of the README: its question is answered as it says, in its words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nlq_gateway.edges.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCREEN = 60


def test_the_question_has_its_answer_program_and_query(capsys: pytest.CaptureFixture[str]) -> None:
    [(question, answer)] = re.findall(r"^\*\*(.+)\*\* → (.+)$", README, re.MULTILINE)
    assert main(["ask", "--data", "builtin:sample", question]) == 0
    printed = capsys.readouterr().out
    blocks = re.findall(r"```\w*\n(.*?)```", README.partition(question)[2], re.DOTALL)
    assert printed.startswith(f"{answer}\n")
    assert f"Program\n{blocks[0]}" in printed
    assert f"SPARQL\n{blocks[1]}" in printed


def test_the_first_commands_are_targets_of_make() -> None:
    block = README.partition("```\n")[2].partition("```")[0]
    named = re.findall(r"^make (\w+) ", block, re.MULTILINE)
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert named == ["demo", "test"]
    assert set(named) <= set(targets)


def test_that_is_on_the_first_screen() -> None:
    assert README[: README.index("LIMIT 10000")].count("\n") < SCREEN
