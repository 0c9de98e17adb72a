"""The command line: `nlq COMMAND`.

arguments.py   every command with its flags
source.py      the graph that a command is about
failures.py    every error as a message and an exit code
plans.py       a plan for indexing a store, with the evidence for its layout
ask.py programs.py index.py explore.py tuning.py evaluate.py serve.py mcp.py doctor.py config.py
feedback.py reference.py completion.py
               the commands

Exit codes: 0 done, 1 some items failed (each said), 2 usage or configuration, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from nlq_gateway.edges.cli.arguments import parse

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; argparse leaves by SystemExit for wrong usage."""
    options = parse(arguments)
    # No other user may read the files: they hold values of datasets, questions and answers.
    os.umask(0o077)
    # Must be set before numpy is loaded. A question's matrices are small: more threads than one wait for
    # each other, and building an index takes twice as long.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        code = _carry_out(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone: the rest of the buffer is discarded.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if os.environ.get("NLQ_DEBUG"):
            raise
        return _failed(error)
    return code


# Commands import the index and the parsers, which is too slow for `nlq --help`.
def _carry_out(options: argparse.Namespace) -> int:
    module = importlib.import_module(f"nlq_gateway.edges.cli.{options.module}")
    code: int = getattr(module, options.function)(options)
    sys.stdout.flush()
    return code


def _failed(error: Exception) -> int:
    from nlq_gateway.edges.cli.failures import exit_code, explain

    print(explain(error), file=sys.stderr)
    return exit_code(error)
