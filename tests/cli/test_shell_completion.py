"""Completion, in real shells."""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_args

import pytest

from nlq_gateway.edges.cli.arguments import STRATEGIES, parser
from nlq_gateway.edges.cli.completion import SCRIPTS, commands_of
from nlq_gateway.settings.language_model import Strategy

SECONDS = 60
# How each shell is asked for what may stand in the place of the last word; `nlq` itself is not run. Zsh
# completes at a terminal alone, so that what takes its words is a function here, which keeps those that begin
# as the last does.
ASKED = {
    "bash": """
source ./nlq; COMP_WORDS=({line}); COMP_CWORD={last}; _nlq; printf '%s\\n' "${{COMPREPLY[@]}}" """,
    "zsh": """
compdef() {{ }}; _files() {{ }}; compadd() {{ print -rl -- ${{(M)found:#${{words[CURRENT]}}*}} }}
source ./nlq; words=({line}); CURRENT=$(({last} + 1)); _nlq""",
    "fish": "source ./nlq; cd empty; complete -C {whole}",
}
OPTIONS = {"bash": ("--norc", "-c"), "zsh": ("-f", "-c"), "fish": ("--no-config", "-c")}


def completed(folder: Path, shell: str, *words: str, files: Sequence[str] = ()) -> list[str]:
    """A shell's offers for the last of these words in a folder with these files."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    (folder / "nlq").write_text(SCRIPTS[shell](), encoding="utf-8")
    (folder / "empty").mkdir()
    for name in files:
        (folder / "empty" / name).touch()
    line = shlex.join(("nlq", *words))
    asked = ASKED[shell].format(line=line, last=len(words), whole=shlex.quote(line))
    done = subprocess.run(
        [found, *OPTIONS[shell], asked], cwd=folder, capture_output=True, text=True, timeout=SECONDS
    )
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("shell", SCRIPTS)
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["e"], ["eval", "explore"]),
        (["config", "s"], ["show", "schema"]),
        (["completion", ""], ["bash", "fish", "zsh"]),
        (["config", "show", "--e"], ["--endpoint"]),
        (["ask", "--layout", "r"], ["reification", "rdf12", "rdf_star"]),
        (["ask", "--json", "--dat"], ["--data"]),
        (["ask", "--data", "x.ttl", "--l"], ["--language", "--layout"]),
        (["eval", "--data", "config", "--questions", "q.jsonl", "--j"], ["--json"]),
        (["ask", "--strategy", "b"], ["bottom-up"]),
        (["ask", "--data", "fil"], []),
        (["serve", "--config", ""], []),
        (["--ver"], ["--version"]),
    ],
)
def test_a_shell_offers_what_may_follow(
    tmp_path: Path, shell: str, words: list[str], offered: list[str]
) -> None:
    flags = {"-h", "--help"} if words == ["completion", ""] else set()
    assert {*completed(tmp_path, shell, *words)} - flags == {*offered}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ask", "--data", "fi"], {"films.ttl"}),
        (["ask", "--strategy", ""], {*STRATEGIES}),
        (["conf"], {"config"}),
    ],
)
def test_fish_offers_files_where_no_words_are_known(
    tmp_path: Path, words: list[str], offered: set[str]
) -> None:
    assert {*completed(tmp_path, "fish", *words, files=["films.ttl", "confirmed.ttl"])} == offered


def test_every_command_and_flag_is_known() -> None:
    found = {command.path: set(command.words) for command in commands_of(parser())}
    assert {">eval", ">config>show", *(f">completion>{shell}" for shell in SCRIPTS)} <= set(found)
    for path, words in found.items():
        with pytest.raises(SystemExit):
            parser().parse_args([*filter(None, path.split(">")), "--help"])
        assert "--help" in words


def test_every_strategy_is_a_choice() -> None:
    assert get_args(Strategy) == STRATEGIES


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_command_prints_the_script(nlq: Callable[..., argparse.Namespace], shell: str) -> None:
    assert nlq("completion", shell).stdout == SCRIPTS[shell]()
