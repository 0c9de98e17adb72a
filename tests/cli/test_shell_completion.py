"""Completion, in a real bash."""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nlq_gateway.edges.cli.arguments import parser
from nlq_gateway.edges.cli.completion import bash_script, commands_of

SECONDS = 60
BASH = shutil.which("bash")
NEEDS_BASH = pytest.mark.skipif(BASH is None, reason="bash is not installed")


def completed(folder: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words; `nlq` itself is not run."""
    (folder / "nlq.bash").write_text(bash_script(), encoding="utf-8")
    line = (
        f"source nlq.bash; COMP_WORDS=({shlex.join(('nlq', *words))}); COMP_CWORD={len(words)}; "
        '_nlq; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        [str(BASH), "--norc", "-c", line], cwd=folder, capture_output=True, text=True, timeout=SECONDS
    )
    assert not done.stderr
    return done.stdout.split()


@NEEDS_BASH
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["e"], ["eval", "explore"]),
        (["config", "s"], ["show", "schema"]),
        (["config", "show", "--e"], ["--endpoint"]),
        (["ask", "--layout", "r"], ["reification", "rdf12", "rdf_star"]),
        (["ask", "--json", "--dat"], ["--data"]),
        (["ask", "--data", "x.ttl", "--l"], ["--layout"]),
        (["eval", "--data", "config", "--questions", "q.jsonl", "--j"], ["--json"]),
        (["ask", "--data", "fil"], []),
        (["--ver"], ["--version"]),
    ],
)
def test_bash_offers_what_may_follow(tmp_path: Path, words: list[str], offered: list[str]) -> None:
    assert sorted(completed(tmp_path, *words)) == sorted(offered)


def test_every_command_and_flag_is_known() -> None:
    found = {command.path: set(command.words) for command in commands_of(parser())}
    assert {">eval", ">config>show", ">completion>bash"} <= set(found)
    for path, words in found.items():
        with pytest.raises(SystemExit):
            parser().parse_args([*filter(None, path.split(">")), "--help"])
        assert "--help" in words


def test_the_command_prints_the_script(nlq: Callable[..., argparse.Namespace]) -> None:
    assert nlq("completion", "bash").stdout == bash_script()
