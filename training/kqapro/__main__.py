"""`python -m training.kqapro --data FOLDER --out FOLDER`: write the examples, and count them."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from training.examples import names_in
from training.kqapro.augmented import augmented
from training.kqapro.examples import Example, distinct, schema_of, write_files
from training.kqapro.sources import Data, official_examples, pattern_examples, query_examples, shot_examples

# The ends of schema items are those of a part of the graph, which has them all.
MINI = Path("mini", "kb.ttl.gz")
_SOURCES = (official_examples, shot_examples, pattern_examples, query_examples)


def main() -> None:
    """Read the options, make the examples, write them."""
    parser = argparse.ArgumentParser(prog="python -m training.kqapro", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with KQA Pro's files")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the two files")
    options = parser.parse_args()
    data = Data(options.data)
    examples = [example for source in _SOURCES for example in source(data)]
    examples = distinct([*examples, *augmented(data, examples)])
    names, _ = names_in(options.data / MINI)
    write_files(options.out, examples, {**schema_of(examples), "ends": names["ends"]})
    print(report(examples))


def report(examples: list[Example]) -> str:
    """The numbers of examples by source, split and last function."""
    by_source = Counter(f"{example.source} {example.split}" for example in examples)
    by_ending = Counter(example.program.steps[-1].function for example in examples)
    counts = (*by_source.most_common(), ("", 0), *by_ending.most_common())
    return "\n".join(f"{count:7} {name}" if name else "" for name, count in counts)


if __name__ == "__main__":
    main()
