"""Answers as CSV, TSV and Excel: what is in the cells, and that a spreadsheet reads it as it is."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway.client.sheet import Sheet, SheetColumn, sheet_of
from nlq_gateway.edges.http.downloads import MEDIA_TYPES, XLSX
from nlq_gateway.edges.http.downloads.delimited import ROWS_OF_A_CHUNK, csv_chunks, tsv_chunks
from nlq_gateway.edges.http.downloads.graph import graph
from nlq_gateway.edges.http.downloads.spreadsheet import workbook

CSV, TSV = "text/csv", "text/tab-separated-values"
LENGTHS = "FindAll()->FilterConcept(river)->SelectTop(length, largest, 2)->QueryAttr(length)"
PARTED = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows_of(text: str) -> list[list[str]]:
    """The rows of a CSV, without the mark by which Excel knows its encoding."""
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:], newline="")))


def taken(client: FlaskClient, program: str, accept: str = CSV, query: str = "") -> str:
    response = client.post(f"/run{query}", json={"program": program}, headers={"Accept": accept})
    assert (response.status_code, response.mimetype) == (200, accept)
    return response.get_data(as_text=True)


def cells_of(file: bytes) -> list[list[tuple[str, str, str]]]:
    """Rows of an Excel file: type, style and text of each cell."""
    with zipfile.ZipFile(io.BytesIO(file)) as package:
        sheet = ElementTree.fromstring(package.read("xl/worksheets/sheet1.xml"))
    return [
        [(cell.get("t", "n"), cell.get("s", "0"), "".join(cell.itertext())) for cell in row]
        for row in sheet.iter(f"{PARTED}row")
    ]


def test_labels_are_in_the_cells(client: FlaskClient) -> None:
    rows = rows_of(taken(client, "Find(Pulp Fiction)->Relate(directed by, forward)->What()"))
    assert rows[1:] == [["Quentin Tarantino"]]


def test_iris_have_columns_of_their_own_where_they_are_wanted(client: FlaskClient) -> None:
    program = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"
    for text in (taken(client, program, query="?iris=true"), taken(client, program, TSV, "?iris=true")):
        head, row = text.strip("\ufeff\n").replace("\t", ",").splitlines()
        assert head.split(",")[1] == f"{head.split(',')[0]} IRI"
        assert row.split(",")[0] == "Quentin Tarantino"
        assert row.split(",")[1].startswith("http://world.example/")


def test_numbers_stand_apart_from_their_units(client: FlaskClient) -> None:
    head, *rows = rows_of(taken(client, "Find(Nile)->QueryAttr(length)"))
    assert (head[-1], rows[0][-2:]) == (f"{head[-2]} unit", ["6650", "kilometre"])


def graph_of(client: FlaskClient, program: str, media_type: str = "text/turtle") -> set[tuple[str, str, str]]:
    """The triples of a table, without the address of its columns and the names of its rows."""
    text = taken(client, program, media_type)
    of = {"text/turtle": ox.RdfFormat.TURTLE, "application/ld+json": ox.RdfFormat.JSON_LD}
    found = set()
    for one in ox.parse(text, format=of[media_type]):
        subject = "" if isinstance(one.subject, ox.BlankNode) else str(one.subject)
        found.add((subject, one.predicate.value.rpartition("#")[2], str(one.object)))
    return found


@pytest.mark.parametrize("media_type", ["text/turtle", "application/ld+json"])
def test_a_table_as_rdf(client: FlaskClient, media_type: str) -> None:
    """Things are nodes with labels, numbers typed, units beside them."""
    found = graph_of(client, LENGTHS, media_type)
    assert any(name.endswith("%20unit") and value == '"kilometre"' for _, name, value in found)
    nile = next(iri for iri, name, value in found if (name, value) == ("label", '"Nile"'))
    assert nile.startswith("<http://world.example/")
    assert nile in {value for subject, _, value in found if subject == ""}
    assert any(value == '"6650"^^<http://www.w3.org/2001/XMLSchema#integer>' for _, _, value in found)


def test_what_is_no_iri_stays_a_text() -> None:
    """Some stores keep IRIs with blanks."""
    column = SheetColumn("film", "iri", ["One", "Two"], ["urn:a b", "urn:two"])
    triples = list(ox.parse(graph(Sheet((column,)), "urn:t", "text/turtle"), format=ox.RdfFormat.TURTLE))
    assert {str(one.object) for one in triples} == {'"One"', "<urn:two>", '"Two"'}


def test_a_verdict_is_its_word(client: FlaskClient) -> None:
    text = taken(client, "Find(Nile)->QueryAttr(length)->VerifyNum(6650 kilometre, =)")
    assert rows_of(text) == [["answer"], ["yes"]]


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_a_question_its_address_and_its_trace_have_the_same_table(
    client: FlaskClient, media_type: str
) -> None:
    question, accept = {"question": "Who directed Pulp Fiction?", "iris": "true"}, {"Accept": media_type}
    asked = client.get("/nlq", query_string=question, headers=accept)
    trace = asked.headers["Link"].removeprefix("<").partition(">")[0]
    kept = client.get(f"{trace}?iris=true", headers=accept)
    assert asked.mimetype == kept.mimetype == media_type
    assert kept.headers["ETag"]
    if media_type == XLSX:
        assert cells_of(asked.data) == cells_of(kept.data)
    else:
        assert asked.data == kept.data


def test_what_has_no_answer_has_no_rows(client: FlaskClient) -> None:
    response = client.post("/nlq", json={"question": "zzz qqq xxx"}, headers={"Accept": CSV})
    assert rows_of(response.get_data(as_text=True)) == [["answer"]]


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_without_execution_there_is_nothing_to_take_away(client: FlaskClient, media_type: str) -> None:
    body = {"question": "Who directed Pulp Fiction?", "execute": False}
    assert client.post("/nlq", json=body, headers={"Accept": media_type}).status_code == 400


def test_another_word_for_true_is_refused(client: FlaskClient) -> None:
    response = client.post("/run?iris=perhaps", json={"program": LENGTHS}, headers={"Accept": CSV})
    assert (response.status_code, response.get_json()["detail"].split(":")[0]) == (400, "iris")


def sheet(*cells: str, type: str = "text") -> Sheet:
    return Sheet((SheetColumn("name", type, cells),))


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-a", "@SUM(A1)", "\t=1", "\r=1", "\uff1d1", "-1+2"])
def test_no_text_is_a_formula(text: str) -> None:
    assert rows_of("".join(csv_chunks(sheet(text))))[1] == [f"'{text}"]


@pytest.mark.parametrize("text", ["-3.7", "-5", "a=b", "", "1-1"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert rows_of("".join(csv_chunks(sheet(text, "x"))))[1:] == [[text], ["x"]]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1))
def test_csv_gives_back_each_text(texts: list[str]) -> None:
    """But for the apostrophe; a second column keeps rows of an empty text."""
    both = Sheet((SheetColumn("one", "text", texts), SheetColumn("two", "text", texts)))
    rows = rows_of("".join(csv_chunks(both)))[1:]
    assert [row[0] for row in rows] == [row[1] for row in rows]
    for text, (written, _) in zip(texts, rows, strict=True):
        assert written in (text, f"'{text}")


@given(st.lists(st.text(), min_size=1))
def test_a_row_of_tsv_is_a_line_with_as_many_tabs(texts: list[str]) -> None:
    both = Sheet((SheetColumn("one", "text", texts), SheetColumn("two", "text", texts)))
    lines = "".join(tsv_chunks(both)).removesuffix("\n").split("\n")
    assert [line.count("\t") for line in lines] == [1] * (len(texts) + 1)


@given(st.lists(st.text(max_size=50), min_size=1))
def test_an_excel_file_is_well_formed_whatever_is_in_it(texts: list[str]) -> None:
    assert len(cells_of(workbook(sheet(*texts)))) == len(texts) + 1


def test_excel_has_numbers_as_numbers_days_as_days_and_texts_as_texts() -> None:
    columns = (
        SheetColumn("name", "text", ["Émile Zola", "=1+1", "007"]),
        SheetColumn("size", "number", ["-3.7", "12345678901234567", "5"]),
        SheetColumn("born", "date", ["1900-03-01", "1840-04-02", "2026-02-30"]),
        SheetColumn("year", "year", ["1902", "-44", ""]),
    )
    head, *rows = cells_of(workbook(Sheet(columns)))
    assert [cell[0] for cell in head] == ["inlineStr"] * 4
    assert rows == [
        [("inlineStr", "0", "Émile Zola"), ("n", "0", "-3.7"), ("n", "2", "61"), ("n", "0", "1902")],
        [
            ("inlineStr", "0", "=1+1"),
            ("inlineStr", "0", "12345678901234567"),
            ("inlineStr", "0", "1840-04-02"),
            ("n", "0", "-44"),
        ],
        [("inlineStr", "0", "007"), ("n", "0", "5"), ("inlineStr", "0", "2026-02-30")],
    ]


@pytest.mark.parametrize(
    ("number", "type"),
    [
        ("1988920000000000000000000000000", "n"),
        ("0.00000000000000000016021", "n"),
        ("48.85837000000001", "n"),
        ("-999999999999999", "n"),
        ("4006381333931012", "inlineStr"),
    ],
)
def test_only_whole_numbers_that_excel_would_round_are_texts(number: str, type: str) -> None:
    assert cells_of(workbook(sheet(number, type="number")))[1] == [(type, "0", number)]


def test_a_text_that_looks_like_an_escape_of_excel_is_escaped() -> None:
    """Excel reads `_x0041_` as A."""
    (_, _, written), *_ = cells_of(workbook(sheet("_x0041_ _x00_ a_x000D_")))[1]
    assert written == "_x005F_x0041_ _x00_ a_x005F_x000D_"


def test_excel_finds_every_part_that_the_package_names() -> None:
    with zipfile.ZipFile(io.BytesIO(workbook(sheet("a")))) as package:
        names = set(package.namelist())
        types = ElementTree.fromstring(package.read("[Content_Types].xml"))
        overrides = {one.get("PartName", "").removeprefix("/") for one in types if one.get("PartName")}
        assert overrides <= names
        for name in names:
            ElementTree.fromstring(package.read(name))


def test_columns_go_on_after_z() -> None:
    columns = tuple(SheetColumn(str(at), "number", ["1"]) for at in range(28))
    with zipfile.ZipFile(io.BytesIO(workbook(Sheet(columns)))) as package:
        text = package.read("xl/worksheets/sheet1.xml").decode()
    assert [place for place in ("Z2", "AA2", "AB2") if f'"{place}"' in text] == ["Z2", "AA2", "AB2"]


def document(rows: int) -> dict[str, Any]:
    return {
        "answer": {"values": []},
        "table": {"columns": ["name"], "rows": [[f"Ærø {number}"] for number in range(rows)]},
    }


def test_ten_thousand_rows_come_chunk_by_chunk() -> None:
    chunks: Iterator[str] = csv_chunks(sheet_of(document(10_000), iris=False))
    sizes = [chunk.count("\r\n") for chunk in chunks]
    assert max(sizes) == ROWS_OF_A_CHUNK
    assert sum(sizes) == 10_001


def test_a_document_without_fields_is_of_texts() -> None:
    """As those are that were kept before there were fields."""
    assert [column.type for column in sheet_of(document(1), iris=True).columns] == ["text"]
