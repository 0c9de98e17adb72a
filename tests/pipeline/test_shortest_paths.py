"""Paths between two things: the shortest in every layout, within bounds, and nothing claimed beyond them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from connectors import EmbeddedOxigraph
from connectors.errors import EndpointTimeout
from nlq_gateway.answering import Connection, Pipeline, connected
from nlq_gateway.answering.connecting import FACTS, QUERIES
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.settings import Settings
from tests import chains
from tests.compiler.shapes import SHAPES, Shape

NEAR = "http://near.example/"
Made = Callable[[str], Endpoint]


@contextmanager
def opened(file: Path, layout: str) -> Iterator[Endpoint]:
    gateway = Pipeline(Settings.for_data([file]).with_source(layout=layout))
    gateway.endpoint(None).prepare()
    yield gateway.endpoint(None).snapshot()
    gateway.close()


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> Shape:
    return SHAPES[request.param]


def test_paths_are_the_shortest_in_every_layout(shape: Shape, tmp_path: Path) -> None:
    graph, file = shape.prepare(chains.graph()), tmp_path / "chains.nq"
    shape.write(graph).dump(file, format=ox.RdfFormat.N_QUADS)
    with opened(file, shape.layout) as endpoint:
        lengths = chains.require_shortest(endpoint, graph, shape.iris(graph))
    assert min(lengths[number] for number in range(5)) > 2


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """A graph of these triples, whose things are instances of one class."""
    with ExitStack() as stack:

        def make(triples: str) -> Endpoint:
            names = sorted({word for word in triples.split() if word.startswith(":")} - {":by"})
            classes = "".join(f"{name} a :Thing .\n" for name in names)
            text = f"@prefix : <{NEAR}> .\n{triples}\n{classes}"
            (tmp_path / "near.ttl").write_text(text, encoding="utf-8")
            return stack.enter_context(opened(tmp_path / "near.ttl", "direct"))

        yield make


def between(endpoint: Endpoint, start: str, goal: str) -> Connection:
    return connected(endpoint, NEAR + start, NEAR + goal, "en")


def many(pattern: str, number: int) -> str:
    return "\n".join(pattern.format(one) for one in range(number))


def test_without_facts_left_there_is_none_for_certain(made: Made) -> None:
    found = between(made(":a :by :b . :b :by :a . :c :by :d ."), "a", "c")
    assert (found.paths, found.complete) == ((), True)


def test_nor_where_one_of_both_has_few_facts_and_the_other_many(made: Made) -> None:
    """The neighbours of the other thing are not read in full, and need not be."""
    found = between(made(f":a :by :b .\n{many(':m{0} :by :hub .', FACTS + 100)}"), "hub", "a")
    assert (found.paths, found.complete) == ((), True)


def test_two_things_too_far_apart_have_no_path_of_that_length(made: Made) -> None:
    endpoint = made(":a :by :b . :c :by :b . :c :by :d . :d :by :e . :e :by :f .")
    (path,) = between(endpoint, "a", "e").paths
    assert [iri.removeprefix(NEAR) for iri, _ in path.things] == list("abcde")
    found = between(endpoint, "a", "f")
    assert (found.paths, found.complete) == ((), True)


def test_a_thing_with_many_facts_is_passed_but_not_searched_to_the_end(made: Made) -> None:
    """From the thing that leads to it the other end is found; what is beside it is cut off, and that said."""
    hubs = many(":m{0} :by :hub .", FACTS + 100) + many("\n:n{0} :by :knot .", FACTS + 100)
    endpoint = made(f"{hubs}\n:a :by :hub . :c :by :hub . :b :by :knot .")
    (path,) = between(endpoint, "a", "c").paths
    assert [iri.removeprefix(NEAR) for iri, _ in path.things] == ["a", "hub", "c"]
    apart = between(endpoint, "a", "b")
    assert (apart.paths, apart.complete) == ((), False)


def test_the_number_of_queries_is_bounded(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of so many things leads on to another: not all are asked about."""
    near = many(":a :by :m{0} . :m{0} :by :x{0} .", 400) + many("\n:b :by :n{0} . :n{0} :by :y{0} .", 400)
    endpoint, sent = made(near), []
    query = EmbeddedOxigraph.query

    def counting(store: EmbeddedOxigraph, text: str, **bounds: Any) -> Any:
        sent.append(text)
        return query(store, text, **bounds)

    monkeypatch.setattr(EmbeddedOxigraph, "query", counting)
    found = between(endpoint, "a", "b")
    assert (found.paths, found.complete, len(sent)) == ((), False, QUERIES)


def test_a_store_that_gives_up_leaves_the_search_unfinished(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = made(":a :by :b .")
    assert between(endpoint, "a", "b").complete

    def slow(*_: Any, **__: Any) -> Any:
        raise EndpointTimeout("too slow")

    monkeypatch.setattr(EmbeddedOxigraph, "query", slow)
    found = between(endpoint, "a", "b")
    assert (found.paths, found.complete) == ((), False)


def test_what_has_no_name_is_not_passed_which_is_said(made: Made) -> None:
    found = between(made(":a :by _:x . _:x :by :b . _:x a :Thing ."), "a", "b")
    assert (found.paths, found.complete) == ((), False)
