"""Answers in notebooks, in terminals and as data frames."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway import Gateway, GatewayAnswer
from nlq_gateway.client.answer import answer_of
from nlq_gateway.client.frame import typed_columns
from nlq_gateway.client.problems import MissingPackage

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)> $\\href{javascript:x}$ \x1b[31m " onload="'
TAGS = {
    "div",
    "p",
    "strong",
    "bdi",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
    "details",
    "summary",
} | {
    "pre",
    "small",
}


def document(**changes: Any) -> dict[str, Any]:
    """A trace document with one row of one thing."""
    return {
        "question": "q",
        "dataset": "d",
        "status": "answered",
        "answer": {"text": "a", "values": [{"value": "http://e.example/a", "type": "iri", "label": "a"}]},
        "table": {
            "columns": ["thing"],
            "rows": [["a"]],
            "fields": [{"type": "iri", "iris": ["http://e.example/a"]}],
        },
        "truncated": False,
        "program": {"steps": [], "text": "FindAll()"},
        "sparql": {"text": "SELECT", "source_map": []},
        "confidence": {"score": 0.9, "parts": {}},
        "warnings": [],
        **changes,
    }


def table(name: str, kind: str, cells: list[str], **field: Any) -> dict[str, Any]:
    """A table of one column."""
    return {"columns": [name], "rows": [[cell] for cell in cells], "fields": [{"type": kind, **field}]}


class Elements(HTMLParser):
    """The elements of a fragment with their attributes, and its text."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(fragment)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile(text: str) -> GatewayAnswer:
    """An answer with this text wherever a graph or a question may put one."""
    return answer_of(
        document(
            question=text,
            dataset=text,
            status=text,
            answer={"text": text, "values": [{"value": text, "type": "literal"}]},
            table={"columns": [text], "rows": [[text]], "fields": [{"type": "iri", "iris": [text]}]},
            program={"steps": [], "text": text},
            sparql={"text": text, "source_map": []},
            warnings=[{"code": "x", "message": text}],
            diagnosis=text,
            reading=text,
        )
    )


@given(st.one_of(st.just(HOSTILE), st.text(), st.from_regex(r"\A(javascript|data|https?):[^\s]*\Z")))
def test_no_label_becomes_markup(text: str) -> None:
    elements = Elements(hostile(text)._repr_html_())
    assert {tag for tag, _ in elements.found} <= TAGS
    for tag, attributes in elements.found:
        assert set(attributes) <= {"class", "style", "href", "target", "rel"}
        if tag == "a":
            assert str(attributes["href"]).startswith(("http:", "https:"))


def test_no_label_acts_on_a_terminal() -> None:
    assert "\x1b" not in str(hostile(HOSTILE))


def test_a_notebook_shows_answer_links_program_and_query(gateway: Gateway) -> None:
    answer = gateway.ask("Who directed Pulp Fiction?")
    elements = Elements(answer._repr_html_())
    assert [attributes["href"] for tag, attributes in elements.found if tag == "a"] == [
        answer.values[0].value
    ]
    assert elements.found[0] == ("div", {"class": "tex2jax_ignore mathjax_ignore"})
    for part in (answer.text, answer.program, answer.sparql, f"{answer.confidence:.2f}"):
        assert part in elements.text


def test_a_notebook_shows_the_first_rows_of_many() -> None:
    rows = table("thing", "text", [f"thing {number}" for number in range(25)])
    text = Elements(answer_of(document(table=rows, truncated=True))._repr_html_()).text
    assert "thing 19" in text
    assert "thing 20" not in text
    assert "and 5 more rows" in text
    assert "more rows than were read" in text


@pytest.mark.parametrize(
    ("kind", "cells", "dtype", "found"),
    [
        ("number", ["3", "", "-4"], "Int64", [3, None, -4]),
        ("number", ["3", "2.5"], "Float64", [3.0, 2.5]),
        ("number", [str(2**63)], "Float64", [float(2**63)]),
        ("year", ["1994", "-44"], "Int64", [1994, -44]),
        ("boolean", ["true", "false", ""], "boolean", [True, False, None]),
        ("date", ["1994-05-21", ""], "datetime64[s]", ["1994-05-21", None]),
        ("date", ["1994-05-21T10:15:00"], "datetime64[s]", ["1994-05-21T10:15:00"]),
        ("date", ["-0044-03-15"], "string", ["-0044-03-15"]),
        ("number", ["many"], "string", ["many"]),
        ("text", ["a", ""], "string", ["a", None]),
    ],
)
def test_columns_have_the_type_of_their_cells(
    kind: str, cells: list[str], dtype: str, found: list[Any]
) -> None:
    [column] = typed_columns(document(table=table("x", kind, cells))).values()
    assert (column.dtype, column.cells) == (dtype, found)


def test_units_are_said_in_tables_that_people_read() -> None:
    rows = [["A", "34 day"], ["B", "1 day"], ["12 monkey", "7 km"]]
    answer = answer_of(document(table={"columns": ["order", "period"], "rows": rows}))
    for told in (str(answer), Elements(answer._repr_html_()).text):
        assert "34 days" in told
        assert not any(wrong in told for wrong in ("1 days", "12 monkeys", "7 kms"))
    assert answer.rows[0] == ("A", "34 day")


def test_units_and_iris_are_columns_of_their_own() -> None:
    heights = table("height", "number", ["3 metre", "4 foot"], units=["metre", "foot"])
    columns = typed_columns(document(table=heights))
    assert columns["height"].cells == [3, 4]
    assert columns["height unit"].cells == ["metre", "foot"]
    assert typed_columns(document(), iris=True)["thing IRI"].cells == ["http://e.example/a"]


def test_a_data_frame(gateway: Gateway) -> None:
    pandas = pytest.importorskip("pandas")
    frame = gateway.ask("How many films did each director direct?").to_pandas(iris=True)
    assert isinstance(frame, pandas.DataFrame)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "filmCount": "Int64",
        "filmDirector": "string",
        "filmDirector IRI": "string",
    }
    assert frame["filmCount"].sum() > len(frame)
    for kind, cell in (("date", "1994-05-21"), ("boolean", "true"), ("number", "2.5"), ("text", "a")):
        typed = answer_of(document(table=table("x", kind, [cell, ""]))).to_pandas()
        assert typed["x"].isna().tolist() == [False, True]


def test_without_pandas_the_error_says_what_to_install(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage, match=r"pip install '\.\[notebook\]'"):
        gateway.ask("Who directed Pulp Fiction?").to_pandas()


def test_several_values_of_one_thing_keep_what_tells_them_apart(gateway: Gateway) -> None:
    answer = gateway.run("Find(<http://world.example/Paris>)->QueryAttr(population)")
    assert ("2240000", "2010") in {(value.value, value.qualifier) for value in answer.values}
