"""Training examples from the graphs made of labels: `python -m training.labels --out FOLDER`.

Writes `labels.examples.jsonl` and `labels.schemas.json`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from training.canonical import canonical
from training.examples import Example, Names, names_in, told, write_lines, write_schemas
from training.labels import LabelGraph, label_graphs

SOURCE = "labels"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, and print statistics."""
    parser = argparse.ArgumentParser(prog="python -m training.labels", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the examples")
    options = parser.parse_args(arguments)
    graphs = tuple(label_graphs())
    examples = [
        Example(question, canonical(program)[0], graph.name, SOURCE)
        for graph in graphs
        for question, program in graph.questions
    ]
    write_lines(options.out / f"{SOURCE}.examples.jsonl", (one.record() for one in examples))
    write_schemas(options.out / f"{SOURCE}.schemas.json", {one.name: _names(one) for one in graphs})
    print("\n".join(told(examples)))


def _names(graph: LabelGraph) -> Names:
    with graph.as_file() as file:
        return names_in(file)[0]


if __name__ == "__main__":
    main()
