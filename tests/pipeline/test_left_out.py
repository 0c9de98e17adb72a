"""Members that a table leaves out are told of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

BOOKS = """
@prefix : <http://books.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Book ; :isbn 1 ; rdfs:label "Alder" ; :genre "novel" ; :pages 100 ; :by :x .
:b a :Book ; :isbn 2 ; rdfs:label "Birch" ; :genre "novel" ; :pages 100 ; :by :x .
:c a :Book ; :isbn 3 ; rdfs:label "Cedar" ; :genre "novel" ; :by :y .
:d a :Book ; :isbn 4 ; :weight 2, 3 ; rdfs:label "Damson" ; :genre "poems" ; :pages 30 ; :by :x .
:e a :Book ; :isbn 5 ; rdfs:label "Elm" ; :genre "essays" ; :by :x .
[] a :Copy ; :of :a . [] a :Copy ; :of :a . [] a :Copy ; :of :b .
:x a :Author ; rdfs:label "Ann Lee" . :y a :Author ; rdfs:label "Bob Ray" .
:z a :Author ; rdfs:label "Cy Poe" .
"""
BEGIN = "Step 1: FindAll()\nStep 2: FilterConcept(Book)\n"
BY_GENRE = f"{BEGIN}Step 3: QueryAttr(genre)\nStep 4: Count() <- 2\n"
COPIES = "Step 1: FindAll()\nStep 2: FilterConcept(Copy)\nStep 3: Relate(of, forward)\n"
PAGES = "Step 3: QueryAttr(pages)\nStep 4: Table() <- 2, 3\n"
AUTHORS = "Step 1: FindAll()\nStep 2: FilterConcept(Author)\nStep 3: Relate(by, backward)\n"
BOOKLESS = "step 2: 1 of 3 authors is in no row, for they have no books"
PAGELESS = 'step 2: 2 of 5 books are in no row, for the graph states no "pages" for them'


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "books.ttl"
    file.write_text(BOOKS, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("program", "messages"),
    [
        (BEGIN + PAGES, [PAGELESS]),
        (BEGIN + PAGES + "Step 5: SortTable(2, descending)\nStep 6: DropColumn(2)", [PAGELESS]),
        (BEGIN + PAGES + "Step 5: DropColumn(1)", []),
        (BEGIN + PAGES + "Step 5: FilterTable(2, 50, >)", []),
        (BEGIN + PAGES + "Step 5: LimitTable(1)", []),
        (BEGIN + PAGES.replace("Table", "OptionalTable"), []),
        (f"{BEGIN}Step 3: QueryAttr(genre)\nStep 4: Table() <- 2, 3", []),
        (f"{BY_GENRE}Step 5: Table() <- 3, 4", []),
        (
            f"{BY_GENRE}Step 5: QueryAttr(pages) <- 2\nStep 6: Maximum()\nStep 7: Table() <- 3, 4, 6",
            [PAGELESS],
        ),
        (
            f"{BEGIN}Step 3: Relate(of, backward)\nStep 4: Table() <- 2, 3",
            ["step 2: 3 of 5 books are in no row, for they have no copies"],
        ),
        (
            f"{BEGIN}Step 3: Relate(by, forward)\nStep 4: Find(Ann Lee)\nStep 5: And() <- 3, 4\n"
            "Step 6: Table() <- 2, 5",
            [],
        ),
        (f"{BEGIN}Step 3: Relate(by, forward)\nStep 4: Count() <- 2\nStep 5: Table() <- 3, 4", []),
        (
            f"{BEGIN}Step 3: Relate(by, forward)\nStep 4: QueryAttr(weight) <- 2\nStep 5: Average()\n"
            "Step 6: Table() <- 3, 5",
            ['step 3: 1 of 2 authors is in no row, for the graph states no "weight" for their books'],
        ),
        (
            f"{BEGIN}Step 3: Relate(by, forward)\nStep 4: Relate(of, backward) <- 2\nStep 5: Count()\n"
            "Step 6: Table() <- 3, 5",
            ["step 3: 1 of 2 authors is in no row, for their books have no copies"],
        ),
        (
            f"{BEGIN}Step 3: Relate(of, backward)\nStep 4: FilterConcept(Copy)\nStep 5: Table() <- 2, 4",
            ["step 2: 3 of 5 books are in no row, for they have no copies"],
        ),
        (
            f"{BEGIN}Step 3: QueryAttr(weight)\nStep 4: Count() <- 2\nStep 5: Table() <- 3, 4",
            ['step 2: 4 of 5 books are in no row, for the graph states no "weight" for them'],
        ),
        (f"{BY_GENRE}Step 5: Table() <- 3, 4\nStep 6: DropColumn(1)\nStep 7: DistinctTable()", []),
        (f"{BEGIN}Step 3: Count()", []),
        (COPIES + "Step 4: Table() <- 2, 3", []),
        (
            f"{BEGIN}Step 3: QueryAttr(isbn)\nStep 4: QueryAttr(pages) <- 2\nStep 5: Table() <- 3, 4",
            [PAGELESS],
        ),
        (
            f"{BEGIN}Step 3: QueryAttr(genre)\nStep 4: QueryAttr(pages) <- 2\nStep 5: Average()\n"
            "Step 6: Table() <- 3, 5",
            [],
        ),
        (f"{AUTHORS}Step 4: QueryAttr(genre)\nStep 5: Table() <- 2, 4", [BOOKLESS]),
        (
            f"{AUTHORS}Step 4: QueryAttr(weight)\nStep 5: Table() <- 2, 3, 4",
            [
                "step 2: 2 of 3 authors are in no row, for they have no books "
                'or the graph states no "weight" for their books'
            ],
        ),
        (f"{AUTHORS}Step 4: FilterNum(pages, 50, <)\nStep 5: Table() <- 2, 4", []),
    ],
)
def test_a_warning_says_how_many(books: Pipeline, program: str, messages: list[str]) -> None:
    found = [one.message for one in books.run(read_program(program)).warnings if one.code == "left-out"]
    assert found == messages


def test_what_the_store_does_not_tell_in_time_is_no_lack(
    books: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nlq_gateway.answering.attempt.looked_up", lambda *_, **__: None)
    assert not books.run(read_program(BEGIN + PAGES)).warnings
