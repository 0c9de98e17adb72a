"""`python -m benchmarks` runs all benchmarks but the longest, `python -m benchmarks NAME [options]` one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from benchmarks import (
    agreement,
    answers,
    card,
    compile,
    convert,
    cost,
    execute,
    facts,
    fuzz,
    gpu,
    judge,
    large,
    lessons,
    linking,
    load,
    mistakes,
    overhead,
    page,
    recorded,
    retrieval,
    rewrites,
    suggest,
    sure,
    unknown,
    worst,
)

BENCHMARKS: dict[str, Callable[[Sequence[str]], None]] = {
    "compile": compile.main,
    "execute": execute.main,
    "rewrites": rewrites.main,
    "answers": answers.main,
    "convert": convert.main,
    "retrieval": retrieval.main,
    "recorded": recorded.main,
    "card": card.main,
    "gpu": gpu.main,
    "judge": judge.main,
    "unknown": unknown.main,
    "sure": sure.main,
    "agreement": agreement.main,
    "facts": facts.main,
    "fuzz": fuzz.main,
    "mistakes": mistakes.main,
    "large": large.main,
    "linking": linking.main,
    "overhead": overhead.main,
    "lessons": lessons.main,
    "page": page.main,
    "suggest": suggest.main,
    "load": load.main,
    "cost": cost.main,
    "worst": worst.main,
}
# Minutes each, or of no use beside other work: only by name.
BY_NAME = frozenset({"fuzz", "judge", "large", "lessons", "linking", "load", "page", "suggest"})


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark named first, or all but the longest; 2 for a name that there is not."""
    if not arguments:
        for name in (one for one in BENCHMARKS if one not in BY_NAME):
            BENCHMARKS[name](())
        return 0
    run_one = BENCHMARKS.get(arguments[0])
    if run_one is None:
        print(f"no benchmark {arguments[0]!r}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    run_one(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
