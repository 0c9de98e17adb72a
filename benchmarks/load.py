"""Load and endurance: a real server with worker processes, MetaQA, and many concurrent clients.

Each client asks one question after the other, waits for `Retry-After` if it is refused, and checks that the
answer belongs to its question. The output has requests by status, times, lost or mixed-up answers, and the
private memory of all the server's processes over time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import math
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil

from benchmarks.answers import DATA

TARGET_P95_SECONDS = 5.0
TARGET_MEMORY = 0.05
# One in this many answers is requested again by its id.
_LOOKED_UP = 25
_TIMEOUT_SECONDS = 120.0
_WATCH_SECONDS = 2.0
_LONGEST_PAUSE_SECONDS = 30.0


@dataclass
class Record:
    """The record of the clients."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    looked_up: int = 0
    lost_at: list[float] = field(default_factory=list)
    disturbed_at: float = math.inf

    def fault(self, what: str) -> None:
        """Something is lost or mixed up."""
        self.faults.append(what)


@dataclass(frozen=True)
class Memory:
    """Private bytes of all processes at a time, in seconds since the beginning."""

    at: float
    master: int
    workers: int

    @property
    def total(self) -> int:
        """The sum over all processes."""
        return self.master + self.workers


class Client:
    """One client; it keeps its connection open as browsers and applications do."""

    def __init__(self, http: httpx2.AsyncClient, record: Record, questions: Sequence[str], seed: int) -> None:
        self._http = http
        self._record = record
        self._questions = questions
        self._random = random.Random(seed)

    async def ask_until(self, end: float) -> None:
        """Ask one question after the other, until a time of `time.monotonic`, or until the server is down."""
        while time.monotonic() < end:
            question = self._random.choice(self._questions)
            try:
                await self._ask(question)
            except httpx2.ConnectError:
                self._record.statuses["refused"] += 1
                await asyncio.sleep(0.5)
            except httpx2.HTTPError as error:
                self._record.statuses[f"lost: {type(error).__name__}"] += 1
                self._record.lost_at.append(time.monotonic())

    async def _ask(self, question: str) -> None:
        begun = time.monotonic()
        response = await self._http.post("/nlq", json={"question": question})
        self._record.statuses[str(response.status_code)] += 1
        if response.status_code == 200:
            self._record.seconds.append(time.monotonic() - begun)
            await self._check(question, response.json())
        elif response.status_code in (429, 503):
            pause = response.headers.get("Retry-After")
            if pause is None:
                self._record.fault(f"{response.status_code} without Retry-After")
            await asyncio.sleep(min(float(pause or 1), _LONGEST_PAUSE_SECONDS) * self._random.uniform(1, 1.5))

    async def _check(self, question: str, document: dict[str, object]) -> None:
        """Check that the answer belongs to the question, has a new id, and is stored unchanged."""
        if document["question"] != question:
            self._record.fault(f"asked {question!r}, answered {document['question']!r}")
        found = str(document["id"])
        if found in self._record.ids:
            self._record.fault(f"the id {found} was given twice")
        self._record.ids.add(found)
        if self._random.randrange(_LOOKED_UP):
            return
        kept = await self._http.get(f"/traces/{found}")
        if kept.status_code in (429, 503):
            return
        self._record.looked_up += 1
        if kept.status_code != 200 or kept.json() != document:
            self._record.fault(f"the trace {found} is kept otherwise than it was given: {kept.status_code}")


class Server:
    """A server in processes of its own."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address

    @property
    def workers(self) -> list[psutil.Process]:
        """The worker processes."""
        return psutil.Process(self.process.pid).children()

    def memory(self, at: float) -> Memory | None:
        """The current memory; None if a process has just ended."""
        try:
            master = psutil.Process(self.process.pid).memory_full_info().uss
            return Memory(at, master, sum(one.memory_full_info().uss for one in self.workers))
        except psutil.Error:
            return None


@contextlib.contextmanager
def serving(graph: Path, workers: int) -> Iterator[Server]:
    """A server over a graph, once all its workers are ready; its index is kept for the next time."""
    with tempfile.TemporaryDirectory() as folder:
        config = {
            "endpoints": [{"id": "metaqa", "data": [str(graph)]}],
            "server": {"trace_store": f"sqlite:///{folder}/traces.sqlite"},
        }
        file = Path(folder) / "nlq.yaml"
        file.write_text(json.dumps(config), encoding="utf-8")
        command = (sys.executable, "-m", "nlq_gateway", "serve", "--config", str(file), "--port", "0")
        process = subprocess.Popen((*command, "--workers", str(workers)), stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the server did not start: {line}"
        try:
            yield Server(process, found[0])
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(60)


def questions_of(folder: Path, limit: int) -> list[str]:
    """MetaQA's questions of all kinds, mixed."""
    found: list[str] = []
    for file in sorted(folder.glob("*hop.dev.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found += [" ".join(json.loads(line)["question"].split()) for line in lines]
    random.Random(7).shuffle(found)
    return found[:limit]


async def drive(
    server: Server, options: argparse.Namespace, questions: Sequence[str]
) -> tuple[Record, list[Memory]]:
    """Run all clients concurrently for `seconds`; an optional signal is sent half-way."""
    record, memory, begun = Record(), [], time.monotonic()
    end = begun + options.seconds
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=server.address, timeout=_TIMEOUT_SECONDS, limits=limits) as http:
        clients = [Client(http, record, questions, seed) for seed in range(options.clients)]
        tasks = [asyncio.create_task(client.ask_until(end)) for client in clients]
        disturbing = asyncio.create_task(_disturb(server, options, record))
        while not all(task.done() for task in tasks):
            await asyncio.wait(tasks, timeout=_WATCH_SECONDS)
            if (now := server.memory(time.monotonic() - begun)) is not None:
                memory.append(now)
        await asyncio.gather(*tasks)
        await disturbing
    return record, memory


async def _disturb(server: Server, options: argparse.Namespace, record: Record) -> None:
    if not (options.kill_term or options.kill_worker):
        return
    await asyncio.sleep(options.seconds / 2)
    record.disturbed_at = time.monotonic()
    if options.kill_term:
        server.process.send_signal(signal.SIGTERM)
    else:
        server.workers[0].kill()


def main(arguments: Sequence[str]) -> None:
    """Print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks load", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--clients", type=int, default=200, help="at a time (200)")
    parser.add_argument("--seconds", type=float, default=300, help="for so long (300)")
    parser.add_argument("--workers", type=int, default=2, help="worker processes (2)")
    parser.add_argument("--questions", type=int, default=9_000, help="different ones (9000)")
    half_way = parser.add_mutually_exclusive_group()
    half_way.add_argument("--kill-term", action="store_true", help="half-way, stop the server by SIGTERM")
    half_way.add_argument("--kill-worker", action="store_true", help="half-way, kill a worker by SIGKILL")
    options = parser.parse_args(arguments)
    folder = options.data / "metaqa"
    if not folder.is_dir():
        print("MetaQA's data is not here: name its folder with --data\n")
        return
    with serving(folder / "kg.nt.gz", options.workers) as server:
        record, memory = asyncio.run(drive(server, options, questions_of(folder, options.questions)))
    _print(record, memory, options)


def _print(record: Record, memory: Sequence[Memory], options: argparse.Namespace) -> None:
    print(f"{options.clients} clients, {options.seconds:.0f} s, {options.workers} worker processes, MetaQA\n")
    requests = sum(record.statuses.values())
    print(f"requests        {requests} ({requests / options.seconds:.1f}/s)")
    for status, count in sorted(record.statuses.items()):
        print(f"  {status:<20} {count}")
    broken = sum(count for status, count in record.statuses.items() if _is_error(status, options))
    _verdict("5xx", str(broken), broken == 0)
    lost = len(record.lost_at)
    _verdict("lost", str(lost), lost == 0 or (options.kill_worker and _with_the_worker(record, options)))
    if record.seconds:
        p50, p95, p99 = (_percentile(record.seconds, share) for share in (0.5, 0.95, 0.99))
        _verdict("seconds", f"p50 {p50:.2f}  p95 {p95:.2f}  p99 {p99:.2f}", p95 <= TARGET_P95_SECONDS)
    _verdict("mixed up", f"{len(record.faults)} ({record.looked_up} traces looked up)", not record.faults)
    for fault in record.faults[:10]:
        print(f"  {fault}")
    if not (options.kill_term or options.kill_worker):
        _print_memory(memory, options.seconds)
    print()


def _print_memory(memory: Sequence[Memory], seconds: float) -> None:
    """Private memory in ten parts of the time, and whether it is flat after the first third."""
    for tenth in range(10):
        part = [one for one in memory if tenth <= one.at / seconds * 10 < tenth + 1]
        if part:
            master, workers = (
                statistics.mean(sizes) / 1e6
                for sizes in zip(*((m.master, m.workers) for m in part), strict=True)
            )
            print(
                f"  at {(tenth + 1) / 10 * seconds:>5.0f} s"
                f"     master {master:6.0f} MB  workers {workers:6.0f} MB"
            )
    warm = [one.total for one in memory if seconds / 3 < one.at <= seconds]
    if warm:
        middle = statistics.mean(warm)
        apart = max(abs(one - middle) for one in warm) / middle
        _verdict(
            "memory", f"{middle / 1e6:.0f} MB ± {apart:.1%} after the first third", apart <= TARGET_MEMORY
        )


def _verdict(name: str, what: str, held: bool) -> None:
    print(f"{name:<15} {what}  {'held' if held else 'MISSED'}")


def _is_error(status: str, options: argparse.Namespace) -> bool:
    """True if a status is an error of the server; a stopping server may send 503."""
    return status.startswith("5") and not (options.kill_term and status == "503")


def _with_the_worker(record: Record, options: argparse.Namespace) -> bool:
    """True if all losses were with the killed worker: at that time, and at most one per client."""
    late = [at for at in record.lost_at if not 0 <= at - record.disturbed_at < _WATCH_SECONDS]
    return not late and len(record.lost_at) <= options.clients


def _percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
