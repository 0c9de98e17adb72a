"""Training examples from the graphs made of labels: `python -m training.labels --out FOLDER`.

Writes `labels.examples.jsonl` and `labels.schemas.json`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.settings import Settings
from training.canonical import canonical
from training.examples import Example, Names, names_of, told, write_lines, write_schemas
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
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph.ttl"
        file.write_text(graph.turtle, encoding="utf-8")
        with closing(Endpoint(Settings.for_data([file]).endpoints[0])) as endpoint:
            endpoint.prepare()
            return names_of(endpoint.index)


if __name__ == "__main__":
    main()
