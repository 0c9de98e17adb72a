"""Questions with programs as files that a training reads, and the names of the schemas they are about."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.drafter.value_nodes import value_nodes_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.settings import Settings
from training.value_nodes import Held

MOST_STEPS = 24
MOST_ENTITIES = 3_000
_ONE_IN = 10

# The classes that have an item and those it leads to, by their labels, each with its facts, commonest first.
Ends = list[list[tuple[str, int]]]
# The labels of a schema by kind; under "ends" the ends of items, by kind and label.
Names = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its program, which calls things as the index of its graph does."""

    question: str
    program: Program
    graph: str
    source: str

    def record(self) -> dict[str, Any]:
        """The example as a line of a file has it."""
        return {
            "question": self.question,
            "program": json.loads(NOTATIONS["json"].write(self.program)),
            "graph": self.graph,
            "split": split_of(self.graph),
            "source": self.source,
        }


def split_of(graph: str) -> str:
    """The split of a graph, train or dev: one in ten is dev, by its name."""
    return "train" if zlib.crc32(graph.encode()) % _ONE_IN else "dev"


def is_train(name: str) -> bool:
    """True if a file of candidates is of a graph of training."""
    graph = name.removeprefix("explored ").removeprefix("removed ")
    return graph.startswith("kqapro") or (not name.startswith("dev ") and split_of(graph) == "train")


def names_of(index: Index) -> Names:
    """The labels of a schema by kind, with those of value nodes, and of the entities with the most facts."""
    offered = (*index.schema, *(node.item for node in value_nodes_of(index).values()))
    names = {
        str(kind): [*dict.fromkeys(item.label for item in offered if item.kind == kind)]
        for kind in SCHEMA_KINDS
    }
    entities = [*dict.fromkeys(one.label for one in index.sample(MOST_ENTITIES))]
    return {**names, str(Kind.ENTITY): entities, "ends": _ends_of(offered)}


def _ends_of(items: Sequence[SchemaItem]) -> dict[str, dict[str, Ends]]:
    """The ends of items, by kind and label; those of one label together."""
    labels = {item.iri: item.label for item in items}
    counts: dict[tuple[str, str], tuple[Counter[str], Counter[str]]] = {}
    for item in items:
        found = counts.setdefault((str(item.kind), item.label), (Counter(), Counter()))
        for end, ends in zip(found, (item.domains, item.ranges), strict=True):
            for iri, count in ends:
                if iri in labels:
                    end[labels[iri]] += count
    told: dict[str, dict[str, Ends]] = {}
    for (kind, label), pair in counts.items():
        told.setdefault(kind, {})[label] = [end.most_common() for end in pair]
    return told


def names_in(file: Path) -> tuple[Names, Held]:
    """The same of a file's graph, and what its value nodes hold."""
    with closing(Endpoint(Settings.for_data([file]).endpoints[0])) as endpoint:
        endpoint.prepare()
        nodes = value_nodes_of(endpoint.index).values()
        return names_of(endpoint.index), {one.relation.label: one.value.label for one in nodes}


def write_lines(file: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON Lines; raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    file.write_text(text, encoding="utf-8")


def write_schemas(file: Path, schemas: Mapping[str, Names]) -> None:
    """Write the names of schemas, by graph; raises OSError."""
    file.write_text(json.dumps(schemas, ensure_ascii=False) + "\n", encoding="utf-8")


def told(examples: Sequence[Example]) -> Iterator[str]:
    """Statistics of examples, in lines."""
    yield f"{len(examples)} examples: {counted(split_of(one.graph) for one in examples)}"
    yield f"last functions: {counted(one.program.steps[-1].function for one in examples)}"
    lengths = Counter(len(one.program) for one in examples)
    yield f"steps: {', '.join(f'{steps}: {number}' for steps, number in sorted(lengths.items()))}"


def counted(things: Iterable[str]) -> str:
    """Each thing with how often it is there, the commonest first."""
    return ", ".join(f"{thing} {number}" for thing, number in Counter(things).most_common())
