"""An Oxigraph store inside the process: a folder on disk, or files loaded into memory.

A query that has begun in a thread cannot be cancelled: at the deadline the caller gets `EndpointTimeout`,
and the query goes on until it ends. Over a folder, queries of people, those that form a cross product, and
all queries while an abandoned one goes on, are evaluated in processes (`connectors.beside`) that are killed
at the deadline. Over files in memory, new queries are refused while too many go on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TypeVar

import pyoxigraph as ox

from connectors.base import Limits, RawResponse
from connectors.beside import Beside
from connectors.crossing import may_cross
from connectors.dataset import Dataset
from connectors.errors import (
    DataError,
    EndpointError,
    EndpointFailed,
    EndpointRefusedQuery,
    EndpointTimeout,
    EndpointUnreachable,
    IncompleteResult,
)
from connectors.formats import GRAPH_FORMATS, RESULT_FORMATS, choose
from connectors.gate import Gate
from connectors.observing import ADDRESS, STORE, watched
from connectors.products import Product
from connectors.rdf_files import load_files
from connectors.results import Result, Row, Term, triple_term
from connectors.sparql_text import UnclearText, calls_service, structural, tokenize
from connectors.workers import DeadlinePassed, TooManyAbandoned, WorkerPool

Value = TypeVar("Value")
Answer = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
# Relative IRIs in queries stand for something (SPARQL 1.1, 4.1.1.2); servers take their own address.
_BASE = "http://localhost/"
# Oxigraph recurses once per sign in the worst case; the workers' stacks are made for this many.
_MAX_STRUCTURE = 20_000


class EmbeddedOxigraph:
    """A connector over pyoxigraph. Each process that uses it gets its own threads and file handles."""

    def __init__(
        self,
        opener: Callable[[], ox.Store],
        *,
        address: str,
        limits: Limits | None = None,
        prefixes: dict[str, str] | None = None,
        union_default_graph: bool = True,
        folder: Path | None = None,
    ) -> None:
        """Prefer `open` and `in_memory`; `opener` is called once in every process that uses the connector.

        `folder` is one that other processes may open.
        """
        self._opener = opener
        self._address = address
        self._limits = limits or Limits()
        self._gate = Gate(self._limits.concurrency, self._limits.per_second)
        self._union = union_default_graph
        self._closed = False
        # By process id: threads do not survive a fork, and a store on disk must not be used across one.
        self._stores: dict[int, ox.Store] = {os.getpid(): opener()}
        self._pools: dict[int, WorkerPool] = {}
        self._folder = folder
        self._besides: dict[int, Beside] = {}
        self.prefixes: dict[str, str] = dict(prefixes or {})

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        address: str = "",
        limits: Limits | None = None,
        union_default_graph: bool = True,
        alone: bool = False,
    ) -> EmbeddedOxigraph:
        """A store on disk, as it is now: writes of other processes are seen after opening it again.

        Args:
            folder: made by `load_files`; many processes may share it.
            address: the store's name in errors and metrics; the folder's path if it is not given.
            limits: for every query.
            union_default_graph: patterns outside of GRAPH see the named graphs too.
            alone: all queries are evaluated in this process.

        Raises:
            DataError: the folder holds no store.
        """
        return cls(
            lambda: _open_folder(folder),
            address=address or str(folder),
            limits=limits,
            union_default_graph=union_default_graph,
            folder=None if alone else folder,
        )

    @classmethod
    def in_memory(
        cls,
        files: Sequence[Path],
        *,
        limits: Limits | None = None,
        union_default_graph: bool = True,
    ) -> EmbeddedOxigraph:
        """A store in memory with these files, whose prefixes are in `prefixes`.

        Raises:
            DataError: a file is missing or is not RDF.
        """
        store = ox.Store()
        prefixes = load_files(store, files)
        return cls(
            lambda: store,
            address=" ".join(str(file) for file in files) or "memory",
            limits=limits,
            prefixes=prefixes,
            union_default_graph=union_default_graph,
        )

    @property
    def address(self) -> str:
        """The folder, or the files in memory."""
        return self._address

    @property
    def dialect(self) -> str:
        """`oxigraph`."""
        return "oxigraph"

    @property
    def is_given_up(self) -> bool:
        """Always False: the store is in this process."""
        return False

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Run a SELECT or ASK and return its rows, at most `max_rows` of them (`truncated` says so).

        Raises:
            EndpointRefusedQuery: malformed, a CONSTRUCT or DESCRIBE, with SERVICE, or too complex.
            EndpointTimeout: no answer in time, or too many abandoned queries are still running.
        """
        rows = self._limits.max_rows if max_rows is None else max_rows

        def read(answer: Answer, deadline: float) -> Result:
            return self._read(answer, rows, deadline)

        beside = ("query", {"text": text, "max_rows": rows})
        with self._as_ours():
            return self._run(text, timeout_ms, read, beside)

    def raw(
        self, text: str, accept: str, *, timeout_ms: int | None = None, dataset: Dataset | None = None
    ) -> RawResponse:
        """Run any read query and return the serialised answer in the best of the accepted formats.

        With a `dataset` the query sees these graphs alone.

        Raises:
            EndpointRefusedQuery: as `query`, or no format that is accepted.
            EndpointTimeout: as `query`.
            IncompleteResult: the answer is larger than the limit.
        """

        def write(answer: Answer, deadline: float) -> RawResponse:
            return self._serialise(answer, accept, deadline)

        beside = ("raw", {"text": text, "accept": accept, "dataset": dataset})
        with self._as_ours():
            return self._run(text, timeout_ms, write, beside, dataset)

    def product(self) -> Product:
        """The library, in the version that is installed."""
        return Product("Oxigraph", ox.__version__, self.dialect)

    def close(self) -> None:
        """Release the store; queries that are still running end first."""
        self._closed = True
        for pool in self._pools.values():
            pool.close()
        for beside in self._besides.values():
            beside.close()
        self._stores.clear()

    def _run(
        self,
        text: str,
        timeout_ms: int | None,
        use: Callable[[Answer, float], Value],
        beside: tuple[str, Mapping[str, object]],
        dataset: Dataset | None = None,
    ) -> Value:
        """The result of `use` on the answer; `beside` is the equivalent method, with its arguments."""
        self._require_safe(text)
        seconds = (self._limits.query_ms if timeout_ms is None else timeout_ms) / 1000
        deadline = time.monotonic() + seconds
        store = self._store()

        def task() -> Value:
            with _as_endpoint_error():
                return use(self._asked(store, text, dataset), deadline)

        try:
            with watched(STORE, {ADDRESS: self._address}), self._gate.turn(deadline):
                if self._runs_beside(beside[0], text):
                    value: Value = self._beside().run(*beside, deadline)
                    return value
                return self._pool().run(task, deadline - time.monotonic())
        except DeadlinePassed:
            hint = "ask for less, or raise limits.query_ms"
            raise EndpointTimeout("no answer within the deadline", hint=hint) from None
        except TooManyAbandoned:
            raise EndpointTimeout(
                "the store is busy with abandoned queries",
                hint="retry later; if it happens often, run the store as a server that can cancel queries",
            ) from None

    def _asked(self, store: ox.Store, text: str, dataset: Dataset | None) -> Answer:
        if dataset is None or not dataset.graphs:
            return store.query(text, base_iri=_BASE, use_default_graph_as_union=self._union)
        return store.query(
            text,
            base_iri=_BASE,
            default_graph=[ox.NamedNode(graph) for graph in dataset.default_graphs],
            named_graphs=[ox.NamedNode(graph) for graph in dataset.named_graphs],
        )

    def _store(self) -> ox.Store:
        if self._closed:
            raise EndpointUnreachable("the connector is closed")
        process = os.getpid()
        if process not in self._stores:
            self._stores.setdefault(process, self._opener())
        return self._stores[process]

    def _pool(self) -> WorkerPool:
        pool = self._pools.get(os.getpid())
        return pool if pool is not None else self._pools.setdefault(os.getpid(), WorkerPool())

    def _runs_beside(self, method: str, text: str) -> bool:
        """True if a query may run on for long (those of `raw` are by people), or an abandoned one does."""
        if self._folder is None:
            return False
        return method == "raw" or self._pool().abandoned > 0 or may_cross(text)

    def _beside(self) -> Beside:
        settings = {
            "folder": self._folder,
            "address": self._address,
            "limits": self._limits,
            "union_default_graph": self._union,
        }
        process = os.getpid()
        return self._besides.get(process) or self._besides.setdefault(process, Beside(settings))

    def _require_safe(self, text: str) -> None:
        """The last check: Oxigraph calls any SERVICE, and a query too deep for its stack ends the process."""
        if calls_service(text):
            _refuse("SERVICE is not allowed", "query one store at a time")
        if len(text) <= _MAX_STRUCTURE:
            return
        try:
            size = structural(tokenize(text))
        except UnclearText as error:
            _refuse(str(error), "correct the syntax")
        if size > _MAX_STRUCTURE:
            _refuse(f"the query has {size} words and signs", f"at most {_MAX_STRUCTURE} are accepted")

    def _read(self, answer: Answer, max_rows: int, deadline: float) -> Result:
        if isinstance(answer, ox.QueryBoolean):
            return Result((), boolean=bool(answer))
        if isinstance(answer, ox.QueryTriples):
            _refuse("a CONSTRUCT or DESCRIBE has no rows", "ask for it in a graph format instead")
        rows: list[Row] = []
        for solution in answer:
            if len(rows) >= max_rows:
                break
            if time.monotonic() > deadline:
                raise DeadlinePassed
            rows.append(tuple(None if term is None else _term(term) for term in solution))
        else:
            return Result(_columns(answer), tuple(rows))
        return Result(_columns(answer), tuple(rows), truncated=True)

    def _serialise(self, answer: Answer, accept: str, deadline: float) -> RawResponse:
        body = _BoundedBody(self._limits.max_bytes, deadline)
        if isinstance(answer, ox.QueryTriples):
            media_type, graph_format = choose(accept, GRAPH_FORMATS)
            answer.serialize(body, graph_format)  # type: ignore[arg-type]
        else:
            media_type, result_format = choose(accept, RESULT_FORMATS)
            answer.serialize(body, result_format)  # type: ignore[arg-type]
        return RawResponse(media_type, bytes(body.content))

    @contextmanager
    def _as_ours(self) -> Iterator[None]:
        """Name the store in errors that lack an endpoint."""
        try:
            yield
        except EndpointError as error:
            error.endpoint = error.endpoint or self._address
            raise


@contextmanager
def _as_endpoint_error() -> Iterator[None]:
    try:
        yield
    except (EndpointError, DeadlinePassed):
        raise
    except SyntaxError as error:
        message = f"syntax {str(error).splitlines()[0]:.300}"
        raise EndpointRefusedQuery(message, hint="correct the query", detail=f"{error}"[:1000]) from error
    except (ValueError, RuntimeError) as error:
        raise EndpointRefusedQuery(f"the store cannot evaluate the query: {error}"[:300]) from error
    except BaseException as error:
        # The library's panics are no Exception, and no other such error is raised in a worker.
        raise EndpointFailed(f"the store failed: {error}"[:300]) from error


def _refuse(reason: str, hint: str) -> NoReturn:
    raise EndpointRefusedQuery(reason, hint=hint)


class _BoundedBody:
    """A file to write to, of limited size and until a deadline."""

    def __init__(self, max_bytes: int, deadline: float) -> None:
        self.content = bytearray()
        self._max_bytes = max_bytes
        self._deadline = deadline

    def write(self, data: bytes) -> int:
        """Keep `data`, or stop the writer by an exception."""
        if len(self.content) + len(data) > self._max_bytes:
            raise IncompleteResult(
                f"the answer is larger than {self._max_bytes} bytes", hint="ask for less, with LIMIT"
            )
        if time.monotonic() > self._deadline:
            raise DeadlinePassed
        self.content += data
        return len(data)

    def flush(self) -> None:
        """Do nothing: the data is in memory."""


def _open_folder(folder: Path) -> ox.Store:
    try:
        return ox.Store.read_only(str(folder))
    except FileNotFoundError as error:
        raise DataError(
            "there is no store in this folder", file=str(folder), hint="load files first"
        ) from error
    except OSError as error:
        said = str(error).replace(str(folder), folder.name)
        raise DataError(f"the store cannot be opened: {said}", file=str(folder)) from error


def _columns(answer: ox.QuerySolutions) -> tuple[str, ...]:
    return tuple(variable.value for variable in answer.variables)


def _term(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Term:
    if isinstance(term, ox.NamedNode):
        return Term("iri", term.value)
    if isinstance(term, ox.Literal):
        if term.language is not None:
            return Term("literal", term.value, None, term.language)
        datatype = term.datatype.value
        return Term("literal", term.value, None if datatype == _XSD_STRING else datatype)
    if isinstance(term, ox.BlankNode):
        return Term("blank", term.value)
    return triple_term(_term(term.subject), _term(term.predicate), _term(term.object))
