"""One graph of many: those of Spider4SPARQL's training pairs whose classes are all different, as one file.

Its schema has some 35,000 tokens, twenty times the prompt's limit (`CARD`): the part that a question needs
is in the prompt only if it was found.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from benchmarks.convert import BASE, GRAPHS, PAIRS, Pair, read_pairs, unpack

NAME = "spider4sparql-merged"
# Tokens of schema in a prompt.
CARD = 1_750
QUESTIONS = 30
# Graphs of more bytes are left out: they have more rows, not more schema.
_LARGEST = 3_000_000
# A name as the queries have it, `:singer\\#name`: the guard before stores takes no such escapes.
_NAME = re.compile(r"(?<=[\s(]):([\w%-]+(?:\\#[\w%-]+)*)")
# Parts of rebuilt queries that often do not match the question.
_UNSURE = re.compile(r"\bLIMIT\b|\bnot in\b|\{\s*SELECT\b", re.IGNORECASE)
_TYPE = re.compile(rb"#type> <([^>]+)>")


def merged(data: Path, reworded: Path, folder: Path) -> tuple[Path, Path, Path] | None:
    """The files of the graph, of its questions, and of some in other words than the schema's.

    They are written into a folder; None where there is no data.
    """
    if not ((data / GRAPHS).is_file() and (reworded / PAIRS).is_file()):
        return None
    pairs = _sure(data / PAIRS)
    with tempfile.TemporaryDirectory() as apart:
        files = unpack(data / GRAPHS, {pair.graph for pair in pairs}, Path(apart))
        chosen = dict(_different(files))
        graph = folder / f"{NAME}.nt"
        graph.write_bytes(b"".join(chosen[name].read_bytes() for name in sorted(chosen)))
    plain = _write(_first(pairs, chosen), folder / f"{NAME}.jsonl")
    return graph, plain, _write(_first(_sure(reworded / PAIRS), chosen), folder / f"{NAME}-reworded.jsonl")


def _sure(file: Path) -> list[Pair]:
    return [pair for pair in read_pairs(file, None) if not _UNSURE.search(pair.query)]


def _write(pairs: Iterable[Pair], file: Path) -> Path:
    lines = (json.dumps(_question(pair)) for pair in pairs)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _different(files: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """The smallest graphs first, as long as no class of theirs is in one before."""
    known: set[bytes] = set()
    for name, file in sorted(files.items(), key=lambda pair: (pair[1].stat().st_size, pair[0])):
        if file.stat().st_size > _LARGEST:
            return
        classes = set(_TYPE.findall(file.read_bytes()))
        if classes and known.isdisjoint(classes):
            known |= classes
            yield name, file


def _first(pairs: Iterable[Pair], graphs: Iterable[str]) -> list[Pair]:
    """One question for each of up to `QUESTIONS` graphs, both by a hash of their names."""
    by_graph = {pair.graph: pair for pair in sorted(pairs, key=lambda pair: _digest(pair.id), reverse=True)}
    chosen = sorted(by_graph.keys() & set(graphs), key=_digest)[:QUESTIONS]
    return [by_graph[name] for name in chosen]


def _question(pair: Pair) -> dict[str, str]:
    query = _NAME.sub(lambda name: f"<{BASE}{name[1].replace(chr(92), '')}>", pair.query)
    return {"id": pair.id, "question": pair.question, "sparql": query}


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
