"""Programs that graphs answer, worded by the grammar, beside programs that differ in one thing.

Benchmarks ask hardly for verdicts, paths or qualifiers; explored programs have every function that the graphs
allow. `python -m training.judging.explored --graphs FOLDER --out FOLDER` writes a file for each graph of
training, in the form of `training.judging.collect`; nothing is run but what exploring runs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from compilers.errors import CompilerError
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.judging.text import steps_text
from nlq_gateway.language.wording import Wording
from nlq_gateway.offline.exploration import (
    Corpus,
    Exploration,
    ExplorationBudget,
    SchemaItems,
    here,
    schema_digest,
)
from nlq_gateway.settings import Settings
from training.examples import split_of
from training.judging.mutants import Choices, mutants

Json = dict[str, Any]
LARGEST, SECONDS, QUERIES_EACH = 200_000, 40, 40
MOST_MUTANTS, WORDED = 7, 2


def records(name: str, endpoint: Endpoint, corpus: Corpus) -> Iterator[Json]:
    """A question for each wording of each program, with the program and its mutants."""
    random = Random(name)
    index, wording = endpoint.index, Wording(endpoint.index)
    for number, line in enumerate(corpus.lines()):
        program = read_program(line["program"])
        try:
            grounded = Grounder(index).ground(program, near=False).bindings
        except CompilerError:
            continue
        choices = {(one.step, one.argument): (one.iri,) for one in grounded if one.iri}
        found = list(mutants(program, choices, index, random))
        wrong = random.sample(found, min(MOST_MUTANTS, len(found)))
        candidates = [_candidate(program, choices, index, True)]
        candidates += (_candidate(one.program, one.choices, index, False) for one in wrong)
        questions = wording.questions(program, choices, most=WORDED, seed=number)
        for question in questions:
            yield {
                "id": f"{name}-{number}",
                "kind": "explored",
                "question": question,
                "absent": False,
                "candidates": candidates,
            }


def _candidate(program: Program, choices: Choices, index: Index, right: bool) -> Json:
    source = "gold" if right else "mutant"
    return {"steps": steps_text(program, choices, index), "sources": [source], "right": right}


def main() -> None:
    """Write a file for each graph that has none yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--graphs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--most", type=int, default=50, help="graphs")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    files = {
        file.stem: file
        for file in options.graphs.glob("*.nt")
        if 0 < file.stat().st_size < LARGEST and split_of(file.stem) == "train"
    }
    names = sorted(files, key=lambda name: Random(name).random())[: options.most]
    tasks = [("kqapro", options.data / "kqapro" / "mini" / "kb.ttl.gz", 600)]
    tasks += ((name, files[name], options.programs) for name in names)
    for name, file, programs in tasks:
        target = options.out / f"explored {name}.jsonl"
        try:
            with target.open("x", encoding="utf-8") as claimed:
                endpoint = Endpoint(Settings.for_data([file]).endpoints[0])
                endpoint.prepare()
                schema = endpoint.index.schema
                facts = {"schema": schema_digest(schema), "seed": 0}
                corpus = Corpus(options.out / "corpora" / f"{name}.jsonl", facts)
                with here(endpoint) as pool:
                    budget = ExplorationBudget(programs, SECONDS, programs * QUERIES_EACH)
                    Exploration(SchemaItems(schema), corpus, pool, 0, budget).run()
                lines = [json.dumps(one, ensure_ascii=False) for one in records(name, endpoint, corpus)]
                claimed.write("".join(line + "\n" for line in lines))
                endpoint.close()
            print(f"{name}: {len(lines)} questions", flush=True)
        except FileExistsError:
            continue
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
