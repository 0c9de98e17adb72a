"""Queries that precede a query on real stores: relations of any depth where paths lose rows, and shares."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.stores import Server
from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.kopl.notations import read_program
from compilers.read_answers import read_answer
from compilers.staging import MAX_MEMBERS
from connectors.errors import EndpointTooComplex
from nlq_gateway.answering.closures import follow
from nlq_gateway.answering.execution import Store, execute
from tests.compiler.shapes import SHAPES
from tests.hierarchy import HIERARCHY, PAIRED, PROGRAMS
from tests.oracle.graph import Entity, Graph, RelationFact
from tests.oracle.interpret import interpret
from tests.stores.loading import holding

QUERY_MS = 20_000
LAYOUTS = ("direct", "kqapro", "wikidata")


def asked(server: Server, name: str, graph: Graph, text: str) -> tuple[list[str], int]:
    """The answers, and how many queries followed the relation."""
    shape = SHAPES[name]
    graph = shape.prepare(graph)
    options = replace(shape.options, dialect=DIALECTS[server.dialect])
    store = Store(holding(server, shape.write(graph)).query, shape.layout, options)
    followed = follow(shape.bind(read_program(text), graph), store, QUERY_MS)
    query = compile_program(followed.grounded, store.layout, options)
    result = execute(followed.grounded, query, store, followed.left_ms).result
    return sorted(read_answer(query, result.columns, result.rows).strings), len(followed.stages)


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_it_leads_to_is_what_the_interpreter_finds(server: Server, name: str) -> None:
    failing = {}
    for text in (*PROGRAMS, *PAIRED):
        found, queries = asked(server, name, HIERARCHY, text)
        assert bool(queries) == (not DIALECTS[server.dialect].paths)
        if found != sorted(interpret(read_program(text), HIERARCHY).answers):
            failing[text] = found
    assert failing == {}


_PRICED = (
    "Step 1: FindAll()\nStep 2: QueryAttr(price)\nStep 3: Table() <- 1, 2\nStep 4: SortTable(2, descending)\n"
)
SHARES = (
    "FindAll()->SelectShare(price, largest, 34)->What()",
    "FindAll()->FilterConcept(ware)->SelectShare(price, smallest, 50)->QueryAttr(price)->Sum()",
    f"{_PRICED}Step 5: LimitTable(34 %)",
    f"{_PRICED}Step 5: SkipTable(50 %)",
    f"{_PRICED}Step 5: LimitTable(90 %)\nStep 6: SkipTable(50 %)",
)


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_share_is_what_the_interpreter_takes(server: Server, name: str) -> None:
    for text in SHARES:
        found, queries = asked(server, name, HIERARCHY, text)
        assert queries == sum(text.count(word) for word in ("SelectShare", " %"))
        assert found == sorted(interpret(read_program(text), HIERARCHY).answers), text


def parts(count: int) -> Graph:
    """One thing and its parts, each of which has a part more."""
    names = ["whole", *(f"part{number}" for number in range(count))]
    relations = {RelationFact(name, "part of", "whole") for name in names[1 : count // 2 + 1]}
    deeper = {
        RelationFact(names[n], "part of", names[n - count // 2]) for n in range(count // 2 + 1, count + 1)
    }
    return Graph({name: Entity(name) for name in names}, {}, frozenset(), frozenset(relations | deeper))


def test_as_many_as_may_be_known_and_one_more(server: Server) -> None:
    text = "Find(whole)->RelateTransitive(part of, backward)->Count()"
    assert asked(server, "direct", parts(MAX_MEMBERS), text)[0] == [str(MAX_MEMBERS)]
    if DIALECTS[server.dialect].paths:
        assert asked(server, "direct", parts(MAX_MEMBERS + 1), text)[0] == [str(MAX_MEMBERS + 1)]
    else:
        with pytest.raises(EndpointTooComplex, match="more than 1,000"):
            asked(server, "direct", parts(MAX_MEMBERS + 1), text)
