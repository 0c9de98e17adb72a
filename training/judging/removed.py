"""Questions over graphs that lack what they ask about, the rest of the graph as it was.

For each graph that a model made up, a third of the relations and attributes that its questions need is taken
out. `python -m training.judging.removed --out FOLDER` writes a file for each such graph of training, in the
form of `training.judging.collect`. Hardly a candidate is right: most plain is another attribute of the thing
("when did X die" by its year of birth), which no question of another graph or with another name teaches.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pyoxigraph as ox

from compilers.errors import CompilerError
from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.questions import Gold
from training.examples import split_of
from training.judging.collect import Collecting, Part, Stated
from training.written import Written, own_graphs, read_written

Json = dict[str, Any]
# Questions of a graph that are looked at, those that are asked of the smaller one, and the share taken out.
LOOKED_AT, MOST, SHARE = 120, 26, 3
REMOVED = "removed "
_ASKED_FOR = frozenset((Kind.RELATION, Kind.ATTRIBUTE))
# Such an answer may be right for another reason: where its ground is gone, none counts as right.
_BY_CHANCE = frozenset((Type.VERDICT, Type.NUMBER))


@dataclass(frozen=True, slots=True)
class Needing:
    """A question, its answers, and the relations and attributes that it needs."""

    question: GoldQuestion
    gold: Gold
    items: frozenset[str]


def lines(name: str, source: Path, written: Written) -> Iterator[Json]:
    """The outcomes of questions over a graph without what they need."""
    random = Random(name)
    needing = list(_needing(name, source, written, random))
    items = sorted(frozenset[str]().union(*(one.items for one in needing)))
    gone = frozenset(random.sample(items, -(-len(items) // SHARE)))
    asked = [one for one in needing if one.items & gone][:MOST]
    with tempfile.TemporaryDirectory() as folder:
        smaller = Path(folder) / "graph.nt"
        _without(source, gone, smaller)
        collecting = Collecting(Part(name, (str(smaller),), tuple, mutated=False))
        with closing(collecting.gateway):
            for number, one in enumerate(asked):
                question = replace(one.question, id=f"{name}-removed-{number}", unanswerable=not one.gold)
                yield collecting.line(question, one.gold)


def _needing(name: str, source: Path, written: Written, random: Random) -> Iterator[Needing]:
    """Some written questions, as far as the whole graph answers them."""
    collecting = Collecting(Part(name, (str(source),), tuple, mutated=False))
    every = list(written.questions())
    with closing(collecting.gateway):
        for text, program in random.sample(every, min(LOOKED_AT, len(every))):
            question = GoldQuestion("", text, "removed", program=program)
            try:
                items = frozenset(_items(collecting.gold_program(text, program)))
            except CompilerError:
                continue
            gold = collecting.gold(question)
            if gold and items:
                yield Needing(question, () if _is_by_chance(program) else gold, items)


def _items(stated: Stated) -> Iterator[str]:
    for (step, argument), iris in stated.choices.items():
        if stated.program.steps[step].signature.parameters[argument].kind in _ASKED_FOR:
            yield from iris[:1]


def _is_by_chance(program: Program) -> bool:
    return program.steps[-1].signature.output in _BY_CHANCE


def _without(source: Path, gone: Iterable[str], target: Path) -> None:
    """Write a graph without the facts of these predicates, and without what is said of them."""
    store = ox.Store()
    store.load(gzip.decompress(source.read_bytes()), format=ox.RdfFormat.TURTLE)
    for node in map(ox.NamedNode, gone):
        facts = (*store.quads_for_pattern(None, node, None), *store.quads_for_pattern(node, None, None))
        for fact in facts:
            store.remove(fact)
    store.dump(str(target), format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())


def main() -> None:
    """Write a file for each graph that has none yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    made = read_written()
    for name, source in own_graphs(sorted(filter(_is_train, made))).items():
        target = options.out / f"{REMOVED}{name}.jsonl"
        if target.exists():
            continue
        try:
            found = [json.dumps(one, ensure_ascii=False) for one in lines(name, source, made[name])]
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            continue
        target.write_text("".join(line + "\n" for line in found), encoding="utf-8")
        print(f"{name}: {len(found)} questions", flush=True)


def _is_train(name: str) -> bool:
    return split_of(name) == "train"


if __name__ == "__main__":
    main()
