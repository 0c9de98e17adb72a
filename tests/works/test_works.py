"""A graph whose names are codes: what it is made of, and what looks at it tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.works import Works, write, write_questions
from compilers.kopl.functions import Kind
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.card import Blocks, SchemaRelevance, whole
from nlq_gateway.drafts.generation.looking import TOKENS, NameDescriber, found, things, within
from nlq_gateway.index import Index, build
from nlq_gateway.models.server.estimate import estimated_tokens
from nlq_gateway.offline.evaluation.gold import gold_of_result

CARD = 1_750
WORKS = Works()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([write(tmp_path_factory.mktemp("works") / "works.ttl")])


@pytest.fixture(scope="module")
def index(store: EmbeddedOxigraph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("index")
    build(store, "direct", folder)
    with Index.open(folder, None) as index:
        yield index


def item(index: Index, kind: Kind, table: str, column: str = "") -> SchemaItem:
    one = WORKS.tables[table]
    found = index.item(kind, one.column(column) if column else one.iri)
    assert found is not None
    return found


def described(index: Index, name: str) -> str:
    describer = NameDescriber(Blocks(index), SchemaRelevance(), estimated_tokens, lambda _: iter(()), TOKENS)
    return within(describer.lines(name), estimated_tokens)


def test_the_schema_is_twenty_times_what_a_prompt_has_of_it(index: Index) -> None:
    card = whole(Blocks(index), estimated_tokens, 10**6)
    assert card is not None
    assert estimated_tokens(card) >= 20 * CARD


def test_no_code_stands_for_two_things() -> None:
    tables = WORKS.tables.values()
    columns = [table.column(term) for table in tables for term in table.columns]
    assert len(columns) == len(set(columns))
    assert len({table.code for table in tables}) == len({table.prefix for table in tables}) == len(tables)


def test_each_question_has_answers(store: EmbeddedOxigraph, tmp_path: Path) -> None:
    records = [
        json.loads(line) for line in write_questions(tmp_path / "works.jsonl").read_text().splitlines()
    ]
    assert len(records) == 30
    assert len({one["family"] for one in records}) >= 10
    for one in records:
        assert gold_of_result(store.query(one["sparql"])), one["question"]


@pytest.mark.parametrize(
    ("table", "column"),
    [("country", ""), ("bill of material", ""), ("employee", "job title"), ("timesheet", "hours worked")],
)
def test_what_is_described_is_found_by_its_description(index: Index, table: str, column: str) -> None:
    one = item(index, Kind.ATTRIBUTE if column else Kind.CONCEPT, table, column)
    assert one.description == (column or table).capitalize()
    assert any(f'"{one.label}"' in line and one.description in line for line in found(index, column or table))


def test_what_a_relation_leads_to_is_told_by_its_members(index: Index) -> None:
    status = item(index, Kind.RELATION, "sales order", "status")
    assert status.description == ""
    (line,) = described(index, status.label).split("\n")
    codes = [WORKS.tables[table].code for table in ("sales order", "status")]
    assert line.startswith(f'relation "{status.label}" (170): {codes[0]} -> {codes[1]}, such as "')


def test_a_table_is_described_with_its_columns_and_what_refers_to_it(index: Index) -> None:
    customer, orders = WORKS.tables["customer"], WORKS.tables["sales order"]
    told = described(index, customer.code)
    limit = item(index, Kind.ATTRIBUTE, "customer", "credit limit")
    refers = item(index, Kind.RELATION, "sales order", "customer")
    assert f"{limit.label} (Credit limit" in told
    assert f"{refers.label} -> {orders.code} (170)" in told
    assert estimated_tokens(told) <= TOKENS


def test_what_is_left_out_of_a_thing_is_named(index: Index) -> None:
    customer = WORKS.tables["customer"]
    having = things.having(index, frozenset((customer.column(one), "forward") for one in customer.columns))
    (line,) = things.others(having.left_out)
    assert len(having.attributes) == things.MOST_ATTRIBUTES
    shown = {one.label for one in having.attributes} | {one.label for one, _ in having.relations}
    labels = {customer.column(one).rpartition("#")[2] for one in customer.columns}
    assert all(label in line for label in labels - shown)
