"""Labels of relations and attributes with questions that mean them, and graphs made of them.

relations.py   which way a relation leads: `relations.jsonl.gz`; both ways: `symmetric.jsonl.gz`
properties.py  which of a class's properties is asked for, or that there is none: `properties.jsonl.gz`
graph.py       a graph made of labels, with its questions
names.py       the invented names of its things

A strong general model wrote the labels and questions, with `{A}`, `{B}` and `{V}` in the place of names and
values; `WRITING.md` is what it was asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from training.labels.graph import LabelGraph
from training.labels.properties import property_graphs
from training.labels.relations import relation_graphs

__all__ = ["LabelGraph", "label_graphs"]


def label_graphs() -> Iterator[LabelGraph]:
    """All the graphs."""
    yield from relation_graphs()
    yield from property_graphs()
