"""Time to select the part of a schema of ten thousand relations for a prompt.

The graph is made up: classes and relations are named by pairs of English words. Each question
names one of each. Its phrases have their vectors from stages before, as in a gateway.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from statistics import median

from compilers.layouts.vocabulary import RDF
from connectors import EmbeddedOxigraph
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.generation.card import Blocks, part_of
from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.nearness import NearnessFinder
from nlq_gateway.index import BuildOptions, Index, MiniLM, build
from nlq_gateway.models.server.estimate import estimated_tokens
from nlq_gateway.question.linking import Linker

RELATIONS, CLASSES, BUDGET, SEED = 10_000, 400, 3_000, 3
_SPACE = "http://made-up.example/"
_FIRST = """
air bank cargo depot engine farm grain harbour iron job kitchen loan metal north office paint quarry river
ship tool union valve water yard zone bridge cable drill estate fuel garden hotel island jet kiln lease mine
nozzle order pump queue rail sensor tank unit vessel ward axle berth crane dock east fleet gate hull inlet
joint keel lamp motor
""".split()
_SECOND = """
owner keeper part supplier source target region number branch member driver builder tenant reader insurer
inspector origin manager customer planner operator partner sponsor seller buyer holder user maker guard tester
visitor broker carrier editor founder backer leader licensee maintainer observer payer publisher receiver
""".split()


def main(arguments: Sequence[str]) -> None:
    """Print tokens and times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks card", description=__doc__)
    parser.add_argument("--relations", type=int, default=RELATIONS, help="relations of the graph (10,000)")
    parser.add_argument("--questions", type=int, default=50, help="questions (50)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        index = _index(Path(folder), options.relations)
        tokens, near_ms, part_ms = zip(*_measured(index, options.questions), strict=True)
        index.close()
    print(f"A schema of {options.relations:,} relations; a prompt has {BUDGET:,} tokens of it\n")
    print(f"tokens, most                     {max(tokens):8,}")
    print(f"likeness to the question, median {median(near_ms):8.1f} ms")
    print(f"the part itself, median          {median(part_ms):8.1f} ms")
    print(f"the part itself, worst           {max(part_ms):8.1f} ms\n")


def _measured(index: Index, questions: int) -> Iterator[tuple[int, float, float]]:
    """Tokens of the part, milliseconds for likeness, and milliseconds for the part."""
    rng = random.Random(SEED)
    blocks, linker, finder = Blocks(index), Linker(index), NearnessFinder(index, Likeness(index))
    count = lru_cache(maxsize=None)(estimated_tokens)
    relations = [item.label for item in index.schema if item.kind == "relation"]
    concepts = [item.label for item in blocks.concepts]
    for _ in range(questions):
        text = f"Which {rng.choice(concepts)} has the {rng.choice(relations)} of Eastmoor?"
        links = linker.link(Question(text))
        finder.near(links)
        began = time.perf_counter()
        near = finder.near(links)
        found = time.perf_counter()
        part = part_of(blocks, near, count, BUDGET)
        yield estimated_tokens(part), 1_000 * (found - began), 1_000 * (time.perf_counter() - found)


def _index(folder: Path, relations: int) -> Index:
    rng = random.Random(SEED)
    words = [f"{first}_{second}" for first, second in product(_FIRST, _SECOND)]
    rng.shuffle(words)
    names = [f"{one}_{number}" if number else one for number in range(99) for one in words][:relations]
    classes = [f"Class_of_{one}" for one in words[:CLASSES]]
    graph = folder / "graph.nt"
    with graph.open("w", encoding="utf-8") as file:
        for number, one in enumerate(classes):
            file.write(f"<{_SPACE}thing{number}> <{RDF}type> <{_SPACE}{one}> .\n")
        for name in names:
            subject, other = rng.randrange(CLASSES), rng.randrange(CLASSES)
            file.write(f"<{_SPACE}thing{subject}> <{_SPACE}{name}> <{_SPACE}thing{other}> .\n")
    embedder = MiniLM()
    build(EmbeddedOxigraph.in_memory([graph]), "direct", folder / "index", BuildOptions(embedder=embedder))
    return Index.open(folder / "index", embedder)
