"""A schema index at scale: a graph of 10 million triples and 1 million labelled entities.

The graph is generated and loaded into embedded Oxigraph; each step then runs in a process of its own, so
that its memory is its own. Nothing is asked of the network.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.large_graph import Written, write_graph
from compilers.kopl.functions import Kind
from connectors.base import Limits
from connectors.http import HttpEndpoint
from connectors.oxigraph import EmbeddedOxigraph
from connectors.rdf_files import load_files
from nlq_gateway.index import BuildOptions, Index, MiniLM, ensure

SEED = 5
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MEBI = 1 << 20

Found = TypeVar("Found")


def main(arguments: Sequence[str]) -> None:
    """Print what the index of a large graph takes to be built, to be asked and to be opened."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks large", description=main.__doc__)
    parser.add_argument("--entities", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--triples", type=int, metavar="N", help="ten times the entities if not given")
    parser.add_argument("--names", type=int, default=1_000, metavar="N", help="misspelt names to look up")
    parser.add_argument("--folder", type=Path, help="where everything is kept; else it goes when all is done")
    parser.add_argument("--url", help="a store that holds the graph already (from --folder's graph.nt)")
    options = parser.parse_args(arguments)
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        _measure(options, options.folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        _measure(options, Path(folder))


def _measure(options: argparse.Namespace, folder: Path) -> None:
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}")
    triples = options.triples or 10 * options.entities
    written, seconds = _timed(lambda: _apart(write_graph, folder / "graph.nt", options.entities, triples))
    _print({"graph": f"{written.triples:,} triples, {written.entities:,} entities, in {seconds:.0f} s"})
    store = options.url or str(folder / "store")
    if not options.url and not (folder / "store").exists():
        _, seconds = _timed(lambda: _apart(load_files, folder / "store", [folder / "graph.nt"]))
        _print({"load": f"{seconds:.0f} s, embedded Oxigraph"})
    _print(_apart(build_there, store, folder / "index"))
    version = next(path.parent for path in (folder / "index").glob("*/manifest.json"))
    _print({"index": f"{_size(version) / _MEBI:.0f} MiB on disk"})
    _print(_apart(look_up_there, version, written, options.names))
    for with_vectors in (False, True):
        _print(_apart(open_there, version, written.labels[0][1], with_vectors))


def build_there(store: str, folder: Path) -> dict[str, str]:
    """Build an index; returns the seconds of each stage, and the memory of all."""
    stages: dict[str, float] = {}
    at = [("", time.monotonic())]

    def progress(stage: str, _done: int, _total: int) -> None:
        name, since = at[0]
        now = time.monotonic()
        stages[name] = stages.get(name, 0.0) + now - since
        at[0] = (stage, now)

    limits = Limits(max_rows=10**9, max_bytes=10**9)
    is_address = store.startswith(("http://", "https://"))
    connector = (
        HttpEndpoint(store, limits=limits, dialect="oxigraph")
        if is_address
        else EmbeddedOxigraph.open(Path(store), limits=limits)
    )
    embedder = MiniLM()
    embedder.encode(["warm"])
    before = _peak()
    _, seconds = _timed(
        lambda: ensure(connector, "direct", folder, BuildOptions(embedder=embedder), progress=progress)
    )
    return {
        "build": f"{seconds:.0f} s",
        **{f"  {stage}": f"{took:.1f} s" for stage, took in stages.items() if stage and took >= 0.1},
        "build, peak memory": f"{_peak():,.0f} MiB, {before:,.0f} of it before the build (model, store)",
    }


def look_up_there(version: Path, written: Written, names: int) -> dict[str, str]:
    """Look up names unchanged, misspelt and in part, and schema items by their meaning."""
    draw = random.Random(SEED)
    embedder = MiniLM()
    index = Index.open(version, embedder)
    chosen = draw.sample(written.labels, min(names, len(written.labels)))
    wrong = [(iri, label, misspelt(label.lower(), draw)) for iri, label in chosen]
    entities = (Kind.ENTITY,)
    fuzzy = [_timed(lambda text=text: index.search(text, entities, 10)) for _, _, text in wrong]
    found = sum(
        label in {hit.label for hit in hits} for (_, label, _), (hits, _) in zip(wrong, fuzzy, strict=True)
    )
    by = {
        f"misspelt name, top 10, recall {found / len(wrong):.3f}": [seconds for _, seconds in fuzzy],
        "exact name": [_timed(lambda one=one: index.look_up([one], entities))[1] for _, one in chosen],
        "beginning of a name": [
            _timed(lambda one=one: index.search(one[: max(4, len(one) // 2)], entities, 10))[1]
            for _, one in chosen
        ],
        "suggestions, letter by letter": [
            _timed(lambda text=text: index.completions(text, 8))[1]
            for _, one in chosen[: max(1, names // 10)]
            for text in (f"Who manages {one[:end]}" for end in range(1, len(one) + 1))
        ],
        "word of a name": [_timed(lambda one=one: index.bearing(one.split()[-1]))[1] for _, one in chosen],
    }
    return {name: _spread(seconds) for name, seconds in by.items()} | _vector_look_ups(index, embedder)


def _vector_look_ups(index: Index, embedder: MiniLM) -> dict[str, str]:
    texts = [f"which {item.label} is it" for item in index.schema]
    encoding = [_timed(lambda text=text: embedder.encode([text]))[1] for text in texts]
    # Encoded texts are cached, so this is the look-up alone.
    look_up = [_timed(lambda text=text: index.nearest(Kind.RELATION, [text]))[1] for text in texts]
    both = [one + other for one, other in zip(encoding, look_up, strict=True)]
    return {
        "schema item by vector": _spread(look_up),
        "  its encoding": _spread(encoding),
        "  both": _spread(both),
    }


def open_there(version: Path, name: str, with_vectors: bool) -> dict[str, str]:
    """Open an index in a new process and look a name up, with or without the embedding model."""
    embedder = MiniLM() if with_vectors else None
    if embedder is not None:
        embedder.encode(["warm"])
    before = _private()
    index, opening = _timed(lambda: Index.open(version, embedder))
    _, first = _timed(lambda: index.search(name, (Kind.ENTITY,), 10))
    what = "opened with vectors" if with_vectors else "opened"
    shown = {
        what: f"{1000 * (opening + first):.0f} ms with the first look-up ({1000 * opening:.0f} without)",
        f"  {what}, private memory": _grown(before, _private()),
    }
    if with_vectors:
        index.nearest(Kind.ENTITY, [name])
        shown["  and vectors of entities used"] = _grown(before, _private())
    return shown


def misspelt(text: str, draw: random.Random) -> str:
    """A text with a letter left out, put in, replaced, or changed with the next one."""
    at = draw.randrange(1, len(text) - 1)
    letter = draw.choice(_LETTERS)
    ways = (
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at:],
        text[:at] + letter + text[at + 1 :],
        text[:at] + text[at + 1] + text[at] + text[at + 2 :],
    )
    return draw.choice(ways)


def _apart(work: Callable[..., Found], *given: Any) -> Found:
    """Return the result of a function in a new process."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *given).result()


def _timed(work: Callable[[], Found]) -> tuple[Found, float]:
    started = time.perf_counter()
    found = work()
    return found, time.perf_counter() - started


def _spread(seconds: Iterable[float]) -> str:
    ordered = sorted(seconds)
    middle, high = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    return f"{1000 * middle:.2f} ms at the median, {1000 * high:.2f} at p95"


def _peak() -> float:
    """The most memory that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _private() -> dict[str, float]:
    """The memory that only this process uses now, in MiB: written pages, and pages of files.

    Nothing where the system does not tell.
    """
    file = Path("/proc/self/smaps_rollup")
    lines = file.read_text().splitlines() if file.is_file() else []
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines[1:]}
    return {name: sizes.get(f"Private_{name}", 0.0) for name in ("Dirty", "Clean")}


def _grown(before: dict[str, float], now: dict[str, float]) -> str:
    written, mapped = (now[name] - before[name] for name in ("Dirty", "Clean"))
    return f"{written:.1f} MiB, and {mapped:.1f} of files, which other workers share"


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def _print(shown: dict[str, str]) -> None:
    for name, text in shown.items():
        print(f"{name:<46}  {text}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
