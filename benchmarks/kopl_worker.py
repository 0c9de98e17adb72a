"""Executes programs with KoPL's own engine; run by `compile` with the Python that has it installed.

Standard input is a JSON list of programs, the arguments are the number of rounds and the graph's
`kb.json.gz`; standard output is a JSON list of `{ms, answers}`, null for a program that failed. What the
library prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import statistics
import sys
import time

from kopl.kopl import KoPLEngine


def main() -> None:
    """Execute every program so many times."""
    rounds = int(sys.argv[1])
    replies = []
    with contextlib.redirect_stdout(sys.stderr):
        with gzip.open(sys.argv[2], "rt", encoding="utf-8") as file:
            engine = KoPLEngine(json.load(file))
        for program in json.load(sys.stdin):
            functions = [step["function"] for step in program]
            inputs = [step["inputs"] for step in program]
            times, found = [], None
            for _ in range(rounds):
                start = time.perf_counter()
                try:
                    found = engine.forward(functions, inputs)
                # The library raises whatever comes; a program that it cannot execute has no answer.
                except Exception as error:
                    print(f"{type(error).__name__}: {error}")
                times.append((time.perf_counter() - start) * 1000)
            answers = [found] if isinstance(found, str) else found
            replies.append({"ms": statistics.median(times), "answers": answers})
    json.dump(replies, sys.stdout)


if __name__ == "__main__":
    main()
