"""Requests made from /openapi.json, right and wrong ones, to a real server.

schemathesis makes them and holds the responses against the document: nothing may break, or be undocumented.
Rounds with other seeds follow one another until there were enough cases.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFIG = Path(__file__).with_name("fuzz.toml")
CASES = 2_000
# New requests for each operation in a round; besides them come those that cover each rule of its schema.
EACH = 20
# A separate round for event streams, with the schema of each event.
STREAMS = ("--include-path", "/nlq", "--include-path", "/run", "--header", "Accept: text/event-stream")
PHASES = ("examples", "coverage", "fuzzing")
SERVER = ("serve", "--data", "builtin:sample", "--workers", "2", "--port", "0")
_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "SCHEMATHESIS_HOOKS": "benchmarks.fuzz_hooks"}


@dataclass(frozen=True, slots=True)
class Round:
    """The result of one round; `failures` has a line for each kind, `output` is the whole text."""

    cases: int
    operations: int
    failures: tuple[str, ...] = ()
    output: str = field(default="", repr=False)


def fuzzed(
    address: str, *, seed: int, each: int = EACH, phases: Sequence[str] = PHASES, options: Sequence[str] = ()
) -> Round:
    """Send one round of requests to a server; each operation has `each` new ones."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIG), "run"),
            *(f"{address}/openapi.json", "--phases", ",".join(phases), "--checks", "all"),
            # No schema can say which programs and queries are right.
            *("--exclude-checks", "positive_data_acceptance"),
            *("--seed", str(seed), "--max-examples", str(each), "--workers", "2", "--continue-on-failure"),
            *options,
            *("--report", "json", "--report-json-path", str(report), "--no-color"),
        ]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, env=_ENVIRONMENT, check=False
        )
        if not report.is_file():
            return Round(0, 0, (f"schemathesis ended with {done.returncode}",), done.stdout + done.stderr)
        document = json.loads(report.read_text(encoding="utf-8"))
    failures = [f"{one['title']}: {', '.join(one['operations'])}" for one in document["failures"]]
    if errors := document["test_cases"]["errored"]:
        failures.append(f"cases that could not be made: {errors}")
    return Round(
        document["test_cases"]["generated"], document["operations"]["tested"], tuple(failures), done.stdout
    )


@contextmanager
def served() -> Iterator[str]:
    """The address of a server over the sample graph."""
    with tempfile.TemporaryDirectory() as cache:
        server = subprocess.Popen(
            [sys.executable, "-m", "nlq_gateway", *SERVER],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**_ENVIRONMENT, "NLQ_CACHE": cache},
        )
        try:
            assert server.stdout is not None
            found = re.match(r"nlq: open (\S+)", server.stdout.readline())
            if found is None:
                raise SystemExit("the server did not start")
            yield found[1]
        finally:
            server.terminate()
            server.wait(60)


def main(arguments: Sequence[str]) -> None:
    """Print the counts; the exit status is 1 where something failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES, help="at least so many requests")
    parser.add_argument("--url", help="a server that runs already, instead of one over the sample graph")
    parser.add_argument("--seed", type=int, default=1, help="of the first round")
    options = parser.parse_args(arguments)
    if options.url:
        failed = _rounds(options.url, options.cases, options.seed)
    else:
        with served() as address:
            failed = _rounds(address, options.cases, options.seed)
    if failed:
        raise SystemExit(1)


def _rounds(address: str, cases: int, seed: int) -> bool:
    """Print each round; True if one failed."""
    done, failures, options = 0, 0, STREAMS
    while done < cases:
        one = fuzzed(address, seed=seed, options=options)
        done, failures = done + one.cases, failures + len(one.failures)
        what = "streams" if options else "all"
        print(f"{what}, seed {seed}: {one.cases} cases over {one.operations} operations", flush=True)
        if one.failures:
            print(one.output, *one.failures, sep="\n", flush=True)
        if not one.cases:
            break
        seed, options = seed + 1, ()
    print(f"{done} cases, {failures} kinds of failures")
    return bool(failures) or not done
