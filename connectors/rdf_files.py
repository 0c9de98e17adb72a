"""RDF files of any serialisation into an Oxigraph store."""

from __future__ import annotations

import gzip
import re
import shutil
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from traceback import clear_frames
from typing import IO, TYPE_CHECKING, cast

import pyoxigraph as ox

from connectors.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

# Relative IRIs mean the same wherever a file is, so the base is none of its paths.
BASE_IRI = "http://localhost/"
FORMATS: Mapping[str, ox.RdfFormat] = {
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".ttl": ox.RdfFormat.TURTLE,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".n3": ox.RdfFormat.N3,
}
# Prefixes are at the head of a file: at most this many statements, or bytes, are read for them.
_HEAD_STATEMENTS = 1_000
_HEAD_BYTES = 65_536
_XML_PREFIX = re.compile(rb"""\bxmlns:([\w.-]+)\s*=\s*(?:"([^"<]+)"|'([^'<]+)')""")
_BROKEN_GZIP = (gzip.BadGzipFile, EOFError, zlib.error)

Progress = Callable[[int, int], None]


def load_files(
    target: ox.Store | Path,
    files: Sequence[Path],
    progress: Progress | None = None,
) -> dict[str, str]:
    """Load files and return the prefixes declared in them (the first declaration of a name wins).

    Args:
        target: an open store, or a new folder for one. The folder appears when all files are in it.
        files: their endings name the serialisation; `.gz` may follow.
        progress: called with the number of files done and of all, before the first and after each.

    Raises:
        DataError: a file is missing, empty, no RDF, or the folder is in use. A store that was passed open may
            then hold the files before the bad one.
    """
    if isinstance(target, ox.Store):
        return _load(target, files, progress)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise DataError("the folder is not empty", file=str(target), hint="name a new folder for the store")
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        prefixes = _load_folder(partial, files, progress)
        partial.replace(target)
    except DataError as error:
        # A store is open until its last reference goes, and an error that is kept has some in its traceback.
        clear_frames(error.__traceback__)
        raise
    except OSError as error:
        said = str(error).replace(str(target.parent), "")
        raise DataError(f"the store cannot be written: {said}", file=str(target)) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return prefixes


def file_format(file: Path) -> ox.RdfFormat:
    """The serialisation that a file's ending names.

    Raises:
        DataError: no known ending.
    """
    ending = Path(file.stem).suffix if _is_packed(file) else file.suffix
    try:
        return FORMATS[ending.lower()]
    except KeyError:
        known = " ".join(FORMATS)
        raise DataError(
            f"{ending or 'no ending'} names no RDF serialisation", file=str(file), hint=f"known: {known}, .gz"
        ) from None


def _load_folder(folder: Path, files: Sequence[Path], progress: Progress | None) -> dict[str, str]:
    """Load files into a folder; the store is closed on return, so that the folder can be moved."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    store = ox.Store(folder)
    prefixes = _load(store, files, progress)
    store.flush()
    return prefixes


def _load(store: ox.Store, files: Sequence[Path], progress: Progress | None) -> dict[str, str]:
    report = progress or (lambda _done, _all: None)
    prefixes: dict[str, str] = {}
    report(0, len(files))
    for done, file in enumerate(files, start=1):
        prefixes = _load_file(store, file) | prefixes
        report(done, len(files))
    return prefixes


def _load_file(store: ox.Store, file: Path) -> dict[str, str]:
    form = file_format(file)
    with _as_data_error(file):
        prefixes = _head_prefixes(file, form)
        if not _is_packed(file):
            store.bulk_load(path=file, format=form, base_iri=BASE_IRI)
            return prefixes
        with _open(file) as stream:
            store.bulk_load(stream, form, base_iri=BASE_IRI)
    return prefixes


def _is_packed(file: Path) -> bool:
    return file.suffix.lower() == ".gz"


def _head_prefixes(file: Path, form: ox.RdfFormat) -> dict[str, str]:
    with _open(file) as stream:
        reader = ox.parse(stream, form, base_iri=BASE_IRI)
        if not list(islice(reader, _HEAD_STATEMENTS)):
            raise DataError("the file holds no statement", file=str(file), hint="is it the right file?")
    if form != ox.RdfFormat.RDF_XML:
        return dict(reader.prefixes)
    with _open(file) as stream:
        found = _XML_PREFIX.findall(stream.read(_HEAD_BYTES))
    return {name.decode(): (a or b).decode("utf-8", "replace") for name, a, b in found}


def _open(file: Path) -> IO[bytes]:
    if _is_packed(file):
        return cast(IO[bytes], gzip.open(file, "rb"))
    return file.open("rb")


@contextmanager
def _as_data_error(file: Path) -> Iterator[None]:
    try:
        yield
    except SyntaxError as error:
        raise DataError(
            f"not the RDF that the file's ending promises: {error.msg:.300}",
            file=str(file),
            line=error.lineno,
            hint="correct the line, or the file's ending",
        ) from error
    except _BROKEN_GZIP as error:
        raise DataError(f"broken gzip: {error}", file=str(file), hint="fetch or pack it again") from error
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", file=str(file)) from error
    except ValueError as error:
        raise DataError(f"cannot be loaded: {error}", file=str(file)) from error
