"""Candidates for questions over graphs made of labels (`training.labels`).

`python -m training.judging.labels --out FOLDER` writes a file for each graph, in the form of
`training.judging.collect`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from nlq_gateway.offline.evaluation import GoldQuestion
from training.judging.collect import Collecting, Part
from training.labels import LabelGraph, label_graphs

Json = dict[str, Any]
KIND = "labels"


def lines(graph: LabelGraph) -> Iterator[Json]:
    """The outcomes of a graph's questions, and of those that it cannot answer."""
    with graph.as_file() as file:
        collecting = Collecting(Part(graph.name, (str(file),), tuple, mutated=True))
        with closing(collecting.gateway):
            for number, (text, program) in enumerate(graph.questions):
                question = GoldQuestion(f"{graph.name}-{number}", text, KIND, program=program)
                if gold := collecting.gold(question):
                    yield collecting.line(question, gold)
            for number, text in enumerate(graph.absent):
                question = GoldQuestion(f"{graph.name}-absent-{number}", text, KIND, unanswerable=True)
                yield collecting.line(question, ())


def main() -> None:
    """Write a file for each graph that has none yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for graph in label_graphs():
        target = options.out / f"{graph.name}.jsonl"
        if not target.exists():
            found = [json.dumps(one, ensure_ascii=False) for one in lines(graph)]
            target.write_text("".join(line + "\n" for line in found), encoding="utf-8")
            print(f"{graph.name}: {len(found)} questions", flush=True)


if __name__ == "__main__":
    main()
