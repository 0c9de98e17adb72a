"""The model's prompt for a question: precision of its facts, and coverage of the right names.

Facts are compared with the relations, attributes and qualifiers of gold programs at several thresholds; `<`
marks the threshold chosen on other questions about the same graph. The paper's figures are quoted from
CodeAlignKGQA (2024, table 7): other splits, other linking, and not measured here.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from statistics import median

from benchmarks.answers import DATA, kqapro_questions
from benchmarks.rooms import Room
from benchmarks.unknown import metaqa_questions
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import SCHEMA_KINDS, Kind, ValueType
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.types import Links, Question
from nlq_gateway.drafts.generation.context.facts import FactFinder
from nlq_gateway.drafts.generation.context.names import LIMIT, NameFinder
from nlq_gateway.drafts.generation.context.threshold import (
    GRID,
    MOST,
    Quality,
    Solved,
    qualities,
    threshold_of,
)
from nlq_gateway.drafts.generation.known import AllowedNames
from nlq_gateway.offline.evaluation import read_questions
from nlq_gateway.offline.evaluation.gold import gold_program
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import SAMPLE, Settings

SEED = 7
_PAPER = {"KQA Pro": "0.964 / 0.758 at 0.80", "MetaQA": "0.984 / 0.613 at 0.50"}
_PARTS = ("concepts", "relations", "attributes", "qualifiers", "entities", "values")
_FACTS = "{:<26} {:>9}  {}  {}"
_NAMES = "{:<26} {:>9}" + " {:>10}" * 7 + " {:>6} {:>9} {:>9}"
_PLURAL = dict(zip((*SCHEMA_KINDS, Kind.ENTITY), _PARTS, strict=False))
_VALUES = {
    ValueType.STRING: "strings",
    ValueType.QUANTITY: "quantities",
    ValueType.YEAR: "years",
    ValueType.DATE: "dates",
}


@dataclass(frozen=True, slots=True)
class Told:
    """Measurements on one graph: facts at each threshold, and the allowed names of each question.

    `covered` is True for each part of a program that is allowed as a whole; `sizes` counts schema names.
    """

    name: str
    chosen: float
    quality: tuple[Quality, ...]
    covered: tuple[Mapping[str, bool], ...]
    sizes: tuple[int, ...]
    facts_ms: tuple[float, ...]
    names_ms: tuple[float, ...]


def rooms(data: Path, folder: Path) -> Iterator[Room]:
    """Yield the graphs with available data; `folder` takes question files in this project's form."""
    sample = Path(str(resources.files("nlq_gateway.sample"))) / "questions.jsonl"
    yield Room("sample", (SAMPLE,), tuple(read_questions(str(sample))))
    mini = data / "kqapro" / "mini"
    if mini.is_dir():
        file = kqapro_questions(mini / "programs.jsonl.gz", folder / "kqapro.jsonl")
        yield Room("KQA Pro", (str(mini / "kb.ttl.gz"),), tuple(read_questions(str(file))))
    if (data / "metaqa").is_dir():
        questions = tuple(metaqa_questions(data / "metaqa"))
        yield Room("MetaQA", (str(data / "metaqa" / "kg.nt.gz"),), questions)
    acme = data / "acme"
    if acme.is_dir():
        files = (str(acme / "kg.nt.gz"), str(acme / "ontology.ttl.gz"))
        yield Room("ACME", files, tuple(read_questions(str(acme / "questions.jsonl"))))
    for graph in sorted((data / "spider4sparql").glob("*.ttl.gz")):
        name = graph.name.removesuffix(".ttl.gz")
        yield Room(name, (str(graph),), tuple(read_questions(str(graph.parent / f"{name}.jsonl"))))


def told(room: Room, size: int, limit: int) -> Told | None:
    """Measure the prompts of `size` questions of a graph; None without gold programs."""
    questions = random.Random(SEED).sample(room.questions, len(room.questions))
    with closing(Pipeline(Settings.for_data(room.data))) as gateway:
        endpoint = gateway.endpoint(None)
        endpoint.prepare()
        ready, linker = endpoint.prepared, Linker(endpoint.index)
        around = StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)
        gold = ((one, gold_program(one, endpoint)) for one in questions[: size + MOST])
        pairs = [(linker.link(Question(one.text)), program) for one, program in gold if program]
        if len(pairs) < 2:
            return None
        cut = min(size, len(pairs) * 2 // 3)
        others = [(links, program.program) for links, program in pairs[cut:]]
        return _measured(room.name, FactFinder(endpoint.index, around), pairs[:cut], others, limit)


def _measured(
    name: str,
    finder: FactFinder,
    pairs: Sequence[tuple[Links, GroundedProgram]],
    others: Sequence[Solved],
    limit: int,
) -> Told:
    namer = NameFinder(finder.index, finder.around)
    chosen = threshold_of(finder, others)
    covered, sizes, facts_ms, names_ms = [], [], [], []
    for links, program in pairs:
        began = time.perf_counter()
        facts = finder.facts(links, chosen)
        found = time.perf_counter()
        names = namer.names(links, facts, limit=limit)
        names_ms.append((time.perf_counter() - found) * 1000)
        facts_ms.append((found - began) * 1000)
        covered.append(_covered(program, names))
        sizes.append(sum(len(getattr(names, part)) for part in _PARTS[:4]))
    quality = qualities(finder, [(links, program.program) for links, program in pairs])
    return Told(name, chosen, quality, tuple(covered), tuple(sizes), tuple(facts_ms), tuple(names_ms))


def _covered(grounded: GroundedProgram, names: AllowedNames) -> dict[str, bool]:
    """Yield for each part of a program True if all of it is allowed."""
    found = dict.fromkeys(_PARTS, True)
    for number, step in enumerate(grounded.program.steps):
        for argument, parameter in enumerate(step.signature.parameters):
            text = step.inputs[argument]
            if parameter.kind == Kind.VALUE:
                found["values"] &= _may_be_stated(text, parameter.value_type, names)
            elif parameter.kind in _PLURAL:
                binding = grounded.binding(number, argument)
                part = _PLURAL[parameter.kind]
                found[part] &= (binding.label if binding else text) in getattr(names, part)
    return found


def _may_be_stated(text: str, value_type: ValueType | None, names: AllowedNames) -> bool:
    types = (value_type,) if value_type else tuple(_VALUES)
    stated = [getattr(names, _VALUES[one]) for one in types]
    return not any(stated) or any(text in one for one in stated)


def main(arguments: Sequence[str]) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks facts", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--size", type=int, default=200, help="questions of each graph (200)")
    parser.add_argument("--limit", type=int, default=LIMIT, help=f"names of each kind ({LIMIT})")
    parser.add_argument("--only", nargs="+", help="names of graphs; all of them")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        some = [
            one for one in rooms(options.data, Path(folder)) if not options.only or one.name in options.only
        ]
        found = [one for room in some if (one := told(room, options.size, options.limit)) is not None]
    _print_facts(found)
    _print_names(found)


def _print_facts(found: Sequence[Told]) -> None:
    print("Facts: precision / recall at each threshold\n")
    print(_FACTS.format("graph", "questions", "".join(f"{one:^13.2f}" for one in GRID), "CodeAlignKGQA"))
    for one in found:
        cells = (
            f"{row.precision:.3f}/{row.recall:.3f}{'<' if row.threshold == one.chosen else ' ':<2}"
            for row in one.quality
        )
        print(_FACTS.format(one.name, len(one.covered), "".join(cells), _PAPER.get(one.name, "-")))


def _print_names(found: Sequence[Told]) -> None:
    print("\nNames: share of the gold programs whose names may all be written\n")
    print(_NAMES.format("graph", "questions", *_PARTS, "all", "names", "facts ms", "names ms"))
    for one in found:
        shares = [_share(part[name] for part in one.covered) for name in _PARTS]
        whole = _share(all(part.values()) for part in one.covered)
        size = f"{median(one.sizes):.0f}"
        times = (f"{median(times):.1f}" for times in (one.facts_ms, one.names_ms))
        print(_NAMES.format(one.name, len(one.covered), *shares, whole, size, *times))


def _share(right: Iterable[bool]) -> str:
    known = list(right)
    return f"{sum(known) / len(known):.3f}"
