"""Collects candidates for questions whose answers are known: `python -m training.judging.collect`.

For each graph a file with a line for each question: what every source proposes for it, carried out; the right
program where there is one, and programs that differ from it in one thing; and questions about things that the
graph does not have, where nothing is right.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from heapq import nlargest
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pyoxigraph as ox

from benchmarks.absent import Asked, asked_of, foreign, mixed, swapped
from benchmarks.answers import KQAPRO_MEASURES, KQAPRO_PARTS, KQAPRO_TEACHES, kqapro_questions, written
from benchmarks.convert import BASE, GRAPHS, PAIRS, as_meant, sound_pairs, unpack
from benchmarks.gold import gold_rows, solutions
from benchmarks.pairs import Asked as Pair
from benchmarks.sure import QUESTIONS as SURE
from benchmarks.sure import data_of, read_asked
from compilers.answers import Answer
from compilers.errors import CompilerError
from compilers.from_sparql import CannotState
from compilers.kopl.functions import Type
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program
from connectors.errors import EndpointError
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.answering.selection import tells
from nlq_gateway.core.types import Draft, Links
from nlq_gateway.core.types import Question as Text
from nlq_gateway.drafts.demonstrations.queries import demonstration_of_query
from nlq_gateway.drafts.reasoning.sets.others import draft_without_itself
from nlq_gateway.judging import Candidate
from nlq_gateway.judging.evidence import DRAFTED, has_own
from nlq_gateway.judging.judge import words_said
from nlq_gateway.judging.text import LONGEST, SHOWN, steps_text
from nlq_gateway.offline.evaluation import GoldQuestion, read_questions
from nlq_gateway.offline.evaluation.gold import gold_of
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import Settings
from nlq_gateway.trace import Recorder
from training.canonical import canonical
from training.examples import split_of
from training.judging.mutants import Choices, mutants
from training.mentioned import as_mentioned
from training.written import Written, own_graphs, read_written

Json = dict[str, Any]

MOST, OF_DRAFTER, MOST_MUTANTS = 10, 8, 5
MILLISECONDS, MOST_ROWS, LARGEST = 2_000, 500, 4_000_000
ASKED = 24
# Of the written questions over a graph, and of those that it cannot answer.
WRITTEN_OF, ABSENT_OF = 44, 12
# Of each kind of questions about absent things.
MOST_STRANGE = 6


@dataclass(frozen=True)
class Part:
    """Questions over a graph, with their gold answers."""

    name: str
    data: tuple[str, ...]
    asked: Callable[[], tuple[GoldQuestion, ...]]
    mutated: bool

    @cached_property
    def questions(self) -> tuple[GoldQuestion, ...]:
        """The questions with their gold answers."""
        return self.asked()


@dataclass(frozen=True, slots=True)
class Stated:
    """A program, and the IRIs of its arguments by step and place."""

    program: Program
    choices: Choices


class Collecting:
    """One graph to ask."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.gateway = Pipeline(Settings.for_data(part.data))
        self.endpoint = self.gateway.endpoint(None)
        self.endpoint.prepare()
        self.random = Random(part.name)

    def lines(self, others: Sequence[Asked]) -> Iterator[Json]:
        """The outcomes of every question, and of those about absent things."""
        for question in self.part.questions:
            if (gold := self.gold(question)) or question.unanswerable:
                yield self.line(question, gold)
        asked = self.asked
        index = self.endpoint.index
        for strange in (
            list(foreign(others, index)),
            list(swapped(asked, others, index, 3)),
            list(mixed(asked, index, 3)),
        ):
            for question in self.random.sample(strange, min(MOST_STRANGE, len(strange))):
                yield self.line(question, ())

    def gold(self, question: GoldQuestion) -> Gold:
        """The gold answers; those of a gold program are what it finds, none where it cannot be run."""
        if question.program is None:
            return gold_of(question, self.endpoint.connector)
        try:
            stated = self.gold_program(question.text, question.program)
            draft = Draft(stated.program, "gold", 0.0, choices=dict(stated.choices))
            answer = carry_out(self.endpoint, Ask(question.text), draft, {}, Recorder()).answer
        except (CompilerError, EndpointError):
            return ()
        assert answer is not None
        return rows_of(answer)

    @cached_property
    def asked(self) -> list[Asked]:
        """Some questions with the items that they need."""
        size = min(ASKED, len(self.part.questions))
        return list(asked_of(self.random.sample(self.part.questions, size), self.endpoint))

    def line(self, question: GoldQuestion, gold: Gold) -> Json:
        """The outcomes of all candidates for a question."""
        links = Linker(self.endpoint.index).link(Text(" ".join(question.text.split()), question.language))
        reading = QuestionReading.of(links, self.endpoint.index)
        candidates = [self._candidate(reading, one, gold) for one in self._proposed(reading)]
        if self.part.mutated and not question.unanswerable:
            candidates += self._made(question, gold, links)
        known = [one for one in candidates if one is not None]
        if question.program is not None and question.program.steps[-1].signature.output == Type.VERDICT:
            known = list(_not_by_chance(known, question.program, question.text))
        return {
            "id": question.id,
            "kind": question.kind,
            "question": question.text,
            "absent": question.unanswerable,
            "candidates": known,
        }

    def _proposed(self, reading: QuestionReading) -> list[Candidate]:
        """The likeliest candidates of each source, by its own score."""
        *_, found = self.gateway.sources(self.endpoint).propose(reading, Recorder())
        own = nlargest(MOST, filter(has_own, found), key=lambda one: one.draft.score + one.worth)
        written = (one for one in found if DRAFTED in one.draft.parts)
        drafted = nlargest(OF_DRAFTER, written, key=lambda one: one.draft.parts[DRAFTED])
        return list({id(one): one for one in (*own, *drafted)}.values())

    def _candidate(self, reading: QuestionReading, one: Candidate, gold: Gold) -> Json | None:
        found = self._carried(reading.links, one.draft, gold)
        if found is None:
            return None
        said = words_said(reading, one.draft)
        return {
            **found,
            "sources": sorted(one.sources),
            "own": round(one.draft.score, 4),
            "worth": one.worth,
            "said": asdict(said),
            "parts": {name: round(value, 4) for name, value in one.draft.parts.items()},
            "impossible": self.endpoint.judge.is_out(reading, one.draft, said),
        }

    def _made(self, question: GoldQuestion, gold: Gold, links: Links) -> list[Json | None]:
        """The right program, and some that differ from it in one thing."""
        stated = self._stated(question)
        if stated is None:
            return []
        index = self.endpoint.index
        right = self._carried(links, Draft(stated.program, "gold", 0.0, choices=dict(stated.choices)), gold)
        if right is None or not right["right"]:
            return []
        every = list(mutants(stated.program, stated.choices, index, self.random))
        made: list[Json | None] = [{**right, "sources": ["gold"]}]
        for one in self.random.sample(every, min(MOST_MUTANTS, len(every))):
            draft = Draft(one.program, "mutant", 0.0, choices=dict(one.choices))
            found = self._carried(links, draft, gold)
            made.append(None if found is None else {**found, "sources": ["mutant"], "mutant": one.kind})
        return made

    def _stated(self, question: GoldQuestion) -> Stated | None:
        """The gold program, grounded, or that of the gold query; None without either."""
        try:
            if question.program is not None:
                return self.gold_program(question.text, question.program)
            if question.sparql is None:
                return None
            given = demonstration_of_query("", f"PREFIX : <{BASE}> {question.sparql}", self.endpoint.index)
            return Stated(given.program, given.choices)
        except (CannotState, CompilerError):
            return None

    def gold_program(self, text: str, program: Program) -> Stated:
        """A question's gold program, grounded; without its named thing where that comes back, as answers are.

        Raises CompilerError.
        """
        index = self.endpoint.index
        found = Grounder(index).ground(program, near=False)
        meant: dict[tuple[int, int], tuple[str, ...]]
        meant = {(one.step, one.argument): (one.iri,) for one in found.bindings if one.iri}
        reading = QuestionReading.of(Linker(index).link(Text(text)), index)
        naming = self.gateway.sources(self.endpoint).reasoner.naming
        # By an inverse's name the other way round.
        gold = Draft(found.grounded.program, "gold", 0.0, choices=meant)
        draft = draft_without_itself(gold, reading, naming)
        return Stated(draft.program, draft.choices)

    def _carried(self, links: Links, draft: Draft, gold: Gold) -> Json | None:
        index = self.endpoint.index
        hits = {mention.text: mention.hits for mention in (*links.others, *links.mentions)}
        request = Ask(links.question.text, language=links.question.language, timeout_ms=MILLISECONDS)
        try:
            outcome = carry_out(self.endpoint, request, draft, hits, Recorder())
        except (CompilerError, EndpointError):
            return None
        answer = outcome.answer
        assert answer is not None
        iris = {(one.step, one.argument): (one.iri,) for one in outcome.grounding.bindings if one.iri}
        return {
            "program": json.loads(NOTATIONS["json"].write(draft.program)),
            "choices": [[*place, *found] for place, found in iris.items()],
            "steps": steps_text(draft.program, {**iris, **draft.choices}, index),
            "answer": [text[:LONGEST] for text in answer.strings[:SHOWN]],
            "count": len(answer.strings),
            "key": zlib.crc32("\n".join(sorted(answer.strings)).encode()),
            "tells": tells(outcome),
            "right": bool(gold) and score(predicted(answer), gold).exact == 1.0,
        }


def rows_of(answer: Answer) -> Gold:
    """The rows of an answer, or its values."""
    rows = tuple(tuple(map(str, row)) for row in answer.rows)
    return rows if answer.output == Type.ROWS else tuple(map(str, answer.values))


def _not_by_chance(candidates: Sequence[Json], program: Program, question: str) -> Iterator[Json]:
    """The candidates for a verdict without other programs that say the same.

    Most of what is wrong says no as well, and would count as right.
    """
    meant = canonical(as_mentioned(program, question))[0]
    for one in candidates:
        own = as_mentioned(read_program(json.dumps(one["program"])), question)
        if not one["right"] or canonical(own)[0] == meant:
            yield one


def parts(data: Path, folder: Path, most: int, reworded: int) -> Iterator[Part]:
    """Spider4SPARQL's training graphs with some of their questions, and KQA Pro's small graph."""
    pairs: defaultdict[str, list[Json]] = defaultdict(list)
    spider = data / "spider4sparql"
    for pair in sound_pairs(spider / PAIRS, None):
        pairs[pair.graph].append(
            {"id": pair.id, "text": pair.question, "sparql": as_meant(pair.query), "kind": "plain"}
        )
    with gzip.open(data / "spider-syn" / PAIRS, "rt", encoding="utf-8") as lines:
        known = {(graph, one["sparql"]) for graph, found in pairs.items() for one in found}
        for record in map(json.loads, lines):
            query = as_meant(" ".join(record["gold"]["sparql"].split()))
            if (record["kg"], query) in known:
                found = {"id": record["id"], "text": record["question"], "sparql": query, "kind": "syn"}
                pairs[record["kg"]].append(found)
    missing = {graph for graph in pairs if not (folder / f"{graph}.nt").exists()}
    if missing:
        unpack(spider / GRAPHS, missing, folder)
    made_up = read_written()
    for name, own in own_graphs(list(made_up)).items():
        yield Part(name, (str(own),), partial(questions_of, made_up[name], name), True)
    for graph in sorted(pairs, key=lambda name: Random(name).random()):
        file = folder / f"{graph}.nt"
        if not 0 < file.stat().st_size < LARGEST:
            continue
        everything = split_of(graph) == "dev"
        chosen: list[Json] = []
        for kind, limit in (("plain", most), ("syn", reworded)):
            of_kind = [one for one in pairs[graph] if one["kind"] == kind]
            size = len(of_kind) if everything else min(limit, len(of_kind))
            chosen += Random(graph).sample(of_kind, size)
        made = questions_of(made_up[graph], graph) if graph in made_up else ()
        yield Part(graph, (str(file),), partial(_questions, file, chosen, made), not everything)
    for number in range(KQAPRO_PARTS):
        if number != KQAPRO_MEASURES:
            # The drafter learned from the others, so only this part shows the value of its scores.
            name = "dev kqapro" if number == KQAPRO_TEACHES else f"kqapro {number}"
            source = data / "kqapro" / "mini" / "programs.jsonl.gz"
            file = kqapro_questions(source, folder / f"{name}.jsonl", number)
            base = data / "kqapro" / "mini" / "kb.ttl.gz"
            yield Part(name, (str(base),), partial(_read, [("kqapro", file)]), False)
    for asked_of_model in written(measured=False):
        files = [("written", asked_of_model.questions)]
        name = f"dev written {asked_of_model.questions.stem}"
        yield Part(name, asked_of_model.data, partial(_read, files), False)
    for graph, asked in groupby(filter(_may_be_seen, read_asked(SURE)), key=lambda one: one.graph):
        yield Part(f"dev sure {graph}", (data_of(graph, folder),), partial(_sure, tuple(asked)), False)
    for one in sorted(spider.glob("*.ttl.gz")):
        name = one.name.removesuffix(".ttl.gz")
        files = [("plain", spider / f"{name}.jsonl"), ("syn", data / "spider-syn" / f"{name}.jsonl")]
        yield Part(f"dev {name}", (str(one),), partial(_read, files), False)


def _may_be_seen(one: Pair) -> bool:
    return one.half == "look"


def _sure(asked: Sequence[Pair]) -> tuple[GoldQuestion, ...]:
    return tuple(replace(one.question, kind="sure") for one in asked)


def _read(files: Sequence[tuple[str, Path]]) -> tuple[GoldQuestion, ...]:
    found = ((kind, read_questions(str(file))) for kind, file in files if file.is_file())
    return tuple(replace(question, kind=kind) for kind, questions in found for question in questions)


def questions_of(written: Written, graph: str) -> tuple[GoldQuestion, ...]:
    """Some of the written questions over a graph, and some that it cannot answer."""
    random, every = Random(graph), list(written.questions())
    asked = random.sample(every, min(WRITTEN_OF, len(every)))
    absent = random.sample(written.absent, min(ABSENT_OF, len(written.absent)))
    found = [GoldQuestion("", text, "written", program=program) for text, program in asked]
    found += (GoldQuestion("", text, "written", (), unanswerable=True) for text in absent)
    return tuple(replace(one, id=f"{graph}-written-{at}") for at, one in enumerate(found))


def _questions(file: Path, chosen: Sequence[Json], made: Sequence[GoldQuestion]) -> tuple[GoldQuestion, ...]:
    store = ox.Store()
    store.bulk_load(path=str(file))
    return (*filter(None, (_question(one, store) for one in chosen)), *made)


def _question(one: Mapping[str, str], store: ox.Store) -> GoldQuestion | None:
    try:
        found = gold_rows(one["sparql"], partial(solutions, store, base=BASE))
    except (SyntaxError, ValueError, OSError):
        return None
    answers = found.answers(MOST_ROWS)
    return GoldQuestion(one["id"], one["text"], one["kind"], answers, one["sparql"]) if answers else None


def main() -> None:
    """Write a file for each graph that has none yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--graphs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--reworded", type=int, default=25)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    others: list[Asked] = []
    for part in parts(options.data, options.graphs, options.most, options.reworded):
        file = options.out / f"{part.name}.jsonl"
        claim = file.with_suffix(".claim")
        if options.only and not part.name.startswith(options.only):
            continue
        if file.exists() or claim.exists():
            continue
        claim.write_text(str(os.getpid()))
        try:
            collecting = Collecting(part)
            lines = [json.dumps(line, ensure_ascii=False) for line in collecting.lines(others)]
            others = collecting.asked or others
            collecting.gateway.close()
        except Exception as error:
            print(f"{part.name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            continue
        finally:
            claim.unlink()
        file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        print(f"{part.name}: {len(lines)} questions", flush=True)


if __name__ == "__main__":
    main()
