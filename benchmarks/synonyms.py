"""`python -m benchmarks.synonyms`: users' phrases for schema names, mined from questions with queries.

A phrase belongs to a name if it occurs with the name far more often than chance allows (Dunning, "Accurate
methods for the statistics of surprise and coincidence", 1993), and often enough with that name of all. The
output is reviewed by eye: the gateway's file has the selection.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.questions import ROOT, read_text
from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.index.synonyms import synonyms_of
from nlq_gateway.index.text import fold, humanise, stem

DATA = ROOT.parent / "shared" / "data"
WIKIDATA = Path(__file__).with_suffix(".wikidata.tsv")

LONGEST = 4
LEAST_TOGETHER = 3
LEAST_GRAPHS = 3
LEAST_SURPRISE = 12.0
LEAST_PRECISION = 0.2
LEAST_SHARE = 0.3
MOST_PHRASES = 15
# Words that only frame a question.
_FRAME = STOP_WORDS | frozenset(
    """
    find return show count many much different each all every also both first last called named name names
    number same other another than more less most least whose having there between given whose titled
    """.split()
)
# Words of single kinds of question, that tell nothing of a name.
_NOISE = frozenset(
    """
    statement person people equal equals value values january june july september date time thing something
    someone gregorian identifier code codes id ids states united associated website official isni
    """.split()
)
_BLANK = "\x00"
_WORDS = re.compile(rf"{_BLANK}|[a-z]+(?:'[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with blanks for what its query names or states, and the schema names of the query.

    `graph` is empty where all pairs of a source are over one graph with names of general use.
    """

    words: tuple[str, ...]
    names: frozenset[str]
    graph: str = ""


def kqapro(data: Path) -> Iterator[Pair]:
    """Pairs with graph patterns, with programs, and with written-out names in SPARQL."""
    for record in _records(data / "kqapro" / "train.graph.jsonl.gz"):
        patterns = record["gold"]["patterns"]
        concepts = [p[2] for p in patterns if p[1] == "instance of"]
        nodes = [part for p in patterns if p[1] != "instance of" for part in (p[0], *p[2::2])]
        names = [name for p in patterns for name in p[1::2] if name != "instance of"]
        yield _pair(record["question"], [*names, *concepts], nodes)
    for record in _records(data / "kqapro" / "shots100.jsonl"):
        steps = [step for step in record["gold"]["kopl_linear"] if step["inputs"]]
        named = [step["inputs"][0] for step in steps if step["function"] != "Find"]
        known = (text for s in steps for text in s["inputs"][s["function"] != "Find" :])
        yield _pair(record["question"], named, known)
    for record in _records(data / "kqapro" / "synthetic.flexkbqa.jsonl.gz"):
        query = record["gold"]["sparql"]
        names = re.findall(r"<(?!pred:)([^<>:]+)>", query)
        yield _pair(record["question"], names, re.findall(r'"([^"]*)"', query))


def spider(data: Path) -> Iterator[Pair]:
    """Pairs whose queries have the columns of tables as predicates."""
    for record in _records(data / "spider4sparql" / "train.pairs.jsonl.gz"):
        query = record["gold"]["sparql"]
        names = [name for name in re.findall(r":\w+\\#([\w-]+)", query) if not name.startswith("ref-")]
        yield _pair(record["question"], names, re.findall(r"'([^']*)'", query), record["kg"])


def dblp(data: Path) -> Iterator[Pair]:
    """Pairs about publications, each question with its paraphrase."""
    for record in _records(data / "pairs" / "dblp_quad.valid.jsonl.gz"):
        names = re.findall(r"dblp.org/rdf/schema#(\w+)", record["gold"]["sparql"])
        for text in (record["question"], record["paraphrase"]):
            yield _pair(text, names, re.findall(r"['\"]([^'\"]*)['\"]", text))


def wikidata(data: Path) -> Iterator[Pair]:
    """Yield human questions over properties of Wikidata with the labels of a table."""
    labels = dict(line.split("\t") for line in read_text(WIKIDATA).splitlines())
    for record in _records(data / "pairs" / "wikiwebquestions.train.jsonl.gz"):
        found = re.findall(r"(?:wdt|ps|pq):(P\d+)", record["gold"]["sparql"])
        yield _pair(record["question"], (labels[one] for one in found if one in labels), ())


SOURCES = (kqapro, spider, dblp, wikidata)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in read_text(path).splitlines())


def _pair(question: str, names: Iterable[str], known: Iterable[str], graph: str = "") -> Pair:
    text = question.lower()
    for name in sorted({name.lower() for name in known}, key=len, reverse=True):
        if len(name) > 1 and not name.startswith("?"):
            text = text.replace(name, f" {_BLANK} ")
    words = (word if len(word) > 1 else _BLANK for word in _WORDS.findall(text))
    return Pair(tuple(words), frozenset(fold(humanise(name)) for name in names), graph)


def phrases_of(words: Sequence[str]) -> frozenset[str]:
    """The runs of words without a blank that begin and end well and say something."""
    runs = (
        words[start:end]
        for start in range(len(words))
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1)
    )
    return frozenset(" ".join(run) for run in runs if _is_phrase(run))


def _is_phrase(run: Sequence[str]) -> bool:
    inside = set(run)
    if _BLANK in inside or inside & _NOISE or run[0] in _FRAME or run[-1] in _POOR_ENDS:
        return False
    return not inside <= _FRAME


_POOR_ENDS = frozenset("a an the and or is are was were did does do that which who whose it its".split())


def surprise(together: int, first: int, second: int, total: int) -> float:
    """The log-likelihood ratio of two things seen `together` of `total` times."""
    table = ((together, first - together), (second - together, total - first - second + together))
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    cells = ((table[i][j], rows[i] * columns[j] / total) for i in (0, 1) for j in (0, 1))
    return 2 * sum(count * math.log(count / expected) for count, expected in cells if count)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase of a name: how often they come together, what part of the phrase's uses that is, how sure."""

    name: str
    phrase: str
    count: int
    precision: float
    score: float


def mine(pairs: Iterable[Pair]) -> dict[str, tuple[Candidate, ...]]:
    """The phrases of each name, the surest first."""
    total, names, phrases = 0, Counter[str](), Counter[str]()
    together: Counter[tuple[str, str]] = Counter()
    graphs: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        total += 1
        found = phrases_of(pair.words)
        names.update(pair.names)
        phrases.update(found)
        together.update((name, phrase) for name in pair.names for phrase in found)
        for name in pair.names:
            graphs[name].add(pair.graph)
    general = {name for name in names if "" in graphs[name] or len(graphs[name]) >= LEAST_GRAPHS}
    known = {stem(name) for name in names if "" in graphs[name]}
    of_phrase: defaultdict[str, list[Candidate]] = defaultdict(list)
    for (name, phrase), count in together.items():
        precision = count / phrases[phrase]
        if count < LEAST_TOGETHER or precision < LEAST_PRECISION or stem(phrase) in known:
            continue
        score = surprise(count, names[name], phrases[phrase], total)
        if score >= LEAST_SURPRISE:
            of_phrase[phrase].append(Candidate(name, phrase, count, precision, score))
    of_name: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidates in of_phrase.values():
        best = max(one.score for one in candidates)
        for one in candidates:
            if one.score >= LEAST_SHARE * best and one.name in general and not _says(one.name, one.phrase):
                of_name[one.name].append(one)
    return {name: _surest(of_name[name]) for name in sorted(of_name)}


def _says(name: str, phrase: str) -> bool:
    """True if all words of the phrase are in the name."""
    own = {stem(word) for word in name.split()}
    return all(stem(word) in own for word in phrase.split() if word not in _FRAME)


def _surest(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The best, without phrases that contain a better one."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda one: (-one.score, one.phrase)):
        if not any(f" {one.phrase} " in f" {candidate.phrase} " for one in kept):
            kept.append(candidate)
    return tuple(kept[:MOST_PHRASES])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the candidates, one a line: name, phrase, count, precision, score, and whether it was kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    found = mine(pair for source in SOURCES for pair in source(options.data) if pair.names)
    for candidates in found.values():
        for one in candidates:
            kept = "kept" if one.phrase in synonyms_of(one.name) else "new"
            print(one.name, one.phrase, one.count, f"{one.precision:.2f}", f"{one.score:.0f}", kept, sep="\t")


if __name__ == "__main__":
    main()
