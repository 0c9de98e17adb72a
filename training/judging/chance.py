"""Takes what is right by chance out of collected candidates: `python -m training.judging.chance`.

A small graph gives many a program the gold rows by accident: a count of 2, the one person, all members where
all pass the filter. Each graph is therefore shaken (`training.judging.shaken`), and a candidate stays right
where it finds what the gold finds there, too (Zhong et al., "Semantic Evaluation for Text-to-SQL with
Distilled Test Suites", 2020). One that differs on half of the shaken graphs or more is wrong; one that
differs on fewer is left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pyoxigraph as ox

from benchmarks.convert import BASE
from benchmarks.gold import gold_rows, solutions
from compilers.answers import Answer
from compilers.errors import CompilerError
from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from connectors.errors import EndpointError
from connectors.oxigraph import EmbeddedOxigraph
from connectors.rdf_files import load_files
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.core.types import Draft
from nlq_gateway.endpoints.data_store import files_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.trace import Recorder
from training.judging.collect import MILLISECONDS, MOST_ROWS, Collecting, Part, Stated, parts, rows_of
from training.judging.removed import REMOVED
from training.judging.shaken import WAYS, Graph
from training.written import Written, read_written

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shaken:
    """A shaken graph, and the endpoint over it."""

    store: ox.Store
    endpoint: Endpoint

    def answer(self, question: str, stated: Stated) -> Answer | None:
        """What a program finds; None where it cannot be run."""
        draft = Draft(stated.program, "gold", 0.0, choices=dict(stated.choices))
        try:
            request = Ask(question, timeout_ms=MILLISECONDS)
            return carry_out(self.endpoint, request, draft, {}, Recorder()).answer
        except (CompilerError, EndpointError):
            return None

    def gold(self, question: GoldQuestion, stated: Stated | None) -> Gold | None:
        """What the gold program or query of a question finds; None where there is none that can be run."""
        if stated is not None:
            answer = self.answer(question.text, stated)
            return None if answer is None else rows_of(answer)
        try:
            found = gold_rows(question.sparql or "", partial(solutions, self.store, base=BASE))
        except (SyntaxError, ValueError, OSError, AttributeError):
            # A query for a verdict has no rows.
            return None
        return None if found.is_by_chance else found.answers(MOST_ROWS)


@dataclass(frozen=True, slots=True)
class Suite:
    """A graph, and the shaken ones."""

    collecting: Collecting
    shaken: tuple[Shaken, ...]

    @classmethod
    def of(cls, part: Part) -> Suite:
        """The suite of a part's graph."""
        collecting = Collecting(part)
        given = ox.Store()
        load_files(given, files_of(part.data))
        options = collecting.endpoint.prepared.options
        kept = {*options.label_predicates, *options.naming.values(), options.hierarchy, options.membership}
        graph = Graph.of(given, kept, collecting.endpoint.index.schema)
        stores = [graph.shaken(way, Random(f"{part.name} {at}")) for at, way in enumerate(WAYS)]
        return cls(collecting, tuple(Shaken(one, _over(collecting.endpoint, one)) for one in stores))

    def without_chance(self, record: Json, question: GoldQuestion) -> Json:
        """A question's record without the candidates that are right by chance, or with these as wrong."""
        if not _right([record]):
            return record
        try:
            gold = question.program
            stated = None if gold is None else self.collecting.gold_program(question.text, gold)
        except CompilerError:
            return record
        golds = [one.gold(question, stated) for one in self.shaken]
        agreed = [
            list(self._agreed(question.text, one, golds)) if one["right"] else []
            for one in record["candidates"]
        ]
        known = zip(record["candidates"], agreed, strict=True)
        if not all(all(own) for one, own in known if "gold" in one["sources"]):
            # The graph says the same in several ways, which were shaken apart.
            return record
        return {**record, "candidates": list(_told(record["candidates"], agreed))}

    def _agreed(self, question: str, candidate: Json, golds: Sequence[Gold | None]) -> Iterator[bool]:
        """True for each shaken graph over which a candidate finds what the gold finds."""
        stated = self._stated(candidate)
        for one, gold in zip(self.shaken, golds, strict=True):
            if gold is not None:
                answer = one.answer(question, stated)
                nothing = answer is not None and not gold and answer.empty
                yield nothing or score(predicted(answer), gold).exact == 1.0

    def _stated(self, candidate: Json) -> Stated:
        """The program, but for relations that it calls by their inverses: their names are grounded again."""
        program = read_program(json.dumps(candidate["program"]))
        choices = {(step, place): (iri,) for step, place, iri in candidate["choices"]}
        index = self.collecting.endpoint.index
        for (step, place), (iri,) in [*choices.items()]:
            relation = index.item(Kind.RELATION, iri)
            if relation is not None and relation.label != program.steps[step].inputs[place]:
                del choices[step, place]
        return Stated(program, choices)


def _told(candidates: Sequence[Json], agreed: Sequence[Sequence[bool]]) -> Iterator[Json]:
    """The candidates, right where they are on all shaken graphs, and wrong where they are on half of them."""
    for one, own in zip(candidates, agreed, strict=True):
        if all(own):
            yield one
        elif 2 * sum(own) <= len(own):
            yield {**one, "right": False}


def _over(endpoint: Endpoint, store: ox.Store) -> Endpoint:
    """The endpoint over another store."""
    other, prepared = endpoint.snapshot(), endpoint.prepared
    connector = EmbeddedOxigraph(lambda: store, address="shaken")
    other._prepared = replace(prepared, source=replace(prepared.source, connector=connector))
    return other


def cleaned(part: Part, written: Written, files: Sequence[Path]) -> Iterator[tuple[str, list[Json]]]:
    """The records of a graph's files, by the name of the file."""
    questions = {text: GoldQuestion("", text, "", program=program) for text, program in written.questions()}
    questions |= {one.text: one for one in part.questions}
    suite = Suite.of(part)
    with closing(suite.collecting.gateway):
        for file in files:
            records = list(map(json.loads, file.read_text("utf-8").splitlines()))
            asked = (questions.get(one["question"]) for one in records)
            known = zip(records, asked, strict=True)
            yield file.name, [suite.without_chance(one, own) if own else one for one, own in known]


def main() -> None:
    """Write a file for each that is not there yet; those of other graphs are copied."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--graphs", type=Path, required=True)
    parser.add_argument("--candidates", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    made_up = read_written()
    left = {file.name: file for file in sorted(options.candidates.glob("*.jsonl"))}
    left = {name: file for name, file in left.items() if not (options.out / name).exists()}
    for part in parts(options.data, options.graphs, sys.maxsize, sys.maxsize):
        files = [left[name] for kind in ("", REMOVED) if (name := f"{kind}{part.name}.jsonl") in left]
        try:
            found = dict(cleaned(part, made_up.get(part.name, Written()), files)) if files else {}
        except Exception as error:
            print(f"{part.name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            continue
        for name, records in found.items():
            lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in records)
            (options.out / name).write_text("".join(lines), encoding="utf-8")
            before = _right(map(json.loads, left.pop(name).read_text("utf-8").splitlines()))
            print(f"{name}: {before} right, {before - _right(records)} of them by chance", flush=True)
    for name, file in left.items():
        shutil.copy(file, options.out / name)


def _right(records: Iterable[Json]) -> int:
    return sum(one["right"] for record in records for one in record["candidates"])


if __name__ == "__main__":
    main()
