from __future__ import annotations

import gzip
import random
from pathlib import Path

import pyoxigraph as ox
import pytest

from connectors import DataError, EmbeddedOxigraph, load_files
from connectors.rdf_files import FORMATS

# The same in every process: what a test is called by must not differ between those that share the suite.
NOISE = random.Random(0).randbytes(5_000).hex().encode()
TRIPLE = '<http://e.example/a> <http://e.example/p> "x" .\n'
QUAD = '<http://e.example/a> <http://e.example/p> "x" <http://e.example/g> .\n'
TURTLE = '@prefix ex: <http://e.example/> .\nex:a ex:p "x" .\n'
XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://e.example/">\n'
    '<rdf:Description rdf:about="http://e.example/a"><ex:p>x</ex:p></rdf:Description></rdf:RDF>'
)
JSON_LD = '{"@context": {"ex": "http://e.example/"}, "@id": "http://e.example/a", "ex:p": "x"}'
SAMPLES = {
    ".nt": TRIPLE,
    ".ttl": TURTLE,
    ".rdf": XML,
    ".xml": XML,
    ".owl": XML,
    ".nq": QUAD,
    ".trig": TURTLE,
    ".jsonld": JSON_LD,
    ".n3": TURTLE,
}


def test_every_format_has_a_sample() -> None:
    assert SAMPLES.keys() == FORMATS.keys()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ending", FORMATS)
def test_loads_every_serialisation(tmp_path: Path, ending: str, packed: bool) -> None:
    file = tmp_path / f"data.v1{ending.upper() if packed else ending}{'.gz' if packed else ''}"
    content = SAMPLES[ending].encode()
    file.write_bytes(gzip.compress(content, mtime=0) if packed else content)
    endpoint = EmbeddedOxigraph.in_memory([file])
    assert endpoint.query("ASK { <http://e.example/a> <http://e.example/p> 'x' }").boolean is True
    if ending not in (".nt", ".nq"):
        assert endpoint.prefixes["ex"] == "http://e.example/"


def test_relative_iris_do_not_depend_on_the_place(tmp_path: Path) -> None:
    file = tmp_path / "data.ttl"
    file.write_text("<a> <b> <c> .\n@base <http://based.example/> .\n<a> <b> <c> .\n")
    rows = EmbeddedOxigraph.in_memory([file]).query("SELECT ?s { ?s ?p ?o } ORDER BY ?s").rows
    assert [row[0].value for row in rows if row[0]] == ["http://based.example/a", "http://localhost/a"]


def test_blank_nodes_of_two_files_stay_apart(tmp_path: Path) -> None:
    files = [tmp_path / "1.ttl", tmp_path / "2.ttl"]
    for number, file in enumerate(files):
        file.write_text(f"_:a <http://e.example/p> {number} .")
    assert len(EmbeddedOxigraph.in_memory(files).query("SELECT DISTINCT ?s { ?s ?p ?o }").rows) == 2


def test_prefixes_of_all_files_are_joined_and_the_first_wins(tmp_path: Path) -> None:
    files = [tmp_path / "1.ttl", tmp_path / "2.ttl"]
    files[0].write_text("PREFIX a: <http://1.example/> PREFIX b: <http://1.example/> a:a a:b 1 .")
    files[1].write_text("PREFIX b: <http://2.example/> PREFIX c: <http://2.example/> b:a b:b 1 .")
    progress: list[tuple[int, int]] = []
    prefixes = load_files(ox.Store(), files, lambda done, of: progress.append((done, of)))
    assert prefixes == {"a": "http://1.example/", "b": "http://1.example/", "c": "http://2.example/"}
    assert progress == [(0, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        (
            "bad.ttl",
            b"<http://a.example/> <http://b.example/> 1 .\n<http://a.example/> <http://b.example/> .\n",
            2,
        ),
        (
            "bad.nt",
            b"<http://a.example/> <http://b.example/> <http://c.example/> .\n" * 5_000 + b"oops\n",
            5_001,
        ),
        (
            "bad.nt.gz",
            gzip.compress(b"<http://a.example/> <http://b.example/> <http://c.example/> .\nx y z\n", mtime=0),
            2,
        ),
        ("bad.jsonld", b'{"@context":\n', 2),
        ("remote.jsonld", b'{"@context": "http://c.example/", "@id": "http://a.example/", "n": 1}', None),
        ("bad.rdf", XML[:-12].encode(), None),
        ("page.rdf", b"<html><body>404</body></html>", None),
        ("relative.nt", b"<a> <b> <c> .\n", 1),
        ("empty.ttl", b"", None),
        ("empty.nt.gz", gzip.compress(b"", mtime=0), None),
        ("comment.ttl", b"# nothing\n@prefix a: <http://a.example/> .\n", None),
        ("binary.ttl", bytes(range(256)), None),
        ("utf16.ttl", TURTLE.encode("utf-16"), None),
        ("latin.ttl", '<http://a.example/> <http://b.example/> "é" .\n'.encode("latin-1"), None),
        ("notgzip.ttl.gz", TURTLE.encode(), None),
        ("cut.nt.gz", gzip.compress(TRIPLE.encode() + NOISE, mtime=0)[:-2_000], None),
        ("data.csv", b"a,b\n", None),
        ("data.csv.gz", gzip.compress(b"a,b\n", mtime=0), None),
        ("noending", TURTLE.encode(), None),
    ],
)
def test_a_bad_file_is_named_with_its_line(
    tmp_path: Path, name: str, content: bytes, line: int | None
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        EmbeddedOxigraph.in_memory([file])
    assert caught.value.file == str(file)
    assert caught.value.message
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize("name", ["missing.ttl", "folder.ttl"])
def test_a_missing_file_or_a_folder_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.ttl").mkdir()
    with pytest.raises(DataError) as caught:
        EmbeddedOxigraph.in_memory([tmp_path / name])
    assert caught.value.file == str(tmp_path / name)


def test_a_folder_appears_only_when_all_files_are_in_it(tmp_path: Path, data: Path) -> None:
    bad = tmp_path / "bad.ttl"
    bad.write_text("oops")
    with pytest.raises(DataError):
        load_files(tmp_path / "store", [data / "films.ttl", bad])
    assert {path.name for path in tmp_path.iterdir()} == {"bad.ttl"}
    prefixes = load_files(tmp_path / "store", [data / "films.ttl"])
    assert prefixes["ex"] == "http://films.example/"
    assert {path.name for path in tmp_path.iterdir()} == {"bad.ttl", "store"}
    with pytest.raises(DataError, match="not empty"):
        load_files(tmp_path / "store", [data / "films.ttl"])


@pytest.mark.parametrize(
    "content", ["", "<http://a.example/> <http://b.example/> 1 .\n<http://a.example/> ."]
)
def test_a_folder_that_could_not_be_filled_is_free_for_the_next_try(tmp_path: Path, content: str) -> None:
    """Also while the error is kept, whose traceback would keep the store open."""
    file, folder = tmp_path / "late.ttl", tmp_path / "store"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DataError) as kept:
        load_files(folder, [file])
    file.write_text("<http://a.example/> <http://b.example/> 1 .", encoding="utf-8")
    load_files(folder, [file])
    assert folder.is_dir()
    assert kept.value.message
