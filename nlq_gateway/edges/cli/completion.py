"""`nlq completion SHELL`: commands, flags and their values for bash, fish and zsh, from the parser itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from nlq_gateway.edges.cli.arguments import parser

# Bash counts words from 0, zsh from 1, and they pass the words by different commands.
_CASES = """\
    local command="" i
    local -a found=()
    for ((i = {first}; i < {current}; i++)); do
        case "$command>${{{typed}[i]}}" in
            {commands}) command="$command>${{{typed}[i]}}" ;;
        esac
    done
    case "$command ${{{typed}[{current}-1]}}" in
{values}
        *)
            case "$command" in
{words}
            esac
            ;;
    esac
"""
_BASH = """\
# Completes nlq: eval "$(nlq completion bash)"
_nlq() {{
{cases}    COMPREPLY=($(compgen -W "${{found[*]}}" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
# Without candidates, the shell completes files.
complete -o default -F _nlq nlq
"""
_ZSH = """\
#compdef nlq
# Completes nlq, after compinit: eval "$(nlq completion zsh)"
_nlq() {{
{cases}    compadd -a found || _files
}}
compdef _nlq nlq
"""
_FISH = """\
# Completes nlq: nlq completion fish | source
function __nlq_words
    set -l typed (commandline -opc)
    set -l command ""
    for word in $typed
        switch "$command>$word"
            case {commands}
                set command "$command>$word"
        end
    end
    switch "$command $typed[-1]"
{values}
        case '*'
            switch "$command"
{words}
            end
    end
end
function __nlq_offered
    set -l found (__nlq_words)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c nlq -f -a '(__nlq_offered)'
"""


@dataclass(frozen=True, slots=True)
class CommandWords:
    """A command by its path, such as `>config>show`, with the words that may follow it.

    `values` are those of each flag that takes one, if they are few; () for a file or another text.
    """

    path: str
    words: tuple[str, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]


def completion(options: argparse.Namespace) -> int:
    """Print the script for a shell."""
    print(SCRIPTS[options.shell](), end="")
    return 0


def bash_script() -> str:
    """The script that bash sources."""
    return _BASH.format(cases=_cases("COMP_WORDS", "COMP_CWORD", 1))


def zsh_script() -> str:
    """The script that zsh sources, or finds as `_nlq` in its `fpath`."""
    return _ZSH.format(cases=_cases("words", "CURRENT", 2))


def fish_script() -> str:
    """The script that fish sources."""
    commands = tuple(commands_of(parser()))
    return _FISH.format(
        commands=" ".join(f"'{one.path}'" for one in commands if one.path),
        values="\n".join(
            f"        case '{command.path} {flag}'"
            + (f"\n            printf '%s\\n' {' '.join(values)}" if values else "")
            for command in commands
            for flag, values in command.values
        ),
        words="\n".join(
            f"                case '{one.path}'\n                    printf '%s\\n' {' '.join(one.words)}"
            for one in commands
        ),
    )


SCRIPTS: Mapping[str, Callable[[], str]] = {"bash": bash_script, "fish": fish_script, "zsh": zsh_script}


def _cases(typed: str, current: str, first: int) -> str:
    """The case statement that finds the next words, for Bourne-like shells; `typed` are those of the line."""
    commands = tuple(commands_of(parser()))
    return _CASES.format(
        typed=typed,
        current=current,
        first=first,
        commands="|".join(f'"{command.path}"' for command in commands if command.path),
        values="\n".join(
            f'        "{command.path} {flag}") found=({" ".join(values)}) ;;'
            for command in commands
            for flag, values in command.values
        ),
        words="\n".join(
            f'                "{one.path}") found=({" ".join(one.words)}) ;;' for one in commands
        ),
    )


def commands_of(command: argparse.ArgumentParser, path: str = "") -> Iterator[CommandWords]:
    """The command itself and all below it. Flags, too, are known to argparse's actions alone."""
    flags = [(flag, action) for action in command._actions for flag in action.option_strings]
    below = next((one.choices for one in command._actions if isinstance(one, argparse._SubParsersAction)), {})
    yield CommandWords(
        path,
        (*below, *(flag for flag, _ in flags)),
        tuple((flag, tuple(map(str, action.choices or ()))) for flag, action in flags if action.nargs != 0),
    )
    for name, inner in below.items():
        yield from commands_of(inner, f"{path}>{name}")
