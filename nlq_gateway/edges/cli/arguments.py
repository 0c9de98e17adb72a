"""Every command with its flags.

`--data FILE...` takes several files and so may also swallow what follows it. Where a command's own
argument is missing, the last of several files is that argument: `--data a.ttl b.ttl "question"`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TypeAlias

from compilers.dialects import DIALECTS
from compilers.layouts import LAYOUTS
from nlq_gateway.core.version import __version__

MOST_WORKERS = 2
_SHELLS = {
    "bash": 'eval "$(nlq completion bash)"',
    "fish": "nlq completion fish | source",
    "zsh": 'eval "$(nlq completion zsh)", after compinit',
}
# Those of the settings, which take long to import.
STRATEGIES = ("auto", "bottom-up", "steps", "code", "decompose", "explore")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of one command; SystemExit(2) with a message for wrong usage.

    `module` and `function` say what carries the command out, in `nlq_gateway.edges.cli`.
    """
    options = parser().parse_args(arguments)
    _settle(options)
    return options


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser(
        prog="nlq", description="Questions in plain words for SPARQL endpoints.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=f"nlq-gateway {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (
        *(_demo, _ask, _run, _compile, _eval, _serve, _index, _explore, _doctor, _mcp, _config),
        *(_feedback, _reference, _completion),
    ):
        add(commands)
    return top


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _command(commands: Commands, name: str, runs: str, summary: str) -> argparse.ArgumentParser:
    """A command; `runs` is the module and function that carry it out."""
    command = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
    module, _, function = runs.partition(".")
    command.set_defaults(module=module, function=function, parser=command, argument=None)
    return command


def _group(commands: Commands, name: str, summary: str, of: str = "command") -> Commands:
    """A command that is followed by one of its own commands."""
    group = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
    return group.add_subparsers(title=f"{of}s", metavar=of.upper(), required=True)


def _source(command: argparse.ArgumentParser, *, dialect: str = "the store's SPARQL dialect") -> None:
    """The flags that name the graph."""
    group = command.add_argument_group("source")
    group.add_argument("--config", metavar="FILE", help="the configuration file; $NLQ_CONFIG if not given")
    group.add_argument("--endpoint", metavar="ID", help="an endpoint of the configuration, else its first")
    group.add_argument(
        "--data", metavar="FILE", nargs="+", action="extend", help="RDF files, .gz too, or builtin:sample"
    )
    group.add_argument("--layout", choices=("auto", *LAYOUTS), help="how the graph states facts")
    group.add_argument("--dialect", choices=("auto", *DIALECTS), help=dialect)
    group.add_argument("--examples", metavar="FILE", help="JSON Lines of questions with their programs")
    group.add_argument(
        "--model",
        metavar="WHERE",
        help="a language model: the address of an OpenAI-compatible server, or a transformers model's folder",
    )


def _argument(command: argparse.ArgumentParser, name: str, summary: str, unless: str | None = None) -> None:
    """The command's own argument, which is needed unless the option `unless` is given."""
    command.add_argument(name, nargs="?", help=summary)
    command.set_defaults(argument=name, unless=unless)


def _address(command: argparse.ArgumentParser) -> None:
    command.add_argument("--host", default="127.0.0.1", help="the address to listen at (%(default)s)")
    command.add_argument("--port", type=_port, default=8080, help="(%(default)s; 0 chooses a free one)")


def _demo(commands: Commands) -> None:
    command = _command(commands, "demo", "serve.demo", "page and API on the sample graph")
    _address(command)


def _ask(commands: Commands) -> None:
    command = _command(commands, "ask", "ask.ask", "answer a question")
    _argument(command, "question", "the question, in plain words")
    command.add_argument(
        "--language", metavar="TAG", default="", help="its language, such as de; by default told by its words"
    )
    command.add_argument(
        "--json", action="store_true", help="print the whole trace as JSON, and nothing else"
    )
    _way(command)
    _source(command)


def _way(command: argparse.ArgumentParser) -> None:
    command.add_argument("--strategy", choices=STRATEGIES, default="", help="as configured, else auto")
    command.add_argument("--only", action="store_true", help="the strategy alone, without other sources")


def _run(commands: Commands) -> None:
    command = _command(commands, "run", "programs.run", "execute programs; no model is needed")
    _programs(command)
    _source(command)


def _compile(commands: Commands) -> None:
    command = _command(
        commands, "compile", "programs.compile_", "write programs as SPARQL; without a source give --layout"
    )
    _programs(command)
    command.add_argument(
        "--probes",
        action="store_true",
        help="with --jsonl: add the queries about each step; one program always has them",
    )
    _source(command, dialect="the dialect to write")


def _programs(command: argparse.ArgumentParser) -> None:
    _argument(command, "program", "a file with a program in any notation, or -", unless="jsonl")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--jsonl", metavar="FILE", help="JSON Lines of {id, program}, or -")
    form.add_argument("--text", action="store_true", help="print text, as on a terminal, in place of JSON")
    command.add_argument("--strict", action="store_true", help="refuse functions beyond KQA Pro's 27")


def _eval(commands: Commands) -> None:
    command = _command(commands, "eval", "evaluate.evaluate_", "measure answers against gold answers")
    command.add_argument("--questions", metavar="FILE", required=True, help="JSON Lines, .gz too")
    command.add_argument("--limit", metavar="N", type=_positive, help="ask the first N questions only")
    _way(command)
    command.add_argument("--json", action="store_true", help="print the report as JSON, and nothing else")
    command.add_argument("--report", metavar="FILE", help="write the report as JSON there too")
    command.add_argument("--html", metavar="FILE", help="write a page with charts and the wrong questions")
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="N", type=_positive, default=1, help="ask in N processes (%(default)s)"
    )
    where.add_argument("--scheduler", metavar="ADDRESS", help="ask on a Dask cluster, as tcp://host:8786")
    _source(command)


def _serve(commands: Commands) -> None:
    command = _command(commands, "serve", "serve.serve_", "page and API; the sample graph without a source")
    _address(command)
    command.add_argument(
        "--workers",
        metavar="N",
        type=_positive,
        help=f"worker processes ({min(_cores(), MOST_WORKERS)})",
    )
    _source(command)


def _index(commands: Commands) -> None:
    command = _command(commands, "index", "index.index", "build the schema index, and list its contents")
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="build nothing: show the layout's evidence and the planned queries",
    )
    command.add_argument("--json", action="store_true", help="with --dry-run, as a JSON object")
    command.add_argument("--fresh", action="store_true", help="rebuild an index of any age; servers follow")
    command.add_argument("--versions", action="store_true", help="list the versions instead")
    command.add_argument(
        "--use",
        metavar="VERSION",
        help="use an older version until the next build, or `newest`; servers follow",
    )
    _source(command)


def _explore(commands: Commands) -> None:
    command = _command(commands, "explore", "explore.explore", "find programs with answers over a graph")
    command.add_argument(
        "--programs", metavar="N", type=_positive, default=2_000, help="in the corpus (%(default)s)"
    )
    command.add_argument("--seconds", metavar="S", type=_positive, help="stop after S seconds")
    command.add_argument("--queries", metavar="Q", type=_positive, help="send at most Q queries")
    command.add_argument("--seed", metavar="K", type=int, default=0, help="the random seed (%(default)s)")
    command.add_argument("--out", metavar="FILE", help="the corpus file; default: the endpoint's own")
    command.add_argument("--report", metavar="FILE", help="write the report as JSON, too")
    command.add_argument(
        "--worded",
        action="store_true",
        help="let the configured language model word the programs, too; --model WHERE does so as well",
    )
    _tuning(command)
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        metavar="N",
        type=_positive,
        default=_cores(),
        help="local processes; default: one for each core (here %(default)s)",
    )
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask cluster, as tcp://host:8786")
    _source(command)


def _doctor(commands: Commands) -> None:
    command = _command(commands, "doctor", "doctor.doctor", "check endpoints and model, and give advice")
    command.add_argument("--json", action="store_true", help="print the findings as JSON, and nothing else")
    command.add_argument("--strict", action="store_true", help="exit with 1 after a warning, too")
    command.add_argument(
        "--try-update", action="store_true", help="send updates that change nothing, to see them refused"
    )
    _source(command)


def _mcp(commands: Commands) -> None:
    command = _command(commands, "mcp", "mcp.mcp", "tools for assistants (Model Context Protocol)")
    command.add_argument(
        "--http", action="store_true", help="serve over HTTP, in place of standard input and output"
    )
    command.add_argument("--host", help="with --http, the address to listen at (127.0.0.1)")
    command.add_argument("--port", type=_port, help="with --http (8090; 0 chooses a free one)")
    command.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="with --http, a further host name that clients may use",
    )
    _source(command)


def _config(commands: Commands) -> None:
    actions = _group(commands, "config", "show or check a configuration file")
    show = _command(actions, "show", "config.show", "print it with all defaults, without secrets")
    show.add_argument("--endpoint", metavar="ID", help="this endpoint only")
    check = _command(actions, "check", "config.check", "check it, and list all errors")
    for command in (show, check):
        command.add_argument("--config", metavar="FILE", help="the file; $NLQ_CONFIG if not given")
        command.add_argument("--json", action="store_true", help="print JSON")
    _command(actions, "schema", "config.schema", "print the JSON Schema, for editors")
    _command(actions, "reference", "config.reference", "print every key with its default and meaning")


def _feedback(commands: Commands) -> None:
    actions = _group(commands, "feedback", "show clients' feedback on answers, and approve or reject it")
    shown = _command(actions, "list", "feedback.list_", "print pending feedback")
    shown.add_argument(
        "--state", choices=("pending", "approved", "rejected", "all"), default="pending", help="(%(default)s)"
    )
    shown.add_argument("--json", action="store_true", help="print JSON Lines")
    approve = _command(actions, "approve", "feedback.approve", "use it as a demonstration")
    reject = _command(actions, "reject", "feedback.reject", "do not use it as a demonstration")
    for command in (approve, reject):
        command.add_argument("ids", metavar="ID", nargs="+", type=_positive, help="as `list` prints them")
    export = _command(actions, "export", "feedback.export", "print approved feedback, as an examples file")
    for command in (shown, approve, reject, export):
        _source(command)


def _reference(commands: Commands) -> None:
    summary = "print a page of the documentation that is generated from the code"
    pages = _group(commands, "reference", summary, of="page")
    _command(pages, "functions", "reference.functions", "the functions of programs")
    _command(pages, "errors", "reference.errors", "errors and warnings, by their codes")


def _completion(commands: Commands) -> None:
    summary = "print the completion of commands and flags for a shell"
    shells = _group(commands, "completion", summary, of="shell")
    for shell, use in _SHELLS.items():
        command = _command(shells, shell, "completion.completion", f"for {shell}: {use}")
        command.set_defaults(shell=shell)


def _tuning(command: argparse.ArgumentParser) -> None:
    """Options of the judge's weights, in place of exploring."""
    group = command.add_argument_group("the ranking, in place of exploring")
    one = group.add_mutually_exclusive_group()
    one.add_argument("--tune", action="store_true", help="adapt it to the corpus and to approved feedback")
    one.add_argument("--tuned", action="store_true", help="show the adapted weights")
    one.add_argument("--untune", action="store_true", help="remove the adapted weights")
    group.add_argument(
        "--questions", metavar="N", type=_positive, default=300, help="learn from N questions (%(default)s)"
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("a number from 1 on is expected")
    return number


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return number


def workers_of(options: argparse.Namespace) -> int:
    """The number of worker processes: as given, else what suits the machine."""
    return options.workers or min(_cores(), MOST_WORKERS)


def _settle(options: argparse.Namespace) -> None:
    """Give the command its own argument, and refuse sources that exclude one another."""
    name = options.argument
    if name and getattr(options, name) is None and not (options.unless and getattr(options, options.unless)):
        if options.data and len(options.data) > 1:
            setattr(options, name, options.data.pop())
        else:
            options.parser.error(
                f"the {name} is missing" + (f" (or --{options.unless})" if options.unless else "")
            )
    elif options.argument and options.unless and getattr(options, name) and getattr(options, options.unless):
        options.parser.error(f"give either a {name} or --{options.unless}")
    data = getattr(options, "data", None)
    if data and (options.config or options.endpoint):
        options.parser.error("give either --data, or --endpoint with --config")
