"""Accuracy of linking for names that a question spells differently than the graph, by kind of change.

Names of each graph are changed by the rules of `misnamed` and put into questions. The peers are given the
words of the name, and take an equal label, or the nearest of all labels by rapidfuzz (WRatio).
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz import fuzz, process

from benchmarks.answers import DATA
from benchmarks.misnamed import LOSSY, RULES
from benchmarks.namesakes import Told, told
from compilers.kopl.functions import Kind
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import EntityItem, Links, Question
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import SAMPLE, Settings

SEED = 11
_TOP = (1, 5, 10)
_LEAST = 4
_POOL = 40_000
_GRAPHS = {
    "sample": SAMPLE,
    "kqapro": "kqapro/mini/kb.ttl.gz",
    "metaqa": "metaqa/kg.nt.gz",
    "acme": "acme/kg.nt.gz",
}
_CARRIERS = (
    "What is known about {}?",
    "When was {} first heard of?",
    "Is there anything that {} is famous for?",
    "tell me the story of {}",
    "Was wissen wir über {}?",
)
_WITHOUT = (
    "What is the best way to cook rice?",
    "how do i open a bank account",
    "Which of them is the oldest?",
    "What time is it now?",
    "Who are you and what can you do?",
    "Is it going to rain tomorrow?",
    "how many are there in total",
    "Show me everything that was added last week.",
    "Why does bread rise when it is baked?",
    "Where should I put the old chairs?",
    "What does this word mean?",
    "list all of the largest ones by size",
    "Wie spät ist es?",
    "Welche sind die größten?",
    "Can you explain how a fridge keeps things cold?",
    "What is the difference between a nut and a seed?",
)
_ROW = "{:<16} {:>5}  {:>6} {:>6} {:>6} {:>6}   {:>6}   {:>6} {:>6} {:>6}"


@dataclass(frozen=True, slots=True)
class Case:
    """A question with a changed name at `[start, end)`, and the entities that may be meant."""

    rule: str
    question: str
    start: int
    end: int
    expected: frozenset[str]

    @property
    def name(self) -> str:
        """The name as written in the question."""
        return self.question[self.start : self.end]


@dataclass(slots=True)
class Tally:
    """One rule: the cases whose first 1, 5 and 10 hits have the intended item; milliseconds."""

    cases: int = 0
    ours: dict[int, int] = field(default_factory=lambda: dict.fromkeys(_TOP, 0))
    exact: int = 0
    nearest: dict[int, int] = field(default_factory=lambda: dict.fromkeys(_TOP, 0))
    times: list[float] = field(default_factory=list)
    nearest_times: list[float] = field(default_factory=list)


def main(arguments: Sequence[str]) -> None:
    """Print one table for all graphs, and the false names found in questions without names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks linking", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--size", type=int, default=40, help="names of each graph and rule (40)")
    parser.add_argument("--only", nargs="+", choices=_GRAPHS, help="names of graphs; all of them")
    parser.add_argument("--no-peers", action="store_true", help="leave out the comparison")
    parser.add_argument("--misses", type=int, default=0, help="number of missed names to print for each rule")
    options = parser.parse_args(arguments)
    tallies: dict[str, Tally] = defaultdict(Tally)
    namesakes: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    false: list[str] = []
    for name, place in _GRAPHS.items():
        source = place if place == SAMPLE else options.data / place
        if (options.only and name not in options.only) or (source != SAMPLE and not Path(source).is_file()):
            continue
        with closing(Pipeline(Settings.for_data((str(source),)))) as gateway:
            gateway.endpoint(None).prepare()
            endpoint = gateway.endpoint(None)
            index = endpoint.index
            _measure(index, options.size, tallies, peers=not options.no_peers, misses=options.misses)
            for case in told(endpoint, index.sample(_POOL), options.size):
                namesakes[name, case.rule].append(_chosen(Linker(index, endpoint.linked), case))
            false.append(f"{name}: {_false_links(Linker(index))} in {len(_WITHOUT)}")
    _print(tallies)
    print("\nentities that share a name: chosen by the fact in the question, and by the number of facts:")
    for (name, rule), found in namesakes.items():
        right, linked = (sum(one) / len(found) for one in zip(*found, strict=True))
        print(f"{name:<8} {rule:<12} {len(found):>4}  {right:>6.1%} {linked:>6.1%}")
    print(f"\nentities linked in questions without one: {'; '.join(false)}")


def _measure(index: Index, size: int, tallies: dict[str, Tally], *, peers: bool, misses: int) -> None:
    linker, entities = Linker(index), index.sample(_POOL)
    labels = {entity.iri: fold(entity.label) for entity in entities} if peers else {}
    for case in cases(entities, size):
        tally = tallies[case.rule]
        started = time.perf_counter()
        links = linker.link(Question(case.question))
        tally.times.append(1000 * (time.perf_counter() - started))
        found = [*_found(links, case)]
        tally.cases += 1
        for top in _TOP:
            tally.ours[top] += not case.expected.isdisjoint(found[:top])
        if case.expected.isdisjoint(found[:1]) and misses > 0:
            print(f"  {case.rule}: {case.question} -> {found[:3]} not {sorted(case.expected)[:2]}")
        if peers:
            _peers(case, labels, tally)


def cases(entities: Sequence[EntityItem], size: int) -> Iterator[Case]:
    """Up to `size` changed names of each rule, in questions; the same ones for the same entities."""
    bearers: dict[str, set[str]] = defaultdict(set)
    for entity in entities:
        for text in (entity.label, *entity.aliases):
            bearers[fold(text)].add(entity.iri)
    plain = [entity for entity in entities if _is_name(entity)]
    for rule in RULES:
        rng = random.Random(f"{SEED} {rule}")
        yield from _cases_of(rule, rng.sample(plain, len(plain)), bearers, size, rng)


def _cases_of(
    rule: str,
    entities: Sequence[EntityItem],
    bearers: Mapping[str, set[str]],
    size: int,
    rng: random.Random,
) -> Iterator[Case]:
    shared: dict[str, set[str]] = defaultdict(set)
    if rule in LOSSY:
        for entity in entities:
            shared[fold(RULES[rule](entity.label, rng))].add(entity.iri)
    made = 0
    for entity in entities:
        name = RULES[rule](entity.label, rng)
        known = bearers.get(fold(name), set())
        unchanged = name == entity.label and rule != "as it is"
        if unchanged or (known and entity.iri not in known):
            continue
        carrier = rng.choice(_CARRIERS)
        carrier = carrier.lower() if rule == "lower case" else carrier
        start = carrier.index("{}")
        expected = frozenset(
            {entity.iri} | known | shared.get(fold(name), set()) | bearers[fold(entity.label)]
        )
        yield Case(rule, carrier.format(name), start, start + len(name), expected)
        made += 1
        if made == size:
            return


def _is_name(entity: EntityItem) -> bool:
    """True if the label looks like a name in a question: letters, not too few, and not a long text."""
    letters = sum(letter.isalpha() for letter in entity.label)
    return letters >= _LEAST and len(entity.label) <= 60 and entity.label[:1].isupper()


def _found(links: Links, case: Case) -> Iterable[str]:
    """The entities that the words of the name are linked to, best first; what linking chose comes first."""

    def overlap(start: int, end: int) -> int:
        return max(0, min(end, case.end) - max(start, case.start))

    for mentions in (links.mentions, links.others):
        near = [one for one in mentions if overlap(one.start, one.end)]
        for mention in sorted(near, key=lambda one: -overlap(one.start, one.end)):
            yield from (hit.iri for hit in mention.hits if hit.kind == Kind.ENTITY)


def _chosen(linker: Linker, case: Told) -> tuple[bool, bool]:
    """True if the intended entity comes first, and True if it has the most facts of its name."""
    mentions = linker.link(Question(case.question)).mentions
    named = [one for one in mentions if fold(one.text) == fold(case.name) and one.kind == Kind.ENTITY]
    return any(one.hits[0].iri == case.meant for one in named), case.bearers[0] == case.meant


def _peers(case: Case, labels: Mapping[str, str], tally: Tally) -> None:
    name = fold(case.name)
    tally.exact += any(labels.get(iri) == name for iri in case.expected)
    started = time.perf_counter()
    near = process.extract(name, labels, scorer=fuzz.WRatio, limit=max(_TOP))
    tally.nearest_times.append(1000 * (time.perf_counter() - started))
    for top in _TOP:
        tally.nearest[top] += any(iri in case.expected for _, _, iri in near[:top])


def _false_links(linker: Linker) -> int:
    mentions = (one for text in _WITHOUT for one in linker.link(Question(text)).mentions)
    return sum(one.kind == Kind.ENTITY for one in mentions)


def _print(tallies: Mapping[str, Tally]) -> None:
    print(_ROW.format("", "", "@1", "@5", "@10", "ms", "equal", "near@1", "@10", "ms"))
    for rule, tally in (*tallies.items(), ("all", _sum(tallies.values()))):
        ours = [f"{tally.ours[top] / max(tally.cases, 1):.1%}" for top in _TOP]
        peers = ["", "", "", ""]
        if tally.nearest_times:
            peers = [
                f"{tally.exact / tally.cases:.1%}",
                f"{tally.nearest[1] / tally.cases:.1%}",
                f"{tally.nearest[10] / tally.cases:.1%}",
                f"{statistics.median(tally.nearest_times):.1f}",
            ]
        print(_ROW.format(rule, tally.cases, *ours, f"{statistics.median(tally.times or [0]):.1f}", *peers))


def _sum(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for one in tallies:
        total.cases += one.cases
        total.exact += one.exact
        total.times += one.times
        total.nearest_times += one.nearest_times
        for top in _TOP:
            total.ours[top] += one.ours[top]
            total.nearest[top] += one.nearest[top]
    return total
