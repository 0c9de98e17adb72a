"""Compiles programs with graphq-trans; run by `compile` with the Python that has it installed.

Standard input is a JSON list of programs, the argument the number of rounds; standard output is a JSON
list of `{ms, sparql}`. What the library prints about errors goes to standard error.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import sys
import time

from graphq_trans.ir.translator import Translator as FromIr
from graphq_trans.kopl.translator import Translator as FromKopl


def main() -> None:
    """Compile every program so many times."""
    to_ir, to_sparql = FromKopl().to_ir, FromIr().to_sparql
    rounds = int(sys.argv[1])
    replies = []
    with contextlib.redirect_stdout(sys.stderr):
        for program in json.load(sys.stdin):
            times, sparql = [], None
            for _ in range(rounds):
                start = time.perf_counter()
                try:
                    sparql = to_sparql(to_ir(program))
                # The library raises whatever comes; a program that it cannot compile counts as such.
                except Exception as error:
                    print(f"{type(error).__name__}: {error}")
                times.append((time.perf_counter() - start) * 1000)
            replies.append({"ms": statistics.median(times), "sparql": sparql})
    json.dump(replies, sys.stdout)


if __name__ == "__main__":
    main()
