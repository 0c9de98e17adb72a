"""`nlq completion bash`: commands, flags and their values for bash, from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from nlq_gateway.edges.cli.arguments import parser

_SCRIPT = """\
# Completes nlq: eval "$(nlq completion bash)"
_nlq() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" command="" words="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$command>${{COMP_WORDS[i]}}" in
            {commands}) command="$command>${{COMP_WORDS[i]}}" ;;
        esac
    done
    case "$command $previous" in
{values}
        *)
            case "$command" in
{words}
            esac
            ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
# Where it knows nothing, the shell completes files.
complete -o default -F _nlq nlq
"""


@dataclass(frozen=True, slots=True)
class CommandWords:
    """A command by its path, such as `>config>show`, with the words that may follow it.

    `values` are those of a flag that takes one of a few.
    """

    path: str
    words: tuple[str, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]


def completion(_: argparse.Namespace) -> int:
    """Print the script."""
    print(bash_script(), end="")
    return 0


def bash_script() -> str:
    """The script that bash sources."""
    commands = tuple(commands_of(parser()))
    values = [
        f'        "{command.path} {flag}") words="{" ".join(values)}" ;;'
        for command in commands
        for flag, values in command.values
    ]
    return _SCRIPT.format(
        commands="|".join(f'"{command.path}"' for command in commands if command.path),
        values="\n".join(values),
        words="\n".join(
            f'                "{one.path}") words="{" ".join(one.words)}" ;;' for one in commands
        ),
    )


def commands_of(command: argparse.ArgumentParser, path: str = "") -> Iterator[CommandWords]:
    """The command itself and all below it. Flags, too, are known to argparse's actions alone."""
    flags = [(flag, action) for action in command._actions for flag in action.option_strings]
    below = next((one.choices for one in command._actions if isinstance(one, argparse._SubParsersAction)), {})
    yield CommandWords(
        path,
        (*below, *(flag for flag, _ in flags)),
        tuple((flag, tuple(map(str, action.choices))) for flag, action in flags if action.choices),
    )
    for name, inner in below.items():
        yield from commands_of(inner, f"{path}>{name}")
