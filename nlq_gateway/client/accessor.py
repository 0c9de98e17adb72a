"""Questions to a pandas data frame, once this module is imported: `frame.nlq.ask(...)`.

>>> import nlq_gateway.client.accessor
>>> cities.nlq.ask("Which city in Germany has the largest population?", rows="city")

Each row becomes a thing of the class `rows`, named by the first column of texts that all differ; each other
column is an attribute of it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import pyoxigraph as ox

from compilers.layouts.vocabulary import RDF, RDFS, XSD
from nlq_gateway.client.answer import GatewayAnswer
from nlq_gateway.client.gateway import Gateway
from nlq_gateway.client.problems import MissingPackage
from nlq_gateway.settings import cache_folder, private_folder

try:
    import pandas
except ImportError:
    raise MissingPackage("pandas", "questions to a data frame") from None

ROWS = "row"
# Frames kept on disk, and bytes of N-Triples; their indexes are not counted.
MOST_FRAMES, MOST_BYTES = 100, 1_000_000_000
_TYPE, _LABEL = ox.NamedNode(RDF + "type"), ox.NamedNode(RDFS + "label")


@pandas.api.extensions.register_dataframe_accessor("nlq")
class FrameQuestions:
    """Asks a data frame, copied at the first question."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        """Know the frame; nothing is read before it is asked."""
        self._frame = frame

    def ask(self, question: str, *, rows: str = ROWS, **options: Any) -> GatewayAnswer:
        """Answer a question about the rows, each of which is an entity of the class `rows`.

        `options` and errors are those of `Gateway.ask` and `Gateway.open`.
        """
        return self.gateway(rows).ask(question, **options)

    def gateway(self, rows: str = ROWS) -> Gateway:
        """The gateway over the frame, which is closed once nothing holds the frame any more."""
        key = id(self._frame), rows
        if key not in _gateways:
            with ExitStack() as opened:
                file = opened.enter_context(_file_of(self._frame, rows))
                _gateways[key] = opened.enter_context(Gateway.open(file.name))
                weakref.finalize(self._frame, _forget, key, opened.pop_all())
        return _gateways[key]


# By frame and name of its rows: pandas may make an accessor anew each time that it is named.
_gateways: dict[tuple[int, str], Gateway] = {}


def _forget(key: tuple[int, str], opened: ExitStack) -> None:
    _gateways.pop(key)
    opened.close()


def _file_of(frame: pandas.DataFrame, rows: str) -> IO[bytes]:
    """A file with the frame as N-Triples, kept while it is open; equal frames share one, and the index."""
    data = ox.serialize(triples_of(frame, rows), format=ox.RdfFormat.N_TRIPLES)
    assert data is not None
    # The file's name is the dataset's, which answers show.
    file = private_folder(cache_folder() / "frames") / f"frame-{sha256(data).hexdigest()[:16]}.nt"
    with (file.parent / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            begun = file.with_suffix(".new")
            begun.write_bytes(data)
            begun.replace(file)
        opened = file.open("rb")
        fcntl.flock(opened, fcntl.LOCK_SH)
        # The index knows the file by its time of change, which stays.
        os.utime(file, ns=(time.time_ns(), file.stat().st_mtime_ns))
        _remove_oldest(file.parent)
    return opened


def _remove_oldest(folder: Path) -> None:
    """Remove the frames used longest ago, with their indexes, beyond what is kept; none that is open."""
    size = 0
    for number, file in enumerate(sorted(folder.glob("*.nt"), key=lambda one: -one.stat().st_atime_ns), 1):
        size += file.stat().st_size
        if number > MOST_FRAMES or size > MOST_BYTES:
            with file.open("rb") as closed, suppress(OSError):
                fcntl.flock(closed, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(cache_folder() / "endpoints" / file.stem, ignore_errors=True)
                file.unlink()


def triples_of(frame: pandas.DataFrame, rows: str = ROWS) -> Iterator[ox.Triple]:
    """The triples that state a frame, whose rows are things of the class `rows`."""
    kind = _node("class", rows)
    yield ox.Triple(kind, _LABEL, ox.Literal(rows))
    named = _naming(frame)
    columns = {name: _node("column", str(name)) for name in frame.columns if name != named}
    for name, column in columns.items():
        yield ox.Triple(column, _LABEL, ox.Literal(str(name).replace("_", " ")))
    for number, (_, row) in enumerate(frame.iterrows(), 1):
        thing = _node("row", str(number))
        yield ox.Triple(thing, _TYPE, kind)
        yield ox.Triple(thing, _LABEL, ox.Literal(f"{rows} {number}" if named is None else str(row[named])))
        for name, column in columns.items():
            if not pandas.isna(row[name]):
                yield ox.Triple(thing, column, _literal(row[name]))


def _naming(frame: pandas.DataFrame) -> Any:
    """The first column of texts that all differ; None without one."""
    for name in frame.columns:
        cells = list(frame[name])
        if (
            cells
            and all(isinstance(one, str) and one.strip() for one in cells)
            and len({*cells}) == len(cells)
        ):
            return name
    return None


def _node(kind: str, name: str) -> ox.NamedNode:
    return ox.NamedNode(f"urn:nlq:frame:{kind}:{quote(name, safe='')}")


def _literal(cell: Any) -> ox.Literal:
    """A cell as a literal of its own type."""
    if pandas.api.types.is_bool(cell):
        return ox.Literal(bool(cell))
    if pandas.api.types.is_integer(cell):
        return ox.Literal(int(cell))
    if pandas.api.types.is_float(cell):
        # A column of whole numbers is one of floats where a cell is empty.
        return ox.Literal(int(cell) if float(cell).is_integer() else float(cell))
    if isinstance(cell, pandas.Timestamp):
        is_day = cell == cell.normalize()
        text, kind = (cell.date().isoformat(), "date") if is_day else (cell.isoformat(), "dateTime")
        return ox.Literal(text, datatype=ox.NamedNode(XSD + kind))
    return ox.Literal(str(cell))
